"""Threads, processes, Ctrl-C, and the tutorial."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hardlim import ThresholdClassifier, _base, certify
from hardlim._progress import Progress
from joblib import Parallel, delayed
from sklearn.exceptions import ConvergenceWarning


def fitted(X, y, seed):
    return str(ThresholdClassifier(patterns=200, random_state=seed).fit(X, y).model_)


def test_twenty_threads_may_ask_one_model(blobs, three):
    for X, y in (blobs, three):
        model = ThresholdClassifier().fit(X, y)
        expected = model.decision_function(X)
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(model.decision_function, [X] * 200))
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


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_others_go_on_while_a_network_is_trained(monkeypatch):
    X = np.random.default_rng(0).normal(size=(500, 20))
    begun = threading.Event()

    class Listener(Progress):
        def __call__(self, scored, expected, network):
            begun.set()

    def press():
        begun.wait()
        sum(range(1_000_000))  # work of its own, while the network is trained
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(_base, "Progress", Listener)
    other = threading.Thread(target=press)
    other.start()
    # Training ends by no gap: were nobody else to go on, it would never end.
    model = ThresholdClassifier(method="generate", gap=0.0, n_jobs=1, verbose=1)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model.fit(X, np.arange(500) % 2)
    other.join()
    assert model.stop_ == "interrupt"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("while_telling", [False, True])
def test_ctrl_c_keeps_the_best_network(monkeypatch, while_telling):
    X = np.random.default_rng(0).normal(size=(400, 20))
    y = np.random.default_rng(1).integers(0, 2, size=400)
    pressed = []

    def press():
        signal.raise_signal(signal.SIGINT)

    class Listener(Progress):
        def __call__(self, scored, expected, network):
            if network is not None and not pressed:
                pressed.append(True)
                press() if while_telling else threading.Timer(0.01, press).start()

    monkeypatch.setattr(_base, "Progress", Listener)
    model = ThresholdClassifier(method="generate", gap=0.0, verbose=1)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model.fit(X, y)
    assert model.stop_ == "interrupt" and model.n_neurons_ > 0
    assert certify(model, X, y)


def test_what_a_listener_raises_ends_training(monkeypatch):
    class Listener(Progress):
        def __call__(self, scored, expected, network):
            raise RuntimeError("enough")

    monkeypatch.setattr(_base, "Progress", Listener)
    X = np.random.default_rng(0).normal(size=(400, 20))
    with pytest.raises(RuntimeError, match="enough"):
        ThresholdClassifier(method="generate", gap=0.0, verbose=1).fit(X, np.arange(400) % 2)


def test_the_tutorial_runs(tmp_path, request):
    here = Path(request.config.invocation_params.dir)
    tutorial = here / "python" / "examples" / "tutorial.py"
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
