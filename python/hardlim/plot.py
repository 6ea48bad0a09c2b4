"""Pictures, with matplotlib: ``pip install hardlim[plot]``."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._hardlim import Path

_BLUE, _ORANGE = "#0072B2", "#D55E00"


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install hardlim[plot]") from error
    return plt


def plot_path(path: Path, axes: Any = None) -> Any:
    """Objective, neurons and coefficients along a path, against ``β``.

    Parameters
    ----------
    path : Path
        The result of :func:`hardlim.path`.
    axes : three axes of matplotlib, default=None
        Where to draw; a new figure by default.

    Returns
    -------
    the three axes
    """
    if axes is None:
        _, axes = _pyplot().subplots(3, 1, sharex=True, figsize=(7, 8), layout="constrained")
    top, middle, bottom = axes
    top.plot(path.betas, path.objectives, color=_BLUE, label="objective")
    top.plot(path.betas, path.lower_bounds, color=_ORANGE, linestyle="--", label="lower bound")
    top.set_ylabel("objective")
    top.legend()
    middle.step(path.betas, path.n_neurons, color=_BLUE, where="mid")
    middle.set_ylabel("neurons")
    used = np.any(path.coefficients != 0, axis=0)
    bottom.plot(path.betas, path.coefficients[:, used], color=_BLUE, linewidth=0.6, alpha=0.6)
    bottom.set_ylabel("coefficients")
    bottom.set_xlabel("beta")
    for axis in axes:
        axis.set_xscale("log")
    return axes


def plot_convergence(estimator: Any, ax: Any = None) -> Any:
    """Objective and lower bound against time, for a trained estimator."""
    if ax is None:
        _, ax = _pyplot().subplots(layout="constrained")
    seconds, objective, bound = estimator.trace_[:, 0], estimator.trace_[:, 4], estimator.trace_[:, 5]
    ax.plot(seconds, objective, color=_BLUE, drawstyle="steps-post", label="objective")
    ax.plot(seconds, bound, color=_ORANGE, drawstyle="steps-post", label="lower bound")
    ax.fill_between(seconds, bound, objective, step="post", color=_BLUE, alpha=0.1)
    ax.set_xlabel("seconds")
    ax.set_ylabel("objective")
    ax.legend()
    return ax


def plot_boundary(
    estimator: Any, X: ArrayLike, y: ArrayLike | None = None, ax: Any = None, resolution: int = 300
) -> Any:
    """The predictions of an estimator of two features, the lines where its neurons switch, and the data."""
    if ax is None:
        _, ax = _pyplot().subplots(layout="constrained")
    values = np.asarray(X, dtype=float)
    if values.ndim != 2 or values.shape[1] != 2:
        raise ValueError(f"expected two features, found the shape {values.shape}")
    low, high = values.min(axis=0), values.max(axis=0)
    room = 0.05 * np.where(high > low, high - low, 1.0)
    axes = [np.linspace(low[k] - room[k], high[k] + room[k], resolution) for k in (0, 1)]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    names = getattr(estimator, "feature_names_in_", None)
    if names is not None:
        import pandas as pd

        grid = pd.DataFrame(grid, columns=names)
    answers = estimator.predict(grid)
    classes = getattr(estimator, "classes_", None)
    if classes is not None:
        answers = np.searchsorted(classes, answers)
    picture = answers.reshape(resolution, resolution)
    ax.pcolormesh(*axes, picture, cmap="coolwarm", alpha=0.35, shading="nearest")
    _lines(estimator, axes, ax)
    color = None if y is None else (y if classes is None else np.searchsorted(classes, np.asarray(y)))
    ax.scatter(values[:, 0], values[:, 1], c=color, cmap="coolwarm", edgecolor="black", linewidth=0.4, s=20)
    labels = ["x1", "x2"] if names is None else names
    ax.set(xlim=axes[0][[0, -1]], ylim=axes[1][[0, -1]], xlabel=labels[0], ylabel=labels[1])
    return ax


def _lines(estimator: Any, axes: Any, ax: Any) -> None:
    """``w·x + b = 0`` of every neuron of the first layer."""
    for network in estimator.model_.networks:
        weights, biases = network.layers[0]
        for (a, b), c in zip(weights, biases):
            if abs(b) > 1e-12 * abs(a):
                x = axes[0][[0, -1]]
                ax.plot(x, -(a * x + c) / b, color="black", linewidth=0.5, alpha=0.5)
            elif a != 0:
                ax.axvline(-c / a, color="black", linewidth=0.5, alpha=0.5)
