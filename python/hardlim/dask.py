"""Estimators for rows on a cluster: Dask arrays, frames, and lists of delayed partitions.

The rows stay on the workers. Each partition becomes a shard there, which answers with sums over its rows: a few numbers for
each pattern in a pass. Sums are exact, so the model is the same to the last bit for any number of partitions and
workers, and the same as that of ``hardlim train --memory`` on the same rows. Shards are made by pure functions of their
partitions: if a worker is lost, Dask makes its shards again elsewhere, and training goes on.

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

import time
from collections.abc import Sequence
from concurrent.futures import CancelledError
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

try:
    import dask
    import distributed
    from dask.delayed import Delayed
    from dask.utils import parse_timedelta
except ImportError as error:
    raise ImportError("hardlim.dask needs Dask: pip install 'hardlim[dask]'") from error

from . import _hardlim, _inputs, _shards, estimator
from ._base import take
from ._shards import InShards, Look, Part
from .estimator import _has_probabilities

__all__ = ["ThresholdClassifier", "ThresholdRegressor"]

# How many results a worker puts together.
_FAN = 16
# How often we look whether there are workers, in seconds, and how long there may be none.
_LOOK, _ALONE = 2.0, "300 s"


def _look(source: str, X: Any, y: Any, weights: Any, classes: bool) -> list[Look]:
    return [_shards.look(Part(source, X, y, weights), classes)]


def _take(source: str, X: Any, y: Any, weights: Any, first: int, zeros: int) -> _hardlim.Partition:
    return _shards.take(Part(source, X, y, weights), first, zeros)


def _code(source: str, X: Any, y: Any, weights: Any, first: int, coding: _hardlim.Coding) -> _hardlim.Shard:
    return _shards.code(Part(source, X, y, weights), first, coding)


def _notes(source: str, shard: _hardlim.Shard) -> list[str]:
    return [f"{source}: {note}" for note in shard.notes]


def _joined(lists: list[list[Any]]) -> list[Any]:
    return [one for some in lists for one in some]


class _Cluster:
    """The partitions of a collection, on the workers of a client."""

    def __init__(self, client: Any, X: list[Any], y: list[Any], weights: list[Any] | None) -> None:
        self.client = client
        self.names = [f"partition {k}" for k in range(len(X))]
        self.alone = parse_timedelta(dask.config.get("hardlim.no-workers-timeout", _ALONE))
        # Until they are coded, partitions are held: they are read once.
        self.parts = [client.compute(part, sync=False) for part in (X, y)]
        self.parts.append([None] * len(X) if weights is None else client.compute(weights, sync=False))
        self.full: list[int] = []
        self.shards: list[Any] = []

    def sources(self) -> list[str]:
        return self.names

    def _map(self, function: Any, *lists: Sequence[Any], **options: Any) -> list[Any]:
        futures: list[Any] = self.client.map(function, *lists, pure=False, **options)
        return futures

    def _some(self, values: Sequence[Any]) -> list[Any]:
        """Those of the partitions that have rows."""
        return [values[k] for k in self.full]

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

    def look(self, classes: bool) -> list[Look]:
        looks: list[Look] = self._together(self._map(_look, self.names, *self.parts, classes=classes), _joined)
        self.full = [k for k, look in enumerate(looks) if look.rows > 0]
        return looks

    def take(self, firsts: list[int], zeros: int) -> list[_hardlim.Partition]:
        parts = [self._some(part) for part in (self.names, *self.parts, firsts)]
        return [self._result(future) for future in self._map(_take, *parts, zeros=zeros)]

    def code(self, coding: _hardlim.Coding, firsts: list[int]) -> list[str]:
        names, *parts = [self._some(part) for part in (self.names, *self.parts, firsts)]
        self.shards = self._map(_code, names, *parts, coding=coding)
        notes: list[str] = self._together(self._map(_notes, names, self.shards), _joined)
        self.parts = []  # Dask reads them again where a shard is lost
        return notes

    def answer(self, neurons: bytes) -> None:
        self.shards = self._map(_shards.answer, self.shards, neurons=neurons)

    def ask(self, task: str) -> str:
        answers = self._map(_shards.ask, self.shards, task=task)
        return str(self._together(answers, _hardlim.merge_answers))


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
    if isinstance(X, (list, tuple)) and len(X) and all(isinstance(part, Delayed) for part in X):
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


class _OnCluster(InShards):
    """The common base: fitting, predicting lazily, scoring and checking on the workers."""

    client: Any

    def __sklearn_clone__(self) -> Any:
        return type(self)(**self.get_params(deep=False))  # a client cannot be copied

    def __getstate__(self) -> Any:
        return {**super().__getstate__(), "client": None}  # nor be sent

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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
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
        self._fit_rows(self._rows(X, y, sample_weight))
        return self

    def certify(self, X: Any, y: Any, sample_weight: Any = None) -> _hardlim.Check:
        """Check the certificate again, from the model and its training rows alone: see :func:`hardlim.certify`."""
        check_is_fitted(self, "model_")
        return self._certify_rows(self._rows(X, y, sample_weight))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy, or ``R²`` of numbers."""
        if not _is(X, "Array DataFrame") and not _delayed(X):
            return float(super().score(X, y, sample_weight))
        rows = self._rows(X, y, sample_weight)
        fitted, classes = self.to_local(), isinstance(self, ClassifierMixin)
        sums = rows._together([*rows._map(_score, *rows.parts, fitted=fitted, classes=classes)], _sum)
        weight, first, square, error = sums.tolist()
        if classes:
            return float(first / weight)
        return float(1.0 - error / (square - first * first / weight))

    def to_local(self) -> Any:
        """The fitted estimator of :mod:`hardlim`, for rows in memory."""
        check_is_fitted(self, "model_")
        kind = estimator.ThresholdClassifier if isinstance(self, ClassifierMixin) else estimator.ThresholdRegressor
        shared = set(kind._get_param_names()) & set(self._get_param_names()) - {"n_jobs", "verbose"}
        local: Any = kind(loss=self.model_.loss, **{name: getattr(self, name) for name in shared})
        kept = "classes_ _order n_features_in_ feature_names_in_ beta_max_ trace_ choice_".split()
        for name in kept:
            if hasattr(self, name):
                setattr(local, name, getattr(self, name))
        local._hold(self.model_, self.stop_)
        return local

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


def _delayed(X: Any) -> bool:
    return isinstance(X, (list, tuple)) and len(X) > 0 and all(isinstance(part, Delayed) for part in X)


def _lazy(X: Any) -> bool:
    return _is(X, "Array DataFrame") or _delayed(X)


_DOC = """
    Parameters
    ----------
    beta : float, default=None
        The weight decay ``β``.
    beta_ratio : float, default=None
        The same as a fraction of ``beta_max``, the value at which the network becomes zero. If neither is given, the
        strength is chosen on one row in ten, held out by a hash of its number, or by ``cv``.
    cv : int, default=None
        Choose the strength by so many folds instead, for two passes more at each strength.
    patterns : int, default=None
        The number of random neurons, 2000 by default.
    inputs : str, default=None
        How many inputs they read: ``"mixed"`` by default, few and many, or a list such as ``"1,2,5"``.
    max_inputs : int, default=None
        With 1, the optimum over all neurons of one input, in place of random neurons.
    bias : bool, default=True
        Whether neurons have a bias.
    gap : float, default=None
        The relative gap to stop at, 1e-4 by default.
    time_limit : float, default=None
        Seconds, kept to a few passes; the best network so far is kept.
    standardize : bool, default=True
        Whether to draw weights on standardised inputs.
    missing : {"mean", "error"}, default="mean"
        What to do with missing values, as in :mod:`hardlim`.
    keep : str or sequence of str, default=None
        Columns of a frame to keep, although they look like identifiers, are constant or copies of others.
    random_state : int, RandomState or None, default=0
        The random seed; an integer is the ``--seed`` of the command line.
    n_jobs : int, default=None
        The number of threads of this process, which chooses and solves on a sample. Results do not depend on it.
    verbose : int, default=0
        Whether to show progress, with tqdm if it is installed.
    client : distributed.Client, default=None
        The client; by default the current one.

    Attributes
    ----------
    training_score_ : float
        The accuracy on the training rows, or ``R²``.

    The others are those of :mod:`hardlim`: ``network_``, ``certificate_``, ``choice_``, ``model_``, …
    """


class ThresholdClassifier(_OnCluster, estimator._Classifier):
    """A classifier of threshold neurons, trained on the rows of a cluster with the logistic loss."""

    loss = "logistic"
    class_weight = None

    def __init__(
        self,
        *,
        beta: float | None = None,
        beta_ratio: float | None = None,
        cv: int | None = None,
        patterns: int | None = None,
        inputs: str | None = None,
        max_inputs: int | None = None,
        bias: bool = True,
        gap: float | None = None,
        time_limit: float | None = None,
        standardize: bool = True,
        missing: str = "mean",
        keep: str | Sequence[str] | None = None,
        random_state: _inputs.Seed = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
        client: Any = None,
    ) -> None:
        take(self, locals())

    def predict(self, X: Any) -> Any:
        """The class of every row: a Dask array, a series, or a list of delayed arrays, like ``X``."""
        return self._lazily(X, "predict") if _lazy(X) else super().predict(X)

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Any:
        """The probability of every class: a Dask array, a frame, or a list of delayed arrays, like ``X``."""
        return self._lazily(X, "predict_proba") if _lazy(X) else super().predict_proba(X)

    def decision_function(self, X: Any) -> Any:
        """``f(x)`` for every row in memory; see ``to_local()`` for more."""
        return super().decision_function(X)


class ThresholdRegressor(_OnCluster, estimator._Regressor):
    """A regressor of threshold neurons, trained on the rows of a cluster with the squared loss."""

    def __init__(
        self,
        *,
        beta: float | None = None,
        beta_ratio: float | None = None,
        cv: int | None = None,
        patterns: int | None = None,
        inputs: str | None = None,
        max_inputs: int | None = None,
        bias: bool = True,
        gap: float | None = None,
        time_limit: float | None = None,
        standardize: bool = True,
        missing: str = "mean",
        keep: str | Sequence[str] | None = None,
        random_state: _inputs.Seed = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
        client: Any = None,
    ) -> None:
        take(self, locals())

    def predict(self, X: Any) -> Any:
        """``f(x)`` for every row: a Dask array, a series, or a list of delayed arrays, like ``X``."""
        return self._lazily(X, "predict") if _lazy(X) else super().predict(X)


for _kind in (ThresholdClassifier, ThresholdRegressor):
    _kind.__doc__ = f"{(_kind.__doc__ or '').rstrip()}\n{_DOC}"
