"""A session: the cases, one after another, and what has to hold of them."""

import shlex
import sys
from dataclasses import dataclass, field

import report
from contest import Failure, Ours, Problem, Result, run_engine, run_peer, run_stopwatch
from designs import Design
from peers import PEERS

GAP = 1e-6
TIGHT_GAP = 1e-10
AGREEMENT = 1e-5  # of the objectives of all who reached the gap, relative
REPEATS = 5  # runs of the engine
BARS = {"squared-0.1": 30, "squared-0.01": 100, "squared-0.001": 100, "wide-0.01": 30, "logistic-0.01": 30}
PATH_BAR = 5.0  # cold solves
LARGE_BAR = 12.0  # times as long, for ten times the samples
LARGE_MEMORY = 2048.0  # MiB
STOPWATCHES = ("path", "large")


@dataclass
class Case:
    """A problem and what everybody made of it."""

    problem: Problem
    ours: Ours | None = None
    tight: Ours | None = None
    peers: list[Result] = field(default_factory=list)

    def title(self):
        return f"{self.problem.loss}, {self.problem.design}, beta / beta_max = {self.problem.ratio:g}"

    def everyone(self):
        return [r for r in [self.ours, self.tight, *self.peers] if r is not None]

    def fastest(self, limit, by_hand=False):
        """The fastest peer and how many times slower than ours it is; without Gram by hand unless asked."""
        asked = [p for p in self.peers if p.counted(limit) is not None and (by_hand or not p.by_hand)]
        peer = min(asked, key=lambda p: p.counted(limit), default=None)
        if peer is None or self.ours is None:
            return peer, None
        return peer, peer.counted(limit) / self.ours.seconds


class Session:
    """Everything that one call of bench/peers/run measures."""

    def __init__(self, args, root):
        self.args, self.target = args, root / "target"
        self.limit, self.gap, self.repeats, self.peer_repeats = args.limit, GAP, REPEATS, args.repeats
        self.cases, self.extras, self.complaints = [], [], []
        self.command = shlex.join(["bench/peers/run", *sys.argv[1:]])
        self.packages = ["numpy", "scikit-learn", "celer", "skglm", "adelie", "cvxpy", "clarabel"]
        missing = self.target / "peers-missing"
        self.missing = missing.read_text().split() if missing.exists() else []
        for name in self.missing:
            print(f"MISSING: {name} could not be installed; its peers are skipped")

    def complain(self, text):
        print(f"CHECK FAILED: {text}")
        self.complaints.append(text)

    def say(self, text):
        print(text + "\n", flush=True)
        self.extras.append(text)

    def run(self, name, chosen):
        """A case by its name; `chosen` where it was asked for by name."""
        if name in STOPWATCHES:
            if self.args.quick and not chosen:
                print(f"{name}: skipped, it has no quick size\n")
            else:
                {"path": self.path, "large": self.large}[name]()
        else:
            self.contest(name)

    def contest(self, name):
        """Ours against the peers on one problem."""
        kind, ratio = name.split("-")
        tall, wide = ((800, 200), (200, 1000)) if self.args.quick else ((3680, 1000), (1000, 10000))
        design = Design(*(wide if kind == "wide" else tall), seed=1)
        loss = "logistic" if kind == "logistic" else "squared"
        bar = None if self.args.quick else BARS[name]
        problem = Problem(name, design, loss, float(ratio), bar, self.target)
        case = Case(problem)
        self.cases.append(case)

        try:
            case.ours = run_engine(self.args.engine, problem, GAP, REPEATS)
            if loss == "squared":
                case.tight = run_engine(self.args.engine, problem, TIGHT_GAP, REPEATS)
        except (Failure, OSError) as failure:
            self.complain(f"{name}: {self.args.engine} cannot be run: {failure}")
        for ours in filter(None, (case.ours, case.tight)):
            for complaint in ours.complaints:
                self.complain(f"{name}: hardlim {complaint}")

        for peer in self.contestants(loss, design):
            print(f"{name}: {peer.name} ...", end="", flush=True)
            if any(m.split("==")[0] in peer.packages for m in self.missing):
                result = Result(peer.name, note="missing", by_hand=peer.by_hand)
            else:
                result = run_peer(peer, problem, self.limit, GAP, self.peer_repeats)
            took = result.note or report.seconds(result.seconds) or f">= {self.limit:g} s"
            print(f"\r{name}: {peer.name}: {took}", flush=True)
            case.peers.append(result)

        print("\n" + report.case_text(case, self.limit, GAP) + "\n", flush=True)
        reached = [r for r in case.everyone() if r.seconds is not None]
        best = min((r.objective for r in reached), default=0.0)
        for result in reached:
            if not result.objective <= best * (1 + AGREEMENT):
                self.complain(f"{name}: {result.name} has objective {result.objective}, the best is {best}")
        fastest, ratio = case.fastest(self.limit)
        if case.peers and fastest is None:
            self.complain(f"{name}: no peer could be run")
        if bar is not None and ratio is not None and not ratio >= bar:
            self.complain(f"{name}: {ratio:.3g}x the fastest peer, the bar is {bar:g}x")

    def contestants(self, loss, design):
        chosen = None if self.args.peers is None else self.args.peers.split(",")
        for peer in PEERS:
            fits = loss in peer.fits and not (peer.tall_only and design.patterns > design.samples)
            if fits and (chosen is None or peer.name in chosen):
                yield peer

    def path(self):
        """A path of 100 betas against one cold solve at its end."""
        answer = run_stopwatch("path")[-1]
        self.say(
            f"A path of 100 betas down to 0.001 beta_max, 3680 x 1000: {report.seconds(answer['path_seconds'])}, "
            f"{answer['ratio']:.3g} times one cold solve at its end ({report.seconds(answer['cold_seconds'])}); "
            f"the bar is {PATH_BAR:g} times."
        )
        if not answer["ratio"] <= PATH_BAR:
            self.complain(f"path: {answer['ratio']:.3g} cold solves, the bar is {PATH_BAR:g}")

    def large(self):
        """Ten times the samples: how much longer, and how much memory."""
        by_samples = {answer["n"]: answer for answer in run_stopwatch("large")}
        try:
            less, more = by_samples[100_000], by_samples[1_000_000]
        except KeyError as missing:
            raise Failure(f"the example said nothing of n = {missing}") from None
        growth = more["seconds"] / less["seconds"]
        self.say(
            f"21 inputs, 2000 patterns, sampling included: {report.seconds(less['seconds'])} and "
            f"{less['peak_mib']:.0f} MiB for n = 100000, {report.seconds(more['seconds'])} and "
            f"{more['peak_mib']:.0f} MiB for n = 1000000: {growth:.3g} times as long; "
            f"the bars are {LARGE_BAR:g} times and {LARGE_MEMORY:.0f} MiB."
        )
        if not growth <= LARGE_BAR:
            self.complain(f"large: {growth:.3g} times as long for ten times the samples, the bar is {LARGE_BAR:g}")
        if not more["peak_mib"] < LARGE_MEMORY:
            self.complain(f"large: {more['peak_mib']:.0f} MiB, the bar is {LARGE_MEMORY:.0f}")

    def finish(self):
        """The summary, and the page."""
        print(report.summary(self.cases, self.limit))
        report.write(self.args.out, report.page(self))
        print(f"\nwritten to {self.args.out}")
