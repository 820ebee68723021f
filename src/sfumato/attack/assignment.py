"""A matching of least distance between released and original rows, by an intruder who knows every original row.

Rows that look alike are one group, so the matching is a transportation problem between the distinct original rows and
the distinct released ones. Inside a group any matching is as good as another: how many persons are matched with their
own row is then an expectation, computed and not drawn.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.cover import holds
from sfumato.attack.pairs import covering_pairs
from sfumato.attack.singling_out import Persons, Predicates, released_rows
from sfumato.frozen import dataclass
from sfumato.summary.histogram import add_by_owner

if TYPE_CHECKING:
    from sfumato.summary.published import Published
    from sfumato.summary.span import Spans
    from sfumato.types import BoolArray, FloatArray, IntArray

EXACT = 40_000
"""Pairs of distinct rows up to which the matching is proved to be the nearest, by linear programming."""
_DENSE = 20_000_000
_ROUNDS = 400


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """How many of each distinct original row are matched with each distinct released row.

    Args:
        person: (n_pairs,) int64, distinct original row.
        group: (n_pairs,) int64, distinct released row.
        flow: (n_pairs,) int64, rows matched, >= 1.
        distance: sum of the distances of the matched rows.
        bound: no complete matching has a smaller sum.
        unmatched: original rows without a released one, because there are fewer or because the rest was too large.
    """

    person: IntArray
    group: IntArray
    flow: IntArray
    distance: float
    bound: float
    unmatched: int

    @property
    def is_nearest(self) -> bool:
        """Whether no matching is nearer, proved."""
        return self.distance <= self.bound * (1 + 1e-9) + 1e-9


@dataclass(frozen=True, slots=True)
class RecordMatching:
    """Released rows matched with the original ones, all of which are known.

    Args:
        column: the sensitive column that is known beside the quasi-identifiers; None: none.
    """

    attack: ClassVar[str] = "record matching"
    column: str | None = None

    def guess(self, view: Published, knowledge: Persons, _rng: np.random.Generator, /) -> Matching:
        """Which original row each released one is said to be."""
        return match_records(view, knowledge, released_rows(view, self.column))


def match_records(published: Published, persons: Persons, groups: Predicates) -> Matching:
    """Match original with released rows so that the sum of their distances is small; exact on small tables.

    The distance of a value from a label is 0 where the label holds it, else 1, on ordered columns the gap to the
    nearest value that it holds over the width of the domain; distances of columns are added.

    Args:
        published: the release.
        persons: the original rows that the intruder knows.
        groups: the distinct released rows and how often each occurs (`singling_out.of_classes` or `of_values`).

    Returns:
        The nearest matching up to 40,000 pairs of distinct rows; above that as many rows as possible without any
        distance, by maximum flow, and the rest by filling groups round by round. Where all are matched without
        distance, as in a truthful release, it is the nearest as well. Without SciPy (extra `learn`) all are filled
        round by round.

    Source:
        The adversary of full knowledge of the DARC competition (PETS 2019): the original table is known, the links
        are not. J. Domingo-Ferrer, S. Ricci and J. Soria-Comas, "Disclosure Risk Assessment via Record Linkage by a
        Maximum-Knowledge Attacker", PST 2015.

    Example:
        >>> from sfumato.attack.scoring import likely_places
        >>> from sfumato.attack.singling_out import ANY, Persons, of_classes
        >>> from sfumato.testing.examples import release_by_age
        >>> table = release_by_age(["17", "[20, 37]"], [1, 2])
        >>> three = Persons(np.array([[0], [1], [2]]), np.full(3, ANY), np.ones(3, np.int64))
        >>> found = match_records(table, three, of_classes(table))
        >>> own = likely_places(table, three, of_classes(table))
        >>> found.group.tolist(), found.distance, expected_hits(found, three, of_classes(table), own=own)
        ([0, 1, 1], 0.0, 2.0)
    """
    pairs = zero_pairs(published, persons, groups)
    first = _fill(pairs, np.zeros(len(pairs[0])), persons.count, groups.count)
    left, room = _left(first, persons.count, groups.count)
    if left.any() and room.any() and find_spec("scipy") is not None:
        if len(persons.count) * len(groups.count) <= EXACT:
            return _nearest(distances(published, persons, groups), persons.count, groups.count)
        first = _most(pairs, persons.count, groups.count)
        left, room = _left(first, persons.count, groups.count)
    if not left.any() or not room.any():
        return _matching(first, 0.0, 0.0, int(left.sum()))
    return _rest(published, persons, groups, first)


def expected_hits(
    found: Matching, persons: Persons, groups: Predicates, *, own: tuple[IntArray, IntArray, FloatArray]
) -> float:
    """Expected number of persons matched with their own row: Σ x y / (n f).

    Of n equal persons x are matched with a group of f equal rows and y truly are in it. A person is in it with
    probability y/n, is matched with it with x/n, and then with each of its rows with 1/f.

    Args:
        found: the intruder's matching.
        persons: the original rows.
        groups: the released rows.
        own: the true matching, which only the judge knows: person, group and persons of each of its pairs.

    Example:
        >>> from sfumato.attack.singling_out import ANY, Persons, Predicates
        >>> two = Persons(np.array([[0]]), np.array([ANY]), np.array([2]))
        >>> one = Predicates(np.array([[0]]), np.array([ANY]), np.array([2]))
        >>> right = Matching(np.array([0]), np.array([0]), np.array([2]), 0.0, 0.0, 0)
        >>> expected_hits(right, two, one, own=(np.array([0]), np.array([0]), np.array([2.0])))
        1.0
    """
    width = len(groups.count)
    mine, true = found.person * width + found.group, own[0] * width + own[1]
    _, at_mine, at_true = np.intersect1d(mine, true, return_indices=True)
    x, y = found.flow[at_mine].astype(np.float64), own[2][at_true]
    return float((x * y / persons.count[found.person[at_mine]] / groups.count[found.group[at_mine]]).sum())


def distances(published: Published, persons: Persons, groups: Predicates) -> FloatArray:
    """(n_persons, n_groups) float64: distance of each distinct original row from each distinct released row."""
    out = (persons.value[:, None] != groups.value).astype(np.float64)
    for j, spans in enumerate(published.spans):
        some, of = np.unique(persons.codes[:, j], return_inverse=True)
        used, label = np.unique(groups.rows[:, j], return_inverse=True)
        out += _label_distances(spans, used, some).T[of][:, label]
    return np.asarray(out, np.float64)


def zero_pairs(published: Published, persons: Persons, groups: Predicates) -> tuple[IntArray, IntArray]:
    """Pairs (person, group) without any distance, sorted by person."""
    columns, values = range(persons.codes.shape[1]), (groups.value, persons.value)
    group, person = covering_pairs(published, groups.rows, persons.codes, columns, equal=values)
    return person, group


def _label_distances(spans: Spans, labels: IntArray, leaves: IntArray) -> FloatArray:
    """(n_labels, n_leaves) float64 in [0, 1]."""
    inside, where = holds(spans, labels, leaves), spans.domain.attribute.positions
    if where is None:
        return np.where(inside, 0.0, 1.0)
    low, high = spans.domain.bounds
    line, at = where[spans.domain.order], where[leaves]
    gap = np.maximum(line[spans.start][:, None] - at, at - line[spans.stop - 1][:, None]) / max(high - low, 1e-300)
    nearest = np.ones((spans.n_labels, len(leaves)))
    np.minimum.at(nearest, spans.owner, np.nan_to_num(np.clip(gap, 0.0, 1.0), nan=1.0))
    return np.where(inside, 0.0, nearest[labels])


def _fill(pairs: tuple[IntArray, IntArray], cost: FloatArray, supply: IntArray, room: IntArray) -> Matching:
    """Fill groups round by round: every person asks the nearest, roomiest group; those with few choices go first."""
    person, group = pairs
    choices = np.bincount(person, minlength=len(supply))
    left, free, flow = supply.copy(), room.copy(), np.zeros(len(person), np.int64)
    for _ in range(_ROUNDS):
        open_ = np.flatnonzero((left[person] > 0) & (free[group] > 0))
        if not len(open_):
            break
        by_wish = open_[np.lexsort((-free[group[open_]], cost[open_], person[open_]))]
        asked = by_wish[np.unique(person[by_wish], return_index=True)[1]]
        asked = asked[np.lexsort((choices[person[asked]], group[asked]))]
        wish = left[person[asked]]
        before = np.cumsum(wish) - wish
        first = np.searchsorted(group[asked], group[asked])
        given = np.clip(free[group[asked]] - (before - before[first]), 0, wish)
        flow[asked] += given
        left[person[asked]] -= given
        free -= add_by_owner(given, group[asked], len(free))
    used = flow > 0
    return Matching(person[used], group[used], flow[used], float(cost[used] @ flow[used]), 0.0, int(left.sum()))


def _left(found: Matching, supply: IntArray, room: IntArray) -> tuple[IntArray, IntArray]:
    """Persons and places that are left."""
    out = np.bincount(found.person, weights=found.flow, minlength=len(supply)).astype(np.int64)
    into = np.bincount(found.group, weights=found.flow, minlength=len(room)).astype(np.int64)
    return supply - out, room - into


def _rest(published: Published, persons: Persons, groups: Predicates, first: Matching) -> Matching:
    """Match the rest by distance, where it is not too large."""
    left, room = _left(first, persons.count, groups.count)
    some, into = np.flatnonzero(left), np.flatnonzero(room)
    if len(some) * len(into) > _DENSE:
        return _matching(first, first.distance, 0.0, int(left.sum()))
    rest = Persons(persons.codes[some], persons.value[some], left[some])
    places = Predicates(groups.rows[into], groups.value[into], room[into])
    cost = distances(published, rest, places)
    pair = np.divmod(np.arange(cost.size), len(into))
    second = _fill(pair, cost.ravel(), rest.count, places.count)
    joined = Matching(
        np.concatenate((first.person, some[second.person])),
        np.concatenate((first.group, into[second.group])),
        np.concatenate((first.flow, second.flow)),
        second.distance,
        0.0,
        second.unmatched,
    )
    return _matching(joined, second.distance, 0.0, second.unmatched)


def _most(pairs: tuple[IntArray, IntArray], supply: IntArray, room: IntArray) -> Matching:
    """As many rows as possible matched without distance: a maximum flow from persons to groups."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_flow

    person, group = pairs
    n, g = len(supply), len(room)
    source, sink = n + g, n + g + 1
    tails = np.concatenate((np.full(n, source), person, n + np.arange(g)))
    heads = np.concatenate((np.arange(n), n + group, np.full(g, sink)))
    capacity = np.concatenate((supply, supply[person], room)).astype(np.int32)
    graph = coo_array((capacity, (tails.astype(np.int32), heads.astype(np.int32))), (n + g + 2,) * 2).tocsr()
    flow = maximum_flow(graph, source, sink).flow.tocoo()
    used = (flow.data > 0) & (flow.row < n)
    out = Matching(
        flow.row[used].astype(np.int64), flow.col[used] - np.int64(n), flow.data[used].astype(np.int64), 0.0, 0.0, 0
    )
    return _matching(out, 0.0, 0.0, int(supply.sum() - out.flow.sum()))


def _nearest(cost: FloatArray, supply: IntArray, room: IntArray) -> Matching:
    """The nearest matching, by linear programming: its vertices are whole numbers."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, vstack

    n, g = cost.shape
    pair, ones = np.arange(n * g), np.ones(n * g)
    by_person = coo_array((ones, (pair // g, pair)), (n, n * g)).tocsr()
    by_group = coo_array((ones, (pair % g, pair)), (g, n * g)).tocsr()
    fewer = supply.sum() <= room.sum()
    equal, most = (by_person, by_group) if fewer else (by_group, by_person)
    have, may = (supply, room) if fewer else (room, supply)
    found = linprog(cost.ravel(), A_eq=vstack([equal]), b_eq=have, A_ub=most, b_ub=may, method="highs-ds")
    flow = np.rint(found.x).astype(np.int64)
    used = np.flatnonzero(flow)
    total = float(cost.ravel()[used] @ flow[used])
    none = Matching(used // g, used % g, flow[used], total, total, 0)
    return _matching(none, total, total, int(supply.sum() - flow.sum()))


def one_to_one(cost: FloatArray) -> IntArray:
    """(n,) int64: for each row a column of its own, with the least sum; -1: none is left or comparable.

    With SciPy (extra `learn`) the Hungarian method; without, cheapest pairs first.

    Args:
        cost: (n, m) float64; infinite: never together.

    Source:
        D. F. Crouse, "On implementing 2D rectangular assignment algorithms", IEEE TAES 52(4), 2016, as in SciPy.

    Example:
        >>> one_to_one(np.array([[1.0, 2.0], [1.0, 9.0]])).tolist()
        [1, 0]
    """
    out, finite = np.full(len(cost), -1, np.int64), np.isfinite(cost)
    rows, columns = np.flatnonzero(finite.any(axis=1)), np.flatnonzero(finite.any(axis=0))
    if len(rows):
        some = np.ix_(rows, columns)
        chosen = _one_to_one(cost[some], finite[some])
        out[rows] = np.where(chosen >= 0, columns[np.maximum(chosen, 0)], -1)
    return out


def _one_to_one(cost: FloatArray, finite: BoolArray) -> IntArray:
    """The same where every row and column has something finite."""
    n, m = cost.shape
    out = np.full(n, -1, np.int64)
    if find_spec("scipy") is None:
        row, column = np.nonzero(finite)
        found = _fill((row, column), cost[row, column], np.ones(n, np.int64), np.ones(m, np.int64))
        out[found.person] = found.group
        return out
    from scipy.optimize import linear_sum_assignment

    span = float(np.ptp(cost[finite]))
    dear = float(cost[finite].max()) + (span + 1) * (min(n, m) + 1)  # never instead of one that is comparable
    row, column = linear_sum_assignment(np.where(finite, cost, dear))
    good = finite[row, column]
    out[row[good]] = column[good]
    return out


def _matching(found: Matching, distance: float, bound: float, unmatched: int) -> Matching:
    """The same pairs in order, with what is known of them."""
    order = np.lexsort((found.group, found.person))
    return Matching(found.person[order], found.group[order], found.flow[order], distance, bound, unmatched)
