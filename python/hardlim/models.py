"""What can be done with a trained model: check it, look inside, write it for other machines, keep it."""

import copy
import json
import os
import sys
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from . import _hardlim, _inputs
from ._base import Threshold
from .estimator import ThresholdClassifier, ThresholdRegressor


def certify(estimator: Threshold, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> _hardlim.Check:
    """Check the certificate again, from the model and its training data alone.

    Objective and bounds are computed again, by code that does not use the trainer, and compared with the
    numbers in the model.

    Returns
    -------
    Check
        ``holds``, ``certificates``, ``global_certificates``; it is true if everything holds.

    Examples
    --------
    >>> from hardlim import ThresholdClassifier, certify
    >>> X, y = [[0], [1], [2], [3]], [0, 1, 1, 0]
    >>> certify(ThresholdClassifier(beta=0.1).fit(X, y), X, y)
    Check(holds=True)
    """
    check_is_fitted(estimator)
    data = estimator._training_data(X, y, sample_weight, reset=False)
    return estimator.model_.certify(data, _inputs.threads(estimator.n_jobs))


def prove(
    estimator: Threshold,
    folder: str | PathLike[str],
    X: ArrayLike,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    all_networks: bool = False,
) -> dict[str, Any]:
    """Write a proof of the certificate that other programs check.

    The folder needs nothing of hardlim: the statement in exact numbers, the table as integers, the proof, and
    ``check.py``, a checker of one page in Python's standard library.

    Parameters
    ----------
    estimator : estimator
        A fitted one.
    folder : path
        Where to write; it must be new or empty.
    X, y, sample_weight : array-like
        The training data.
    all_networks : bool
        Prove the bound over all threshold networks of any width and depth, instead of the one over the model's own
        class. Every model of at most 65,536 rows has one.

    Returns
    -------
    dict
        ``claim``, ``objective``, ``lower_bound``, ``bytes``.

    Examples
    --------
    >>> from hardlim import ThresholdClassifier, prove
    >>> X, y = [[0], [1], [2], [3]], [0, 1, 1, 0]
    >>> prove(ThresholdClassifier(beta=0.1).fit(X, y), "proof", X, y)  # doctest: +SKIP
    >>> # then, in a shell: python3 proof/check.py
    """
    check_is_fitted(estimator)
    data = estimator._training_data(X, y, sample_weight, reset=False)
    return estimator.model_.prove(data, folder, all_networks, _inputs.threads(estimator.n_jobs))


def importance(
    estimator: Threshold,
    X: ArrayLike,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    gap: float | None = None,
    time_limit: float | None = None,
) -> dict[str, Any]:
    """What is lost without each input, proven.

    For every column of ``X``, the training problem of the model is solved again for networks that do not
    read this column. Every such network, of any width, is at least ``at_least`` worse than the model, as a
    fraction of its objective. With ``max_inputs`` of 1, 2 or 3, and for few columns, this is exact up to
    ``gap`` (1e-3 by default); otherwise it is the bound that was proven. It is about the objective on the
    training data, not about predictions for new rows. ``feature_importances_`` costs nothing and proves nothing.

    Returns
    -------
    dict
        ``objective`` and ``lower_bound`` of the model, the largest ``relative_gap``, ``stop``, and
        ``inputs``: for each column ``name``, ``read``, ``lower_bound``, ``objective``, ``at_least``,
        ``found`` (how much worse the best network found is) and ``n_neurons``.

    Examples
    --------
    >>> from hardlim import ThresholdClassifier, importance
    >>> X, y = [[0, 5], [1, 5], [2, 4], [3, 5]], [0, 1, 1, 0]
    >>> lost = importance(ThresholdClassifier(beta=0.1).fit(X, y), X, y)
    >>> [(column["name"], column["at_least"] > 0.5) for column in lost["inputs"]]
    [('x1', True), ('x2', False)]
    """
    check_is_fitted(estimator)
    data = estimator._training_data(X, y, sample_weight, reset=False)
    return estimator.model_.importance(data, gap, time_limit, _inputs.threads(estimator.n_jobs))


class Explanation:
    """A model in words. ``str()`` is a page of Markdown, which notebooks show as a table.

    Attributes
    ----------
    markdown : str
        The page.
    networks : list of dict
        For each network ``layers`` of rules (``name``, ``rule``, ``text``, ``weight``, ``fires``, ``importance``,
        ``inputs``, ``bits``), the ``offset`` that they are added to, the columns it ``reads``, and the ``class``
        if there are several.
    """

    def __init__(self, markdown: str, networks: list[dict[str, Any]]) -> None:
        self.markdown = markdown
        self.networks = networks

    def __str__(self) -> str:
        return self.markdown

    def __repr__(self) -> str:
        rules = sum(len(layer) for network in self.networks for layer in network["layers"])
        return f"Explanation(networks={len(self.networks)}, rules={rules})"

    def _repr_markdown_(self) -> str:
        return self.markdown


def explain(
    estimator: Any,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    *,
    rules: int | None = 10,
    terms: int | None = 4,
) -> Explanation:
    """A model as rules: the condition, weight and importance of each neuron.

    A threshold neuron is a rule: it holds or it does not. Where it holds, its weight is added to the output.

    Parameters
    ----------
    estimator : estimator or Pipeline
        A fitted one; the steps of a pipeline before it are applied to ``X``.
    X : array-like or frame, default=None
        Rows to count on. The importance of a rule is how far it moves the output from its mean on these rows, on
        average; without rows, it is ``|weight|``.
    y, sample_weight : array-like, default=None
        If the rows are the training data, their targets and weights: the certificate is checked, and the page says
        so.
    rules, terms : int or None, default=10 and 4
        The most rules that the page shows, those that matter most, and the most terms of a sum; None shows all.

    Returns
    -------
    Explanation
        ``str(…)`` is a page of Markdown; ``networks`` has everything as lists and dicts.

    Examples
    --------
    >>> from hardlim import ThresholdRegressor, explain
    >>> X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    >>> rules = explain(ThresholdRegressor(beta=0.1).fit(X, y), X, y)
    >>> rules.networks[0]["layers"][0][0]["text"]
    'x1 ≥ 1.5'
    """
    estimator, [X] = _last(estimator, [X])
    check_is_fitted(estimator)
    for what, most in [("rules", rules), ("terms", terms)]:
        if most is not None and most < 1:
            raise ValueError(f"{what} must be at least 1, or None for all, got {most}")
    data, inputs = _rows(estimator, X, y, sample_weight)
    page, found = _hardlim.explain(
        estimator.model_,
        type(estimator).__name__,
        data,
        inputs.x,
        inputs.names,
        rules,
        terms,
        _inputs.threads(estimator.n_jobs),
    )
    explained = json.loads(found)
    return Explanation(page, explained.get("classes", [explained]))


class RowExplanation(dict[str, Any]):
    """The answer to one row, explained. ``str()`` is a page of Markdown, which notebooks show.

    As a dict it has ``prediction``, ``probabilities`` in the order of the model's classes, ``outputs``, the ``base``
    and the ``rules`` that add up to the output (``text``, ``reads``, ``cells``, ``holds``, ``weight``), and
    ``changes``: for each input the nearest change that gives another class (``name``, ``from``, ``to``, ``gives``,
    ``distance``).
    """

    def __init__(self, markdown: str, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.markdown = markdown

    def __str__(self) -> str:
        return self.markdown

    def _repr_markdown_(self) -> str:
        return self.markdown


def explain_rows(
    estimator: Any,
    rows: Any,
    X: Any = None,
    *,
    rules: int | None = 10,
    terms: int | None = 4,
) -> list[RowExplanation]:
    """The answers to a row or a few, explained: which rules hold, what each adds, and the nearest change of one
    input that gives another class.

    Parameters
    ----------
    estimator : estimator or Pipeline
        A fitted one; the steps of a pipeline before it are applied to ``rows`` and ``X``.
    rows : array-like or frame
        One row, or several.
    X : array-like or frame, default=None
        The training rows, or others like them: changes stay within their range, and are measured in their standard
        deviations.
    rules, terms : int or None, default=10 and 4
        The most rules and changes that a page shows, and the most terms of a sum; None shows all.

    Returns
    -------
    list of RowExplanation
        One for each row: a dict, whose ``str()`` is a page of Markdown.

    Examples
    --------
    >>> from hardlim import ThresholdClassifier, explain_rows
    >>> X, y = [[0], [1], [2], [3]], ["no", "no", "yes", "yes"]
    >>> [row] = explain_rows(ThresholdClassifier(beta=0.1).fit(X, y), [0], X)
    >>> row["prediction"], row["changes"][0]["to"], row["changes"][0]["gives"]
    ('no', '2', 'yes')
    """
    estimator, [rows, X] = _last(estimator, [_several(rows), X])
    check_is_fitted(estimator)
    inputs, data = estimator._read(rows), _inputs.Inputs(None) if X is None else estimator._read(X)
    found = _hardlim.explain_rows(estimator.model_, inputs.x, inputs.names, data.x, data.names, rules, terms)
    return [RowExplanation(page, json.loads(values)) for page, values in found]


def _several(rows: Any) -> Any:
    """One row as a table of one."""
    if hasattr(rows, "to_frame") and getattr(rows, "ndim", 2) == 1:
        return rows.to_frame().T.infer_objects()
    one = not _inputs.is_frame(rows) and np.ndim(rows) == 1
    return [rows] if one else rows


def _last(estimator: Any, tables: list[Any]) -> tuple[Any, list[Any]]:
    """The last step of a pipeline, and tables as it gets them; an estimator as it is."""
    if not isinstance(estimator, Pipeline):
        return estimator, tables
    before = [step for _, step in estimator.steps[:-1] if step not in (None, "passthrough")]
    for step in before:
        tables = [None if table is None else step.transform(table) for table in tables]
    return estimator.steps[-1][1], tables


class Exported(dict[str, Any]):
    """What an export holds and what was checked, by name; ``str()`` is the report."""

    def __init__(self, text: str, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.text = text

    def __str__(self) -> str:
        return self.text


def export(
    estimator: Threshold,
    folder: str | PathLike[str],
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    *,
    to: str,
    name: str = "model",
    constant_time: bool = False,
    exact_outputs: bool = False,
    output_bits: int | None = None,
    budget: int | None = None,
    verify: bool = False,
    random: int = 100_000,
    time_limit: float | None = None,
    random_state: _inputs.Seed = 0,
) -> Exported:
    """Write a model as C, Rust, Verilog or ONNX, and check that it gives the same answers.

    Programs and circuits compute with integers: inputs are rounded to a fixed point that the export states, and
    every neuron is a sum of integers. If the weights of the model are not integers, integer weights inside the
    cells of the neurons are chosen first, which needs the training data. If the answers are classes, output weights
    are rounded to the fewest bits found that keep every class on the training rows and raise the objective by at
    most 0.1 %. ONNX models and rules use the weights as they are.

    Parameters
    ----------
    estimator : estimator
        A fitted one.
    folder : path
        The folder to write to; it must be new or empty.
    X, y, sample_weight : array-like, default=None
        The training data; its rows become test inputs of the export. ``X`` alone gives test inputs.
    to : {"c", "rust", "verilog", "onnx", "markdown"}
        What to write: C99 without libraries or floating point, a Rust module without the standard library,
        synthesizable Verilog, an ONNX model, or the rules in full.
    name : str, default="model"
        The name of modules, files and functions.
    constant_time : bool, default=False
        Whether source code must have no branches or memory accesses that depend on the inputs (c, rust).
    exact_outputs : bool, default=False
        Whether to keep the output weights of the model to the last bit instead (c, rust, verilog).
    output_bits : int, default=None
        Round output weights to at most ``output_bits`` bits with the sign, even if classes on the training rows change
        (c, rust, verilog).
    budget : int, default=None
        Train again for the smallest circuit of at most ``budget`` LUTs, and write that one (verilog): networks of few
        bits are trained, scored by cross-validation and synthesised with Yosys. It takes minutes; the report's
        ``budget`` lists every size that was tried. The estimator stays as it is; ``load`` reads the model file in
        the folder.
    verify : bool, default=False
        Whether to compile, run or simulate the export with the installed tools, and compare it with the model on
        the rows, beside hyperplanes and on random inputs. If an answer differs, nothing is written.
    random : int, default=100000
        The number of random inputs to verify on.
    time_limit : float, default=None
        How many seconds outside tools may check, simulate and synthesise Verilog; 40 by default. Proofs and rows take
        what they need. What is left out is named in the report.
    random_state : int, RandomState or None, default=0
        The seed of these inputs.

    Returns
    -------
    Exported
        A dict with ``files``, ``size``, ``checks`` and what else the report has; ``str(…)`` is the report.

    Examples
    --------
    >>> import tempfile
    >>> from hardlim import ThresholdClassifier, export
    >>> X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    >>> model = ThresholdClassifier(beta=0.1).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as place:
    ...     written = export(model, place + "/step", X, y, to="c", name="step")
    >>> [file for file in written["files"] if file.startswith("step.")]
    ['step.c', 'step.h', 'step.hardlim']
    """
    check_is_fitted(estimator)
    read_as = estimator
    if budget is not None:
        read_as = copy.copy(estimator)
        read_as.bits = None  # every size has steps of its own
    data, inputs = _rows(read_as, X, y, sample_weight)
    options = {
        "to": to,
        "name": name,
        "constant_time": constant_time,
        "exact_outputs": exact_outputs,
        "output_bits": output_bits,
        "budget": budget,
        "verify": verify,
        "random": random,
        "time_limit": time_limit,
        "seed": _inputs.seed(random_state),
        "python": os.environ.get("HARDLIM_PYTHON", sys.executable),
        "threads": _inputs.threads(estimator.n_jobs),
    }
    report, found = _hardlim.export(estimator.model_, os.fspath(folder), options, data, inputs.x, inputs.names)
    return Exported(report, json.loads(found))


def report(
    estimator: Threshold,
    path: str | PathLike[str],
    X: ArrayLike,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> None:
    """Write a page about a model, for the browser.

    The page is one HTML file that loads nothing from elsewhere. It shows the score, the certificate, the effect of
    each input, the rules, and how good the answers are; the network can be tried in the page.

    Parameters
    ----------
    estimator : estimator
        A fitted one.
    path : path
        The file to write, such as ``"report.html"``.
    X : array-like or frame
        Rows to look at: those of the training, or any other.
    y, sample_weight : array-like, default=None
        Their targets and weights. With the training data, the certificate is checked again, and the page says so.
        Without targets, nothing is scored.

    Examples
    --------
    >>> import os, tempfile
    >>> from hardlim import ThresholdClassifier, report
    >>> X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    >>> model = ThresholdClassifier(beta=0.1).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as place:
    ...     report(model, place + "/step.html", X, y)
    ...     os.listdir(place)
    ['step.html']
    """
    check_is_fitted(estimator)
    data = None if y is None else estimator._training_data(X, y, sample_weight, reset=False)
    inputs = estimator._read(X)
    title = type(estimator).__name__
    threads = _inputs.threads(estimator.n_jobs)
    _hardlim.report(estimator.model_, title, os.fspath(path), inputs.x, inputs.names, data, threads)


def effects(estimator: Threshold, X: ArrayLike) -> list[dict[str, Any]]:
    """What each input does to the output, the largest effect first.

    If all neurons that read an input read nothing else, the effect is an exact step function. Otherwise it is the
    mean output over the rows as the input changes, with a band that holds four fifths of them.

    Returns
    -------
    list of dict
        For each input ``name``, ``size`` (how far the effect is from its mean on the rows, on average), ``axis``, and
        ``curves``, one for each network: ``exact``, ``at`` (steps or values), ``values`` (for steps one more than
        there are), ``low`` and ``high`` for a mean, and ``missing``.

    Examples
    --------
    >>> from hardlim import ThresholdRegressor, effects
    >>> X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    >>> [effect] = effects(ThresholdRegressor(beta=0.1).fit(X, y), X)
    >>> effect["name"], effect["curves"][0]["exact"], effect["curves"][0]["at"][-1]
    ('x1', True, 1.5)
    """
    check_is_fitted(estimator)
    inputs = estimator._read(X)
    found = _hardlim.effects(estimator.model_, inputs.x, inputs.names, _inputs.threads(estimator.n_jobs))
    listed: list[dict[str, Any]] = json.loads(found)
    return listed


def _rows(
    estimator: Threshold, X: ArrayLike | None, y: ArrayLike | None, sample_weight: ArrayLike | None
) -> tuple[_hardlim.TrainingData | None, _inputs.Inputs]:
    """The training data, if there are targets; otherwise the rows, if there are any."""
    if y is not None:
        if X is None:
            raise ValueError("y needs X, the rows that it belongs to")
        return estimator._training_data(X, y, sample_weight, reset=False), _inputs.Inputs(None)
    return None, _inputs.Inputs(None) if X is None else estimator._read(X)


def save(estimator: Threshold, path: str | PathLike[str]) -> None:
    """Write a model file, which the command line can read, too."""
    estimator.save(path)


def load(path: str | PathLike[str]) -> Any:
    """A fitted estimator from a model file, written by Python, Rust or the command line.

    It has the names of the columns (``feature_names_in_``) and finds them by name in frames. Its parameters are
    the strength, the loss, the inputs of a neuron and the columns that the model reads: ``fit`` solves that problem
    on other rows.

    Examples
    --------
    >>> import tempfile
    >>> from hardlim import ThresholdRegressor, load
    >>> X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    >>> with tempfile.TemporaryDirectory() as place:
    ...     ThresholdRegressor(beta=0.1).fit(X, y).save(place + "/step.hardlim")
    ...     model = load(place + "/step.hardlim")
    >>> model.predict([[5]]).round(2).tolist()
    [0.95]
    """
    model = _hardlim.Model.load(path)
    strength: dict[str, Any] = {"beta": model.beta, "loss": model.loss, "missing": model.missing, "keep": model.columns}
    strength["conditions" if model.conditions else "max_inputs"] = model.conditions or model.max_inputs
    strength |= {"monotone": model.monotone or None, "interactions": model.interactions}
    strength["no_interactions"] = model.no_interactions or None
    estimator: Any
    if model.classes is None:
        estimator = ThresholdRegressor(**strength)
    else:
        estimator = ThresholdClassifier(class_weight="balanced" if model.is_balanced else None, **strength)
        estimator.classes_, estimator._order = _labels(model.classes)
        if estimator._order[0] > 0:
            estimator.positive = model.classes[1]
    names = model.inputs
    estimator.n_features_in_ = len(names)
    if names != [f"x{j + 1}" for j in range(len(names))]:
        estimator.feature_names_in_ = np.asarray(names, dtype=object)
    estimator._hold(model, "loaded")
    return estimator


def _labels(classes: list[str]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Labels in order, as integers or floats if all of them are, and their places among the classes of the model."""
    labels = np.asarray(classes)
    for kind in (int, float):
        try:
            labels = np.asarray([kind(label) for label in classes])
            break
        except ValueError:
            pass
    order = np.argsort(labels, kind="stable")
    return labels[order], order
