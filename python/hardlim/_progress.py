"""A progress line: a tqdm bar if tqdm is installed."""

import sys
import time
from typing import Any


class Progress:
    """Called by the compiled part with candidates scored and expected, then neurons, objective and bound."""

    def __init__(self, verbose: int, file: Any = None) -> None:
        self.verbose = verbose
        self.file = file
        self.bar: Any = None
        self.told = 0.0

    def __enter__(self) -> "Progress | None":
        if not self.verbose:
            return None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return self
        self.bar = tqdm(desc="hardlim", leave=False, file=self.file, bar_format="{desc} {elapsed}{postfix}")
        return self

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def __call__(self, scored: int, expected: int, network: tuple[int, float, float] | None) -> None:
        text = _line(scored, expected, network)
        if self.bar is not None:
            self.bar.set_postfix_str(text)
        elif time.monotonic() - self.told >= 1.0:
            self.told = time.monotonic()
            print(f"hardlim: {text}", file=self.file or sys.stderr, flush=True)


def _line(scored: int, expected: int, network: tuple[int, float, float] | None) -> str:
    parts = [f"{scored}/{expected} networks"] if expected else []
    if network is not None:
        neurons, objective, bound = network
        gap = (objective - bound) / objective if objective else 0.0
        parts.append(f"{neurons} neurons, objective {objective:.6g}, gap {100 * gap:.3g} %")
    return ", ".join(parts) or "starting"
