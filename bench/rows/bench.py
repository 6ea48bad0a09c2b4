"""More rows than memory: hardlim by blocks, SGDClassifier and LightGBM on the same rows.

A tenth of the rows stays in memory, for comparison. Nanoseconds are for a row and a pattern. Every method runs in a process of its own, whose peak memory is what the system says about it.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

NEURONS = 20
PART = 250_000


def write(path, rows, features, seed):
    """Gaussian rows labelled by sgn(tanh(XW)v), part by part."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    teacher = np.random.default_rng(0)
    w, v = teacher.standard_normal((features, NEURONS)), teacher.standard_normal(NEURONS)
    rng = np.random.default_rng(seed)
    writer = None
    for start in range(0, rows, PART):
        x = rng.standard_normal((min(PART, rows - start), features))
        y = np.where(np.tanh(x @ w) @ v >= 0, 1, -1)
        columns = {f"x{j + 1}": x[:, j] for j in range(features)} | {"y": y}
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, table.schema, compression="snappy")
        writer.write_table(table)
    writer.close()


def parts(path):
    import pyarrow.parquet as pq

    for batch in pq.ParquetFile(path).iter_batches(PART):
        table = np.column_stack([column.to_numpy() for column in batch.columns])
        yield table[:, :-1], table[:, -1]


def sgd(train, test):
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(loss="log_loss", random_state=0)
    for _ in range(3):
        for x, y in parts(train):
            model.partial_fit(x, y, classes=[-1, 1])
    return score(model.predict, test)


def lightgbm(train, test):
    import lightgbm

    class Rows(lightgbm.Sequence):
        """The rows of the file, copied once to a file of doubles that is mapped."""

        batch_size = PART

        def __init__(self, values):
            self.values = values

        def __getitem__(self, index):
            return np.array(self.values[index])

        def __len__(self):
            return len(self.values)

    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        labels, shape, file = [], None, Path(folder) / "x"
        with open(file, "wb") as out:
            for x, y in parts(train):
                out.write(np.ascontiguousarray(x).tobytes())
                labels.append(y)
                shape = x.shape[1]
        labels = np.concatenate(labels)
        values = np.memmap(file, dtype=np.float64, mode="r", shape=(len(labels), shape))
        data = lightgbm.Dataset(Rows(values), label=(labels > 0).astype(np.int8))
        options = {"objective": "binary", "verbose": -1, "num_threads": os.cpu_count()}
        model = lightgbm.train(options, data, num_boost_round=100)
    return score(lambda x: np.where(model.predict(x) > 0.5, 1, -1), test)


def score(predict, test):
    right = [(predict(x) == y).mean() for x, y in parts(test)]
    return float(np.mean(right))


def measured(command):
    """What a process prints, how long it takes, its time on all cores, and its peak memory in bytes."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(map(str, command))} failed")
    cores = usage.ru_utime + usage.ru_stime
    return text, time.monotonic() - start, cores, usage.ru_maxrss * 1024


def main():
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--hardlim", default="target/release/hardlim")
    flags.add_argument("--rows", type=int, default=10_000_000)
    flags.add_argument("--features", type=int, default=20)
    flags.add_argument("--patterns", type=int, default=2000)
    flags.add_argument("--memory", default="1GiB")
    flags.add_argument("--methods", default="tenth,hardlim,sgd,lightgbm")
    flags.add_argument("--folder", type=Path, default=Path("target/rows"))
    flags.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    args = flags.parse_args()
    if args.one:
        method, train, test = args.one
        print(json.dumps({"accuracy": {"sgd": sgd, "lightgbm": lightgbm}[method](train, test)}))
        return
    args.folder.mkdir(parents=True, exist_ok=True)

    def table(rows, seed):
        path = args.folder / f"{rows}-{args.features}-{seed}.parquet"
        if not path.exists():
            draft = path.with_suffix(".draft")
            write(draft, rows, args.features, seed)
            draft.rename(path)
        return path

    train, test, tenth = table(args.rows, 1), table(200_000, 2), table(args.rows // 10, 3)
    rows, numbers = [], {}
    for method in args.methods.split(","):
        data = tenth if method == "tenth" else train
        n = args.rows // 10 if method == "tenth" else args.rows
        if method in ("tenth", "hardlim"):
            model = args.folder / f"{method}.hardlim"
            # A tenth of the rows has all the memory that it wants.
            memory = "1TiB" if method == "tenth" else args.memory
            command = [args.hardlim, "train", data, "--memory", memory, "--json", "-o", model]
            command += ["--patterns", str(args.patterns)]
            text, seconds, cores, peak = measured([str(word) for word in command])
            told = json.loads(text)
            gap, passes, spent = told["certificate"]["relative_gap"], told["passes"], told["seconds_of"]
            each = n * told["patterns"] / 1e9
            pieces = {
                "reading us a row": f"{1e6 * spent['reading'] / n:.2f}",
                "answering ns": f"{spent['answering'] / each:.3f}",
                "passes": passes,
                "pass ns": f"{spent['passes'] / (passes * each):.3f}",
            }
            evaluate = [args.hardlim, "evaluate", model, test, "--memory", "1GiB", "--json"]
            scores = subprocess.check_output(evaluate)
            accuracy = json.loads(scores)["accuracy"]
        else:
            command = [sys.executable, __file__, "--one", method, str(data), str(test)]
            text, seconds, cores, peak = measured(command)
            accuracy, gap = json.loads(text)["accuracy"], None
            pieces = dict.fromkeys(("reading us a row", "answering ns", "passes", "pass ns"), "")
        rows.append(
            {
                "method": method,
                "rows": n,
                "accuracy": f"{accuracy:.4f}",
                "gap": "" if gap is None else f"{gap:.1e}",
                "seconds": f"{seconds:.1f}",
                "core seconds": f"{cores:.1f}",
                "microseconds a row": f"{1e6 * seconds / n:.1f}",
                "peak GiB": f"{peak / 2**30:.2f}",
                **pieces,
            }
        )
        numbers[method] = (seconds / n, cores / n, peak)
        print(rows[-1], flush=True)
    with open(args.folder / "rows.csv", "w", newline="") as file:
        out = csv.DictWriter(file, rows[0])
        out.writeheader()
        out.writerows(rows)
    if {"tenth", "hardlim"} <= numbers.keys():
        (rate, core_rate, _), (by_blocks, cores, peak) = numbers["tenth"], numbers["hardlim"]
        print(f"by blocks: {by_blocks / rate:.2f} times the time a row of a tenth in memory; at most 2 is wanted")
        print(f"by blocks: {cores / core_rate:.2f} times the time on all cores")
        print(f"by blocks: {peak / 2**30:.2f} GiB at the peak; --memory {args.memory} and a fifth are wanted")


if __name__ == "__main__":
    main()
