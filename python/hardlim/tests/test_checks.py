"""scikit-learn's own suite, for every estimator.

One check is expected to fail where a network is chosen by cross-validation on random neurons: repeated samples fall into
other folds than one weighted sample, and thresholds are placed between other rows.
"""

from hardlim import (
    ThresholdClassifier,
    ThresholdClassifierCV,
    ThresholdRegressor,
    ThresholdRegressorCV,
)
from sklearn.utils.estimator_checks import parametrize_with_checks


def chosen(estimator):
    """The checks that fail for estimators that choose, and why."""
    if estimator.patterns is not None or getattr(estimator, "beta_ratio", None) is not None:
        return {}
    return {"check_sample_weight_equivalence_on_dense_data": "folds and neurons are drawn at random from the samples"}


@parametrize_with_checks(
    [
        ThresholdClassifier(),
        ThresholdRegressor(),
        ThresholdClassifierCV(cv=3, n_ratios=3),
        ThresholdRegressorCV(cv=3, n_ratios=3),
        ThresholdClassifier(loss="logistic", patterns=100),
        ThresholdRegressor(beta_ratio=0.05),
    ],
    expected_failed_checks=chosen,
)
def test_estimators_follow_the_conventions(estimator, check):
    check(estimator)
