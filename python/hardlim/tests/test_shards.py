"""Rows in several parts on one machine: files, arrays and frames, by joblib or block by block."""

import joblib
import numpy as np
import pytest
from hardlim import HardlimError
from hardlim.shards import ThresholdClassifier, ThresholdRegressor, _bytes

pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.filterwarnings("ignore:column")


@pytest.fixture
def table():
    rng = np.random.default_rng(8)
    table = pd.DataFrame({"a": rng.normal(size=900).round(3), "b": rng.integers(0, 9, 900).astype(float)})
    table["colour"] = rng.choice(["red", "green"], 900)
    noisy = table["a"] + (table["b"] > 4) - (table["colour"] == "red") + rng.uniform(-1, 1, 900)
    table["w"] = rng.choice([0.5, 1.0, 2.0], 900)
    return table.assign(y=np.where(noisy > 0, "yes", "no"))


@pytest.fixture
def files(table, tmp_path):
    """Three files of different lengths."""
    cuts = [0, 100, 650, 900]
    for k in range(3):
        table[cuts[k] : cuts[k + 1]].to_csv(tmp_path / f"part-{k}.csv", index=False)
    return str(tmp_path / "part-?.csv")


def test_files_give_the_model_of_the_command_line(hardlim_program, files, tmp_path):
    hardlim_program(
        *["train", files, "--memory", "64MiB", "--patterns", 40, "--weight-column", "w"],
        *["--ignore", "a", "--categorical", "b", "-o", tmp_path / "theirs.hardlim"],
    )
    theirs, folder = (tmp_path / "theirs.hardlim").read_text(), tmp_path / "parts"
    folder.mkdir()
    options = {"patterns": 40, "ignore": ["a"], "categorical": "b"}
    blocks = ThresholdClassifier(memory="64MiB", **options).fit(files, "y", "w")
    assert str(blocks.model_) == theirs
    for backend in ("loky", "threading"):
        with joblib.parallel_config(backend, n_jobs=2):
            model = ThresholdClassifier(folder=folder, **options).fit([files], sample_weight="w")
            assert model.certify(files)
        assert str(model.model_) == theirs
        assert model.training_score_ == blocks.training_score_
        assert model.classes_.tolist() == ["no", "yes"]
    assert not list(folder.iterdir())


def test_frames_and_arrays_in_parts(table):
    X, y = table[["a", "b"]], (table["y"] == "yes").to_numpy()
    parts = np.array_split(np.arange(900), 3)
    one = ThresholdClassifier(patterns=40).fit([X], [y])
    three = ThresholdClassifier(patterns=40).fit([X.iloc[part] for part in parts], [y[part] for part in parts])
    assert str(one.model_) == str(three.model_)
    assert one.classes_.tolist() == [False, True]
    assert one.score(X, y) == pytest.approx(one.training_score_, abs=1e-12) and one.training_score_ > 0.7
    array = ThresholdClassifier(patterns=40).fit([X.to_numpy()[part] for part in parts], [y[part] for part in parts])
    assert np.array_equal(array.predict(X.to_numpy()), one.predict(X))
    assert array.choice_["folds"] == 1 and array.predict_proba(X.to_numpy()).shape == (900, 2)
    numbers = ThresholdRegressor(patterns=40, beta=1.0).fit([X], [table["w"]])
    assert numbers.beta_ == 1.0 and numbers.certify([X], [table["w"]])


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ("--cv 3 --patterns 40", {"cv": 3, "patterns": 40}),
        ("--max-inputs 1 --beta-ratio 0.05", {"max_inputs": 1, "beta_ratio": 0.05}),
    ],
)
def test_folds_and_neurons_of_one_input_are_those_of_the_command_line(hardlim_program, files, tmp_path, flags, options):
    shared = ["--memory", "64MiB", "--weight-column", "w", "-o", tmp_path / "theirs.hardlim"]
    hardlim_program("train", files, *flags.split(), *shared)
    with joblib.parallel_config("threading", n_jobs=2):
        model = ThresholdClassifier(**options).fit([files], sample_weight="w")
    assert str(model.model_) == (tmp_path / "theirs.hardlim").read_text()
    assert model.certify(files)


def test_one_thread_is_enough(table, monkeypatch):
    X, y = [table[["a", "b"]]], [table["y"]]
    free = ThresholdClassifier(patterns=20, beta=5.0).fit(X, y)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    for jobs in (None, 1):
        model = ThresholdClassifier(patterns=20, beta=5.0, n_jobs=jobs).fit(X, y)
        assert str(model.model_) == str(free.model_) and model.certify(X, y)


def test_what_cannot_be_trained_is_named(files, table, tmp_path):
    bad = tmp_path / "part-3.csv"
    bad.write_text("a,b,colour,w,y\n1,2,red,1,yes\n1,wide,red,1,yes\n")
    words = f'cannot read {bad}: row 3, column "b": expected a number, got "wide"'
    folder = tmp_path / "parts"
    folder.mkdir()
    for options in ({"memory": "64MiB"}, {"n_jobs": 2, "folder": folder}):
        with pytest.raises(HardlimError) as error:
            ThresholdClassifier(**options).fit(files.replace("?", "*"), "y")
        assert words in str(error.value)
    assert not list(folder.iterdir())
    bad.write_text("a,b,colour,w,y\n")
    with pytest.raises(HardlimError, match=r"part-3.csv: there is a header but no rows"):
        ThresholdClassifier().fit(files, "y")
    with pytest.raises(FileNotFoundError, match="no file has such a name"):
        ThresholdClassifier().fit(str(tmp_path / "none-*.csv"), "y")
    with pytest.raises(TypeError, match="X must be a list of files, or a list of arrays or frames"):
        ThresholdClassifier().fit(table, table["y"])
    with pytest.raises(ValueError, match="X has 1 parts, so y must be a list of 1 arrays"):
        ThresholdClassifier().fit([table[["a"]]], table["y"])
    with pytest.raises(ValueError, match="memory is for files"):
        ThresholdClassifier(memory="1GiB").fit([table[["a"]]], [table["y"]])
    with pytest.raises(HardlimError, match=r"memory=1000000: training by blocks needs at least 64 MiB"):
        ThresholdClassifier(memory="1MB").fit(files, "y")
    with pytest.raises(ValueError, match="part 1, column 'y': expected text as in part 0, got numbers"):
        ThresholdClassifier().fit([table[["a"]]] * 2, [table["y"], table["w"].rename("y")])


def test_sizes_are_read_as_people_write_them():
    sizes = {"1GiB": 1 << 30, "500MB": 500_000_000, "1.5g": 3 << 29, "7": 7, 64 << 20: 64 << 20, "2 k": 2048}
    assert [_bytes(size) for size in sizes] == list(sizes.values())
    for size in ("", "GiB", "1 lot", "-1"):
        with pytest.raises(ValueError, match="memory must be a size such as"):
            _bytes(size)
