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

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
        complete,
        describe,
        interpolate,
        path,
        solve_lasso,
    )
    from .models import (
        Explanation,
        Exported,
        RowExplanation,
        certify,
        effects,
        explain,
        explain_rows,
        export,
        importance,
        load,
        prove,
        report,
        save,
    )
    from .plot import (
        plot_boundary,
        plot_certificate,
        plot_convergence,
        plot_effects,
        plot_importance,
        plot_path,
    )

__all__ = [
    "Arrangements",
    "Certificate",
    "Check",
    "CompleteSolution",
    "Explanation",
    "Exported",
    "Halfspace",
    "HardlimError",
    "Interpolation",
    "LassoSolution",
    "Model",
    "Network",
    "Path",
    "RowExplanation",
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
    "effects",
    "explain",
    "explain_rows",
    "export",
    "importance",
    "interpolate",
    "load",
    "path",
    "plot",
    "plot_boundary",
    "plot_certificate",
    "plot_convergence",
    "plot_effects",
    "plot_importance",
    "plot_path",
    "prove",
    "report",
    "save",
    "solve_lasso",
]

# Imported when they are asked for: the hardlim command needs the compiled part alone, and starts at once.
_PLACES = {
    "_hardlim": "Arrangements Certificate Check CompleteSolution Halfspace HardlimError Interpolation LassoSolution "
    "Model Network Path",
    "estimator": "ThresholdClassifier ThresholdClassifierCV ThresholdRegressor ThresholdRegressorCV",
    "functions": "arrangements best_halfspace complete describe interpolate path solve_lasso",
    "models": "Explanation Exported RowExplanation certify effects explain explain_rows export importance load prove "
    "report save",
    "plot": "plot_boundary plot_certificate plot_convergence plot_effects plot_importance plot_path",
}


def __getattr__(name: str) -> Any:
    if name in ("datasets", "plot"):
        return import_module(f".{name}", __name__)
    place = next((place for place, names in _PLACES.items() if name in names.split()), None)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{place}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
