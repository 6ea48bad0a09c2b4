"""Rules, one row explained, the class that counts, and missing cells."""

import numpy as np
import pytest
from hardlim import HardlimError, ThresholdClassifier, explain, explain_rows, load
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

pd = pytest.importorskip("pandas")


def loans():
    """Ages, some of them missing, incomes, owners, and who pays."""
    rng = np.random.default_rng(1)
    age = rng.integers(18, 80, 300).astype(float)
    income = rng.integers(8, 40, 300) * 100.0
    owner = pd.array(rng.integers(0, 2, 300).astype(bool), dtype="boolean")
    y = np.where((age > 40).astype(int) + (income > 2000) + owner.to_numpy(dtype=int) >= 2, "pays", "fails")
    age[::9] = np.nan
    owner[::13] = pd.NA
    return pd.DataFrame({"age": age, "income": income, "owner": owner}), y


def test_rules_on_a_row_add_up_and_changes_change_the_answer():
    X, y = loans()
    with pytest.warns(UserWarning, match="missing"):
        model = ThresholdClassifier(max_inputs=1, beta=1.0).fit(X, y)
    found = explain_rows(model, X.iloc[:5], X)
    assert len(found) == 5
    for row, output, answer in zip(found, model.decision_function(X), model.predict(X)):
        assert row["base"] + sum(rule["weight"] for rule in row["rules"] if rule["holds"]) == output
        assert row["prediction"] == answer
        assert all(change["gives"] != answer for change in row["changes"])
        assert "Nearest changes" in str(row)
    assert found[0]["rules"] == model.explain_rows(X.iloc[0], X)[0]["rules"]
    texts = [rule["text"] for rule in explain(model, X).networks[0]["layers"][0]]
    assert any("owner" in text and ("true" in text or "missing" in text) for text in texts)


def test_a_pipeline_is_explained_by_its_last_step():
    rng = np.random.default_rng(2)
    X = rng.normal(3, 2, size=(80, 2))
    y = X[:, 0] > 3
    pipeline = make_pipeline(StandardScaler(), ThresholdClassifier(beta=1.0)).fit(X, y)
    [row] = explain_rows(pipeline, X[0], X)
    assert row["outputs"] == pipeline.decision_function(X[:1]).tolist()
    assert explain(pipeline, X).networks[0]["rows"] == 80


def test_the_positive_class_turns_the_weights_and_nothing_else(tmp_path):
    X, y = loans()
    X = X.drop(columns="owner").fillna(0)
    usual = ThresholdClassifier(beta=1.0, max_inputs=1).fit(X, y)
    turned = ThresholdClassifier(beta=1.0, max_inputs=1, positive="fails").fit(X, y)
    assert turned.classes_.tolist() == usual.classes_.tolist() == ["fails", "pays"]
    assert turned.model_.classes == ["pays", "fails"]
    assert np.allclose(turned.decision_function(X), usual.decision_function(X))
    assert (turned.predict(X) == usual.predict(X)).all()
    turned.save(tmp_path / "m.hardlim")
    loaded = load(tmp_path / "m.hardlim")
    assert loaded.positive == "fails" and (loaded.predict(X) == turned.predict(X)).all()
    with pytest.raises(HardlimError, match='positive is no class: expected "fails" or "pays", got "maybe"'):
        ThresholdClassifier(positive="maybe").fit(X, y)
    numbers = ThresholdClassifier(beta=1.0, positive=0).fit(X, (y == "pays").astype(int))
    assert numbers.model_.classes == ["1", "0"] and numbers.classes_.tolist() == [0, 1]
