"""Values and cells that are declared before anybody counts: what a sum is about does not depend on the data."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import PlanError, SchemaError
from sfumato.frozen import dataclass
from sfumato.mechanism.secure_sum.terms import MOST_CELLS
from sfumato.table.hierarchy.csv_file import CsvFile
from sfumato.table.hierarchy.groups import Groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.together import DomainTable, SumsTable
    from sfumato.table.schema import Column
    from sfumato.together.table import Coded
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """All tuples of declared values, numbered; the values of the last column change fastest.

    Args:
        names: of the columns.
        values: of each column, None for a missing cell.

    Example:
        >>> cells = Cells(("sex", "age"), (("f", "m"), ("0", "1", "2")))
        >>> cells.n, cells.numbers_of(np.array([[1, 0]])).tolist(), cells.tuples_of(np.array([3])).tolist()
        (6, [3], [[1, 0]])
    """

    names: tuple[str, ...]
    values: tuple[tuple[str | None, ...], ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of values of each column."""
        return tuple(len(values) for values in self.values)

    @property
    def n(self) -> int:
        """Number of cells; 1 without columns."""
        return prod(self.sizes)

    def numbers_of(self, codes: IntArray) -> IntArray:
        """(n,) int64: the cell of each row of places in `values`."""
        out = np.zeros(len(codes), np.int64)
        for j, size in enumerate(self.sizes):
            out = out * size + codes[:, j]
        return out

    def tuples_of(self, numbers: IntArray) -> IntArray:
        """(n, m) int64: places in `values` of each cell."""
        out = np.empty((len(numbers), len(self.sizes)), np.int64)
        rest = numbers
        for j in range(len(self.sizes) - 1, -1, -1):
            rest, out[:, j] = np.divmod(rest, self.sizes[j])
        return out

    def coded(self, columns: Sequence[Coded], n: int) -> IntArray:
        """(n,) int64: the cell of each of n rows of a hospital.

        Raises:
            SchemaError: a value that is not declared. Remedy: declare it, in the terms of all.
        """
        codes = []
        for name, values, one in zip(self.names, self.values, columns, strict=True):
            codes.append(places_of(name, values, one)[one.codes])
        return self.numbers_of(np.stack(codes, axis=1)) if codes else np.zeros(n, np.int64)


def places_of(name: str, values: Sequence[str | None], one: Coded) -> IntArray:
    """(distinct values of a hospital,) int64: the place of each among the declared ones.

    Raises:
        SchemaError: a value that is not declared. Remedy: declare it, in the terms of all.
    """
    place = {value: i for i, value in enumerate(values)}
    unknown = sum(value not in place for value in one.values)
    if unknown:
        raise SchemaError(
            "All values of column {name!r} must be declared; {n} of this table are not.",
            "add them to [[sums.domain]] or to the file of the hierarchy, in the terms of all.",
            name=name,
            n=unknown,
        )
    return np.array([place[value] for value in one.values], np.int64)


def cells_of(columns: Sequence[Column], sums: SumsTable) -> Cells:
    """The cells of some columns.

    Raises:
        PlanError: values that are not declared, or too many cells. Remedy: declare them, or fewer.
    """
    return checked(Cells(tuple(column.name for column in columns), tuple(declared_values(c, sums) for c in columns)))


def checked(cells: Cells) -> Cells:
    """The cells, if they can be added.

    Raises:
        PlanError: there are too many. Remedy: declare fewer.
    """
    if cells.n > MOST_CELLS:
        raise PlanError(
            "Hospitals add at most {most:,} cells; the declared values of {names} make {n:,}.",
            "declare coarser values, or fewer columns.",
            most=MOST_CELLS,
            names=list(cells.names),
            n=cells.n,
        ).below("sums")
    return cells


def asked_of(column: Column, sums: SumsTable) -> Cells:
    """What persons may ask for: whole numbers, 0 for nobody who asks.

    Raises:
        PlanError: they are not declared, or no whole numbers. Remedy: declare them.
    """
    values = declared_values(column, sums)
    if not all(value is None or (value.isdecimal() and value.isascii()) for value in values):
        raise PlanError(
            "Declared values of {name!r}, in which persons ask for their own k, must be whole numbers >= 0.",
            "correct them, and say `missing = true` where a person may ask for nothing.",
            name=column.name,
        ).below("sums", "domain")
    numbers = sorted({0 if value is None else int(value) for value in values})
    return Cells((column.name,), (tuple(map(str, numbers)),))


def declared_values(column: Column, sums: SumsTable) -> tuple[str | None, ...]:
    """The declared values of a column.

    Raises:
        PlanError: there are none, or one twice. Remedy: list them.
    """
    table = next((one for one in sums.domain if one.column == column.name), None)
    found: tuple[str | None, ...] = ()
    if table is not None and table.between:
        found = _between(table)
    elif table is not None and table.values:
        found = table.values
    elif isinstance(column.hierarchy, CsvFile | Groups):
        found = column.hierarchy.build(column, []).labels[0]
    if not found or len(set(found)) < len(found):
        raise PlanError(
            "The values of column {name!r} must be declared, each once.",
            "list them in [[sums.domain]], or give the column a hierarchy that names them all.",
            name=column.name,
        ).below("sums", "domain")
    return (*found, None) if table is not None and table.missing and None not in found else found


def _between(table: DomainTable) -> tuple[str, ...]:
    """Whole numbers from the least to the greatest."""
    if len(table.between) != 2 or not 0 <= table.between[1] - table.between[0] < MOST_CELLS:
        raise PlanError(
            "`between` must be the least and the greatest of at most {most:,} whole numbers.",
            "give such as [0, 120].",
            most=MOST_CELLS,
        ).below("sums", "domain")
    return tuple(str(i) for i in range(table.between[0], table.between[1] + 1))
