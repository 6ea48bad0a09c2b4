"""What can be done with a trained model: explained, exported, loaded."""

import doctest
import json
import shutil
import subprocess
import sys

import hardlim
import numpy as np
import pytest
from hardlim import (
    HardlimError,
    ThresholdClassifier,
    ThresholdRegressor,
    certify,
    datasets,
    explain,
    export,
    interpolate,
    load,
    path,
    prove,
)
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectFromModel

pd = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def titanic():
    frame = datasets.load_titanic(as_frame=True).frame
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    return ThresholdClassifier(beta=10).fit(X, y), X, y


@pytest.mark.parametrize("module", ["functions", "models"])
def test_the_examples_are_true(module):
    __import__(f"hardlim.{module}")
    done = doctest.testmod(sys.modules[f"hardlim.{module}"])
    assert done.failed == 0 and done.attempted > 0


def test_a_proof_is_believed_by_its_checker(titanic, tmp_path):
    model, X, y = titanic
    proven = prove(model, tmp_path / "proof", X, y)
    assert proven["lower_bound"] == pytest.approx(model.certificate_.lower_bound, rel=1e-9)
    check = [sys.executable, tmp_path / "proof" / "check.py"]
    table = X.assign(target=y)
    table.columns = [*X.columns, y.name or "target"]
    table.to_csv(tmp_path / "t.csv", index=False)
    said = subprocess.run([*check, tmp_path / "t.csv"], check=True, capture_output=True, text=True).stdout
    assert "PROVEN: no network of the class is below" in said
    with pytest.raises(OSError, match="not empty"):
        prove(model, tmp_path / "proof", X, y)


def test_rules_are_those_of_the_command_line(titanic, tmp_path, hardlim_program):
    model, X, y = titanic
    model.save(tmp_path / "m.hardlim")
    theirs = hardlim_program("explain", tmp_path / "m.hardlim", "titanic")
    ours = explain(model, X, y)
    assert ours.networks == [theirs]
    assert str(ours).startswith("# ThresholdClassifier") and ours._repr_markdown_() == str(ours)
    assert repr(ours) == f"Explanation(networks=1, rules={model.n_neurons_})"


def test_rules_need_no_rows_and_no_targets(titanic, three):
    model, X, _ = titanic
    without, with_rows = explain(model), explain(model, X.head(100))
    assert without.networks[0]["rows"] is None and with_rows.networks[0]["rows"] == 100
    assert "explain(estimator, X)" in str(without) and "explain(estimator, X)" not in str(with_rows)
    several = explain(ThresholdClassifier(beta=1.0, max_inputs=2).fit(*three), three[0], rules=None, terms=None)
    assert [network["class"] for network in several.networks] == ["0", "1", "2"]
    with pytest.raises(ValueError, match="y needs X"):
        explain(model, y=[0, 1])
    with pytest.raises(ValueError, match="terms must be at least 1"):
        explain(model, terms=0)
    with pytest.raises(NotFittedError):
        explain(ThresholdClassifier())


@pytest.mark.parametrize("to", ["c", "rust", "verilog", "onnx", "markdown"])
def test_exports_are_those_of_the_command_line(titanic, tmp_path, hardlim_program, to):
    model, X, y = titanic
    model.save(tmp_path / "model.hardlim")
    theirs = hardlim_program(
        "export", tmp_path / "model.hardlim", "--to", to, "--data", "titanic", "-o", tmp_path / "theirs"
    )
    ours = export(model, tmp_path / "ours", X, y, to=to)
    assert {**ours, "folder": ""} == {**theirs, "folder": ""}
    assert str(ours).startswith(f"{to} written to {tmp_path / 'ours'}\n")
    for file in theirs["files"]:
        assert (tmp_path / "ours" / file).read_bytes() == (tmp_path / "theirs" / file).read_bytes() or file.endswith(
            ".md"
        )


def test_exports_are_verified_before_they_are_there(titanic, tmp_path):
    model, X, y = titanic
    written = export(model, tmp_path / "made", X, y, to="c", name="ship", verify=True, random=50)
    compared = [check for check in written["checks"] if "mismatches" in check]
    assert compared and all(check["mismatches"] == 0 for check in compared)
    assert json.loads((tmp_path / "made" / "ship_report.json").read_text()) == written
    whole = ThresholdClassifier(**{**model.get_params(), "weights": "integer"}).fit(X, y)
    assert "ship.c" in export(whole, tmp_path / "without", to="c", name="ship")["files"]


def test_output_weights_have_as_few_bits_as_asked_for(titanic, tmp_path):
    model, X, y = titanic
    written = export(model, tmp_path / "narrow", X, y, to="c", output_bits=2)
    assert written["few_bits"]["bits"] <= 2
    assert load(tmp_path / "narrow" / "model.hardlim").score(X, y) > 0.7


@pytest.mark.skipif(shutil.which("yosys") is None, reason="counting LUTs needs Yosys")
def test_a_budget_of_luts_is_kept(titanic, tmp_path):
    model, X, y = titanic
    written = export(model, tmp_path / "small", X, y, to="verilog", budget=30)
    chosen = [size for size in written["budget"]["tried"] if size["chosen"]]
    assert len(chosen) == 1 and chosen[0]["luts"] <= 30
    assert load(tmp_path / "small" / "model.hardlim").score(X, y) > 0.75


def test_exports_that_cannot_be_are_refused(titanic, tmp_path):
    model, X, y = titanic
    with pytest.raises(HardlimError, match="budget needs the training data"):
        export(model, tmp_path / "a", to="verilog", budget=10)
    with pytest.raises(HardlimError, match="output_bits=1: it must be between 2 and 32"):
        export(model, tmp_path / "a", X, y, to="c", output_bits=1)
    with pytest.raises(HardlimError, match="give its training data"):
        export(model, tmp_path / "a", to="c")
    with pytest.raises(HardlimError, match="expected one of c, rust, verilog"):
        export(model, tmp_path / "a", to="pdf")
    with pytest.raises(HardlimError, match="verify: there is nothing to run with to='markdown'"):
        export(model, tmp_path / "a", to="markdown", verify=True)
    with pytest.raises(HardlimError, match="name='a b': not a valid name"):
        export(model, tmp_path / "a", X, y, to="c", name="a b")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(OSError, match="not empty"):
        export(model, tmp_path / "full", X, y, to="c")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["full"]


def test_importances_are_shares_of_the_columns(blobs, three, numbers):
    X, y = blobs
    noise = np.column_stack([X[:, :2], np.full(80, 3.0)])
    for model, rows in [
        (ThresholdClassifier(beta=2.0, max_inputs=1).fit(noise, y), noise),
        (ThresholdClassifier(beta=2.0).fit(*three), three[0]),
        (ThresholdClassifier(layers=3).fit(X, y), X),
        (ThresholdRegressor(beta=1.0).fit(*numbers), numbers[0]),
    ]:
        shares = model.feature_importances_
        assert shares.shape == (rows.shape[1],) and (shares >= 0).all()
        assert shares.sum() == pytest.approx(1.0)
    only = ThresholdClassifier(beta=2.0, max_inputs=1).fit(noise, y)
    assert only.feature_importances_[2] == 0.0
    # With one input a neuron: |a| times the mean distance of its answer from its mean.
    w, b = only.network_.layers[0]
    fires = (noise @ w.T + b >= 0).mean(axis=0)
    answers = 2 * fires * (1 - fires) * np.abs(only.network_.amplitudes)
    expected = np.array([answers[w[:, j] != 0].sum() for j in range(3)])
    assert only.feature_importances_ == pytest.approx(expected / expected.sum())
    empty = ThresholdRegressor(beta=1e6).fit(*numbers)
    assert not empty.feature_importances_.any()
    assert not hasattr(ThresholdClassifier(), "feature_importances_")
    chosen = SelectFromModel(ThresholdClassifier(beta=2.0, max_inputs=1)).fit(noise, y)
    assert not chosen.get_support()[2]


def test_importances_of_a_frame_belong_to_its_columns():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"id": np.arange(60), "size": rng.normal(size=60), "kind": rng.choice(["a", "b", "c"], 60), "one": 1.0}
    )
    frame.loc[:5, "size"] = np.nan
    y = (frame["kind"] == "a").astype(int)
    with pytest.warns(UserWarning, match="left out"):
        model = ThresholdClassifier(beta=1.0).fit(frame, y)
    assert model.feature_importances_.shape == (4,)
    assert model.feature_importances_[[0, 3]].tolist() == [0.0, 0.0]
    assert model.feature_importances_.argmax() == 2


def test_names_are_kept_by_a_file(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": [f"n{i}" for i in range(60)], "b": rng.normal(size=60), "a": rng.normal(size=60)})
    y = pd.Series(frame["a"] > 0, name="positive").astype(int)
    with pytest.warns(UserWarning, match="left out"):
        model = ThresholdClassifier(beta=1.0).fit(frame, y)
    model.save(tmp_path / "m.hardlim")
    again = load(tmp_path / "m.hardlim")
    assert list(again.feature_names_in_) == list(model.feature_names_in_) == ["id", "b", "a"]
    assert again.n_features_in_ == model.n_features_in_ == 3
    assert again.notes_ == model.notes_
    assert np.array_equal(again.predict(frame), model.predict(frame))
    assert np.array_equal(again.predict(frame[["a", "b", "id"]]), model.predict(frame))
    assert certify(again, frame, y) and explain(again, frame, y).networks == explain(model, frame, y).networks
    with pytest.raises(AttributeError, match="loaded"):
        again.feature_importances_  # noqa: B018


def test_a_file_keeps_the_problem(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = X[:, 0] + (X[:, 1] > 0)
    model = ThresholdRegressor(beta=1.0, max_inputs=2).fit(X, y)
    model.save(tmp_path / "m.hardlim")
    again = load(tmp_path / "m.hardlim")
    assert (again.beta, again.loss, again.max_inputs) == (1.0, "squared", 2)
    assert again.fit(X, y).network_ == model.network_


def test_rules_keep_to_directions_and_pairs(tmp_path):
    X, y = datasets.load_titanic(return_X_y=True, as_frame=True)
    model = ThresholdClassifier(rules=4, monotone={"class": -1}).fit(X, y)
    assert model.certificate_.monotone == {"class": "-"}
    assert "non-increasing in class" in model.certificate_.claim
    higher = X.assign(**{"class": X["class"] + 1})
    assert (model.decision_function(higher) <= model.decision_function(X)).all()
    assert certify(model, X, y)
    options = {"conditions": 2, "beta": 30.0, "interactions": [("class", "sex")], "no_interactions": ["age"]}
    paired = ThresholdClassifier(monotone={"class": "-"}, **options).fit(X, y)
    assert paired.certificate_.interactions == [("class", "sex")]
    assert paired.certificate_.no_interactions == ["age"]
    for trained in (model, paired):
        trained.save(tmp_path / "m.hardlim")
        again = load(tmp_path / "m.hardlim")
        assert again.monotone == {"class": "-"}
        assert again.certificate_ == trained.certificate_
    assert again.fit(X, y).network_ == paired.network_
    found = path(X, y, points=3, conditions=2, monotone={"class": "-"}, no_interactions="age")
    assert len(found.betas) == 3
    with pytest.raises(HardlimError, match=r'no column "clas" is read: did you mean "class"'):
        ThresholdClassifier(rules=3, monotone={"clas": 1}).fit(X, y)
    with pytest.raises(HardlimError, match=r"monotone.*rules"):
        ThresholdClassifier(monotone={"class": "+"}).fit(X, y)
    with pytest.raises(TypeError, match="monotone must be a dictionary"):
        ThresholdClassifier(rules=3, monotone="class=+").fit(X, y)
    with pytest.raises(TypeError, match="interactions must be pairs of names"):
        ThresholdClassifier(conditions=2, beta=1.0, interactions=3).fit(X, y)


def test_functions_tell_what_they_leave_out_of_a_frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": [f"n{i}" for i in range(60)], "a": rng.normal(size=60).round(1)})
    y = (frame["a"] > 0).astype(int)
    with pytest.warns(UserWarning, match="id.*left out"):
        path(frame, y, points=3)
    with pytest.warns(UserWarning, match="id.*left out"):
        interpolate(frame, y)
    with pytest.warns(UserWarning, match="id.*60 labels"):
        path(frame, y, points=3, keep="id", patterns=20)


def test_a_path_is_scored_on_other_rows(blobs, numbers):
    X, y = blobs
    labels = np.array(["no", "yes"])[y]
    found = path(X[::2], labels[::2], X[1::2], labels[1::2], points=10, patterns=50)
    assert found.scoring == "accuracy"
    for outputs, wanted, scores in [
        (found.outputs, y[::2], found.scores),
        (found.held_out, y[1::2], found.test_scores),
    ]:
        assert scores == pytest.approx(((outputs >= 0) == (wanted == 1)).mean(axis=1))
    X, y = numbers
    found = path(X[::2], y[::2], X[1::2], y[1::2], points=10, patterns=50)
    errors = ((found.held_out - y[1::2]) ** 2).sum(axis=1)
    assert found.scoring == "r2"
    assert found.test_scores == pytest.approx(1 - errors / ((y[1::2] - y[1::2].mean()) ** 2).sum())
    assert path(X, y, X, points=3, patterns=20).test_scores is None
    with pytest.raises(ValueError, match="y_test needs X_test"):
        path(X, y, y_test=y)
    with pytest.raises(ValueError, match="unknown class 'maybe'"):
        path(X, np.where(y > 0, "yes", "no"), X, ["maybe"] * len(y))
    with pytest.raises(ValueError, match="inconsistent numbers"):
        path(X, y, X, y[:5])


def test_an_import_takes_only_what_is_asked_for():
    program = "import sys, hardlim; assert 'sklearn' not in sys.modules; hardlim.ThresholdClassifier"
    subprocess.run([sys.executable, "-c", program], check=True)
    assert set(hardlim.__all__) <= set(dir(hardlim))
    assert all(hasattr(hardlim, name) for name in hardlim.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        hardlim.nothing  # noqa: B018


def test_rules_are_edited_and_lists_bounded(titanic):
    _, X, y = titanic
    model = ThresholdClassifier(rules=4, gap=0.01).fit(X, y)
    assert model.lists_["claim"].startswith(f"no list of at most {model.lists_['rules']} such rule")
    assert model.lists_["relative_gap"] <= 0.01
    assert model.gap_ == model.certificate_.relative_gap
    weights = model.network_.amplitudes.tolist()
    edited = model.drop_rule("h1", X, y).with_weight(1, 0.5, X, y)
    assert edited.network_.amplitudes.tolist() == [0.5, *weights[2:]]
    assert edited.objective_ > model.objective_ and edited.lower_bound_ == model.lower_bound_
    assert certify(edited, X, y) and edited.choice_ is None and edited.lists_ is None
    assert model.network_.amplitudes.tolist() == weights and model.choice_ is not None
    with pytest.raises(HardlimError, match="there is no rule h9"):
        model.drop_rule(9, X, y)
    with pytest.raises(ValueError, match="a name such as 'h3', or its number, got 'age'"):
        model.drop_rule("age", X, y)
    with pytest.raises(HardlimError, match="not the training data"):
        model.drop_rule(1, X[:-5], y[:-5])
