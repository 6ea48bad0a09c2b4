"""docs/rules.md: the tables of few rules, written between its markers, and a picture."""

import dataclasses
import itertools
import statistics
from dataclasses import dataclass

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from methods import FREE, SIZED, UNLIMITED
from results import Results
from tables import Table

BEGIN = "<!-- begin: written by bench/rules/run -->"
END = "<!-- end: written by bench/rules/run -->"
HIGHER = {"accuracy": True, "log_loss": False, "calibration": False}
# Colours that stay apart for the colour-blind.
COLOURS = ["#222222", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#767676"]


@dataclass
class Run:
    """What was run, and where its results are."""

    tables: list[Table]
    seeds: list[int]
    sizes: list[int]
    names: list[str]
    kept: Results

    def values(self, table, name, field):
        rows = [self.kept.get(table, seed, name) for seed in self.seeds]
        return [float(row[field]) for row in rows if row and row[field]]

    def mean(self, table, name, field):
        """The mean over all seeds, or nothing where one is missing."""
        values = self.values(table, name, field)
        return statistics.fmean(values) if len(values) == len(self.seeds) else None

    def beside(self, size):
        """The methods that stand beside each other at a size."""
        sized = [f"{method} ({size})" for method in SIZED]
        return [name for name in sized + FREE if name in self.names]

    def stability(self, table, name):
        """How many of the columns that two splits read are read by both, on average over pairs of splits."""
        rows = [self.kept.get(table, seed, name) for seed in self.seeds]
        sets = [set(row["columns"].split(";")) for row in rows if row and row["columns"]]
        shared = [len(a & b) / len(a | b) for a, b in itertools.combinations(sets, 2)]
        return statistics.fmean(shared) if shared else None


def ranks(run, names, name, field):
    """Its place on every table where it has run, 1 the best, among those that have; equal ones share theirs."""
    for table in run.tables:
        sign = -1 if HIGHER[field] else 1
        values = {n: run.mean(table, n, field) for n in names}
        values = {n: sign * round(v, 9) for n, v in values.items() if v is not None}
        if name in values:
            better = sum(v < values[name] for v in values.values())
            equal = sum(v == values[name] for v in values.values())
            yield better + (equal + 1) / 2


def over_tables(values, text, middle=statistics.fmean):
    known = [value for value in values if value is not None]
    return text.format(middle(known)) if known else ""


def lines_of(run, names, tables, shown):
    """A table of methods; means over these tables, where a method has run."""
    head = ["method", "tables", "rank, accuracy", "accuracy", "rank, log-loss", "log-loss", "calibration error"]
    head += ["questions", "columns kept between splits", "CPU s, median"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for name in names:
        means = {field: [run.mean(t, name, field) for t in tables] for field in ("size", "seconds", *HIGHER)}
        cells = [shown(name), str(sum(value is not None for value in means["accuracy"]))]
        cells += [over_tables(ranks(run, names, name, "accuracy"), "{:.2f}")]
        cells += [over_tables(means["accuracy"], "{:.4f}")]
        cells += [over_tables(ranks(run, names, name, "log_loss"), "{:.2f}")]
        cells += [over_tables(means["log_loss"], "{:.4f}"), over_tables(means["calibration"], "{:.3f}")]
        cells += [over_tables(means["size"], "{:.1f}")]
        cells += [over_tables([run.stability(t, name) for t in tables], "{:.2f}")]
        cells += [over_tables(means["seconds"], "{:.2f}", statistics.median)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def section(run, size):
    """The table of one size, beside those that take no limit."""
    names = [name for name in run.beside(size) if any(run.values(t, name, "accuracy") for t in run.tables)]

    def shown(name):
        return name.removesuffix(f" ({size})") + (", no limit" if name in FREE else "")

    return f"## At most {size} rules\n\n" + lines_of(run, names, run.tables, shown)


def without_limit(run):
    """Rules of two conditions and EBM, on the tables that both have."""
    both = [t for t in run.tables if None not in [run.mean(t, name, "accuracy") for name in UNLIMITED]]
    if not both:
        return ""
    part = dataclasses.replace(run, tables=both)
    title = "## No limit on rules\n\nOn " + ", ".join(table.name for table in both)
    return f"{title}.\n\n" + lines_of(part, UNLIMITED, both, str)


def draw(path, run):
    """Mean accuracy and log-loss against the number of rules."""
    plt.rcParams.update(
        {"svg.hashsalt": "hardlim", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
    )
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for axis, field, title in zip(axes, ("accuracy", "log_loss"), ("mean accuracy", "mean log-loss")):
        for method, colour in zip(SIZED, COLOURS):
            points = {}
            for size in run.sizes:
                values = [run.mean(table, f"{method} ({size})", field) for table in run.tables]
                if None not in values:
                    points[size] = statistics.fmean(values)
            if points:
                axis.plot(list(points), list(points.values()), "o-", color=colour, label=method, markersize=4)
        axis.set_xlabel("rules at most")
        axis.set_title(title)
        axis.set_xticks(run.sizes)
    names, labels = axes[0].get_legend_handles_labels()
    figure.legend(names, labels, loc="outside lower center", ncols=4, frameon=False)
    figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)


def write(path, run, honesty):
    """The page, with what `--honesty` has written; what stands outside of its markers is kept."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(path.with_suffix(".svg"), run)
    tables = ", ".join(table.name for table in run.tables)
    seeds = f"{run.seeds[0]} to {run.seeds[-1]}"
    parts = [f"Tables: {tables}. Split seeds {seeds}.", f"![accuracy and log-loss]({path.stem}.svg)"]
    parts += [section(run, size) for size in run.sizes] + [without_limit(run)]
    parts += [honesty.read_text().strip()] if honesty.exists() else []
    body = "\n\n".join(part for part in parts if part)
    old = path.read_text() if path.exists() else f"# Few rules\n\n{BEGIN}\n{END}\n"
    before, _, rest = old.partition(BEGIN)
    after = rest.partition(END)[2]
    path.write_text(f"{before}{BEGIN}\n\n{body}\n\n{END}{after}")
