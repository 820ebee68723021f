"""Which persons of a table are in its release, and where, as the judge of an attack can tell from both tables.

A release may be a sample, or have lost rows. Persons who are not in it cannot be harmed by it, and a rate over them
would call a sample harmless because it is small. The judge knows both tables but no links between them, so the
released rows are laid on the persons they could be: each row on one person, no person under more rows than they have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.assignment import zero_pairs
from sfumato.attack.singling_out import Persons
from sfumato.summary.histogram import add_by_owner

if TYPE_CHECKING:
    from sfumato.attack.singling_out import Predicates
    from sfumato.summary.published import Published
    from sfumato.types import FloatArray, IntArray

_ROUNDS = 200
_ENOUGH = 1e-9


def present(published: Published, persons: Persons, groups: Predicates) -> Persons:
    """The persons who are in the release, as far as labels and values tell.

    Everybody, where the release has as many rows as the table has persons, suppressed rows included, or where the
    labels that could be read place nobody. Else each kind of person by the expected number of released rows that are
    theirs, rounded so that the total is right: exact where rows are published as they are.

    Args:
        published: the release.
        persons: those of the original table.
        groups: the distinct released rows (`singling_out.of_classes` or `of_values`).

    Example:
        >>> from sfumato.attack.singling_out import ANY, of_classes
        >>> from sfumato.testing.examples import release_by_age
        >>> table = release_by_age(["17", "20"], [1, 2])
        >>> four = Persons(np.array([[0], [1], [2]]), np.full(3, ANY), np.array([2, 2, 1]))
        >>> present(table, four, of_classes(table)).count.tolist()
        [1, 2, 0]
    """
    if _everybody(published, persons, groups) or not published.is_understood:
        return persons
    person, _, rows = likely_places(published, persons, groups)
    expected = add_by_owner(rows, person, len(persons.count))
    if not expected.any():
        return persons
    return Persons(persons.codes, persons.value, np.minimum(_rounded(expected), persons.count))


def likely_places(published: Published, persons: Persons, groups: Predicates) -> tuple[IntArray, IntArray, FloatArray]:
    """Where persons truly are, as far as labels tell: person, group and expected persons of each pair that goes.

    Where everybody is in the release, in each group that could hold a person by the rows of the group: exact where the
    labels of classes are disjoint, as a full-domain generalization has them. Where rows are fewer, every row is laid on
    those it could be, by proportional fitting to the rows of each group and the persons of each kind.

    Args:
        published: the release.
        persons: the original rows.
        groups: the released rows.

    Returns:
        (n_pairs,) int64 person, int64 group, float64 expected persons, sorted by person.

    Source:
        W. E. Deming and F. F. Stephan, "On a Least Squares Adjustment of a Sampled Frequency Table When the Expected
        Marginal Totals are Known", Annals of Mathematical Statistics 11(4), 1940, for proportional fitting.
    """
    person, group = zero_pairs(published, persons, groups)
    rows = groups.count[group].astype(np.float64)
    whole = add_by_owner(rows, person, len(persons.count))
    first = persons.count[person] * rows / whole[person]
    if _everybody(published, persons, groups):
        return person, group, first
    return person, group, _fitted(first, (person, persons.count), (group, groups.count))


def _everybody(published: Published, persons: Persons, groups: Predicates) -> bool:
    """Whether there is a released row for every person."""
    return int(groups.count.sum()) + published.suppressed_rows >= int(persons.count.sum())


def _fitted(flow: FloatArray, persons: tuple[IntArray, IntArray], groups: tuple[IntArray, IntArray]) -> FloatArray:
    """The flow with the rows of each group as its sum, and at most the persons of each kind."""
    for _ in range(_ROUNDS):
        into = np.bincount(groups[0], weights=flow, minlength=len(groups[1]))  # unsorted
        flow = flow * np.divide(groups[1], into, out=np.zeros(len(into)), where=into > 0)[groups[0]]
        out = add_by_owner(flow, persons[0], len(persons[1]))
        over = np.divide(persons[1], out, out=np.ones(len(out)), where=out > 0)
        if (over >= 1 - _ENOUGH).all():
            break
        flow = flow * np.minimum(over, 1.0)[persons[0]]
    return flow


def _rounded(expected: FloatArray) -> IntArray:
    """Whole numbers, each next to its own, that add up to the rounded sum."""
    near = np.rint(expected)
    expected = np.where(np.abs(expected - near) < 1e-6, near, expected)
    ends = np.floor(np.cumsum(expected) + 0.5 + 1e-9)
    return np.diff(ends, prepend=0.0).astype(np.int64)
