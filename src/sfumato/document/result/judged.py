"""What is measured of any table, ours or not: `sfumato.risk/1` and `sfumato.comparison/1`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.document.result.release import Risks, SizeCounts
from sfumato.frozen import dataclass
from sfumato.risk.subsets import SubsetRisk
from sfumato.risk.wp216 import Answer
from sfumato.summary.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredTable:
    """A table that was measured.

    Args:
        kind: csv, parquet, excel, arrow, pandas, polars, duckdb or sql.
        rows: rows of the table.
        columns: column names, in order.
        sha256: SHA-256 of the bytes, in hexadecimal; null: it is no file.
        notes: what a reader should know about how it was read.
    """

    kind: str
    rows: int
    columns: tuple[str, ...]
    sha256: str | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskResult(Document):
    """What an intruder gains from a table.

    Args:
        source: the table.
        quasi_identifiers: the columns that others know.
        persons: persons in the table.
        suppressed_rows: rows whose quasi-identifiers are all suppressed.
        classes: number of classes.
        class_sizes: [class size, number of classes] pairs.
        risk: what an intruder gains, by formula.
        subsets: how identifying the combinations of quasi-identifiers are.
        statement: which combinations were looked at.
        wp216: the three questions of the Article 29 Working Party, opinion 05/2014.
    """

    tag: ClassVar = ("format", "sfumato.risk/1")
    source: MeasuredTable
    quasi_identifiers: tuple[str, ...]
    persons: int
    suppressed_rows: int
    classes: int
    class_sizes: SizeCounts
    risk: tuple[Figure, ...]
    subsets: tuple[SubsetRisk, ...]
    statement: str
    wp216: tuple[Answer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuppressedCells:
    """What of a release is suppressed.

    Args:
        rows: rows whose quasi-identifiers are all suppressed.
        cells_by_column: suppressed cells of each column.
    """

    rows: int
    cells_by_column: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonResult(Document):
    """What a release is worth and what it risks, beside its original.

    Args:
        original: the table that was released.
        release: what was released.
        quasi_identifiers: the columns that others know.
        suppressed: rows and cells of the release that are suppressed.
        worth: what the release is worth.
        risk: what an intruder gains, by formula.
        wp216: the three questions of the Article 29 Working Party, opinion 05/2014.
        notes: what a reader should know beside the figures.
    """

    tag: ClassVar = ("format", "sfumato.comparison/1")
    original: MeasuredTable
    release: MeasuredTable
    quasi_identifiers: tuple[str, ...]
    suppressed: SuppressedCells
    worth: tuple[Figure, ...]
    risk: Risks
    wp216: tuple[Answer, ...]
    notes: tuple[str, ...]
