"""Running the contestants: the engine as a process, the peers as watched processes."""

import json
import queue
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import designs
import gap
import numpy as np

FOLDER = Path(__file__).resolve().parent
SETUP_LIMIT = 300.0  # seconds for imports, loading and compiling, which are not timed


class Failure(Exception):
    """A contestant that could not be run."""


@dataclass
class Fit:
    """One fit of a peer, at one tolerance."""

    tolerance: float
    seconds: float
    objective: float
    relative_gap: float


@dataclass
class Result:
    """What a contestant did on a problem; `seconds` is None where the gap was not reached in time."""

    name: str
    seconds: float | None = None
    relative_gap: float | None = None
    objective: float | None = None
    fits: list[Fit] = field(default_factory=list)
    note: str = ""
    by_hand: bool = False

    def counted(self, limit):
        """The seconds it counts with; none for one that could not be run."""
        if self.seconds is not None:
            return self.seconds
        return None if self.note else limit

    def within(self, best, tolerance):
        """Seconds of the first fit whose objective is `best` up to a factor 1 + tolerance."""
        near = (fit.seconds for fit in self.fits if fit.objective <= best * (1 + tolerance))
        return next(near, None)


@dataclass
class Ours(Result):
    """What the engine did: its own account of the time, checked against the wall clock."""

    nonzeros: int = 0
    parts: dict = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)


def run_engine(engine, problem, tolerance, repeats):
    """The median of some runs of `hardlim lasso`; Gram, packing and solve count."""
    runs, complaints = [], []
    coefficients = problem.folder / "w.npy"
    for _ in range(repeats):
        start = time.perf_counter()
        answer = lasso(engine, problem, tolerance, coefficients)
        wall = time.perf_counter() - start
        reported = sum(answer["seconds"].values())
        if abs(wall - reported) > 0.05 + 0.2 * wall:
            complaints.append(f"reports {reported:.3f} s, the wall clock says {wall:.3f} s")
        runs.append((answer["seconds"]["gram"] + answer["seconds"]["solve"], answer))
    runs.sort(key=lambda run: run[0])
    seconds, answer = runs[(len(runs) - 1) // 2]

    expected = gap.beta_max(problem.loss, problem.d, problem.y)
    if not abs(answer["beta_max"] - expected) <= 1e-9 * expected:
        complaints.append(f"beta_max {answer['beta_max']}, expected {expected}")
    objective, measured = gap.measure(problem.loss, problem.d, problem.y, np.load(coefficients), answer["beta"])
    # The engine rounds its certificate outwards; ours is plain double precision.
    if not measured <= tolerance + 1e-12:
        complaints.append(f"relative gap {measured:.1e} where {tolerance:.0e} was asked")
    if not abs(objective - answer["objective"]) <= 1e-9 * objective:
        complaints.append(f"objective {answer['objective']}, measured {objective}")
    return Ours(
        "hardlim",
        seconds=seconds,
        relative_gap=measured,
        objective=objective,
        nonzeros=answer["nonzeros"],
        parts=answer["seconds"],
        complaints=sorted(set(complaints)),
    )


def lasso(engine, problem, tolerance, coefficients):
    """One run of `hardlim lasso`: what it prints."""
    command = [str(engine), "lasso", "--design", str(problem.files[0]), "--target", str(problem.files[1])]
    command += ["--beta-ratio", str(problem.ratio), "--loss", problem.loss, "--tol", str(tolerance)]
    command += ["--json", "-o", str(coefficients)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: the gap was not reached, which shows in the answer
        raise Failure((done.stderr.strip().splitlines() or ["no message"])[0])
    return json.loads(done.stdout)


def run_peer(peer, problem, limit, tolerance, repeats):
    """A peer in a process of its own, ended where a single fit takes longer than the limit."""
    result = Result(peer.name, by_hand=peer.by_hand)
    python = problem.target / peer.environment / "bin" / "python"
    command = [str(python), str(FOLDER / "worker.py"), peer.name, problem.loss]
    command += [str(file) for file in problem.files]
    command += [repr(problem.beta), repr(tolerance), str(repeats)]
    log = open(problem.folder / "peers.log", "a")  # noqa: SIM115, the process writes to it
    log.write(f"== {peer.name}, {problem.name}\n")
    log.flush()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    lines = queue.Queue()

    def read():
        for line in process.stdout:
            lines.put(json.loads(line))
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    patience = SETUP_LIMIT
    try:
        while True:
            try:
                message = lines.get(timeout=patience)
            except queue.Empty:
                if patience == SETUP_LIMIT:
                    result.note = "did not get ready"
                break
            if message is None:
                break
            patience = SETUP_LIMIT
            if message["event"] == "start":
                patience = limit
            elif message["event"] == "error":
                result.note = message["message"]
                break
            else:
                del message["event"]
                result.fits.append(Fit(**message))
    finally:
        process.kill()
        process.wait()
        log.close()
    if not result.fits and not result.note and process.returncode not in (0, -9):
        result.note = f"ended with status {process.returncode}"

    there = [f for f in result.fits if f.relative_gap <= tolerance and f.seconds <= limit]
    if there:
        result.note = ""
        result.seconds = statistics.median(f.seconds for f in there)
    shown = there or sorted(result.fits, key=lambda f: f.relative_gap)
    if shown:
        result.relative_gap, result.objective = shown[0].relative_gap, shown[0].objective
    return result


def run_stopwatch(name, arguments=()):
    """The JSON objects that crates/hardlim/benches/stopwatch prints for this name, one a line."""
    command = ["cargo", "bench", "-q", "-p", "hardlim", "--bench", "stopwatch", "--", name, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=sys.stderr, text=True)
    if done.returncode != 0:
        raise Failure(f"the stopwatch {name} ended with status {done.returncode}")
    objects = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not objects:
        raise Failure(f"the stopwatch {name} printed no JSON")
    return objects


@dataclass
class Problem:
    """A design, a loss and a strength."""

    name: str
    design: designs.Design
    loss: str
    ratio: float
    bar: float | None
    target: Path

    def __post_init__(self):
        self.folder = self.target / "peers-data"
        self.files = self.design.files(self.folder)
        self.d, self.y = designs.load(*self.files)
        self.beta = self.ratio * gap.beta_max(self.loss, self.d, self.y)
