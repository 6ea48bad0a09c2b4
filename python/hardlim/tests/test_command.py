"""The ``hardlim`` command that comes with the package."""

import os
import signal
import subprocess
import sys

import pytest
from hardlim import datasets, load

COMMAND = [sys.executable, "-m", "hardlim"]


def run(*arguments, **options):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        **options,
    )


def test_it_is_the_command_line(tmp_path):
    done = run("train", "titanic", "--beta", 10, "-o", tmp_path / "m.hardlim")
    assert done.returncode == 0 and done.stderr == ""
    assert "Certified: no two-layer threshold network" in done.stdout
    X, y = datasets.load_titanic(return_X_y=True, as_frame=True)
    assert load(tmp_path / "m.hardlim").score(X, y) > 0.78
    assert run("--version").stdout.startswith("hardlim ")
    assert "hardlim train" in run("train", "--help").stdout


def test_its_exit_codes_are_those_of_the_command_line(tmp_path):
    table = ["teacher2", "--rows", 400, "--features", 20]
    missed = run("train", *table, "--method", "generate", "--gap", 1e-14, "--time-limit", 0.1)
    assert missed.returncode == 1 and "objective" in missed.stdout
    unknown = run("train", tmp_path / "nothing.csv")
    assert unknown.returncode == 2 and unknown.stderr.startswith("hardlim: cannot read")
    wrong = run("trains", "titanic")
    assert wrong.returncode == 2 and "unrecognized subcommand" in wrong.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_the_best_model(tmp_path):
    table = ["teacher2", "--rows", "400", "--features", "20"]
    model = tmp_path / "m.hardlim"
    flags = ["--method", "generate", "--beta-ratio", "1e-3", "--gap", "1e-14", "-o", str(model)]
    child = subprocess.Popen(
        [*COMMAND, "train", *table, *flags],
        env={**os.environ, "HARDLIM_PROGRESS": "lines"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert any(" neurons, objective " in line for line in child.stderr)
    child.send_signal(signal.SIGINT)
    output, _ = child.communicate()
    assert child.returncode == 130
    assert " (stopped: interrupted)" in output and model.exists()
