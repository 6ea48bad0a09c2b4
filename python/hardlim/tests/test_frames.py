"""Frames of pandas and polars, with labels among their columns."""

import numpy as np
import pytest
from hardlim import (
    ThresholdClassifier,
    ThresholdRegressor,
    certify,
    datasets,
    describe,
    explain,
    importance,
    load,
    path,
)

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")


@pytest.fixture
def table():
    rng = np.random.default_rng(4)
    n = 90
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "colour": rng.choice(["red", "green", "blue"], size=n),
            "door": rng.choice([1, 2, 10], size=n),
            "new": rng.random(n) < 0.5,
        }
    )
    y = (frame["size"] + (frame["colour"] == "red") - 0.5 * (frame["door"] == 10) > 0.3).rename("sold")
    return frame, y


def test_labels_are_one_hot_encoded_as_the_library_does(table):
    frame, y = table
    model = ThresholdClassifier(beta_ratio=0.05).fit(frame, y)
    assert model.n_features_in_ == 4
    assert list(model.feature_names_in_) == ["size", "colour", "door", "new"]
    names = ["size", "colour=blue", "colour=green", "colour=red", "door", "new"]
    assert model.model_.feature_names == names
    assert model.score(frame, y) > 0.85 and certify(model, frame, y)
    by_hand = np.column_stack(
        [frame["size"]]
        + [frame["colour"] == colour for colour in ("blue", "green", "red")]
        + [frame["door"], frame["new"]]
    ).astype(float)
    plain = ThresholdClassifier(beta_ratio=0.05).fit(by_hand, y)
    assert plain.network_ == model.network_
    labelled = frame.assign(door=frame["door"].astype("category"))
    encoded = ThresholdClassifier().fit(labelled, y).model_.feature_names
    assert [name for name in encoded if name.startswith("door")] == ["door=1", "door=2", "door=10"]


def test_polars_and_pandas_agree(table, tmp_path):
    frame, y = table
    other = pl.DataFrame({name: frame[name].to_list() for name in frame})
    model = ThresholdClassifier().fit(frame, y)
    twin = ThresholdClassifier().fit(other, pl.Series("sold", y.to_numpy()))
    assert model.model_ == twin.model_
    assert np.array_equal(model.predict(frame), twin.predict(other))
    kinds = other.with_columns(pl.col("door").cast(pl.String).cast(pl.Categorical))
    assert "door=10" in ThresholdClassifier().fit(kinds, y.to_numpy()).model_.feature_names
    model.save(tmp_path / "m.hardlim")
    assert np.array_equal(load(tmp_path / "m.hardlim").predict(frame).astype(str), model.predict(frame).astype(str))


def test_frames_of_numbers_keep_their_names(numbers):
    X, y = numbers
    frame = pd.DataFrame(X, columns=["width", "height"])
    model = ThresholdRegressor().fit(frame, pd.Series(y, name="price"))
    assert model.model_.columns == ["width", "height"] and model.model_.target == "price"
    assert model.network_ == ThresholdRegressor().fit(X, y).network_
    assert np.array_equal(model.predict(frame), model.predict(pl.DataFrame(X, schema=["width", "height"])))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["height", "width"]])
    assert path(frame, y, frame[:3], patterns=20, points=3).held_out.shape == (3, 3)


def test_missing_values_are_refused_or_filled_in(table, numbers):
    frame, y = table
    gaps = frame.copy()
    gaps.loc[3, "colour"] = None
    gaps.loc[5, "size"] = np.nan
    with pytest.raises(ValueError, match="missing"):
        ThresholdClassifier(missing="error").fit(gaps, y)
    with pytest.warns(UserWarning, match="missing value"):
        model = ThresholdClassifier().fit(gaps, y)
    assert model.score(gaps, y) > 0.8 and certify(model, gaps, y)
    names = model.model_.feature_names
    assert names[:2] == ["size", "size.missing"] and "colour.missing" in names
    X, y = numbers
    complete = ThresholdRegressor(beta_ratio=0.05).fit(X, y)
    X = X.copy()
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        ThresholdRegressor(missing="error").fit(X, y)
    # Training had none: the mean of training stands in.
    mean = complete.predict(np.where(np.isnan(X), np.mean(numbers[0][:, 1]), X))
    assert np.array_equal(complete.predict(X), mean)
    model = ThresholdRegressor(beta_ratio=0.05).fit(X, y)
    assert model.model_.feature_names == ["x1", "x2", "x2.missing"]
    assert np.isfinite(model.predict(X)).all() and certify(model, X, y)
    assert path(X, y, numbers[0][:3], patterns=20, points=3).held_out.shape == (3, 3)


def test_labels_never_seen_are_none_of_those_known(table):
    frame, y = table
    model = ThresholdClassifier().fit(frame, y)
    with pytest.warns(UserWarning, match="3 rows have a label that training has not seen"):
        assert len(model.predict(frame.head(3).assign(colour="violet"))) == 3
    with pytest.raises(ValueError, match="expected a number"):
        model.predict(frame.head(3).assign(size="large"))
    with pytest.raises(ValueError):
        model.predict(frame.drop(columns="colour"))
    with pytest.raises(TypeError):
        ThresholdClassifier().fit(frame.assign(when=pd.Timedelta(0)), y)
    with pytest.raises(TypeError):
        ThresholdClassifier().fit(frame.assign(thing=[[]] * len(frame)), y)
    with pytest.raises(ValueError):
        ThresholdClassifier().fit(frame.iloc[:0], y.iloc[:0])
    with pytest.raises(ValueError):
        ThresholdClassifier().fit(frame, y.iloc[:5])


def test_built_in_tables_are_frames_of_labels():
    X, y = datasets.load_titanic(as_frame=True, return_X_y=True)
    encoded, _ = datasets.load_titanic(return_X_y=True)
    model = ThresholdClassifier(beta=10).fit(X, y)
    assert model.objective_ == pytest.approx(701.6826239)
    assert model.network_ == ThresholdClassifier(beta=10).fit(encoded, y).network_


def test_frames_are_read_with_judgement(table, tmp_path):
    frame, y = table
    n = len(frame)
    when = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(n) * 37 % 365, unit="D")
    odd = frame.assign(
        id=np.arange(n) + 1000,
        name=[f"customer {i}" for i in range(n)],
        when=when,
        country="EU",
        twin=frame["size"],
        pay=[f"{900 + 7 * i},50 €" for i in range(n)],
    )
    with pytest.warns(UserWarning, match='"id" is left out: it looks like an identifier'):
        model = ThresholdClassifier(beta_ratio=0.05).fit(odd, y)
    names = model.model_.feature_names
    assert names[-3:] == ["when.days", "when.weekday", "pay"]
    assert not {"id", "country=EU", "twin"} & set(names)
    assert len(model.notes_) == 6 and "keep='id'" in model.notes_[0]
    assert model.n_features_in_ == 10 and certify(model, odd, y)
    model.save(tmp_path / "m.hardlim")
    loaded = load(tmp_path / "m.hardlim")
    assert np.array_equal(loaded.predict(odd), model.predict(odd).astype(str))
    assert loaded.notes_ == model.notes_ and certify(loaded, odd, y.astype(str))
    with pytest.warns(UserWarning):
        kept = ThresholdClassifier(beta_ratio=0.05, keep=["id", "twin"]).fit(odd, y)
    assert {"id", "twin"} <= set(kept.model_.feature_names)
    with pytest.warns(UserWarning):
        other = pl.DataFrame({name: odd[name].to_list() for name in odd})
        assert ThresholdClassifier(beta_ratio=0.05).fit(other, y).model_.feature_names == names
    # Arrays are taken as they are.
    plain = np.column_stack([np.arange(n), np.ones(n), frame["size"]])
    assert ThresholdClassifier(beta_ratio=0.05).fit(plain, y).model_.feature_names == ["x1", "x2", "x3"]


def test_a_description_tells_what_every_column_is(table):
    frame, y = table
    found = describe(frame.assign(id=np.arange(len(frame))), y)
    assert [column["role"] for column in found["columns"]] == ["feature"] * 4 + ["left out", "target"]
    assert found["columns"][1]["read_as"] == "labels" and found["columns"][1]["distinct"] == 3
    assert found["target"] == "2 classes: False, True" and found["features"] == 6
    assert found["notes"][0].endswith("(keep='id' brings it back)") and found["problem"] is None
    assert len(describe(frame)["columns"]) == 4
    assert describe(np.ones((30, 2)))["problem"] is not None
    assert describe(frame.assign(id=np.arange(len(frame))), y, keep="id")["notes"] == []


def test_points_are_read_as_in_a_text_file():
    rng = np.random.default_rng(2)
    pay = rng.integers(1000, 9999, size=60)
    frame = pd.DataFrame(
        {
            "pay": [f"{p // 1000}.{p % 1000:03}" for p in pay],
            "rate": [f"{a},{b:02}" for a, b in zip(rng.integers(1, 9, 60), rng.integers(0, 99, 60), strict=True)],
        }
    )
    y = pd.Series(pay > 5000, name="rich")
    with pytest.warns(UserWarning, match='"pay" is read as numbers with decimal commas, points between thousands'):
        model = ThresholdClassifier(beta_ratio=0.1).fit(frame, y)
    other = pl.DataFrame({name: frame[name].to_list() for name in frame})
    assert describe(frame)["notes"] == describe(other)["notes"] == model.notes_
    assert model.score(frame, y) > 0.9
    # Without a column that shows decimal commas, the point is decimal.
    assert describe(frame[["pay"]])["notes"] == []


def test_a_date_that_does_not_help_is_left_out_of_everything(tmp_path):
    rng = np.random.default_rng(1)
    n = 300
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, size=n),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 1400, size=n), unit="D"),
            "pay": rng.normal(3000, 900, size=n),
        }
    )
    y = ((frame["age"] < 40) == (frame["pay"] > 2800)).rename("bought")
    with pytest.warns(UserWarning, match='"since" is left out: networks without it .* brings it back'):
        model = ThresholdClassifier().fit(frame, y)
    assert model.model_.feature_names == ["age", "pay"]
    assert model.n_features_in_ == 3 and model.feature_importances_[1] == 0
    assert np.array_equal(model.predict(frame), model.predict(frame.assign(since="never")))
    assert certify(model, frame, y)
    assert {lost["name"] for lost in importance(model, frame, y, time_limit=1)["inputs"]} == {"age", "pay"}
    assert set(explain(model, frame, y).networks[0]["reads"]) == {"age", "pay"}
    model.save(tmp_path / "m.hardlim")
    assert certify(load(tmp_path / "m.hardlim"), frame, y.astype(str))
    with pytest.warns(UserWarning, match='"since" is read as dates'):
        kept = ThresholdClassifier(keep="since").fit(frame, y)
    assert "since.days" in kept.model_.feature_names
