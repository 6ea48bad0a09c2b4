"""Convex-Lasso on all thirteen sets with seven strengths, beside the authors' way on one set with one strength.

Ours is timed by the example `strengths`; theirs is the same matrix of spambase through cvxpy and Clarabel.
"""

import csv
import subprocess
import sys
import time
from pathlib import Path

import cvxpy
import numpy as np

BETA = 0.1


def main():
    engine, data, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    printed = subprocess.run([engine, data, folder], check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(printed.splitlines()))
    print("| set | n | d | patterns | drawing, s | seven strengths, s | worst gap over the loss of zero |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row.values()) + " |")
    drawing, solving = (sum(float(row[key]) for row in rows) for key in ("draw_seconds", "solve_seconds"))
    print(f"\nall {len(rows)} sets, seven strengths: {drawing:.2f} s of drawing, {solving:.2f} s of solving")

    y = np.fromfile(folder / "targets.bin")
    d = np.fromfile(folder / "matrix.bin", np.uint8).reshape(len(y), -1).astype(float)
    start = time.perf_counter()
    w = cvxpy.Variable(d.shape[1])
    loss = cvxpy.sum_squares(d @ w - y) / 2 + BETA * cvxpy.norm1(w)
    problem = cvxpy.Problem(cvxpy.Minimize(loss))
    problem.solve(solver=cvxpy.CLARABEL)
    theirs = time.perf_counter() - start
    print(f"cvxpy and Clarabel, spambase alone at beta {BETA}: {theirs:.2f} s ({problem.status})")
    print(
        f"theirs over ours: {theirs / (drawing + solving):.2f}x with drawing, {theirs / solving:.2f}x of solving alone"
    )


if __name__ == "__main__":
    main()
