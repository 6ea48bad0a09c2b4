"""The Lasso engine against its peers; started by bench/peers/run, which prepares what it needs."""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = ["squared-0.1", "squared-0.01", "squared-0.001", "wide-0.01", "logistic-0.01", "path", "large"]


def arguments():
    parser = argparse.ArgumentParser(prog="bench/peers/run", description="The Lasso engine against its peers.")
    parser.add_argument("--quick", action="store_true", help="small designs and a limit of 20 s, to try it out")
    parser.add_argument("--limit", type=float, metavar="S", help="seconds a single fit of a peer may take [600]")
    parser.add_argument("--repeats", type=int, metavar="N", help="fits of a peer that takes under 10 s [3]")
    parser.add_argument("--cases", metavar="A,B", help="some of: " + ", ".join(CASES))
    parser.add_argument("--peers", metavar="A,B", help="some of the peers, by name; 'none' for ours alone")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where the page goes [docs/benchmarks.md]")
    parser.add_argument("--engine", type=Path, metavar="FILE", help="a hardlim that is built already")
    args = parser.parse_args()
    if args.cases:
        unknown = set(args.cases.split(",")) - set(CASES)
        if unknown:
            parser.error(f"no such case: {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    args.limit = args.limit or (20.0 if args.quick else 600.0)
    args.repeats = args.repeats or (1 if args.quick else 3)
    args.out = args.out or ROOT / ("target/peers-quick.md" if args.quick else "docs/benchmarks.md")
    args.engine = args.engine or ROOT / "target/release/hardlim"
    return args


def main():
    args = arguments()
    # After the flags, so that --help works without NumPy.
    from contest import Failure
    from session import Session

    session = Session(args, ROOT)
    for name in args.cases.split(",") if args.cases else CASES:
        try:
            session.run(name, chosen=args.cases is not None)
        except Failure as failure:
            session.complain(f"{name}: {failure}")
    session.finish()
    sys.exit(1 if session.complaints else 0)


if __name__ == "__main__":
    main()
