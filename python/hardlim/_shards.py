"""Training on rows in shards: what a worker does, all of it pure functions of a partition, and what the client does.

A partition is read (``look``, ``take``), coded (``code``), asked what neurons answer (``answer``), and then asked tasks
(``ask``). Answers are sums without any rounding, so the model does not depend on how the rows are divided.
"""

import math
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_array, column_or_1d

from . import _hardlim, _inputs
from ._base import Threshold
from ._progress import Progress

# More different values than this are numbers, not classes.
_CLASSES = 1000
# What targets are, by the kind of their type; everything else is text.
_KINDS = {"i": "numbers", "u": "numbers", "f": "numbers", "b": "truth values"}
# How many notes of partitions a warning shows.
_NOTES = 10


class Part(NamedTuple):
    """A partition as it is given: its rows, and what errors call it."""

    source: str
    X: Any
    y: Any
    sample_weight: Any = None


class Look(NamedTuple):
    """What is known of a partition before it is coded."""

    rows: int
    names: list[str] | None = None
    categorical: tuple[str, ...] = ()
    frame: bool = False
    target: str = "y"
    kind: str = "numbers"
    classes: list[Any] | None = None
    weight: float = 1.0


class Rows(Protocol):
    """The partitions, wherever they are. Training calls ``answer`` and ``ask``."""

    def sources(self) -> list[str]: ...
    def look(self, classes: bool) -> list[Look]: ...
    def take(self, firsts: list[int], zeros: int) -> list[_hardlim.Partition]: ...
    def code(self, coding: _hardlim.Coding, firsts: list[int]) -> list[str]: ...
    def answer(self, neurons: bytes) -> None: ...
    def ask(self, task: str) -> str: ...


@contextmanager
def _naming(source: str) -> Iterator[None]:
    """Errors say which partition it was."""
    try:
        yield
    except (ValueError, TypeError) as error:
        if source in str(error):
            raise
        raise type(error)(f"{source}: {error}") from error


def threads() -> int | None:
    """The threads of one task: a worker of Dask has several, and shares a pool among its tasks."""
    if "distributed" in sys.modules:
        from distributed import get_worker

        try:
            return int(get_worker().state.nthreads)
        except ValueError:
            pass
    return _inputs.threads(None)


def _columns(X: Any) -> _inputs.Inputs:
    """``X`` as columns. The compiled part checks the numbers, and says where one is wrong."""
    _inputs.refuse_sparse(X)
    read = _inputs.frame(X)
    if read is not None:
        return read
    checked = check_array(X, dtype=_inputs._READ, ensure_all_finite=False, input_name="X")
    return _inputs.of_matrix(checked, columns=True)


def look(part: Part, classes: bool) -> Look:
    """Looks at a partition; ``classes`` if the target has classes."""
    with _naming(part.source):
        rows = part.X.shape[0]
        if rows == 0:
            return Look(0)
        inputs = _columns(part.X)
        target = _inputs.target_name(part.y, inputs.names)
        y = column_or_1d(part.y)
        kind = _KINDS.get(y.dtype.kind, "text")
        if not classes and kind != "numbers":
            raise ValueError(f"column {target!r}: expected numbers, got {y.dtype}")
        if len(y) != rows:
            raise ValueError(f"X has {rows} rows, and y has {len(y)}")
        found = None
        if classes:
            found = np.unique(y[~np.isnan(y)] if y.dtype.kind == "f" else _texts(y)).tolist()
            if len(found) > _CLASSES:
                raise ValueError(f"column {target!r}: {len(found)} classes; ThresholdRegressor is for numbers")
        weight = float(rows)
        if part.sample_weight is not None:
            weights = _weights(part)
            weight = math.fsum(weights)
        return Look(rows, inputs.names, tuple(inputs.categorical), inputs.frame, target, kind, found, weight)


def _texts(y: NDArray[Any]) -> NDArray[Any]:
    """Labels that can be compared; missing ones are left out, which the compiled part refuses."""
    if y.dtype.kind != "O":
        return y
    return np.asarray([label for label in y.tolist() if label is not None and label == label], dtype=object)


def _weights(part: Part) -> NDArray[np.float64]:
    weights = _inputs.aligned(column_or_1d(part.sample_weight), np.float64)
    wrong = np.flatnonzero(~((weights >= 0) & (weights < np.inf)))
    if len(wrong):
        row = int(wrong[0])
        raise ValueError(f"row {row + 1}, sample_weight: expected a number of at least zero, got {weights[row]}")
    return weights


def read(part: Part) -> _hardlim.Partition:
    """The rows of a partition, for the compiled part."""
    inputs = _columns(part.X)
    target = _inputs.target_name(part.y, inputs.names)
    y = _inputs.target_column(part.y)
    weights = None if part.sample_weight is None else _weights(part)
    return _hardlim.Partition(part.source, inputs.x, inputs.names, target, [y], weights)


def take(part: Part, first: int, zeros: int) -> _hardlim.Partition:
    """The rows of a partition that are in the sample."""
    with _naming(part.source):
        return read(part).take(first, zeros)


def code(part: Part, first: int, coding: _hardlim.Coding) -> _hardlim.Shard:
    """The shard of a partition."""
    with _naming(part.source):
        return read(part).code(coding, first, threads())


def answer(shard: _hardlim.Shard, neurons: bytes) -> _hardlim.Shard:
    """The shard, on which these neurons were asked."""
    return shard.answer(neurons, threads())


def ask(shard: _hardlim.Shard, task: str) -> str:
    """What a shard answers to a task."""
    return shard.ask(task, threads())


class InShards(Threshold):
    """The common base of estimators whose rows are in shards."""

    method = "auto"
    widths = None
    bits = None
    beta: float | None
    beta_ratio: float | None
    cv: int | None
    training_score_: float
    classes_: NDArray[Any]
    feature_names_in_: NDArray[Any]
    _order: NDArray[Any]

    def _options(self) -> dict[str, Any]:
        options = super()._options()
        options.pop("loss", None)  # classes have the logistic loss, numbers the squared one
        options["cv"] = self.cv
        return options | {"missing": self.missing, "keep": _inputs.names(self.keep), "threads": self._threads()}

    def _threads(self) -> int:
        """The threads of training. It waits on one of them while rows of this process answer on the others, so there
        are two at least."""
        return max(2, _inputs.threads(self.n_jobs) or os.cpu_count() or 1)

    def _asks_for_predictions(self) -> bool:
        return self.beta is None and self.beta_ratio is None

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Not there: it would take all rows at one place."""
        raise AttributeError("rows in shards have no feature_importances_: see hardlim.explain(estimator)")

    def _fit_rows(self, rows: Rows) -> None:
        """Trains on the rows, and keeps what was trained."""
        looks, sources = rows.look(isinstance(self, ClassifierMixin)), rows.sources()
        found = _agreeing(looks, sources)
        firsts, count = _firsts(looks)
        zeros = _hardlim.sample_zeros(count, _inputs.threads(self.n_jobs))
        taken = [part for part in rows.take(firsts, zeros) if part.rows > 0]
        columns: dict[str, Any] = {
            "missing": self.missing,
            "keep": _inputs.names(self.keep),
            "keep_all": not found.frame,
            "categorical": list(dict.fromkeys(name for look in looks for name in look.categorical)),
            "task": "regress",
        }
        if isinstance(self, ClassifierMixin):
            labels = _labels(looks)
            if len(labels) == 1:
                raise ValueError(f"expected two classes or more, found one class: y is always {labels.tolist()[0]!r}")
            columns["task"] = "classify"
            columns["categorical"].append(found.target if found.frame else "y")
        coding, sample = _hardlim.code_sample(taken, columns, _inputs.threads(self.n_jobs))
        self._keep_columns(found, taken[0])
        if isinstance(self, ClassifierMixin):
            self._keep_classes(looks, sources, coding)
        news = rows.code(coding, firsts)
        with Progress(self.verbose) as listener:
            training, self.training_score_ = _hardlim.train_rows(coding, sample, rows, self._options(), listener)
        self._keep(training, None)
        notes = (self.notes_ if found.frame else []) + shortened(news)
        if notes:
            warnings.warn("\n".join(notes), stacklevel=4)

    def _certify_rows(self, rows: Rows) -> _hardlim.Check:
        """Checks the certificate on the rows."""
        looks = rows.look(isinstance(self, ClassifierMixin))
        _agreeing(looks, rows.sources())
        rows.code(_hardlim.Coding.of_model(self.model_), _firsts(looks)[0])
        return _hardlim.certify_rows(self.model_, rows, self._threads())

    def _keep_columns(self, found: Look, part: _hardlim.Partition) -> None:
        self.n_features_in_ = len(part.names) - 1
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        if found.names is not None:
            self.feature_names_in_ = np.asarray(found.names, dtype=object)

    def _keep_classes(self, looks: list[Look], sources: list[str], coding: _hardlim.Coding) -> None:
        self.classes_ = _labels(looks)
        order = coding.order(_inputs.names_of(self.classes_))
        if None in order:
            label = self.classes_.tolist()[order.index(None)]
            k = next(k for k, look in enumerate(looks) if label in (look.classes or []))
            raise _hardlim.HardlimError(
                f"{sources[k]}, column {looks[k].target!r}: the class {label!r} is in no row of the sample, which "
                "decides what the columns mean; leave its rows out, or give it more of them"
            )
        self._order = np.asarray(order)


def _labels(looks: Sequence[Look]) -> NDArray[Any]:
    """The classes of all partitions, in order."""
    labels = np.unique(np.asarray([label for look in looks for label in look.classes or []]))
    return labels.astype(object) if labels.dtype.kind == "U" else labels


def _firsts(looks: Sequence[Look]) -> tuple[list[int], int]:
    """The number of the first row of each partition, and the number of rows."""
    *firsts, count = accumulate((look.rows for look in looks), initial=0)
    return firsts, count


def _agreeing(looks: Sequence[Look], sources: Sequence[str]) -> Look:
    """The first partition with rows; the others have rows of the same kind."""
    full = [(look, source) for look, source in zip(looks, sources) if look.rows > 0]
    if not full:
        raise ValueError(f"no rows: all partitions are empty ({len(looks)} of them)")
    first, name = full[0]
    kinds = {True: "a frame", False: "an array"}
    for look, source in full[1:]:
        if look.frame != first.frame:
            raise ValueError(f"{source}: X is {kinds[look.frame]}, and that of {name} is {kinds[first.frame]}")
        if look.kind != first.kind:
            raise ValueError(f"{source}, column {look.target!r}: expected {first.kind} as in {name}, got {look.kind}")
        if first.names is not None and set(look.names or []) != set(first.names):
            missing = [column for column in first.names if column not in (look.names or [])]
            if missing:
                raise ValueError(f"{source}: no column {missing[0]!r}, which {name} has")
            more = next(column for column in look.names or [] if column not in (first.names or []))
            raise ValueError(f"{source}: column {more!r} is not in {name}")
    if not any(look.weight > 0 for look, _ in full):
        raise ValueError("sample_weight: all weights are zero")
    return first


def shortened(notes: list[str]) -> list[str]:
    """The first notes, and how many more there are."""
    more = len(notes) - _NOTES
    return notes[:_NOTES] + ([f"and {more} more notes about partitions"] if more > 0 else [])
