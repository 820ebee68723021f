"""A column bound to the values that the table really holds: what mathematics needs of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.number import in_order, positions
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.schema import Column
    from sfumato.types import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """One column, its tree, and where its leaves lie on the number line.

    Codes of this attribute, everywhere, are indices into `hierarchy.labels[0]`.

    Args:
        column: the declaration.
        hierarchy: the tree; its leaves include every value of the table.
        positions: (n_leaves,) float64, numeric value of each leaf (dates: days since 1970-01-01),
            NaN for a missing one; None for text.
    """

    column: Column
    hierarchy: Hierarchy
    positions: FloatArray | None

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.column.name


def bind(column: Column, values: Sequence[str | None]) -> Attribute:
    """Bind a declared column to its distinct values (None: missing).

    Raises:
        HierarchyError: the hierarchy does not hold every value. The message says what to do.

    Example:
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["34", "5", None])
        >>> age.hierarchy.labels[0], age.positions.tolist()
        (('5', '34', None), [5.0, 34.0, nan])
    """
    present = [value for value in values if value is not None]
    if column.hierarchy is None:
        tree = Hierarchy.flat(column.name, in_order(column, present) or [None])
    else:
        tree = column.hierarchy.build(column, present)
    if len(present) < len(values):
        tree = tree.with_missing()
    numbers = positions(column, tree.labels[0]) if column.kind.is_ordered else None
    return Attribute(column, tree, numbers)


def coarsened(attribute: Attribute, level: int) -> Attribute:
    """The attribute whose values are the labels of a level: what remains of it when the table was recoded so.

    Args:
        attribute: the column.
        level: 0 (nothing happens) to the height of its hierarchy.

    Example:
        >>> from sfumato.table.schema import Column, Role
        >>> tree = Hierarchy.from_paths("zip", [("75001", "75", "*"), ("75014", "75", "*"), ("01000", "01", "*")])
        >>> coarsened(Attribute(Column("zip", Role.QUASI_IDENTIFYING), tree, None), 1).hierarchy.labels
        (('75', '01'), ('*',))
    """
    if level == 0:
        return attribute
    tree = attribute.hierarchy
    ancestors = tuple(tree.step(level, above) for above in range(level, tree.height + 1))
    coarse = Hierarchy(tree.column, tree.labels[level:], ancestors)
    return Attribute(replace(attribute.column, kind=Kind.TEXT), coarse, None)
