"""Networks: `hardlim train --bits --neurons` and `hardlim export --output-bits`."""

import itertools
import subprocess

import numpy as np

# How neurons of few inputs are found: drawn, or searched for to the optimum. Bits of inputs, the most neurons, bits of
# output weights.
SIZES = [
    (how, k, b, n, o)
    for how, k, b, neurons in (
        ("--inputs", "1", 4, (6, 12, 24, 48)),
        ("--inputs", "1,2", 3, (6, 12, 24, 48)),
        ("--max-inputs", "2", 2, (8, 16, 32)),
    )
    for n in neurons
    for o in (2, 3)
]
WORDS = "{} {} --bits {} --neurons {} --output-bits {}"
FLAGS = ["--task", "classify", "--cv", 3]


def write(path, x, y):
    header = ",".join(f"x{j}" for j in range(x.shape[1])) + ",y"
    np.savetxt(path, np.column_stack([x, y]), "%.9g", ",", header=header, comments="")


class Model:
    """The model file of the export: its answers are those of the circuit and of the program."""

    def __init__(self, family, trained, table, output_bits):
        self.family, self.trained, self.table, self.output_bits = family, trained, table, output_bits
        self.circuit = self.export("verilog")

    def predict(self, x):
        new = self.family.work / "new.csv"
        write(new, x, np.zeros(len(x)))
        lines = self.family.run("predict", self.circuit / "net.hardlim", new).splitlines()
        at = lines[0].split(",").index("prediction")
        return np.array([int(float(line.split(",")[at])) for line in lines[1:]])

    def export(self, target):
        folder = self.family.folder()
        how = ["--data", self.table, "--name", "net", "--output-bits", self.output_bits]
        self.family.run("export", self.trained, "--to", target, *how, "-o", folder)
        return folder


class Family:
    """All sizes, trained once for all bits of output weights."""

    def __init__(self, arguments, work):
        self.hardlim, self.work, self.trained, self.count = arguments.hardlim, work, {}, itertools.count()

    def folder(self):
        """A new folder for an export."""
        return self.work / f"export-{next(self.count)}"

    def run(self, *words):
        return subprocess.run([self.hardlim, *map(str, words)], check=True, capture_output=True, text=True).stdout

    def fit(self, x, y, key, size):
        how, inputs, bits, neurons, output_bits = size
        table, model = self.work / f"{key}.csv", self.work / f"{key}-{len(self.trained)}.hardlim"
        if not table.exists():
            write(table, x, y)
        if (key, size[:4]) not in self.trained:
            flags = [*FLAGS, how, inputs, "--bits", bits, "--neurons", neurons]
            if how == "--inputs":
                flags += ["--average", 1]  # few neurons are left anyway
            self.run("train", table, *flags, "-o", model)
            self.trained[key, size[:4]] = model
        return Model(self, self.trained[key, size[:4]], table, output_bits)

    def verilog(self, model):
        return (model.circuit / "net.v").read_text()

    def program(self, model):
        return model.export("c") / "net.c", "net_class", []
