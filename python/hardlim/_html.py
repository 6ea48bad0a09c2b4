"""Networks and certificates, for notebooks."""

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._hardlim import Certificate, Model, Network

_SHOWN = 20
_TOP = 5
# The colours of the library's pictures; both are read on light and on dark pages.
_BLUE, _ORANGE = "#0072B2", "#D55E00"


def estimator_html(estimator: Any) -> str:
    """The short form of a report: score, certificate, what matters most, and the neurons."""
    model = estimator.model_
    parts = [_score_html(estimator), _certificate_html(model.certificate), _effects_html(estimator)]
    return "<div class='hardlim'>" + "".join(parts) + model_html(model, estimator.stop_) + "</div>"


def _score_html(estimator: Any) -> str:
    choice = getattr(estimator, "choice_", None)
    if not choice:
        return ""
    name, text = ("accuracy", "{:.1%}") if "accuracy" in choice else ("r2", "{:.3f}")
    score, error = text.format(choice[name]), text.format(choice["error"])
    label = "accuracy" if name == "accuracy" else "R²"
    return f"<p><b>{label} {score} ± {error}</b> expected on new rows (cross-validation, {choice['folds']} folds)</p>"


def _certificate_html(certificate: Certificate) -> str:
    share = certificate.lower_bound / certificate.objective if certificate.objective > 0 else 1.0
    width = 100 * min(max(share, 0.0), 1.0)
    stripes = f"repeating-linear-gradient(135deg,{_ORANGE} 0 3px,transparent 3px 8px)"
    words = f"lower bound {certificate.lower_bound:.6g} of objective {certificate.objective:.6g}"
    return (
        f"<p>{escape(certificate.claim[:1].upper() + certificate.claim[1:])}.</p>"
        f"<div role='img' aria-label='{words}' title='{words}' style='display:flex;max-width:32em;height:14px;"
        f"border:1px solid #767676;border-radius:3px;overflow:hidden'>"
        f"<span style='width:{width:.2f}%;background:{_BLUE}'></span>"
        f"<span style='width:{100 - width:.2f}%;background:{stripes}'></span></div>"
    )


def _effects_html(estimator: Any) -> str:
    shares = getattr(estimator, "_shares", None)
    if shares is None or not np.any(shares > 0):
        return ""
    names = estimator.model_.inputs
    order = [j for j in np.argsort(-shares, kind="stable")[:_TOP] if shares[j] > 0]
    rows = "".join(
        f"<tr><td style='text-align:left'>{escape(names[j])}</td><td style='width:12em'>"
        f"<div style='height:10px;width:{100 * shares[j] / shares[order[0]]:.1f}%;background:{_BLUE}'></div></td>"
        f"<td>{100 * shares[j]:.1f} %</td></tr>"
        for j in order
    )
    return f"<table><caption style='text-align:left'>what changes the output most</caption>{rows}</table>"


def model_html(model: Model, stop: str) -> str:
    """The certificate in numbers, and the neurons of each network."""
    certificate = model.certificate
    rows = [
        ("certified", f"{certificate.claim}"),
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
    return "<details><summary>certificate and neurons</summary>" + "".join(parts) + "</details>"


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
