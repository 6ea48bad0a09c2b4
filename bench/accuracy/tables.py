"""The tables: folders of CSV files, scikit-learn's own copies, and what is built in."""

import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

SKLEARN = "sklearn"  # stands for the tables that everybody has
FEWEST = 10  # rows of a class that is kept: each of five folds needs some


@dataclass
class Table:
    """Features and labels, or numbers; where they come from, and what was left out."""

    name: str
    source: str
    task: str
    X: pd.DataFrame
    y: pd.Series
    left_out: int = 0

    @cached_property
    def print(self):
        """A number that changes with the data."""
        values = pd.util.hash_pandas_object(self.X.assign(target=self.y), index=False).to_numpy()
        return f"{zlib.crc32(values.tobytes()):08x}"

    @property
    def classes(self):
        return self.y.nunique() if self.task == "classify" else 0


def of_frame(name, source, frame, task="auto"):
    """The last column is the target; rows with missing values and classes of few rows are left out."""
    rows, frame = len(frame), frame.dropna()
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    number = pd.api.types.is_numeric_dtype(y) and not pd.api.types.is_bool_dtype(y)
    if task == "auto":
        whole = not number or (y == y.round()).all()
        task = "classify" if not number or (whole and y.nunique() <= 20) else "regress"
    if task == "classify":
        y = (y.astype(int) if number and (y == y.round()).all() else y).astype(str)
        kept = y.map(y.value_counts()) >= FEWEST
        X, y = X[kept], y[kept]
    X = X.astype({c: int for c in X.columns if pd.api.types.is_bool_dtype(X[c])})
    X.columns = [str(c) for c in X.columns]
    X, y = X.reset_index(drop=True), y.reset_index(drop=True)
    return Table(name, source, task, X, y, rows - len(X))


def of_folder(folder, task):
    """Every CSV file of a folder, or of its folder `uci`."""
    files = sorted(folder.glob("*.csv")) or sorted((folder / "uci").glob("*.csv"))
    if not files:
        raise SystemExit(f"bench/accuracy/run: no CSV file in {folder}")
    return [of_frame(file.stem, file.parent.name, pd.read_csv(file), task) for file in files]


def everybodys():
    """The tables inside scikit-learn and hardlim."""
    from hardlim.datasets import load_tic_tac_toe, load_titanic
    from sklearn import datasets

    loaders = {
        "iris": datasets.load_iris,
        "wine": datasets.load_wine,
        "breast cancer": datasets.load_breast_cancer,
        "digits": datasets.load_digits,
        "diabetes": datasets.load_diabetes,
    }
    found = [of_frame(name, SKLEARN, load(as_frame=True).frame) for name, load in loaders.items()]
    built_in = {"titanic": load_titanic, "tic-tac-toe": load_tic_tac_toe}
    return found + [of_frame(name, SKLEARN, load(as_frame=True).frame) for name, load in built_in.items()]


def gather(sources, task, start):
    """All tables of the sources, the smallest first; a built-in one gives way to a file of its name."""
    found = []
    for source in sources:
        if source == SKLEARN:
            known = {table.name for table in found}
            found += [table for table in everybodys() if table.name not in known]
        else:
            found += of_folder(start / Path(source), task)
    repeated = {table.name for table in found if [t.name for t in found].count(table.name) > 1}
    if repeated:
        raise SystemExit(f"bench/accuracy/run: two tables are called {', '.join(sorted(repeated))}")
    return sorted(found, key=lambda table: table.X.size * max(table.classes, 1))
