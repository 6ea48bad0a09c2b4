"""The relative duality gap of min_w L(Dw) + beta |w|_1, by one formula for everybody.

objective    L(Dw) + beta |w|_1
lower bound  max over theta of -L*(theta z), where z = L'(Dw) and |D'(theta z)| <= beta
relative gap (objective - lower bound) / objective
"""

import numpy as np


def beta_max(loss, d, y):
    """The smallest beta at which w = 0 is optimal: max |D' L'(0)|."""
    return float(np.abs(d.T @ y).max()) * {"squared": 1.0, "logistic": 0.5}[loss]


def measure(loss, d, y, w, beta):
    """(objective, relative gap) at w."""
    u = d @ w
    penalty = beta * np.abs(w).sum()
    if loss == "squared":
        objective = 0.5 * np.sum((u - y) ** 2) + penalty
        bound = squared_bound(d, y, u - y, beta)
    else:
        objective = np.sum(np.logaddexp(0.0, -y * u)) + penalty
        bound = logistic_bound(d, y, u, beta)
    return float(objective), float((objective - bound) / objective)


def squared_bound(d, y, z, beta):
    """-L*(theta z) = -theta^2 |z|^2 / 2 - theta y'z at its best feasible theta."""
    size = z @ z
    if size == 0.0:
        return 0.0
    limit = beta / max(np.abs(d.T @ z).max(), np.finfo(float).tiny)
    theta = np.clip(-(y @ z) / size, -limit, limit)
    return -0.5 * theta**2 * size - theta * (y @ z)


def logistic_bound(d, y, u, beta):
    """-L*(theta z) = sum of the entropies of theta p at its best feasible theta, z = -y p."""
    p = np.exp(-np.logaddexp(0.0, y * u))
    limit = min(beta / max(np.abs(d.T @ (y * p)).max(), np.finfo(float).tiny), 1.0 / p.max())

    def slope(theta):
        q = theta * p
        return np.sum(p * (np.log1p(-q) - np.log(q)))

    low, high = 0.0, limit * (1.0 - 1e-15)
    theta = high
    if slope(high) < 0.0:  # the entropy is concave in theta: halve onto its maximum
        for _ in range(100):
            theta = 0.5 * (low + high)
            low, high = (low, theta) if slope(theta) < 0.0 else (theta, high)
    q = theta * p
    return -np.sum(q * np.log(q) + (1.0 - q) * np.log1p(-q))
