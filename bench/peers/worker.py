"""One peer on one problem, in a process of its own: a JSON line before each fit and after it.

The tolerance falls until the gap, measured by our formula, is small enough; that fit is then
repeated while it is quick. Whoever started the process watches the clock and may end it.
"""

import argparse
import contextlib
import json
import math
import os
import sys
import time
import traceback

import designs
import gap
import numpy as np
from peers import PEERS

TIGHTEST = -20  # log10 of the last tolerance tried
QUICK = 10.0  # seconds: fits above it are not repeated


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer")
    parser.add_argument("loss")
    parser.add_argument("design")
    parser.add_argument("target")
    parser.add_argument("beta", type=float)
    parser.add_argument("gap", type=float)
    parser.add_argument("repeats", type=int)
    args = parser.parse_args()

    # Packages print what they like on stdout: the channel to our parent is a copy of it.
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(event, **fields):
        print(json.dumps({"event": event, **fields}), file=channel, flush=True)

    try:
        climb(args, say)
    except Exception as error:
        traceback.print_exc()
        say("error", message=f"{type(error).__name__}: {error}".splitlines()[0])
        sys.exit(1)


def climb(args, say):
    """Fits at falling tolerances, then repeats of the one that reached the gap."""
    fit = next(peer for peer in PEERS if peer.name == args.peer).fits[args.loss]
    d, y = designs.load(args.design, args.target)
    warm_up(fit)

    def timed(exponent):
        tolerance = 10.0**exponent
        say("start", tolerance=tolerance)
        start = time.perf_counter()
        w = fit(d, y, args.beta, tolerance)
        seconds = time.perf_counter() - start
        objective, relative_gap = gap.measure(args.loss, d, y, np.asarray(w, dtype=float), args.beta)
        say("fit", tolerance=tolerance, seconds=seconds, objective=objective, relative_gap=relative_gap)
        return seconds, relative_gap

    exponent = -4
    seconds, relative_gap = timed(exponent)
    while not relative_gap <= args.gap:
        # Gaps fall no faster than squared tolerances: half the missing digits do not overshoot.
        # Small steps at the end are kind to a peer that cannot meet tolerances much tighter.
        missing = math.log10(relative_gap / args.gap) if math.isfinite(relative_gap) else 1.0
        exponent -= max(0.5, math.floor(missing) / 2)
        if exponent < TIGHTEST:
            return
        seconds, relative_gap = timed(exponent)
    for _ in range(args.repeats - 1):
        if seconds > QUICK:
            return
        seconds, _ = timed(exponent)


def warm_up(fit):
    """Imports, and what a package compiles on first use, on a problem of no size."""
    d, y = designs.Design(60, 10, seed=0, inputs=5).generate()
    with contextlib.suppress(ArithmeticError):
        fit(np.asfortranarray(d, dtype=np.float64), y, 1.0, 1e-4)


if __name__ == "__main__":
    main()
