"""Inputs of users, converted for the compiled part: matrices, columns, targets, weights, seeds."""

import datetime
import numbers
import os
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import (
    _check_sample_weight,
    check_array,
    check_consistent_length,
    column_or_1d,
    validate_data,
)

# The types that are read in place; everything else is converted to the first of them.
_READ = [np.float64, np.float32, np.int64, np.int32, np.uint8]

Seed: TypeAlias = int | np.random.RandomState | None
_Column: TypeAlias = tuple[NDArray[Any], list[str] | None]


class Inputs(NamedTuple):
    """``X``: a matrix, or a list of columns ``(values, levels)``; names; columns of labels; whether it is a frame."""

    x: Any
    names: list[str] | None = None
    categorical: list[str] | tuple[str, ...] = ()
    frame: bool = False


def is_frame(X: Any) -> bool:
    """Whether it is a frame of pandas or polars."""
    pandas = hasattr(X, "iloc") and hasattr(X, "dtypes")
    return pandas or (type(X).__module__.partition(".")[0] == "polars" and hasattr(X, "get_columns"))


def names(columns: str | Iterable[object] | None) -> list[str]:
    """The names of columns, from one name or several."""
    if columns is None:
        return []
    return [columns] if isinstance(columns, str) else [str(column) for column in columns]


def refuse_sparse(X: Any) -> None:
    """Refuses a sparse matrix, with the size that it would have."""
    if sparse.issparse(X):
        rows, columns = X.shape
        size = 8 * rows * columns
        unit = next((unit for unit in ("GB", "MB", "kB") if size >= _BYTES[unit]), "bytes")
        raise TypeError(
            f"Sparse data was passed, but dense data is required: {rows} rows of {columns} columns would take "
            f"{size / _BYTES[unit]:.3g} {unit}. If that fits into memory, give X.toarray(), otherwise fewer columns"
        )


_BYTES = {"bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}


def frame(X: Any) -> Inputs | None:
    """The columns of a frame; ``None`` for anything else."""
    if hasattr(X, "iloc") and hasattr(X, "dtypes"):
        columns = [_pandas(X.iloc[:, j]) for j in range(X.shape[1])]
    elif type(X).__module__.partition(".")[0] == "polars" and hasattr(X, "get_columns"):
        columns = [_polars(column) for column in X.get_columns()]
    else:
        return None
    if len(X) == 0:
        raise ValueError(f"Found a frame with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
    if not columns:
        raise ValueError(f"Found a frame with 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
    names = [str(name) for name in X.columns]
    categorical = [name for name, (_, _, labels) in zip(names, columns) if labels]
    return Inputs([(values, levels) for values, levels, _ in columns], names, categorical, True)


def _pandas(column: Any) -> tuple[NDArray[Any], list[str] | None, bool]:
    """Values, levels, and whether the type of the column says that they are labels."""
    if column.dtype.name == "category":
        levels = [str(level) for level in column.cat.categories]
        return aligned(column.cat.codes, np.int32), levels, True
    if column.dtype.kind == "b" and column.dtype.name != "bool":
        return _booleans(column.to_numpy(dtype=np.float64, na_value=np.nan))
    if column.dtype.kind in "biuf":
        return _floats(column), None, False
    if column.dtype.kind == "M":
        codes, moments = column.factorize()
        return np.asarray(codes, dtype=np.int32), [moment.isoformat() for moment in moments], False
    if column.dtype.kind in "cmV":
        raise TypeError(f"column {column.name!r}: {column.dtype} is neither numbers, labels nor dates")
    codes, levels = column.factorize()
    return _labels(column.name, codes, levels)


def _polars(column: Any) -> tuple[NDArray[Any], list[str] | None, bool]:
    kind = str(column.dtype)
    if column.dtype.is_numeric() or kind == "Boolean":
        return column.cast(float, strict=False).to_numpy().astype(np.float64), None, False
    if kind.startswith(("Duration", "List", "Array", "Struct", "Object", "Binary")):
        raise TypeError(f"column {column.name!r}: {kind} is neither numbers nor labels")
    place: dict[Any, int] = {}
    codes = [-1 if v is None else place.setdefault(v, len(place)) for v in column.to_list()]
    values, levels, _ = _labels(column.name, codes, list(place))
    return values, levels, kind.startswith(("Categorical", "Enum"))


def _booleans(values: NDArray[np.float64]) -> tuple[NDArray[Any], list[str], bool]:
    """A boolean that may be missing is a label, as in Parquet."""
    return np.where(np.isnan(values), -1, values).astype(np.int32), ["false", "true"], False


def _labels(name: object, codes: Any, levels: Any) -> tuple[NDArray[Any], list[str], bool]:
    levels = [v.isoformat() if isinstance(v, (datetime.date, datetime.time)) else v for v in levels]
    odd = next((v for v in levels if not isinstance(v, (str, numbers.Real, np.bool_))), None)
    if odd is not None:
        raise TypeError(f"column {name!r}: {odd!r} is neither a number, a label nor a date")
    return np.asarray(codes, dtype=np.int32), [str(level) for level in levels], False


def _floats(column: Any) -> NDArray[np.float64]:
    return aligned(column.to_numpy(dtype=np.float64, na_value=np.nan), np.float64)


def aligned(values: Any, dtype: Any) -> NDArray[Any]:
    """An array that the compiled part can read in place: one that came from another process may lie at any byte."""
    return np.require(values, dtype=dtype, requirements=["C", "A"])


def matrix(X: NDArray[Any]) -> NDArray[Any]:
    """An aligned matrix that is read in place, from an array that was checked."""
    return np.require(X, requirements="A")


def read(estimator: Any, X: Any, missing: str | None = None) -> Inputs:
    """``X`` for a fitted estimator, checked as scikit-learn does. A model that was loaded finds its columns by name."""
    refuse_sparse(X)
    columns = frame(X)
    if columns is not None:
        if not estimator._by_name:
            validate_data(estimator, X, reset=False, skip_check_array=True)
        return columns
    finite = "allow-nan" if missing != "error" else True
    checked = validate_data(estimator, X, reset=False, dtype=_READ, ensure_all_finite=finite)
    names = getattr(estimator, "feature_names_in_", None)
    return of_matrix(checked, names, columns=not estimator.model_.is_numeric)


def of_matrix(X: NDArray[Any], names: Iterable[object] | None = None, columns: bool = False) -> Inputs:
    """A matrix, or its columns if values are missing or columns are asked for."""
    known = None if names is None else [str(name) for name in names]
    if columns or (X.dtype.kind == "f" and np.isnan(X).any()):
        values = [(aligned(X[:, j], np.float64), None) for j in range(X.shape[1])]
        return Inputs(values, known)
    return Inputs(matrix(X), known)


def plain(X: Any, missing: str | None = None, columns: bool = False) -> Inputs:
    """``X`` for a function, without an estimator."""
    refuse_sparse(X)
    read = frame(X)
    if read is not None:
        return read
    finite = "allow-nan" if missing != "error" else True
    checked = check_array(X, dtype=_READ, ensure_all_finite=finite, input_name="X")
    return of_matrix(checked, columns=columns)


def rows(X: Any) -> NDArray[Any]:
    """``X`` as a matrix of finite numbers."""
    refuse_sparse(X)
    return matrix(check_array(X, dtype=_READ, input_name="X"))


def target_name(y: Any, names: list[str] | None) -> str:
    """The name of the target: its own name, if no column has it."""
    name = getattr(y, "name", None)
    name = name if isinstance(name, str) and name else "y"
    while names is not None and name in names:
        name += "_"
    return name


def target_column(y: Any) -> _Column:
    """The target as a column: numbers, or labels."""
    y = column_or_1d(y)
    if y.dtype.kind in "iuf":
        return aligned(y, np.float64), None
    labels, places = np.unique(y.astype(str), return_inverse=True)
    return np.asarray(places, dtype=np.int32), [str(label) for label in labels]


def vector(y: Any, name: str = "y") -> NDArray[np.float64]:
    """Finite numbers in one dimension."""
    y = column_or_1d(y)
    if np.iscomplexobj(y):
        raise ValueError(f"Complex data not supported: {name}")
    y = check_array(y, ensure_2d=False, dtype=np.float64, ensure_min_samples=0, input_name=name)
    return aligned(y, np.float64)


def weights(sample_weight: ArrayLike | None, X: Any) -> NDArray[np.float64] | None:
    """Sample weights, or ``None``."""
    if sample_weight is None:
        return None
    checked = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    return aligned(checked, np.float64)


def classes(y: Any) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """The distinct labels in order, and for every sample the index of its label."""
    labels, places = np.unique(np.asarray(y), return_inverse=True)
    return labels, np.asarray(places, dtype=np.float64)


def names_of(labels: NDArray[Any]) -> list[str]:
    """Labels as text."""
    return [str(label) for label in labels.tolist()]


def task_of(y: Any, task: str) -> tuple[NDArray[np.float64], list[str] | None]:
    """Numbers, or indices of labels; the task is ``auto``, ``classify`` or ``regress``."""
    if task not in ("auto", "classify", "regress"):
        raise ValueError(f"task must be auto, classify or regress, got {task!r}")
    y = column_or_1d(y)
    text = y.dtype.kind not in "iuf"
    if task == "regress" or (task == "auto" and not text and len(np.unique(y)) != 2):
        return vector(y), None
    labels, places = classes(y)
    return places, names_of(labels)


def targets_like(y_test: Any, y: Any, task: str) -> NDArray[np.float64]:
    """Targets of other rows, as those of the training rows are read."""
    _, labels = task_of(y, task)
    if labels is None:
        return vector(y_test, "y_test")
    known = classes(column_or_1d(y))[0]
    found = column_or_1d(y_test)
    unknown = np.setdiff1d(found, known)
    if len(unknown):
        raise ValueError(f"y_test has the unknown class {unknown.tolist()[0]!r}")
    return np.searchsorted(known, found).astype(np.float64)


def same_length(X: Any, *others: Any) -> None:
    check_consistent_length(X, *(other for other in others if other is not None))


def seed(random_state: Seed) -> int:
    """The seed; an integer is used as it is, so it means the same as ``--seed``."""
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state must be at least zero, got {random_state}")
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def threads(n_jobs: int | None) -> int | None:
    """The number of threads: all cores by default, or ``OMP_NUM_THREADS``, which joblib sets in its workers."""
    if n_jobs is None:
        limit = os.environ.get("OMP_NUM_THREADS", "")
        return int(limit) if limit.isdigit() and int(limit) > 0 else None
    if not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs must be a non-zero integer or None, got {n_jobs!r}")
    cores = os.cpu_count() or 1
    return min(int(n_jobs), 1024) if n_jobs > 0 else max(1, cores + 1 + int(n_jobs))
