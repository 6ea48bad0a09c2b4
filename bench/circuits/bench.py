"""Circuits and programs beside those of boosted trees: accuracy on new rows, LUTs, depth, flash."""

import argparse
import csv
import gzip
import hashlib
import json
import os
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from flow import FAMILIES, flash, synthesise
from picture import draw
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, train_test_split
from trees import Trees

SETS = ["pima", "spambase", "statlog-german", "oocytes-4d", "chess-krvkp", "tic-tac-toe", "mnist"]
FIELDS = [
    "set", "method", "size", "accuracy", "error", "luts_ice40", "depth_ice40", "luts_xilinx7", "depth_xilinx7", "flash"
]  # fmt: skip
# Trees: how many, how deep, bits of features, bits of leaves.
TREES = [(n, d, f, b) for f, b in ((4, 3), (8, 4)) for d in (1, 2, 3, 5) for n in (3, 10, 30, 100)]
# Networks: the most neurons, bits, how many inputs a neuron reads, bits of output weights.
NETWORKS = [
    (n, b, i, o)
    for b, i in ((4, "1"), (3, "1"), (2, "1,2"), (4, "1,2,3"))
    for n in (6, 12, 24, 48, 96)
    for o in (2, 3, 4, 6)
]
# Forests of emlearn: how many trees, how deep.
FORESTS = [(n, d) for d in (2, 3, 4, 6) for n in (1, 3, 10, 30)]


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
    """`hardlim train --bits` and `hardlim export --output-bits`. The model is the one that was exported."""

    def __init__(self, hardlim, work, neurons, bits, inputs, output_bits):
        self.hardlim, self.work, self.output_bits = hardlim, work, output_bits
        self.flags = ["--neurons", neurons, "--bits", bits, "--inputs", inputs]

    def run(self, *words):
        return subprocess.run([self.hardlim, *map(str, words)], check=True, capture_output=True, text=True).stdout

    def fit(self, x, y):
        # The same network has several widths of output weights.
        key = hashlib.sha256(x.tobytes() + y.tobytes() + repr(self.flags).encode()).hexdigest()[:16]
        self.table, self.trained = self.work / f"{key}.csv", self.work / f"{key}.hardlim"
        if not self.trained.exists():
            write(self.table, x, y)
            self.run("train", self.table, "--task", "classify", *self.flags, "-o", self.trained)
        self.circuit = self.export("verilog")
        return self

    def predict(self, x):
        write(self.work / "new.csv", x, np.zeros(len(x)))
        lines = self.run("predict", self.circuit / "net.hardlim", self.work / "new.csv").splitlines()
        at = lines[0].split(",").index("prediction")
        return np.array([int(float(line.split(",")[at])) for line in lines[1:]])

    def export(self, target):
        folder = self.work / f"export-{target}"
        subprocess.run(["rm", "-rf", folder], check=True)
        how = ["--data", self.table, "--name", "net", "--output-bits", self.output_bits]
        self.run("export", self.trained, "--to", target, *how, "-o", folder)
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


def rows(arguments, name):
    """Features and classes of a set; of a large one, some rows with the shares of its classes."""
    x, y = read(arguments.data, name)
    if len(y) <= arguments.rows:
        return x, y
    kept, _ = train_test_split(np.arange(len(y)), train_size=arguments.rows, stratify=y, random_state=0)
    return x[kept], y[kept]


def trees(arguments, work, x, y, sizes):
    make, path = partial(Trees, *sizes), work / "trees.v"
    path.write_text(make().fit(x, y).verilog("trees"))
    return accuracy(make, x, y, arguments.folds) | synthesise(path, "trees", arguments)


def network(arguments, work, x, y, sizes):
    make = partial(Network, arguments.hardlim, work, *sizes)
    found = accuracy(make, x, y, arguments.folds)
    fitted = make().fit(x, y)
    found |= synthesise(fitted.circuit / "net.v", "net", arguments, unread="sum")
    found["flash"] = flash(work, fitted.export("c") / "net.c", "net_class")
    return found


def forest(arguments, work, x, y, sizes):
    import emlearn

    make, source = partial(Forest, *sizes), work / "forest.c"
    found = accuracy(make, x, y, arguments.folds)
    source.write_text(make().fit(x, y).program.save(name="forest", format="c"))
    found["flash"] = flash(work, source, "forest_predict", f"-I{emlearn.includedir}")
    return found


METHODS = {
    "boosted trees": (trees, TREES, "{} trees, depth {}, {} bits, leaves {}"),
    "emlearn forest": (forest, FORESTS, "{} trees, depth {}"),
    "hardlim": (network, NETWORKS, "{} neurons, {} bits, inputs {}, outputs {}"),
}


def measure(arguments, work, done):
    """One row for each size of each method that is not done; circuits and programs are of all rows."""
    for name in arguments.sets:
        x, y = rows(arguments, name)
        for method in arguments.methods:
            one, sizes, words = METHODS[method]
            for size in sizes[:: arguments.every]:
                row = {"set": name, "method": method, "size": words.format(*size)}
                if tuple(row.values()) not in done:
                    yield row | one(arguments, work, x, y, size)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of the data sets, as for hardlim reproduce table --data")
    parser.add_argument("--hardlim", type=Path, default=Path("target/release/hardlim"))
    parser.add_argument("--sets", nargs="*", default=SETS, help="which sets")
    parser.add_argument("--rows", type=int, default=2000, help="the most rows of a set; others are not drawn")
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=METHODS, help="which methods")
    parser.add_argument("--families", nargs="*", default=list(FAMILIES), choices=FAMILIES, help="which FPGAs")
    parser.add_argument("--folds", type=int, default=5, help="folds for the accuracy")
    parser.add_argument("--seconds", type=int, default=300, help="the longest synthesis")
    parser.add_argument("--every", type=int, default=1, help="only every so many sizes, to try it out")
    parser.add_argument("--output", type=Path, default=Path("target/circuits"), help="where the CSV and the picture go")
    arguments = parser.parse_args()
    arguments.hardlim, arguments.data = arguments.hardlim.resolve(), arguments.data.resolve()
    arguments.output = arguments.output.resolve()
    arguments.output.mkdir(parents=True, exist_ok=True)
    path = arguments.output / "circuits.csv"
    if not path.exists():
        path.write_text(",".join(FIELDS) + "\n")
    with open(path, newline="") as file:
        done = list(csv.DictReader(file))
    before = {(row["set"], row["method"], row["size"]) for row in done}
    with open(path, "a", newline="") as file, tempfile.TemporaryDirectory() as work:
        os.chdir(work)  # emlearn compiles in the folder that it is called from
        writer = csv.DictWriter(file, FIELDS)
        for row in measure(arguments, Path(work), before):
            writer.writerow(row)
            file.flush()
            print(json.dumps(row), flush=True)
        os.chdir(arguments.output)
    with open(path, newline="") as file:
        draw(arguments.output / "circuits.svg", list(csv.DictReader(file)))


if __name__ == "__main__":
    main()
