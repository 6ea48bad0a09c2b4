"""The exported C beside a forest compiled by treelite and tl2cgen: rows a second, one thread each, one run."""

import ctypes
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

ROWS, COLUMNS, TRAINING, REPEATS = 1_000_000, 57, 4601, 5
FLAGS = ["-O3", "-march=native"]  # for both


def table(rows, rng):
    """Like spambase: mostly zeros, heavy tails; the label is a noisy interplay of some columns."""
    x = np.round(rng.gamma(0.3, 2.0, (rows, COLUMNS)) * (rng.random((rows, COLUMNS)) < 0.4), 2)
    score = x[:, :8].sum(1) - x[:, 8:16].sum(1) + 2 * (x[:, 16] > 0.5) * (x[:, 17] > 0.5)
    return x, (score + rng.normal(0, 1, rows) > 0).astype(int)


def median_seconds(work):
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return sorted(times)[REPEATS // 2]


def ours(hardlim, folder, x, y, rows):
    """The exported C in a loop over rows, and the integers of all rows."""
    training, model, small = folder / "training.csv", folder / "m.hardlim", folder / "small.hardlim"
    header = ",".join(f"x{j}" for j in range(COLUMNS)) + ",y"
    np.savetxt(training, np.column_stack([x, y]), "%g", ",", header=header, comments="")
    run = lambda *words: subprocess.run([hardlim, *map(str, words)], check=True, stdout=subprocess.PIPE).stdout
    train = ["train", training, "--task", "classify", "--method", "sample", "--patterns", 3000, "--json", "-o", model]
    neurons = 0
    for ratio in (0.05, 0.04, 0.03, 0.02, 0.015, 0.01):  # until there are about two hundred neurons
        neurons = json.loads(run(*train, "--beta-ratio", ratio))["neurons"]
        if neurons >= 200:
            break
    run("weights", model, training, "--choice", "integer", "-o", small)
    out = folder / "export"
    report = json.loads(run("export", small, "--to", "c", "--data", training, "-o", out, "--name", "net", "--json"))
    (out / "loop.c").write_text(
        '#include "net.h"\n'
        "void all(const net_input *x, long rows, unsigned char *classes)\n"
        "{ for (long i = 0; i < rows; i++) classes[i] = (unsigned char)net_class(x + i * NET_INPUTS); }\n"
    )
    library = out / "net.so"
    subprocess.run(
        ["cc", *FLAGS, "-std=c99", "-shared", "-fPIC", out / "net.c", out / "loop.c", "-o", library], check=True
    )
    call = ctypes.CDLL(str(library)).all
    call.argtypes = [ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p]
    shifts = np.array([2.0 ** i["shift"] for i in report["inputs"]])
    most = report["inputs"][0]["most"]
    kind = next(k for k in (np.int8, np.int16, np.int32) if np.iinfo(k).max >= most)
    start = time.perf_counter()
    scaled = rows * shifts
    integers = np.clip(np.sign(scaled) * np.floor(np.abs(scaled) + 0.5), -most, most).astype(kind)
    print(f"rounding the rows to integers, in NumPy, apart: {time.perf_counter() - start:.2f} s")
    answers = np.empty(len(rows), np.uint8)
    work = lambda: call(integers.ctypes.data, len(rows), answers.ctypes.data)
    return work, f"{neurons} neurons, weights of {report['size']['weight_bits']} bits, inputs of {kind.__name__}"


def forest(folder, x, y, rows):
    """Gradient boosting of 100 trees, compiled."""
    import tl2cgen
    import treelite
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(max_iter=100).fit(x, y)
    library = folder / "forest.so"
    forest = treelite.sklearn.import_model(model)
    tl2cgen.export_lib(forest, toolchain="gcc", libpath=str(library), options=FLAGS, verbose=False)
    predictor = tl2cgen.Predictor(str(library), nthread=1)
    matrix = tl2cgen.DMatrix(rows)
    return lambda: predictor.predict(matrix)


def main():
    hardlim, folder = sys.argv[1], Path(sys.argv[2])
    rng = np.random.default_rng(0)
    x, y = table(TRAINING, rng)
    rows, _ = table(ROWS, rng)
    work, what = ours(hardlim, folder, x, y, rows)
    seconds = median_seconds(work)
    print(f"exported C ({what}): {ROWS / seconds / 1e6:.2f} million rows/s")
    theirs = median_seconds(forest(folder, x, y, rows))
    print(f"tl2cgen, HistGradientBoosting of 100 trees: {ROWS / theirs / 1e6:.2f} million rows/s")
    print(f"ours over theirs: {theirs / seconds:.2f}x")


if __name__ == "__main__":
    main()
