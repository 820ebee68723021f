"""Lines: rows that are told by their place in a file, read strictly, with every fault at its line and column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, cast

import numpy as np

from sfumato.errors import InternalError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.types import BoolArray, FloatArray, IntArray

CellKind: TypeAlias = Literal["text", "number", "whole", "time", "day"]
"""What a cell must be: any text, a finite number, a whole number, `YYYY-MM-DD HH:MM:SS`, or `YYYY/MM/DD`."""

NO_TIME = -(2**62)
"""Stands for the time, day or whole number of a cell that is empty."""

MUST_BE: dict[CellKind, str] = {
    "text": "must not be empty.",
    "number": "must be a finite number.",
    "whole": "must be a whole number.",
    "time": "must be a time such as 2015-03-04 00:35:54.",
    "day": "must be a day such as 2010/12/01.",
}
"""What a fault of a cell says, by the kind of its column."""


@dataclass(frozen=True, slots=True)
class LineColumn:
    """A column of lines.

    Args:
        name: what it is called, also where the file has no names.
        kind: what its cells must be.
    """

    name: str
    kind: CellKind


@dataclass(frozen=True, slots=True)
class LineShape:
    """How lines are written.

    Args:
        columns: in the order of the file; the first says whose a line is.
        separator: one character between cells. No cell is quoted.
        header: whether the first line names the columns.
        deleted: the first cell of a line whose other cells do not count and may be empty; None: there are none.
    """

    columns: tuple[LineColumn, ...]
    separator: str
    header: bool
    deleted: str | None = "DEL"


@dataclass(frozen=True, slots=True)
class LineFault:
    """What is wrong with a line.

    Args:
        line: of the file, from 1; 0: the file as a whole.
        column: name of the column; None: the line as a whole.
        must: what must be true of it, as a sentence without its subject.

    Example:
        >>> LineFault(12, "latitude", "must be a finite number.").sentence
        'Line 12, latitude: must be a finite number.'
    """

    line: int
    column: str | None
    must: str

    @property
    def sentence(self) -> str:
        """Where, and what must be true there."""
        place = f"Line {self.line}" if self.line else "The file"
        return f"{place}{f', {self.column}' if self.column else ''}: {self.must}"


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Texts of a column, each said once.

    Args:
        names: distinct texts, sorted.
        codes: (n,) int64 place in `names`; -1: the cell is empty.
    """

    names: tuple[str, ...]
    codes: IntArray

    def is_named(self, name: str) -> BoolArray:
        """(n,) whether a cell is that text."""
        return np.asarray(self.codes == (self.names.index(name) if name in self.names else -2))

    def are(self, such: Callable[[str], bool]) -> BoolArray:
        """(n,) whether a cell is a text of which something is true; an empty one is not."""
        return np.array([*map(such, self.names), False])[self.codes]


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Lines in the order of their file.

    Args:
        columns: by name. Texts are `Labels`; numbers (n,) float64, NaN: empty; others (n,) int64 (seconds or days since
            1970, whole numbers), `NO_TIME`: empty.
        rows: n.
        first: line of the file on which the first row stands.

    Raises:
        InternalError: a column that is asked for by another kind.
    """

    columns: Mapping[str, Labels | FloatArray | IntArray]
    rows: int
    first: int = 1

    def labels(self, name: str) -> Labels:
        """A column of texts."""
        found = self.columns[name]
        if not isinstance(found, Labels):
            raise InternalError("Column {name!r} does not hold texts.", name=name)
        return found

    def numbers(self, name: str) -> FloatArray:
        """A column of numbers."""
        found = self.columns[name]
        if isinstance(found, Labels) or found.dtype.kind != "f":
            raise InternalError("Column {name!r} does not hold numbers.", name=name)
        return cast("FloatArray", found)

    def whole(self, name: str) -> IntArray:
        """A column of whole numbers, times or days."""
        found = self.columns[name]
        if isinstance(found, Labels) or found.dtype.kind != "i":
            raise InternalError("Column {name!r} does not hold whole numbers.", name=name)
        return cast("IntArray", found)
