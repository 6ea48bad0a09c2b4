"""The common part of the estimators: fitting, input checks, certificates and parameter documentation."""

import numbers
import warnings
from collections.abc import Mapping
from os import PathLike
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

_PARAMETERS = """
    Parameters
    ----------{strength}
    method : {{"auto", "generate", "enumerate", "sample", "complete"}}, default="auto"
        Which program to solve: over all patterns, generated as needed; over the list of all patterns; over
        the patterns of random weights; or in closed form, if every dichotomy is possible. ``"auto"``
        chooses one of them.
    loss : str, default=None
        ``l``: squared, logistic, hinge, squared-hinge, huber[:THRESHOLD], absolute, quantile[:LEVEL]. By
        default squared; for the best predictions of classes, logistic.
    patterns : int, default=None
        The number of random patterns, 1000 by default; implies ``method="sample"``.
    max_inputs : int, default=None
        The most inputs that a neuron may read, 1, 2 or 3.
    layers : int, default=None
        The number of layers, including the output.
    widths : sequence of int, default=None
        The widths of the layers below the last hidden layer.
    tree : bool, default=False
        Whether subnetworks are trees: neurons share no neuron of the layer below.
    representation : {{"none", "gaussian", "staircase"}}, default=None
        Fixed first layers that make every dichotomy possible: random layers (1000 neurons each, or
        ``widths``), or thresholds along one direction.
    weights : str, default=None
        Which weights to use for each pattern; all give the same objective: sampled, pi, svm, center, sparse
        or integer.
    average : int, default=None
        How many networks to average: up to 12 by default for the best predictions, otherwise 1.
    inputs : str, default=None
        How many inputs random neurons read: ``"mixed"``, few and many, or a list such as ``"1,2,5"``.
    input_cost : float, default=0.0
        ``P``: a neuron that reads ``k`` inputs pays ``k**P β|a|``, so that neurons read fewer inputs. Every
        level of a category that it reads counts as an input. For the best predictions, for
        ``method="sample"`` and for ``max_inputs=1``.
    bits : int, default=None
        Round numbers to steps of at most so many bits before training, 1 to 16, and choose integer weights of at
        most so many bits with the sign, 2 at least: small circuits that lose nothing. The model keeps the steps.
    weight_bits : int, default=None
        With ``bits``, the most bits of integer weights with the sign, 2 to 32; as many as ``bits`` by default.{neurons}
    bias : bool, default=True
        Whether neurons have a bias ``bⱼ``.
    intercept : bool, default=False
        Whether to add an output bias that is not penalised.
    non_negative : bool, default=False
        Whether all output weights must be at least zero.
    gap : float, default=None
        The relative gap to stop at; a ``ConvergenceWarning`` is raised if it is not reached.
    time_limit : float, default=None
        Stop after this many seconds and keep the best network found. Without it and ``gap``, a problem (``beta``,
        ``beta_ratio``, ``method``) gets about ten seconds of work, the same on every machine.{class_weight}
    standardize : bool, default=True
        Whether to draw weights and measure margins on standardised inputs. Neurons always read the original ones.
    missing : {{"mean", "error"}}, default="mean"
        ``"mean"`` fills in the mean of the column and adds an input that tells where values are missing; in a
        column of labels, missing is a label of its own. ``"error"`` refuses missing values.
    keep : str or sequence of str, default=None
        Columns of a frame to keep, although they look like identifiers, are constant or copies of others, or are
        dates that do not help.{cv}
    random_state : int, RandomState or None, default=0
        The random seed; an integer is the ``--seed`` of the command line.
{memory}    n_jobs : int, default=None
        The number of threads: all cores by default, or ``OMP_NUM_THREADS``. Results do not depend on it.
    verbose : int, default=0
        Whether to show progress, with tqdm if it is installed.

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
_MEMORY = """\
    memory : int or str, default=None
        Train on files, read block by block within about this memory, for example ``"1GiB"``: ``X`` is the name of a CSV
        or Parquet file, a pattern such as ``"day-*.csv"`` or a list, ``y`` the name of the target (by default the last
        column), and ``sample_weight`` that of the column of weights.
"""
_STRENGTH = """
    beta : float, default=None
        The weight decay ``β``.
    beta_ratio : float, default=None
        The same as a fraction of ``beta_max``, the value at which the network becomes zero. If neither is
        given, cross-validation chooses what predicts best; with a method, patterns, layers, widths or a
        representation the default is 0.05."""
_NEURONS = """
    neurons : int, default=None
        The most neurons in all, for the best predictions; with ``max_inputs``, too."""
_OUTPUT_BITS = """
    output_bits : int, default=None
        With ``neurons``, train output weights of at most so many bits with the sign, 2 to 16; for two classes. With 2,
        the weights are −1 and 1 times a common factor."""
_CHOICE = """
    choice_ : dict or None
        What was chosen for the best predictions: ``accuracy`` and ``log_loss``, or ``r2``, on rows that were
        not trained on, the standard ``error`` of the first, ``ratio``, ``folds``, and the ``class`` of
        networks with the losses of all ``classes`` that were compared. None if a problem was posed."""
_CLASS_WEIGHT = """
    class_weight : "balanced" or dict, default=None
        ``"balanced"`` gives all classes the same total weight; a dict gives a weight for each class."""
_CV = """
    cv : int, splitter or iterable of (train, test), default=5
        The folds; an integer gives the same folds as ``--cv``.
    n_ratios : int, default=None
        The number of ``β`` to try, from ``beta_max`` down: 16 by default, 30 with a method.
    least_ratio : float, default=None
        The smallest ``β`` to try, as a fraction of ``beta_max``: 0.00024 by default, 0.001 with a method.
    one_se : bool, default=False
        Whether to take the largest ``β`` whose score is within one standard error of the best.
    scoring : {"log_loss", "accuracy", "loss", "r2"}, default=None
        What is compared: the log-loss of classes and the loss of numbers by default; with a method, the
        accuracy and ``R²``."""
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
    """Adds the parameters to the docstring."""
    classifier, chosen = issubclass(cls, ClassifierMixin), issubclass(cls, Chosen)
    parts = _PARAMETERS.format(
        strength="" if chosen else _STRENGTH,
        memory="" if chosen else _MEMORY,
        class_weight=_CLASS_WEIGHT if classifier else "",
        cv=_CV if chosen else "",
        fitted=(_CLASSES if classifier else "") + _CHOICE + (_CV_FITTED if chosen else ""),
        neurons="" if chosen else _NEURONS + (_OUTPUT_BITS if classifier else ""),
    )
    cls.__doc__ = (cls.__doc__ or "").rstrip() + "\n" + parts
    return cls


def take(estimator: "Threshold", parameters: Mapping[str, Any]) -> None:
    """Stores the parameters of an estimator, by name, as scikit-learn requires."""
    for name in estimator._get_param_names():
        setattr(estimator, name, parameters[name])


class Threshold(BaseEstimator):
    """The common base of all estimators."""

    # What all estimators have: parameters of that name, and what fitting leaves.
    missing: str
    keep: Any
    bits: Any
    gap: float | None
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
    changes_: dict[str, Any]

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

    def _options(self) -> dict[str, Any]:
        names = (
            "beta beta_ratio method loss patterns max_inputs layers tree representation weights average "
            "inputs input_cost neurons output_bits weight_bits bias intercept non_negative gap time_limit standardize"
        ).split()
        options = {name: getattr(self, name) for name in names if hasattr(self, name)}
        widths = None if self.widths is None else [int(width) for width in np.atleast_1d(self.widths)]
        options.update(widths=widths, seed=_inputs.seed(self.random_state))
        return options | {"threads": _inputs.threads(self.n_jobs)}

    def _choice(self, X: Any, y: Any) -> dict[str, Any]:
        return {}

    def _asks_for_predictions(self) -> bool:
        """Whether the best predictions are asked for: no parameter poses a problem."""
        given = "beta beta_ratio patterns layers widths representation".split()
        return self.method == "auto" and all(getattr(self, name, None) is None for name in given)

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
        if self.choice_ is not None and self.n_neurons_ == 0:
            warnings.warn(
                "the network has no neuron: no pattern is worth its penalty, and every row gets the same answer",
                stacklevel=3,
            )
        if training.stop == "interrupt":
            warnings.warn(
                f"training was interrupted at a relative gap of {self.gap_:.3g}: the best network so far is kept",
                ConvergenceWarning,
                stacklevel=3,
            )
        elif self.gap is not None and self.gap_ > self.gap:
            warnings.warn(
                f"the relative gap is {self.gap_:.3g}, not {self.gap:.3g} (stopped: {self.stop_})",
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

    def _html_repr(self) -> str:
        html: str = super()._html_repr()
        return html + estimator_html(self) if hasattr(self, "model_") else html


class Chosen(Threshold):
    """Estimators that choose ``β`` by cross-validation."""

    cv: Any
    cv_results_: dict[str, Any]
    beta_ratio_: float

    def _choice(self, X: Any, y: Any) -> dict[str, Any]:
        choice = {name: getattr(self, name) for name in "n_ratios least_ratio one_se scoring".split()}
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
