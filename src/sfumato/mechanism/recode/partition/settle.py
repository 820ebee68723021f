"""From a way to part the table to a decision that keeps every promise.

The whole table must satisfy the criteria before it is parted. Criteria on all classes together
(average risk) are met by raising the least number of persons in a class until they hold. What will
be read is judged again, label by label, and classes that fail are joined to their nearest ones.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.guarantee.shortfall import no_solution
from sfumato.mechanism.recode.partition.axes import axes_of
from sfumato.mechanism.recode.partition.criteria import Judge, sorted_out
from sfumato.mechanism.recode.partition.pieces import Parted
from sfumato.mechanism.recode.partition.publish import label, loss_of_labelled, runs_of
from sfumato.mechanism.recode.partition.splits import table_of
from sfumato.summary.classes import merge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.guarantee.base import Criterion, TableCriterion
    from sfumato.mechanism.recode.partition.axes import Publish
    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.mechanism.recode.partition.publish import Labelled, Runs
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

    Part = Callable[[Table], Parted]


def settle(
    finest: Classes,
    attributes: Sequence[Attribute],
    criteria: Sequence[Criterion | TableCriterion],
    publish: Publish,
    part: Part,
) -> tuple[Labelled, float, Parted]:
    """Part the table so that every criterion holds for the classes that will be read.

    Args:
        finest: finest classes.
        attributes: the m quasi-identifiers.
        criteria: all that is promised.
        publish: form of the labels.
        part: parts the tuples as their judge allows.

    Returns:
        The classes with their labels, their global certainty penalty, and what was parted.

    Raises:
        ParameterError: there is no quasi-identifier.
        NoSolution: the whole table as one class does not satisfy the criteria.
    """
    if not attributes:
        raise ParameterError("A partition needs a quasi-identifier; none was given.", "declare at least one.")
    single, together = sorted_out(criteria)
    table = table_of(axes_of(attributes, finest.codes, publish), Judge(finest, single))
    if not finest.n_classes:
        nobody = np.zeros(0, np.int64)
        return label(nobody, finest.codes, attributes, publish), 0.0, Parted(table, nobody)
    while True:
        _check_whole(table, together)
        parted = part(table)
        labelled = repair(parted.table, attributes, publish, parted.member, parted.runs)
        if _hold_together(parted.table.judge.finest, labelled, together):
            return labelled, loss_of_labelled(parted.table, labelled), parted
        floor = 2 * max(table.judge.floor, table.judge.least_persons())
        persons = int(finest.persons.sum())
        table = replace(table, judge=replace(table.judge, floor=min(floor, max(persons, table.judge.floor + 1))))


def _hold_together(finest: Classes, labelled: Labelled, together: Sequence[TableCriterion]) -> bool:
    """Whether the classes that will be read satisfy the criteria on all of them."""
    if not together:
        return True
    classes = merge(finest, labelled.member, labelled.codes)
    published = classes.select(classes.rows > 0)
    return all(c.holds_together(published) for c in together)


def _check_whole(table: Table, together: Sequence[TableCriterion]) -> None:
    """One class with all rows must satisfy everything, or nothing that is finer need."""
    finest = table.judge.finest
    one = merge(finest, np.zeros(finest.n_classes, np.int64), np.zeros((1, 0), np.int64))
    if table.judge.holds(one).all() and (table.judge.floor > 1 or all(c.holds_together(one) for c in together)):
        return
    raise no_solution((*table.judge.criteria, *together), finest)


def repair(
    table: Table, attributes: Sequence[Attribute], publish: Publish, member: IntArray, runs: Runs | None = None
) -> Labelled:
    """Join classes that fail once labels are read to those nearest to them, until none fails.

    Args:
        table: the tuples.
        attributes: the m quasi-identifiers.
        publish: form of the labels.
        member: (n,) int64, class of each tuple.
        runs: the tuples class by class; None: they are sorted here.

    Raises:
        NoSolution: everything was joined, and the one class fails.
    """
    codes = table.judge.finest.codes
    while True:
        labelled = label(member, codes, attributes, publish, runs)
        classes = merge(table.judge.finest, labelled.member, labelled.codes)
        bad = np.flatnonzero(~table.judge.holds(classes))
        if not len(bad):
            return labelled
        if classes.n_classes == 1:
            raise no_solution(table.judge.criteria, table.judge.finest)
        member, runs = _join(table, labelled.member, int(bad[0])), None


def _join(table: Table, member: IntArray, bad: int) -> IntArray:
    """Join one class to the class whose union with it loses least."""
    runs = runs_of(member)
    n = len(runs.starts)
    covers = table.layout.covers_of_runs(table.ranks, runs.order, runs.starts)
    rows = np.add.reduceat(table.sizes.rows[runs.order], runs.starts)
    union = covers.join(covers.take(np.full(n, bad)))
    more = (rows + rows[bad]) * table.layout.losses(union) - rows * table.layout.losses(covers)
    more[bad] = np.inf
    near = int(np.argmin(more))
    joined = np.where(member == bad, near, member)
    return joined - (joined > bad)
