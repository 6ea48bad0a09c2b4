"""Circuits and programs beside those of boosted trees: accuracy on new rows, LUTs, depth, flash."""

import argparse
import csv
import gzip
import json
import os
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from flow import flash, synthesise
from picture import draw
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from trees import Trees

SETS = ["pima", "spambase", "statlog-german", "oocytes-4d", "chess-krvkp", "tic-tac-toe", "mnist"]
FIELDS = [
    "set", "method", "size", "accuracy", "error", "luts_ice40", "depth_ice40", "luts_xilinx7", "depth_xilinx7", "flash"
]  # fmt: skip
# Trees: how many, how deep, bits of features, bits of leaves.
TREES = [(n, d, 4, 4) for d in (2, 3, 5) for n in (3, 10, 30, 100)] + [(n, 3, 8, 4) for n in (10, 30)]
# Networks: the most neurons, bits, and how many inputs a neuron reads.
NETWORKS = [(n, b, i) for b, i in ((4, "1"), (4, None), (6, "1"), (6, None)) for n in (4, 8, 16, 32, 64)]
# Forests of emlearn: how many trees, how deep.
FORESTS = [(3, 4), (10, 4), (10, 6), (30, 6)]


def read(data, name):
    """Features and classes of a table whose last column is the class."""
    if name == "mnist":
        parts = []
        for what, head in (("images-idx3", 16), ("labels-idx1", 8)):
            with gzip.open(data / "mnist01" / f"train-{what}-ubyte.gz") as file:
                parts.append(np.frombuffer(file.read()[head:], np.uint8))
        return parts[0].reshape(len(parts[1]), -1).astype(float), parts[1].astype(int)
    table = np.loadtxt(data / "uci" / f"{name}.csv", delimiter=",", skiprows=1)
    return table[:, :-1], table[:, -1].astype(int)


def write(path, x, y):
    header = ",".join(f"x{j}" for j in range(x.shape[1])) + ",y"
    np.savetxt(path, np.column_stack([x, y]), "%.9g", ",", header=header, comments="")


class Network:
    """`hardlim train --bits`, and its exports."""

    def __init__(self, hardlim, work, neurons, bits, inputs):
        self.hardlim, self.work = hardlim, work
        self.flags = ["--neurons", neurons, "--bits", bits] + (["--inputs", inputs] if inputs else [])

    def run(self, *words):
        return subprocess.run([self.hardlim, *map(str, words)], check=True, capture_output=True, text=True).stdout

    def fit(self, x, y):
        self.table, self.model = self.work / "train.csv", self.work / "net.hardlim"
        write(self.table, x, y)
        self.run("train", self.table, "--task", "classify", *self.flags, "-o", self.model)
        return self

    def predict(self, x):
        write(self.work / "new.csv", x, np.zeros(len(x)))
        lines = self.run("predict", self.model, self.work / "new.csv").splitlines()
        at = lines[0].split(",").index("prediction")
        return np.array([int(float(line.split(",")[at])) for line in lines[1:]])

    def export(self, target):
        folder = self.work / f"export-{target}"
        subprocess.run(["rm", "-rf", folder], check=True)
        self.run("export", self.model, "--to", target, "--data", self.table, "-o", folder, "--name", "net")
        return folder


class Forest:
    """A forest of scikit-learn as the program that emlearn makes of it, which reads `int16_t` and counts votes."""

    def __init__(self, trees, depth):
        self.model = RandomForestClassifier(trees, max_depth=depth, random_state=0)

    def fit(self, x, y):
        import emlearn

        self.low, self.span = x.min(0), np.where(np.ptp(x, axis=0) > 0, np.ptp(x, axis=0), 1)
        self.program = emlearn.convert(self.model.fit(self.codes(x), y), dtype="int16_t", method="inline")
        return self

    def codes(self, x):
        return np.clip(np.rint((x - self.low) / self.span * 32000), -32768, 32767)

    def predict(self, x):
        return self.model.classes_[self.program.predict(self.codes(x))]


def accuracy(make, x, y, folds):
    splits = StratifiedKFold(folds, shuffle=True, random_state=0).split(x, y)
    scores = [np.mean(make().fit(x[train], y[train]).predict(x[test]) == y[test]) for train, test in splits]
    return {"accuracy": round(np.mean(scores), 4), "error": round(np.std(scores, ddof=1) / len(scores) ** 0.5, 4)}


def measure(arguments, name, work):
    """One row for each size of each method; circuits and programs are of all rows."""
    x, y = read(arguments.data, name)
    seconds = arguments.seconds
    for sizes in TREES[:: arguments.every]:
        make = partial(Trees, *sizes)
        path = work / "trees.v"
        path.write_text(make().fit(x, y).verilog("trees"))
        found = accuracy(make, x, y, arguments.folds) | synthesise(path, "trees", seconds)
        yield {
            "set": name,
            "method": "boosted trees",
            "size": "{} trees, depth {}, {} bits, leaves {}".format(*sizes),
        } | found
    for neurons, bits, inputs in NETWORKS[:: arguments.every]:
        make = partial(Network, arguments.hardlim, work, neurons, bits, inputs)
        found = accuracy(make, x, y, arguments.folds)
        network = make().fit(x, y)
        found |= synthesise(network.export("verilog") / "net.v", "net", seconds)
        found["flash"] = flash(work, network.export("c") / "net.c", "net_class")
        size = f"{neurons} neurons, {bits} bits, {'one input' if inputs else 'any inputs'}"
        yield {"set": name, "method": "hardlim", "size": size} | found
    try:
        import emlearn
    except ImportError:
        print("emlearn is not installed: no forests", flush=True)
        return
    for trees, depth in FORESTS[:: arguments.every]:
        make = partial(Forest, trees, depth)
        found = accuracy(make, x, y, arguments.folds)
        source = work / "forest.c"
        source.write_text(make().fit(x, y).program.save(name="forest", format="c"))
        found["flash"] = flash(work, source, "forest_predict", f"-I{emlearn.includedir}")
        yield {"set": name, "method": "emlearn forest", "size": f"{trees} trees, depth {depth}"} | found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of the data sets, as for hardlim reproduce table --data")
    parser.add_argument("--hardlim", type=Path, default=Path("target/release/hardlim"))
    parser.add_argument("--sets", nargs="*", default=SETS, help="which sets")
    parser.add_argument("--folds", type=int, default=5, help="folds for the accuracy")
    parser.add_argument("--seconds", type=int, default=300, help="the longest synthesis")
    parser.add_argument("--every", type=int, default=1, help="only every so many sizes, to try it out")
    parser.add_argument("--output", type=Path, default=Path("target/circuits"), help="where the CSV and the picture go")
    arguments = parser.parse_args()
    arguments.hardlim, arguments.data = arguments.hardlim.resolve(), arguments.data.resolve()
    arguments.output = arguments.output.resolve()
    arguments.output.mkdir(parents=True, exist_ok=True)
    rows = []
    with open(arguments.output / "circuits.csv", "w", newline="") as file, tempfile.TemporaryDirectory() as work:
        os.chdir(work)  # emlearn compiles in the folder that it is called from
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        for name in arguments.sets:
            for row in measure(arguments, name, Path(work)):
                rows.append(row)
                writer.writerow(row)
                file.flush()
                print(json.dumps(row), flush=True)
        os.chdir(arguments.output)
    draw(arguments.output / "circuits.svg", rows)


if __name__ == "__main__":
    main()
