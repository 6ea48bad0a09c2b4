"""Python and the command line: the same network to the last bit, and files that both read."""

import numpy as np
import pytest
from hardlim import ThresholdClassifier, ThresholdClassifierCV, ThresholdRegressor, _hardlim, certify, datasets, load

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
    return ours.read_text() == theirs.read_text()


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
