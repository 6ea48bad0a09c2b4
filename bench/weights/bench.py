"""Maximum margins of many neurons on the same rows: hardlim's `svm` weights against scikit-learn's SVC.

Binary inputs, patterns of fair coins; with as many inputs as samples every pattern can be separated.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

BAR = 10.0  # times faster
AGREEMENT = 2e-3  # of margins, relative: scikit-learn stops at a tolerance of 1e-3


def arguments():
    parser = argparse.ArgumentParser(prog="bench/weights/run", description=__doc__)
    parser.add_argument("--neurons", type=int, default=200)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeats", type=int, default=3, help="runs of ours, of which the median counts")
    parser.add_argument("--rust", required=True, help="the program stopwatch")
    parser.add_argument("--quick", action="store_true", help="20 neurons, 200 samples, 200 inputs")
    args = parser.parse_args()
    if args.quick:
        args.neurons, args.samples, args.inputs = 20, 200, 200
    return args


def ours(target, args, x, patterns):
    """Seconds of each run, processor seconds of all, and the margins of the last."""
    file = target / "margins.bin"
    file.write_bytes(x.tobytes() + patterns.tobytes())
    command = [args.rust, "margins", file, args.samples, args.inputs, args.neurons]
    runs = []
    for _ in range(args.repeats):
        answer = subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True)
        runs.append(json.loads(answer.stdout))
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sorted(run["seconds"] for run in runs), usage.ru_utime + usage.ru_stime, runs[-1]["margins"]


def theirs(x, patterns):
    """Seconds, processor seconds, and the margins; one fit for each neuron."""
    import numpy
    from sklearn.svm import SVC

    rows = x.astype(float)
    margins, seconds, busy = [], 0.0, 0.0
    for pattern in patterns:
        model = SVC(kernel="linear", C=1e10)
        start, begin = time.perf_counter(), time.process_time()
        model.fit(rows, pattern)
        seconds, busy = seconds + time.perf_counter() - start, busy + time.process_time() - begin
        margins.append(1.0 / numpy.linalg.norm(model.coef_))
        if model.score(rows, pattern) != 1.0:
            print("scikit-learn misses a pattern", file=sys.stderr)
    return seconds, busy, margins


def main():
    import numpy
    import sklearn

    args = arguments()
    target = Path(__file__).resolve().parents[2] / "target"
    rng = numpy.random.default_rng(args.seed)
    x = rng.integers(0, 2, (args.samples, args.inputs), dtype=numpy.uint8)
    patterns = rng.integers(0, 2, (args.neurons, args.samples), dtype=numpy.uint8)

    runs, busy, margins = ours(target, args, x, patterns)
    seconds = runs[len(runs) // 2]
    peer, peer_busy, peer_margins = theirs(x, patterns)
    wider = [a / b - 1.0 for a, b in zip(margins, peer_margins)]

    print(f"{args.neurons} neurons x {args.samples} samples x {args.inputs} binary inputs, maximum margins:\n")
    print("| solver | time | processor time | over ours |\n|---|---|---|---|")
    name = f"**hardlim**, `svm` weights, all neurons at once, median of {args.repeats}"
    print(f"| {name} | **{seconds:.3g} s** | {busy / args.repeats:.3g} s | |")
    name = f'scikit-learn {sklearn.__version__}, `SVC(kernel="linear", C=1e10)`, once for each neuron'
    print(f"| {name} | {peer:.3g} s | {peer_busy:.3g} s | {peer / seconds:.3g}x |")
    print(f"\nOur margins are wider by {min(wider):.1e} to {max(wider):.1e} of theirs.")
    complaints = []
    if not min(wider) >= -AGREEMENT or not max(wider) <= AGREEMENT:
        complaints.append(f"margins differ by more than {AGREEMENT:g}")
    if not args.quick and not peer / seconds >= BAR:
        complaints.append(f"{peer / seconds:.3g}x, the bar is {BAR:g}x")
    for complaint in complaints:
        print(f"CHECK FAILED: {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
