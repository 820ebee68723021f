"""Quasi-identifiers counted at declared levels of their hierarchies: what lies below them no sum tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.table.attribute import bind, coarsened
from sfumato.together.sums.declared import Cells, declared_values, places_of
from sfumato.together.table import Coded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.together import SumsTable
    from sfumato.table.attribute import Attribute
    from sfumato.table.schema import Column


@dataclass(frozen=True, slots=True, eq=False)
class Coarse:
    """Columns whose values are recoded before they are counted.

    Args:
        fine: attributes bound to all declared values.
        levels: level of each.
    """

    fine: tuple[Attribute, ...]
    levels: tuple[int, ...]

    @property
    def attributes(self) -> list[Attribute]:
        """The columns as they are counted: their values are the labels of their levels."""
        return [coarsened(one, level) for one, level in zip(self.fine, self.levels, strict=True)]

    @property
    def cells(self) -> Cells:
        """All tuples of these labels."""
        return Cells(tuple(one.name for one in self.fine), tuple(one.hierarchy.labels[0] for one in self.attributes))

    def recoded(self, columns: Sequence[Coded]) -> list[Coded]:
        """The columns of a hospital as they are counted.

        Raises:
            SchemaError: a value that is not declared.
        """
        out = []
        for attribute, level, one in zip(self.fine, self.levels, columns, strict=True):
            tree = attribute.hierarchy
            above = tree.ancestors[level][places_of(attribute.name, tree.labels[0], one)]
            used, of = np.unique(above, return_inverse=True)
            out.append(Coded(tuple(tree.labels[level][i] for i in used.tolist()), of[one.codes]))
        return out


def coarse_of(columns: Sequence[Column], sums: SumsTable, levels: Mapping[str, int]) -> Coarse:
    """Declared values of the quasi-identifiers, and the levels at which they are counted.

    Args:
        columns: the quasi-identifiers.
        sums: declares values.
        levels: level by name; a column that has none keeps its values.

    Raises:
        PlanError: values that are not declared, or levels of no column or hierarchy. Remedy: correct them.
    """
    fine = tuple(bind(column, declared_values(column, sums)) for column in columns)
    unknown = sorted(set(levels) - {one.name for one in fine})
    high = {one.name: one.hierarchy.height for one in fine}
    wrong = unknown or [name for name, level in levels.items() if not 0 <= level <= high[name]]
    if wrong:
        raise PlanError(
            "`levels` must give quasi-identifiers levels of their hierarchies; {name!r} has none such.",
            "correct the levels.",
            name=wrong[0],
        ).below("sums", "levels")
    return Coarse(fine, tuple(levels.get(one.name, 0) for one in fine))
