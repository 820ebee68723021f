"""All that an engine is told to do to one table."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.recipe.steps import Assign, Bucket, ColumnStep, Suppress


class Suppressed(Enum):
    """How a suppressed row leaves the house."""

    STAR = "star"
    """Its quasi-identifiers are published as `*`; the other columns stay."""
    NULL = "null"
    """Its quasi-identifiers are null, and a boolean column `suppressed` says so."""
    DROP = "drop"
    """The row is left out."""


class RowOrder(Enum):
    """In which order the rows are published."""

    KEPT = "kept"
    SHUFFLED = "shuffled"
    """By a uniformly random permutation from the secure source: order can identify."""


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """Steps on single columns, at most one step on classes, and how rows are written.

    Args:
        columns: steps on single columns; a column without a step is published as it is.
        classes: the step on several quasi-identifiers together, if any.
        suppressed: how suppressed rows are published.
        row_order: order of the published rows.
        subset: column that marks the rows to publish (true, 1); None: all rows.
        keep: each row stays with this probability, by an exact coin of its own, before anything else is done;
            drawn once, when the recipe is applied. None: every row stays.
    """

    columns: tuple[ColumnStep, ...] = ()
    classes: Assign | Bucket | Suppress | None = None
    suppressed: Suppressed = Suppressed.STAR
    row_order: RowOrder = RowOrder.KEPT
    subset: str | None = None
    keep: Fraction | None = None
