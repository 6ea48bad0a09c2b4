"""Python and the command line: the same network to the last bit, and files that both read."""

import numpy as np
import pytest
from hardlim import (
    HardlimError,
    ThresholdClassifier,
    ThresholdClassifierCV,
    ThresholdRegressor,
    ThresholdRegressorCV,
    _hardlim,
    certify,
    datasets,
    load,
)

pd = pytest.importorskip("pandas")


def same(program, tmp_path, source, estimator, X, y, *flags):
    """Trains both ways, and compares what was written."""
    ours, theirs = tmp_path / "ours.hardlim", tmp_path / "theirs.hardlim"
    report = program("train", source, "-o", theirs, *flags)
    estimator.fit(X, y).save(ours)
    model = _hardlim.Model.load(theirs)
    assert model.networks == estimator.model_.networks
    assert model.certificate == estimator.certificate_
    assert model.global_certificate == estimator.global_certificate_
    assert report["objective"] == estimator.objective_
    assert report["neurons"] == estimator.n_neurons_
    assert program("certify", ours, source)["holds"]
    assert certify(load(theirs), X, y)
    assert np.array_equal(load(theirs).predict(X), estimator.predict(X))
    return without_hashes(ours) == without_hashes(theirs)


def without_hashes(path):
    """A model file without the hashes of its files, which a frame does not have."""
    return [line for line in path.read_text().splitlines() if not line.startswith(('  "files"', '  "checksum"'))]


@pytest.mark.parametrize("name", ["titanic", "tic_tac_toe"])
def test_labels(hardlim_program, tmp_path, name):
    frame = getattr(datasets, f"load_{name}")(as_frame=True).frame
    source = tmp_path / "table.csv"
    frame.to_csv(source, index=False)
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    for options, flags in [
        ({"beta": 10.0}, ["--beta", 10]),
        ({"method": "sample", "random_state": 7}, ["--method", "sample", "--seed", 7]),
        ({"loss": "logistic", "patterns": 200}, ["--loss", "logistic", "--patterns", 200]),
        ({"class_weight": "balanced", "patterns": 50}, ["--class-weight", "balanced", "--patterns", 50]),
    ]:
        model = ThresholdClassifier(**options)
        assert same(hardlim_program, tmp_path, source, model, X, y, *flags)


PROBLEMS = [
    ({"beta": 10.0}, "--beta 10"),
    ({"beta": 10.0, "positive": "no"}, "--beta 10 --positive no"),
    ({"beta_ratio": 0.2, "loss": "logistic", "intercept": True}, "--beta-ratio 0.2 --loss logistic --intercept"),
    ({"method": "sample", "random_state": 7}, "--method sample --seed 7"),
    (
        {"patterns": 200, "loss": "hinge", "weights": "svm", "standardize": False},
        "--patterns 200 --loss hinge --weights svm --no-standardize",
    ),
    (
        {"max_inputs": 1, "average": 2, "beta": 20.0, "non_negative": True},
        "--max-inputs 1 --average 2 --beta 20 --non-negative",
    ),
    (
        {"method": "sample", "inputs": "mixed", "input_cost": 0.5, "patterns": 100},
        "--method sample --inputs mixed --input-cost 0.5 --patterns 100",
    ),
    ({"method": "generate", "beta": 30.0, "gap": 0.01}, "--method generate --beta 30 --gap 0.01"),
    ({"conditions": 2, "beta": 30.0, "gap": 0.001}, "--conditions 2 --beta 30 --gap 0.001"),
    ({"representation": "staircase", "beta": 1.0}, "--representation staircase --beta 1"),
    ({"layers": 3}, "--layers 3"),
    (
        {"layers": 4, "representation": "gaussian", "widths": 60, "weights": "pi"},
        "--layers 4 --representation gaussian --widths 60 --weights pi",
    ),
    ({"patterns": 60, "bias": False}, "--patterns 60 --no-bias"),
    ({"widths": [2], "patterns": 50, "beta": 5.0}, "--widths 2 --patterns 50 --beta 5"),
    ({"weights": "integer", "beta": 10.0}, "--weights integer --beta 10"),
    ({"rules": 4}, "--rules 4"),
    ({"rules": 4, "monotone": {"class": -1, "sex": "+"}}, "--rules 4 --monotone class=-,sex=+"),
    ({"conditions": 2, "beta": 30.0, "monotone": {"class": "-"}}, "--conditions 2 --beta 30 --monotone class=-"),
    (
        {"conditions": 2, "beta": 30.0, "interactions": [("class", "sex")]},
        "--conditions 2 --beta 30 --interactions class:sex",
    ),
    ({"conditions": 2, "beta": 30.0, "no_interactions": "age"}, "--conditions 2 --beta 30 --no-interactions age"),
    ({"rules": 5, "points": 3, "random_state": 2}, "--rules 5 --points 3 --seed 2"),
]


@pytest.mark.parametrize(("options", "flags"), PROBLEMS)
def test_the_same_request_gives_the_same_network(hardlim_program, tmp_path, options, flags):
    frame = datasets.load_titanic(as_frame=True).frame
    source = tmp_path / "table.csv"
    frame.to_csv(source, index=False)
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    assert same(hardlim_program, tmp_path, source, ThresholdClassifier(**options), X, y, *flags.split())


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({"beta": 2.0}, "--beta 2"),
        ({"beta": 2.0, "max_inputs": 1}, "--beta 2 --max-inputs 1"),
        ({"patterns": 80, "loss": "logistic"}, "--patterns 80 --loss logistic"),
        ({"max_inputs": 2, "neurons": 3, "output_bits": 2}, "--max-inputs 2 --neurons 3 --output-bits 2"),
        ({"beta": 2.0, "max_inputs": 2, "weight_bits": 6}, "--beta 2 --max-inputs 2 --weight-bits 6"),
    ],
)
@pytest.mark.parametrize("bits", [2, 5])
def test_few_bits(hardlim_program, tmp_path, options, flags, bits):
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(rng.normal(size=(90, 3)) ** 3, columns=["a", "b", "c"])
    frame["y"] = np.where(frame["a"] + frame["b"] > rng.normal(size=90), "on", "off")
    source = tmp_path / "table.csv"
    frame.to_csv(source, index=False)
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    flags = [*flags.split(), "--bits", bits]
    assert same(hardlim_program, tmp_path, source, ThresholdClassifier(bits=bits, **options), X, y, *flags)
    plain = ThresholdClassifier(bits=bits, **options).fit(X.to_numpy(), y)
    framed = ThresholdClassifier(bits=bits, **options).fit(X, y)
    new = rng.normal(size=(50, 3)) ** 3
    assert np.array_equal(
        plain.decision_function(new), framed.decision_function(pd.DataFrame(new, columns=["a", "b", "c"]))
    )
    outputs = [network.output(X.to_numpy()) for network in framed.model_.networks]
    assert not np.array_equal(outputs[0], framed.decision_function(X))


def test_nothing_to_fit_gives_the_zero_network(hardlim_program, tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 0.0, 0.0, 0.0]})
    source = tmp_path / "table.csv"
    frame.to_csv(source, index=False)
    for model, flags in [
        (ThresholdRegressor(), []),
        (ThresholdRegressor(method="sample"), ["--method", "sample"]),
        (ThresholdRegressorCV(cv=2, n_ratios=3), ["--cv", 2, "--cv-points", 3]),
    ]:
        flags = ["--task", "regress", *flags]
        assert same(hardlim_program, tmp_path, source, model, frame[["a"]], frame["y"], *flags)
        assert model.n_neurons_ == 0


REFUSALS = [
    ({"beta": 0.0}, "--beta 0"),
    ({"beta": 1.0, "beta_ratio": 0.1}, "--beta 1 --beta-ratio 0.1"),
    ({"time_limit": 0.0}, "--time-limit 0"),
    ({"gap": -1.0}, "--gap -1"),
    ({"average": 0}, "--average 0"),
    ({"bits": 17}, "--bits 17"),
    ({"bits": 3, "weight_bits": 33}, "--bits 3 --weight-bits 33"),
    ({"output_bits": 3}, "--output-bits 3"),
    ({"layers": 1}, "--layers 1"),
    ({"patterns": 9, "method": "generate"}, "--patterns 9 --method generate"),
    ({"input_cost": -1.0}, "--input-cost -1"),
    ({"input_cost": 0.5, "beta": 1.0}, "--input-cost 0.5 --beta 1"),
    ({"max_inputs": 2, "layers": 3}, "--max-inputs 2 --layers 3"),
    ({"conditions": 2, "max_inputs": 1}, "--conditions 2 --max-inputs 1"),
    ({"max_inputs": 2, "weights": "pi"}, "--max-inputs 2 --weights pi"),
    ({"max_inputs": 1, "method": "sample"}, "--max-inputs 1 --method sample"),
    ({"representation": "staircase", "bias": False}, "--representation staircase --no-bias"),
    ({"representation": "staircase", "widths": [3]}, "--representation staircase --widths 3"),
    ({"representation": "gaussian", "method": "sample"}, "--representation gaussian --method sample"),
    ({"method": "complete", "weights": "sampled"}, "--method complete --weights sampled"),
    ({"tree": True}, "--tree"),
    ({"layers": 4, "widths": [2]}, "--layers 4 --widths 2"),
    ({"method": "complete"}, "--method complete"),
]


def spelled(text):
    """A sentence with its options spelled the same, whoever wrote it."""
    text = text.strip().removeprefix("hardlim: ").replace("--no-bias", "bias False").replace("'", "")
    return text.replace("--", "").replace("-", "_").replace("=", " ")


@pytest.mark.parametrize(("options", "flags"), REFUSALS)
def test_the_same_conflict_is_refused_with_the_same_sentence(hardlim_refusal, options, flags):
    frame = datasets.load_titanic(as_frame=True).frame
    with pytest.raises(HardlimError) as refused:
        ThresholdClassifier(**options).fit(frame.iloc[:, :-1], frame.iloc[:, -1])
    assert "`" not in str(refused.value)
    assert spelled(str(refused.value)) == spelled(hardlim_refusal("train", "titanic", *flags.split()))


def test_numbers(hardlim_program, tmp_path, numbers):
    X, y = numbers
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(price=y)
    source = tmp_path / "table.csv"
    frame.to_csv(source, index=False)
    for options, flags in [
        ({}, []),
        ({"method": "generate", "random_state": 3}, ["--method", "generate", "--seed", 3]),
        ({"weights": "svm", "patterns": 100}, ["--weights", "svm", "--patterns", 100]),
        ({"max_inputs": 1, "average": 2}, ["--max-inputs", 1, "--average", 2]),
        ({"intercept": True, "gap": 0.01}, ["--intercept", "--gap", 0.01]),
        ({"bias": False, "patterns": 60, "standardize": False}, ["--no-bias", "--patterns", 60, "--no-standardize"]),
    ]:
        model = ThresholdRegressor(**options)
        assert same(hardlim_program, tmp_path, source, model, frame[["a", "b"]], frame["price"], *flags)


def test_arrays_are_as_good_as_tables_without_a_header(hardlim_program, tmp_path, blobs, three):
    source = tmp_path / "table.csv"
    for X, y in (blobs, three):
        np.savetxt(source, np.column_stack([X, y]), delimiter=",", fmt="%.17g")
        model = ThresholdClassifier(patterns=100)
        assert same(hardlim_program, tmp_path, source, model, X, y, "--patterns", 100, "--task", "classify")
        rows = hardlim_program("predict", tmp_path / "ours.hardlim", source)
        assert [int(row["prediction"]) for row in rows["rows"]] == model.predict(X).tolist() if "rows" in rows else True


def test_cross_validation(hardlim_program, tmp_path, blobs):
    X, y = blobs
    source = tmp_path / "table.csv"
    np.savetxt(source, np.column_stack([X, y]), delimiter=",", fmt="%.17g")
    model = ThresholdClassifierCV(cv=4, n_ratios=8, patterns=60, random_state=5)
    flags = ["--cv", 4, "--cv-points", 8, "--patterns", 60, "--seed", 5]
    assert same(hardlim_program, tmp_path, source, model, X, y, *flags)
