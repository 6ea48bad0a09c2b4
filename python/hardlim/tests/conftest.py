"""What the tests share."""

import json
import os
import shutil
import subprocess

# scikit-learn checks arrays of other libraries only where scipy does.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import numpy as np
import pytest


@pytest.fixture(scope="session")
def hardlim_program():
    """The command line, as ``HARDLIM`` names it or ``PATH`` finds it."""
    program = os.environ.get("HARDLIM") or shutil.which("hardlim")
    if not program:
        pytest.skip("no hardlim program: set HARDLIM to it")

    def run(*arguments):
        done = subprocess.run([program, *map(str, arguments), "--json"], capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="session")
def hardlim_refusal():
    """What the command line says when it cannot run."""
    program = os.environ.get("HARDLIM") or shutil.which("hardlim")
    if not program:
        pytest.skip("no hardlim program: set HARDLIM to it")

    def run(*arguments):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode == 2, done.stdout
        return done.stderr

    return run


@pytest.fixture
def blobs():
    """Two classes of 80 rows in three dimensions that overlap a little."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 40)
    return rng.normal(size=(80, 3)) + 1.5 * y[:, None], y


@pytest.fixture
def three():
    """Three classes in two dimensions."""
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], 20)
    centres = np.array([[0, 0], [3, 0], [0, 3]])
    return rng.normal(size=(60, 2)) + centres[y], y


@pytest.fixture
def numbers():
    """A sum of steps, with noise."""
    rng = np.random.default_rng(2)
    X = rng.uniform(-2, 2, size=(120, 2))
    y = 2.0 * (X[:, 0] > 0) - 1.0 * (X[:, 1] > 1) + 0.1 * rng.normal(size=120)
    return X, y
