"""What the first line promises of few rules, beside new rows; and the training objective for 1 to 20 rules.

Started by `bench/rules/run --honesty`. Made-up tables have 20,000 fresh rows; of real ones, half is held out.
"""

import itertools
import statistics
from pathlib import Path

import hardlim
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import train_test_split

PENGUINS = Path(__file__).resolve().parents[2] / "docs/guide/penguins.csv"
FRESH = 20_000
SIZES = (3, 5, 10, 15)
SEEDS = range(5)
SPLITS = range(8)
MOST = 20  # rules, while the objective is watched


def scores(kind, X):
    """The log-odds of a made-up table; its columns are uniform on 0 to 1, the last one is whole."""
    a, b, c, d, e = X.T[:5]
    return {
        "steps": 2.0 * (a > 0.37) - 1.5 * (b > 0.71) + 1.0 * (c > 0.2) - 0.8 + 0.5 * (e > 2),
        "slope": 5.0 * (a - 0.5) + 3.0 * (b - 0.5) - 2.0 * (c - 0.5),
        "waves": 2.0 * np.sin(6.0 * a) + 2.0 * np.cos(9.0 * b),
        "pairs": 4.0 * (a > 0.5) * (b > 0.5) - 2.0 + 1.0 * (c > 0.6),
        "noise": 0.0 * a,
        "rare": -3.5 + 2.5 * (a > 0.8) + 1.5 * (d > 0.5),
    }[kind]


KINDS = ("steps", "slope", "waves", "pairs", "noise", "rare")


def made_up(kind, rows, seed, columns=8):
    rng = np.random.default_rng([KINDS.index(kind), rows, seed])
    X = rng.random((rows, columns))
    X[:, 4] = np.floor(5 * X[:, 4])
    y = rng.random(rows) < 1 / (1 + np.exp(-scores(kind, X)))
    return pd.DataFrame(X, columns=[f"x{j + 1}" for j in range(columns)]), y.astype(int)


def penguins():
    table = pd.read_csv(PENGUINS)
    return table.drop(columns="species"), table["species"]


def promise(rules, X, y, fresh, truth):
    """What the first line says and what fresh rows say: accuracy and log-loss, each."""
    model = hardlim.ThresholdClassifier(rules=rules).fit(X, y)
    p = model.predict_proba(fresh)
    found = accuracy_score(truth, model.predict(fresh)), log_loss(truth, p.clip(1e-7, 1), labels=model.classes_)
    return (model.choice_["accuracy"], model.choice_["log_loss"]), found


def cases():
    """Names, and training and fresh rows."""
    for kind, rows, seed in itertools.product(KINDS, (200, 500, 1000), SEEDS):
        yield f"made up: {kind}", (*made_up(kind, rows, seed), *made_up(kind, FRESH, 100 + seed))
    real = {"breast cancer": load_breast_cancer, "wine": load_wine}
    real = {name: load(return_X_y=True, as_frame=True) for name, load in real.items()} | {"penguins": penguins()}
    for (name, table), split in itertools.product(real.items(), SPLITS):
        X, fresh, y, truth = train_test_split(*table, test_size=0.5, random_state=split, stratify=table[1])
        yield name, (X, y, fresh, truth)


def rises():
    """How often the objective is higher with one more rule, on 20 made-up tables and 5 seeds of the folds."""
    count = pairs = 0
    tables = [(kind, rows, seed) for kind in KINDS[:5] for rows in (60, 300) for seed in (0, 1)]
    for table, seed in itertools.product(tables, SEEDS):
        X, y = made_up(*table)
        before = None
        for most in range(1, MOST + 1):
            model = hardlim.ThresholdClassifier(rules=most, random_state=seed).fit(X, y)
            # A chosen size may be smaller than the limit: the objective belongs to what is written.
            objective = model.certificate_.objective
            if before is not None:
                pairs += 1
                count += objective > before * (1 + 1e-9)
            before = objective
    return count, pairs


def write(path):
    """Measures everything, and writes the section."""
    found = {}
    for name, rows in cases():
        for rules in SIZES:
            said, seen = promise(rules, *rows)
            found.setdefault(name, []).append((said[0] - seen[0], said[1], seen[1]))
        print(name, flush=True)
    lines = ["| table | fits | accuracy, said − seen | log-loss said | log-loss seen | said / seen − 1 |"]
    lines.append("|---|---|---|---|---|---|")
    row = "| {} | {} | {:+.4f} | {:.4f} | {:.4f} | {:+.1%} |".format
    summed = [values for of_name in found.values() for values in of_name]
    for name, values in (found | {"all": summed}).items():
        excess, said, seen = (statistics.fmean(column) for column in zip(*values))
        lines.append(row(name, len(values), excess, said, seen, said / seen - 1))
    count, pairs = rises()
    text = [
        "## What the first line promises",
        f"Made-up tables of 200, 500 and 1,000 rows with {FRESH:,} fresh ones, seeds 0 to 4, "
        f"and halves of real tables; {', '.join(map(str, SIZES[:-1]))} and {SIZES[-1]} rules.",
        "\n".join(lines),
        f"With 1 to {MOST} rules on 20 made-up tables and 5 seeds of the folds, the training objective rose "
        f"{count} times in {pairs:,} steps from one limit to the next.",
    ]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("\n\n".join(text) + "\n")
    print("\n\n".join(text))
