"""Rows answered per second, in ratios within one run: rows in memory on both sides, all threads."""

import argparse
import os
import re
import statistics
import subprocess
import sys
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
        flags = ["--method", "sample", "--patterns", 1000, "--beta-ratio", ratio]
        out = hardlim(options, "train", table, *flags, "--weights", "sampled", "-o", dense)
        found = int(re.search(r"(\d+) neurons", out).group(1))
        low, high = (low, ratio) if found < options.neurons else (ratio, high)
        if options.neurons <= found <= options.neurons + 4:
            break
    hardlim(options, "train", table, *flags, "--weights", "integer", "-o", integer)
    return {"dense doubles": dense, "integer": integer}


def ours(options, model, rows):
    """Seconds and processor seconds of one pass over all rows, and the neurons."""
    done = subprocess.run([options.rust, "predict", model, rows, "3"], capture_output=True, text=True, check=True)
    words = done.stdout.split()
    numbers = {name: float(value) for name, value in zip(words[::2], words[1::2])}
    return numbers["seconds"], numbers["processor"], int(numbers["neurons"])


def theirs(forest, X):
    start, processor = time.perf_counter(), time.process_time()
    forest.predict(X)
    return time.perf_counter() - start, time.process_time() - processor


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
            seconds, processor, neurons[name] = ours(options, model, rows)
            times[name].append((seconds, processor))
    rows.unlink()
    print(f"\n{X.shape[0]:,} x {X.shape[1]} rows in memory, {os.cpu_count()} threads, median of {options.repeats}:\n")
    print("| what answers | seconds | processor seconds | over scikit-learn, time and processor time |")
    print("|---|---|---|---|")
    for name, measured in times.items():
        title = (
            f"HistGradientBoosting, {TREES} trees" if name == "forest" else f"hardlim, {neurons[name]} neurons, {name}"
        )
        medians = [statistics.median(one) for one in zip(*measured)]
        ratios = [statistics.median(b[k] / s[k] for b, s in zip(times["forest"], measured)) for k in (0, 1)]
        print(f"| {title} | {medians[0]:.3g} | {medians[1]:.3g} | {ratios[0]:.1f}x, {ratios[1]:.1f}x |")
    return chosen["dense doubles"]


def peak(command):
    """Seconds, the most memory in MiB, and processor seconds of a command."""
    # Asked by a small process: what a child had before it became the command counts for it.
    code = (
        "import resource, subprocess, sys, time\n"
        "start = time.perf_counter(); subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "seconds = time.perf_counter() - start; used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(seconds, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime)"
    )
    arguments = [sys.executable, "-c", code, *map(str, command)]
    done = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True)
    return map(float, done.stdout.split())


def from_files(options, folder, X, model):
    print("\n`hardlim predict MODEL ROWS.csv -o OUT.csv`, text to text:\n")
    print("| rows | MB of CSV | seconds | processor seconds | MB a second | peak MiB |")
    print("|---|---|---|---|---|---|")
    table = folder / "rows.csv"
    tenth = X.shape[0] // 10
    write_csv(table, X[:tenth])
    text = table.read_bytes()
    for times in [1, 10]:
        rows = times * tenth
        with open(table, "wb") as file:
            file.write(text)
            for _ in range(times - 1):
                file.write(text[text.index(b"\n") + 1 :])
        megabytes = table.stat().st_size / 1e6
        seconds, mebibytes, processor = peak([options.hardlim, "predict", model, table, "-o", folder / "out.csv"])
        print(
            f"| {rows:,} | {megabytes:.0f} | {seconds:.2f} | {processor:.2f} "
            f"| {megabytes / seconds:.0f} | {mebibytes:.0f} |"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--neurons", type=int, default=200, help="of the models, or a few more")
    parser.add_argument("--samples", type=int, default=1000, help="rows that models and trees are trained on")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="100,000 rows, 3 repeats")
    parser.add_argument("--hardlim", default="target/release/hardlim", help="the program")
    parser.add_argument("--rust", required=True, help="the program stopwatch")
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
