"""Pictures, with matplotlib: ``pip install hardlim[plot]``."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._hardlim import Path

# The colours of the pictures of the command line.
_BLUE, _ORANGE, _GREY = "#0072B2", "#D55E00", "#767676"
_CYCLE = [_BLUE, _ORANGE, "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#333333"]


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install hardlim[plot]") from error
    return plt


def _legend_above(ax: Any) -> None:
    """A legend that covers no data."""
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)


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
    _legend_above(top)
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
    ax.plot(seconds, bound, color=_ORANGE, drawstyle="steps-post", linestyle="--", label="lower bound")
    ax.fill_between(seconds, bound, objective, step="post", color=_BLUE, alpha=0.1)
    ax.set_xlabel("seconds")
    ax.set_ylabel("objective")
    _legend_above(ax)
    return ax


def plot_certificate(estimator: Any, ax: Any = None) -> Any:
    """The certificate of a trained estimator as a bar: the lower bound, and the gap up to the objective.

    A second bar is about all threshold networks of any width and depth, if that is another claim.
    """
    own, every = estimator.certificate_, estimator.global_certificate_
    bars = [own] if own.claim == every.claim else [every, own]
    if ax is None:
        _, ax = _pyplot().subplots(figsize=(7, 0.8 + 0.8 * len(bars)), layout="constrained")
    for place, proof in enumerate(bars):
        bound = max(proof.lower_bound, 0.0)
        ax.barh(place, bound, height=0.5, color=_BLUE, label="proven: no network is below" if place == 0 else None)
        gap = proof.objective - bound
        label = "gap" if place == 0 else None
        ax.barh(place, gap, left=bound, height=0.5, color="none", edgecolor=_ORANGE, hatch="////", label=label)
        ax.annotate(f" gap {100 * max(proof.relative_gap, 0.0):.2g} %", (proof.objective, place), va="center")
    names = {id(own): "its class of networks", id(every): "all threshold networks"}
    ax.set_yticks(range(len(bars)), [names[id(proof)] for proof in bars])
    ax.set_xlim(0, 1.35 * own.objective or 1.0)
    ax.set_xlabel("objective")
    _legend_above(ax)
    return ax


def plot_importance(importance: Mapping[str, Any], ax: Any = None, n: int = 20) -> Any:
    """What is lost without each input: the result of :func:`hardlim.importance`.

    Bars are proven: every network without the input is worse by at least this much. Marks are the best networks that
    were found.
    """
    inputs = sorted(importance["inputs"], key=lambda column: column["at_least"])[-n:]
    if ax is None:
        _, ax = _pyplot().subplots(figsize=(7, 1.2 + 0.32 * len(inputs)), layout="constrained")
    names = [column["name"] for column in inputs]
    ax.barh(names, [100 * column["at_least"] for column in inputs], color=_BLUE, label="proven: at least")
    found = [100 * max(column["found"], 0.0) for column in inputs]
    style: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 7, "markeredgecolor": "white"}
    ax.plot(found, names, color=_ORANGE, label="the best network found", **style)
    ax.set_xlabel("per cent above the objective of the model")
    _legend_above(ax)
    return ax


def plot_effects(estimator: Any, X: ArrayLike, n: int = 6, network: int = 0, axes: Any = None) -> Any:
    """What each input does to the output, the ``n`` largest effects, with the rows that have each value below.

    A step function is exact. Otherwise the line is the mean over the rows, and the band holds four fifths of them.

    Parameters
    ----------
    estimator : estimator
        A fitted one.
    X : array-like or frame
        Rows to look at.
    n : int, default=6
        The most inputs to show.
    network : int, default=0
        The class whose network is shown, by its place, if there are several.
    axes : axes of matplotlib, default=None
        Where to draw, one for each input; a new figure by default.

    Returns
    -------
    the axes
    """
    from .models import effects

    found = [effect for effect in effects(estimator, X) if any(effect["curves"][network]["values"])]
    found = found[: len(axes) if axes is not None else n]
    if axes is None:
        columns = max(1, min(3, len(found)))
        rows = -(-len(found) // columns) or 1
        size = (3.6 * columns, 2.8 * rows)
        _, grid = _pyplot().subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
        for unused in grid.flat[len(found) :]:
            unused.set_axis_off()
        axes = grid.flat[: len(found)]
    for ax, effect in zip(axes, found):
        curve = effect["curves"][network]
        draw = _numbers if effect["axis"]["kind"] == "number" else _labels
        draw(ax, effect["axis"], curve)
        ax.set_title(effect["name"] + ("" if curve["exact"] else " (mean)"), fontsize="medium")
    return axes


def _numbers(ax: Any, axis: dict[str, Any], curve: dict[str, Any]) -> None:
    """The effect of a number, with a histogram of the rows below."""
    bins, at, values = axis["bins"], curve["at"], curve["values"]
    low, high = (bins["from"], bins["to"]) if bins["from"] < bins["to"] else (bins["from"] - 0.5, bins["to"] + 0.5)
    if curve["exact"]:
        edges = [min(low, *at), *at, max(high, *at)] if at else [low, high]
        ax.stairs(values, edges, baseline=None, color=_BLUE, linewidth=1.8)
    else:
        ax.fill_between(at, curve["low"], curve["high"], color=_BLUE, alpha=0.2, linewidth=0)
        ax.plot(at, values, color=_BLUE, linewidth=1.8)
    ax.axhline(0, color=_GREY, linewidth=0.8, linestyle="--")
    ax.set_xlim(low, high)
    ax.set_ylabel("output")
    rows = ax.inset_axes((0, -0.34, 1, 0.16), sharex=ax)
    rows.stairs(bins["counts"], np.linspace(low, high, len(bins["counts"]) + 1), fill=True, color="#98A2AE")
    rows.set_yticks([])
    rows.set_ylabel("rows", rotation=0, ha="right", va="center", fontsize="small")
    ax.tick_params(labelbottom=False)


def _labels(ax: Any, axis: dict[str, Any], curve: dict[str, Any]) -> None:
    """The effect of each label, with the number of rows."""
    names = [f"{name} ({count})" for name, count in zip(axis["states"], axis["counts"])]
    colors = [_BLUE if value >= 0 else _ORANGE for value in curve["values"]]
    error = None if curve["exact"] else np.abs(np.asarray([curve["low"], curve["high"]]) - curve["values"])
    ax.barh(names, curve["values"], color=colors, xerr=error, ecolor=_GREY)
    ax.axvline(0, color=_GREY, linewidth=0.8, linestyle="--")
    ax.set_xlabel("output")


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
    colors, limits = _colors(classes, picture, y)
    ax.pcolormesh(*axes, picture, cmap=colors, **limits, alpha=0.45, shading="nearest", linewidth=0, rasterized=True)
    _lines(estimator, axes, ax)
    _points(ax, values, y, classes, colors, limits)
    labels = ["x1", "x2"] if names is None else names
    ax.set(xlim=axes[0][[0, -1]], ylim=axes[1][[0, -1]], xlabel=labels[0], ylabel=labels[1])
    return ax


def _colors(classes: Any, picture: Any, y: Any) -> tuple[Any, dict[str, float]]:
    """Colours for classes, by their places, or for numbers, and the numbers at their ends."""
    from matplotlib.colors import LinearSegmentedColormap, ListedColormap

    if classes is None:
        numbers = np.append(picture.ravel(), [] if y is None else np.asarray(y, dtype=float))
        gradient = LinearSegmentedColormap.from_list("hardlim", [_ORANGE, "#F7F7F7", _BLUE])
        return gradient, {"vmin": numbers.min(), "vmax": numbers.max()}
    few = [_ORANGE, _BLUE] if len(classes) == 2 else [_CYCLE[k % len(_CYCLE)] for k in range(len(classes))]
    return ListedColormap(few), {"vmin": -0.5, "vmax": len(classes) - 0.5}


def _points(ax: Any, values: Any, y: Any, classes: Any, colors: Any, limits: dict[str, float]) -> None:
    """The rows, those of each class with a mark of their own and a name beside the picture."""
    style: dict[str, Any] = {"edgecolor": "white", "linewidth": 0.6, "s": 24}
    if y is None:
        ax.scatter(*values.T, color="white", edgecolor="black", linewidth=0.6, s=20)
    elif classes is None:
        drawn = ax.scatter(*values.T, c=y, cmap=colors, **limits, edgecolor="black", linewidth=0.4, s=20)
        ax.figure.colorbar(drawn, ax=ax, label="target")
    else:
        for k, name in enumerate(classes):
            own = values[np.asarray(y) == name]
            ax.scatter(*own.T, color=colors(k), marker="os"[k % 2], label=str(name), **style)
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def _lines(estimator: Any, axes: Any, ax: Any) -> None:
    """``w·x + b = 0`` of every neuron of the first layer; of several networks only if they are few."""
    networks = estimator.model_.networks
    if len(networks) > 1 and sum(len(network.layers[0][1]) for network in networks) > 100:
        return
    for network in networks:
        weights, biases = network.layers[0]
        for (a, b), c in zip(weights, biases):
            if abs(b) > 1e-12 * abs(a):
                x = axes[0][[0, -1]]
                ax.plot(x, -(a * x + c) / b, color="#444444", linewidth=0.4, alpha=0.5)
            elif a != 0:
                ax.axvline(-c / a, color="#444444", linewidth=0.4, alpha=0.5)
