"""What an engine is asked of a table: one frozen class for each family of summaries, generic in what comes back.

A new family adds an ask here (or beside its summary, as `bounded` does) and one entry to each engine that answers it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from sfumato.frozen import dataclass
from sfumato.summary.classes import Classes
from sfumato.types import IntArray

if TYPE_CHECKING:
    from sfumato.table.attribute import Attribute

S_co = TypeVar("S_co", covariant=True)


class Ask(Generic[S_co]):
    """A question to a table whose answer is a summary of type S."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Tuples(Ask[Classes]):
    """The distinct tuples of quasi-identifiers at the finest level, with the counts that mechanisms and criteria need.

    Args:
        quasi_identifiers: attributes whose distinct tuples are counted.
        sensitive: attributes whose values are counted within each tuple.
        person: column that identifies a person; None: a row is a person.
        personal_k: column that holds each person's own k; None: nobody asks.
        subset: boolean column (or 0/1 text) that marks the rows to be published among a larger
            population; None: all rows are published and no population is known.
    """

    quasi_identifiers: tuple[Attribute, ...]
    sensitive: tuple[Attribute, ...] = ()
    person: str | None = None
    personal_k: str | None = None
    subset: str | None = None


@dataclass(frozen=True, slots=True)
class TupleEstimate(Ask[int]):
    """About how many distinct tuples of the columns there are, within a few percent; no tuple is kept."""

    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Marginal:
    """Distinct values of one column as canonical text (None: missing), with row counts, in no particular order."""

    values: tuple[str | None, ...]
    counts: IntArray


@dataclass(frozen=True, slots=True)
class MarginalOf(Ask[Marginal]):
    """Distinct values of a column."""

    column: str


@dataclass(frozen=True, slots=True)
class Marginals(Ask[Mapping[str, Marginal]]):
    """Distinct values of several columns, in time that grows as their number."""

    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FirstRows(Ask[tuple[tuple[str | None, ...], ...]]):
    """The first rows of a table as canonical texts (None: missing), to be looked at by somebody who may see the table.

    Args:
        columns: which columns, in this order; at least one.
        most: rows at most.
    """

    columns: tuple[str, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Canonical(Ask[tuple[str, ...]]):
    """What public texts are among the cells of a column, by its type alone: equal where they are one cell.

    No row is read. A `SchemaError` says that there is no such column, or none that can be asked about.
    """

    column: str
    texts: tuple[str, ...]


class RowCount(Protocol):
    """A function from rows to counts with count(a and b) = count(a) + count(b).

    It is pickled and sent to other machines: a frozen dataclass of plain data.
    """

    def __call__(self, cells: Sequence[Sequence[str | None]]) -> IntArray:
        """(size,) int64 counts of some rows; one list of texts for each column, None for null.

        Raises:
            ReportError: rows that cannot be counted. The message shows no cell.
        """
        ...


@dataclass(frozen=True, slots=True)
class Counting(Ask[IntArray]):
    """Counts that no group-by can make (reports of local privacy), made part by part and added up: (size,) int64.

    Args:
        columns: the columns that are read, as text.
        size: number of counts.
        count: counts some rows.
    """

    columns: tuple[str, ...]
    size: int
    count: RowCount
