"""The data document as it is written: a private table, declared once for all who may ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias

from sfumato.document.account import BudgetTable
from sfumato.document.source import FilePlace, Place, SqlPlace
from sfumato.document.spec import key
from sfumato.frozen import dataclass

Neighbors: TypeAlias = Literal["add or remove", "replace"]
"""Of tables: questions about graphs are not written in documents yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlistedDomain:
    """A column whose values are not listed.

    Args:
        unlisted: true.
    """

    form: ClassVar[str] = "unlisted"
    unlisted: bool = field(metadata=key(old="open"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDomain:
    """A column of categories.

    Args:
        values: every value that a cell can have.
    """

    form: ClassVar[str] = "values"
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeDomain:
    """A column of numbers.

    Args:
        low: the lowest number that a cell can have.
        high: the highest.
        step: the distance of two neighboring numbers.
    """

    low: Fraction
    high: Fraction
    step: Fraction


DomainTable: TypeAlias = UnlistedDomain | ListedDomain | RangeDomain


@dataclass(frozen=True, slots=True, kw_only=True)
class RowUnit:
    """One row is protected.

    Args:
        neighbors: how two neighboring tables differ.
    """

    neighbors: Neighbors


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonUnit:
    """One person is protected, with several rows.

    Args:
        neighbors: how two neighboring tables differ.
        person: column that names a person.
        rows: that a person has at most.
        keys: groups of a question in which a person has rows at most.
    """

    form: ClassVar[str] = "person"
    neighbors: Neighbors
    person: str
    rows: int
    keys: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerTable:
    """The ledger.

    Args:
        url: of the ledger.
        dataset: name of the data set in it.
        version: public name of this version of the data.
        immutable: columns in which no person ever changes category.
    """

    dataset: str
    url: str
    version: str | None = None
    immutable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFile(FilePlace):
    """A public table that questions may join, in a file.

    Args:
        on: column of which it has one row for each value.
        columns: domains of the columns that it adds.
    """

    on: str
    columns: Mapping[str, DomainTable]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSql(SqlPlace):
    """A public table that questions may join, of an SQL database.

    Args:
        on: column of which it has one row for each value.
        columns: domains of the columns that it adds.
    """

    on: str
    columns: Mapping[str, DomainTable]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenData:
    """A private table: where it is, what its columns may hold, whom it protects, and what may be spent.

    Args:
        source: where the table is.
        columns: declared domains; other columns cannot be used.
        unit: who is protected.
        budget: of the data set, for all analysts together.
        ledger: where what is spent is kept.
        analysts: budget of each analyst who may ask.
        public: public tables that questions may join.
        engine: where the table is read; absent: duckdb.
    """

    public: Mapping[str, PublicSql | PublicFile] = field(default_factory=dict)
    analysts: Mapping[str, BudgetTable] = field(default_factory=dict)
    ledger: LedgerTable
    source: Place
    columns: Mapping[str, DomainTable]
    unit: PersonUnit | RowUnit
    budget: BudgetTable
    engine: str | None = None
