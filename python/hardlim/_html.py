"""Networks and certificates, for notebooks."""

from html import escape

import numpy as np
from numpy.typing import NDArray

from ._hardlim import Model, Network

_SHOWN = 20


def model_html(model: Model, stop: str) -> str:
    """The certificate, and the neurons of each network."""
    certificate = model.certificate
    among = {
        "global": "no threshold network in scope is better",
        "dictionary": "no network built from these patterns is better",
    }[certificate.scope]
    rows = [
        ("certified", f"{among} by more than {100 * certificate.relative_gap:.4g} %"),
        ("objective", f"{certificate.objective:.10g}"),
        ("bound", f"{certificate.lower_bound:.10g} ({certificate.scope}, {certificate.bound})"),
        ("training", f"method {model.method}, {model.loss} loss, beta = {model.beta:.6g}, stop: {stop}"),
        ("neurons", str(model.n_neurons)),
    ]
    html = "".join(f"<tr><th style='text-align:left'>{a}</th><td>{escape(b)}</td></tr>" for a, b in rows)
    networks = model.networks
    labels = (len(networks) > 1 and model.classes) or [model.target]
    parts = [f"<table>{html}</table>"]
    for label, network in zip(labels, networks):
        parts.append(_network_html(label, network, model.feature_names))
    return "<div class='hardlim'>" + "".join(parts) + "</div>"


def _network_html(label: str, network: Network, names: list[str]) -> str:
    if network.n_layers > 2:
        widths = ", ".join(str(len(biases)) for _, biases in network.layers)
        return f"<p>{escape(label)}: {network.n_layers} layers, hidden widths {widths}</p>"
    weights, biases = network.layers[0]
    order = np.argsort(-np.abs(network.amplitudes), kind="stable")
    used = [j for j in order if network.amplitudes[j] != 0]
    rows = "".join(
        f"<tr><td>{network.amplitudes[j]:+.4g}</td><td>{escape(_condition(weights[j], biases[j], names))}</td></tr>"
        for j in used[:_SHOWN]
    )
    more = f"<p>… and {len(used) - _SHOWN} more</p>" if len(used) > _SHOWN else ""
    offset = f" from {network.offset:.4g}" if network.offset else ""
    head = f"<tr><th>{escape(label)}{offset}</th><th style='text-align:left'>where</th></tr>"
    return f"<details open><summary>{len(used)} neurons</summary><table>{head}{rows}</table>{more}</details>"


def _condition(weights: NDArray[np.float64], bias: float, names: list[str]) -> str:
    """``w·x + b ≥ 0`` in words."""
    used = [(w, name) for w, name in zip(weights, names) if w != 0]
    if not used:
        return "always" if bias >= 0 else "never"
    terms = [f"{w:+.4g}·{name}" for w, name in used[:_SHOWN]] + (["…"] if len(used) > _SHOWN else [])
    return " ".join(terms) + f" ≥ {-bias:.4g}"
