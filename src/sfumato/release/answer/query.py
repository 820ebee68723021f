"""Questions to a private table as plain data: what an aggregate declares, once, a question, and the digest of all that it means.

Python, SQL, checks, mechanisms and prices read the declaration.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from sfumato.account.ledger.chain import canonical
from sfumato.errors import InternalError
from sfumato.frozen import dataclass
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.account.event import Price, PureDP, ZeroConcentratedDP
    from sfumato.mechanism.central.accuracy import Accuracy
    from sfumato.mechanism.central.estimate import Estimate, NumericMechanism, PlaceMechanism
    from sfumato.summary.bounded import Keyed
    from sfumato.table.unit import Unit
    from sfumato.table.values import Item
    from sfumato.types import IntArray

    Kind: TypeAlias = "type[PureDP | ZeroConcentratedDP]"
    Totals: TypeAlias = "Callable[[Setting, Price], NumericMechanism]"
    Places: TypeAlias = "Callable[[Setting, Price], PlaceMechanism]"
    LeastPrice: TypeAlias = "Callable[[Setting, Accuracy, Kind], Price]"
    from _typeshed import DataclassInstance

    from sfumato.summary.bounded import Condition
    from sfumato.table.domain import Domain


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


_WRITTEN = {"UnlistedText": "Open"}
"""Names of kinds in digests, which stay where a class is renamed."""


@dataclass(frozen=True, slots=True)
class Query:
    """One question.

    Args:
        aggregate: what is computed.
        columns: of which columns; () for a count, or one that must not be missing.
        by: grouping columns, in order.
        where: public conditions, all of which a row must meet.
        quantiles: increasing, in (0, 1); only where the aggregate takes them.
        method: name of the quantile method; "": chosen by a rule that does not read the data.
        expected: declared guess of the number of rows, for choices made before reading; None: no guess.
        join: name of the public table that is joined first; None: none.
        inner: whether rows without a public row are left out (INNER JOIN); else what it adds is missing there (LEFT JOIN).
    """

    aggregate: Aggregate
    columns: tuple[str, ...] = ()
    by: tuple[Keyed, ...] = ()
    where: tuple[Condition, ...] = ()
    quantiles: tuple[Fraction, ...] = ()
    method: str = ""
    expected: int | None = None
    join: str | None = None
    inner: bool = False

    @property
    def sentence(self) -> str:
        """The question in one canonical line: equal questions have equal lines.

        Example:
            >>> from sfumato.release.answer.moments import MEAN
            >>> from sfumato.summary.bounded import Comparison, Condition
            >>> Query(MEAN, ("age",), where=(Condition("sex", Comparison.EQUAL, ("F",)),)).sentence
            "mean(age) where sex = 'F'"
        """
        inside = [*self.columns, *(str(q) for q in self.quantiles)]
        parts = [f"{self.aggregate.name}({', '.join(inside)})"]
        if self.method:
            parts.append(f"method {self.method}")
        if self.expected is not None:
            parts.append(f"expecting {self.expected} rows")
        if self.join is not None:
            parts.append(f"{'inner ' if self.inner else ''}join {self.join}")
        if self.by:
            parts.append("by " + ", ".join(_group(keyed) for keyed in self.by))
        if self.where:
            parts.append("where " + " and ".join(_condition(one) for one in self.where))
        return " ".join(parts)


def meaning_of(query: Query, columns: Mapping[str, Domain], **more: object) -> str:
    """The digest of a question.

    The whole structure is written down, not its sentence: two questions with one digest are equal in every part.

    Args:
        query: the question.
        columns: declared domains of all columns; those that it uses are part of its meaning.
        more: what else decides the answer: price, unit, confidence, event, version of the data, a joined table.

    Example:
        >>> from sfumato.release.answer.moments import MEAN
        >>> one, other = ({"age": Range(0, high, step=1)} for high in (10, 100))
        >>> asked = Query(MEAN, ("age",))
        >>> meaning_of(asked, one) == meaning_of(asked, one), meaning_of(asked, one) == meaning_of(asked, other)
        (True, False)
    """
    used = {*query.columns, *(c.column for c in query.where), *(keyed.column for keyed in query.by)}
    domains = {name: columns[name] for name in sorted(used & set(columns))}
    return digest_of({"query": query, "domains": domains, **more})


def digest_of(value: object) -> str:
    """SHA-256 of a structure of frozen dataclasses, mappings, sequences, texts and exact numbers.

    Example:
        >>> digest_of(("a", "b")) == digest_of(("a, b",)), digest_of(1) == digest_of("1"), len(digest_of(None))
        (False, False, 64)
    """
    return hashlib.sha256(canonical({"meaning": _plain(value)}).encode()).hexdigest()


def _group(keyed: Keyed) -> str:
    if isinstance(keyed.domain, Range):
        edges = "" if keyed.edges is None else f" at {', '.join(str(keyed.domain.value(e)) for e in keyed.edges)}"
        return f"{keyed.column}{edges}"
    if isinstance(keyed.domain, Categories):
        return f"{keyed.column} in {list(keyed.domain.values)}"
    return f"{keyed.column} (keys from the table)"


def _condition(condition: Condition) -> str:
    values = ["'" + value.replace("'", "''") + "'" for value in condition.values]
    right = values[0] if len(values) == 1 else f"({', '.join(values)})"
    return f"{condition.column} {condition.comparison.value} {right}"


def _plain(value: object) -> Item:
    """The structure as JSON in which each kind of value is told from every other."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Aggregate | Enum):
        return {type(value).__name__: value.key if isinstance(value, Aggregate) else value.name}
    if isinstance(value, Fraction | float):
        return {type(value).__name__: repr(value)}
    if isinstance(value, Mapping):
        return {"mapping": [[_plain(key), _plain(item)] for key, item in value.items()]}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        name = type(value).__name__
        return {_WRITTEN.get(name, name): _parts(value)}
    raise InternalError("A question holds a {kind}, which no digest can hold.", kind=type(value).__name__)


def _parts(value: DataclassInstance) -> dict[str, Item]:
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
