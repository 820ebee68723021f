"""Which method should find the quantiles, decided without a look at the data?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.mechanism.central.quantiles.joint_exponential import JointExponential
from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
from sfumato.noise.check import whole

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.mechanism.central.quantiles.method import QuantileMethod
    from sfumato.table.unit import Neighbors

_FEW = 16
"""Rows · ε for each quantile below which the noisy histogram was measured to be better."""


def choose(
    quantiles: tuple[Fraction, ...],
    epsilon: Fraction,
    size: int,
    neighbors: Neighbors,
    rows: int,
    expected: int | None,
) -> QuantileMethod:
    """A noisy histogram if (expected rows) · ε is small, else the joint exponential mechanism.

    The histogram is taken if expected · ε / rows < 16 · m for m quantiles (32 · m under REPLACE). On uniform, normal
    and exponential columns this is where the errors of the two cross, for nine quantiles; for one quantile the joint
    exponential mechanism is always the better one.

    Args:
        quantiles: strictly increasing in (0, 1).
        epsilon: total, of one person.
        size: grid points of the declared range.
        neighbors: which tables are neighbors.
        rows: most rows of a person.
        expected: how many rows to expect, from public knowledge or a noisy count that was paid for; the exact number
            only where it is public (REPLACE). None: nobody knows, and the joint exponential mechanism is taken.
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
    """
    m = len(quantiles)
    if expected is not None and m > 1:
        worth = whole(expected, "expected", 0, 2**62) * epsilon / rows
        if worth < _FEW * m * neighbors.sides:
            return SmallHistogram(quantiles, epsilon, size, neighbors, rows)
    return JointExponential(quantiles, epsilon, size, neighbors, rows)
