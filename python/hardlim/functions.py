"""The programs as functions."""

import numbers
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from . import _hardlim, _inputs
from ._progress import Progress


def solve_lasso(
    D: ArrayLike,
    y: ArrayLike,
    beta: float,
    loss: str = "squared",
    tol: float = 1e-8,
    sample_weight: ArrayLike | None = None,
    *,
    intercept: bool = False,
    non_negative: bool = False,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> _hardlim.LassoSolution:
    """Minimise ``L(Dw) + β‖w‖₁`` over ``w``, for a matrix of zeros and ones.

    The squared loss is ``L(u) = Σ sᵢ (uᵢ − yᵢ)²/2``. It is a sum, not a mean, so ``β`` is ``n·alpha`` of
    scikit-learn's ``Lasso``. The solution has at most ``rank(D)`` non-zeros and comes with a proof: if
    ``|dᵀz| ≤ β`` for every column ``d``, then ``−L*(z)`` is a lower bound on the objective of every ``w``.

    Parameters
    ----------
    D : array of shape (n, p)
        Zeros and ones: bool, bytes or doubles in C or Fortran order (read in place), or any other numbers
        (copied).
    y : array of shape (n,)
        The targets; −1 and 1 for the logistic and hinge losses.
    beta : float
        The weight decay ``β``.
    loss : str, default="squared"
        squared, logistic, hinge, squared-hinge, huber[:THRESHOLD], absolute, quantile[:LEVEL].
    tol : float, default=1e-8
        The relative gap to stop at; a ``ConvergenceWarning`` is raised if it is not reached.
    sample_weight : array of shape (n,), default=None
        The weights ``sᵢ``.
    intercept, non_negative : bool
        Whether to add an output bias that is not penalised; whether ``w ≥ 0``.
    time_limit : float, default=None
        Stop after this many seconds and keep the best ``w`` found.
    n_jobs, verbose : int
        The number of threads, and whether to show progress.

    Returns
    -------
    LassoSolution
        ``coefficients``, ``objective``, ``lower_bound``, ``gap``, ``certificate``, ….
    """
    design = _design(D)
    options = {
        "loss": loss,
        "gap": tol,
        "intercept": intercept,
        "non_negative": non_negative,
        "time_limit": time_limit,
        "threads": _inputs.threads(n_jobs),
    }
    weights = None if sample_weight is None else _inputs.vector(sample_weight, "sample_weight")
    with Progress(verbose) as listener:
        solution = _hardlim.solve_lasso(design, _inputs.vector(y), _number(beta, "beta"), options, weights, listener)
    if solution.gap > tol:
        text = f"the relative gap is {solution.gap:.3g}, not {tol:.3g} (stopped: {solution.stop})"
        warnings.warn(text, ConvergenceWarning, stacklevel=2)
    return solution


def _design(D: Any) -> NDArray[Any]:
    """A contiguous matrix of bytes or doubles."""
    if sparse.issparse(D):
        raise TypeError("D is sparse; give a dense matrix of zeros and ones: D.toarray()")
    D = np.asarray(D)
    if D.ndim != 2:
        raise ValueError(f"D must have two dimensions, got {D.ndim}")
    if D.dtype.kind not in "biuf":
        kind = ValueError if D.dtype.kind == "c" else TypeError
        raise kind(f"D must hold zeros and ones, got {D.dtype}")
    if D.dtype.kind != "b" and D.dtype not in (np.uint8, np.float64):
        ones = D == 1
        if not np.all(ones | (D == 0)):
            row, column = np.argwhere(~(ones | (D == 0)))[0]
            raise _hardlim.HardlimError(f"row {row + 1}, column {column + 1}: expected 0 or 1, found {D[row, column]}")
        D = ones
    if not (D.flags.c_contiguous or D.flags.f_contiguous) or not D.flags.aligned:
        D = np.ascontiguousarray(D)
    return D.view(np.uint8) if D.dtype.kind == "b" else D


def _number(value: Any, name: str) -> float:
    if not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    return float(value)


def path(
    X: ArrayLike,
    y: ArrayLike,
    X_test: ArrayLike | None = None,
    y_test: ArrayLike | None = None,
    *,
    task: str = "auto",
    loss: str = "squared",
    patterns: int | None = None,
    max_inputs: int | None = None,
    conditions: int | None = None,
    points: int = 100,
    least: float = 0.001,
    bias: bool = True,
    intercept: bool = False,
    non_negative: bool = False,
    monotone: dict[str, str | int] | None = None,
    interactions: Sequence[tuple[str, str]] | None = None,
    no_interactions: str | Sequence[str] | None = None,
    standardize: bool = True,
    sample_weight: ArrayLike | None = None,
    missing: str | None = None,
    keep: str | Sequence[str] | None = None,
    gap: float | None = None,
    time_limit: float | None = None,
    random_state: _inputs.Seed = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> _hardlim.Path:
    """The optimum for a decreasing sequence of ``β``, on one dictionary of random patterns.

    With ``max_inputs`` of 1, 2 or 3, the optimum over all networks whose neurons read at most
    ``max_inputs`` columns, proven to a relative gap of 1e-3, or to ``gap``. With ``conditions`` of 2, the
    same over all rules of two conditions.

    At ``β = beta_max`` the network is zero. From there, ``points`` values of ``β`` fall by a constant factor
    to ``least · beta_max``. The search for each optimum starts from the previous one.

    Parameters
    ----------
    X, y : array-like
        The data. ``task`` says whether ``y`` is a number or one of two classes, as on the command line;
        ``"auto"`` treats two values, or text, as classes.
    X_test, y_test : array-like, default=None
        Held-out rows and their targets: the outputs on these rows are returned, and the scores.
    monotone, interactions, no_interactions, missing, keep
        As for the estimators.

    Returns
    -------
    Path
        ``betas``, ``objectives``, ``lower_bounds``, ``n_neurons``, ``coefficients``, ``outputs``, and the
        ``scores`` on the training rows, one for each ``β``: ``scoring`` says whether that is the accuracy or R².
        With held-out rows ``held_out``, their outputs, and ``test_scores``.

    Examples
    --------
    >>> from hardlim import path
    >>> from hardlim.datasets import load_titanic
    >>> X, y = load_titanic(return_X_y=True)
    >>> found = path(X[:1500], y[:1500], X[1500:], y[1500:], points=5, least=0.01)
    >>> best = found.test_scores.argmax()
    >>> found.scoring, found.test_scores.shape, bool(found.betas[best] < found.beta_max)
    ('accuracy', (5,), True)
    """
    if y_test is not None and X_test is None:
        raise ValueError("y_test needs X_test, the rows that it belongs to")
    inputs = _inputs.plain(X, missing)
    data = _training_data(inputs, X, y, task, sample_weight, missing, keep, max_inputs)
    options = {
        "loss": loss,
        "patterns": patterns,
        "max_inputs": max_inputs,
        "conditions": conditions,
        "n_ratios": points,
        "least_ratio": least,
        "bias": bias,
        "intercept": intercept,
        "non_negative": non_negative,
        "monotone": monotone,
        "interactions": interactions,
        "no_interactions": _inputs.names(no_interactions),
        "standardize": standardize,
        "gap": gap,
        "time_limit": time_limit,
        "seed": _inputs.seed(random_state),
        "threads": _inputs.threads(n_jobs),
    }
    columns = isinstance(inputs.x, list)
    test = _inputs.Inputs(None) if X_test is None else _inputs.plain(X_test, missing, columns)
    targets = None if y_test is None else _inputs.targets_like(y_test, y, task)
    if targets is not None:
        _inputs.same_length(X_test, targets)
    with Progress(verbose) as listener:
        return _hardlim.path(data, options, test.x, test.names, targets, listener)


def arrangements(
    X: ArrayLike,
    *,
    widths: int | Sequence[int] = (),
    tree: bool = False,
    bias: bool = True,
    limit: int = 1_000_000,
    count_only: bool = False,
    n_jobs: int | None = None,
) -> _hardlim.Arrangements:
    """Every pattern ``1{x·w + b ≥ 0}`` that a threshold neuron can produce on the rows of ``X``.

    With ``widths``, the patterns of the last neuron of subnetworks with such layers below it. If there may
    be more than ``limit`` patterns, the error has the estimate.

    Returns
    -------
    Arrangements
        ``count``, ``patterns`` (a bool matrix with one column for each), ``rank``, ``distinct``,
        ``upper_bound``, ``complete``.
    """
    options = {
        "widths": [int(width) for width in np.atleast_1d(np.asarray(widths, dtype=int))],
        "tree": tree,
        "bias": bias,
        "limit": limit,
        "count_only": count_only,
        "threads": _inputs.threads(n_jobs),
    }
    return _hardlim.arrangements(_inputs.rows(X), options)


def best_halfspace(
    X: ArrayLike,
    z: ArrayLike,
    *,
    max_inputs: int | None = None,
    gap: float = 0.0,
    bias: bool = True,
    time_limit: float | None = None,
    random_state: _inputs.Seed = None,
    n_jobs: int | None = None,
) -> _hardlim.Halfspace:
    """The halfspace ``x·w + b ≥ 0`` with the largest ``Σ zᵢ`` over the rows in it, with a proof.

    Rows with a positive ``z`` should be in the halfspace, rows with a negative one outside. A row on the
    wrong side costs ``|zᵢ|``; the loss is the sum of these. With labels −1 and 1 it is the number of errors
    of the best linear classifier; with weights of both signs the sum is the maximum halfspace discrepancy.

    Parameters
    ----------
    X : array of shape (n, d)
        The rows.
    z : array of shape (n,)
        Their weights, of both signs.
    max_inputs : int, default=None
        How many columns the halfspace may read: 1, 2, or all.
    gap : float, default=0.0
        Stop when the loss is proven to be within this fraction of the least.
    bias : bool, default=True
        Whether the boundary may miss the origin.
    time_limit : float, default=None
        Stop after this many seconds and keep the best halfspace and the best bound found.
    random_state, n_jobs : int
        The seed of the local search, and the number of threads.

    Returns
    -------
    Halfspace
        ``weights``, ``bias``, ``inside``, ``value``, ``upper_bound``, ``loss``, ``lower_bound``, ``gap``,
        ``optimal``.
    """
    options = {
        "max_inputs": max_inputs,
        "gap": _number(gap, "gap"),
        "bias": bias,
        "time_limit": time_limit,
        "seed": _inputs.seed(random_state),
        "threads": _inputs.threads(n_jobs),
    }
    return _hardlim.best_halfspace(_inputs.rows(X), _inputs.vector(z, "z"), options)


def complete(
    y: ArrayLike,
    beta: float,
    loss: str = "squared",
    sample_weight: ArrayLike | None = None,
    *,
    intercept: bool = False,
    non_negative: bool = False,
    n_jobs: int | None = None,
) -> _hardlim.CompleteSolution:
    """Minimise ``L(δ) + β (max δ₊ + max δ₋)`` over ``δ``: the complete program.

    If every dichotomy of the rows is possible, its value is that of the best network of any width. For any
    distinct rows with these targets, it is a lower bound for every network of any width and depth.

    Returns
    -------
    CompleteSolution
        ``delta``, ``objective``, ``amplitudes``, ``intercept``, ``beta_max``.
    """
    options = {
        "loss": loss,
        "intercept": intercept,
        "non_negative": non_negative,
        "threads": _inputs.threads(n_jobs),
    }
    weights = None if sample_weight is None else _inputs.vector(sample_weight, "sample_weight")
    return _hardlim.complete(_inputs.vector(y), _number(beta, "beta"), options, weights)


def interpolate(
    X: ArrayLike,
    y: ArrayLike,
    *,
    task: str = "auto",
    method: str = "auto",
    patterns: int | None = None,
    bias: bool = True,
    missing: str | None = None,
    keep: str | Sequence[str] | None = None,
    gap: float | None = None,
    time_limit: float | None = None,
    random_state: _inputs.Seed = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> _hardlim.Interpolation:
    """The network of least ``Σ|aⱼ|`` that fits every target: ``min ‖w‖₁`` where ``Dw = y``.

    If there is none, the result has a vector ``z`` that proves it: ``dᵀz = 0`` for every pattern ``d``, and
    ``yᵀz > 0``.

    Returns
    -------
    Interpolation
        ``feasible``, ``model``, ``norm``, ``lower_bound``, ``residual``; or ``reason``, ``separation``.
    """
    data = _training_data(_inputs.plain(X, missing), X, y, task, None, missing, keep)
    options = {
        "method": method,
        "patterns": patterns,
        "bias": bias,
        "gap": gap,
        "time_limit": time_limit,
        "seed": _inputs.seed(random_state),
        "threads": _inputs.threads(n_jobs),
    }
    with Progress(verbose) as listener:
        return _hardlim.interpolate(data, options, listener)


def _training_data(
    inputs: _inputs.Inputs,
    X: ArrayLike,
    y: ArrayLike,
    task: str,
    sample_weight: ArrayLike | None,
    missing: str | None,
    keep: str | Sequence[str] | None,
    max_inputs: int | None = None,
) -> _hardlim.TrainingData:
    """The data of a function; what was decided about the columns of a frame is a warning."""
    _inputs.same_length(X, y, sample_weight)
    values, labels = _inputs.task_of(y, task)
    columns = {
        "categorical": list(inputs.categorical),
        "missing": missing,
        "max_inputs": max_inputs,
        "keep": _inputs.names(keep),
        "keep_all": not inputs.frame,
    }
    target = _inputs.target_name(y, inputs.names)
    weights = _inputs.weights(sample_weight, X)
    data = _hardlim.TrainingData(inputs.x, inputs.names, target, values, columns, labels, weights)
    if inputs.frame and data.notes:
        warnings.warn("\n".join(data.notes), stacklevel=3)
    return data


def describe(X: ArrayLike, y: ArrayLike | None = None, *, keep: str | Sequence[str] | None = None) -> dict[str, Any]:
    """What a frame or an array would be read as, column by column, before any training.

    Frames are read like tables on the command line (``hardlim describe``). Arrays are taken as they are when an
    estimator is fitted; here they are described in the same way.

    Parameters
    ----------
    X : array-like or frame
        The columns.
    y : array-like, default=None
        The target, which is described, too.
    keep : str or sequence of str, default=None
        Columns to keep, although they look like identifiers, are constant or copies of others.

    Returns
    -------
    dict
        ``columns``, a list with a dict for each column (``name``, ``role``, ``read_as``, ``distinct``, ``missing``,
        ``range``, ``frequent``, ``why``, ``features``), ``rows``, ``features`` (how many inputs there would be),
        ``target``, ``notes`` (one sentence for each decision) and ``problem`` (why it cannot be used, or None).
    """
    inputs = _inputs.plain(X, columns=True)
    columns = list(inputs.x)
    names = inputs.names or [f"x{j + 1}" for j in range(len(columns))]
    if y is not None:
        _inputs.same_length(X, y)
        columns.append(_inputs.target_column(y))
        names = [*names, _inputs.target_name(y, names)]
    return _hardlim.describe(columns, names, y is not None, list(inputs.categorical), _inputs.names(keep))
