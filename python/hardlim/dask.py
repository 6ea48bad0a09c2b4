"""Estimators for rows on a cluster: Dask arrays, frames, and lists of delayed partitions.

The rows stay on the workers. Each partition becomes a block there, which answers with sums over its rows: a few numbers for
each pattern in a pass. Sums are exact, so the model is the same to the last bit for any number of partitions and
workers, and the same as that of ``hardlim train`` on the same rows. At most 65,536 rows are gathered, and trained on
here. Blocks are made by pure functions of their partitions: if a worker is lost, Dask makes its blocks again elsewhere,
and training goes on.

>>> import dask.array as da
>>> from distributed import Client
>>> from hardlim.dask import ThresholdClassifier
>>> client = Client(n_workers=2, threads_per_worker=1, dashboard_address=None)
>>> X = da.random.default_rng(0).normal(size=(4000, 3), chunks=(1000, 3))
>>> y = (X[:, 0] + X[:, 1] > 0).astype(int)
>>> model = ThresholdClassifier(patterns=200, client=client).fit(X, y)
>>> bool(model.score(X, y) > 0.95)
True
>>> model.predict(X).shape  # lazily, on the workers
(4000,)
>>> client.close()
"""

import inspect
import math
import os
import time
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d

try:
    import dask
    import distributed
    from dask.delayed import Delayed
    from dask.utils import parse_timedelta
except ImportError as error:
    raise ImportError("hardlim.dask needs Dask: pip install 'hardlim[dask]'") from error

from . import _hardlim, _inputs, estimator
from ._progress import Progress
from .estimator import _has_probabilities

__all__ = ["ThresholdClassifier", "ThresholdRegressor"]

# How many results a worker puts together.
_FAN = 16
# From how many characters on a text is a task of its own.
_LARGE = 10_000
# How often we look whether there are workers, in seconds, and how long there may be none.
_LOOK, _ALONE = 2.0, "300 s"
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


@contextmanager
def _naming(source: str) -> Iterator[None]:
    """Errors say which partition it was."""
    try:
        yield
    except (ValueError, TypeError) as error:
        if source in str(error):
            raise
        raise type(error)(f"{source}: {error}") from error


def _threads() -> int | None:
    """The threads of one task: a worker has several, and shares a pool among its tasks."""
    try:
        return int(distributed.get_worker().state.nthreads)
    except ValueError:
        return _inputs.threads(None)


def _columns(X: Any) -> _inputs.Inputs:
    """``X`` as columns. The compiled part checks the numbers, and says where one is wrong."""
    _inputs.refuse_sparse(X)
    read = _inputs.frame(X)
    if read is not None:
        return read
    checked = check_array(X, dtype=_inputs._READ, ensure_all_finite=False, input_name="X")
    return _inputs.of_matrix(checked, columns=True)


def _look(part: Part, classes: bool) -> list[Look]:
    """Looks at a partition; ``classes`` if the target has classes."""
    with _naming(part.source):
        rows = part.X.shape[0]
        if rows == 0:
            return [Look(0)]
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
        names, labels = inputs.names, tuple(inputs.categorical)
        return [Look(rows, names, labels, inputs.frame, target, kind, found, weight)]


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


def _read(part: Part) -> _hardlim.Partition:
    """The rows of a partition, for the compiled part."""
    inputs = _columns(part.X)
    target = _inputs.target_name(part.y, inputs.names)
    y = _inputs.target_column(part.y)
    weights = None if part.sample_weight is None else _weights(part)
    return _hardlim.Partition(part.source, inputs.x, inputs.names, target, [y], weights)


def _part(source: str, X: Any, y: Any, weights: Any) -> Part:
    return Part(source, X, y, weights)


def _take(part: Part, first: int, zeros: int) -> _hardlim.Partition:
    """The rows of a partition that are in the sample."""
    with _naming(part.source):
        return _read(part).take(first, zeros)


def _code(part: Part, first: int, coding: _hardlim.Coding) -> _hardlim.Block:
    with _naming(part.source):
        return _read(part).code(coding, first, _threads())


def _answer(block: _hardlim.Block, neurons: str) -> _hardlim.Block:
    """The block, on which these neurons were asked."""
    return block.answer(neurons, _threads())


def _ask(block: _hardlim.Block, task: str) -> str:
    return block.ask(task, _threads())


def _notes(source: str, block: _hardlim.Block) -> list[str]:
    return [f"{source}: {note}" for note in block.notes]


def _joined(lists: list[list[Any]]) -> list[Any]:
    return [one for some in lists for one in some]


class _Cluster:
    """The partitions of a collection, on the workers of a client. Training calls ``answer`` and ``ask``."""

    def __init__(self, client: Any, X: list[Any], y: list[Any], weights: list[Any] | None) -> None:
        self.client = client
        self.names = [f"partition {k}" for k in range(len(X))]
        self.alone = parse_timedelta(dask.config.get("hardlim.no-workers-timeout", _ALONE))
        # Until they are coded, partitions are held: they are read once.
        self.columns = [client.compute(part, sync=False) for part in (X, y)]
        self.columns.append([None] * len(X) if weights is None else client.compute(weights, sync=False))
        self.full: list[int] = []
        self.blocks: list[Any] = []

    def _map(self, function: Any, *lists: Sequence[Any], **options: Any) -> list[Any]:
        # Dask gives a large keyword the keyword's name as its key, which two calls would share.
        large = [name for name, value in options.items() if isinstance(value, str) and len(value) > _LARGE]
        options |= {name: self.client.submit(str, options[name], pure=False) for name in large}
        futures: list[Any] = self.client.map(function, *lists, pure=False, **options)
        return futures

    def _result(self, future: Any) -> Any:
        """The result of a future. It may take as long as it takes, if there are workers."""
        left = time.monotonic()
        while True:
            try:
                return future.result(timeout=_LOOK)
            except (TimeoutError, distributed.TimeoutError):
                if future.status == "error":
                    raise  # the task itself raised it
            except CancelledError as error:
                raise RuntimeError(
                    "Dask gave up on a part of the data: the scheduler is gone, or data were lost that no task can "
                    "make again, for example scattered ones"
                ) from error
            if self.client.scheduler_info()["workers"]:
                left = time.monotonic()
            elif time.monotonic() - left > self.alone:
                raise RuntimeError(
                    f"the cluster has had no worker for {self.alone:g} s (hardlim.no-workers-timeout in the "
                    "configuration of Dask)"
                )

    def _together(self, futures: list[Any], merge: Any) -> Any:
        """The results of all futures in one, put together by workers."""
        while len(futures) > 1:
            groups = [futures[k : k + _FAN] for k in range(0, len(futures), _FAN)]
            futures = [self.client.submit(merge, group, pure=False) for group in groups]
        return self._result(futures[0])

    def look(self, classes: bool) -> Look:
        """What the partitions have in common."""
        parts = self._map(_part, self.names, *self.columns)
        looks: list[Look] = self._together(self._map(_look, parts, classes=classes), _joined)
        found = _agreeing(looks, self.names)
        self.full = [k for k, look in enumerate(looks) if look.rows > 0]
        self.names = [self.names[k] for k in self.full]
        self.looks = [looks[k] for k in self.full]
        self.parts = [parts[k] for k in self.full]
        *self.firsts, self.count = accumulate((look.rows for look in self.looks), initial=0)
        return found

    def take(self, zeros: int) -> list[_hardlim.Partition]:
        return [self._result(future) for future in self._map(_take, self.parts, self.firsts, zeros=zeros)]

    def code(self, coding: _hardlim.Coding) -> list[str]:
        self.blocks = self._map(_code, self.parts, self.firsts, coding=coding)
        notes: list[str] = self._together(self._map(_notes, self.names, self.blocks), _joined)
        self.columns, self.parts = [], []  # Dask reads them again where a block is lost
        return notes[:_NOTES] + [f"and {len(notes) - _NOTES} more notes about partitions"] * (len(notes) > _NOTES)

    def answer(self, neurons: str) -> None:
        self.blocks = self._map(_answer, self.blocks, neurons=neurons)

    def ask(self, task: str) -> str:
        return str(self._together(self._map(_ask, self.blocks, task=task), _hardlim.merge_answers))


def _labels(looks: Sequence[Look]) -> NDArray[Any]:
    """The classes of all partitions, in order."""
    labels = np.unique(np.asarray([label for look in looks for label in look.classes or []]))
    return labels.astype(object) if labels.dtype.kind == "U" else labels


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


def _is(X: Any, kind: str) -> bool:
    """Whether it is a Dask array or frame, without importing these modules."""
    return type(X).__module__.startswith("dask") and type(X).__name__ in kind.split()


def _partitions(X: Any, name: str) -> list[Any]:
    """The partitions of a collection, as delayed objects."""
    if _is(X, "Array"):
        if X.ndim == 2 and X.numblocks[1] > 1:
            X = X.rechunk({1: -1})
        return list(X.to_delayed().ravel())
    if _is(X, "DataFrame Series"):
        return list(X.to_delayed())
    if _delayed(X):
        return list(X)
    raise TypeError(f"{name} must be a Dask array, a Dask frame or a list of delayed partitions, got {type(X)}")


def _aligned(values: Any, X: Any, parts: list[Any], name: str) -> list[Any]:
    """The partitions of ``y`` or weights, one for each partition of ``X``."""
    if _is(values, "Array") and _is(X, "Array"):
        if values.ndim == 2 and values.shape[1] == 1:
            values = values[:, 0]
        known = not any(np.isnan(size) for chunks in (values.chunks[0], X.chunks[0]) for size in chunks)
        if known and values.shape[0] != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows, and {name} has {values.shape[0]}")
        if known and values.chunks[0] != X.chunks[0]:
            values = values.rechunk((X.chunks[0],))
    found = _partitions(values, name)
    if len(found) != len(parts):
        raise ValueError(f"X has {len(parts)} partitions, and {name} has {len(found)}: repartition one of them")
    return found


def _predicted(X: Any, fitted: Any, method: str) -> Any:
    """What a fitted estimator says about a partition; of a frame, with its index."""
    if len(X) == 0:
        width = len(fitted.classes_) if method.endswith("proba") else None
        kind = np.float64 if width is not None or not hasattr(fitted, "classes_") else fitted.classes_.dtype
        found = np.empty((0,) if width is None else (0, width), dtype=kind)
    else:
        found = getattr(fitted, method)(X)
    if not _inputs.is_frame(X):
        return found
    import pandas

    if found.ndim == 1:
        return pandas.Series(found, index=X.index, name=fitted.model_.target)
    return pandas.DataFrame(found, index=X.index, columns=fitted.classes_)


def _score(X: Any, y: Any, weights: Any, fitted: Any, classes: bool) -> NDArray[np.float64]:
    """Sums of a partition: of the weights, and of those of right answers, or of ``y``, ``y²`` and squared errors."""
    if len(X) == 0:
        return np.zeros(4)
    y, s = np.asarray(y).ravel(), np.ones(len(X)) if weights is None else np.asarray(weights, dtype=float)
    found = fitted.predict(X)
    if classes:
        return np.array([s.sum(), s @ (found == y), 0.0, 0.0])
    return np.array([s.sum(), s @ y, s @ (y * y), s @ (found - y) ** 2])


def _sum(sums: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.sum(sums, axis=0)


def _delayed(X: Any) -> bool:
    return isinstance(X, (list, tuple)) and len(X) > 0 and all(isinstance(part, Delayed) for part in X)


def _lazy(X: Any) -> bool:
    return _is(X, "Array DataFrame") or _delayed(X)


# The options that say what the columns mean.
_OF_COLUMNS = ("missing", "keep", "bits", "class_weight", "positive", "max_inputs")


class _OnCluster(estimator.Threshold):
    """The common base: fitting, predicting lazily, scoring and checking on the workers."""

    client: Any
    cv: int | None
    classes_: NDArray[Any]
    feature_names_in_: NDArray[Any]
    _order: NDArray[Any]

    def __sklearn_clone__(self) -> Any:
        return type(self)(**self.get_params(deep=False))  # a client cannot be copied

    def __getstate__(self) -> Any:
        return {**super().__getstate__(), "client": None}  # nor be sent

    def _options(self) -> dict[str, Any]:
        # Training waits on one thread while rows of this process answer on the others.
        threads = max(2, _inputs.threads(self.n_jobs) or os.cpu_count() or 1)
        more = {"cv": self.cv, "missing": self.missing, "keep": _inputs.names(self.keep), "bits": self.bits}
        weight = {"class_weight": getattr(self, "class_weight", None)}
        return super()._options() | more | weight | {"threads": threads}

    def _rows(self, X: Any, y: Any, sample_weight: Any) -> _Cluster:
        client = self.client if self.client is not None else distributed.get_client()
        if client.asynchronous:
            raise TypeError(
                "client: the methods of this estimator wait, so they need a client that is not asynchronous"
            )
        parts = _partitions(X, "X")
        targets = _aligned(y, X, parts, "y")
        weights = None if sample_weight is None else _aligned(sample_weight, X, parts, "sample_weight")
        return _Cluster(client, parts, targets, weights)

    def _columns_of(self, found: Look, looks: list[Look]) -> dict[str, Any]:
        """What is said about the columns."""
        categorical = list(dict.fromkeys(name for look in looks for name in look.categorical))
        classes = isinstance(self, ClassifierMixin)
        if classes:
            labels = _labels(looks)
            if len(labels) == 1:
                raise ValueError(f"expected two classes or more, found one class: y is always {labels.tolist()[0]!r}")
            categorical.append(found.target if found.frame else "y")
        options = {name: value for name, value in self._options().items() if name in _OF_COLUMNS}
        task = "classify" if classes else "regress"
        return options | {"keep_all": not found.frame, "categorical": categorical, "task": task}

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Train on the rows of the workers.

        Ctrl-C ends the training; no network is kept.

        Parameters
        ----------
        X : Dask array, Dask frame, or list of delayed arrays or frames
            The rows, partition by partition. Empty partitions are allowed.
        y : Dask array, series, or list of delayed arrays
            The targets, in partitions of the same lengths.
        sample_weight : the same, default=None
            The weights ``sᵢ``.

        Returns
        -------
        self
        """
        rows = self._rows(X, y, sample_weight)
        found = rows.look(isinstance(self, ClassifierMixin))
        columns = self._columns_of(found, rows.looks)
        zeros = _hardlim.sample_zeros(rows.count, _inputs.threads(self.n_jobs))
        taken = [part for part in rows.take(zeros) if part.rows > 0]
        self._keep_columns(found, taken[0])
        with Progress(self.verbose) as listener:
            if zeros == 0:
                data, news = _hardlim.gathered(taken, columns), []
                training = _hardlim.train(data, self._options(), listener)
            else:
                coding, sample = _hardlim.code_sample(taken, columns, _inputs.threads(self.n_jobs))
                self._keep_classes(rows, coding)
                news = rows.code(coding)
                training = _hardlim.train_rows(coding, sample, rows, self._options(), listener)
        self._keep_classes(rows, _hardlim.Coding.of_model(training.model))
        self._keep(training, None)
        notes = (self.notes_ if found.frame else []) + news
        if notes:
            warnings.warn("\n".join(notes), stacklevel=2)
        return self

    def certify(self, X: Any, y: Any, sample_weight: Any = None) -> _hardlim.Check:
        """Check the certificate again, from the model and its training rows alone: see :func:`hardlim.certify`."""
        check_is_fitted(self, "model_")
        rows = self._rows(X, y, sample_weight)
        found = rows.look(isinstance(self, ClassifierMixin))
        if self.model_.is_of_rows:
            rows.code(_hardlim.Coding.of_model(self.model_))
            return _hardlim.certify_rows(self.model_, rows, self._options()["threads"])
        taken = [part for part in rows.take(0) if part.rows > 0]
        data = _hardlim.gathered(taken, self._columns_of(found, rows.looks))
        return self.model_.certify(data, _inputs.threads(self.n_jobs))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy, or ``R²`` of numbers."""
        if not _lazy(X):
            return float(super().score(X, y, sample_weight))
        rows = self._rows(X, y, sample_weight)
        fitted, classes = self.to_local(), isinstance(self, ClassifierMixin)
        sums = rows._together([*rows._map(_score, *rows.columns, fitted=fitted, classes=classes)], _sum)
        weight, first, square, error = sums.tolist()
        if classes:
            return float(first / weight)
        return float(1.0 - error / (square - first * first / weight))

    def to_local(self) -> Any:
        """The fitted estimator of :mod:`hardlim`, for rows in memory."""
        check_is_fitted(self, "model_")
        kind = estimator.ThresholdClassifier if isinstance(self, ClassifierMixin) else estimator.ThresholdRegressor
        shared = set(kind._get_param_names()) - {"loss", "n_jobs", "verbose"}
        local: Any = kind(loss=self.model_.loss, **{name: getattr(self, name) for name in shared})
        kept = "classes_ _order n_features_in_ feature_names_in_ beta_max_ trace_ choice_ lists_".split()
        for name in kept:
            if hasattr(self, name):
                setattr(local, name, getattr(self, name))
        local._hold(self.model_, self.stop_)
        return local

    def _keep_columns(self, found: Look, part: _hardlim.Partition) -> None:
        self.n_features_in_ = len(part.names) - 1
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        if found.names is not None:
            self.feature_names_in_ = np.asarray(found.names, dtype=object)

    def _keep_classes(self, rows: _Cluster, coding: _hardlim.Coding) -> None:
        if not isinstance(self, ClassifierMixin):
            return
        self.classes_ = _labels(rows.looks)
        order = coding.order(_inputs.names_of(self.classes_))
        if None in order:
            label = self.classes_.tolist()[order.index(None)]
            k = next(k for k, look in enumerate(rows.looks) if label in (look.classes or []))
            raise _hardlim.HardlimError(
                f"{rows.names[k]}, column {rows.looks[k].target!r}: the class {label!r} is in no row of the sample, "
                "which decides what the columns mean; leave its rows out, or give it more of them"
            )
        self._order = np.asarray(order)

    def _lazily(self, X: Any, method: str) -> Any:
        """What the workers will say about the partitions of a collection."""
        fitted = self.to_local()
        wide = method == "predict_proba"
        kind = np.float64 if wide or not isinstance(self, ClassifierMixin) else self.classes_.dtype
        if _is(X, "Array"):
            X = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
            shape = (0, len(self.classes_)) if wide else (0,)
            blocks: dict[str, Any] = {"chunks": (X.chunks[0], (len(self.classes_),))} if wide else {"drop_axis": 1}
            return X.map_blocks(_predicted, fitted, method, dtype=kind, meta=np.empty(shape, dtype=kind), **blocks)
        if _is(X, "DataFrame"):
            return X.map_partitions(_predicted, fitted, method, meta=_predicted(X._meta.iloc[:0], fitted, method))
        fitted = dask.delayed(fitted)
        return [dask.delayed(_predicted)(part, fitted, method) for part in X]


_DOC = """
    cv : int, default=None
        Choose the strength by this number of folds: for the best predictions of many rows, in place of one row in ten.
    client : distributed.Client, default=None
        The client; by default the current one.

    More than 65,536 rows are trained on in blocks: for the best predictions with 2000 random neurons, over random
    neurons (``patterns``), or over all neurons of one input (``max_inputs=1``). What needs the rows in memory is refused.
    """


def _on_cluster(kind: type) -> Any:
    """Gives an estimator the parameters of the one in memory, and ``cv`` and ``client`` in place of ``memory``."""
    local = next(
        base for base in (estimator.ThresholdClassifier, estimator.ThresholdRegressor) if issubclass(kind, base)
    )
    own = [p for p in inspect.signature(local.__init__).parameters.values() if p.name != "memory"]
    own += [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in ("cv", "client")]
    signature = inspect.Signature(own)

    def __init__(self: Any, *args: Any, **values: Any) -> None:
        bound = signature.bind(self, *args, **values)
        bound.apply_defaults()
        for name in signature.parameters:
            if name != "self":
                setattr(self, name, bound.arguments[name])

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    kind.__init__ = __init__  # type: ignore[misc]
    kind.__doc__ = f"{(kind.__doc__ or '').rstrip()}\n{_DOC}"
    return kind


@_on_cluster
class ThresholdClassifier(_OnCluster, estimator.ThresholdClassifier):
    """A classifier of threshold neurons, trained on the rows of a cluster: see :class:`hardlim.ThresholdClassifier`."""

    memory = None

    def predict(self, X: Any) -> Any:
        """The class of every row: a Dask array, a series, or a list of delayed arrays, like ``X``."""
        return self._lazily(X, "predict") if _lazy(X) else super().predict(X)

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Any:
        """The probability of every class: a Dask array, a frame, or a list of delayed arrays, like ``X``."""
        return self._lazily(X, "predict_proba") if _lazy(X) else super().predict_proba(X)


@_on_cluster
class ThresholdRegressor(_OnCluster, estimator.ThresholdRegressor):
    """A regressor of threshold neurons, trained on the rows of a cluster: see :class:`hardlim.ThresholdRegressor`."""

    memory = None

    def predict(self, X: Any) -> Any:
        """``f(x)`` for every row: a Dask array, a series, or a list of delayed arrays, like ``X``."""
        return self._lazily(X, "predict") if _lazy(X) else super().predict(X)
