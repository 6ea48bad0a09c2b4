"""The methods side by side. Each is made by `make(method, seed, jobs)` and has `fit` and `predict`."""

import importlib.util

import hardlim
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR

OURS, OURS_SMALL = "hardlim", "hardlim-200"
LINEAR, BOOSTING, FOREST, MACHINE, EBM = "linear", "boosting", "random forest", "tuned SVM", "EBM"
FIVE = [OURS, LINEAR, BOOSTING, FOREST, MACHINE]  # those that are ranked
LARGEST = 200  # neurons of the second of ours
TREES = 300
FOLDS = 5
# The grid of the tuned machine: its cost, and gamma times the number of features.
COSTS = [0.1, 1.0, 10.0, 100.0, 1000.0]
GAMMAS = [0.01, 0.1, 0.3, 1.0, 3.0]
TUNING_ROWS = 4000  # the grid is searched on at most this many rows; its choice is trained on all


def there(with_ebm):
    """The methods that can run here."""
    names = list(FIVE)
    if "neurons" in hardlim.ThresholdClassifier().get_params():
        names.insert(1, OURS_SMALL)
    if with_ebm and importlib.util.find_spec("interpret") is not None:
        names.append(EBM)
    return names


def make(method, task, seed, jobs):
    """One method, not yet fitted: ours as they come, the others behind a one-hot encoding of text."""
    if method == OURS:
        return ours(task)()
    if method == OURS_SMALL:
        return ours(task)(neurons=LARGEST)
    if method == EBM:
        return explainable(task)(random_state=seed, n_jobs=jobs)
    labels = make_column_selector(dtype_exclude="number")
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(
        make_column_transformer((encoder, labels), remainder="passthrough"),
        (classifier if task == "classify" else regressor)(method, seed, jobs),
    )


def ours(task):
    return hardlim.ThresholdClassifier if task == "classify" else hardlim.ThresholdRegressor


def explainable(task):
    from interpret import glassbox

    return glassbox.ExplainableBoostingClassifier if task == "classify" else glassbox.ExplainableBoostingRegressor


def classifier(method, seed, jobs):
    match method:
        case "linear":
            return make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000))
        case "boosting":
            return HistGradientBoostingClassifier(random_state=seed)
        case "random forest":
            return RandomForestClassifier(TREES, random_state=seed, n_jobs=jobs)
        case "tuned SVM":
            return TunedSVC(seed, jobs)


def regressor(method, seed, jobs):
    match method:
        case "linear":
            return make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 4, 22)))
        case "boosting":
            return HistGradientBoostingRegressor(random_state=seed)
        case "random forest":
            return RandomForestRegressor(TREES, random_state=seed, n_jobs=jobs)
        case "tuned SVM":
            return TunedSVR(seed, jobs)


def tuned(machine, name, folds, jobs, X, y):
    """The machine of the grid that does best over the folds, trained on all rows."""
    grid = {f"{name}__C": COSTS, f"{name}__gamma": [gamma / X.shape[1] for gamma in GAMMAS]}
    some = np.random.default_rng(folds.random_state).permutation(len(y))[:TUNING_ROWS]
    search = GridSearchCV(machine, grid, cv=folds, refit=False, n_jobs=jobs).fit(X[some], y[some])
    return clone(machine).set_params(**search.best_params_).fit(X, y)


class TunedSVC(ClassifierMixin, BaseEstimator):
    """An RBF machine on standardised features: the grid by accuracy, probabilities by Platt's method."""

    def __init__(self, seed=0, jobs=None):
        self.seed = seed
        self.jobs = jobs

    def fit(self, X, y):
        y = np.asarray(y)
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=self.seed)
        machine = make_pipeline(StandardScaler(), SVC(cache_size=500))
        self.machine_ = tuned(machine, "svc", folds, self.jobs, X, y)
        calibrated = CalibratedClassifierCV(clone(self.machine_), cv=folds, ensemble=False, n_jobs=self.jobs)
        self.calibrated_ = calibrated.fit(X, y)
        self.classes_ = calibrated.classes_
        return self

    def predict(self, X):
        return self.machine_.predict(X)

    def predict_proba(self, X):
        return self.calibrated_.predict_proba(X)


class TunedSVR(RegressorMixin, BaseEstimator):
    """The same for numbers: features and target standardised, the grid by R2."""

    def __init__(self, seed=0, jobs=None):
        self.seed = seed
        self.jobs = jobs

    def fit(self, X, y):
        y = np.asarray(y, dtype=float)
        self.mean_, self.scale_ = y.mean(), y.std() or 1.0
        folds = KFold(FOLDS, shuffle=True, random_state=self.seed)
        machine = make_pipeline(StandardScaler(), SVR(cache_size=500))
        self.machine_ = tuned(machine, "svr", folds, self.jobs, X, (y - self.mean_) / self.scale_)
        return self

    def predict(self, X):
        return self.machine_.predict(X) * self.scale_ + self.mean_
