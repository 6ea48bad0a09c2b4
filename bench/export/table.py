"""The reports of bench/export/run as a table: python3 bench/export/table.py REPORTS"""

import json
import sys
from pathlib import Path

TARGETS = ["c", "rust", "verilog", "onnx"]


def cell(path: Path) -> tuple[str, int, int, int]:
    """What a report says, and how many checks, comparisons and mismatches it has."""
    if not path.exists():
        return "-", 0, 0, 0
    checks = json.loads(path.read_text())["checks"]
    compared = [check for check in checks if "inputs" in check]
    proven: dict[str, bool] = {}
    for numbers in (check.get("numbers") or {} for check in checks):
        if "proven" in numbers:
            module = numbers.get("module", "")
            proven[module] = proven.get(module, False) or numbers["proven"]
    outside = [check["inputs"] for check in compared if check["tool"] != "hardlim"]
    text = f"{min(outside)} to {max(outside)}" if outside else "none"
    if outside and min(outside) == max(outside):
        text = f"{outside[0]}"
    if proven:
        text += f"; {sum(proven.values())} of {len(proven)} proven"
    return text, len(compared), sum(check["inputs"] for check in compared), sum(c["mismatches"] for c in compared)


def main() -> None:
    reports = Path(sys.argv[1])
    models = dict.fromkeys(tuple(path.stem.split(",")[:2]) for path in sorted(reports.glob("*.json")))
    print(f"| set | layers | {' | '.join(TARGETS)} |")
    print("|---|---|" + "---|" * len(TARGETS))
    total = [0, 0, 0]
    for name, layers in models:
        row = [cell(reports / f"{name},{layers},{target}.json") for target in TARGETS]
        print(f"| {name} | {layers} | {' | '.join(text for text, *_ in row)} |")
        for _, *numbers in row:
            total = [a + b for a, b in zip(total, numbers, strict=True)]
    print(f"\n{total[0]} comparisons of {total[1]} inputs in all, {total[2]} mismatches.")


main()
