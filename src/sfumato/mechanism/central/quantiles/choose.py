"""The choice of a quantile method without a look at the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.mechanism.central.quantiles.inverse_sensitivity import InverseSensitivity
from sfumato.mechanism.central.quantiles.joint_exponential import JointExponential
from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
from sfumato.mechanism.central.quantiles.tree import Tree
from sfumato.numbers.check import whole

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.mechanism.central.quantiles.method import QuantileMethod
    from sfumato.table.unit import Neighbors

_FEW = 16
"""Rows · ε for each quantile below which noisy counts were measured to be better."""
_SMALL = 5
"""Noise of a tree, for each quantile, up to which it was measured to be better with any number of rows."""
_COARSE = 128
"""Noise of a tree up to which it was measured to be better than 64 cells."""


def choose(
    quantiles: tuple[Fraction, ...],
    epsilon: Fraction,
    size: int,
    neighbors: Neighbors,
    rows: int,
    expected: int | None,
) -> QuantileMethod:
    """The method with the least expected error, as far as public numbers tell.

    One quantile: the inverse sensitivity mechanism, by permute-and-flip. Its mean error is below that of the joint
    exponential mechanism where many rows share a value, and the same where few do.

    Several, m: with v = h³ (b - 1) of the tree that fits the declared grid (the variance of its counts, up to a factor),

    - the quantile tree if v <= 5 m (v <= 5 m/2 under REPLACE): where the grid has few points, as ages in decades;
    - with few rows, expected · ε / rows < 16 · m (32 · m under REPLACE): the tree if v <= 128, else a noisy histogram;
    - otherwise the joint exponential mechanism.

    Borders lie where measured mean errors cross: `bench/quantile_choice.py`, and uniform, normal and exponential columns
    for nine quantiles.

    Args:
        quantiles: strictly increasing in (0, 1).
        epsilon: total, of one person.
        size: grid points of the declared range.
        neighbors: which tables are neighbors.
        rows: most rows of a person.
        expected: how many rows to expect, from public knowledge or a noisy count that was paid for; the exact number
            only where it is public (REPLACE). None: nobody knows; then rows are not taken to be few.
            A wrong number costs accuracy, never privacy.

    Returns:
        The method, of exactly this ε.

    Raises:
        ParameterError: as the methods. Remedy: in the message.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.table.unit import Neighbors
        >>> deciles = tuple(Fraction(i, 10) for i in range(1, 10))
        >>> choose(deciles, Fraction(1, 10), 1001, Neighbors.ADD_REMOVE, 1, 1000).name
        'noisy histogram'
        >>> choose(deciles, Fraction(1), 1001, Neighbors.ADD_REMOVE, 1, 1000).name
        'joint exponential mechanism'
        >>> choose((Fraction(1, 2),), Fraction(1), 1001, Neighbors.ADD_REMOVE, 1, 1000).name
        'inverse sensitivity mechanism (permute-and-flip)'
        >>> choose(deciles, Fraction(1), 21, Neighbors.ADD_REMOVE, 1, None).name
        'quantile tree'
    """
    m = len(quantiles)
    worth = None if expected is None else whole(expected, "expected", 0, 2**62) * epsilon / rows
    if m == 1:
        return InverseSensitivity(quantiles, epsilon, size, neighbors, rows, flip=True)
    tree = Tree(quantiles, epsilon, size, neighbors, rows)
    if tree.spread * neighbors.sides <= _SMALL * m:
        return tree
    if worth is not None and worth < _FEW * m * neighbors.sides:
        return tree if tree.spread <= _COARSE else SmallHistogram(quantiles, epsilon, size, neighbors, rows)
    return JointExponential(quantiles, epsilon, size, neighbors, rows)
