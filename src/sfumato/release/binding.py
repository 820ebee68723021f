"""Columns of a table bound to the values that it holds, and which of them are recodings of each other.

Values are bound in an order that does not depend on the engine. `education-num` is `education` in numbers: publishing it
unchanged beside a generalized `education` gives everything away. Column a determines column b when every value of a occurs
with one value of b, that is when there are as many distinct pairs as distinct values of a. Where a table has more distinct
tuples than fit in memory, columns are generalized before they are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.recipe.recipe import Recipe
from sfumato.recipe.steps import Recode
from sfumato.summary.ask import MarginalOf, Marginals, TupleEstimate, Tuples
from sfumato.table.attribute import Attribute, bind, coarsened
from sfumato.table.hierarchy.tree import shared_labels
from sfumato.table.schema import Column, Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.base import Engine
    from sfumato.noise.bits import Bits
    from sfumato.release.plan import Plan
    from sfumato.types import IntArray

T = TypeVar("T")

RULE = (
    "Before the classes were counted, one quasi-identifier after the other went up one level of its hierarchy, each "
    "time the one with the most distinct labels that was still two levels below its top, until the estimated number "
    "of distinct tuples was within the limit."
)


@dataclass(frozen=True, slots=True, eq=False)
class Countable(Generic[T]):
    """A table whose distinct tuples fit in memory.

    Args:
        table: the table; its quasi-identifiers hold labels of their base levels.
        attributes: the quasi-identifiers; their leaves are those labels.
        base: level of each in its original hierarchy; 0: as it was.
        note: what was done and why; "" for nothing.
    """

    table: T
    attributes: tuple[Attribute, ...]
    base: tuple[int, ...]
    note: str = ""


def countable(  # noqa: PLR0913
    engine: Engine[T], table: T, attributes: tuple[Attribute, ...], plan: Plan, sensitive: Sequence[Attribute], bits: Bits,
    *, is_fixed: bool = False,
) -> Countable[T]:  # fmt: skip
    """Generalize quasi-identifiers until about `plan.most_tuples` distinct tuples are left (see RULE).

    The estimate is made by the engine in one pass without keeping tuples, for the quasi-identifiers and for each
    sensitive column with them.

    Args:
        engine: where data live.
        table: its handle of a table of more rows than that; one of fewer is taken as it is, unread.
        attributes: the quasi-identifiers.
        plan: for its limit.
        sensitive: the columns that are counted within each tuple.
        bits: for `apply`, which draws nothing here.
        is_fixed: whether the plan fixes the levels.

    Raises:
        PlanError: no column can be generalized further, or the plan fixes the levels. Remedy: in the message.
    """
    most, base = plan.most_tuples, [0] * len(attributes)
    now, found = table, _estimate(engine, table, attributes, sensitive, most)
    first = found
    while found > most:
        j = _widest(attributes, base)
        if j is None or is_fixed:
            raise _too_many(found, most)
        base[j] += 1
        steps = tuple(Recode(a, level) for a, level in zip(attributes, base, strict=True) if level)
        now = engine.apply(table, Recipe(columns=steps), bits=bits)
        found = _estimate(engine, now, _at(attributes, base), sensitive, most)
    note = "" if now is table else _note(attributes, base, first, most)
    return Countable(now, _at(attributes, base), tuple(base), note)


def _estimate(
    engine: Engine[T], table: T, attributes: Sequence[Attribute], sensitive: Sequence[Attribute], most: int
) -> int:
    """About how many counts a summary would hold: tuples, or tuples with a value of a sensitive column."""
    names = [a.name for a in attributes]
    found = engine.summarize(table, TupleEstimate(tuple(names)))
    for attribute in sensitive:
        if found <= most < found * attribute.hierarchy.n_leaves:
            found = max(found, engine.summarize(table, TupleEstimate((*names, attribute.name))))
    return found


def _widest(attributes: Sequence[Attribute], base: Sequence[int]) -> int | None:
    """The attribute that goes up next."""
    able = [j for j, a in enumerate(attributes) if base[j] + 1 < a.hierarchy.height]
    return max(able, key=lambda j: len(attributes[j].hierarchy.labels[base[j]]), default=None)


def _at(attributes: Sequence[Attribute], base: Sequence[int]) -> tuple[Attribute, ...]:
    return tuple(coarsened(a, level) for a, level in zip(attributes, base, strict=True))


def _note(attributes: Sequence[Attribute], base: Sequence[int], found: int, most: int) -> str:
    """What was done, for the report."""
    raised = ", ".join(f"{a.name!r} to level {level}" for a, level in zip(attributes, base, strict=True) if level)
    return (
        f"The table holds about {found:,} distinct tuples, more than the limit of {most:,}: {raised}. {RULE} Losses and "
        "risks of the original are those of the table so generalized."
    )


def _too_many(found: int, most: int) -> PlanError:
    """Even the coarsest columns hold too much."""
    return PlanError(
        "A summary must hold at most {most:,} distinct tuples; the table has about {found:,}, and its "
        "quasi-identifiers cannot be generalized further beforehand.",
        "give the columns with most values a hierarchy of several levels or a coarser one, take a column out of the "
        "quasi-identifiers, or raise `most_tuples` where memory allows (about 600 bytes a tuple).",
        most=most,
        found=found,
    )


_MOST_VALUES = 1000
"""Columns with more distinct values are left out: nearly unique ones determine everything."""
_REPEATS = 4
"""A value must occur this often on average: where values hardly repeat, everything determines everything."""
_MOST_COLUMNS = 40
"""Most columns whose pairs are looked at."""
MOST_CELLS = 40_000_000
"""Larger tables are summarized pair by pair instead of once for all columns."""
_GLANCE = 2000
"""Tuples that are looked at first: most pairs are ruled out by them."""


def bind_role(engine: Engine[T], table: T, plan: Plan, role: Role) -> tuple[Attribute, ...]:
    """The columns of a role, in table order, bound to the values that the table holds."""
    columns = plan.schema.with_role(role)
    found = engine.summarize(table, Marginals(tuple(column.name for column in columns)))
    return tuple(bind(column, in_order(found[column.name].values)) for column in columns)


def bind_over(engine: Engine[T], tables: Sequence[T], column: Column) -> Attribute:
    """A column bound to the values that any of the tables holds."""
    values = {value for table in tables for value in engine.summarize(table, MarginalOf(column.name)).values}
    return bind(column, in_order(tuple(values)))


def shared_names(attributes: Sequence[Attribute]) -> list[str]:
    """What a reader should know of labels that stand for fewer values lower in their hierarchy."""
    return [
        f"In the hierarchy of {attribute.name!r} {n} labels are borne at several levels, for more values higher up: rows "
        "of both look alike in the release."
        for attribute in attributes
        if (n := len(shared_labels(attribute.hierarchy)))
    ]


def in_order(values: tuple[str | None, ...]) -> list[str | None]:
    """Values by text, the missing one last."""
    return sorted(values, key=lambda value: (value is None, value or ""))


@dataclass(frozen=True, slots=True)
class Recoding:
    """`column` determines `other`: whoever reads the first knows the second."""

    column: str
    other: str
    both_ways: bool


def recodings(
    engine: Engine[T], table: T, values: Mapping[str, Sequence[str | None]], *, others: Sequence[str] | None = None
) -> list[Recoding]:
    """Every pair of columns in which one determines the other.

    Args:
        engine: where data live.
        table: its handle of the table.
        values: the distinct values of each column to look at; constant and nearly unique columns,
            and those beyond the fortieth, are passed over.
        others: only pairs of one of these columns with one that is not; None: all pairs.
    """
    wanted = None if others is None else set(others)
    most = min(_MOST_VALUES, engine.header(table).n_rows // _REPEATS)
    fit = [name for name in values if 1 < len(values[name]) <= most]
    fit = sorted(fit, key=lambda name: wanted is not None and name not in wanted)[:_MOST_COLUMNS]
    bound = {name: flat(name, values[name]) for name in fit}
    pairs = [(a, b) for a, b in combinations(bound, 2) if wanted is None or (a in wanted) != (b in wanted)]
    found: list[Recoding] = []
    for one, two, codes in _joint(engine, table, bound, pairs):
        found += _found(one, two, codes)
    return found


def _joint(
    engine: Engine[T], table: T, bound: Mapping[str, Attribute], pairs: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str, IntArray]]:
    """The tuples (n, 2) of each pair that could be a recoding."""
    if engine.header(table).n_rows * len(bound) > MOST_CELLS:
        for one, two in pairs:
            yield one, two, engine.summarize(table, Tuples((bound[one], bound[two]))).codes
        return
    if not pairs:
        return
    codes = engine.summarize(table, Tuples(tuple(bound.values()))).codes
    place = {name: j for j, name in enumerate(bound)}
    for one, two in pairs:
        columns = [place[one], place[two]]
        if _found(one, two, codes[:_GLANCE, columns]):
            yield one, two, codes[:, columns]


def flat(name: str, values: Sequence[str | None]) -> Attribute:
    """A column without meaning."""
    return bind(Column(name, Role.INSENSITIVE), in_order(tuple(values)))


def _n_distinct(codes: IntArray) -> int:
    """How many numbers from 0 on, below a million or so (`_MOST_VALUES` squared), an array has: ticked off, not sorted."""
    seen = np.zeros(int(codes.max()) + 1, np.bool_)
    seen[codes] = True
    return int(np.count_nonzero(seen))


def _found(one: str, two: str, codes: IntArray) -> list[Recoding]:
    """Recodings among tuples (n, 2) of two columns."""
    radix = int(codes[:, 1].max()) + 1
    n_pairs = _n_distinct(codes[:, 0] * radix + codes[:, 1])
    forward = n_pairs == _n_distinct(codes[:, 0])
    backward = n_pairs == _n_distinct(codes[:, 1])
    out = [Recoding(one, two, backward)] if forward else []
    return [*out, Recoding(two, one, forward)] if backward and not forward else out
