"""The common part of the estimators: fitting, input checks, certificates and parameter documentation."""

import copy
import numbers
import warnings
from collections.abc import Mapping
from inspect import Parameter, Signature
from os import PathLike
from textwrap import wrap
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import check_cv
from sklearn.utils.validation import _num_samples, check_is_fitted, column_or_1d, validate_data

from . import _files, _hardlim, _inputs
from ._html import estimator_html
from ._progress import Progress

# Parameters that Python has on its own, or takes in more forms than the table of options says.
_OWN = {
    "cv": ("int, splitter or iterable of (train, test)", 5, None),
    "class_weight": ('"balanced" or dict', None, None),
    "random_state": (
        "int, RandomState or None",
        0,
        "The random seed; an integer is the ``--seed`` of the command line.",
    ),
    "n_jobs": (
        "int",
        None,
        "The number of threads: all cores by default, or ``OMP_NUM_THREADS``. Results do not depend on it.",
    ),
    "verbose": ("int", 0, "Whether to show progress, with tqdm if it is installed."),
}
# The parameter of estimators that train on files.
_MEMORY = (
    "int or str",
    None,
    'Train on files, read block by block within about this memory, for example ``"1GiB"``: ``X`` is the name of a CSV '
    'or Parquet file, a pattern such as ``"day-*.csv"`` or a list, ``y`` the name of the target (by default the last '
    "column), and ``sample_weight`` that of the column of weights.",
)
# Parameters that do not go to the trainer by their names.
_ELSEWHERE = {"bits", "cv", "memory"}

_ATTRIBUTES = """
    Attributes
    ----------
    network_ : Network, or a list of them for several classes
        The network, as arrays.
    certificate_ : Certificate
        Objective, lower bound and gap. ``certificate_.claim`` says over which networks: two layers, given
        widths, few inputs, or any depth. For several classes it is the sum.
    global_certificate_ : Certificate
        The same over all threshold networks of any width and depth.
    objective_, lower_bound_, gap_ : float
        ``L(f(X)) + β Σ|aⱼ|``, a lower bound for every network of the certificate's class, and the relative gap.
    n_neurons_ : int
        The number of non-zero output weights.
    beta_, beta_max_ : float
        ``β``, and the smallest one whose optimum is the zero network.{fitted}
    stop_ : str
        Why training stopped: gap (it is reached), standstill (nothing more was found), work (the work of
        a fit without ``gap`` and ``time_limit`` is done), time, rounds or interrupt.
    trace_ : ndarray of shape (checks, 6)
        Seconds, round, patterns, neurons, objective and lower bound during training.
    model_ : Model
        What the model file holds.
    notes_ : list of str
        What was decided about the columns of a frame: what is left out and why, how numbers and dates are
        read, which labels are "other", where values are missing.
    feature_importances_ : ndarray of shape (n_features_in_,)
        The share of each column in the changes of the output on the training rows; the sum is one. A neuron moves
        the output from its mean by ``2p(1 − p)|a|`` on average, if it fires on a fraction ``p`` of the rows, and divides
        this among the columns that it reads in proportion to ``|w|`` times their standard deviations. ``importance`` proves what a column is worth.
    n_features_in_ : int
        The number of columns of ``X``.
    feature_names_in_ : ndarray of str
        Their names, if ``X`` has names.
    """
_CHOICE = """
    choice_ : dict or None
        What was chosen for the best predictions: ``accuracy`` and ``log_loss``, or ``r2``, on rows that were
        not trained on, the standard ``error`` of the first, ``ratio``, ``folds``, and the ``class`` of
        networks with the losses of all ``classes`` that were compared. None if a problem was posed.
    lists_ : dict or None
        With ``rules`` and ``gap``, what is proven about all lists of as many rules: the sentence ``claim``, a
        ``lower_bound`` on their objectives, the ``relative_gap`` to it, and the ``nodes`` of the search."""
_CV_FITTED = """
    beta_ratio_ : float
        The chosen ``β``, as a fraction of ``beta_max_``.
    cv_results_ : dict
        ``ratios``, and the ``means`` and standard ``errors`` of their scores."""
_CLASSES = """
    classes_ : ndarray
        The classes, in order."""


_Class = TypeVar("_Class", bound=type)


def documented(cls: _Class) -> _Class:
    """Gives an estimator its parameters, with their documentation, from the table of options."""
    classifier, chosen = issubclass(cls, ClassifierMixin), issubclass(cls, Chosen)
    known = {name: row for name, *row in _hardlim.parameters(classifier, chosen)}
    for name, (kind, default, text) in _OWN.items() if chosen else {"memory": _MEMORY, **_OWN}.items():
        if text or name in known:
            known[name] = [kind, default, text or known[name][2]]
    defaults = {name: default for name, (_, default, _) in known.items()}

    def __init__(self: "Threshold", **given: Any) -> None:
        unknown = given.keys() - defaults.keys()
        if unknown:
            raise TypeError(f"{cls.__name__} got an unexpected keyword argument {min(unknown)!r}")
        for name, default in defaults.items():
            setattr(self, name, given.get(name, default))

    named = [Parameter(name, Parameter.KEYWORD_ONLY, default=value) for name, value in defaults.items()]
    __init__.__signature__ = Signature([Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *named])  # type: ignore
    __init__.__qualname__ = f"{cls.__name__}.__init__"
    cls.__init__ = __init__  # type: ignore
    lines = ["", "    Parameters", "    ----------"]
    for name, (kind, default, text) in known.items():
        lines.append(f"    {name} : {kind}, default={default!r}")
        for part in text.split("\n\n"):
            lines += wrap(part, 110, initial_indent=" " * 8, subsequent_indent=" " * 8)
    fitted = (_CLASSES if classifier else "") + _CHOICE + (_CV_FITTED if chosen else "")
    cls.__doc__ = (cls.__doc__ or "").rstrip() + "\n" + "\n".join(lines) + "\n" + _ATTRIBUTES.format(fitted=fitted)
    return cls


def take(estimator: "Threshold", parameters: Mapping[str, Any]) -> None:
    """Stores the parameters of an estimator, by name, as scikit-learn requires."""
    for name in estimator._get_param_names():
        setattr(estimator, name, parameters[name])


class Threshold(BaseEstimator):
    """The common base of all estimators."""

    # What all estimators have: parameters of that name, and what fitting leaves.
    missing: str | None
    keep: Any
    bits: Any
    gap: float | None
    max_inputs: int | None
    widths: Any
    method: str
    random_state: Any
    n_jobs: int | None
    verbose: int
    model_: _hardlim.Model
    stop_: str
    # Whether columns are found by name: of a model that was loaded, or trained on files.
    _by_name: bool
    n_features_in_: int
    beta_: float
    beta_max_: float
    trace_: NDArray[np.float64]
    choice_: dict[str, Any] | None
    lists_: dict[str, Any] | None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.categorical = True  # columns of labels, in frames
        return tags

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Train on data.

        Ctrl-C stops training within a second: the best network so far is kept, with a warning.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Numbers, taken as they are. Frames of pandas or polars are read like tables on the command line:
            labels are one-hot encoded, dates become numbers, and columns that look like identifiers, are
            constant or copies of others, and dates that do not help, are left out with a warning (``notes_``).
        y : array-like of shape (n_samples,)
            The targets.
        sample_weight : array-like of shape (n_samples,), default=None
            The weights ``sᵢ``; samples of weight zero are left out.

        Returns
        -------
        self
        """
        self._by_name = False
        if getattr(self, "memory", None) is not None:
            return _files.fit(self, X, y, sample_weight)
        data = self._training_data(X, y, sample_weight, reset=True)
        options = self._options() | self._choice(X, y)
        with Progress(self.verbose) as listener:
            training = _hardlim.train(data, options, listener)
        self._keep(training, None if training.model.is_of_rows else data)
        if self.notes_ and _inputs.is_frame(X):
            warnings.warn("\n".join(self.notes_), stacklevel=2)
        return self

    def _training_data(self, X: Any, y: Any, sample_weight: ArrayLike | None, reset: bool) -> _hardlim.TrainingData:
        raise NotImplementedError("classifiers and regressors read targets in their own ways")

    def _columns(self, inputs: _inputs.Inputs) -> dict[str, Any]:
        """What is said about the columns."""
        return {
            "categorical": list(inputs.categorical),
            "missing": self.missing,
            "max_inputs": self.max_inputs,
            "keep": _inputs.names(self.keep),
            "keep_all": not inputs.frame,
            "bits": self.bits,
        }

    def _options(self) -> dict[str, Any]:
        options = {name: value for name, value in self.get_params(deep=False).items() if name not in _ELSEWHERE}
        if options.get("widths") is not None:
            options["widths"] = [int(width) for width in np.atleast_1d(options["widths"])]
        options["no_interactions"] = _inputs.names(options.get("no_interactions"))
        if options.get("positive") is not None:
            options["positive"] = _inputs.names_of(np.asarray([options["positive"]]))[0]
        return options | {"seed": _inputs.seed(self.random_state), "threads": _inputs.threads(self.n_jobs)}

    def _choice(self, X: Any, y: Any) -> dict[str, Any]:
        return {}

    def _asks_for_predictions(self) -> bool:
        """Whether the best predictions are asked for: no parameter poses a problem."""
        folds = {"cv": 5} if isinstance(self, Chosen) else {}
        return _hardlim.predicts(self._options() | folds)

    def _hold(self, model: _hardlim.Model, stop: str, data: _hardlim.TrainingData | None = None) -> None:
        """Takes a model as its own, with the training data if they are there."""
        self.model_ = model
        self.beta_ = model.beta
        self.stop_ = stop
        self._by_name = stop == "loaded"
        self._shares = None if data is None else model.shares(data, _inputs.threads(self.n_jobs))

    def _keep(self, training: _hardlim.Training, data: _hardlim.TrainingData | None) -> None:
        self._hold(training.model, training.stop, data)
        self.beta_max_ = training.beta_max
        self.trace_ = training.trace
        self.choice_ = training.choice
        self.lists_ = training.lists
        gap = self.gap_ if self.lists_ is None else self.lists_["relative_gap"]
        if self.choice_ is not None and self.n_neurons_ == 0:
            warnings.warn(
                "the network has no neuron: no pattern is worth its penalty, and every row gets the same answer",
                stacklevel=3,
            )
        if training.stop == "interrupt":
            warnings.warn(
                f"training was interrupted at a relative gap of {gap:.3g}: the best network so far is kept",
                ConvergenceWarning,
                stacklevel=3,
            )
        elif self.gap is not None and gap > self.gap:
            warnings.warn(
                f"the relative gap is {gap:.3g}, not {self.gap:.3g} (stopped: {self.stop_})",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _checked(self, X: Any, y: Any, reset: bool) -> tuple[_inputs.Inputs, NDArray[Any], str]:
        """``X`` and ``y``, checked as scikit-learn does, and the name of ``y``."""
        numeric = not isinstance(self, ClassifierMixin)
        _inputs.refuse_sparse(X)
        inputs = _inputs.frame(X)
        if inputs is not None:
            if not reset and self._by_name:
                y_checked = _inputs.vector(y) if numeric else column_or_1d(y, warn=True)
                return inputs, y_checked, _inputs.target_name(y, inputs.names)
            validate_data(self, X, y, reset=reset, skip_check_array=True)
            _inputs.same_length(X, y)
            y_checked = _inputs.vector(y) if numeric else column_or_1d(y, warn=True)
        else:
            fills = self.missing != "error"
            checked, y_checked = validate_data(
                self,
                X,
                y,
                reset=reset,
                dtype=_inputs._READ,
                ensure_all_finite="allow-nan" if fills else True,
                y_numeric=numeric,
            )
            inputs = _inputs.of_matrix(checked, getattr(self, "feature_names_in_", None))
        return inputs, y_checked, _inputs.target_name(y, inputs.names)

    @property
    def notes_(self) -> list[str]:
        """What was decided about the columns in training."""
        return self.model_.notes

    def _read(self, X: Any) -> _inputs.Inputs:
        check_is_fitted(self)
        inputs = _inputs.read(self, X, self.missing)
        if inputs.frame:
            news = self.model_.news(inputs.x, inputs.names)
            if news:
                warnings.warn("\n".join(news), stacklevel=3)
        return inputs

    def _outputs(self, X: Any) -> NDArray[np.float64]:
        inputs = self._read(X)
        return self.model_.output(inputs.x, inputs.names, _inputs.threads(self.n_jobs))

    @property
    def network_(self) -> Any:
        """The network, or a list of one for each of several classes."""
        networks = self.model_.networks
        return networks[0] if len(networks) == 1 else networks

    @property
    def certificate_(self) -> _hardlim.Certificate:
        """The proof: objective, lower bound and gap; ``claim`` says over which networks."""
        return self.model_.certificate

    @property
    def global_certificate_(self) -> _hardlim.Certificate:
        """The proof over all threshold networks of any width and depth."""
        return self.model_.global_certificate

    @property
    def objective_(self) -> float:
        """``L(f(X)) + β Σ|aⱼ|``."""
        return self.certificate_.objective

    @property
    def lower_bound_(self) -> float:
        """A lower bound on the objective of every network of the certificate's class."""
        return self.certificate_.lower_bound

    @property
    def gap_(self) -> float:
        """``(objective_ − lower_bound_) / objective_``."""
        return self.certificate_.relative_gap

    @property
    def n_neurons_(self) -> int:
        """The number of non-zero output weights."""
        return self.model_.n_neurons

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The share of each column in the changes of the output on the training rows; the sum is one."""
        check_is_fitted(self)
        if self._shares is None:
            raise AttributeError(
                "the training rows, which feature_importances_ is about, are not at hand (a model that was loaded, or "
                "trained on rows in blocks): see hardlim.importance(estimator, X, y)"
            )
        return self._shares

    def save(self, path: str | PathLike[str]) -> None:
        """Write a model file, which the command line can read, too."""
        check_is_fitted(self)
        self.model_.save(path)

    def report(
        self,
        path: str | PathLike[str],
        X: ArrayLike,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> None:
        """Write a page about the model, for the browser: see :func:`hardlim.report`."""
        from .models import report

        report(self, path, X, y, sample_weight)

    def drop_rule(self, rule: int | str, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Any:
        """A copy without one rule of a list; see :meth:`with_weight`."""
        return self.with_weight(rule, 0.0, X, y, sample_weight)

    def with_weight(
        self, rule: int | str, weight: float, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Any:
        """A copy in which one rule of a list has another weight, or other points; all else stays as it is.

        ``rule`` is its name in :func:`hardlim.explain`, such as ``"h3"``, or its number. If a rule is dropped,
        those after it move up. The objective is measured again on the training data, and ``certificate_`` says
        how far the new list is from the best network of its class. ``choice_`` is None: its scores are those
        of the list before.
        """
        check_is_fitted(self)
        data = self._training_data(X, y, sample_weight, reset=False)
        try:
            number = int(str(rule).removeprefix("h"))
        except ValueError:
            raise ValueError(f"rule must be a name such as 'h3', or its number, got {rule!r}") from None
        threads = _inputs.threads(self.n_jobs)
        edited = copy.copy(self)
        edited._hold(self.model_.with_weights(data, [(max(number, 0), float(weight))], threads), self.stop_, data)
        edited.choice_ = edited.lists_ = None
        return edited

    def explain_rows(self, rows: Any, X: Any = None, *, rules: int | None = 10, terms: int | None = 4) -> Any:
        """Which rules hold on a row or a few, what they add, and what would change the answer: see
        :func:`hardlim.explain_rows`."""
        from .models import explain_rows

        return explain_rows(self, rows, X, rules=rules, terms=terms)

    def _html_repr(self) -> str:
        html: str = super()._html_repr()
        return html + estimator_html(self) if hasattr(self, "model_") else html


class Chosen(Threshold):
    """Estimators that choose ``β`` by cross-validation."""

    cv: Any
    cv_results_: dict[str, Any]
    beta_ratio_: float

    def _choice(self, X: Any, y: Any) -> dict[str, Any]:
        choice: dict[str, Any] = {}
        if self.cv is None or isinstance(self.cv, numbers.Integral):
            if _num_samples(X) == 1:
                raise _hardlim.HardlimError("cross-validation needs at least two samples, found 1 sample")
            return choice | {"cv": 5 if self.cv is None else int(self.cv)}
        rows = np.zeros((_num_samples(X), 1))
        splits = check_cv(self.cv).split(rows, np.asarray(y))
        as_list = lambda index: np.arange(len(rows))[index].tolist()
        return choice | {"splits": [(as_list(train), as_list(test)) for train, test in splits]}

    def _keep(self, training: _hardlim.Training, data: _hardlim.TrainingData | None) -> None:
        self.cv_results_ = training.selection or {}
        self.beta_ratio_ = self.cv_results_.get("ratio", 1.0)
        super()._keep(training, data)
