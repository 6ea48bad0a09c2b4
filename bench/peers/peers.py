"""The peers: each is a function (d, y, beta, tolerance) -> w, its package imported on first use.

Everybody minimises L(Dw) + beta |w|_1 with L a sum over samples and no intercept. Packages that
average the loss get beta / n. Iteration limits are out of the way: the tolerance or the clock ends a fit.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

FOREVER = 1_000_000_000


def sklearn_lasso(d, y, beta, tolerance, gram=False):
    from sklearn.linear_model import Lasso

    model = Lasso(beta / len(y), fit_intercept=False, precompute=gram, max_iter=FOREVER, tol=tolerance)
    return model.fit(d, y).coef_


def sklearn_lasso_gram(d, y, beta, tolerance):
    return sklearn_lasso(d, y, beta, tolerance, gram=True)


def celer_lasso(d, y, beta, tolerance):
    from celer import Lasso

    model = Lasso(beta / len(y), fit_intercept=False, max_iter=100_000, max_epochs=FOREVER, tol=tolerance)
    return model.fit(d, y).coef_


def skglm_lasso(d, y, beta, tolerance):
    from skglm import Lasso

    model = Lasso(beta / len(y), fit_intercept=False, max_iter=100_000, max_epochs=FOREVER, tol=tolerance)
    return model.fit(d, y).coef_


def adelie_lasso(d, y, beta, tolerance):
    import adelie

    state = adelie.grpnet(
        d,
        adelie.glm.gaussian(y),
        lmda_path=[beta / len(y)],
        intercept=False,
        early_exit=False,
        max_iters=FOREVER,
        tol=tolerance,
        n_threads=os.cpu_count(),
        progress_bar=False,
    )
    return np.asarray(state.betas[-1].todense()).ravel()


def clarabel_lasso(d, y, beta, tolerance):
    import cvxpy

    w = cvxpy.Variable(d.shape[1])
    solve(cvxpy.sum_squares(d @ w - y) / 2 + beta * cvxpy.norm1(w), tolerance)
    return w.value


def clarabel_lasso_gram(d, y, beta, tolerance):
    import cvxpy

    w = cvxpy.Variable(d.shape[1])
    gram = cvxpy.psd_wrap(d.T @ d)
    solve(cvxpy.quad_form(w, gram) / 2 - (d.T @ y) @ w + beta * cvxpy.norm1(w), tolerance)
    return w.value


def solve(objective, tolerance):
    """Clarabel, its three tolerances alike."""
    import cvxpy

    cvxpy.Problem(cvxpy.Minimize(objective)).solve(
        solver=cvxpy.CLARABEL,
        tol_gap_abs=tolerance,
        tol_gap_rel=tolerance,
        tol_feas=tolerance,
        max_iter=10_000,
    )


def celer_logistic(d, y, beta, tolerance):
    from celer import LogisticRegression

    model = LogisticRegression(C=1 / beta, max_iter=100_000, max_epochs=FOREVER, tol=tolerance)
    return model.fit(d, y).coef_.ravel()


def sklearn_logistic(d, y, beta, tolerance, solver):
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(
        C=1 / beta,
        l1_ratio=1.0,
        solver=solver,
        fit_intercept=False,
        max_iter=FOREVER,
        tol=tolerance,
        random_state=0,
    )
    return model.fit(d, y).coef_.ravel()


def liblinear_logistic(d, y, beta, tolerance):
    return sklearn_logistic(d, y, beta, tolerance, "liblinear")


def saga_logistic(d, y, beta, tolerance):
    return sklearn_logistic(d, y, beta, tolerance, "saga")


def skglm_logistic(d, y, beta, tolerance):
    from skglm import SparseLogisticRegression

    model = SparseLogisticRegression(
        beta / len(y), fit_intercept=False, max_iter=100_000, max_epochs=FOREVER, tol=tolerance
    )
    return model.fit(d, y).coef_.ravel()


@dataclass(frozen=True)
class Peer:
    """A package and how it is called."""

    name: str
    packages: tuple[str, ...]
    fits: dict[str, Callable]  # by loss
    environment: str = "peers-venv"
    by_hand: bool = False  # given the Gram matrix by a user who knows that it helps
    tall_only: bool = False  # forms the Gram matrix of all patterns


PEERS = [
    Peer("scikit-learn", ("scikit-learn",), {"squared": sklearn_lasso}),
    Peer("celer", ("celer",), {"squared": celer_lasso, "logistic": celer_logistic}),
    Peer("skglm", ("skglm",), {"squared": skglm_lasso, "logistic": skglm_logistic}),
    Peer("adelie", ("adelie",), {"squared": adelie_lasso}, environment="peers-venv-adelie"),
    Peer("cvxpy + Clarabel", ("cvxpy", "clarabel"), {"squared": clarabel_lasso}),
    Peer("liblinear", ("scikit-learn",), {"logistic": liblinear_logistic}),
    Peer("saga", ("scikit-learn",), {"logistic": saga_logistic}),
    Peer("scikit-learn, Gram", ("scikit-learn",), {"squared": sklearn_lasso_gram}, by_hand=True, tall_only=True),
    Peer("Clarabel, Gram", ("cvxpy", "clarabel"), {"squared": clarabel_lasso_gram}, by_hand=True, tall_only=True),
]
