"""[source] and [output] of documents: where tables are, and where they go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path as FolderPath
from typing import ClassVar, TypeAlias

from sfumato.frozen import dataclass
from sfumato.recipe.recipe import RowOrder, Suppressed
from sfumato.table.source import FileKind, FileSource, Formulas, Source, SqlSource, located, located_url


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePlace:
    """A file that is read.

    Args:
        path: the file, relative to the folder of the document; a cluster also reads a URI.
        kind: absent: from the suffix.
        dialect: parts of how a CSV file is written, such as `{ delimiter = ";", decimal = "," }`; the rest is sniffed.
        sheet: of an Excel file; absent: the first.
        missing: texts that mean "missing" in every column. Only these do.
    """

    path: str
    kind: FileKind | None = None
    dialect: Mapping[str, str | int | bool] = field(default_factory=dict)
    sheet: str | None = None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlPlace:
    """A table or query of an SQL database.

    Args:
        url: such as `postgresql://host/base` or `sqlite:///file.db`, relative to the document; a password never stands here.
        query: name of a table, or a SELECT.
        missing: texts that mean "missing" in every column. Only these do.
    """

    form: ClassVar[str] = "url"
    url: str
    query: str
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTable(FilePlace):
    """A file that is read.

    Args:
        missing_in: further texts that mean "missing", by column.
    """

    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlTable(SqlPlace):
    """A table or query of an SQL database.

    Args:
        missing_in: further texts that mean "missing", by column.
    """

    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


Place: TypeAlias = SqlPlace | FilePlace
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


def source_of(said: Place, folder: FolderPath) -> Source:
    """The source that a table names; paths are relative to the folder of the document."""
    missing_in = said.missing_in if isinstance(said, (FileTable, SqlTable)) else {}
    if isinstance(said, SqlPlace):
        return SqlSource(located_url(folder, said.url), said.query, said.missing, missing_in)
    return FileSource(
        path=located(folder, said.path),
        kind=said.kind,
        dialect=said.dialect,
        sheet=said.sheet,
        missing=said.missing,
        missing_in=missing_in,
    )
