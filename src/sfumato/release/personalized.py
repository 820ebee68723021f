"""What persons ask for, each for themselves: their own k and l, and what it costs those who ask for much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.document.result.release import LossOfWish
from sfumato.errors import PlanError, SchemaError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import columns_beside
from sfumato.guarantee.personal_l import PersonalL, asks_of
from sfumato.release.binding import bind_over, in_order
from sfumato.summary.ask import MarginalOf
from sfumato.summary.span import Ncp
from sfumato.table.attribute import bind
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from sfumato.engine.base import Engine
    from sfumato.guarantee.base import Criterion, TableCriterion
    from sfumato.release.plan import Plan
    from sfumato.summary.classes import Classes
    from sfumato.summary.histogram import Histogram
    from sfumato.summary.published import Published
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """What was asked for in one column.

    Args:
        model: "personal-k" or "personal-l".
        asks: (n_leaves,) int64, what each value of the column asks for; 0 for a missing one.
        counts: persons by distinct tuple of the original and value of the column.
    """

    model: str
    asks: IntArray
    counts: Histogram


def asked_column(promises: Sequence[Criterion | TableCriterion]) -> str | None:
    """The column in which persons say their own l, if a criterion reads one.

    Raises:
        PlanError: two criteria read different ones. Remedy: one column for all.
    """
    names = sorted({promise.asked for promise in promises if isinstance(promise, PersonalL)})
    if len(names) > 1:
        raise PlanError(
            "Persons can ask for one l each; the promises read several columns: {names}.",
            "name one column as `asked`.",
            names=names,
        )
    return names[0] if names else None


def counted_beside(engine: Engine[T], table: T, plan: Plan) -> tuple[Attribute, ...]:
    """The columns of wishes, bound as whole numbers, and others that criteria read, to be counted beside the sensitive ones.

    Raises:
        SchemaError: a cell that is no whole number >= 0. No cell is shown.
    """
    wishes = [name for name in dict.fromkeys((plan.personal_k, plan.personal_l)) if name]
    others = [name for name in columns_beside(plan.promises) if name not in wishes]
    read = (bind_over(engine, [table], plan.schema[name]) for name in others)
    return (*(_bound(engine, table, plan, name) for name in wishes), *read)


def taken(finest: Classes, plan: Plan, n_sensitive: int) -> tuple[Classes, tuple[Wish, ...]]:
    """The finest classes with the counts that no release shows beside the others; and the wishes.

    Args:
        finest: counted with the columns of `counted_beside` after the sensitive ones.
        plan: what was asked.
        n_sensitive: sensitive columns that were counted.
    """
    found = {h.attribute.name: h for h in finest.histograms[n_sensitive:]}
    wishes = tuple(
        Wish(model, asks_of(found[name].attribute), found[name])
        for model, name in (("personal-k", plan.personal_k), ("personal-l", plan.personal_l))
        if name
    )
    beside = tuple(found[name] for name in columns_beside(plan.promises))
    return replace(finest, histograms=finest.histograms[:n_sensitive], beside=beside), wishes


def loss_by_wish(wish: Wish, member: IntArray | None, published: Published, *, floor: int) -> list[LossOfWish]:
    """Who loses what: for each wish the persons who have it, those suppressed, and the loss of the others' cells.

    A wish of fewer than `floor` persons is told together with the next larger ones (the last with the one before).

    Args:
        wish: what was asked for.
        member: (n_fine,) int64, published class of each finest tuple, -1: suppressed; None: not known.
        published: the release.
        floor: least persons told of, >= 1.

    Returns:
        One for each group of wishes. What was suppressed and lost is None where rows of one tuple went to several
        classes, the loss also where a label was not understood.
    """
    rows = []
    for low, high, mask in _groups(wish, floor):
        chosen = mask[wish.counts.value]
        owner, persons = wish.counts.owner[chosen], wish.counts.count[chosen]
        gone = None if member is None else _mean((member[owner] < 0).astype(np.float64), persons)
        is_known = member is not None and published.is_understood
        loss = _mean(_loss(published, member[owner]), persons) if member is not None and is_known else None
        rows.append(
            LossOfWish(
                model=wish.model,
                column=wish.counts.attribute.name,
                asked=(low, high),
                persons=int(persons.sum()),
                suppressed=gone,
                loss=loss,
            )
        )
    return rows


def _bound(engine: Engine[T], table: T, plan: Plan, name: str) -> Attribute:
    """One column of wishes."""
    column = replace(plan.schema[name], kind=Kind.INTEGER, hierarchy=None)
    attribute = bind(column, in_order(engine.summarize(table, MarginalOf(name)).values))
    if attribute.positions is not None and (np.nan_to_num(attribute.positions) < 0).any():
        raise SchemaError(
            "Every cell of {name!r}, in which persons ask for their own k or l, must be a whole number >= 0; some are not.",
            "correct them; leave the cell missing where nobody asks.",
            name=name,
        )
    return attribute


def _groups(wish: Wish, floor: int) -> list[tuple[int, int, BoolArray]]:
    """Lowest and highest wish of each group, and (n_leaves,) bool which values belong to it."""
    n_leaves = len(wish.asks)
    by_leaf = np.bincount(wish.counts.value, weights=wish.counts.count, minlength=n_leaves)
    asked, of = np.unique(wish.asks, return_inverse=True)
    persons = np.bincount(of, weights=by_leaf, minlength=len(asked))
    groups: list[list[int]] = [[]]
    for i in np.flatnonzero(persons).tolist():
        if groups[-1] and persons[groups[-1]].sum() >= floor:
            groups.append([])
        groups[-1].append(i)
    if len(groups) > 1 and persons[groups[-1]].sum() < floor:
        last = groups.pop()
        groups[-1] += last
    return [(int(asked[g[0]]), int(asked[g[-1]]), np.isin(of, g)) for g in groups if g]


def _loss(published: Published, member: IntArray) -> FloatArray:
    """(n,) mean penalty of the cells of a class; 1 for suppressed rows."""
    codes = published.classes.codes
    parts = [spans.ncp(Ncp.WIDTH)[codes[:, j]] for j, spans in enumerate(published.spans)]
    by_class = np.append(np.mean(parts, axis=0), 1.0)
    return np.asarray(by_class[member], np.float64)


def _mean(values: FloatArray, persons: IntArray) -> float | None:
    return float(values @ persons / persons.sum()) if len(persons) else None
