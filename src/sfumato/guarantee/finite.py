"""The exact ε and δ(ε) between two laws over finitely many outputs, rounded up.

The judge of every mechanism whose output law can be enumerated: it knows nothing of how the mechanism was built.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import ParameterError
from sfumato.guarantee.local_dp import epsilon_of_matrix
from sfumato.numbers.enclosure import exp_bound

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

Law: TypeAlias = "Mapping[Hashable, Fraction]"
"""Outputs and their exact probabilities; an output that is not named has probability 0."""

_BITS = 256


def epsilon_of_laws(p: Law, q: Law) -> float:
    """The least ε with p <= e^ε q and q <= e^ε p, rounded up; infinity where one excludes what the other gives.

    Args:
        p: law on one table.
        q: law on a neighboring table.

    Raises:
        ParameterError: no distributions. Remedy: probabilities >= 0 that add up to 1 exactly.

    Source:
        C. Dwork, F. McSherry, K. Nissim, A. Smith, TCC 2006, definition 1.

    Example:
        >>> epsilon_of_laws({0: Fraction(2, 3), 1: Fraction(1, 3)}, {0: Fraction(1, 3), 1: Fraction(2, 3)})
        0.6931471805599454
    """
    rows = _aligned(p, q)
    return epsilon_of_matrix(rows)


def delta_at(p: Law, q: Law, epsilon: Fraction) -> Fraction:
    """The least δ with p <= e^ε q + δ and q <= e^ε p + δ for every set of outputs, rounded up by less than 2⁻²⁰⁰.

    Formula: the larger of Σ (p - e^ε q)₊ and Σ (q - e^ε p)₊ (hockey-stick divergence).

    Args:
        p: law on one table.
        q: law on a neighboring table.
        epsilon: >= 0.

    Raises:
        ParameterError: no distributions, or epsilon < 0. Remedy: probabilities >= 0 that add up to 1 exactly.

    Source:
        G. Barthe, F. Olmedo, "Beyond Differential Privacy", ICALP 2013, theorem 1.

    Example:
        >>> delta_at({0: Fraction(1)}, {0: Fraction(3, 4), 1: Fraction(1, 4)}, Fraction(0))
        Fraction(1, 4)
    """
    if epsilon < 0:
        raise ParameterError("`epsilon` must be at least 0; got {epsilon}.", "give such an epsilon.", epsilon=epsilon)
    first, second = _aligned(p, q)
    shrink = Fraction(exp_bound(epsilon, _BITS)[1], 1 << _BITS) if epsilon > 0 else Fraction(1)
    growth = 1 / shrink
    forth = sum((max(a - growth * b, Fraction(0)) for a, b in zip(first, second, strict=True)), Fraction(0))
    back = sum((max(b - growth * a, Fraction(0)) for a, b in zip(first, second, strict=True)), Fraction(0))
    return max(forth, back)


def _aligned(p: Law, q: Law) -> list[list[Fraction]]:
    """Both laws over all outputs of either, checked."""
    outputs = list(dict.fromkeys((*p, *q)))
    rows = [[Fraction(law.get(output, 0)) for output in outputs] for law in (p, q)]
    if any(entry < 0 for row in rows for entry in row) or any(sum(row) != 1 for row in rows):
        raise ParameterError("A law has probabilities >= 0 that add up to 1 exactly.", "give two such laws.")
    return rows
