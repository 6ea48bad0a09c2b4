"""Networks: `hardlim train --bits --weight-bits --neurons --output-bits`, then `hardlim export`."""

import itertools
import re
import shutil
import subprocess

import numpy as np

# How neurons of few inputs are found: drawn, or searched for to the optimum. Bits of inputs, the most neurons, bits of
# output weights.
SIZES = [
    (how, k, b, n, o)
    for how, k, b, neurons, outputs in (
        ("--inputs", "1", 4, (3, 6, 12, 24, 48), (2, 3, 4)),
        ("--inputs", "1,2", 3, (6, 12, 24, 48), (2, 3)),
        ("--max-inputs", "2", 2, (1, 2, 4, 8, 12, 16, 24, 32), (2, 3)),
        ("--max-inputs", "3", 2, (4, 6, 8, 12), (2, 3)),
    )
    for n in neurons
    for o in outputs
]
WORDS = "{} {} --bits {} --neurons {} --output-bits {}"
# The bits of weights: neurons of few bits become tables, whatever their weights.
WEIGHT_BITS = 4
# A size that takes longer to train, in seconds, or that is refused for its memory, is left out with what follows on its line.
LONGEST = 100
PROGRAM, FUNCTION, FLAGS = "net.c", "net_class", []


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

    def export(self, target, folder=None):
        folder = folder or self.family.folder()
        how = ["--data", self.table, "--name", "net", "--output-bits", self.output_bits]
        self.family.run("export", self.trained, "--to", target, *how, "-o", folder)
        return folder


class Family:
    """All sizes."""

    def __init__(self, arguments, work):
        self.hardlim, self.work, self.count, self.slow = arguments.hardlim, work, itertools.count(), set()

    def folder(self):
        """A new folder for an export."""
        return self.work / f"export-{next(self.count)}"

    def run(self, *words):
        how = {"check": True, "capture_output": True, "text": True, "timeout": LONGEST if words[0] == "train" else None}
        return subprocess.run([self.hardlim, *map(str, words)], **how).stdout

    def fit(self, x, y, key, size):
        """The model of a size; none if it is left out."""
        how, inputs, bits, neurons, output_bits = size
        if size[:3] in self.slow:
            return None
        table, model = self.work / f"{key}.csv", self.work / f"{next(self.count)}.hardlim"
        if not table.exists():
            write(table, x, y)
        flags = ["--task", "classify", "--cv", 3, how, inputs, "--bits", bits, "--weight-bits", WEIGHT_BITS]
        flags += ["--neurons", neurons, "--output-bits", output_bits]
        if how == "--inputs":
            flags += ["--average", 1]  # few neurons are left anyway
        try:
            self.run("train", table, *flags, "-o", model)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as problem:
            told = problem.stderr if isinstance(problem, subprocess.CalledProcessError) else "too slow"
            if told != "too slow" and "GiB" not in told:
                raise
            print(f"left out: {how} {inputs} --bits {bits}: {told.strip()}", flush=True)
            self.slow.add(size[:3])
            return None
        return Model(self, model, table, output_bits)

    def verilog(self, model):
        return (model.circuit / "net.v").read_text()

    def program(self, model, folder):
        shutil.rmtree(folder, ignore_errors=True)
        self.exported = model.export("c", folder)

    def read(self, model, x):
        """What the program reads of the first rows: its test vectors hold them first, each with a sum and the class."""
        header = (self.exported / "net.h").read_text()
        inputs, size = (
            int(re.search(rf"define NET_{name} (\d+)", header).group(1)) for name in ("INPUTS", "INPUT_BYTES")
        )
        vectors, width = (self.exported / "net_vectors.bin").read_bytes(), inputs * size
        return [list(vectors[k * (width + 12) :][:width]) for k in range(len(x))]
