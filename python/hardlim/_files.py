"""Training on files, read block by block: what ``memory`` of the estimators does."""

import glob
import re
import warnings
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from . import _hardlim, _inputs
from ._progress import Progress

_UNITS = {"": 1.0, "b": 1.0} | {
    spelling: float(base**power)
    for power, letter in enumerate("kmgt", start=1)
    for spelling, base in [(letter, 1024), (f"{letter}ib", 1024), (f"{letter}b", 1000)]
}


def size(memory: int | float | str) -> int:
    """A number of bytes: ``1 << 30``, ``"1GiB"`` or ``"500MB"``."""
    found = re.fullmatch(r"\s*([0-9]+\.?[0-9]*)\s*([a-zA-Z]*)\s*", str(memory))
    unit = _UNITS.get(found[2].lower()) if found else None
    if found is None or unit is None:
        raise ValueError(f"memory must be a size such as '1GiB' or '500MB', got {memory!r}")
    return int(float(found[1]) * unit)


def listed(X: Any) -> list[str]:
    """The names of files; those of a pattern are sorted."""
    names = [X] if isinstance(X, (str, PathLike)) else X
    if (
        not isinstance(names, (list, tuple))
        or not all(isinstance(name, (str, PathLike)) for name in names)
        or not names
    ):
        raise TypeError("memory is for files: X must be the name of a file, a pattern such as 'day-*.csv', or a list")
    files: list[str] = []
    for name in map(fspath, names):
        found = [name]
        if any(letter in name for letter in "*?") and not Path(name).exists():
            found = sorted(glob.glob(name))
            if not found:
                raise FileNotFoundError(f"cannot read {name}: no file has such a name")
        files.extend(found)
    return files


def fit(estimator: Any, X: Any, target: str | None, weight_column: str | None) -> Any:
    """Trains an estimator on files, within about its ``memory``. The columns are found by name."""
    from .models import _labels

    for name, column in [("y", target), ("sample_weight", weight_column)]:
        if column is not None and not isinstance(column, str):
            raise TypeError(f"memory is for files: {name} must be the name of a column")
    options = estimator._options() | {
        "target": target,
        "weight_column": weight_column,
        "task": "classify" if isinstance(estimator, ClassifierMixin) else "regress",
        "missing": estimator.missing,
        "keep": _inputs.names(estimator.keep),
        "bits": estimator.bits,
        "class_weight": getattr(estimator, "class_weight", None),
    }
    with Progress(estimator.verbose) as listener:
        training, coding, news = _hardlim.train_files(listed(X), size(estimator.memory), options, listener)
    if coding.classes is not None:
        estimator.classes_, estimator._order = _labels(coding.classes)
    estimator.feature_names_in_ = np.asarray(training.model.inputs, dtype=object)
    estimator.n_features_in_ = len(estimator.feature_names_in_)
    estimator._keep(training, None)
    estimator._by_name = True
    notes = estimator.notes_ + news
    if notes:
        warnings.warn("\n".join(notes), stacklevel=3)
    return estimator
