"""What every criterion must do, the contract suite: one function for each duty, run on random classes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Criterion, Move, Need, TableCriterion
from sfumato.guarantee.registry import criterion_from, criterion_to
from sfumato.summary.classes import Classes, Spread, merge
from sfumato.summary.histogram import Histogram
from sfumato.testing.strategies import classes_of, membership_of, seeded

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.types import BoolArray, IntArray

AnyCriterion: TypeAlias = Criterion | TableCriterion
_LOOKED_AT = 20_000
"""Random tables among which a counterexample must be."""


@dataclass(frozen=True, slots=True)
class Case:
    """One criterion under test.

    Args:
        criterion: an instance that some random classes satisfy and some do not.
        at: the same model with another strength, as `measure` counts it; None: its measure is no
            parameter.
        stronger: the next stronger strength.
        weakest: the weakest strength that can be asked for.
        breaking: sizes of classes and a membership that break it under MERGE; None: a search finds such.
    """

    criterion: AnyCriterion
    at: Callable[[float], AnyCriterion] | None = None
    stronger: Callable[[float], float] | None = None
    weakest: float = 1.0
    breaking: tuple[tuple[int, ...], tuple[int, ...]] | None = None


def satisfied(criterion: AnyCriterion, table: Classes) -> bool:
    """Whether all classes satisfy it."""
    if isinstance(criterion, TableCriterion):
        return criterion.holds_together(table)
    return bool(criterion.holds(table).all())


def breaks_merge(criterion: AnyCriterion, fine: Classes, membership: IntArray) -> bool:
    """Whether classes that satisfy it merge into one that does not."""
    coarse = _merged(fine, membership)
    if isinstance(criterion, TableCriterion):
        return criterion.holds_together(fine) and not criterion.holds_together(coarse)
    all_parts = _by_new(criterion.holds(fine), membership, every=True)
    return bool((all_parts & ~criterion.holds(coarse)).any())


def breaks_absorb(criterion: Criterion, fine: Classes, membership: IntArray) -> bool:
    """Whether a class that satisfies it loses that by taking in any other."""
    some_part = _by_new(criterion.holds(fine), membership, every=False)
    return bool((some_part & ~criterion.holds(_merged(fine, membership))).any())


def has_counterexample(case: Case, move: Move) -> bool:
    """Whether some classes show that the criterion does not keep under the move."""
    criterion = case.criterion
    if case.breaking is not None:
        sizes, membership = (np.array(part, np.int64) for part in case.breaking)
        return breaks_merge(criterion, Classes(np.arange(len(sizes))[:, None], sizes, sizes), membership)

    def breaks(pair: tuple[Classes, IntArray]) -> bool:
        if move is Move.MERGE:
            return breaks_merge(criterion, *pair)
        return isinstance(criterion, Criterion) and breaks_absorb(criterion, *pair)

    pick = seeded(np.random.default_rng(1))
    tables = (classes_of(pick, max_classes=8) for _ in range(_LOOKED_AT))
    return any(breaks((table, membership_of(pick, table.n_classes))) for table in tables)


def ignores_order(criterion: AnyCriterion, table: Classes, order: IntArray) -> bool:
    """Whether classes in another order get the same verdicts."""
    other = permuted(table, order)
    if isinstance(criterion, TableCriterion):
        return criterion.holds_together(table) == criterion.holds_together(other)
    return np.array_equal(criterion.holds(table)[order], criterion.holds(other))


def measures_what_holds(case: Case, table: Classes) -> bool:
    """Whether the criterion holds at the measured strength and fails at the next stronger one.

    A measure that no parameter can express says that the weakest one fails.
    """
    assert case.at is not None  # noqa: S101  callers choose such cases
    assert case.stronger is not None  # noqa: S101
    measured = case.criterion.measure(table)
    try:
        granted = case.at(measured)
    except ParameterError:
        return not satisfied(case.at(case.weakest), table)
    try:
        refused = case.at(case.stronger(measured))
    except ParameterError:
        return satisfied(granted, table)
    return satisfied(granted, table) and not satisfied(refused, table)


def needs_no_more(criterion: AnyCriterion, table: Classes) -> bool:
    """Whether the verdict stays without all that the criterion does not declare to read."""
    bare = replace(
        table,
        histograms=table.histograms if Need.HISTOGRAM in criterion.needs else (),
        population=table.population if Need.POPULATION in criterion.needs else None,
        personal_k=table.personal_k if Need.PERSONAL_K in criterion.needs else None,
        beside=table.beside if Need.BESIDE in criterion.needs else (),
    )
    return satisfied(criterion, table) == satisfied(criterion, bare) and criterion.measure(table) == criterion.measure(
        bare
    )


def ignores_unpublished(criterion: AnyCriterion, table: Classes) -> bool:
    """Whether a class of the population without published rows leaves the measure as it is."""
    zero = np.zeros(1, np.int64)
    more = replace(
        table,
        codes=np.concatenate((table.codes, table.codes[-1:] + 1)),
        rows=np.concatenate((table.rows, zero)),
        alone=np.concatenate((table.alone, zero)),
        population=None if table.population is None else np.concatenate((table.population, zero + 3)),
        personal_k=None if table.personal_k is None else np.concatenate((table.personal_k, zero)),
    )
    return criterion.measure(table) == criterion.measure(more)


def survives_round_trip(criterion: AnyCriterion) -> bool:
    """Whether writing it into a plan and reading it back gives an equal criterion."""
    return criterion_from(criterion_to(criterion)) == criterion


def permuted(table: Classes, order: IntArray) -> Classes:
    """The same classes in another order; place i holds class order[i]."""
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    spread = None if table.spread is None else Spread(place[table.spread.owner], table.spread.person)
    return replace(
        table,
        codes=table.codes[order],
        rows=table.rows[order],
        alone=table.alone[order],
        spread=spread,
        population=None if table.population is None else table.population[order],
        personal_k=None if table.personal_k is None else table.personal_k[order],
        histograms=tuple(_reordered(h, place) for h in table.histograms),
        beside=tuple(_reordered(h, place) for h in table.beside),
    )


def _reordered(h: Histogram, place: IntArray) -> Histogram:
    """A histogram whose class i has moved to place[i]."""
    owner = place[h.owner]
    order = np.lexsort((h.value, owner))
    return Histogram(h.attribute, owner[order], h.value[order], h.count[order], h.total)


def _merged(fine: Classes, membership: IntArray) -> Classes:
    n = int(membership.max()) + 1
    return merge(fine, membership, np.arange(n, dtype=np.int64)[:, None])


def _by_new(verdicts: BoolArray, membership: IntArray, *, every: bool) -> BoolArray:
    """Whether every (or some) part of each union class was true."""
    n = int(membership.max()) + 1
    wanted = np.bincount(membership[verdicts], minlength=n)
    return np.asarray(wanted == np.bincount(membership, minlength=n) if every else wanted > 0)
