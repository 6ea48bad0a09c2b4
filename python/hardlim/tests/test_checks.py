"""scikit-learn's own suite, for every estimator. Nothing is skipped or expected to fail."""

from hardlim import (
    ThresholdClassifier,
    ThresholdClassifierCV,
    ThresholdRegressor,
    ThresholdRegressorCV,
)
from sklearn.utils.estimator_checks import parametrize_with_checks


@parametrize_with_checks(
    [
        ThresholdClassifier(),
        ThresholdRegressor(),
        ThresholdClassifierCV(cv=3, n_ratios=3),
        ThresholdRegressorCV(cv=3, n_ratios=3),
        ThresholdClassifier(loss="logistic", patterns=100),
    ]
)
def test_estimators_follow_the_conventions(estimator, check):
    check(estimator)
