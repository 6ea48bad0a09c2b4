"""scikit-learn's own suite, for every estimator. Nothing is skipped or expected to fail."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from hardlim import (
    ThresholdClassifier,
    ThresholdClassifierCV,
    ThresholdRegressor,
    ThresholdRegressorCV,
)


@parametrize_with_checks(
    [
        ThresholdClassifier(),
        ThresholdRegressor(),
        ThresholdClassifierCV(),
        ThresholdRegressorCV(),
        ThresholdClassifier(loss="logistic"),
        ThresholdClassifier(method="sample"),
    ]
)
def test_estimators_follow_the_conventions(estimator, check):
    check(estimator)
