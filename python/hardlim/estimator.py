"""Estimators that follow scikit-learn's conventions.

All of them minimise, over networks ``f(x) = Σⱼ aⱼ 1{x·wⱼ + bⱼ ≥ 0}`` of any width,

    L(f(X)) + β Σⱼ |aⱼ|,        L(u) = Σᵢ sᵢ l(uᵢ, yᵢ),

and prove how far the network found is from the best one. The parameters have the names and defaults of the
command line (``hardlim train --help``). The same data and seed give the same network in Python, in Rust and
on the command line, to the last bit.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import compute_sample_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from . import _hardlim, _inputs
from ._base import Chosen, Threshold, documented


def _has_probabilities(estimator: Any) -> bool:
    """Whether outputs give probabilities: by the loss, or by calibration on the folds."""
    fitted = getattr(estimator, "model_", None)
    if fitted.calibrated if fitted is not None else estimator._asks_for_predictions():
        return True
    if estimator.loss == "logistic":
        return True
    raise AttributeError(f"predict_proba needs loss='logistic' when the strength is given, not {estimator.loss!r}")


class _Classifier(ClassifierMixin, Threshold):
    """The common base of classifiers."""

    class_weight: Any
    positive: Any
    classes_: NDArray[Any]
    _order: NDArray[Any]

    def _training_data(self, X: Any, y: Any, sample_weight: ArrayLike | None, reset: bool) -> _hardlim.TrainingData:
        inputs, y, target = self._checked(X, y, reset)
        check_classification_targets(y)
        if reset:
            self.classes_, places = _inputs.classes(y)
        else:
            labels, found = _inputs.classes(y)
            unknown = np.setdiff1d(labels, self.classes_)
            if len(unknown):
                raise ValueError(f"y has the unknown class {unknown.tolist()[0]!r}")
            places = np.searchsorted(self.classes_, labels)[found.astype(int)].astype(np.float64)
        if len(self.classes_) < 2:
            raise ValueError(
                f"expected two classes or more, found one class: y is always {self.classes_.tolist()[0]!r}"
            )
        weights = _inputs.weights(sample_weight, X)
        if isinstance(self.class_weight, dict):
            by_class = compute_sample_weight(self.class_weight, y)
            weights = by_class if weights is None else weights * by_class
        elif self.class_weight not in (None, "balanced"):
            raise ValueError(f"class_weight must be balanced, a dict or None, got {self.class_weight!r}")
        columns = self._columns(inputs)
        if self.class_weight == "balanced":
            columns["class_weight"] = "balanced"
        columns["positive"] = self._options()["positive"]
        names = _inputs.names_of(self.classes_)
        data = _hardlim.TrainingData(inputs.x, inputs.names, target, places, columns, names, weights)
        if reset:
            self._order = np.asarray(data.order)
        return data

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """``f(x)`` for every row. Two classes: positive for the second class. Several classes: one column
        for each class; the largest decides.

        An output of zero means the second class, as on the command line. It is returned as the smallest
        positive number, so that its sign is right.
        """
        outputs = self._outputs(X)
        if outputs.shape[1] > 1:
            return outputs[:, self._order]
        output = np.where(outputs[:, 0] == 0, np.nextafter(0, 1), outputs[:, 0])
        return output if self._order[1] == 1 else -output

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The class of every row."""
        outputs = self._outputs(X)
        answers = self.model_.answer(outputs)
        return self.classes_[np.argsort(self._order)[answers]]

    @available_if(_has_probabilities)
    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """The probability of every class. It is calibrated on the folds if no strength was given; otherwise
        it needs ``loss="logistic"``. Two classes: ``1/(1 + exp(−f(x)))`` for the second class. Several
        classes: the same for each class against the rest, divided by their sum."""
        outputs = self._outputs(X)
        return self.model_.probability(outputs)[:, self._order]

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """The logarithms of :meth:`predict_proba`."""
        return np.log(self.predict_proba(X))


class _Regressor(RegressorMixin, Threshold):
    """The common base of regressors."""

    def _training_data(self, X: Any, y: Any, sample_weight: ArrayLike | None, reset: bool) -> _hardlim.TrainingData:
        inputs, y, target = self._checked(X, y, reset)
        y = np.ascontiguousarray(y, dtype=np.float64)
        weights = _inputs.weights(sample_weight, X)
        return _hardlim.TrainingData(inputs.x, inputs.names, target, y, self._columns(inputs), None, weights)

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """``f(x)`` for every row."""
        return self._outputs(X)[:, 0]


@documented
class ThresholdClassifier(_Classifier):
    """A classifier of threshold neurons: one network for two classes; for several classes, one network for
    each class against the rest.

    Without a strength, cross-validation chooses the network that predicts best (``choice_``), in about 10
    seconds. With a strength or a method you pose a problem, and the estimator finds its optimum.
    """


@documented
class ThresholdRegressor(_Regressor):
    """A regressor of threshold neurons: a sum of steps.

    Without a strength, cross-validation chooses the network that predicts best (``choice_``), in about 10
    seconds. With a strength or a method you pose a problem, and the estimator finds its optimum.
    """


@documented
class ThresholdClassifierCV(_Classifier, Chosen):
    """A :class:`ThresholdClassifier` with folds and grid of your own: ``β`` is chosen by
    cross-validation.
    """


@documented
class ThresholdRegressorCV(_Regressor, Chosen):
    """A :class:`ThresholdRegressor` with folds and grid of your own: ``β`` is chosen by
    cross-validation.
    """
