"""Tables with more distinct tuples than fit in memory: columns are generalized before they are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.recipe.recipe import Recipe
from sfumato.recipe.steps import Recode
from sfumato.summary.ask import TupleEstimate
from sfumato.table.attribute import coarsened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine
    from sfumato.noise.bits import Bits
    from sfumato.release.plan import Plan
    from sfumato.table.attribute import Attribute

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
    """The attributes at their base levels."""
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
