"""Exact sensitivities from the unit and the public bounds: how far one person can move the totals of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import whole
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.table.unit import Unit

MOST_GROUPS = 2**40


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The largest change of a vector of whole totals between two neighboring tables.

    Args:
        l1: of the sum of absolute changes.
        squared_l2: of the sum of squared changes.
        coordinates: number of totals that can change.
        sentence: the argument in words.
    """

    l1: int
    squared_l2: int
    coordinates: int
    sentence: str


def of_total(unit: Unit, groups: int | None, low: int, high: int, *, what: str) -> Sensitivity:
    """Of one total for each group, to which a row adds a whole number between low and high, or nothing.

    Let b be the largest absolute contribution and w = high - low. A person adds at most rows·b to each of at most
    `keys` groups. When a person is replaced, a group that only one of the two is in changes by at most rows·b, a
    group that both are in by at most rows·w, w <= 2b. With g groups and both persons in k of them, at least
    m = max(0, 2k - g) are shared.

    - add or remove: L1 = k rows b, L2² = k (rows b)²;
    - replace: L1 = rows (m w + 2(k - m) b), L2² = rows² max(m w² + 2(k - m) b², k w²).

    Each is reached by some pair of tables. So a histogram of replaced rows has L1 = 2 and L2² = 2, and a single
    count of them 1 and 1.

    Args:
        unit: persons, and the most they contribute.
        groups: number of declared groups; None: unknown.
        low: least contribution of a row, <= 0.
        high: greatest contribution, >= 0; not both 0.
        what: the total in words, for the sentence.

    Raises:
        ParameterError: bounds that are not low <= 0 <= high. Remedy: give finite bounds that hold for every row.

    Example:
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> of_total(Unit(Neighbors.ADD_REMOVE, "patient", rows=3, keys=2), None, 0, 1, what="count").sentence
        'Adding or removing a person changes the count of at most 2 groups by at most 3 each, so L1 sensitivity 6.'
    """
    if not low <= 0 <= high or low == high:
        raise ParameterError(
            "Contributions need bounds low <= 0 <= high, not both 0; got {low}, {high}.",
            "declare finite bounds.",
            low=low,
            high=high,
        )
    checked_neighbors(unit.neighbors)
    k, rows = _keys(unit, groups), unit.rows
    most, span = rows * max(-low, high), rows * (high - low)
    if unit.neighbors is Neighbors.ADD_REMOVE:
        text = f"Adding or removing a person changes the {what} of {_groups(k, groups)} by at most {most}"
        return Sensitivity(k * most, k * most**2, k, f"{text}{_each(k)}, so L1 sensitivity {k * most}.")
    shared = 0 if groups is None else max(0, 2 * k - max(groups, 1))
    l1 = shared * span + 2 * (k - shared) * most
    squared = max(shared * span**2 + 2 * (k - shared) * most**2, k * span**2)
    text = f"Replacing a person changes the {what} of {_groups(2 * k - shared, groups)}, by at most {most} in a group "
    text += f"that one of the two is in and {span} in a group that both are in, so L1 sensitivity {l1}."
    return Sensitivity(l1, squared, 2 * k - shared, text)


def of_shares(unit: Unit, groups: int | None, total: int, parts: int, *, what: str) -> Sensitivity:
    """Of several totals for each group, to which a row adds whole numbers >= 0 that sum to `total`, or nothing.

    A person adds vectors u >= 0 with sum at most rows·total in each of at most `keys` groups, so L1 and L2 of u in a
    group are at most that. Exchanging u for v: |u - v|₁ <= |u|₁ + |v|₁, and, since u·v >= 0,
    |u - v|² <= |u|² + |v|². Each is reached if a row can put all on any one part.

    Args:
        unit: persons, and the most they contribute.
        groups: number of declared groups; None: unknown.
        total: what the parts of a row sum to, > 0.
        parts: number of parts.
        what: the totals in words.

    Example:
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> found = of_shares(Unit.row(Neighbors.REPLACE), 1, 120, 2, what="two parts of the sum")
        >>> found.l1, found.squared_l2, found.coordinates
        (240, 28800, 2)
    """
    k, most, sides = _keys(unit, groups), unit.rows * total, checked_neighbors(unit.neighbors).sides
    changed = sides * k if groups is None else min(sides * k, max(groups, 1))
    verb = "Adding or removing" if sides == 1 else "Replacing"
    text = f"A row adds whole numbers >= 0 that sum to {total} to the {what} of one group. {verb} a person therefore "
    text += (
        f"changes at most {changed} group(s), by at most {sides * k * most} in all: L1 sensitivity {sides * k * most}."
    )
    return Sensitivity(sides * k * most, sides * k * most**2, parts * changed, text)


def checked_neighbors(neighbors: Neighbors) -> Neighbors:
    """Neighbors that differ in the rows of a person.

    Raises:
        ParameterError: graphs that differ in an edge or a node. Remedy: declare a unit of rows, or use a mechanism of
            graphs.
    """
    if neighbors.are_graphs:
        raise ParameterError(
            "Rows of persons are protected here; the unit is of graphs that differ in one {neighbors}.",
            "declare a unit of rows or persons, or use a mechanism of graphs.",
            neighbors=neighbors.value,
        )
    return neighbors


def checked_groups(groups: int | None) -> None:
    """Refuse a number of groups that cannot be.

    Raises:
        ParameterError: no whole number >= 0. Remedy: give the number of declared groups, or None.
    """
    if groups is not None:
        whole(groups, "groups", 0, MOST_GROUPS)


def _keys(unit: Unit, groups: int | None) -> int:
    """Most groups in which one person counts."""
    checked_groups(groups)
    return unit.keys if groups is None else min(unit.keys, max(groups, 1))


def _groups(changed: int, groups: int | None) -> str:
    """How many groups, in words."""
    if groups == 1:
        return "the one group"
    return f"at most {changed} group{'' if changed == 1 else 's'}"


def _each(k: int) -> str:
    """The word that several groups need."""
    return "" if k == 1 else " each"
