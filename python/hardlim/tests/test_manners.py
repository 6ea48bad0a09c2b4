"""Threads, processes, Ctrl-C, and the tutorial."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from joblib import Parallel, delayed
from sklearn.exceptions import ConvergenceWarning

from hardlim import ThresholdClassifier, certify


def fitted(X, y, seed):
    return str(ThresholdClassifier(patterns=200, random_state=seed).fit(X, y).model_)


def test_twenty_threads_may_ask_one_model(blobs, three):
    for X, y in (blobs, three):
        model = ThresholdClassifier().fit(X, y)
        expected = model.decision_function(X)
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda _: model.decision_function(X), range(200)))
        assert all(np.array_equal(answer, expected) for answer in answers)


def test_four_processes_may_train_at_once(blobs):
    X, y = blobs
    fit = delayed(fitted)
    assert Parallel(n_jobs=4)(fit(X, y, seed) for seed in range(4)) == [fitted(X, y, s) for s in range(4)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(blobs):
    X, y = blobs
    here = fitted(X, y, 0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.starmap_async(fitted, [(X, y, 0)] * 4).get(timeout=60) == [here] * 4


def test_others_go_on_while_a_network_is_trained():
    X = np.random.default_rng(0).normal(size=(500, 20))
    beats, done = [], threading.Event()

    def beat():
        while not done.is_set():
            beats.append(time.monotonic())
            time.sleep(0.005)

    other = threading.Thread(target=beat)
    other.start()
    ThresholdClassifier(method="generate", time_limit=1.0, n_jobs=1).fit(X, np.arange(500) % 2)
    done.set()
    other.join()
    assert len(beats) > 20 and np.diff(beats).max() < 0.5


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("method", ["generate", "sample"])
def test_ctrl_c_keeps_the_best_network_within_a_second(method):
    X = np.random.default_rng(0).normal(size=(600, 20))
    y = np.random.default_rng(1).integers(0, 2, size=600)
    pressed = []

    def press():
        pressed.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    patterns = 50_000 if method == "sample" else None
    model = ThresholdClassifier(method=method, patterns=patterns, beta_ratio=0.001, gap=0.0)
    timer = threading.Timer(1.5, press)
    timer.start()
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model.fit(X, y)
    assert time.monotonic() - pressed[0] < 1.0
    assert model.stop_ == "interrupt" and model.n_neurons_ > 0
    assert certify(model, X, y)


def test_the_tutorial_runs(tmp_path):
    tutorial = Path(__file__).resolve().parents[2] / "examples" / "tutorial.py"
    if not tutorial.exists():
        pytest.skip("the tutorial is not part of the package")
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run(
        [sys.executable, tutorial], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Certificate(" in done.stdout


def test_the_front_page_example_is_true():
    import doctest

    import hardlim

    assert doctest.testmod(hardlim).failed == 0
