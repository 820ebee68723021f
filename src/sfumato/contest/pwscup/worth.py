"""What a submission is worth, and what attacks on it find: both by how many kilometres regions are apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.contest.pwscup.regions import meanings

if TYPE_CHECKING:
    from sfumato.contest.pwscup.regions import Grid
    from sfumato.table.lines import Labels
    from sfumato.types import FloatArray, IntArray

REACH = 2.0
"""Kilometres at which a region is worth nothing."""


def nearness(grid: Grid) -> FloatArray:
    """(n, n) float64: 1 - kilometres / `REACH`, at least 0."""
    return np.maximum(0.0, 1 - grid.kilometres() / REACH)


def worth_of_labels(grid: Grid, region: IntArray, labels: Labels) -> float:
    """On average over lines, how near the regions of the label are to the true one; a hidden line is worth 0.

    Args:
        grid: whose regions they are.
        region: (n,) true regions from 1.
        labels: of the submission.
    """
    if not len(region):
        return 1.0
    near = meanings(labels, grid.n).share @ nearness(grid)
    return float(np.mean(near[labels.codes, region - 1]))


def traced(grid: Grid, region: IntArray, said: IntArray) -> float:
    """How near guesses are to the true regions, on average weighted by what a region weighs (hospitals ten times).

    Args:
        grid: whose regions they are.
        region: (n,) true regions from 1.
        said: (n,) guessed ones from 1.
    """
    if not len(region):
        return 0.0
    weight = grid.weighs[region - 1]
    return float((nearness(grid)[region - 1, said - 1] * weight).sum() / weight.sum())
