"""Estimators for rows in several parts on one machine: files, or lists of arrays and frames.

The model is that of ``hardlim train --memory``, to the last bit, however the rows are divided. There are two ways:

- with ``memory``, files are read block by block in this process, within about so much memory;
- otherwise each part is one job of `joblib <https://joblib.readthedocs.io>`_, on any of its backends. Parts wait coded in
  a temporary folder, so memory holds as many of them as there are jobs.

>>> import joblib
>>> import numpy as np
>>> from hardlim.shards import ThresholdClassifier
>>> rng = np.random.default_rng(0)
>>> X = [rng.normal(size=(1000, 3)) for part in range(4)]
>>> y = [(x[:, 0] + x[:, 1] > 0).astype(int) for x in X]
>>> with joblib.parallel_config("threading", n_jobs=2):
...     model = ThresholdClassifier(patterns=200).fit(X, y)
>>> bool(model.score(X[0], y[0]) > 0.95)
True
"""

import glob
import pickle
import re
import tempfile
import warnings
from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from . import _hardlim, _inputs, _shards, estimator
from ._base import take
from ._progress import Progress
from ._shards import InShards, Look, Part, shortened

__all__ = ["ThresholdClassifier", "ThresholdRegressor"]

_UNITS = {"": 1.0, "b": 1.0} | {
    spelling: float(base**power)
    for power, letter in enumerate("kmgt", start=1)
    for spelling, base in [(letter, 1024), (f"{letter}ib", 1024), (f"{letter}b", 1000)]
}


def _bytes(memory: int | float | str) -> int:
    """A number of bytes: ``1 << 30``, ``"1GiB"`` or ``"500MB"``."""
    found = re.fullmatch(r"\s*([0-9]+\.?[0-9]*)\s*([a-zA-Z]*)\s*", str(memory))
    unit = _UNITS.get(found[2].lower()) if found else None
    if found is None or unit is None:
        raise ValueError(f"memory must be a size such as '1GiB' or '500MB', got {memory!r}")
    return int(float(found[1]) * unit)


def _opened(path: str) -> _hardlim.Partition:
    return _hardlim.Partition.open(path)


def _look(part: Any, classes: bool) -> Look:
    if isinstance(part, str):
        return Look(_opened(part).rows, frame=True)
    return _shards.look(part, classes)


def _take(part: Any, first: int, zeros: int) -> _hardlim.Partition:
    return _opened(part).take(first, zeros) if isinstance(part, str) else _shards.take(part, first, zeros)


def _code(part: Any, first: int, coding: _hardlim.Coding, file: Path) -> list[str]:
    """Writes the shard of a part; returns what its rows have that the sample had not."""
    if isinstance(part, str):
        source, shard = part, _opened(part).code(coding, first, _shards.threads())
    else:
        source, shard = part.source, _shards.code(part, first, coding)
    file.write_bytes(pickle.dumps(shard))
    return [f"{source}: {note}" for note in shard.notes]


def _answer(file: Path, neurons: bytes) -> None:
    file.write_bytes(pickle.dumps(_shards.answer(pickle.loads(file.read_bytes()), neurons)))


def _ask(file: Path, task: str) -> str:
    return _shards.ask(pickle.loads(file.read_bytes()), task)


class _Folder:
    """Parts whose shards wait in a folder, and the jobs that work on them."""

    def __init__(self, folder: str, parts: list[Any], n_jobs: int | None) -> None:
        self.parts = parts
        self.n_jobs = n_jobs
        self.files = [Path(folder) / f"{k}.shard" for k in range(len(parts))]
        self.full = list(range(len(parts)))

    def _map(self, function: Any, *lists: Sequence[Any], **options: Any) -> list[Any]:
        jobs = [delayed(function)(*values, **options) for values in zip(*lists)]
        return list(Parallel(n_jobs=self.n_jobs)(jobs))

    def _some(self, values: Sequence[Any]) -> list[Any]:
        return [values[k] for k in self.full]

    def sources(self) -> list[str]:
        return [part if isinstance(part, str) else part.source for part in self.parts]

    def look(self, classes: bool) -> list[Look]:
        looks = self._map(_look, self.parts, classes=classes)
        self.full = [k for k, look in enumerate(looks) if look.rows > 0]
        return looks

    def take(self, firsts: list[int], zeros: int) -> list[_hardlim.Partition]:
        return self._map(_take, self._some(self.parts), self._some(firsts), zeros=zeros)

    def code(self, coding: _hardlim.Coding, firsts: list[int]) -> list[str]:
        self.files = self._some(self.files)
        news = self._map(_code, self._some(self.parts), self._some(firsts), [coding] * len(self.full), self.files)
        return [note for notes in news for note in notes]

    def answer(self, neurons: bytes) -> None:
        self._map(_answer, self.files, neurons=neurons)

    def ask(self, task: str) -> str:
        return _hardlim.merge_answers(self._map(_ask, self.files, task=task))


def _files(X: Any) -> list[str] | None:
    """The names of files, if these are given; those of a pattern are sorted."""
    names = [X] if isinstance(X, (str, PathLike)) else X
    if not isinstance(names, (list, tuple)) or not names or not isinstance(names[0], (str, PathLike)):
        return None
    files: list[str] = []
    for name in map(fspath, names):
        if any(letter in name for letter in "*?") and not Path(name).exists():
            found = sorted(glob.glob(name))
            if not found:
                raise FileNotFoundError(f"cannot read {name}: no file has such a name")
            files.extend(found)
        else:
            files.append(name)
    return files


class _InParts(InShards):
    """The common base."""

    memory: int | str | None
    folder: str | None
    categorical: Any
    ignore: Any
    _of_files: bool

    def _read(self, X: Any) -> _inputs.Inputs:
        check_is_fitted(self, "model_")
        # The columns of files are found by name; the target and others may be among them.
        inputs = _inputs.frame(X) if self._of_files else None
        return super()._read(X) if inputs is None else inputs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Train on all parts.

        Parameters
        ----------
        X : list of files, or list of arrays or frames
            CSV or Parquet files, as the command line reads them; a name may have ``*`` and ``?``. Or rows in memory,
            part by part.
        y : str, or list of arrays
            The name of the target in files, by default their last column; or the targets, part by part.
        sample_weight : str, or list of arrays, default=None
            The name of the column of weights in files; or the weights ``sᵢ``, part by part.

        Returns
        -------
        self
        """
        files = _files(X)
        self._of_files = files is not None
        if files is not None:
            return self._fit_files(files, y, sample_weight)
        if self.memory is not None:
            raise ValueError("memory is for files: X must be a list of their names")
        parts = self._parts(X, y, sample_weight)
        with tempfile.TemporaryDirectory(prefix="hardlim-", dir=self.folder) as folder:
            self._fit_rows(_Folder(folder, parts, self.n_jobs))
        return self

    def _parts(self, X: Any, y: Any, sample_weight: Any) -> list[Part]:
        if not isinstance(X, (list, tuple)) or not X or not hasattr(X[0], "shape"):
            raise TypeError("X must be a list of files, or a list of arrays or frames")
        for name, values in [("y", y), ("sample_weight", sample_weight)]:
            if values is None and name == "sample_weight":
                continue
            if not isinstance(values, (list, tuple)) or len(values) != len(X):
                raise ValueError(f"X has {len(X)} parts, so {name} must be a list of {len(X)} arrays")
        weights = [None] * len(X) if sample_weight is None else sample_weight
        return [Part(f"part {k}", *values) for k, values in enumerate(zip(X, y, weights))]

    def _file_options(self, target: str | None, weight_column: str | None) -> dict[str, Any]:
        lists = {"categorical": _inputs.names(self.categorical), "ignore": _inputs.names(self.ignore)}
        task = "classify" if isinstance(self, ClassifierMixin) else "regress"
        return self._options() | lists | {"target": target, "task": task, "weight_column": weight_column}

    def _fit_files(self, files: list[str], target: str | None, weight_column: str | None) -> Any:
        options = self._file_options(target, weight_column)
        with Progress(self.verbose) as listener:
            if self.memory is not None:
                training, coding, score, _, news = _hardlim.train_files(files, _bytes(self.memory), options, listener)
            else:
                with tempfile.TemporaryDirectory(prefix="hardlim-", dir=self.folder) as folder:
                    rows = _Folder(folder, list(files), self.n_jobs)
                    firsts, count = _shards._firsts(rows.look(False))
                    zeros = _hardlim.sample_zeros(count, _inputs.threads(self.n_jobs))
                    taken = [part for part in rows.take(firsts, zeros) if part.rows > 0]
                    coding, sample = _hardlim.code_sample(taken, options, _inputs.threads(self.n_jobs))
                    news = rows.code(coding, firsts)
                    training, score = _hardlim.train_rows(coding, sample, rows, options, listener)
        self.training_score_ = score
        self._keep_model(training, coding)
        notes = self.notes_ + shortened(news)
        if notes:
            warnings.warn("\n".join(notes), stacklevel=3)
        return self

    def _keep_model(self, training: _hardlim.Training, coding: _hardlim.Coding) -> None:
        from .models import _labels

        if coding.classes is not None:
            self.classes_ = _labels(coding.classes)
            self._order = np.arange(len(self.classes_))
        names = training.model.inputs
        self.n_features_in_ = len(names)
        self.feature_names_in_ = np.asarray(names, dtype=object)
        self._keep(training, None)

    def certify(self, X: Any, y: Any = None, sample_weight: Any = None) -> _hardlim.Check:
        """Check the certificate again, from the model and its training rows alone: see :func:`hardlim.certify`."""
        check_is_fitted(self, "model_")
        parts: list[Any] | None = _files(X)
        if parts is None:
            parts = list(self._parts(X, y, sample_weight))
        with tempfile.TemporaryDirectory(prefix="hardlim-", dir=self.folder) as folder:
            return self._certify_rows(_Folder(folder, parts, self.n_jobs))


_DOC = """
    Parameters
    ----------
    memory : int or str, default=None
        Read files block by block, within about so much memory, for example ``"1GiB"``. By default each part is a
        job of joblib.
    folder : str, default=None
        Where parts wait: by default the folder for temporary files. It is emptied at the end. Jobs on several machines
        need one that all of them see.
    categorical, ignore : str or sequence of str, default=None
        Columns of files whose numbers are labels, and columns to leave out.
    beta, beta_ratio, cv, patterns, inputs, max_inputs, bias, gap, time_limit, standardize, missing, keep, random_state,
    verbose
        As in :class:`hardlim.dask.ThresholdClassifier`.
    n_jobs : int, default=None
        The number of jobs: by default what ``joblib.parallel_config`` says, or one; with ``memory``, the number of
        threads. Results do not depend on it.

    Attributes
    ----------
    training_score_ : float
        The accuracy on the training rows, or ``R²``.

    The others are those of :mod:`hardlim`: ``network_``, ``certificate_``, ``choice_``, ``model_``, …
    """


class ThresholdClassifier(_InParts, estimator._Classifier):
    """A classifier of threshold neurons for rows in several parts, with the logistic loss."""

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
        categorical: str | Sequence[str] | None = None,
        ignore: str | Sequence[str] | None = None,
        memory: int | str | None = None,
        folder: str | None = None,
        random_state: _inputs.Seed = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        take(self, locals())


class ThresholdRegressor(_InParts, estimator._Regressor):
    """A regressor of threshold neurons for rows in several parts, with the squared loss."""

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
        categorical: str | Sequence[str] | None = None,
        ignore: str | Sequence[str] | None = None,
        memory: int | str | None = None,
        folder: str | None = None,
        random_state: _inputs.Seed = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        take(self, locals())


for _kind in (ThresholdClassifier, ThresholdRegressor):
    _kind.__doc__ = f"{(_kind.__doc__ or '').rstrip()}\n{_DOC}"
