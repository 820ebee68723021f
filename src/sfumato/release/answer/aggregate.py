"""What an aggregate declares, once, so that Python, SQL, checks, mechanisms and prices know it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from sfumato.table.domain import Categories

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.account.event import PureDP, ZeroConcentratedDP
    from sfumato.mechanism.central.accuracy import Accuracy
    from sfumato.mechanism.central.estimate import Estimate, NumericMechanism, PlaceMechanism
    from sfumato.mechanism.central.price import Price
    from sfumato.release.answer.query import Query
    from sfumato.summary.bounded import Keyed
    from sfumato.table.domain import Range
    from sfumato.table.unit import Unit
    from sfumato.types import IntArray

    Kind: TypeAlias = "type[PureDP | ZeroConcentratedDP]"
    Totals: TypeAlias = "Callable[[Setting, Price], NumericMechanism]"
    Places: TypeAlias = "Callable[[Setting, Price], PlaceMechanism]"
    LeastPrice: TypeAlias = "Callable[[Setting, Accuracy, Kind], Price]"


@dataclass(frozen=True, slots=True)
class Setting:
    """What is public of a question before anything is read: all that a mechanism is made of.

    Args:
        query: the question.
        domains: declared range of each of its columns, where the aggregate needs them.
        unit: persons and their limits.
    """

    query: Query
    domains: tuple[Range, ...]
    unit: Unit

    @property
    def groups(self) -> int:
        """Number of declared groups."""
        return groups_of(self.query.by)


@dataclass(frozen=True, slots=True)
class SqlFunction:
    """A function of SQL that asks for an aggregate.

    Args:
        words: its names.
        node: its kind in the parser's tree.
        columns: which arguments hold the columns.
        quantile: which argument holds a quantile, or the quantile that it always asks for; None: it has none.
        ranked: names that stand before WITHIN GROUP (ORDER BY column) instead.
        of_one: the function of a single column that says the same of a column and itself.
    """

    words: tuple[str, ...]
    node: str
    columns: tuple[str, ...] = ("this",)
    quantile: str | Fraction | None = None
    ranked: tuple[str, ...] = ()
    of_one: str = ""


def one_cell(query: Query) -> tuple[str, ...]:
    """The name of the one number of a group.

    Example:
        >>> from sfumato.release.answer.moments import MEAN
        >>> from sfumato.release.answer.query import Query
        >>> one_cell(Query(MEAN, ("age",)))
        ('mean of age',)
    """
    name = query.aggregate.name
    return (f"{name} of {query.columns[0]}" if query.columns else name,)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """What can be computed over the rows of each group.

    Either `totals` makes a mechanism that reads totals by group, or `places` one that reads the grid places of one column
    in one group.

    Args:
        key: its name in the digest of a question, which never changes.
        name: its name in answers, sentences and errors.
        columns: of how many columns, at least and at most.
        sql: how SQL asks for it.
        totals: the mechanism at a price, from totals.
        places: the mechanism at a price, from grid places.
        exact: with `places`: the places that would be right without protection.
        least_price: the price of an error; None: it depends on the values.
        cells: names of the numbers of a group.
        finish: what is made of the released numbers; None: nothing.
        notes: what a reader of every answer should know.
        needs_bounds: whether its columns are numbers with declared bounds.
        takes_quantiles: whether a list of quantiles belongs to the question.
        counts_persons: whether each person counts once in a group.
        selects_keys: whether it can be answered for keys that are read from the table.
    """

    key: str
    name: str
    columns: tuple[int, int]
    sql: tuple[SqlFunction, ...] = field(default=(), repr=False)
    totals: Totals | None = field(default=None, repr=False)
    places: Places | None = field(default=None, repr=False)
    exact: Callable[[Query, IntArray], IntArray] | None = field(default=None, repr=False)
    least_price: LeastPrice | None = field(default=None, repr=False)
    cells: Callable[[Query], tuple[str, ...]] = field(default=one_cell, repr=False)
    finish: Callable[[Estimate], Estimate] | None = field(default=None, repr=False)
    notes: tuple[str, ...] = field(default=(), repr=False)
    needs_bounds: bool = field(default=True, repr=False)
    takes_quantiles: bool = field(default=False, repr=False)
    counts_persons: bool = field(default=False, repr=False)
    selects_keys: bool = field(default=False, repr=False)


def groups_of(by: Sequence[Keyed]) -> int:
    """The number of declared groups of some grouping columns; 0 where keys are read from the table.

    Example:
        >>> groups_of(())
        1
    """
    groups = 1
    for keyed in by:
        groups *= keyed.domain.size if isinstance(keyed.domain, Categories) else len(keyed.edges or ((),)) - 1
    return groups
