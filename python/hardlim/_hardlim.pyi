"""The compiled part of hardlim."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_Column = tuple[NDArray[Any], list[str] | None]
_Inputs = NDArray[Any] | Sequence[_Column]
_Listener = Callable[[int, int, tuple[int, float, float] | None], object]
_Options = dict[str, Any]

__all__ = [
    "Arrangements",
    "Block",
    "Certificate",
    "Check",
    "Coding",
    "CompleteSolution",
    "Halfspace",
    "HardlimError",
    "Interpolation",
    "LassoSolution",
    "Model",
    "Network",
    "Partition",
    "Path",
    "Sample",
    "Training",
    "TrainingData",
    "arrangements",
    "best_halfspace",
    "certify_rows",
    "code_sample",
    "command",
    "complete",
    "dataset",
    "describe",
    "effects",
    "explain",
    "explain_rows",
    "export",
    "gathered",
    "interpolate",
    "merge_answers",
    "parameters",
    "path",
    "predicts",
    "report",
    "sample_zeros",
    "solve_lasso",
    "train",
    "train_files",
    "train_rows",
]

class HardlimError(ValueError): ...

@final
class Certificate:
    objective: float
    lower_bound: float
    gap: float
    relative_gap: float
    claim: str
    layers: int | None
    widths: list[int]
    max_inputs: int | None
    input_cost: float
    bias: bool
    non_negative: bool
    monotone: dict[str, str]
    interactions: list[tuple[str, str]] | None
    no_interactions: list[str]
    scope: str
    bound: str

@final
class Check:
    holds: bool
    reason: str | None
    certificates: list[Certificate]
    global_certificates: list[Certificate]
    def __bool__(self) -> bool: ...

@final
class Network:
    @property
    def n_inputs(self) -> int: ...
    @property
    def n_layers(self) -> int: ...
    @property
    def n_neurons(self) -> int: ...
    @property
    def offset(self) -> float: ...
    @property
    def amplitudes(self) -> _Floats: ...
    @property
    def layers(self) -> list[tuple[_Floats, _Floats]]: ...
    def output(self, x: NDArray[Any]) -> _Floats: ...

@final
class TrainingData:
    def __new__(
        cls,
        x: _Inputs,
        names: Sequence[str] | None,
        target: str,
        y: _Floats,
        options: _Options,
        labels: Sequence[str] | None = None,
        sample_weight: _Floats | None = None,
    ) -> TrainingData: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def order(self) -> list[int | None] | None: ...

@final
class Model:
    def __new__(cls, text: str) -> Model: ...
    def __getnewargs__(self) -> tuple[str]: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> Model: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @property
    def classes(self) -> list[str] | None: ...
    @property
    def networks(self) -> list[Network]: ...
    @property
    def certificate(self) -> Certificate: ...
    @property
    def problem(self) -> str: ...
    @property
    def global_certificate(self) -> Certificate: ...
    @property
    def n_neurons(self) -> int: ...
    @property
    def beta(self) -> float: ...
    @property
    def loss(self) -> str: ...
    @property
    def calibrated(self) -> bool: ...
    @property
    def is_of_rows(self) -> bool: ...
    @property
    def method(self) -> str: ...
    @property
    def max_inputs(self) -> int | None: ...
    @property
    def conditions(self) -> int | None: ...
    @property
    def monotone(self) -> dict[str, str]: ...
    @property
    def interactions(self) -> list[tuple[str, str]] | None: ...
    @property
    def no_interactions(self) -> list[str]: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def feature_names(self) -> list[str]: ...
    @property
    def target(self) -> str: ...
    @property
    def is_numeric(self) -> bool: ...
    @property
    def notes(self) -> list[str]: ...
    def news(self, x: _Inputs, names: Sequence[str] | None = None) -> list[str]: ...
    @property
    def missing(self) -> str: ...
    @property
    def is_balanced(self) -> bool: ...
    def output(self, x: _Inputs, names: Sequence[str] | None = None, threads: int | None = None) -> _Floats: ...
    def answer(self, outputs: _Floats) -> NDArray[np.int64]: ...
    def probability(self, outputs: _Floats) -> _Floats: ...
    def shares(self, training_data: TrainingData, threads: int | None = None) -> _Floats: ...
    def certify(self, training_data: TrainingData, threads: int | None = None) -> Check: ...
    def with_weights(
        self, training_data: TrainingData, weights: Sequence[tuple[int, float]], threads: int | None = None
    ) -> Model: ...
    def prove(
        self,
        training_data: TrainingData,
        folder: str | PathLike[str],
        all_networks: bool = False,
        threads: int | None = None,
    ) -> dict[str, Any]: ...
    def importance(
        self,
        training_data: TrainingData,
        gap: float | None = None,
        time_limit: float | None = None,
        threads: int | None = None,
    ) -> dict[str, Any]: ...

@final
class Training:
    model: Model
    beta_max: float
    beta_max_exact: bool
    patterns: int
    stop: str
    seconds: float
    trace: _Floats
    selection: dict[str, Any] | None
    choice: dict[str, Any] | None
    lists: dict[str, Any] | None

@final
class LassoSolution:
    coefficients: _Floats
    intercept: float
    dual: _Floats
    certificate: Certificate
    objective: float
    lower_bound: float
    gap: float
    beta_max: float
    stop: str
    rounds: int

@final
class Path:
    betas: _Floats
    ratios: _Floats
    objectives: _Floats
    lower_bounds: _Floats
    n_neurons: _Floats
    coefficients: _Floats
    outputs: _Floats
    held_out: _Floats
    scoring: str
    scores: _Floats
    test_scores: _Floats | None
    beta_max: float
    complete: bool

@final
class Arrangements:
    count: int
    patterns: NDArray[np.bool_] | None
    distinct: int
    rank: int
    upper_bound: int
    complete: bool

@final
class Halfspace:
    weights: _Floats
    bias: float
    inside: NDArray[np.bool_]
    value: float
    upper_bound: float
    loss: float
    lower_bound: float
    gap: float
    optimal: bool

@final
class CompleteSolution:
    delta: _Floats
    objective: float
    intercept: float
    beta_max: float
    amplitudes: _Floats

@final
class Interpolation:
    feasible: bool
    model: Model | None
    norm: float | None
    lower_bound: float | None
    residual: float | None
    scope: str
    patterns: int
    reason: str | None
    separation: _Floats | None
    def __bool__(self) -> bool: ...

@final
class Partition:
    def __new__(
        cls,
        source: str,
        x: Sequence[_Column],
        names: Sequence[str] | None,
        target: str,
        y: Sequence[_Column],
        sample_weight: _Floats | None = None,
    ) -> Partition: ...
    @staticmethod
    def restored(table: str, weights: Sequence[float] | None, numbers: Sequence[int]) -> Partition: ...
    @property
    def rows(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    def take(self, first: int, zeros: int) -> Partition: ...
    def code(self, coding: Coding, first: int, threads: int | None = None) -> Block: ...

@final
class Coding:
    def __new__(cls, text: str) -> Coding: ...
    @staticmethod
    def of_model(model: Model) -> Coding: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def classes(self) -> list[str] | None: ...
    def order(self, labels: Sequence[str]) -> list[int | None]: ...

@final
class Sample: ...

@final
class Block:
    def __new__(cls, block: str, notes: Sequence[str] = ...) -> Block: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def rows(self) -> int: ...
    def answer(self, neurons: str, threads: int | None = None) -> Block: ...
    def ask(self, task: str, threads: int | None = None) -> str: ...

class _Rows(Protocol):
    def answer(self, neurons: str) -> None: ...
    def ask(self, task: str) -> str: ...

def sample_zeros(rows: int, threads: int | None = None) -> int: ...
def code_sample(
    partitions: Sequence[Partition], options: _Options, threads: int | None = None
) -> tuple[Coding, Sample]: ...
def gathered(partitions: Sequence[Partition], options: _Options) -> TrainingData: ...
def merge_answers(answers: Sequence[str]) -> str: ...
def train_rows(
    coding: Coding, sample: Sample, rows: _Rows, options: _Options, listener: _Listener | None = None
) -> Training: ...
def certify_rows(model: Model, rows: _Rows, threads: int | None = None) -> Check: ...
def train_files(
    files: Sequence[str], memory: int, options: _Options, listener: _Listener | None = None
) -> tuple[Training, Coding, list[str]]: ...
def command(arguments: Sequence[str]) -> int: ...
def explain(
    model: Model,
    title: str,
    training_data: TrainingData | None = None,
    x: _Inputs | None = None,
    names: Sequence[str] | None = None,
    rules: int | None = None,
    terms: int | None = None,
    threads: int | None = None,
) -> tuple[str, str]: ...
def explain_rows(
    model: Model,
    x: _Inputs,
    names: Sequence[str] | None = None,
    data: _Inputs | None = None,
    data_names: Sequence[str] | None = None,
    rules: int | None = None,
    terms: int | None = None,
) -> list[tuple[str, str]]: ...
def export(
    model: Model,
    folder: str | PathLike[str],
    options: _Options,
    training_data: TrainingData | None = None,
    x: _Inputs | None = None,
    names: Sequence[str] | None = None,
) -> tuple[str, str]: ...
def report(
    model: Model,
    title: str,
    path: str | PathLike[str],
    x: _Inputs,
    names: Sequence[str] | None = None,
    training_data: TrainingData | None = None,
    threads: int | None = None,
) -> None: ...
def effects(model: Model, x: _Inputs, names: Sequence[str] | None = None, threads: int | None = None) -> str: ...
def describe(
    x: Sequence[_Column],
    names: Sequence[str] | None,
    has_target: bool = False,
    categorical: Sequence[str] = ...,
    keep: Sequence[str] = ...,
) -> dict[str, Any]: ...
def train(training_data: TrainingData, options: _Options, listener: _Listener | None = None) -> Training: ...
def parameters(classifier: bool, cv: bool) -> list[tuple[str, str, Any, str]]: ...
def predicts(options: _Options) -> bool: ...
def path(
    training_data: TrainingData,
    options: _Options,
    held_out: _Inputs | None = None,
    names: Sequence[str] | None = None,
    y: _Floats | None = None,
    listener: _Listener | None = None,
) -> Path: ...
def interpolate(training_data: TrainingData, options: _Options, listener: _Listener | None = None) -> Interpolation: ...
def solve_lasso(
    design: NDArray[Any],
    y: _Floats,
    beta: float,
    options: _Options,
    sample_weight: _Floats | None = None,
    listener: _Listener | None = None,
) -> LassoSolution: ...
def arrangements(x: NDArray[Any], options: _Options) -> Arrangements: ...
def best_halfspace(x: NDArray[Any], z: _Floats, options: _Options) -> Halfspace: ...
def complete(y: _Floats, beta: float, options: _Options, sample_weight: _Floats | None = None) -> CompleteSolution: ...
def dataset(
    name: str, rows: int | None = None, features: int | None = None, seed: int = 0
) -> tuple[list[tuple[str, Any]], _Floats, list[str], str]: ...
