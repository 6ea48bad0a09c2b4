"""Fits FasterRisk to a task on standard input, and prints the score card. methods.py runs it."""

import contextlib
import json
import sys

import numpy as np
from fasterrisk.fasterrisk import RiskScoreOptimizer

task = json.load(sys.stdin)
X, y = np.array(task["X"]), np.array(task["y"])
with contextlib.redirect_stdout(sys.stderr):
    search = RiskScoreOptimizer(X=X, y=y, k=min(task["k"], X.shape[1]), parent_size=task["parents"])
    search.optimize()
    multiplier, intercept, points = search.get_models(model_index=0)
card = {"multiplier": float(multiplier), "intercept": float(intercept), "points": [float(p) for p in points]}
json.dump(card, sys.stdout)
