"""Files that are read block by block: ``memory`` of the estimators."""

import numpy as np
import pytest
from hardlim import HardlimError, ThresholdClassifier, ThresholdRegressor, certify
from hardlim._files import size

pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.filterwarnings("ignore:column")


@pytest.fixture
def table():
    rng = np.random.default_rng(8)
    table = pd.DataFrame({"a": rng.normal(size=600).round(3), "b": rng.integers(0, 9, 600).astype(float)})
    table["colour"] = rng.choice(["red", "green"], 600)
    noisy = table["a"] + (table["b"] > 4) - (table["colour"] == "red") + rng.uniform(-1, 1, 600)
    table["w"] = rng.choice([0.5, 1.0, 2.0], 600)
    return table.assign(y=np.where(noisy > 0, "yes", "no"), z=noisy.round(3))


@pytest.fixture
def files(table, tmp_path):
    """Three files of different lengths."""
    cuts = [0, 100, 450, 600]
    for k in range(3):
        table[cuts[k] : cuts[k + 1]].to_csv(tmp_path / f"part-{k}.csv", index=False)
    return str(tmp_path / "part-?.csv")


def test_files_are_trained_on_as_the_frame_is(table, files):
    columns = ["a", "b", "colour", "w", "z"]
    model = ThresholdClassifier(beta=2.0, memory="64MiB").fit(files, "y")
    frame = ThresholdClassifier(beta=2.0).fit(table[columns], table["y"])
    assert model.objective_ == frame.objective_ and model.classes_.tolist() == ["no", "yes"]
    assert np.array_equal(model.predict(table), frame.predict(table[columns]))
    assert list(model.feature_names_in_) == columns
    with pytest.raises(AttributeError, match="are not at hand"):
        _ = model.feature_importances_
    numbers = ThresholdRegressor(beta=2.0, memory=1 << 30).fit([files], "z", "w")
    assert "w" not in numbers.feature_names_in_ and numbers.n_neurons_ > 0
    assert certify(frame, table[columns], table["y"])


def test_what_is_wrong_is_said(table, files, tmp_path):
    def refused(kind, words, X, y="y", memory="64MiB"):
        with pytest.raises(kind, match=words):
            ThresholdClassifier(memory=memory).fit(X, y)

    refused(FileNotFoundError, "no file has such a name", str(tmp_path / "none-*.csv"))
    refused(TypeError, "memory is for files: X must be the name of a file", table)
    refused(TypeError, "memory is for files: y must be the name of a column", files, table["y"])
    refused(HardlimError, "memory=1000000: training by blocks needs at least 64 MiB", files, memory="1MB")
    refused(ValueError, "memory must be a size such as", files, memory="lots")
    (tmp_path / "part-3.csv").write_text("a,b,colour,w,y,z\n1,wide,red,1,yes,1\n")
    refused(HardlimError, r'part-3.csv: row 2, column "b": expected a number, got "wide"', files)


def test_sizes_are_read_as_people_write_them():
    sizes = {"1GiB": 1 << 30, "500MB": 500_000_000, "1.5g": 3 << 29, "7": 7, 64 << 20: 64 << 20, "2 k": 2048}
    assert [size(one) for one in sizes] == list(sizes.values())
    for one in ("", "GiB", "1 lot", "-1"):
        with pytest.raises(ValueError, match="memory must be a size such as"):
            size(one)
