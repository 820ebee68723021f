"""What commands made: a draft, a copy, a hierarchy, a report, pseudonymized tables and their key."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.table.values import Table

from dataclasses import field
from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.document.result.keys import OMITTED
from sfumato.frozen import dataclass
from sfumato.summary.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessedColumn:
    """One column of a drafted plan.

    Args:
        name: its name.
        role: identifying, quasi-identifying, sensitive or insensitive.
        kind: text, integer, decimal or date.
        reason: why, as one phrase.
        distinct: its distinct values.
        distinction: distinct values over rows.
        separation: pairs of rows that differ in it over all pairs.
        missing: texts that look like missing values.
    """

    name: str
    role: str
    kind: str
    reason: str
    distinct: int
    distinction: float
    separation: float
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRecoding:
    """A column that determines another.

    Args:
        column: the one that determines.
        other: the one that is determined.
        both_ways: whether each determines the other.
    """

    column: str
    other: str
    both_ways: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftResult(Document):
    """A drafted plan.

    Args:
        plan: where it was written.
        rows: rows of the table.
        columns: what was guessed of each column.
        recodings: columns that determine others.
        unique: share of the rows that are alone on the proposed quasi-identifiers; null: there are none.
        traces: columns of person, time, latitude and longitude, where the plan is one of traces; empty otherwise.
        graph: columns of both ends of an edge, where the plan is one of a graph; absent otherwise.
    """

    tag: ClassVar = ("format", "sfumato.draft/1")
    plan: str
    rows: int
    columns: tuple[GuessedColumn, ...]
    recodings: tuple[FoundRecoding, ...]
    unique: float | None
    traces: tuple[str, ...] = ()
    graph: tuple[str, ...] | None = field(default=None, metadata=OMITTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyResult(Document):
    """A table in another kind of file.

    Args:
        path: where it is.
        kind: csv, parquet, …
        rows: its rows.
        bytes: its size.
        sha256: SHA-256 of its bytes, in hexadecimal.
    """

    tag: ClassVar = ("format", "sfumato.copy/1")
    path: str
    kind: str
    rows: int
    bytes: int | None
    sha256: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HierarchyResult(Document):
    """How a column generalizes.

    Args:
        column: its name.
        nodes: number of nodes of each level.
        csv: the hierarchy as CSV: value, parent, …, root.
    """

    tag: ClassVar = ("format", "sfumato.hierarchy/1")
    column: str
    nodes: tuple[int, ...]
    csv: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportResult(Document):
    """A report that was written.

    Args:
        report: where it is.
    """

    tag: ClassVar = ("format", "sfumato.report/1")
    report: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyResult(Document):
    """A new key for pseudonyms.

    Args:
        file: where it is.
    """

    tag: ClassVar = ("format", "sfumato.key/1")
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PseudonymColumn:
    """One column of pseudonyms.

    Args:
        column: its name.
        domain: what its values are names of; equal names of one domain have equal pseudonyms.
        options: how pseudonyms are made, without the place of the key.
        promise: what is promised, as one sentence; empty: nothing.
        risk: what an intruder gains from it.
    """

    column: str
    domain: str
    options: Table
    promise: str
    risk: tuple[Figure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PseudonymTable:
    """One table with pseudonyms.

    Args:
        path: the table that was read.
        output: the table that was written.
        rows: its rows.
        sha256: SHA-256 of its bytes, in hexadecimal.
        columns: its columns of pseudonyms.
        kept: columns that are as they were.
        dropped: columns that were left out.
    """

    path: str
    output: str
    rows: int
    sha256: str | None
    columns: tuple[PseudonymColumn, ...]
    kept: tuple[str, ...]
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PseudonymsResult(Document):
    """Several tables with the same pseudonyms.

    Args:
        tables: the tables, in the order of the document.
        notes: what a reader should know.
    """

    tag: ClassVar = ("format", "sfumato.pseudonyms/1")
    tables: tuple[PseudonymTable, ...]
    notes: tuple[str, ...]
