"""Neural networks of threshold neurons, trained to certified global optimality.

Training a threshold network with weight decay,

    p* = min  L(f(X)) + β Σ|aⱼ|     where  f(x) = Σⱼ aⱼ 1{x·wⱼ + bⱼ ≥ 0},

is a Lasso over the patterns that neurons can produce. The estimators solve it and prove how good the
result is: ``certificate_`` holds the objective, a lower bound that no other network in scope can beat, and
the gap between the two.

>>> from hardlim import ThresholdClassifier
>>> from hardlim.datasets import load_titanic
>>> X, y = load_titanic(return_X_y=True)
>>> model = ThresholdClassifier(beta=10).fit(X, y)
>>> round(model.objective_, 4), model.gap_ < 1e-8, model.n_neurons_
(701.6826, True, 12)
"""

from . import datasets, plot
from ._hardlim import (
    Arrangements,
    Certificate,
    Check,
    CompleteSolution,
    Halfspace,
    HardlimError,
    Interpolation,
    LassoSolution,
    Model,
    Network,
    Path,
)
from .estimator import (
    ThresholdClassifier,
    ThresholdClassifierCV,
    ThresholdRegressor,
    ThresholdRegressorCV,
)
from .functions import (
    arrangements,
    best_halfspace,
    certify,
    complete,
    describe,
    importance,
    interpolate,
    load,
    path,
    save,
    solve_lasso,
)
from .plot import plot_boundary, plot_convergence, plot_path

__all__ = [
    "Arrangements",
    "Certificate",
    "Check",
    "CompleteSolution",
    "Halfspace",
    "HardlimError",
    "Interpolation",
    "LassoSolution",
    "Model",
    "Network",
    "Path",
    "ThresholdClassifier",
    "ThresholdClassifierCV",
    "ThresholdRegressor",
    "ThresholdRegressorCV",
    "arrangements",
    "best_halfspace",
    "certify",
    "complete",
    "datasets",
    "describe",
    "importance",
    "interpolate",
    "load",
    "path",
    "plot",
    "plot_boundary",
    "plot_convergence",
    "plot_path",
    "save",
    "solve_lasso",
]
