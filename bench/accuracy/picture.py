"""One picture: what ours is ahead or behind on every table, and the mean ranks."""

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

# Colours that stay apart for the colour-blind, and a mark for each as well.
STYLES = [("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "D"), ("#E69F00", "v"), ("#56B4E9", "P")]
OURS = "#222222"


def draw(path, tables, differences, ranks, measure):
    """`differences[method][table]`, ours minus theirs; `ranks[method]`."""
    plt.rcParams.update(
        {"svg.hashsalt": "hardlim", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
    )
    height = max(2.6, 0.32 * len(tables) + 1.5)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, height), width_ratios=[2, 1], layout="constrained")
    styles = dict(zip(differences, STYLES))
    rows = {table: len(tables) - 1 - place for place, table in enumerate(tables)}

    left.axvline(0, color=OURS, linewidth=1)
    for row in rows.values():
        left.axhline(row, color="#dddddd", linewidth=0.6, zorder=0)
    for place, (method, (colour, mark)) in enumerate(styles.items()):
        found, aside = differences[method], 0.12 * ((len(styles) - 1) / 2 - place)  # equal ones stay apart
        heights = [rows[table] + aside for table in found]
        left.scatter(list(found.values()), heights, c=colour, marker=mark, s=24, linewidths=0, label=method, zorder=3)
    left.set_yticks(list(rows.values()), list(rows))
    left.set_ylim(-0.6, len(tables) - 0.4)
    left.set_xlabel(f"{measure} of hardlim minus that of the method\n(right of the line: hardlim is better)")

    ranks = {
        method: rank for method, rank in sorted(ranks.items(), key=lambda item: -(item[1] or 0)) if rank is not None
    }
    bars = right.barh(list(ranks), list(ranks.values()), color=[styles.get(m, (OURS,))[0] for m in ranks], height=0.6)
    right.bar_label(bars, fmt="%.2f", padding=3)
    right.set_xlim(0, max(ranks.values()) * 1.2)
    right.set_xlabel(f"mean rank by {measure}, 1 is best")
    figure.legend(loc="outside lower center", ncols=len(styles), frameon=False)
    figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)
