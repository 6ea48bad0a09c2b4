"""Circuits and programs beside those of boosted trees and forests: accuracy on new rows, LUTs, depth, flash, instructions.

The same for everybody:

- Every method sees the same rows, the same folds and the same seed. Of a large set some rows are drawn.
- The sizes of every method are a grid (SIZES in trees.py, forest.py and network.py), the same for all sets.
- A network that takes longer than 100 seconds to train, or does not fit into memory, is left out with what follows on its
  line of the grid, and this is told.
- Accuracy is of cross-validation, and of the answers that the circuit or the program gives, after all rounding.
- The circuit and the program that are counted are those of all rows.
- A circuit is not synthesised if one with two thirds of its source is at least as accurate.
- Trees are written twice: with comparisons and a tree of adders, as TreeLUT writes them, and with the tables and columns
  of full adders that hardlim writes, because Yosys makes smaller circuits of these.
- compare.py says how curves are compared.
"""

import argparse
import csv
import gzip
import json
import os
import tempfile
from functools import partial
from pathlib import Path

import compare
import flow
import forest
import network
import numpy as np
import trees
from picture import draw
from sklearn.model_selection import StratifiedKFold, train_test_split

SETS = ["pima", "spambase", "statlog-german", "oocytes-4d", "chess-krvkp", "tic-tac-toe", "mnist"]
METHODS = {"boosted trees": trees, "emlearn forest": forest, "hardlim": network}
MEASURED = ["set", "method", "size", "accuracy", "error", "flash", "source"]
COUNTED = ["set", "method", "size", "luts_ice40", "depth_ice40"]
# How many rows the emulated programs answer.
EMULATED = 16


def read(data, name):
    """Features and classes of a table whose last column is the class; of mnist, the digits 0 and 1."""
    if name == "mnist":
        parts = []
        for what, head in (("images-idx3", 16), ("labels-idx1", 8)):
            with gzip.open(data / "mnist01" / f"train-{what}-ubyte.gz") as file:
                parts.append(np.frombuffer(file.read()[head:], np.uint8))
        return parts[0].reshape(len(parts[1]), -1).astype(float), parts[1].astype(int)
    table = np.loadtxt(data / "uci" / f"{name}.csv", delimiter=",", skiprows=1)
    return table[:, :-1], table[:, -1].astype(int)


def rows(arguments, name):
    """Features and classes of a set; of a large one, some rows with the shares of its classes."""
    x, y = read(arguments.data, name)
    if len(y) > arguments.rows:
        kept, _ = train_test_split(np.arange(len(y)), train_size=arguments.rows, stratify=y, random_state=0)
        x, y = x[kept], y[kept]
    return x[:, np.ptp(x, axis=0) > 0], y


def measure(arguments, name, method, done):
    """Accuracy and flash of all sizes, and the sources of their circuits."""
    module = METHODS[method]
    words = [module.WORDS.format(*size) for size in module.SIZES]
    wanted = [(size, word) for size, word in zip(module.SIZES, words) if (name, method, word) not in done]
    if not wanted:
        return
    x, y = rows(arguments, name)
    folds = StratifiedKFold(arguments.folds, shuffle=True, random_state=arguments.seed)
    splits = list(folds.split(x, y))
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)  # emlearn compiles in the folder that it is called from
        family = module.Family(arguments, Path(work))
        for size, word in wanted:
            fitted = [family.fit(x[train], y[train], k, size) for k, (train, _) in enumerate(splits)]
            whole = family.fit(x, y, "all", size)
            if None in [*fitted, whole]:
                continue
            scores = [np.mean(one.predict(x[test]) == y[test]) for one, (_, test) in zip(fitted, splits)]
            row = {"set": name, "method": method, "size": word}
            row["accuracy"] = round(np.mean(scores), 4)
            row["error"] = round(np.std(scores, ddof=1) / len(scores) ** 0.5, 4)
            if method != "boosted trees":
                at = folder(arguments, row)
                family.program(whole, at)
                (at / "rows.json").write_text(json.dumps(family.read(whole, x[:EMULATED])))
                row["flash"] = flow.flash(Path(work), at / module.PROGRAM, module.FUNCTION, *module.FLAGS)
            for which, one in [*enumerate(fitted), ("all", whole)]:
                if text := family.verilog(one):
                    source(arguments, row, which).write_text(text)
                    row["source"] = len(text)
            if method == "boosted trees":
                source(arguments, row, "like ours").write_text(family.verilog(whole, like_ours=True))
            yield row
        os.chdir(arguments.output)


def promising(rows):
    """Those rows of a set and method that no row with two thirds of the source equals in accuracy."""
    points = [(int(row["source"]), float(row["accuracy"])) for row in rows]
    beaten = [any(3 * s <= 2 * source and a >= accuracy for s, a in points) for source, accuracy in points]
    return [row for row, beaten in zip(rows, beaten) if not beaten]


def count(arguments, measured, done):
    """LUTs and depth of the circuits that are worth it."""
    for name in arguments.sets:
        for method in arguments.methods:
            own = [row for row in measured if (row["set"], row["method"]) == (name, method) and row["source"]]
            for row in promising(own):
                key = {field: row[field] for field in ("set", "method", "size")}
                if tuple(key.values()) not in done:
                    yield key | synthesised(arguments, row, "ice40")


def source(arguments, row, which):
    """The circuit of a fold, or of all rows."""
    return arguments.sources / f"{row['set']}, {row['method']}, {row['size']}, {which}.v"


def folder(arguments, row):
    """Where the program of all rows is."""
    return arguments.sources / f"{row['set']}, {row['method']}, {row['size']}"


def instructions(arguments, row):
    """Instructions for a row on a Cortex-M0."""
    at, module = folder(arguments, row), METHODS[row["method"]]
    rows = json.loads((at / "rows.json").read_text())
    return flow.instructions(at / module.PROGRAM, module.FUNCTION, rows, *module.FLAGS)


def synthesised(arguments, row, family, which="all"):
    module, unread = ("net", "sum") if row["method"] == "hardlim" else ("trees", None)
    return flow.synthesise(source(arguments, row, which), module, family, arguments.seconds, unread)


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def extend(path, fields, more):
    """Adds rows to a table as they come; `more` gets the keys of those that are there."""
    if not path.exists():
        path.write_text(",".join(fields) + "\n")
    done = {(row["set"], row["method"], row["size"]) for row in table(path)}
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, fields)
        for row in more(done):
            writer.writerow(row)
            file.flush()
            print(
                ", ".join(f"{k} {v}" if k not in ("set", "method", "size") else v for k, v in row.items()), flush=True
            )
    return table(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the data sets, as for hardlim reproduce table --data")
    parser.add_argument("--hardlim", type=Path, default=Path("target/release/hardlim"))
    parser.add_argument("--sets", nargs="*", default=SETS, help="which sets")
    parser.add_argument("--rows", type=int, default=1500, help="the most rows of a set; others are not drawn")
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=METHODS, help="which methods")
    parser.add_argument("--folds", type=int, default=3, help="folds for the accuracy")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the folds")
    parser.add_argument("--seconds", type=int, default=120, help="the longest synthesis")
    parser.add_argument("--output", type=Path, default=Path("target/circuits"), help="where tables and picture go")
    arguments = parser.parse_args()
    arguments.hardlim, arguments.data = arguments.hardlim.resolve(), arguments.data.resolve()
    arguments.output = arguments.output.resolve()
    arguments.sources = arguments.output / "sources"
    arguments.sources.mkdir(parents=True, exist_ok=True)
    for name in arguments.sets:
        for method in arguments.methods:
            more = partial(measure, arguments, name, method)
            measured = extend(arguments.output / "measured.csv", MEASURED, more)
        counted = extend(arguments.output / "counted.csv", COUNTED, partial(count, arguments, measured))
    counts = {(row["set"], row["method"], row["size"]): row for row in counted}
    all_rows = [row | counts.get((row["set"], row["method"], row["size"]), {}) for row in measured]
    text = compare.table(all_rows, partial(synthesised, arguments), partial(instructions, arguments), arguments.folds)
    (arguments.output / "compared.md").write_text(text)
    print(text)
    draw(arguments.output / "circuits.svg", all_rows)


if __name__ == "__main__":
    main()
