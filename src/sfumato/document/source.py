"""[source] and [output] of documents: where tables are, and where they go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from sfumato.recipe.recipe import RowOrder, Suppressed
from sfumato.table.source import FileKind, Formulas


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTable:
    """A file that is read.

    Args:
        path: the file, relative to the folder of the document; a cluster also reads a URI.
        kind: absent: from the suffix.
        dialect: parts of how a CSV file is written, such as `{ delimiter = ";", decimal = "," }`; the rest is sniffed.
        sheet: of an Excel file; absent: the first.
        missing: texts that mean "missing" in every column. Only these do.
        missing_in: further ones, by column.
    """

    path: str
    kind: FileKind | None = None
    dialect: Mapping[str, str | int | bool] = field(default_factory=dict)
    sheet: str | None = None
    missing: tuple[str, ...] = ()
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlTable:
    """A table or query of an SQL database.

    Args:
        url: such as `postgresql://host/base`; a password never stands here.
        query: name of a table, or a SELECT.
        missing: texts that mean "missing" in every column. Only these do.
        missing_in: further ones, by column.
    """

    form: ClassVar[str] = "url"
    url: str
    query: str
    missing: tuple[str, ...] = ()
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


SourceTable: TypeAlias = SqlTable | FileTable


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOutput:
    """What is written, the release to a file or nowhere.

    Args:
        path: the release; absent: it is handed over in memory.
        kind: absent: from the suffix.
        formulas: "quoted" writes an apostrophe before cells of a CSV file that a spreadsheet would run.
        suppressed: what stands in the place of a suppressed value.
        row_order: whether rows are shuffled.
        report: the report, as .html or .txt.
        result: the result, as JSON.
    """

    path: str | None = None
    kind: FileKind | None = None
    formulas: Formulas = "kept"
    suppressed: Suppressed = Suppressed.STAR
    row_order: RowOrder = RowOrder.KEPT
    report: str | None = None
    result: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlOutput:
    """What is written, the release to a table of an SQL database.

    Args:
        url: the database.
        table: the table, which must not exist yet.
        suppressed: what stands in the place of a suppressed value.
        row_order: whether rows are shuffled.
        report: the report, as .html or .txt.
        result: the result, as JSON.
    """

    form: ClassVar[str] = "url"
    url: str
    table: str
    suppressed: Suppressed = Suppressed.STAR
    row_order: RowOrder = RowOrder.KEPT
    report: str | None = None
    result: str | None = None


OutputTable: TypeAlias = SqlOutput | FileOutput
