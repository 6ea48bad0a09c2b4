"""Curves of accuracy against LUTs and against flash: the best accuracy of at most that size."""

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

STYLES = {"hardlim": ("#0072B2", "o"), "boosted trees": ("#D55E00", "s"), "emlearn forest": ("#009E73", "^")}


def draw(path, rows):
    plt.rcParams.update(
        {
            "svg.hashsalt": "hardlim",
            "svg.fonttype": "none",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )
    sets = list(dict.fromkeys(row["set"] for row in rows))
    figure, axes = plt.subplots(
        len(sets), 2, figsize=(9, 2.6 * len(sets)), layout="constrained", squeeze=False, sharey="row"
    )
    for line, name in zip(axes, sets):
        for axis, field, words in zip(line, ["luts_ice40", "flash"], ["LUTs of an iCE40", "bytes of flash, Cortex-M0"]):
            for method, (colour, mark) in STYLES.items():
                points = sorted(
                    (int(row[field]), float(row["accuracy"]))
                    for row in rows
                    if row["set"] == name and row["method"] == method and row.get(field) not in (None, "")
                )
                if not points:
                    continue
                axis.scatter(*zip(*points), c=colour, marker=mark, s=12, alpha=0.4, linewidths=0)
                best = [(size, max(a for s, a in points if s <= size)) for size, _ in points]
                axis.step(*zip(*best), where="post", color=colour, label=method)
            axis.set_xscale("log")
            axis.set_xlabel(words)
            axis.set_title(name, loc="left")
        line[0].set_ylabel("accuracy on new rows")
        for axis in line:
            if axis.get_legend_handles_labels()[0]:
                axis.legend(frameon=False)
    figure.savefig(path)
