"""Local recoding: a table recoded class by class, so that each cell loses as little as it can.

Full-domain generalization writes every age at one level. Local recoding lets each class have its own
ranges and sets, which loses several times less at the same promise.
"""

from __future__ import annotations

from dataclasses import field, replace
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.decision import Limits, Search, silent
from sfumato.mechanism.recode.local.moves import move
from sfumato.mechanism.recode.local.peel import peel
from sfumato.mechanism.recode.partition.axes import Publish
from sfumato.mechanism.recode.partition.cuts import Cuts, cuts_along, groups_of
from sfumato.mechanism.recode.partition.pieces import Parted
from sfumato.mechanism.recode.partition.publish import decision, runs_of
from sfumato.mechanism.recode.partition.settle import settle
from sfumato.mechanism.recode.partition.splits import Watch, divide

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.guarantee.base import Criterion, TableCriterion
    from sfumato.mechanism.recode.decision import Decision, Progress
    from sfumato.mechanism.recode.partition.cuts import Groups, Table
    from sfumato.mechanism.recode.partition.nodes import Nodes
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


class Effort(Enum):
    """How long a better partition is looked for."""

    NORMAL = "normal"
    """Cuts from the top, moves of single tuples, and cuts again."""
    HIGH = "high"
    """Then pairs of classes are joined and parted anew, as long as pairs are left that may lose less."""


@dataclass(frozen=True, slots=True)
class LocalRecoding:
    """Part the table so that little is lost, while every class satisfies the criteria. No row is suppressed.

    Ranges and sets: all rows start as one class, and each class takes the cut that saves most of the
    global certainty penalty, counted on the minimal covers of both halves in all attributes: a run
    of values against the others, or one value against the others.

    Hierarchy nodes: level vectors are visited by rising loss, and what can be a class there becomes
    one; tuples that find none join the nearest class. Classes are then cut as above, between nodes.

    Both: tuples then move one by one to classes where they lose less, and classes are cut again. With
    high effort, pairs of near classes are joined and parted anew (see `local.regroup`).

    Proof: the criteria are checked on the classes as a reader sees them, after classes with equal
    labels were joined; nothing about the search enters the promise.

    Args:
        criteria: all that is promised, on classes or on the whole table.
        publish: minimal covers (ranges and sets), or nodes of the hierarchies only.
        limits: seconds, and cuts, groups and moves evaluated; classes are left as they are where a
            limit strikes.
        clock: seconds now; required with a limit in seconds.
        progress: called once a round with the tuples done; may raise `Interrupted`.
        effort: how long a better partition is looked for.

    Source:
        Loss: J. Xu et al., "Utility-Based Anonymization Using Local Recoding", KDD 2006, section 3.
        Splitting top-down under the criteria: K. LeFevre, D. DeWitt, R. Ramakrishnan,
        "Workload-Aware Anonymization", KDD 2006, section 3 (there by entropy of a target).

    Example:
        >>> import numpy as np
        >>> from sfumato.guarantee.k_anonymity import KAnonymity
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["20", "21", "40", "41"])
        >>> ones = np.ones(4, np.int64)
        >>> finest = Classes(np.arange(4)[:, None], rows=ones, alone=ones)
        >>> chosen = LocalRecoding((KAnonymity(2),)).decide(finest, (age,))
        >>> chosen.step.labels, chosen.step.member.tolist()
        ((('[20, 21]', '[40, 41]'),), [0, 0, 1, 1])
    """

    criteria: tuple[Criterion | TableCriterion, ...]
    publish: Publish = Publish.COVERS
    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] | None = None
    progress: Progress = silent
    effort: Effort = Effort.NORMAL

    def decide(self, finest: Classes, attributes: Sequence[Attribute]) -> Decision:
        """Choose the classes and their labels.

        Raises:
            NoSolution: not even the whole table as one class satisfies the criteria.
            Interrupted: `progress` raised it.
        """
        watch = Watch(self.limits, self.clock, self.progress)

        def part(table: Table) -> Parted:
            begin = None
            if self.publish is Publish.NODES:
                begin = absorb(table, peel(table, attributes, watch))
            if self.effort is Effort.HIGH:
                from sfumato.mechanism.recode.local.regroup import thorough

                return Parted(table, thorough(table, most_gain, begin, watch))
            member = move(table, divide(table, most_gain, watch, begin), watch)
            return Parted(table, divide(table, most_gain, watch, member))

        labelled, loss, parted = settle(finest, attributes, self.criteria, self.publish, part)
        made = decision(finest, attributes, labelled, loss, _search(watch, self.effort))
        return made if self.effort is Effort.NORMAL else replace(made, loss_at_least=_at_least(parted.table, watch))


def _at_least(table: Table, watch: Watch) -> float:
    """What no partition goes below, with the criteria on single classes and no least size beside."""
    from sfumato.mechanism.recode.local.least import least_loss

    return least_loss(replace(table, judge=replace(table.judge, floor=1)), watch)


def _search(watch: Watch, effort: Effort) -> Search:
    left = " A limit was reached: some classes could still be cut." if watch.stopped else ""
    joined = "joined pairs of near classes and parted them anew, " if effort is Effort.HIGH else ""
    statement = (
        f"Local recoding compared {watch.checked} cuts, groups and moves, took the best of each class in turn, {joined}"
        f"and does not look ahead: a partition with less loss may exist.{left}"
    )
    return Search(lattice_size=None, checked=watch.checked, optimal=False, statement=statement)


MOST_PAIRS = 1_000_000
"""Pairs of a tuple and a class compared at a time."""


def absorb(table: Table, member: IntArray) -> IntArray:
    """Give every tuple a class.

    Tuples without one form a class of their own if that satisfies the criteria; otherwise each joins
    the class whose rows × loss grows least. Classes may then fail criteria that a union can break;
    `settle.repair` joins those.

    Args:
        table: the tuples.
        member: (n,) int64, class of each tuple, -1: none.

    Returns:
        (n,) int64, all >= 0, numbered from 0.
    """
    left = np.flatnonzero(member < 0)
    if not len(left):
        return member
    out = member.copy()
    n_classes = int(member.max()) + 1
    alone = np.zeros(len(left), np.int64)
    if not n_classes or table.judge.holds_for(left, alone, 1)[0]:
        out[left] = n_classes
        return out
    placed = np.flatnonzero(member >= 0)
    runs = runs_of(member[placed])
    covers = table.covers.take(placed[runs.order]).reduce(runs.starts)
    rows = np.add.reduceat(table.sizes.rows[placed[runs.order]], runs.starts)
    before = rows * table.layout.losses(covers)
    step = max(MOST_PAIRS // n_classes, 1)
    for begin in range(0, len(left), step):
        some = left[begin : begin + step]
        each = np.repeat(some, n_classes)
        union = covers.take(np.tile(np.arange(n_classes), len(some))).join(table.covers.take(each))
        after = (np.tile(rows, len(some)) + table.sizes.rows[each]) * table.layout.losses(union)
        out[some] = np.argmin(after.reshape(len(some), n_classes) - before, axis=1)
    return out


def most_gain(table: Table, nodes: Nodes) -> tuple[Cuts, list[Groups]]:
    """All cuts of all active cells along all axes, with what each saves."""
    cell_of = nodes.cell_of()
    first = nodes.orders[0]
    covers = table.covers.take(first).reduce(nodes.starts)
    before = np.add.reduceat(table.sizes.rows[first], nodes.starts) * table.layout.losses(covers)
    groups, cuts = [], []
    for j in range(len(table.layout.axes)):
        groups.append(groups_of(table, nodes, cell_of, j))
        cuts.append(cuts_along(table, groups[j], before, j))
    names = ("cell", "axis", "gain", "first", "last")
    return Cuts(*(np.concatenate([getattr(c, name) for c in cuts]) for name in names)), groups
