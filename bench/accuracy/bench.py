"""How well models predict without flags; started by bench/accuracy/run, which prepares what it needs."""

import argparse
import os
import shlex
import sys
import time
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REPORT = range(1000, 1005)  # looked at once, when everything is settled
TUNE = range(0, 5)  # any seed below 100 may be looked at as often as you like
QUICK_SIZE = 60_000  # numbers in a table


def arguments():
    parser = argparse.ArgumentParser(
        prog="bench/accuracy/run",
        description="Accuracy, log-loss, seconds and size of hardlim without flags, beside scikit-learn's methods.",
        epilog="Stratified splits: 80 %% of the rows to train on, 20 %% to be scored on. Classes: labels, or at most "
        "20 whole numbers. docs/accuracy.md is written by a run with the report's seeds alone.",
    )
    parser.add_argument(
        "sources",
        nargs="*",
        metavar="DIR",
        help="folders of CSV files, label last; 'sklearn' stands for scikit-learn's own tables and the built-in ones "
        "[the folder that HARDLIM_DATA names, if any, and sklearn]",
    )
    parser.add_argument("--tune", action="store_true", help="the split seeds 0 to 4, to settle choices on")
    parser.add_argument("--seeds", metavar="A,B|A-B", help="other split seeds [1000-1004]")
    parser.add_argument("--quick", action="store_true", help="small tables, seeds 0 and 1, no tuned SVM")
    parser.add_argument("--ebm", action="store_true", help="interpret's EBM, too, where it installs: minutes a fit")
    parser.add_argument("--tables", metavar="A,B", help="only these tables")
    parser.add_argument("--methods", metavar="A,B", help="only these methods")
    parser.add_argument("--again", metavar="A,B", help="methods whose kept results are measured again")
    parser.add_argument("--task", choices=["auto", "classify", "regress"], default="auto", help="of the folders")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="cores for everybody [all]")
    parser.add_argument("--results", type=Path, metavar="FILE", help="kept results [target/accuracy/results.csv]")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the page [docs/accuracy.md, or below target/]")
    parser.add_argument("--installed", action="store_true", help="the hardlim that is installed under target/ already")
    parser.add_argument("--from", dest="start", type=Path, default=Path.cwd(), help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.split_seeds = split_seeds(parser, options)
    options.is_report = options.split_seeds == list(REPORT) and not (options.tables or options.methods)
    work = ROOT / "target/accuracy"
    options.results = options.start / options.results if options.results else work / "results.csv"
    page = ROOT / "docs/accuracy.md" if options.is_report else work / ("quick.md" if options.quick else "tune.md")
    options.out = options.start / options.out if options.out else page
    if not options.sources:
        data = os.environ.get("HARDLIM_DATA")
        options.sources = ([data] if data else []) + ["sklearn"]
    return options


def split_seeds(parser, options):
    """The seeds of the splits, in order."""
    if sum([options.tune, options.quick, options.seeds is not None]) > 1:
        parser.error("--tune, --quick and --seeds exclude each other")
    if options.quick:
        return [0, 1]
    if options.seeds is None:
        return list(TUNE if options.tune else REPORT)
    seeds = []
    for part in options.seeds.split(","):
        first, _, last = part.partition("-")
        try:
            seeds += range(int(first), int(last or first) + 1)
        except ValueError:
            parser.error(f"--seeds: expected numbers like 0,3 or 0-4, got {options.seeds!r}")
    return seeds


def chosen(text, known, flag):
    """The names in a list of names, which all must be known."""
    names = text.split(",")
    unknown = set(names) - set(known)
    if unknown:
        raise SystemExit(f"bench/accuracy/run: {flag}: no {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    return names


def split(table, seed):
    from sklearn.model_selection import train_test_split

    labels = table.y if table.task == "classify" else None
    return train_test_split(table.X, table.y, test_size=0.2, random_state=seed, stratify=labels)


def measure(table, seed, method, jobs):
    """Fit one method on one split and score it on the rest."""
    import hardlim
    import methods
    from sklearn.metrics import accuracy_score, log_loss, r2_score

    X, X_test, y, y_test = split(table, seed)
    model = methods.make(method, table.task, seed, jobs)
    start = time.perf_counter()
    model.fit(X, y)
    found = {"seconds": f"{time.perf_counter() - start:.3f}"}
    if table.task == "regress":
        found["r2"] = f"{r2_score(y_test, model.predict(X_test)):.5f}"
    else:
        found["accuracy"] = f"{accuracy_score(y_test, model.predict(X_test)):.5f}"
        if hasattr(model, "predict_proba"):
            found["log_loss"] = f"{log_loss(y_test, model.predict_proba(X_test), labels=model.classes_):.5f}"
    if method in (methods.OURS, methods.OURS_SMALL):
        found["neurons"] = str(model.n_neurons_)
        found["certified"] = "yes" if hardlim.certify(model, X, y) else "no"
    return found


def main():
    options = arguments()
    os.environ["OMP_NUM_THREADS"] = str(options.jobs)  # before anything reads it
    os.environ["OMP_WAIT_POLICY"] = "passive"  # threads of boosting that wait busily starve on shared cores
    warnings.filterwarnings("ignore")
    os.environ["PYTHONWARNINGS"] = "ignore"  # for workers of joblib, too
    import methods
    import report
    import tables
    from results import Results

    found = tables.gather(options.sources, options.task, options.start)
    if options.quick:
        found = [table for table in found if table.X.size <= QUICK_SIZE]
    if options.tables:
        names = chosen(options.tables, [table.name for table in found], "--tables")
        found = [table for table in found if table.name in names]
    known = methods.there(options.ebm)
    wanted = chosen(options.methods, known, "--methods") if options.methods else known
    if options.quick:
        wanted = [method for method in wanted if method != methods.MACHINE]
    again = chosen(options.again, known, "--again") if options.again else []

    kept = Results(options.results)
    for seed in options.split_seeds:
        for table in found:
            for method in wanted:
                if not kept.wants(table, seed, method, again):
                    continue
                try:
                    row = measure(table, seed, method, options.jobs)
                except Exception as error:  # one failure does not end a run of hours: it is told, and ranks last
                    row = {"note": f"{type(error).__name__}: {error}".splitlines()[0][:200]}
                kept.add(table, seed, method, row)
                print(report.line(table, seed, method, row), flush=True)
    words = ["bench/accuracy/run", *(Path(s).name if s != tables.SKLEARN else s for s in options.sources)]
    command = shlex.join(words + [word for word in sys.argv[1:] if word in ("--tune", "--ebm", "--quick")])
    run = report.Run(found, options.split_seeds, wanted, kept, command, options.is_report, options.jobs)
    report.write(options.out, run)
    if options.is_report:
        kept.copy(ROOT / "bench/accuracy/results.csv", found, options.split_seeds)
    print(f"\n{report.summary_text(run)}\n\nwritten to {options.out}")


if __name__ == "__main__":
    main()
