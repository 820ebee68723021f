"""Microaggregation of several columns together: a table published as averages of small groups."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Need
from sfumato.guarantee.shortfall import no_solution
from sfumato.mechanism.grouping.blocks import in_blocks
from sfumato.mechanism.recode.decision import Decision, Search, silent
from sfumato.mechanism.recode.microaggregation.centers import label_groups
from sfumato.mechanism.recode.microaggregation.groups import join_failing
from sfumato.mechanism.recode.microaggregation.points import points_of, share_lost
from sfumato.mechanism.recode.mondrian.relaxed import splits_of
from sfumato.mechanism.recode.partition.criteria import Judge, sorted_out
from sfumato.mechanism.recode.partition.pieces import Pieces
from sfumato.recipe.steps import Assign
from sfumato.summary.classes import Classes, merge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.guarantee.base import Criterion, TableCriterion
    from sfumato.mechanism.grouping.points import Points
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.mechanism.recode.microaggregation.centers import Spelling
    from sfumato.mechanism.recode.partition.publish import Labelled
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

ROWS_AT_ONCE = 50_000
"""Rows that are compared with each other where the plan says nothing: beyond, blocks are grouped one by one."""

_MOST_DIGITS = 18
"""Digits after the point that a mean may be written with."""


@dataclass(frozen=True, slots=True)
class Microaggregation:
    """Group near rows, at least k in each group (MDAV), and publish of each group its center instead of its values.

    k is the least number of persons in a class that the criteria accept. Rows that are equal may go to different
    groups where nothing but the number of rows counts; where a criterion reads sensitive values or personal wishes,
    or persons have several rows, equal rows stay together, and groups that break a criterion join the nearest ones.

    Proof: the criteria are checked on the classes as a reader sees them, after groups with equal labels became one;
    nothing about the search enters the promise.

    Args:
        criteria: all that is promised, on classes or on the whole table.
        spelling: how centers are written.
        rows_at_once: rows of a block, at least 4k; the work grows with the square of it.
        progress: called now and then with the rows that have a group; may raise `Interrupted`.

    Source:
        J. Domingo-Ferrer, V. Torra, "Ordinal, continuous and heterogeneous k-anonymity through
        microaggregation", Data Mining and Knowledge Discovery 11, 2005 (groups). Distances of categories: `points`.

    Example:
        >>> from sfumato.guarantee.k_anonymity import KAnonymity
        >>> from sfumato.mechanism.recode.microaggregation.centers import Spelling
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["20", "22", "40", "44"])
        >>> ones = np.ones(4, np.int64)
        >>> finest = Classes(np.arange(4)[:, None], rows=ones, alone=ones)
        >>> chosen = Microaggregation((KAnonymity(2),), Spelling({}, {})).decide(finest, (age,))
        >>> chosen.step.labels, chosen.step.member.tolist()
        ((('42', '21'),), [1, 1, 0, 0])
    """

    criteria: tuple[Criterion | TableCriterion, ...]
    spelling: Spelling
    rows_at_once: int = ROWS_AT_ONCE
    progress: Progress = silent

    def decide(self, finest: Classes, attributes: Sequence[Attribute]) -> Decision:
        """Choose the groups and their centers.

        Raises:
            ParameterError: no criterion asks for groups of at least 2 persons, a criterion reads a population, or a
                spelling names a column that has no mean. Remedy: promise k-anonymity; correct the column.
            NoSolution: fewer rows than k, or not even the whole table as one class satisfies the criteria.
            Interrupted: `progress` raised it.
        """
        single, together = sorted_out(self.criteria)
        here = np.flatnonzero(finest.rows)
        whole, finest = finest, replace(finest.select(finest.rows > 0), population=None)
        judge = Judge(finest, single)
        k = judge.least_persons()
        self._check(attributes, k)
        points = points_of(attributes, finest.codes, finest.rows)
        while True:
            if finest.n_rows < k:
                raise no_solution(self.criteria, finest)
            grouped = self._group(judge, points, attributes, k)
            if all(c.holds_together(grouped.published) for c in together):
                step = _step(whole, here, attributes, grouped)
                return self._decision(step, attributes, grouped, points, k)
            if k == finest.n_rows:
                raise no_solution(self.criteria, finest)
            k = min(2 * k, finest.n_rows)

    def _check(self, attributes: Sequence[Attribute], k: int) -> None:
        if not attributes:
            raise ParameterError("Groups need a quasi-identifier; none was given.", "declare at least one.")
        if k < 2:
            raise ParameterError(
                "Microaggregation makes groups of k rows, and no criterion says how large k is.",
                'promise `model = "k-anonymity"` beside the others.',
            )
        if any(Need.POPULATION in c.needs for c in self.criteria):
            raise ParameterError(
                "Centers say nothing about persons who are not published, so no criterion can read a population.",
                "leave out the criteria that read it, or choose a method that generalizes.",
            )
        if not all(0 <= n <= _MOST_DIGITS for n in self.spelling.digits.values()):
            raise ParameterError(
                "`digits` must lie in 0 … {most_digits}.", "choose such as 0, 1 or 2.", most_digits=_MOST_DIGITS
            )
        ordered = {a.name for a in attributes if a.positions is not None}
        unknown = sorted({*self.spelling.centers, *self.spelling.digits} - ordered)
        if unknown:
            raise ParameterError(
                "Centers and digits are for quasi-identifying numbers and dates; {unknown!r} is none.",
                "name some of {ordered}.",
                unknown=unknown[0],
                ordered=sorted(ordered),
            )

    def _group(self, judge: Judge, points: Points, attributes: Sequence[Attribute], k: int) -> _Grouped:
        """Groups of k rows, joined where they break a criterion."""
        finest = judge.finest
        origin = np.repeat(np.arange(finest.n_classes), finest.rows)
        tick = partial(self._tick, len(origin))
        member, n_blocks = in_blocks(points.take(origin), k, self.rows_at_once, tick)
        pieces = _pieces(finest, origin, member, may_part=_rows_are_alike(judge))
        counted = finest if pieces.whole else Classes(finest.codes[pieces.origin], rows=pieces.rows, alone=pieces.rows)
        places = points if pieces.whole else points.take(pieces.origin)
        label = partial(
            label_groups, codes=counted.codes, rows=counted.rows, attributes=attributes, spelling=self.spelling
        )
        labelled, n_joined = join_failing(replace(judge, finest=counted), places, pieces.member, label)
        published = merge(counted, labelled.member, labelled.codes)
        return _Grouped(pieces, labelled, published, n_blocks, n_joined)

    def _tick(self, n: int, done: int) -> None:
        """Tell how many rows have a group."""
        self.progress(done, n, "grouping rows")

    def _decision(
        self, step: Assign, attributes: Sequence[Attribute], grouped: _Grouped, points: Points, k: int
    ) -> Decision:
        pieces = grouped.pieces
        lost = share_lost(points.take(pieces.origin), pieces.rows, grouped.labelled.member)
        centers = tuple(attribute.name for attribute in attributes if attribute.positions is not None)
        search = _search(grouped, k, self.rows_at_once)
        return Decision((), step, grouped.published, 0, None, lost, search, centers)


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """What has a group: pieces of tuples, or whole tuples."""

    origin: IntArray
    rows: IntArray
    member: IntArray
    whole: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Grouped:
    pieces: _Parts
    labelled: Labelled
    published: Classes
    n_blocks: int
    n_joined: int


def _rows_are_alike(judge: Judge) -> bool:
    """Whether nothing but the number of rows counts, so that equal rows may be parted."""
    finest = judge.finest
    rows_are_persons = finest.spread is None and np.array_equal(finest.rows, finest.alone)
    return rows_are_persons and not any(c.needs for c in judge.criteria)


def _pieces(finest: Classes, origin: IntArray, member: IntArray, *, may_part: bool) -> _Parts:
    """Rows of one tuple in one group become one piece; without leave to part, a tuple goes where most of it goes."""
    n_groups = int(member.max(initial=0)) + 1
    key, rows = np.unique(origin * n_groups + member, return_counts=True)
    owner, group = key // n_groups, key % n_groups
    if may_part:
        return _Parts(owner, rows.astype(np.int64), group, whole=False)
    order = np.lexsort((group, -rows, owner))
    first = np.flatnonzero(np.diff(owner[order], prepend=-1))
    target = np.unique(group[order][first], return_inverse=True)[1]
    return _Parts(np.arange(finest.n_classes), finest.rows, target.astype(np.int64), whole=True)


def _step(whole: Classes, here: IntArray, attributes: Sequence[Attribute], grouped: _Grouped) -> Assign:
    """What the engine is told; tuples of the population without a published row get any class.

    Args:
        whole: finest classes, the population's included.
        here: (n,) int64, those that have rows.
        attributes: the m attributes.
        grouped: groups of these.
    """
    pieces, labelled = grouped.pieces, grouped.labelled
    member, splits = labelled.member, None
    if not pieces.whole:
        member, splits = splits_of(Pieces(pieces.origin, pieces.rows), labelled.member, len(here))
    if splits is not None:
        splits = replace(splits, tuple_=here[splits.tuple_])
    every = np.zeros(whole.n_classes, np.int64)
    every[here] = member
    return Assign(tuple(attributes), whole.codes, every, labelled.labels(), splits)


def _search(grouped: _Grouped, k: int, most: int) -> Search:
    blocks = (
        f" The rows were first cut into {grouped.n_blocks} blocks of at most {most} at medians of the column that "
        "varies most, and groups do not cross blocks."
        if grouped.n_blocks > 1
        else ""
    )
    joined = f" {grouped.n_joined} classes that broke a criterion were joined to near ones." if grouped.n_joined else ""
    statement = (
        f"Groups of {k} to {2 * k - 1} rows around the rows farthest from the average (MDAV), each with its nearest "
        f"rows; no groups are compared with others, so groups with a smaller loss may exist.{blocks}{joined}"
    )
    return Search(lattice_size=None, checked=grouped.published.n_classes, optimal=False, statement=statement)
