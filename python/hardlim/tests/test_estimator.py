"""The contract of the estimators, beyond scikit-learn's suite."""

import pickle

import joblib
import numpy as np
import pytest
from hardlim import (
    HardlimError,
    ThresholdClassifier,
    ThresholdClassifierCV,
    ThresholdRegressor,
    ThresholdRegressorCV,
    certify,
    load,
    save,
)
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags


def objective(model, X, y, loss):
    """The definition: losses, and β times the sizes of the output weights."""
    network = model.network_
    weights, biases = network.layers[0]
    output = network.offset + (X @ weights.T + biases >= 0) @ network.amplitudes
    return np.sum(loss(output, y)) + model.beta_ * np.abs(network.amplitudes).sum()


def test_the_objective_is_that_of_the_network(blobs):
    X, y = blobs
    signs = np.where(y == 1, 1.0, -1.0)
    losses = {
        "squared": lambda u, y: (u - y) ** 2 / 2,
        "logistic": lambda u, y: np.log1p(np.exp(-y * u)),
        "hinge": lambda u, y: np.maximum(0, 1 - y * u),
    }
    for name, loss in losses.items():
        model = ThresholdClassifier(loss=name, beta=2.0).fit(X, y)
        assert model.objective_ == pytest.approx(objective(model, X, signs, loss), rel=1e-9)
        assert model.lower_bound_ <= model.objective_
        assert model.gap_ == pytest.approx(1 - model.lower_bound_ / model.objective_)
        assert model.certificate_.scope == "global"
        assert model.score(X, y) > 0.9
        assert certify(model, X, y)


def test_fitted_attributes_tell_what_came_out(blobs):
    X, y = blobs
    model = ThresholdClassifier(method="sample", patterns=200).fit(X, y)
    assert model.n_neurons_ == np.count_nonzero(model.network_.amplitudes) > 0
    assert model.certificate_.scope == "dictionary"
    assert model.certificate_.layers == 2 and model.certificate_.max_inputs is None
    assert "built from the sampled patterns" in model.certificate_.claim
    everything = model.global_certificate_
    assert everything.scope == "global" and everything.layers is None
    assert everything.claim.startswith("no threshold network of any width or depth is better")
    assert model.beta_ == pytest.approx(0.05 * model.beta_max_)
    assert model.n_features_in_ == 3 and not hasattr(model, "feature_names_in_")
    assert model.trace_.shape[1] == 6 and len(model.trace_) > 0
    assert model.stop_ == "gap"
    assert np.array_equal(model.network_.output(X), model.decision_function(X))


def test_classes_may_be_of_any_type(blobs, three):
    for labels in (
        ["no", "yes"],
        [-1.0, 2.0],
        [False, True],
        np.array(["b", "a"], dtype=object),
        ["10", "9"],
        [10, 9],
        ["NA", "EU"],
        [2**60, 2**60 + 1],
    ):
        X, y = blobs
        y = np.asarray(labels)[y]
        model = ThresholdClassifier().fit(X, y)
        assert np.array_equal(model.classes_, np.unique(y))
        assert model.predict(X).dtype == y.dtype
        assert model.score(X, y) > 0.9
        second = model.decision_function(X) > 0
        assert np.array_equal(model.classes_[second.astype(int)], model.predict(X))
        assert certify(model, X, y)
    X, y = three
    for labels in (["c", "a", "b"], [30, 4, 100], ["9", "10", "8"]):
        model = ThresholdClassifier().fit(X, np.asarray(labels)[y])
        assert model.score(X, np.asarray(labels)[y]) > 0.85
        assert np.array_equal(model.classes_[model.decision_function(X).argmax(axis=1)], model.predict(X))


def test_several_classes_have_a_network_each(three):
    X, y = three
    model = ThresholdClassifier(loss="logistic").fit(X, y)
    assert len(model.network_) == 3
    assert model.n_neurons_ == sum(network.n_neurons for network in model.network_)
    probability = model.predict_proba(X)
    assert probability.shape == (60, 3) and np.allclose(probability.sum(axis=1), 1)
    assert np.array_equal(probability.argmax(axis=1), model.predict(X))
    assert certify(model, X, y).holds and len(certify(model, X, y).certificates) == 3


def test_probabilities_are_those_of_the_logistic_loss(blobs):
    X, y = blobs
    model = ThresholdClassifier(loss="logistic", beta_ratio=0.05).fit(X, y)
    probability = model.predict_proba(X)
    assert np.allclose(probability[:, 1], 1 / (1 + np.exp(-model.decision_function(X))))
    assert np.allclose(np.exp(model.predict_log_proba(X)), probability)
    chosen = ThresholdClassifier().fit(X, y)
    assert np.array_equal(chosen.predict_proba(X).argmax(axis=1), chosen.predict(X))
    other = ThresholdClassifier(beta_ratio=0.05).fit(X, y)
    assert not hasattr(other, "predict_proba")
    with pytest.raises(AttributeError, match="predict_proba"):
        other.predict_proba(X)


def test_numbers_are_answered_by_sums_of_steps(numbers):
    X, y = numbers
    model = ThresholdRegressor(beta_ratio=0.01).fit(X, y)
    assert model.score(X, y) > 0.9
    assert len(np.unique(model.predict(X))) <= 2**model.n_neurons_
    assert not hasattr(model, "decision_function")
    offset = ThresholdRegressor(beta_ratio=0.01, intercept=True).fit(X, y + 100)
    assert offset.network_.offset > 50 and offset.score(X, y + 100) > 0.9
    steps = ThresholdRegressor(beta=1.0, max_inputs=1).fit(X, y)
    assert np.count_nonzero(steps.network_.layers[0][0], axis=1).max() == 1


def test_neurons_that_pay_for_their_inputs_read_fewer():
    X = np.random.default_rng(0).normal(size=(120, 8))
    y = X[:, 0] + 0.5 * X[:, 1] > 0
    options = {"method": "sample", "inputs": "mixed", "patterns": 200}
    free = ThresholdClassifier(**options).fit(X, y)
    paid = ThresholdClassifier(input_cost=0.5, **options).fit(X, y)
    assert free.model_ == ThresholdClassifier(input_cost=0, **options).fit(X, y).model_
    reads = [np.count_nonzero(model.network_.layers[0][0], axis=1).mean() for model in (free, paid)]
    assert reads[1] < reads[0]
    assert paid.certificate_.input_cost == 0.5 and "at the cost k^0.5" in paid.certificate_.claim
    chosen = ThresholdClassifierCV(cv=3, n_ratios=4, input_cost=0.5, **options).fit(X, y)
    assert chosen.certificate_.input_cost == 0.5


def test_the_strength_is_chosen_by_cross_validation(blobs, numbers):
    model = ThresholdClassifierCV(cv=4, n_ratios=6, method="generate").fit(*blobs)
    assert model.score(*blobs) > 0.9
    results = model.cv_results_
    assert len(results["ratios"]) == len(results["means"]) == 6
    assert model.beta_ratio_ == results["ratios"][np.argmax(results["means"])]
    assert model.beta_ == pytest.approx(model.beta_ratio_ * model.beta_max_)
    folds = KFold(3, shuffle=True, random_state=0)
    split = ThresholdRegressorCV(cv=folds, n_ratios=5).fit(*numbers)
    listed = ThresholdRegressorCV(cv=list(folds.split(*numbers)), n_ratios=5).fit(*numbers)
    assert split.model_ == listed.model_ and split.score(*numbers) > 0.8
    fewer = ThresholdRegressorCV(cv=folds, n_ratios=5, one_se=True).fit(*numbers)
    assert fewer.beta_ >= split.beta_


def test_a_weight_is_as_good_as_so_many_samples(blobs):
    X, y = blobs
    weights = np.arange(80) % 3
    weighted = ThresholdClassifier(beta=1.0).fit(X, y, sample_weight=weights)
    repeated = ThresholdClassifier(beta=1.0).fit(np.repeat(X, weights, 0), np.repeat(y, weights))
    assert weighted.objective_ == pytest.approx(repeated.objective_, rel=1e-6)
    assert certify(weighted, X, y, sample_weight=weights)
    assert not certify(weighted, X, y)
    heavy = ThresholdClassifier(class_weight={0: 100.0, 1: 0.01}, beta=1.0).fit(X, y)
    assert (heavy.predict(X) == 0).mean() > 0.5
    balanced = ThresholdClassifier(class_weight="balanced").fit(X[20:], y[20:])
    assert certify(balanced, X[20:], y[20:])


def test_models_survive_pickling_joblib_and_files(tmp_path, blobs, three, numbers):
    for model, (X, y) in [
        (ThresholdClassifier(), blobs),
        (ThresholdClassifierCV(cv=3, n_ratios=3, loss="logistic"), three),
        (ThresholdRegressor(), numbers),
    ]:
        model.fit(X, y)
        for copy in (pickle.loads(pickle.dumps(model)), pickle.loads(pickle.dumps(model, protocol=5))):
            assert copy.model_ == model.model_
            assert np.array_equal(copy.predict(X), model.predict(X))
        joblib.dump(model, tmp_path / "model.joblib")
        assert joblib.load(tmp_path / "model.joblib").model_ == model.model_
        save(model, tmp_path / "model.hardlim")
        back = load(tmp_path / "model.hardlim")
        assert back.model_ == model.model_
        assert np.array_equal(back.predict(X), model.predict(X))
        assert certify(back, X, y)


def test_estimators_work_in_pipelines_and_searches(blobs):
    X, y = blobs
    pipeline = make_pipeline(StandardScaler(), ThresholdClassifier(patterns=50))
    search = GridSearchCV(pipeline, {"thresholdclassifier__beta_ratio": [0.5, 0.1, 0.01]}, cv=3)
    assert search.fit(X, y).best_score_ > 0.7
    assert cross_val_score(ThresholdClassifier(patterns=50), X, y, cv=3).mean() > 0.7
    assert clone(search.best_estimator_[-1]).get_params()["patterns"] == 50


def test_a_gap_that_was_not_reached_is_told(blobs):
    X, y = blobs
    with pytest.warns(ConvergenceWarning, match="relative gap"):
        ThresholdClassifier(method="generate", gap=0.0, time_limit=0.2).fit(
            np.random.default_rng(0).normal(size=(200, 30)), np.arange(200) % 2
        )
    model = ThresholdClassifier(gap=0.5).fit(X, y)
    assert model.gap_ <= 0.5


def test_seeds_and_threads(blobs):
    X, y = blobs
    fit = lambda **options: ThresholdClassifier(method="sample", patterns=100, **options).fit(X, y)
    assert fit(n_jobs=1).model_ == fit(n_jobs=2).model_ == fit(n_jobs=-1).model_
    assert fit(random_state=1).model_ != fit(random_state=2).model_
    assert fit(random_state=np.random.RandomState(3)).model_ == fit(random_state=np.random.RandomState(3)).model_
    fit(random_state=None)


def test_progress_is_shown(capfd, blobs):
    X = np.random.default_rng(0).normal(size=(300, 20))
    ThresholdClassifier(method="generate", verbose=1, time_limit=0.5).fit(X, np.arange(300) % 2)
    assert "objective" in capfd.readouterr().err


def test_notebooks_show_network_and_certificate(blobs):
    X, y = blobs
    model = ThresholdClassifier(beta=5.0)
    assert "certified" not in model._repr_html_()
    html = model.fit(X, y)._repr_html_()
    assert "certified" in html and f"{model.n_neurons_} neurons" in html and "x1" in html
    assert "objective=" in repr(model.certificate_) and "n_neurons=" in repr(model.network_)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"beta": -1.0}, HardlimError),
        ({"beta": "much"}, TypeError),
        ({"beta": 1.0, "beta_ratio": 0.1}, HardlimError),
        ({"beta_ratio": 0.0}, HardlimError),
        ({"method": "guess"}, HardlimError),
        ({"method": 3}, TypeError),
        ({"loss": "cubic"}, HardlimError),
        ({"weights": "heavy"}, HardlimError),
        ({"patterns": 0}, HardlimError),
        ({"patterns": 10, "method": "generate"}, HardlimError),
        ({"max_inputs": 4}, HardlimError),
        ({"input_cost": -1.0}, HardlimError),
        ({"input_cost": 0.5, "method": "generate"}, HardlimError),
        ({"input_cost": "much"}, TypeError),
        ({"max_inputs": 2, "weights": "pi"}, HardlimError),
        ({"average": 0}, HardlimError),
        ({"layers": 3, "method": "sample"}, HardlimError),
        ({"widths": [2], "layers": 2}, HardlimError),
        ({"widths": [0]}, HardlimError),
        ({"representation": "none of these"}, HardlimError),
        ({"representation": "staircase", "widths": [3]}, HardlimError),
        ({"representation": "gaussian", "method": "sample"}, HardlimError),
        ({"representation": "gaussian", "weights": "sampled"}, HardlimError),
        ({"gap": -1.0}, HardlimError),
        ({"time_limit": 0.0}, HardlimError),
        ({"class_weight": "heavy"}, ValueError),
        ({"random_state": -1}, ValueError),
        ({"n_jobs": 0}, ValueError),
        ({"bias": "yes"}, TypeError),
        ({"missing": "guess"}, HardlimError),
    ],
)
def test_parameters_are_checked(options, error, blobs):
    X = np.hstack([blobs[0], blobs[0] ** 2])
    with pytest.raises(error):
        ThresholdClassifier(**options).fit(X, blobs[1])


def test_deep_networks_are_trained(tmp_path):
    X, y = np.arange(5.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0, 1.0])
    deep = ThresholdRegressor(method="enumerate", layers=3, widths=[2], beta=0.1).fit(X, y)
    flat = ThresholdRegressor(method="enumerate", beta=0.1).fit(X, y)
    assert deep.network_.n_layers == 3 and deep.objective_ <= flat.objective_
    assert certify(deep, X, y)
    save(deep, tmp_path / "deep.hardlim")
    assert np.array_equal(load(tmp_path / "deep.hardlim").predict(X), deep.predict(X))
    assert "layers" in deep._repr_html_()


@pytest.mark.parametrize("options", [{"representation": "staircase"}, {"representation": "gaussian", "layers": 4}])
def test_a_representation_reaches_the_bound_of_all_networks(options):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(30, 4)), rng.choice([-1.0, 1.0], 30)
    for weights in (None, "svm", "integer"):
        deep = ThresholdRegressor(beta=0.1, weights=weights, **options).fit(X, y)
        assert deep.network_.n_layers == options.get("layers", 3)
        assert deep.gap_ <= 1e-9 and certify(deep, X, y)


def test_tags_tell_what_is_read():
    tags = get_tags(ThresholdClassifier())
    assert tags.input_tags.allow_nan and tags.input_tags.categorical and not tags.input_tags.sparse
    assert not get_tags(ThresholdRegressor(missing="error")).input_tags.allow_nan


def test_nothing_is_answered_before_fitting(blobs):
    X, _ = blobs
    for model in (ThresholdClassifier(), ThresholdRegressorCV()):
        with pytest.raises(NotFittedError):
            model.predict(X)
        assert not hasattr(model, "network_")
    with pytest.raises(NotFittedError):
        save(ThresholdClassifier(), "model.hardlim")
