"""Whether a person is in the released table, from how densely the release covers the person.

The intruder compares how many released rows could be the person's, by the chance that they are, with a threshold.
The threshold is chosen on other persons than those on whom the attack is scored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.pairs import matches
from sfumato.frozen import dataclass
from sfumato.summary.histogram import add_by_owner

if TYPE_CHECKING:
    from sfumato.attack.pairs import Matches
    from sfumato.summary.published import Published
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Acquaintances:
    """Persons of whom the intruder knows whether they are in the table, and persons of whom it is asked.

    Args:
        members: (n, m) int64, leaf codes of persons who are in it, n >= 1.
        others: (k, m) int64, of persons who are not, k >= 1.
        asked: (q, m) int64, of the persons in question.
    """

    members: IntArray
    others: IntArray
    asked: IntArray


@dataclass(frozen=True, slots=True)
class Membership:
    """In the table is whoever the release covers densely enough, as learned from acquaintances."""

    attack: ClassVar[str] = "membership"

    def guess(self, view: Published, knowledge: Acquaintances, _rng: np.random.Generator, /) -> BoolArray:
        """(q,) bool: of whom it is said that they are in the table."""
        members, others, asked = (
            density(matches(view, codes), view.classes.rows)
            for codes in (knowledge.members, knowledge.others, knowledge.asked)
        )
        return np.asarray(asked >= best_threshold(members, others))


def density(found: Matches, rows: IntArray) -> FloatArray:
    """(n,) float64: expected released rows with just the person's values, all values of a label equally likely.

    Args:
        found: which classes could hold each person.
        rows: (n_classes,) int64, released rows.

    Example:
        >>> from sfumato.attack.pairs import Matches
        >>> one = Matches(2, np.array([0, 1]), np.array([0, 1]), np.array([0.5, 0.5]))
        >>> density(one, np.array([4, 1])).tolist()
        [2.0, 0.5]
    """
    return add_by_owner(found.chance * rows[found.owner], found.target, found.n)


def best_threshold(members: FloatArray, others: FloatArray) -> float:
    """The density from which an intruder says "in": the one that tells the two groups apart best.

    Args:
        members: (n,) float64, densities of persons known to be in, n >= 1.
        others: (k,) float64, of persons known not to be, k >= 1.

    Returns:
        The greatest threshold that maximizes the share of members at or above it minus that of the others; infinite
        where nothing tells them apart.

    Example:
        >>> best_threshold(np.array([2.0, 3.0]), np.array([0.0, 2.0])), best_threshold(np.ones(1), np.ones(1))
        (3.0, inf)
    """
    cuts = np.append(np.unique(np.concatenate((members, others))), np.inf)
    gap = _at_least(members, cuts) - _at_least(others, cuts)
    return float(cuts[np.flatnonzero(gap == gap.max())[-1]])


def _at_least(values: FloatArray, cuts: FloatArray) -> FloatArray:
    """(n_cuts,) float64: share of the values at or above each cut."""
    return np.asarray(1 - np.searchsorted(np.sort(values), cuts, "left") / len(values))
