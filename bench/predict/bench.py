"""Rows answered per second, in ratios within one run: rows in memory on both sides, all threads."""

import argparse
import os
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

COLUMNS = 57
TREES = 100


def spam_like(rows, seed):
    """Skewed positive numbers of two decimals, many of them zero."""
    import numpy as np

    rng = np.random.default_rng(seed)
    return np.round(rng.exponential(size=(rows, COLUMNS)) * (rng.random((rows, COLUMNS)) < 0.3), 2)


def labelled(rows, seed):
    """Such rows with labels of a noisy linear rule."""
    import numpy as np

    X, rng = spam_like(rows, seed), np.random.default_rng(seed + 1)
    score = X @ rng.normal(size=COLUMNS) + rng.normal(size=rows)
    return X, (score > np.median(score)).astype(int)


def write_csv(path, X, y=None):
    import numpy as np

    names = [f"x{j + 1}" for j in range(COLUMNS)] + (["y"] if y is not None else [])
    table = X if y is None else np.column_stack([X, y])
    np.savetxt(path, table, delimiter=",", fmt="%g", header=",".join(names), comments="")


def hardlim(options, *arguments):
    done = subprocess.run([options.hardlim, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{arguments}: {done.stderr}")
    return done.stdout


def models(options, folder, X, y):
    """Models of as many neurons as asked for, or a few more: dense doubles, and integers in the same cells."""
    table, dense, integer = folder / "train.csv", folder / "dense", folder / "integer"
    write_csv(table, X, y)
    low, high = 1e-4, 1.0  # more neurons, and fewer
    for _ in range(14):
        ratio = (low * high) ** 0.5
        flags = ["--method", "sample", "--patterns", 1000, "--weights", "sampled", "--beta-ratio", ratio]
        out = hardlim(options, "train", table, *flags, "-o", dense)
        found = int(re.search(r"(\d+) neurons", out).group(1))
        low, high = (low, ratio) if found < options.neurons else (ratio, high)
        if options.neurons <= found <= options.neurons + 4:
            break
    hardlim(options, "weights", dense, table, "--choice", "integer", "-o", integer)
    return {"dense doubles": dense, "integer": integer}


def ours(options, model, rows):
    """Seconds of one pass over all rows, and the neurons."""
    done = subprocess.run([options.rust, model, rows, "3"], capture_output=True, text=True, check=True)
    number = lambda name: float(re.search(rf"{name} (\S+)", done.stdout).group(1))
    return number("seconds"), int(number("neurons"))


def theirs(forest, X):
    start = time.perf_counter()
    forest.predict(X)
    return time.perf_counter() - start


def in_memory(options, folder, X):
    from sklearn.ensemble import HistGradientBoostingClassifier

    small = labelled(options.samples, 1)
    chosen = models(options, folder, *small)
    forest = HistGradientBoostingClassifier(max_iter=TREES, early_stopping=False).fit(*small)
    rows = folder / "rows.f64"
    X.tofile(rows)
    times = {name: [] for name in ["forest", *chosen]}
    neurons = {}
    theirs(forest, X[:1000])
    for _ in range(options.repeats):
        times["forest"].append(theirs(forest, X))
        for name, model in chosen.items():
            seconds, neurons[name] = ours(options, model, rows)
            times[name].append(seconds)
    rows.unlink()
    print(f"\n{X.shape[0]:,} x {X.shape[1]} rows in memory, {os.cpu_count()} threads, "
          f"median of {options.repeats}:\n")
    print("| what answers | seconds | million rows a second | over scikit-learn |")
    print("|---|---|---|---|")
    base = statistics.median(times["forest"])
    for name, seconds in times.items():
        title = f"HistGradientBoosting, {TREES} trees" if name == "forest" else \
            f"hardlim, {neurons[name]} neurons, {name}"
        median = statistics.median(seconds)
        ratios = [b / s for b, s in zip(times["forest"], seconds)]
        print(f"| {title} | {median:.3g} ({min(seconds):.3g} to {max(seconds):.3g}) "
              f"| {X.shape[0] / median / 1e6:.3g} | {statistics.median(ratios):.1f}x |")
    return chosen["dense doubles"]


def peak(command):
    """Seconds and the most memory, in MiB, of a command."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        raise SystemExit(f"{command}: exit status {status}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def from_files(options, folder, X, model):
    print("\n`hardlim predict MODEL ROWS.csv -o OUT.csv`, text to text:\n")
    print("| rows | MB of CSV | seconds | processor seconds | MB a second | peak MiB |")
    print("|---|---|---|---|---|---|")
    table = folder / "rows.csv"
    for rows in [X.shape[0] // 10, X.shape[0]]:
        write_csv(table, X[:rows])
        megabytes = table.stat().st_size / 1e6
        seconds, mebibytes, processor = peak(
            [options.hardlim, "predict", model, table, "-o", folder / "out.csv"])
        print(f"| {rows:,} | {megabytes:.0f} | {seconds:.2f} | {processor:.2f} "
              f"| {megabytes / seconds:.0f} | {mebibytes:.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--neurons", type=int, default=200, help="of the models, or a few more")
    parser.add_argument("--samples", type=int, default=1000, help="rows that models and trees are trained on")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="100,000 rows, 3 repeats")
    parser.add_argument("--hardlim", default="target/release/hardlim", help="the program")
    parser.add_argument("--rust", default="target/release/examples/predict", help="the example predict")
    options = parser.parse_args()
    if options.quick:
        options.rows, options.repeats = min(options.rows, 100_000), min(options.repeats, 3)
    X = spam_like(options.rows, 2)
    with tempfile.TemporaryDirectory(dir="target") as folder:
        folder = Path(folder)
        model = in_memory(options, folder, X)
        from_files(options, folder, X, model)


if __name__ == "__main__":
    main()
