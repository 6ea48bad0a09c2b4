"""Few rules beside the other makers of few rules; started by bench/rules/run, which prepares what it needs."""

import argparse
import itertools
import os
import resource
import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(1, str(ROOT / "bench/accuracy"))  # tables, kept results and places are the same there
REPORT = range(1000, 1005)  # looked at once, when everything is settled
TUNE = range(0, 5)  # any seed below 100 may be looked at as often as you like
SCORES = ["accuracy", "log_loss", "calibration", "seconds", "size"]
FIELDS = ["table", "print", "seed", "method", *SCORES, "columns", "note"]


def arguments():
    parser = argparse.ArgumentParser(
        prog="bench/rules/run",
        description="Accuracy, log-loss, calibration, CPU seconds and stability of few rules, one thread each.",
        epilog="Tables of two classes; stratified splits: 80 %% of the rows to train on, 20 %% to be scored on.",
    )
    parser.add_argument("sources", nargs="*", metavar="DIR", help="folders of CSV files, label last; or 'sklearn'")
    parser.add_argument("--tune", action="store_true", help="the split seeds 0 to 4, to settle choices on")
    parser.add_argument("--seeds", metavar="A,B", help="other split seeds [1000,1001,1002,1003,1004]")
    parser.add_argument("--tables", metavar="A,B", help="only these tables")
    parser.add_argument("--methods", metavar="A;B", help="only these methods, with ; between them")
    parser.add_argument("--again", metavar="A;B", default="", help="methods whose kept results are measured again")
    parser.add_argument("--sizes", metavar="A,B", default="5,10,15", help="the most rules [5,10,15]")
    parser.add_argument("--installed", action="store_true", help="the hardlim that is installed under target/ already")
    parser.add_argument("--from", dest="start", type=Path, default=Path.cwd(), help=argparse.SUPPRESS)
    parser.add_argument("--honesty", action="store_true", help="what the first line promises, beside fresh rows")
    options = parser.parse_args()
    seeds = list(TUNE if options.tune else REPORT)
    if options.seeds:
        seeds = [int(seed) for seed in options.seeds.split(",")]
    options.split_seeds, options.sizes = seeds, [int(size) for size in options.sizes.split(",")]
    options.is_report = seeds == list(REPORT) and not (options.tables or options.methods)
    options.sources = options.sources or ["sklearn"]
    return options


def cpu():
    """CPU seconds of this process and its children."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in both)


def calibration_error(p, y):
    """The mean distance between probability and share of positives, over ten bins of equal width."""
    import numpy as np

    bins = np.minimum((p * 10).astype(int), 9)
    return sum(abs((p - y)[bins == b].sum()) for b in range(10)) / len(y)


def measure(table, seed, method, size):
    """Fit one method on one split and score it on the rest."""
    import methods
    from sklearn.metrics import accuracy_score, log_loss
    from sklearn.model_selection import train_test_split

    y = (table.y == sorted(table.y.unique())[1]).astype(int).to_numpy()
    X, X_test, y, y_test = train_test_split(table.X, y, test_size=0.2, random_state=seed, stratify=y)
    model, start = methods.make(method, size, ROOT), cpu()
    model.fit(X, y)
    seconds, p = cpu() - start, model.predict_proba(X_test)[:, 1]
    return {
        "accuracy": f"{accuracy_score(y_test, p > 0.5):.5f}",
        "log_loss": f"{log_loss(y_test, p.clip(1e-6, 1 - 1e-6)):.5f}",
        "calibration": f"{calibration_error(p, y_test):.5f}",
        "seconds": f"{seconds:.3f}",
        "size": str(model.size_),
        "columns": ";".join(map(str, model.columns_)),
    }


def main():
    options = arguments()
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS"):
        os.environ[variable] = "1"
    warnings.filterwarnings("ignore")
    if options.honesty:
        import honesty

        return honesty.write(ROOT / "target/rules/honesty.md")
    import methods
    import report_rules
    import results
    import tables

    results.FIELDS[:] = FIELDS
    found = [t for t in tables.gather(options.sources, "auto", options.start) if t.classes == 2]
    if options.tables:
        found = [table for table in found if table.name in options.tables.split(",")]
    sized = list(itertools.product(methods.SIZED, options.sizes))
    sized += [(method, 0) for method in [methods.ALL_PAIRS, *methods.FREE]]
    if methods.fasterrisk_python(ROOT) is None:
        sized = [(method, size) for method, size in sized if method != methods.FASTERRISK]
    if options.methods:
        sized = [(method, size) for method, size in sized if method in options.methods.split(";")]
    again = [name for method, size in sized if method in options.again.split(";") for name in [key(method, size)]]

    kept = results.Results(ROOT / "target/rules/results.csv")
    for table, seed, (method, size) in itertools.product(found, options.split_seeds, sized):
        name = key(method, size)
        if not kept.wants(table, seed, name, again):
            continue
        try:
            row = measure(table, seed, method, size)
        except Exception as error:  # one failure does not end a run of hours: it is told, and ranks last
            row = {"note": f"{type(error).__name__}: {error}".splitlines()[0][:200]}
        kept.add(table, seed, name, row)
        shown = ", ".join(f"{field} {row[field]}" for field in [*SCORES, "note"] if row.get(field))
        print(f"{table.name:16} seed {seed:<5} {name:40} {shown}", flush=True)
    run = report_rules.Run(found, options.split_seeds, options.sizes, [key(*pair) for pair in sized], kept)
    page = ROOT / ("docs/rules.md" if options.is_report else "target/rules/rules.md")
    report_rules.write(page, run, ROOT / "target/rules/honesty.md")
    if options.is_report:
        kept.copy(ROOT / "bench/rules/results.csv", found, options.split_seeds)
    print(f"written to {page}")


def key(method, size):
    """The name of a method for at most so many rules, in kept results."""
    return f"{method} ({size})" if size else method


if __name__ == "__main__":
    main()
