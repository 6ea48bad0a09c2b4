"""The tables: on the terminal while they grow, and docs/benchmarks.md in the end."""

import datetime
import importlib.metadata
import os
import platform
import subprocess


def seconds(value):
    """Three digits of it."""
    return "" if value is None else f"{value:.3g} s" if value < 100 else f"{value:.0f} s"


def small(value):
    return "" if value is None else f"{value:.0e}"


def time_of(peer, limit):
    """Its time to the gap, or the limit it counts with."""
    return f">= {limit:g} s" if peer.seconds is None else seconds(peer.seconds)


def times(peer, ratio):
    """How many times slower than ours it is, at least."""
    return "" if ratio is None else f"{'>= ' if peer.seconds is None else ''}{ratio:.3g}x"


def table(head, rows):
    """A table that reads well as Markdown and as text."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [[cell.ljust(width) for cell, width in zip(row, widths)] for row in [head, *rows]]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def case_rows(case, limit, near):
    """Everybody on one problem, the engine first."""
    best = min((r.objective for r in case.everyone() if r.objective is not None), default=None)
    rows = []
    if case.ours is not None:
        rows.append(["**hardlim**", f"**{seconds(case.ours.seconds)}**", small(case.ours.relative_gap), "", ""])
    for result in case.peers:
        name = result.name + (" *" if result.by_hand else "")
        if result.note:
            rows.append([name, result.note, small(result.relative_gap), "", ""])
            continue
        ratio = result.counted(limit) / case.ours.seconds if case.ours is not None else None
        near_time = result.within(best, near) if best is not None else None
        cells = [time_of(result, limit), small(result.relative_gap), times(result, ratio), seconds(near_time)]
        rows.append([name, *cells])
    return rows


CASE_HEAD = ["solver", "time to gap", "gap reached", "over ours", "objective within 1e-6"]


def case_text(case, limit, near):
    return case.title() + "\n\n" + table(CASE_HEAD, case_rows(case, limit, near))


SUMMARY_HEAD = ["problem", "ours", "fastest peer", "its time", "ratio", "bar", "verdict"]
SUMMARY_HEAD += ["with hand-made Gram", "ours to 1e-10"]


def summary(cases, limit):
    """Each problem in a line: ours, the fastest peer, the ratio, the bar."""
    rows = []
    for case in cases:
        peer, ratio = case.fastest(limit)
        any_peer, any_ratio = case.fastest(limit, by_hand=True)
        bar = case.problem.bar
        met = "" if bar is None or ratio is None else "met" if ratio >= bar else "**missed**"
        rows.append(
            [
                case.title(),
                "missing" if case.ours is None else seconds(case.ours.seconds),
                "" if peer is None else peer.name,
                "" if peer is None else time_of(peer, limit),
                times(peer, ratio),
                "" if bar is None else f"{bar:g}x",
                met,
                times(any_peer, any_ratio),
                "" if case.tight is None else f"{seconds(case.tight.seconds)} ({small(case.tight.relative_gap)})",
            ]
        )
    return table(SUMMARY_HEAD, rows)


def machine():
    """The machine and the versions, a line each."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as info:
            model = next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    memory = ""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        memory = f", {os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB"
    return [
        f"Processor: {model}, {os.cpu_count()} cores{memory}",
        f"System: {platform.system()} {platform.machine()}, {output('rustc', '--version')}, "
        f"Python {platform.python_version()}",
        f"Revision: {output('git', 'describe', '--always', '--dirty')}",
        f"Date: {datetime.date.today().isoformat()}",
    ]


def output(*command):
    """What a command prints; unknown where it cannot be run."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def versions(target, packages):
    """`package version` for each, looked up in both environments."""
    found = {}
    for environment in ("peers-venv-adelie", "peers-venv"):
        paths = [str(path) for path in (target / environment).glob("lib/python*/site-packages")]
        for package in importlib.metadata.distributions(path=paths):
            found[package.metadata["Name"].lower()] = package.version
    return ", ".join(f"{name} {found.get(name, 'missing')}" for name in packages)


PAGE = """# Benchmarks

The Lasso engine against the Lasso packages of Python, written by `{command}`.

{machine}

Everybody minimises `L(Dw) + beta |w|_1`, without an intercept, on the same 0/1 matrix: the patterns
of Gaussian neurons on Gaussian inputs, with labels of a noisy teacher. The relative duality gap is
computed from everybody's coefficients by the same code (`bench/peers/gap.py`).

- **ours** is the median of {repeats} runs of `hardlim lasso` to gap {gap:.0e}: packing, Gram matrix and
  solve; the seconds it reports are checked against the wall clock of the process.
- **peers** hold the matrix as doubles in memory, and have imported and compiled everything before
  the clock starts. Their tolerance is lowered until the gap is {gap:.0e}; the time is that of the
  first single fit that gets there (the median of up to {peer_repeats} where it is quick), not the sum. One whose fit
  takes longer than {limit:g} s counts as {limit:g} s.
- `*` marks a peer that was handed the Gram formulation by somebody who knows that it helps; the
  bars are about the packages as they come, and the summary gives both ratios.
- *objective within 1e-6* is the time of the first fit tried whose objective is that close to the best found,
  whether or not the gap proves it.

## Summary

{summary}
{extras}
## Every solver

{cases}
"""


# What stands below this line of docs/benchmarks.md is kept when the page is written again.
KEEP = "<!-- below this line nothing is written by bench/peers/run -->"


def write(path, text):
    """The page, with what stood below its line before."""
    old = path.read_text() if path.exists() else ""
    _, line, below = old.partition(KEEP)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n" + line + below if line else text)


def page(run):
    """What bench/peers/run says in docs/benchmarks.md."""
    lines = [*machine(), f"Packages: {versions(run.target, run.packages)}", f"Limit: {run.limit:g} s a fit"]
    lines += [f"Missing, could not be installed: {name}" for name in run.missing]
    extras = "".join(f"\n{line}\n" for line in run.extras)
    complaints = "".join(f"\n**Check failed:** {line}\n" for line in run.complaints)
    return PAGE.format(
        command=run.command,
        machine="\n".join(f"- {line}" for line in lines),
        repeats=run.repeats,
        gap=run.gap,
        peer_repeats=run.peer_repeats,
        limit=run.limit,
        summary=summary(run.cases, run.limit),
        extras=extras + complaints,
        cases="\n\n".join("### " + case_text(case, run.limit, run.gap) for case in run.cases),
    )
