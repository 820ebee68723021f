"""Which steps are handed to the workers, row by row, and what is drawn once and stored?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sfumato.engine.spark.draft import Cell
from sfumato.engine.spark.store import stored
from sfumato.engine.spark.work import CellWork, Drawn, RowWork
from sfumato.errors import ParameterError
from sfumato.noise.bits import SystemBits
from sfumato.recipe.steps import Randomize, Rewrite, Round, TopBottom, column_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from fractions import Fraction

    from sfumato.engine.spark.draft import Draft
    from sfumato.noise.bits import Bits
    from sfumato.recipe.steps import ColumnStep

OWN = (Randomize, Rewrite, Round, TopBottom)
"""Steps that need one cell only."""


def rows_alone(
    draft: Draft, steps: Sequence[ColumnStep], keep: Fraction | None, *, as_text: Collection[str], bits: Bits
) -> None:
    """Publish cells that need no other row, and keep rows by a coin; one pass of the workers.

    Args:
        draft: the release.
        steps: all steps of the recipe; those of other kinds are left alone.
        keep: chance that a row stays; None: every one does.
        as_text: columns whose results must be text.
        bits: must be secure where chance is asked for: workers ask their own systems.

    Raises:
        ParameterError: `bits` is a seeded source. Remedy: the embedded engine can replay chance.
    """
    mine = [step for step in steps if isinstance(step, OWN)]
    if not mine and keep is None:
        return
    has_chance = keep is not None or any(isinstance(step, Randomize) for step in mine)
    if has_chance and not bits.is_secure:
        raise ParameterError(
            "A cluster draws chance from the systems of its machines and cannot repeat it; a seeded source was given.",
            "give `SystemBits()`, or use the embedded engine to repeat a draw.",
        )
    works = tuple(_work(draft, step, i, as_text=column_of(step) in as_text) for i, step in enumerate(mine))
    _hand_out(draft, works, keep)
    if has_chance:
        draft.frame = stored(draft.frame)


def _work(draft: Draft, step: Randomize | Rewrite | Round | TopBottom, number: int, *, as_text: bool) -> CellWork:
    """A step in the form that is sent to workers."""
    column = column_of(step)
    what = Drawn(step.attribute.hierarchy.labels[0], step.draw) if isinstance(step, Randomize) else step
    missing = draft.table.missing_codes(column)
    target = f"w{number}"
    draft.cells[column] = Cell(target, target)
    return CellWork(draft.inner(column), target, column, what, missing, as_text)


def _hand_out(draft: Draft, works: tuple[CellWork, ...], keep: Fraction | None) -> None:
    """Let the workers do it; the types of the results are found on no rows."""
    from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema

    struct = draft.frame.schema
    before = to_arrow_schema(struct)
    fields = [f"{field.name} {field.dataType.simpleString()}" for field in struct.fields]
    for work in works:
        nothing: Any = pa.array([], before.field(work.source).type)
        kind = work.apply(nothing, draft.connection, bits=SystemBits()).type
        fields.append(f"{work.target} {from_arrow_type(kind).simpleString()}")
    draft.frame = draft.frame.mapInArrow(RowWork(works, keep), ", ".join(fields))
