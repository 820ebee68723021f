"""Mondrian: cells halved at the median of their widest attribute."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, assert_never

import numpy as np

from sfumato.compiled import pays
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.recode.decision import Decision, Limits, Search, silent
from sfumato.mechanism.recode.mondrian.compiled import PAYS_FROM, halve_compiled, is_able, load
from sfumato.mechanism.recode.mondrian.relaxed import halve_rows, splits_of
from sfumato.mechanism.recode.mondrian.strict import halve
from sfumato.mechanism.recode.partition.axes import Publish
from sfumato.mechanism.recode.partition.pieces import Parted
from sfumato.mechanism.recode.partition.publish import decision
from sfumato.mechanism.recode.partition.settle import settle
from sfumato.mechanism.recode.partition.splits import Watch
from sfumato.recipe.steps import Assign
from sfumato.summary.classes import merge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.guarantee.base import Criterion, TableCriterion
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute


class Halving(Enum):
    """Whether equal values stay together."""

    STRICT = "strict"
    """Equal values never straddle a cut: what is published of a value depends on its cell only."""
    RELAXED = "relaxed"
    """They may: classes are smaller, and rows of one tuple may be published differently."""


@dataclass(frozen=True, slots=True)
class Mondrian:
    """Halve cells at the median of their widest attribute while both halves satisfy the criteria.

    Widths are normalized (NCP of the cell's cover). Numbers and dates are cut by their order,
    categories by the order of their hierarchy's leaves, or between children of the common node when
    only nodes may be published. If no cut of the widest attribute is allowed the next widest is
    tried. Every label is computed from the values of the finished class, so it is tight and holds
    each of them.

    Proof: the criteria are checked on the classes as a reader sees them, after classes with equal
    labels were joined.

    Args:
        criteria: all that is promised, on classes or on the whole table.
        halving: whether equal values stay together.
        publish: minimal covers (ranges and sets), or nodes of the hierarchies only.
        limits: seconds, and cuts tried; cells are left whole where a limit strikes.
        clock: seconds now; required with a limit in seconds.
        progress: called once a round with the tuples done; may raise `Interrupted`.

    Source:
        K. LeFevre, D. DeWitt, R. Ramakrishnan, "Mondrian Multidimensional K-Anonymity", ICDE 2006,
        sections 3 (strict and relaxed partitions) and 4 (the greedy algorithm).

    Example:
        >>> from sfumato.guarantee.k_anonymity import KAnonymity
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["20", "21", "40", "41"])
        >>> two = np.array([2, 1, 1, 2])
        >>> finest = Classes(np.arange(4)[:, None], rows=two, alone=two)
        >>> Mondrian((KAnonymity(3),)).decide(finest, (age,)).step.labels
        (('[20, 21]', '[40, 41]'),)
    """

    criteria: tuple[Criterion | TableCriterion, ...]
    halving: Halving = Halving.STRICT
    publish: Publish = Publish.COVERS
    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] | None = None
    progress: Progress = silent

    def decide(self, finest: Classes, attributes: Sequence[Attribute]) -> Decision:
        """Choose the classes and their labels.

        Raises:
            NoSolution: not even the whole table as one class satisfies the criteria.
            ParameterError: relaxed halving with persons of several rows, or with criteria that read
                more than class sizes. Remedy: strict halving.
            Interrupted: `progress` raised it.
        """
        watch = Watch(self.limits, self.clock, self.progress)
        match self.halving:
            case Halving.STRICT:
                with self._loaded(finest) as ready:
                    part = _strict(watch, ready)
                    labelled, loss, _ = settle(finest, attributes, self.criteria, self.publish, part)
                return decision(finest, attributes, labelled, loss, self._search(watch))
            case Halving.RELAXED:
                self._check_rows(finest)
                return self._relaxed(finest, attributes, watch)
            case _:
                assert_never(self.halving)

    @contextmanager
    def _loaded(self, finest: Classes) -> Iterator[Callable[[], None]]:
        """What waits until the compiled form is there, if it will be used: loaded while ranks are found."""
        by_size = self.publish is Publish.COVERS and not any(one.needs for one in self.criteria)
        with ThreadPoolExecutor(1) as pool:
            loading = pool.submit(load, finest) if by_size and pays(finest.n_classes, PAYS_FROM) else None
            yield (lambda: None) if loading is None else loading.result

    def _relaxed(self, finest: Classes, attributes: Sequence[Attribute], watch: Watch) -> Decision:
        """Decide on pieces of tuples, then say which rows of a tuple go where."""
        labelled, loss, parted = settle(finest, attributes, self.criteria, self.publish, _rows(watch))
        search = self._search(watch)
        if parted.pieces is None:
            return decision(finest, attributes, labelled, loss, search)
        member, splits = splits_of(parted.pieces, labelled.member, finest.n_classes)
        published = merge(parted.table.judge.finest, labelled.member, labelled.codes)
        step = Assign(tuple(attributes), finest.codes, member, labelled.labels(), splits)
        return Decision((), step, published, 0, None, loss, search)

    def _check_rows(self, finest: Classes) -> None:
        """Rows of a tuple are alike only if nothing but their number counts."""
        rows_are_persons = finest.spread is None and np.array_equal(finest.rows, finest.alone)
        if not rows_are_persons or any(c.needs for c in self.criteria):
            raise ParameterError(
                "Relaxed Mondrian parts rows that are alike, so each row must be one person and the criteria "
                "must read class sizes only; persons with several rows, or criteria on sensitive values, "
                "populations or personal k, were given.",
                "use strict Mondrian.",
            )

    def _search(self, watch: Watch) -> Search:
        left = " A limit was reached: some cells could still be halved." if watch.stopped else ""
        statement = (
            f"{self.halving.value.capitalize()} Mondrian tried {watch.checked} cuts, one cell and attribute at a "
            f"time, widest first, at the median; it compares no alternatives.{left}"
        )
        return Search(lattice_size=None, checked=watch.checked, optimal=False, statement=statement)


def _strict(watch: Watch, ready: Callable[[], None]) -> Callable[[Table], Parted]:
    """Part whole tuples: compiled where that pays, once it is ready, and the same classes either way."""

    def part(table: Table) -> Parted:
        ready()
        if not is_able(table):
            return Parted(table, halve(table, watch))
        member, runs = halve_compiled(table, watch)
        return Parted(table, member, runs=runs)

    return part


def _rows(watch: Watch) -> Callable[[Table], Parted]:

    def part(table: Table) -> Parted:
        pieces, member = halve_rows(table, watch)
        return Parted(pieces.table(table), member, pieces)

    return part
