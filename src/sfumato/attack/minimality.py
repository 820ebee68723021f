"""What does it betray that a method generalizes no more than it must? That the finer groups did not keep the promise.

Two groups are published as one class. Had both kept the bound on the sensitive value, a minimal method would have
published them apart. So at least one did not, and an intruder who knows the groups can compute with that.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import IntArray


def credibility(sizes: Sequence[int], holders: int, l: Fraction, *, rest: Fraction) -> tuple[Fraction, ...]:  # noqa: E741
    """Probability that a person of each group has the value, knowing that the class was generalized for a reason.

    All ways of giving the value to `holders` of the persons are equally likely before. A group of n persons is fine if at
    most n/ℓ have it. With E_i the expected share in group i, F_i that share where all groups are fine, and P the
    probability that all are fine in whatever the method judged together,

        (E_i - P F_i) / (1 - P).

    Args:
        sizes: persons of each group of the class, >= 1; an intruder reads them off a public register.
        holders: persons of the class with the value, as published, 0 … Σ sizes.
        l: the bound: at most 1/ℓ of a group may have the value, ℓ >= 1.
        rest: probability that all groups outside the class are fine; 1 where the method judges each class alone, as
            local recoding does. With full-domain generalization it is the product of `fine_chance` of the other classes.

    Returns:
        One exact probability for each group; the published share for all of them where nothing is betrayed.

    Raises:
        ParameterError: a number outside its range.

    Source:
        R. C.-W. Wong, A. W.-C. Fu, K. Wang and J. Pei, "Minimality Attack in Privacy Preserving Data Publishing", VLDB
        2007, section 4; counted here by generating polynomials, and extended to a table that is judged as a whole.

    Example:
        >>> [str(p) for p in credibility([2, 4], 2, Fraction(2), rest=Fraction(1))]
        ['1', '0']
        >>> [str(p) for p in credibility([2, 4], 2, Fraction(2), rest=Fraction(0))]
        ['1/3', '1/3']
    """
    _check(sizes, holders, l)
    total = sum(sizes)
    fine, inside = _fine(sizes, holders, l)
    share = Fraction(holders, total)
    all_fine = rest * Fraction(fine, comb(total, holders))
    if all_fine == 1:
        return (share,) * len(sizes)
    where_fine = [Fraction(count, size * fine) if fine else share for count, size in zip(inside, sizes, strict=True)]
    return tuple((share - all_fine * f) / (1 - all_fine) for f in where_fine)


def fine_chance(sizes: Sequence[int], holders: int, l: Fraction) -> Fraction:  # noqa: E741
    """Probability that every group of a class is fine, if all ways of giving the value are equally likely.

    Example:
        >>> fine_chance([2, 4], 2, Fraction(2))
        Fraction(14, 15)
    """
    _check(sizes, holders, l)
    return Fraction(_fine(sizes, holders, l)[0], comb(sum(sizes), holders))


def _fine(sizes: Sequence[int], holders: int, l: Fraction) -> tuple[int, list[int]]:  # noqa: E741
    """Ways in which all groups are fine, and for each group the sum of its holders over those ways."""
    groups = [[comb(size, x) for x in range(min(holders, int(size / l)) + 1)] for size in sizes]
    before = [[1]]
    for group in groups[:-1]:
        before.append(_times(before[-1], group, holders))
    after, inside = [1], []
    for i in range(len(groups) - 1, -1, -1):
        others = _times(before[i], after, holders)
        inside.append(sum(x * ways * _at(others, holders - x) for x, ways in enumerate(groups[i])))
        after = _times(after, groups[i], holders)
    return _at(after, holders), inside[::-1]


def _times(a: Sequence[int], b: Sequence[int], most: int) -> list[int]:
    """Product of two polynomials, up to one degree."""
    out = [0] * min(len(a) + len(b) - 1, most + 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b[: len(out) - i]):
            out[i + j] += x * y
    return out


def _at(polynomial: Sequence[int], degree: int) -> int:
    """Coefficient of a degree."""
    return polynomial[degree] if 0 <= degree < len(polynomial) else 0


def _check(sizes: Sequence[int] | IntArray, holders: int, l: Fraction) -> None:  # noqa: E741
    """Refuse numbers outside their ranges."""
    if not len(sizes) or min(sizes) < 1 or not 0 <= holders <= sum(sizes) or l < 1:
        raise ParameterError(
            "A class needs groups of at least one person, holders among them and a bound of at least 1.",
            "count the persons of each group from a register, and take the published count of the value.",
        )
