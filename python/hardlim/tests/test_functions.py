"""The programs on their own."""

import hardlim
import numpy as np
import pytest
from hardlim import datasets


@pytest.fixture
def lasso():
    rng = np.random.default_rng(0)
    D = rng.random((60, 40)) < 0.5
    return D, D @ rng.normal(size=40) + 0.1 * rng.normal(size=60)


def test_the_lasso_is_solved_whatever_the_type_and_order_of_the_matrix(lasso):
    D, y = lasso
    first = hardlim.solve_lasso(D, y, 1.0)
    w = first.coefficients
    assert first.objective == pytest.approx(np.sum((D @ w - y) ** 2) / 2 + np.abs(w).sum(), rel=1e-9)
    assert first.gap <= 1e-8 and first.lower_bound <= first.objective
    assert np.max(np.abs(D.T @ (D @ w - y))) == pytest.approx(1.0, rel=1e-5)
    wide = np.zeros((120, 80))
    wide[::2, ::2] = D
    for kind in (np.uint8, np.float64, np.float32, np.int64, np.int8, ">f8"):
        for order in "CF":
            other = hardlim.solve_lasso(np.asarray(D.astype(kind), order=order), y, 1.0)
            assert np.array_equal(other.coefficients, w)
    for view in (wide[::2, ::2], np.asfortranarray(D), D[::-1][::-1], D.tolist()):
        assert np.array_equal(hardlim.solve_lasso(view, y, 1.0).coefficients, w)
    frozen = D.copy()
    frozen.flags.writeable = False
    assert np.array_equal(hardlim.solve_lasso(frozen, y, 1.0).coefficients, w)


def test_losses_constraints_and_weights_are_those_of_the_program(lasso):
    D, y = lasso
    s = np.arange(60) % 4
    weighted = hardlim.solve_lasso(D, y, 1.0, sample_weight=s)
    repeated = hardlim.solve_lasso(np.repeat(D, s, 0), np.repeat(y, s), 1.0)
    assert weighted.objective == pytest.approx(repeated.objective, rel=1e-7)
    signs = np.where(y > 0, 1, -1)
    logistic = hardlim.solve_lasso(D, signs, 1.0, loss="logistic")
    u = D @ logistic.coefficients
    value = np.log1p(np.exp(-signs * u)).sum() + np.abs(logistic.coefficients).sum()
    assert logistic.objective == pytest.approx(value, rel=1e-9)
    positive = hardlim.solve_lasso(D, y, 1.0, non_negative=True, intercept=True)
    assert positive.coefficients.min() >= 0 and positive.intercept != 0
    zero = hardlim.solve_lasso(D, y, weighted.beta_max * 100)
    assert not zero.coefficients.any()
    with pytest.warns(hardlim.functions.ConvergenceWarning):
        hardlim.solve_lasso(D, y, 1.0, tol=0.0)


def test_a_path_starts_at_zero_and_its_objective_falls(numbers):
    X, y = numbers
    path = hardlim.path(X, y, X[:10], patterns=100, points=12)
    assert path.complete and path.betas[0] == path.beta_max
    assert path.coefficients.shape == (12, path.coefficients.shape[1])
    assert not path.coefficients[0].any()
    assert np.all(np.diff(path.objectives) < 0) and np.all(path.lower_bounds <= path.objectives)
    assert np.array_equal(path.n_neurons, np.count_nonzero(path.coefficients, axis=1))
    assert path.outputs.shape == (12, 120) and np.array_equal(path.held_out, path.outputs[:, :10])


def test_a_path_over_few_inputs_is_proven(numbers):
    X, y = numbers
    path = hardlim.path(X, y, max_inputs=2, points=4, least=0.2)
    assert path.complete and np.all(path.objectives - path.lower_bounds <= 1e-3 * path.objectives)
    assert np.array_equal(path.n_neurons, np.count_nonzero(path.coefficients, axis=1))


def test_what_is_lost_without_an_input_is_proven(blobs):
    X, y = blobs
    model = hardlim.ThresholdClassifier(beta=2.0, max_inputs=1).fit(X, y)
    lost = hardlim.importance(model, X, y)
    assert len(lost["inputs"]) == X.shape[1] and lost["relative_gap"] <= 1e-3
    assert model.model_.problem.endswith(f"squared loss, beta 2, without an output bias; {len(X)} rows")
    for k, column in enumerate(lost["inputs"]):
        assert lost["lower_bound"] <= column["lower_bound"] <= column["objective"]
        blank = X.copy()
        blank[:, k] = 0
        alone = hardlim.ThresholdClassifier(beta=2.0, max_inputs=1).fit(blank, y)
        assert alone.certificate_.objective >= column["lower_bound"]
    with pytest.raises(ValueError, match="not the training data"):
        hardlim.importance(model, X[:-5], y[:-5])


def test_arrangements_are_those_of_the_theory():
    line = np.arange(5.0)[:, None]
    found = hardlim.arrangements(line)
    assert (found.count, found.rank, found.distinct, found.complete) == (10, 2, 5, False)
    assert found.patterns.shape == (5, 10) and found.patterns.dtype == bool
    assert len({tuple(column) for column in found.patterns.T}) == 10
    assert [hardlim.arrangements(line, widths=[m]).count for m in (1, 2, 3, 4)] == [10, 22, 30, 32]
    assert hardlim.arrangements(line, widths=[1, 2]).count == 10
    assert hardlim.arrangements(line, widths=[1, 2], tree=True).count == 22
    assert hardlim.arrangements(line, count_only=True).patterns is None
    repeated = hardlim.arrangements(np.repeat(line, 2, axis=0))
    assert repeated.count == 10 and repeated.patterns.shape == (10, 10)
    assert hardlim.arrangements([[1.0], [-1.0]], bias=False).count == 3
    many = hardlim.arrangements(np.eye(70), count_only=True)
    assert many.count == 2**70 and many.complete


def test_the_complete_program_has_a_closed_form():
    y = np.array([1.0, 1.0, -1.0, -1.0, -1.0])
    found = hardlim.complete(y, 1.0)
    assert found.objective == pytest.approx(2 - (1 / 2 + 1 / 3) / 2)
    assert np.allclose(found.delta, [0.5, 0.5, -2 / 3, -2 / 3, -2 / 3])
    assert np.allclose(np.sort(found.amplitudes), [-2 / 3, 0.5])
    assert found.beta_max == pytest.approx(3.0)
    weighted = hardlim.complete([1.0, -1.0], 1.0, sample_weight=[2.0, 3.0])
    assert weighted.objective == pytest.approx(found.objective)


def test_interpolation_answers_every_target_or_says_why_not():
    X, y = datasets.load_line(return_X_y=True)
    found = hardlim.interpolate(X, y)
    assert found and found.norm == pytest.approx(3.0) and found.residual < 1e-9
    assert found.lower_bound <= found.norm and found.scope == "global"
    assert np.allclose(found.model.output(X)[:, 0], y)
    conflict = hardlim.interpolate([[0.0], [0.0]], [1.0, 2.0], task="regress")
    assert not conflict and "targets 1 and 2" in conflict.reason
    few = hardlim.interpolate(X, y, method="sample", patterns=1)
    assert not few and few.scope == "dictionary" and few.separation.shape == (5,)


def test_built_in_data_sets_are_there():
    titanic = datasets.load_titanic()
    assert titanic.data.shape[0] == 2201 and set(titanic.target) == {"no", "yes"}
    assert len(titanic.feature_names) == titanic.data.shape[1] and titanic.DESCR
    frame = datasets.load_tic_tac_toe(as_frame=True)
    assert frame.frame.shape == (958, 10) and frame.data.shape == (958, 9)
    X, y = datasets.load_teacher2(50, 7, random_state=3, return_X_y=True)
    assert X.shape == (50, 7) and len(y) == 50
    assert datasets.load_teacher3().data.shape == (100, 20)


def test_pictures_are_drawn(blobs, numbers):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    X, y = numbers
    assert len(hardlim.plot_path(hardlim.path(X, y, patterns=50, points=5))) == 3
    model = hardlim.ThresholdRegressor(method="generate").fit(X, y)
    assert hardlim.plot_boundary(model, X, y, resolution=20).get_xlabel() == "x1"
    assert len(hardlim.plot_convergence(model).lines) == 2
    classifier = hardlim.ThresholdClassifier().fit(blobs[0][:, :2], blobs[1])
    assert hardlim.plot_boundary(classifier, blobs[0][:, :2], blobs[1], resolution=20)
    with pytest.raises(ValueError, match="two features"):
        hardlim.plot_boundary(classifier, blobs[0])
    plt.close("all")


def test_the_best_halfspace_is_proven_and_agrees_with_its_rows():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(120, 3))
    z = np.where(X @ [1.0, -2.0, 0.5] >= 0.2, 1.0, -1.0) * np.where(rng.random(120) < 0.1, -1, 1)
    best = hardlim.best_halfspace(X, z)
    assert best.optimal and best.gap == 0.0 and best.value == best.upper_bound
    assert np.array_equal(best.inside, X @ best.weights + best.bias >= 0)
    assert best.value == z[best.inside].sum()
    assert best.loss == np.sum(best.inside != (z > 0)) == best.lower_bound
    one = hardlim.best_halfspace(X, z, max_inputs=1)
    assert np.count_nonzero(one.weights) <= 1 and one.loss >= best.loss
    loose = hardlim.best_halfspace(X, z, gap=0.5)
    assert loose.gap <= 0.5 and loose.lower_bound <= best.loss
    with pytest.raises(ValueError, match="120 rows"):
        hardlim.best_halfspace(X, z[:5])


def test_halfspace_depth_is_a_best_halfspace():
    square = np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    for point, depth in (([0.0, 0.0], 2), ([1.0, 1.0], 1), ([2.0, 0.0], 0), ([0.5, 0.0], 1)):
        assert -hardlim.best_halfspace(square - point, -np.ones(4), bias=False).value == depth
