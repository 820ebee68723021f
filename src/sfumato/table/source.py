"""Where is the table, and where does the release go?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, cast, get_args

FileKind = Literal["csv", "parquet", "excel", "arrow"]
Formulas = Literal["kept", "quoted"]
FrameKind = Literal["pandas", "polars", "arrow", "duckdb", "spark"]

_URI = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+):/+(?P<rest>.*)", re.DOTALL)


def located(folder: Path, text: str) -> Path:
    """The place that a plan names: a path beside the plan, or a URI of shared storage as it is.

    Example:
        >>> located(Path("plans"), "a.parquet").as_posix(), uri_of(located(Path("plans"), "s3a://bucket/a.parquet"))
        ('plans/a.parquet', 's3a://bucket/a.parquet')
    """
    return folder / text if _URI.fullmatch(text) is None else Path(text)


def uri_of(path: Path) -> str | None:
    """The URI that a path is meant as, whose double slash a `Path` has lost; None for a file of this computer.

    A host or bucket must follow the scheme, except that of `file:`.

    Example:
        >>> uri_of(Path("hdfs://names:8020/release")), uri_of(Path("file:///release")), uri_of(Path("release.parquet"))
        ('hdfs://names:8020/release', 'file:///release', None)
    """
    found = _URI.fullmatch(str(path))
    if found is None:
        return None
    return f"{found['scheme']}:{'///' if found['scheme'] == 'file' else '//'}{found['rest']}"


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file on disk, or what a cluster finds at a URI.

    Args:
        path: the file; gzip and zstd CSV are read as they are.
        kind: None: from the suffix.
        dialect: parts of the CSV dialect that the user fixes ({"delimiter": ";"}); the rest is sniffed.
        sheet: Excel sheet; None: the first.
        missing: texts that mean "missing" in every column. Only these do.
        missing_in: further ones by column.
        trim: whether blanks around the text of every cell are removed before anything else.
        names: of the columns of a CSV file without header, in order; none: by position.
    """

    path: Path
    kind: FileKind | None = None
    dialect: Mapping[str, object] = field(default_factory=dict)
    sheet: str | None = None
    missing: tuple[str, ...] = ()
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trim: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class FrameSource:
    """A table in memory: pandas, Polars, Arrow, a DuckDB relation or a Spark DataFrame."""

    frame: object
    missing: tuple[str, ...] = ()
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trim: bool = False


@dataclass(frozen=True, slots=True)
class SqlSource:
    """A table or query in an SQL database.

    Args:
        url: `sqlite:///file.db`, `postgresql://user@host/base`, `duckdb:///file.duckdb`; passwords
            come from the environment or a service file, never from a plan.
        query: a table name or a SELECT.
    """

    url: str
    query: str
    missing: tuple[str, ...] = ()
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trim: bool = False


Source = FileSource | FrameSource | SqlSource


@dataclass(frozen=True, slots=True)
class FileSink:
    """A file (on a cluster: a folder of files) to be written beside its final name, then renamed, or a URI that only a
    cluster writes. `kind` None: from the suffix. `formulas`: whether a cell of a CSV file that a spreadsheet would run
    as a formula is kept or gets an apostrophe before it.
    """

    path: Path
    kind: FileKind | None = None
    formulas: Formulas = "kept"


@dataclass(frozen=True, slots=True)
class FrameSink:
    """A table in memory. `kind` None: the kind of the source; Arrow for a file."""

    kind: FrameKind | None = None


@dataclass(frozen=True, slots=True)
class SqlSink:
    """A table of an SQL database, created in one transaction; an existing one is refused."""

    url: str
    table: str


Sink = FileSink | FrameSink | SqlSink


def source_from(table: object, like: Source | None = None) -> Source:
    """A source of whatever the caller has: a table in memory, a path, or a source as it is.

    Args:
        table: the table.
        like: a source whose missing codes hold here too, unless `table` is a source that names its own; None: none.

    Example:
        >>> source_from("people.csv", FileSource(Path("earlier.csv"), missing=("?",))).missing
        ('?',)
    """
    codes, by_column = ((), {}) if like is None else (like.missing, like.missing_in)
    if isinstance(table, (FileSource, SqlSource, FrameSource)):
        return table if table.missing or not codes else replace(table, missing=codes, missing_in=by_column)
    if isinstance(table, (str, Path)):
        return FileSource(Path(table), missing=codes, missing_in=by_column)
    return FrameSource(table, codes, by_column)


def kind_of_frame(source_kind: str) -> FrameKind:
    """The kind of frame that a table comes back as where none is asked for.

    Example:
        >>> kind_of_frame("pandas"), kind_of_frame("parquet")
        ('pandas', 'arrow')
    """
    return cast("FrameKind", source_kind) if source_kind in get_args(FrameKind) else "arrow"


def in_kind(sink: Sink, source_kind: str) -> Sink:
    """The sink of a table that is made beside a source: in memory, it comes back as the kind that the source has.

    Example:
        >>> in_kind(FrameSink(), "polars")
        FrameSink(kind='polars')
    """
    return FrameSink(sink.kind or kind_of_frame(source_kind)) if isinstance(sink, FrameSink) else sink
