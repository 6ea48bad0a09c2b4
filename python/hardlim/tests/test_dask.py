"""Rows on a cluster: the same model for any number of partitions and workers, also when workers are killed."""

import os
import pickle
import signal
import threading
import time

import hardlim
import numpy as np
import pytest
from sklearn.base import clone

pd = pytest.importorskip("pandas")
dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")
on_cluster = pytest.importorskip("hardlim.dask")
ThresholdClassifier, ThresholdRegressor = on_cluster.ThresholdClassifier, on_cluster.ThresholdRegressor
_Cluster = on_cluster._Cluster

# More rows than are gathered, and few enough to be.
MANY, ROWS = 66_000, 1600
# No fit of these tests takes a tenth of it.
TIMEOUT = 300


def frame(rows):
    """Rows with numbers, labels and missing values, and a target."""
    rng = np.random.default_rng(5)
    table = pd.DataFrame({"a": rng.normal(size=rows).round(3), "b": rng.integers(0, 20, rows)})
    table["colour"] = rng.choice(["red", "green", "blue"], rows)
    table.loc[::50, "a"] = np.nan
    noisy = table["a"].fillna(0) + (table["b"] > 9) * 1.5 - (table["colour"] == "red") + rng.uniform(-1, 1, rows)
    table["y"] = np.where(noisy > 0.5, "yes", "no")
    table["z"] = noisy.round(3)
    return table


def start(workers):
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    )


@pytest.fixture(scope="module")
def client():
    with start(2) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def table():
    return frame(ROWS)


@pytest.fixture(scope="module")
def large():
    return frame(MANY)


@pytest.fixture(scope="module")
def expected(large, tmp_path_factory):
    """The text of the model that is trained block by block, on one machine."""
    folder = tmp_path_factory.mktemp("table")
    columns = large.drop(columns="z")
    columns[:10_000].to_csv(folder / "a.csv", index=False)
    columns[10_000:].to_csv(folder / "b.csv", index=False)
    with pytest.warns(UserWarning, match="missing"):
        model = hardlim.ThresholdClassifier(**OPTIONS, memory="64MiB").fit(str(folder / "*.csv"), "y")
    assert model.model_.is_of_rows and model.classes_.tolist() == ["no", "yes"]
    assert len(model.predict(columns[:9])) == 9
    return str(model.model_)


OPTIONS = {"patterns": 30, "beta_ratio": 0.02}


def plain(model):
    """The text of a model without the hashes of its files, which partitions do not have."""
    lines = (model if isinstance(model, str) else str(model)).splitlines()
    return [line for line in lines if not line.startswith(('  "files"', '  "checksum"'))]


def classifier(**options):
    return ThresholdClassifier(**{**OPTIONS, **options})


def split(table, count):
    """The columns that are read and the target, in ``count`` partitions."""
    rows = dd.from_pandas(table, npartitions=count, sort=False)
    return rows[["a", "b", "colour"]], rows["y"]


def in_time(work):
    """What the work returns or raises; a test that hangs fails."""
    found = []

    def run():
        try:
            found.append((work(), None))
        except BaseException as error:
            found.append((None, error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(TIMEOUT)
    assert found, "it hangs"
    result, error = found[0]
    if error is not None:
        raise error
    return result


pytestmark = pytest.mark.filterwarnings("ignore:column", "ignore:.*missing")


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_any_number_of_partitions_and_workers_gives_the_same_model(workers, large, expected):
    with start(workers) as cluster, distributed.Client(cluster) as client:
        for count in (1, 5):
            model = in_time(lambda: classifier(client=client).fit(*split(large, count)))  # noqa: B023
            assert plain(model.model_) == plain(expected), count


def test_a_frame_in_memory_gives_the_same_model(large, expected):
    columns = ["a", "b", "colour"]
    model = hardlim.ThresholdClassifier(**OPTIONS).fit(large[columns], large["y"])
    assert plain(model.model_) == plain(expected)
    assert hardlim.certify(model, large[columns], large["y"])


@pytest.mark.parametrize("size", ["few", "many"])
def test_the_command_line_trains_the_same_model(size, client, table, large, hardlim_program, tmp_path):
    table = (table if size == "few" else large).drop(columns="z")
    table.to_csv(tmp_path / "table.csv", index=False)
    hardlim_program("train", tmp_path / "table.csv", "--seed", 3, "-o", tmp_path / "theirs.hardlim")
    theirs = (tmp_path / "theirs.hardlim").read_text()
    memory = ["--memory", "64MiB", "-o", tmp_path / "blocks.hardlim"]
    hardlim_program("train", tmp_path / "table.csv", "--seed", 3, *memory)
    assert (tmp_path / "blocks.hardlim").read_text() == theirs
    model = ThresholdClassifier(random_state=3).fit(*split(table, 3))
    assert plain(model.model_) == plain(theirs)
    assert model.certify(*split(table, 2))


def test_few_rows_have_all_options(client, table):
    own = {"loss": "hinge", "beta": 3.0, "non_negative": True, "class_weight": "balanced"}
    model = ThresholdClassifier(**own).fit(*split(table, 3))
    local = hardlim.ThresholdClassifier(**own).fit(table[["a", "b", "colour"]], table["y"])
    assert str(model.network_) == str(local.network_) and model.objective_ == local.objective_


@pytest.mark.parametrize("options", [{"cv": 3, "beta_ratio": None}, {"max_inputs": 1, "patterns": None}])
def test_folds_and_neurons_of_one_input_do_not_depend_on_the_partitions(client, large, options):
    one, four = (
        in_time(lambda: classifier(client=client, **options).fit(*split(large, count)))  # noqa: B023
        for count in (1, 4)
    )
    assert str(one.model_) == str(four.model_)


def test_what_needs_the_rows_in_memory_is_refused(client, large):
    for options in ({"patterns": None}, {"loss": "hinge"}, {"intercept": True}):
        with pytest.raises(hardlim.HardlimError, match="needs the rows in memory, at most 65536"):
            classifier(client=client, **options).fit(*split(large, 2))


@pytest.mark.parametrize("moment", ["between passes", "in a pass"])
def test_a_killed_worker_changes_nothing(moment, large, expected, monkeypatch):
    with start(2) as cluster, distributed.Client(cluster) as client:
        killed, asks = [], 0
        ask, together = _Cluster.ask, _Cluster._together

        def kill(rows):
            places = client.who_has(rows.blocks)
            victim = next(where[0] for where in places.values() if where)
            killed.append(sum(victim in where for where in places.values()))
            os.kill(client.run(os.getpid, workers=[victim])[victim], signal.SIGKILL)

        def counted(rows, task):
            nonlocal asks
            asks += 1
            if asks == 5 and moment == "between passes":
                kill(rows)
            return ask(rows, task)

        def after_the_tasks_were_sent(rows, futures, merge):
            if asks == 5 and not killed:
                kill(rows)
            return together(rows, futures, merge)

        monkeypatch.setattr(_Cluster, "ask", counted)
        monkeypatch.setattr(_Cluster, "_together", after_the_tasks_were_sent)
        model = in_time(lambda: classifier(client=client).fit(*split(large, 8)))
    assert len(killed) == 1 and killed[0] > 0
    assert asks > 5
    assert plain(model.model_) == plain(expected)


def test_a_cluster_without_workers_is_an_error_after_a_while(large, monkeypatch):
    with start(1) as cluster, distributed.Client(cluster) as client:
        ask, asks = _Cluster.ask, []

        def counted(rows, task):
            asks.append(task)
            if len(asks) == 3:
                cluster.scale(0)
                while client.scheduler_info()["workers"]:
                    time.sleep(0.1)
            return ask(rows, task)

        monkeypatch.setattr(_Cluster, "ask", counted)
        with (
            dask.config.set({"hardlim.no-workers-timeout": "1 s"}),
            pytest.raises(RuntimeError, match="no worker for 1 s"),
        ):
            in_time(lambda: classifier(client=client).fit(*split(large, 2)))


def test_empty_partitions_change_nothing(client, table):
    X, y = table[["a", "b", "colour"]], table["y"]
    expected = str(classifier(client=client).fit(*split(table, 3)).model_)
    places = [slice(0, 0), slice(0, 700), slice(700, 700), slice(700, 1600)]
    delayed = [[dask.delayed(part)[place] for place in places] for part in (X, y)]
    model = classifier(client=client).fit(*delayed)
    assert plain(model.model_) == plain(expected)
    parts = dask.compute(model.predict(delayed[0]))[0]
    assert [len(part) for part in parts] == [0, 700, 0, 900]
    with pytest.raises(ValueError, match=r"no rows: all partitions are empty \(2 of them\)"):
        classifier().fit(delayed[0][::2], delayed[1][::2])


def test_arrays_and_numbers(client, table):
    values = table[["b"]].assign(a=table["a"].fillna(0)).to_numpy()
    y, s = table["z"].to_numpy(), np.tile([1.0, 0.5, 0.0, 2.0], ROWS // 4)
    options = {"patterns": 50, "beta_ratio": 0.02}
    model = ThresholdRegressor(client=client, **options)
    X = da.from_array(values, chunks=(500, 1))
    model.fit(X, da.from_array(y, chunks=400), da.from_array(s, chunks=900))
    local = hardlim.ThresholdRegressor(**options).fit(values, y, s)
    assert model.objective_ == local.objective_
    assert model.certify(X, da.from_array(y, chunks=400), da.from_array(s, chunks=900))
    assert not model.certify(X, da.from_array(y + 1, chunks=400), da.from_array(s, chunks=900))
    found = model.predict(X)
    assert isinstance(found, da.Array) and found.chunks == (X.chunks[0],)
    assert np.array_equal(found.compute(), model.to_local().predict(values))
    assert np.array_equal(model.predict(values), local.predict(values))
    score = model.score(X, da.from_array(y, chunks=400), da.from_array(s, chunks=900))
    assert score == pytest.approx(model.to_local().score(values, y, s), abs=1e-12)


def test_frames_are_predicted_lazily_with_their_index(client, table):
    X, y = split(table, 3)
    model = classifier(client=client, loss="logistic").fit(X, y)
    local = model.to_local()
    columns = table[["a", "b", "colour"]]
    found, shares = model.predict(X), model.predict_proba(X)
    assert isinstance(found, dd.Series) and isinstance(shares, dd.DataFrame)
    assert found.compute().equals(pd.Series(local.predict(columns), index=table.index, name="y"))
    assert list(shares.columns) == ["no", "yes"]
    assert np.array_equal(shares.compute().to_numpy(), local.predict_proba(columns))
    assert model.score(X, y) == pytest.approx(local.score(columns, table["y"]), abs=1e-12)
    assert model.certify(X, y)
    assert list(model.feature_names_in_) == ["a", "b", "colour"] and model.n_features_in_ == 3
    assert not hasattr(model, "feature_importances_")
    blocks = da.from_array(table[["b", "z"]].to_numpy(), chunks=(400, 2))
    several = ThresholdClassifier(beta_ratio=0.1, patterns=30, loss="logistic").fit(
        blocks, (blocks[:, 0] // 7).astype(int)
    )
    assert several.classes_.tolist() == [0, 1, 2]
    shares = several.predict_proba(blocks)
    assert shares.shape == (ROWS, 3) and shares.chunks[1] == (3,)
    assert np.allclose(shares.compute().sum(axis=1), 1)


def test_an_estimator_is_cloned_and_sent_without_its_client(client, table):
    model = classifier(client=client, beta=3.0, beta_ratio=None)
    assert clone(model).client is client
    model.fit(*split(table, 2))
    sent = pickle.loads(pickle.dumps(model))
    assert sent.client is None and str(sent.model_) == str(model.model_)


def parts_of(table, change):
    """Three partitions, of which ``change`` makes the second one wrong."""
    X, y = table[["a", "b", "colour"]], table["y"]
    parts = [(X[k * 500 : (k + 1) * 500].copy(), y[k * 500 : (k + 1) * 500].copy()) for k in range(3)]
    parts[1] = change(*parts[1])
    return [[dask.delayed(part) for part in some] for some in zip(*parts)]


WRONG = [
    (lambda X, y: (X.drop(columns="b"), y), "partition 1: no column 'b'"),
    (lambda X, y: (X.assign(c=1), y), "partition 1: column 'c' is not in partition 0"),
    (lambda X, y: (X.assign(b="wide"), y), 'partition 1: row 1, column "b": expected a number, got "wide"'),
    (lambda X, y: (X.assign(b=np.inf), y), 'partition 1: row 1, column "b": inf is out of range'),
    (lambda X, y: (X.assign(b=1j), y), "partition 1: column 'b': complex128 is neither numbers, labels nor dates"),
    (lambda X, y: (X, y.where(y.index != 504)), 'partition 1: row 5, column "y": the target is missing'),
    (lambda X, y: (X, y == "yes"), "partition 1, column 'y': expected text as in partition 0, got truth values"),
    (lambda X, y: (X, (y == "yes") + 0), "partition 1, column 'y': expected text as in partition 0, got numbers"),
    (lambda X, y: (X, y[:7]), "partition 1: X has 500 rows, and y has 7"),
    (lambda X, y: (X.to_numpy(), y), "partition 1"),
]


@pytest.mark.parametrize(("change", "words"), WRONG)
def test_a_bad_partition_is_named_with_its_column(client, table, change, words):
    with pytest.raises((ValueError, TypeError)) as error:
        classifier(client=client).fit(*parts_of(table, change))
    assert words in str(error.value)


def test_missing_values_and_weights_are_named(client, table):
    X, y = split(table, 4)
    with pytest.raises(hardlim.HardlimError, match='partition 0: row 1, column "a": the first of 32 missing'):
        classifier(missing="error", client=client).fit(X, y)
    for weights, words in [
        (np.where(np.arange(ROWS) == 500, -1.0, 1.0), "partition 1: row 101, sample_weight: expected a number"),
        (np.zeros(ROWS), "all weights are zero"),
    ]:
        with pytest.raises(ValueError, match=words):
            classifier(client=client).fit(X, y, da.from_array(weights, chunks=400))


def test_what_is_no_collection_is_refused(client, table):
    X, y = split(table, 2)
    with pytest.raises(TypeError, match="X must be a Dask array, a Dask frame or a list of delayed partitions"):
        classifier(client=client).fit(table, y)
    with pytest.raises(ValueError, match="X has 2 partitions, and y has 3: repartition one of them"):
        classifier(client=client).fit(X, split(table, 3)[1])
    with pytest.raises(ValueError, match="expected two classes or more, found one class: y is always 'no'"):
        classifier(client=client).fit(X, y.map_partitions(lambda part: part.str.replace("yes", "no")))


def test_ctrl_c_ends_the_training(client, large, monkeypatch):
    ask, asks = _Cluster.ask, []

    def counted(rows, task):
        asks.append(task)
        if len(asks) == 4:
            signal.raise_signal(signal.SIGINT)
        return ask(rows, task)

    monkeypatch.setattr(_Cluster, "ask", counted)
    with pytest.raises(KeyboardInterrupt):
        classifier(client=client).fit(*split(large, 2))
    assert len(asks) == 4
