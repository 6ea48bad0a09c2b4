"""Trains, proves and checks the UCI sets; then alters proofs, statements, tables and models, and looks for one that is
believed and false."""

import argparse
import gzip
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import altered

BOTH = ("squared", "logistic")
SETS = [
    *[("titanic", "", loss) for loss in BOTH],
    *[
        (name, "--max-inputs 2", loss)
        for name in ("pima", "mammographic", "statlog-german", "tic-tac-toe")
        for loss in BOTH
    ],
    ("spambase", "--max-inputs 1", "squared"),
    *[(name, "--conditions 2", "squared") for name in ("pima", "statlog-german")],
]
COLUMNS = "set|class|loss|training|proof|check.py|hardlim-check|nodes|MB|MB compressed|bound, relative|believed"


def run(*command):
    """What a program said, and the CPU seconds that it took: other programs may share the machine."""

    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    start = spent()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done, spent() - start


def measure(hardlim, checker, data, folder):
    """A line of a table for each set. Returns the bars that are missed."""
    print("Times are CPU seconds of all threads.\n")
    print("|", COLUMNS.replace("|", " | "), "|")
    print("|" + "---|" * (COLUMNS.count("|") + 1))
    missed = []
    for name, flags, loss in SETS:
        table, model, proof = data / f"{name}.csv", folder / "model", Path(tempfile.mkdtemp(dir=folder)) / "proof"
        words = [*flags.split(), "--beta", "10", "--gap", "1e-4", "--loss", loss, "--json"]
        trained, training = run(hardlim, "train", table, *words, "-o", model)
        proven, proving = run(hardlim, "prove", model, table, "-o", proof, "--json")
        if proven.returncode:
            missed.append(f"{name} {flags} {loss}: {proven.stderr.strip()}")
            continue
        python, checking = run(sys.executable, proof / "check.py", table)
        coq, trusting = run(checker, proof) if checker else (None, 0)
        size = sum(file.stat().st_size for file in proof.iterdir()) / 1e6
        packed = sum(len(gzip.compress(file.read_bytes())) for file in proof.iterdir()) / 1e6
        stated, told = json.loads(trained.stdout)["certificate"]["lower_bound"], json.loads(proven.stdout)
        off = told["lower_bound"] / stated - 1
        bars = {
            "proof": proving <= max(10, 10 * training),
            "check.py": python.returncode == 0 and checking <= 60,
            "hardlim-check": coq is None or (coq.returncode == 0 and (trusting <= 10 or loss != "squared")),
            "size": packed <= 50,
            "bound": abs(off) <= 1e-9,
        }
        missed += [f"{name} {flags} {loss}: {bar}" for bar, holds in bars.items() if not holds]
        believed = [each.returncode == 0 for each in (python, coq) if each]
        row = [name, flags or "all inputs", loss, f"{training:.1f}", f"{proving:.1f}", f"{checking:.1f}"]
        row += [f"{trusting:.1f}" if coq else "", f"{told['nodes']:,}", f"{size:.1f}", f"{packed:.2f}", f"{off:.0e}"]
        print("|", " | ".join([*row, "yes" if all(believed) else "NO"]), "|", flush=True)
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--hardlim", type=Path, required=True)
    parser.add_argument("--checker", type=Path, help="hardlim-check; without it, check.py alone is asked")
    parser.add_argument("--altered", type=int, default=1000, help="how many altered things are tried at least")
    parser.add_argument("--only-altered", action="store_true", help="leave out the table")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        missed = [] if asked.only_altered else measure(asked.hardlim, asked.checker, asked.data, Path(folder))
        missed += altered.attack(asked.hardlim, asked.checker, Path(folder), asked.altered)
    print("\n".join(["", *(f"MISSED: {bar}" for bar in missed)]) if missed else "\nAll bars are met.")
    sys.exit(len(missed) > 0)


main()
