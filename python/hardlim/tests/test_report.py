"""Reports, effects and their pictures."""

import json

import numpy as np
import pytest
from hardlim import ThresholdClassifier, ThresholdRegressor, effects, importance, report
from hardlim.datasets import load_titanic


def payload(path):
    page = path.read_text(encoding="utf-8")
    return json.loads(page.split('id="payload">')[1].split("</script>")[0])


@pytest.fixture(scope="module")
def titanic():
    X, y = load_titanic(return_X_y=True)
    return X, y, ThresholdClassifier(beta=10, max_inputs=1).fit(X, y)


def test_a_report_is_the_page_of_the_command_line(titanic, tmp_path):
    X, y, model = titanic
    model.report(tmp_path / "report.html", X, y)
    found = payload(tmp_path / "report.html")
    assert found["verdict"]["holds"] is True and found["rows"] == len(y)
    assert found["quality"]["accuracy"] == pytest.approx(model.score(X, y))
    assert found["samples"][0]["outputs"] == [pytest.approx(model.decision_function(X)[0])]


def test_other_rows_are_scored_and_rows_without_targets_are_not(titanic, tmp_path):
    X, y, model = titanic
    report(model, tmp_path / "some.html", np.asarray(X)[:9], np.asarray(y)[:9])
    found = payload(tmp_path / "some.html")
    assert found["verdict"]["holds"] is None and found["quality"]["n"] == 9
    report(model, tmp_path / "bare.html", X)
    assert payload(tmp_path / "bare.html")["quality"] is None


def test_frames_and_weights_are_read_like_in_training(tmp_path):
    pd = pytest.importorskip("pandas")
    rows = np.arange(60)
    X = pd.DataFrame({"<b>": rows % 7 + 0.5, "kind": np.array(["u", "v", "w"])[rows % 3]})
    y = (rows % 7 > 3) | (rows % 3 == 1)
    weight = (rows % 5 > 0).astype(float)
    model = ThresholdClassifier(beta=0.5).fit(X, y, sample_weight=weight)
    report(model, tmp_path / "frame.html", X, y, sample_weight=weight)
    found = payload(tmp_path / "frame.html")
    assert found["verdict"]["holds"] is True and found["rows"] == 48
    assert found["samples"][0]["row"] == 2 and found["columns"][0]["name"] == "<b>"


def test_exact_effects_add_up(titanic):
    X, _, model = titanic
    found = effects(model, X)
    assert all(effect["curves"][0]["exact"] for effect in found)
    output = model.decision_function(X)
    names = [f"x{j + 1}" for j in range(np.shape(X)[1])] if not hasattr(X, "columns") else list(X.columns)
    total = np.full(len(output), output.mean())
    for effect in found:
        column = np.asarray(X, dtype=float)[:, names.index(effect["name"])]
        curve = effect["curves"][0]
        total += np.asarray(curve["values"])[np.searchsorted(curve["at"], column, side="right")]
    assert np.allclose(total, output, atol=1e-12)


def test_pictures_are_drawn(titanic):
    pytest.importorskip("matplotlib").use("Agg")
    from hardlim import plot_certificate, plot_effects, plot_importance

    X, y, model = titanic
    assert len(plot_effects(model, X, n=2)) == 2
    assert plot_certificate(model).get_xlabel() == "objective"
    assert len(plot_importance(importance(model, X, y)).patches) == np.shape(X)[1]
    mixed = ThresholdRegressor(beta=1.0).fit(np.asarray(X)[:40], np.arange(40.0))
    plot_effects(mixed, np.asarray(X)[:40])


def test_notebooks_show_the_short_form():
    X, y = np.random.default_rng(0).normal(size=(80, 3)), np.arange(80) % 2
    X[:, 1] += 3 * y
    html = ThresholdClassifier().fit(X, y)._repr_html_()
    for words in ["expected on new rows", "lower bound", "what changes the output most", "x2"]:
        assert words in html
