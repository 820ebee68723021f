"""Which method finds quantiles of a column with few or many declared values best?

Tables of 400 rows are drawn from bells, tails, lumps and blocks on grids of 3 to 1,001 points, at rows · ε from 16 to
1,024. For each setting: the mean absolute error, as a share of the grid, of the method that `choose` takes, of the joint
exponential mechanism, and of the tree of 16⁴ leaves whatever the grid.

Run: python bench/quantile_choice.py
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from timing import write

from sfumato.mechanism.central.quantiles.choose import choose
from sfumato.mechanism.central.quantiles.joint_exponential import JointExponential
from sfumato.mechanism.central.quantiles.method import true_quantiles
from sfumato.mechanism.central.quantiles.tree import Tree
from sfumato.noise.bits import SystemBits
from sfumato.table.unit import OF_TABLES

ROWS, TABLES = 400, 120
ASKED = {
    "median": ["1/2"],
    "9/10": ["9/10"],
    "quartiles": ["1/4", "1/2", "3/4"],
    "deciles": [f"{i}/10" for i in range(1, 10)],
}
SIZES, WORTHS = (3, 11, 21, 121, 1001), (16, 64, 256, 1024)


def shape(rng, size):
    """Shares of the points of a grid: a bell, a tail, lumps or a block, and sometimes one point that many rows share."""
    x, center, width = (np.arange(size) + 0.5) / size, rng.uniform(0.1, 0.9), rng.uniform(0.02, 0.4)
    shapes = [
        lambda: np.exp(-0.5 * ((x - center) / width) ** 2),
        lambda: np.exp(-x / width),
        lambda: rng.dirichlet(np.full(size, rng.choice([0.1, 0.5, 1.0]))),
        lambda: (np.abs(x - center) <= width) + 1e-9,
    ]
    shares = shapes[rng.integers(4)]()
    shares /= shares.sum()
    shares[int(center * size)] += rng.uniform(0, 1) if rng.random() < 0.3 else 0
    return shares / shares.sum()


def compared(quantiles, size, worth, neighbors):
    """Mean errors of the chosen method, of the joint exponential one, and of the tree of 65,536 leaves."""
    rng, bits = np.random.default_rng([size, worth]), SystemBits()
    asked = quantiles, Fraction(worth, ROWS), size, neighbors, 1
    methods = choose(*asked, ROWS), JointExponential(*asked), Tree(*asked, height=4, branching=16)
    errors = np.zeros(3)
    for _ in range(TABLES):
        places = rng.choice(size, ROWS, p=shape(rng, size))
        truth = true_quantiles(places, quantiles)
        errors += [np.abs(method.decide(places, bits=bits) - truth).mean() for method in methods]
    return methods[0].name, (errors / (TABLES * size)).tolist()


def main():
    """Measure and store."""
    rows = []
    for name, asked in ASKED.items():
        quantiles = tuple(Fraction(q) for q in asked)
        for neighbors in OF_TABLES:
            for size in SIZES:
                found = [compared(quantiles, size, worth, neighbors) for worth in WORTHS]
                sums = np.sum([errors for _, errors in found], axis=0)
                rows.append({
                    "asked": name, "neighbors": neighbors.value, "points": size,
                    "chosen": [chosen for chosen, _ in found], "errors": [errors for _, errors in found],
                    "chosen_over_joint": round(sums[0] / sums[1], 2), "chosen_over_tree_16_4": round(sums[0] / sums[2], 2),
                })  # fmt: skip

    write("quantile_choice", rows, runs=TABLES)


if __name__ == "__main__":
    main()
