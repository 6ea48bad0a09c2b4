"""Wrong shapes, types and values: Python exceptions of the right type, never a panic."""

import hardlim
import numpy as np
import pytest
from hardlim import HardlimError, ThresholdClassifier, ThresholdRegressor
from scipy import sparse

X = np.arange(12.0).reshape(6, 2)
Y = np.array([0, 1, 0, 1, 0, 1])


def changed(value, dtype=float):
    x = X.astype(dtype)
    x[2, 1] = value
    return x


BAD_X = [
    (X[:, 0], ValueError),
    (X[None], ValueError),
    (np.empty((0, 2)), ValueError),
    (np.empty((6, 0)), ValueError),
    (X[:5], ValueError),
    (changed(np.nan), ValueError),
    (changed(np.inf), ValueError),
    (changed(1e61), HardlimError),
    (changed(1e-61), HardlimError),
    (changed("a", object), ValueError),
    (changed({}, object), TypeError),
    (changed(None, object), ValueError),
    (X.astype(complex), ValueError),
    (X.astype(str).astype(object)[:, [0]] + "?", ValueError),
    (sparse.csr_matrix(X), TypeError),
    ("text", ValueError),
    (None, ValueError),
    (7, ValueError),
]
BAD_Y = [
    (Y[:5], ValueError),
    (np.empty(0), ValueError),
    (np.stack([Y, Y], axis=1), ValueError),
    (None, ValueError),
    (np.array([0, 1, np.nan, 1, 0, 1]), ValueError),
    (np.array([0, 1, np.inf, 1, 0, 1]), ValueError),
    (Y.astype(complex), ValueError),
]


@pytest.mark.parametrize("estimator", [ThresholdClassifier, ThresholdRegressor])
@pytest.mark.parametrize("case", range(len(BAD_X)))
def test_wrong_rows_are_refused(estimator, case):
    x, error = BAD_X[case]
    with pytest.raises(error):
        estimator(missing="error").fit(x, Y)
    model = estimator(missing="error").fit(X, Y)
    if np.shape(x) != (5, 2):
        with pytest.raises(error):
            model.predict(x)


@pytest.mark.parametrize("estimator", [ThresholdClassifier, ThresholdRegressor])
@pytest.mark.parametrize("case", range(len(BAD_Y)))
def test_wrong_targets_are_refused(estimator, case):
    y, error = BAD_Y[case]
    with pytest.raises(error):
        estimator().fit(X, y)


def test_targets_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="one class"):
        ThresholdClassifier().fit(X, np.zeros(6))
    with pytest.raises(ValueError, match="continuous"):
        ThresholdClassifier().fit(X, Y + 0.25 * np.arange(6))
    with pytest.raises(HardlimError, match="1e60"):
        ThresholdRegressor().fit(X, Y * 1e70)
    with pytest.raises(HardlimError, match="-1 and 1"):
        ThresholdRegressor(loss="logistic").fit(X, np.arange(6.0))
    with pytest.raises(ValueError):
        ThresholdRegressor().fit(X, np.array(["a"] * 6))


@pytest.mark.parametrize(
    "weights", [np.ones(5), -np.ones(6), np.full(6, np.nan), np.zeros(6), np.ones((6, 2)), ["a"] * 6]
)
def test_wrong_weights_are_refused(weights):
    with pytest.raises(ValueError):
        ThresholdClassifier().fit(X, Y, sample_weight=weights)


def test_sparse_rows_are_refused_with_the_size_they_would_have(blobs):
    wide = sparse.random(1000, 50_000, density=1e-4, format="csr", random_state=0)
    for refused in [
        lambda: ThresholdClassifier().fit(wide, np.arange(1000) % 2),
        lambda: ThresholdClassifier(beta=1.0).fit(*blobs).predict(wide),
        lambda: hardlim.path(wide, np.arange(1000)),
        lambda: hardlim.arrangements(wide),
    ]:
        with pytest.raises(TypeError, match=r"Sparse data .* 1000 rows of 50000 columns would take 400 MB"):
            refused()
    with pytest.raises(TypeError, match="96 bytes"):
        ThresholdRegressor().fit(sparse.csr_matrix(X), Y)


WRONG = [
    {"beta": -1.0},
    {"beta": 1.0, "beta_ratio": 0.1},
    {"beta_ratio": -1.0},
    {"method": "best"},
    {"method": "complete"},
    {"method": "sample", "max_inputs": 1},
    {"loss": "best"},
    {"loss": "quantile:7"},
    {"patterns": 9, "method": "generate"},
    {"patterns": 10**12},
    {"max_inputs": 0},
    {"layers": 1},
    {"layers": 3, "max_inputs": 2},
    {"widths": [0]},
    {"tree": True},
    {"representation": "best"},
    {"representation": "staircase", "bias": False},
    {"weights": "best"},
    {"weights": "pi", "max_inputs": 2},
    {"average": 0},
    {"inputs": "many"},
    {"input_cost": -1.0},
    {"input_cost": 0.5, "beta": 1.0},
    {"neurons": 0},
    {"neurons": 5, "beta": 1.0},
    {"gap": -1.0},
    {"time_limit": 0.0},
    {"missing": "median"},
    {"keep": "nothing"},
    {"random_state": -1},
    {"n_jobs": 0},
    {"class_weight": "best"},
]


def in_words_of_python(error):
    text = str(error.value)
    return "--" not in text and "`" not in text


@pytest.mark.parametrize("options", WRONG, ids=str)
def test_errors_name_parameters_and_never_flags(options):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b"])
    with pytest.raises(ValueError) as error:
        ThresholdClassifier(**options).fit(frame, Y)
    assert in_words_of_python(error)


@pytest.mark.parametrize("seconds", [-1.0, 0.0, float("nan"), float("inf"), 1e300])
def test_time_limits_that_are_no_times_are_refused(seconds, tmp_path):
    model = ThresholdClassifier(beta=1.0).fit(X, Y)
    for limited in [
        lambda: ThresholdClassifier(time_limit=seconds).fit(X, Y),
        lambda: ThresholdRegressor(beta=1.0, time_limit=seconds).fit(X, Y),
        lambda: hardlim.best_halfspace(X, Y - 0.5, time_limit=seconds),
        lambda: hardlim.interpolate(X, Y, time_limit=seconds),
        lambda: hardlim.path(X, Y, time_limit=seconds),
        lambda: hardlim.solve_lasso(D, np.ones(4), 0.1, time_limit=seconds),
        lambda: hardlim.importance(model, X, Y, time_limit=seconds),
        lambda: hardlim.export(model, tmp_path / "c", X, Y, to="c", verify=True, time_limit=seconds),
    ]:
        with pytest.raises(ValueError, match="time_limit"):
            limited()


def test_functions_name_their_own_parameters():
    pd = pytest.importorskip("pandas")
    for wrong, words in [
        (lambda: hardlim.path(X, Y, points=0), "points must be"),
        (lambda: hardlim.path(X, Y, least=7.0), "least must be"),
        (lambda: hardlim.solve_lasso(D, np.ones(4), 0.1, tol=-1.0), "tol must be"),
        (lambda: hardlim.interpolate(X, Y, method="generate"), "method"),
    ]:
        with pytest.raises(ValueError, match=words) as error:
            wrong()
        assert in_words_of_python(error)
    mixed = pd.DataFrame({"a": ["€ 1", "$ 2", "€ 3", "$ 4"] * 6})
    with pytest.raises(HardlimError, match=r"astype\('category'\) reads them as labels") as error:
        ThresholdRegressor().fit(mixed, np.arange(24.0))
    assert in_words_of_python(error)
    asked = hardlim.describe(pd.DataFrame({"a": np.arange(24.0) ** 2}), np.arange(24) % 3)
    assert any("ThresholdClassifier takes them so" in note for note in asked["notes"])


def test_targets_of_zero_give_the_zero_network():
    model = ThresholdRegressor().fit(X, np.zeros(6))
    assert model.n_neurons_ == 0 and not model.predict(X).any()


D = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]], dtype=np.uint8)


@pytest.mark.parametrize(
    ("design", "error"),
    [
        (D[0], ValueError),
        (D[None], ValueError),
        (D * 2, HardlimError),
        (D * 0.5, HardlimError),
        (D.astype(int) - 1, HardlimError),
        (np.where(D, np.nan, 0.0), HardlimError),
        (D.astype(complex), ValueError),
        (D.astype(object), TypeError),
        (D.astype(str), TypeError),
        (sparse.csc_matrix(D), TypeError),
        (D[:0], ValueError),
        (D[:3], ValueError),
        ("text", ValueError),
    ],
)
def test_wrong_designs_are_refused(design, error):
    with pytest.raises(error):
        hardlim.solve_lasso(design, np.ones(4), 0.1)


def test_wrong_lasso_arguments_are_refused():
    for y in (np.ones(3), np.ones((4, 2)), np.full(4, np.nan), np.ones(4) * 1j, ["a"] * 4):
        with pytest.raises(ValueError):
            hardlim.solve_lasso(D, y, 0.1)
    with pytest.raises(HardlimError):
        hardlim.solve_lasso(D, np.ones(4), -1.0)
    with pytest.raises(TypeError):
        hardlim.solve_lasso(D, np.ones(4), "much")
    with pytest.raises(HardlimError):
        hardlim.solve_lasso(D, np.ones(4), 0.1, loss="cubic")
    with pytest.raises(HardlimError):
        hardlim.solve_lasso(D, np.zeros(4), 0.1, loss="logistic")
    with pytest.raises(ValueError):
        hardlim.solve_lasso(D, np.ones(4), 0.1, sample_weight=np.ones(3))
    with pytest.raises(HardlimError):
        hardlim.solve_lasso(D, np.ones(4), 0.1, sample_weight=-np.ones(4))


def test_other_functions_refuse_as_well(tmp_path):
    with pytest.raises(ValueError):
        hardlim.arrangements(np.empty((0, 2)))
    with pytest.raises(HardlimError, match="patterns"):
        hardlim.arrangements(np.random.default_rng(0).normal(size=(100, 9)), limit=1000)
    with pytest.raises(HardlimError):
        hardlim.arrangements(X, widths=[0])
    with pytest.raises(ValueError):
        hardlim.complete([], 1.0)
    with pytest.raises(ValueError):
        hardlim.complete([np.nan], 1.0)
    with pytest.raises(ValueError, match="classes"):
        hardlim.path(X, ["a", "b", "c", "a", "b", "c"])
    with pytest.raises(ValueError):
        hardlim.path(X, Y, task="guess")
    with pytest.raises(ValueError):
        hardlim.path(X, Y, X[:, :1])
    with pytest.raises(ValueError):
        hardlim.interpolate(X, Y[:4])
    with pytest.raises(HardlimError):
        hardlim.interpolate(X, Y, method="generate")
    with pytest.raises(FileNotFoundError):
        hardlim.load(tmp_path / "nothing.hardlim")
    (tmp_path / "text").write_text("text")
    with pytest.raises(HardlimError, match="model file"):
        hardlim.load(tmp_path / "text")
    model = ThresholdClassifier().fit(X, Y)
    with pytest.raises(OSError):
        model.save(tmp_path / "no" / "folder" / "model")
    with pytest.raises(ValueError, match="unknown class"):
        hardlim.certify(model, X, Y + 1)
    assert not hardlim.certify(model, X + 1, Y)
