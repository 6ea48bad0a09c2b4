"""Makers of few rules, side by side. `make(method, most)` has `fit(X, y)`, `predict_proba(X)`, `size_` and `columns_`.

`X` is a frame of numbers and labels, `y` is 0 or 1. A size is the number of questions that a reader has to look at:
rules, splits of trees, points of a score, inputs of a linear model.
"""

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

OURS, ALL_PAIRS = "hardlim", "hardlim, two conditions"
FASTERRISK = "FasterRisk"
# Those that take a number of rules, and those that have none; of the latter, all but ours stand beside every size.
SIZED = [OURS, "FIGS", "FastRiskScore", "FastSmallTree", "RuleFit", FASTERRISK, "sparse logistic"]
FREE = ["EBM", "tree of depth 3", "tree of depth 4"]
UNLIMITED = [ALL_PAIRS, "EBM"]
SECONDS = 5.0  # for a fit of those that search as long as they may
# What the slow ones do with less of than by default, and FasterRisk with still less above so many answers to questions.
PARENTS, ANSWERS_OF_PARENTS = (3, 1), 200_000  # lists that FasterRisk goes on with; its default is 10
STRENGTHS = np.logspace(-3, 2, 26)
CUTS = 9  # thresholds a column for methods that read yes and no; as FastRiskScore's own


def make(method, most, root):
    """One method, not yet fitted, for at most this many rules."""
    import hardlim
    import imodels

    match method:
        case "hardlim":
            return Ours(hardlim.ThresholdClassifier(rules=most))
        case "hardlim, two conditions":
            return Ours(hardlim.ThresholdClassifier(conditions=2))
        case "FIGS":
            return Encoded(imodels.FIGSClassifier(max_rules=most), figs_columns)
        case "FastRiskScore":
            return Encoded(imodels.FastRiskScoreClassifier(k=most, time_limit=SECONDS), lambda m: named(m.points_))
        case "FastSmallTree":
            return Encoded(SmallTree(most), lambda m: m.columns_)
        case "RuleFit":
            return Encoded(imodels.RuleFitClassifier(max_rules=most, random_state=0), lambda m: named(m.rules_))
        case "FasterRisk":
            return FasterRisk(most, root)
        case "sparse logistic":
            return Encoded(SparseLogistic(most), lambda m: m.columns_)
        case "EBM":
            return Explainable()
        case "tree of depth 3" | "tree of depth 4":
            return Encoded(DecisionTreeClassifier(max_depth=int(method[-1]), random_state=0), tree_columns)


def fasterrisk_python(root):
    """The interpreter that has FasterRisk, if there is one."""
    python = Path(root) / "target/fasterrisk-venv/bin/python"
    return python if (python.parent.parent / "installed").exists() else None


class Ours:
    """hardlim reads the frame as it is."""

    def __init__(self, model):
        self.model = model

    def fit(self, X, y):
        self.model.fit(X, y)
        read = [name for name, share in zip(X.columns, self.model.feature_importances_) if share > 0]
        self.size_, self.columns_ = self.model.n_neurons_, read
        return self

    def predict_proba(self, X):
        return self.model.predict_proba(X)


class Encoded:
    """A model behind a one-hot encoding of text; `used` tells the inputs that it reads, one entry a question."""

    def __init__(self, model, used):
        self.model, self.used = model, used

    def fit(self, X, y):
        labels = make_column_selector(dtype_exclude="number")
        encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        self.encoder = make_column_transformer(
            (encoder, labels), remainder="passthrough", verbose_feature_names_out=False
        )
        inputs = np.asarray(self.encoder.fit_transform(X), dtype=float)
        self.names = list(self.encoder.get_feature_names_out())
        self.model.fit(inputs, y)
        used = [self.names[j] for j in self.used(self.model)]
        self.size_, self.columns_ = len(used), sorted(set(used))
        return self

    def predict_proba(self, X):
        return self.model.predict_proba(np.asarray(self.encoder.transform(X), dtype=float))


class Explainable:
    """interpret's EBM, pairs included; its size is the number of terms."""

    def fit(self, X, y):
        from interpret.glassbox import ExplainableBoostingClassifier

        self.model = ExplainableBoostingClassifier(random_state=0, n_jobs=1).fit(X, y)
        self.size_, self.columns_ = len(self.model.term_names_), list(X.columns)
        return self

    def predict_proba(self, X):
        return self.model.predict_proba(X)


class SmallTree:
    """The optimal tree of the least regularisation with at most so many splits."""

    def __init__(self, most):
        self.most = most

    def fit(self, X, y):
        import imodels

        self.model = None
        for regularization in (0.1, 0.05, 0.03, 0.02, 0.01, 0.007, 0.005):
            tree = imodels.FastSmallTreeClassifier(regularization=regularization, time_limit=SECONDS / 5).fit(X, y)
            splits = list(splits_of(tree))
            if self.model is not None and len(splits) > self.most:
                break
            self.model, self.columns_ = tree, splits
        return self

    def predict_proba(self, X):
        return self.model.predict_proba(X)


class SparseLogistic:
    """Logistic regression with an l1 penalty and at most so many inputs, the strength by five folds."""

    def __init__(self, most):
        self.most = most

    def fit(self, X, y):
        def machine(strength):
            penalised = LogisticRegression(l1_ratio=1.0, solver="liblinear", C=strength, max_iter=1000)
            return make_pipeline(StandardScaler(), penalised)

        folds, best = StratifiedKFold(5, shuffle=True, random_state=0), -np.inf
        for strength in STRENGTHS:
            model = machine(strength).fit(X, y)
            used = np.flatnonzero(model[-1].coef_[0])
            if len(used) > self.most:
                break
            score = cross_val_score(machine(strength), X, y, cv=folds, scoring="neg_log_loss").mean()
            if score > best:
                best, self.model, self.columns_ = score, model, list(used)
        return self

    def predict_proba(self, X):
        return self.model.predict_proba(X)


class FasterRisk:
    """FasterRisk in an environment of its own, on yes and no at quantiles of every column."""

    def __init__(self, most, root):
        self.most, self.python = most, fasterrisk_python(root)

    def fit(self, X, y):
        self.cuts = {}
        for name in X.columns:
            if pd.api.types.is_numeric_dtype(X[name]):
                cuts = np.unique(np.quantile(X[name], np.linspace(0, 1, CUTS + 2)[1:-1]))
                self.cuts[name] = [float(c) for c in cuts]
            else:
                self.cuts[name] = sorted(X[name].astype(str).unique())
        asked, names = self.questions(X)
        parents = PARENTS[asked.size > ANSWERS_OF_PARENTS]
        task = {"X": asked.tolist(), "y": np.where(y == 1, 1, -1).tolist(), "k": self.most, "parents": parents}
        worker = Path(__file__).with_name("fasterrisk_worker.py")
        run = subprocess.run([self.python, worker], input=json.dumps(task), capture_output=True, text=True, check=True)
        self.card = json.loads(run.stdout)
        used = [names[j] for j, points in enumerate(self.card["points"]) if points]
        self.size_, self.columns_ = len(used), sorted(set(used))
        return self

    def questions(self, X):
        columns, names = [], []
        for name, cuts in self.cuts.items():
            for cut in cuts:
                number = isinstance(cut, float)
                columns.append((X[name] >= cut if number else X[name].astype(str) == cut).to_numpy(float))
                names.append(name)
        return np.array(columns).T, names

    def predict_proba(self, X):
        score = self.questions(X)[0] @ np.array(self.card["points"]) + self.card["intercept"]
        p = 1 / (1 + np.exp(-score / self.card["multiplier"]))
        return np.column_stack([1 - p, p])


def splits_of(tree):
    """The columns of the splits of an optimal tree."""
    stack = [tree.tree_]
    while stack:
        node = stack.pop()
        if "feature" in node:
            yield node["feature"]
            stack += [node["true"], node["false"]]


def figs_columns(model):
    """The columns of the splits of FIGS."""
    stack = list(model.trees_)
    while stack:
        node = stack.pop()
        if node.left is not None:
            yield int(node.feature)
            stack += [node.left, node.right]


def tree_columns(tree):
    return [int(j) for j in tree.tree_.feature if j >= 0]


def named(texts):
    """The columns in rules like `X2 <= 4.95 and X_3 <= 1.65`."""
    return [int(number) for text in texts for number in re.findall(r"X_?(\d+)", str(text))]
