"""The designs: D = 1{X~ W >= 0} for Gaussian inputs and Gaussian weights, y = +-1 from a noisy teacher."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Design:
    """A 0/1 matrix by its shape and seed; `load` makes it when it is not there yet."""

    samples: int
    patterns: int
    seed: int
    inputs: int = 58  # the bias is one of them

    def __str__(self):
        return f"{self.samples} x {self.patterns}"

    def files(self, folder):
        """Where D (uint8, C order) and y (float64) are stored; made on the first call."""
        stem = f"{self.samples}x{self.patterns}-{self.inputs}-{self.seed}"
        design, target = Path(folder, f"D-{stem}.npy"), Path(folder, f"y-{stem}.npy")
        if not (design.exists() and target.exists()):
            Path(folder).mkdir(parents=True, exist_ok=True)
            d, y = self.generate()
            np.save(target, y)
            np.save(design, d)
        return design, target

    def generate(self):
        """D and y, the same for the same seed."""
        rng = np.random.default_rng(self.seed)
        x = rng.standard_normal((self.samples, self.inputs - 1))
        with_bias = np.column_stack([x, np.ones(self.samples)])
        weights = rng.standard_normal((self.inputs, self.patterns))
        d = (with_bias @ weights >= 0).astype(np.uint8)
        hidden = 10
        first = rng.standard_normal((self.inputs - 1, hidden)) / np.sqrt(self.inputs - 1)
        second = rng.standard_normal(hidden)
        noise = 0.5 * rng.standard_normal(self.samples)
        y = np.where(np.tanh(x @ first) @ second + noise >= 0, 1.0, -1.0)
        return d, y


def load(design, target):
    """D as the peers like it best, float64 in Fortran order, and y."""
    return np.asfortranarray(np.load(design), dtype=np.float64), np.load(target)
