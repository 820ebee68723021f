"""What a mechanism of central differential privacy reads: totals of whole numbers by declared key.

An ask says, in public, which rows count, in which groups, and what is added up; the engine bounds each
person's contribution and returns the totals. All of it is decided before the table is read.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.summary.ask import Ask

if TYPE_CHECKING:
    from sfumato.table.domain import Categories, Domain, Range
    from sfumato.table.unit import Unit
    from sfumato.types import IntArray


class Comparison(Enum):
    """How a condition compares a cell with public values."""

    EQUAL = "="
    NOT_EQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    IN = "in"
    NOT_IN = "not in"


@dataclass(frozen=True, slots=True)
class Condition:
    """One public condition on one column; a row whose cell is missing or not comparable does not meet it.

    Args:
        column: a column with a declared domain.
        comparison: how it is compared; order comparisons need a `Range`.
        values: one public value, or several for IN and NOT_IN; texts for categories, numbers as texts for ranges.
    """

    column: str
    comparison: Comparison
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Join:
    """A public table that adds columns to each row: at most one public row for each key, so nothing multiplies.

    Args:
        table: the public rows as text, one tuple for each row, in the order of `columns`; None where a cell is missing. A
            row whose key is missing fits nobody.
        columns: names of its columns; they must not occur in the private table, but for `on`.
        on: the column that both tables have; unique in the public table.
        is_inner: whether a private row without a public one is left out; else what it would add is missing.
    """

    table: tuple[tuple[str | None, ...], ...]
    columns: tuple[str, ...]
    on: str
    is_inner: bool = False


@dataclass(frozen=True, slots=True)
class Keyed:
    """One grouping column.

    Args:
        column: its name.
        domain: the declared categories, or a range together with `edges`; None: keys are read from the table
            and must pass a partition selection before anything is published.
        edges: inner and outer bin edges on the range as grid places, increasing, first 0 and last `size`
            (bin i holds places edges[i] <= place < edges[i+1]); None: each category is a group.
    """

    column: str
    domain: Domain | None
    edges: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """One total by group: the sum over kept rows of a product of centered grid places.

    Each factor is (place - center) of a range column, with a public center; no factor: the rows themselves (a
    count). A row in which one factor is missing counts nowhere in this term.

    Args:
        factors: (column, center) pairs, at most two.
    """

    factors: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class BoundedAsk(Ask["BoundedTotals"]):
    """Everything the engine must know to make the totals of one answer.

    Args:
        unit: persons, and the most they contribute.
        terms: what is added up.
        by: grouping columns; () for the whole table as one group.
        where: public conditions, all of which a row must meet.
        ranges: domain of every column that occurs in a factor or in a condition on numbers.
        complete: columns that must not be missing for a row to count in any term (so that a mean's count and
            sum are over the same rows).
        distinct: whether terms count each person at most once in a group (COUNT DISTINCT person).
        join: a public table that is joined first; None: none.
    """

    unit: Unit
    terms: tuple[Term, ...]
    by: tuple[Keyed, ...] = ()
    where: tuple[Condition, ...] = ()
    ranges: tuple[tuple[str, Range], ...] = ()
    complete: tuple[str, ...] = ()
    distinct: bool = False
    join: Join | None = None
    categories: tuple[tuple[str, Categories], ...] = ()


@dataclass(frozen=True, slots=True)
class Places(Ask["BoundedPlaces"]):
    """The grid places of one range column in the bounded rows of one group.

    Args:
        rows: which rows count, and the most of a person; without terms or groups.
        column: a column of its ranges.
    """

    rows: BoundedAsk
    column: str


@dataclass(frozen=True, slots=True, eq=False)
class BoundedTotals:
    """The totals. Private until a mechanism has added noise: never logged, shown or pickled.

    Args:
        totals: (n_terms, n_groups) int64, saturated at ±2⁶².
        keys: the groups' keys where they were read from the table (partition selection); None where declared: the
            groups are then the product of the declared domains in order, the last column running fastest.
        persons: (n_groups,) int64 persons in each group, only where keys were read from the table.
    """

    totals: IntArray
    keys: tuple[tuple[str | None, ...], ...] | None = None
    persons: IntArray | None = None

    def __repr__(self) -> str:
        """No private number, wherever this is printed."""
        return f"BoundedTotals({self.totals.shape[0]} terms, {self.totals.shape[1]} groups)"

    def __reduce__(self) -> tuple[object, ...]:
        """Private totals are not pickled."""
        raise TypeError("Private totals are not pickled: they would lie on a disk in clear.")


@dataclass(frozen=True, slots=True, eq=False)
class BoundedPlaces:
    """The grid places of one range column after bounding, in no meaningful order. Private like the totals.

    Args:
        places: (n,) int64 in [0, size).
        size: grid points of the declared range.
    """

    places: IntArray
    size: int

    def __repr__(self) -> str:
        """No private number, not even how many there are."""
        return f"BoundedPlaces(size={self.size})"

    def __reduce__(self) -> tuple[object, ...]:
        """Private places are not pickled."""
        raise TypeError("Private places are not pickled: they would lie on a disk in clear.")
