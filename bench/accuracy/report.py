"""The tables of the page, what they say in a few sentences, and docs/accuracy.md between its markers."""

import os
import platform
import statistics
import subprocess
from dataclasses import dataclass

import picture
import sklearn
from methods import EBM, FIVE, LARGEST, LINEAR, MACHINE, OURS, OURS_SMALL, TREES, TUNING_ROWS
from results import Results
from tables import SKLEARN, Table

BEGIN = "<!-- begin: written by bench/accuracy/run -->"
END = "<!-- end: written by bench/accuracy/run -->"
MEASURES = {"accuracy": "Accuracy", "log_loss": "Log-loss", "r2": "R2"}
HIGHER = {"accuracy": True, "r2": True, "log_loss": False}


@dataclass
class Run:
    """What was run, and where its results are."""

    tables: list[Table]
    seeds: list[int]
    methods: list[str]
    kept: Results
    command: str
    is_report: bool
    jobs: int

    def values(self, table, method, field):
        """One number a seed; fewer where there is none."""
        rows = [self.kept.get(table, seed, method) for seed in self.seeds]
        return [float(row[field]) for row in rows if row and row[field]]

    def mean(self, table, method, field):
        """The mean over all seeds, or nothing where one is missing."""
        values = self.values(table, method, field)
        return statistics.fmean(values) if len(values) == len(self.seeds) else None

    def certified(self, tables, method):
        """How many models `certify` accepted, and how many there are."""
        rows = [self.kept.get(table, seed, method) for table in tables for seed in self.seeds]
        verdicts = [row["certified"] for row in rows if row and row["certified"]]
        return verdicts.count("yes"), len(verdicts)


def line(table, seed, method, row):
    """What the terminal shows of one fit."""
    numbers = [f"{name} {row[name]}" for name in [*MEASURES, "neurons", "certified", "note"] if row.get(name)]
    return f"{table.name:16} seed {seed:<5} {method:22} {row.get('seconds', '-'):>8} s  {', '.join(numbers)}"


def markdown(head, rows):
    """A table that reads well as Markdown and as text."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [[cell.ljust(width) for cell, width in zip(row, widths)] for row in [head, *rows]]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def places(values, higher):
    """The place of each value, 1 the best; equal ones share theirs, and none is the last."""
    worst = float("-inf") if higher else float("inf")
    values = [round(worst if v is None else v, 9) if v is not None else worst for v in values]
    better = [sum(w > v if higher else w < v for w in values) for v in values]
    return [b + (values.count(v) + 1) / 2 for b, v in zip(better, values)]


def mean_rank(run, tables, method, field):
    """Its mean place among the five, or if it joined them."""
    rivals = [m for m in FIVE if m in run.methods and m != method and (method != OURS_SMALL or m != OURS)]
    ranks = []
    for table in tables:
        values = [run.mean(table, m, field) for m in [method, *rivals]]
        if any(value is not None for value in values):
            ranks.append(places(values, HIGHER[field])[0])
    return statistics.fmean(ranks) if ranks else None


def average(run, tables, method, field):
    """The mean over tables, or nothing where one is missing."""
    values = [run.mean(table, method, field) for table in tables]
    return statistics.fmean(values) if values and None not in values else None


def number(value, digits):
    return "" if value is None else f"{value:.{digits}f}"


def seconds(value):
    return "" if value is None else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def name_of(method, field):
    return {"r2": "ridge"}.get(field, "logistic regression") if method == LINEAR else method


def summary(run, tables, field):
    """A line for each method: ranks, means, time, size, proofs."""
    classes = field == "accuracy"
    head = ["method", "mean rank", f"mean {MEASURES[field] if field == 'r2' else 'accuracy'}"]
    head += ["rank by log-loss", "mean log-loss"] * classes
    head += ["seconds a fit, median", "longest", "neurons, median", "certificates accepted"]
    rows = []
    for method in run.methods:
        times = [value for table in tables for value in run.values(table, method, "seconds")]
        sizes = [value for table in tables for value in run.values(table, method, "neurons")]
        accepted, all_of_them = run.certified(tables, method)
        cells = [name_of(method, field)]
        cells += [number(mean_rank(run, tables, method, field), 2), number(average(run, tables, method, field), 4)]
        if classes:
            loss = average(run, tables, method, "log_loss")
            cells += [number(mean_rank(run, tables, method, "log_loss"), 2) if loss is not None else ""]
            cells += [number(loss, 4)]
        cells += [seconds(statistics.median(times)) if times else "", seconds(max(times, default=None))]
        cells += [f"{statistics.median(sizes):.0f}" if sizes else ""]
        cells += [f"{accepted} of {all_of_them}" if all_of_them else ""]
        rows.append(cells)
    return markdown(head, rows)


def each(run, tables, field):
    """A line for each table, the best method in bold."""
    rows = []
    for table in tables:
        values = [run.mean(table, method, field) for method in run.methods]
        if all(value is None for value in values):
            continue
        first = [place == min(places(values, HIGHER[field])) for place in places(values, HIGHER[field])]
        digits = 3 if field == "log_loss" else 4
        cells = [f"**{number(v, digits)}**" if best else number(v, digits) for v, best in zip(values, first)]
        rows.append([table.name, *cells])
    return markdown(["table", *(name_of(method, field) for method in run.methods)], rows)


def cost(run, tables):
    """A line for each table: its size, seconds of everybody, neurons and proofs of ours."""
    ours = [method for method in run.methods if method in (OURS, OURS_SMALL)]
    head = ["table", "rows", "features", "classes", *(f"{method}, s" for method in run.methods)]
    head += [f"neurons of {method}" for method in ours] + [f"certificates of {method}" for method in ours]
    rows = []
    for table in tables:
        cells = [table.name, len(table.X), table.X.shape[1], table.classes or ""]
        cells += [seconds(run.mean(table, method, "seconds")) for method in run.methods]
        cells += [number(run.mean(table, method, "neurons"), 0) for method in ours]
        for method in ours:
            accepted, all_of_them = run.certified([table], method)
            cells.append(f"{accepted} of {all_of_them}")
        rows.append(cells)
    return markdown(head, rows)


def findings(run, tables, field):
    """What the numbers say of ours against the peers, in sentences."""
    peers = [method for method in FIVE if method in run.methods and method != OURS]
    if OURS not in run.methods or not peers or average(run, tables, OURS, field) is None:
        return []
    measure = "R2" if field == "r2" else "accuracy"
    means = {method: average(run, tables, method, field) for method in peers}
    best = max((m for m in peers if means[m] is not None), key=means.get, default=None)
    said = []
    if best is not None:
        difference = average(run, tables, OURS, field) - means[best]
        said.append(f"Mean {measure}: {difference:+.4f} against {name_of(best, field)}, the best peer on average.")
    behind = []
    for table in tables:
        rivals = [v for v in (run.mean(table, method, field) for method in peers) if v is not None]
        if rivals:
            behind.append((run.mean(table, OURS, field) - max(rivals), table.name))
    if behind:
        worst, where = min(behind)
        ahead = sum(difference >= 0 for difference, _ in behind)
        said.append(
            f"Against the best peer of each table: as good or better on {ahead} of {len(behind)}, "
            f"{worst:+.4f} on {where}, the worst of them."
        )
    if field == "accuracy":
        losses = {m: average(run, tables, m, "log_loss") for m in [OURS, *peers]}
        losses = {m: loss for m, loss in losses.items() if loss is not None}
        if losses:
            lowest = min(losses, key=losses.get)
            said.append(f"The lowest mean log-loss has {name_of(lowest, field)} ({losses[lowest]:.4f}).")
    if OURS_SMALL in run.methods and average(run, tables, OURS_SMALL, field) is not None:
        prices = [run.mean(table, OURS, field) - run.mean(table, OURS_SMALL, field) for table in tables]
        sizes = [max(run.values(table, OURS_SMALL, "neurons")) for table in tables]
        cheap = sum(price <= 0.005 and size <= LARGEST for price, size in zip(prices, sizes))
        said.append(
            f"At most {LARGEST} neurons at a price of at most 0.005 on {cheap} of {len(tables)} tables, "
            f"{statistics.fmean(prices):+.4f} on average."
        )
    for title, some in [
        ("up to 1000 rows", [table for table in tables if len(table.X) <= 1000]),
        ("of more rows", [table for table in tables if len(table.X) > 1000]),
    ]:
        times = [value for table in some for value in run.values(table, OURS, "seconds")]
        if times:
            said.append(
                f"A fit of ours on tables {title}: {seconds(statistics.median(times))} s in the median, "
                f"{seconds(max(times))} s at most."
            )
    return said


def failures(run):
    rows = [(t, s, m, run.kept.get(t, s, m)) for t in run.tables for s in run.seeds for m in run.methods]
    return [f"**Failed:** {m} on {t.name}, seed {s}: {row['note']}" for t, s, m, row in rows if row and row["note"]]


def groups(run):
    """The tables by where they come from and by task, each with the measure they are judged by."""
    found = {}
    for table in run.tables:
        found.setdefault((table.source, "accuracy" if table.task == "classify" else "r2"), []).append(table)
    return [(source, field, sorted(tables, key=lambda t: t.name)) for (source, field), tables in found.items()]


def title(source, field):
    where = "scikit-learn's own tables and the built-in ones" if source == SKLEARN else f"The tables of `{source}`"
    return where + (", numbers" if field == "r2" else "")


def bullets(lines):
    return "\n".join(f"- {line}" for line in lines)


def summary_text(run):
    parts = [
        f"{title(source, field)}\n\n{summary(run, tables, field)}\n\n{bullets(findings(run, tables, field))}"
        for source, field, tables in groups(run)
    ]
    return "\n\n".join(parts + failures(run))


def machine(run):
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as info:
            model = next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    command = ["git", "describe", "--always", "--dirty"]
    revision = subprocess.run(command, capture_output=True, text=True).stdout.strip() or "unknown"
    return (
        f"{model}, {run.jobs} of {os.cpu_count()} cores; Python {platform.python_version()}, "
        f"scikit-learn {sklearn.__version__}; revision {revision}."
    )


def how(run):
    """How it was measured."""
    seeds = f"{run.seeds[0]} to {run.seeds[-1]}" if len(run.seeds) > 2 else " and ".join(map(str, run.seeds))
    lines = [
        f"**Splits**: stratified, 80 % of the rows to train on, 20 % to be scored on; split seeds {seeds}; means over them.",
        "**hardlim** is `ThresholdClassifier()` or `ThresholdRegressor()`, without a parameter"
        + (f"; *{OURS_SMALL}* adds `neurons={LARGEST}`." if OURS_SMALL in run.methods else "."),
        f"**Peers**: logistic regression or ridge (its penalty cross-validated) on standardised features, histogram boosting, a random forest of "
        f"{TREES} trees, and an RBF-SVM tuned over 25 pairs of C and gamma by five folds (on at most {TUNING_ROWS} rows), "
        "probabilities by Platt's method."
        + (" EBM is interpret's explainable boosting machine." if EBM in run.methods else ""),
        "Text columns are one-hot encoded for the peers. Rows with missing values are left out, and classes of fewer than ten rows.",
        "**Rank**: the place among the five by the mean over the seeds, 1 the best, averaged over tables; "
        "a method outside the five has the place it would have if it joined them, or stood in ours' place.",
        "**Certificates** are checked by `certify` from the model and its training rows alone.",
    ]
    if MACHINE not in run.methods:
        lines.append("This run was made without the tuned SVM.")
    return bullets([*lines, machine(run)])


def page(run, drawn):
    """What stands between the markers."""
    parts = [f"Written by `{run.command}`.", how(run)]
    for source, field, tables in groups(run):
        parts += [f"## {title(source, field)}", summary(run, tables, field), bullets(findings(run, tables, field))]
        if (source, field) in drawn:
            parts.append(
                f"![{MEASURES[field]} of ours minus that of each peer on every table, and mean ranks]"
                f"({drawn[source, field]})"
            )
        parts += [f"### {MEASURES[field]}", each(run, tables, field)]
        if field == "accuracy":
            parts += ["### Log-loss", each(run, tables, "log_loss")]
        parts += ["### Time and size", cost(run, tables)]
    return "\n\n".join([part for part in parts + failures(run) if part])


def write(path, run):
    """The page and its pictures; what stands outside the markers is kept."""
    path.parent.mkdir(parents=True, exist_ok=True)
    drawn = {}
    for source, field, tables in groups(run):
        name = f"{path.stem}-{source}{'-numbers' if field == 'r2' else ''}.svg"
        ranks = {name_of(m, field): mean_rank(run, tables, m, field) for m in run.methods}
        peers = [m for m in run.methods if m not in (OURS, OURS_SMALL)]
        ours = {table.name: run.mean(table, OURS, field) for table in tables}
        differences = {
            name_of(m, field): {
                table.name: ours[table.name] - run.mean(table, m, field)
                for table in tables
                if ours[table.name] is not None and run.mean(table, m, field) is not None
            }
            for m in peers
        }
        if peers and len(tables) > 1 and any(differences.values()):
            measure = "R2" if field == "r2" else "accuracy"
            picture.draw(path.parent / name, list(ours), differences, ranks, measure)
            drawn[source, field] = name
    old = path.read_text() if path.exists() else f"# Accuracy\n\n{BEGIN}\n{END}\n"
    above, _, rest = old.partition(BEGIN)
    _, _, below = rest.partition(END)
    path.write_text(f"{above}{BEGIN}\n\n{page(run, drawn)}\n\n{END}{below}")
