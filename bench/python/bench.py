"""What Python costs on top of Rust, in ratios within one run."""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

PATTERNS = 1000


def spam_like(rows=4601, columns=57, seed=0):
    """Skewed positive numbers, many of them zero, with labels of a noisy linear rule."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.exponential(size=(rows, columns)) * (rng.random((rows, columns)) < 0.3), 2)
    score = X @ rng.normal(size=columns) + rng.normal(size=rows)
    return X, (score > np.median(score)).astype(int)


def read(path):
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    if np.isnan(table).any():
        table = np.genfromtxt(path, delimiter=",")
    return table[:, :-1], table[:, -1].astype(int)


def fit(X, y):
    from hardlim import ThresholdClassifier

    start = time.perf_counter()
    model = ThresholdClassifier(method="sample", patterns=PATTERNS).fit(X, y)
    return time.perf_counter() - start, model


def rust(path, source):
    """Objective and seconds of the same training in Rust, from a matrix to a model."""
    done = subprocess.run([path, "fit", source, str(PATTERNS), "1"], capture_output=True, text=True, check=True)
    words = done.stdout.split()
    return float(words[3]), float(words[1])


def overhead(options, X, y):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "table.csv"
        np.savetxt(source, np.column_stack([X, y]), delimiter=",", fmt="%.17g")
        fit(X, y)
        pairs = [(fit(X, y), rust(options.rust, source)) for _ in range(options.repeats)]
    python = statistics.median(seconds for (seconds, _), _ in pairs)
    plain = statistics.median(seconds for _, (seconds, _) in pairs)
    (_, model), (_, objective) = pairs[0]
    assert model.objective_ == objective, "the same network, to the last bit"
    print(
        f"fit, {X.shape[0]} x {X.shape[1]}, {PATTERNS} patterns: {python:.3f} s, in Rust {plain:.3f} s; "
        f"ratio {python / plain:.3f}, difference {1000 * (python - plain):.0f} ms"
    )


def memory(rows, columns=400):
    """What the peak of a process rises by while it fits, in copies of X."""
    code = (
        "import sys, resource, numpy as np; from hardlim import ThresholdClassifier\n"
        "rows, columns, patterns = map(int, sys.argv[1:])\n"
        "rng = np.random.default_rng(0); X = rng.normal(size=(rows, columns)); y = np.arange(rows) % 2\n"
        "ThresholdClassifier(patterns=4, beta_ratio=0.9).fit(X[:50], y[:50])\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "ThresholdClassifier(patterns=patterns, beta_ratio=0.9).fit(X, y)\n"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / X.nbytes)"
    )
    arguments = [sys.executable, "-c", code, str(rows), str(columns), "4"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    print(f"memory of fit beyond X, {rows} x {columns}: {float(done.stdout):.2f} copies of X")


def lasso(rows=3680, columns=57):
    """Time to a relative duality gap of 1e-6, computed by one formula for all."""
    import hardlim

    X, y = spam_like(rows, columns)
    rng = np.random.default_rng(1)
    scaled = (X - X.mean(0)) / X.std(0)
    D = np.unique(scaled @ rng.normal(size=(columns, PATTERNS)) + rng.normal(size=PATTERNS) >= 0, axis=1)
    signs = np.where(y, 1.0, -1.0)
    beta = 0.1 * np.abs(D.T @ signs).max()
    dense = np.asfortranarray(D, dtype=float)

    def gap(w):
        residual = signs - dense @ w
        objective = residual @ residual / 2 + beta * np.abs(w).sum()
        scale = min(1.0, beta / np.abs(dense.T @ residual).max())
        bound = (signs @ signs - np.sum((signs - scale * residual) ** 2)) / 2
        return (objective - bound) / objective

    def ours():
        return hardlim.solve_lasso(D, signs, beta, tol=1e-6).coefficients

    def celer():
        from celer import Lasso

        model = Lasso(alpha=beta / rows, fit_intercept=False, tol=1e-7, max_iter=1000)
        return model.fit(dense, signs).coef_

    def sklearn():
        from sklearn.linear_model import Lasso

        model = Lasso(alpha=beta / rows, fit_intercept=False, tol=1e-7, max_iter=3000)
        return model.fit(dense, signs).coef_

    warnings.simplefilter("ignore")
    ours()
    first = None
    for name, solve in [("hardlim", ours), ("celer", celer), ("scikit-learn", sklearn)]:
        try:
            solve() if name == "celer" else None
            start = time.perf_counter()
            w = solve()
            seconds = time.perf_counter() - start
        except ImportError:
            print(f"lasso, {name}: not installed")
            continue
        first = first or seconds
        print(f"lasso {D.shape}, {name}: {seconds:.3f} s, gap {gap(w):.1e}, {seconds / first:.0f}x")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", nargs="?", help="a CSV of numbers, the target last")
    parser.add_argument("--rust", required=True, help="the program stopwatch")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--rows", type=int, default=50_000, help="rows for the measurement of memory")
    options = parser.parse_args()
    X, y = read(options.table) if options.table else spam_like()
    overhead(options, X, y)
    memory(options.rows)
    lasso()
    print(f"peak of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
