"""Where a table is, how its file is written, and where a release goes."""

from __future__ import annotations

import os
import re
from dataclasses import field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast, get_args

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.table.values import Table

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


def located_url(folder: Path, url: str) -> str:
    """The URL of a database that a document names; the relative path of an SQLite or DuckDB file is relative to the document.

    Example:
        >>> located_url(Path("/plans"), "sqlite:///a.db"), located_url(Path("/plans"), "postgresql://host/base")
        ('sqlite:////plans/a.db', 'postgresql://host/base')
    """
    scheme, file, path = url.partition(":///")
    is_relative = scheme in {"sqlite", "duckdb"} and bool(file) and not path.startswith("/")
    return f"{scheme}:///{(folder / path).resolve()}" if is_relative else url


def relative_url(folder: Path, url: str) -> str:
    """The same the other way: a relative path, which is relative to the current folder, as a document in a folder writes it.

    Example:
        >>> relative_url(Path("plans"), "sqlite:///a.db"), relative_url(Path("plans"), "sqlite:////a.db")
        ('sqlite:///../a.db', 'sqlite:////a.db')
    """
    scheme = url.partition(":")[0]
    absolute = located_url(Path(), url)
    return url if absolute == url else f"{scheme}:///{os.path.relpath(absolute.partition(':///')[2], folder)}"


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
        is_unordered: whether rows may come in any order, so that equal ones can be read together.
    """

    path: Path
    kind: FileKind | None = None
    dialect: Table = field(default_factory=dict)
    sheet: str | None = None
    missing: tuple[str, ...] = ()
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trim: bool = False
    names: tuple[str, ...] = ()
    is_unordered: bool = False


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
        url: `sqlite:///file.db`, `postgresql://user@host/base`, `duckdb:///file.duckdb`; it holds no password.
        query: a table name or a SELECT.
        missing: texts that mean "missing" in every column.
        missing_in: further ones by column.
        trim: whether blanks around the text of every cell are removed before anything else.
        password: of a PostgreSQL server, as somebody typed it; it is in no document and no text of this source. "": it comes
            from where the database's client looks for it (PGPASSWORD, a password file, a service file).
    """

    url: str
    query: str
    missing: tuple[str, ...] = ()
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trim: bool = False
    password: str = field(default="", repr=False, compare=False)


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
    """A table of an SQL database, created in one transaction; an existing one is refused.

    Args:
        url: the database.
        table: its name.
        draft: the name under which it is written until it is verified; None: its own.
        password: of a PostgreSQL server, as that of a source.
    """

    url: str
    table: str
    draft: str | None = None
    password: str = field(default="", repr=False, compare=False)

    @property
    def written(self) -> str:
        """The name under which it is written."""
        return self.draft or self.table


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


_NEWLINES = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}
_SIGNS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar", " ": "blank", '"': '"', "'": "'"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """The written form of a CSV file.

    Args:
        encoding: Python codec name; a byte order mark is `bom`.
        bom: whether the file starts with a byte order mark.
        delimiter: one character.
        quote: one character, or "" when cells are never quoted.
        newline: the line end, one of LF, CRLF and CR.
        decimal: "." or ",".
        skip: lines before the header (titles, blank lines, repeated headers).
        header: whether the first line after `skip` names the columns.
        footer: lines after the last row (footnotes). Never sniffed: only a person says so.
    """

    encoding: str = "utf-8"
    bom: bool = False
    delimiter: str = ","
    quote: str = '"'
    newline: str = "\n"
    decimal: str = "."
    skip: int = 0
    header: bool = True
    footer: int = 0

    def __post_init__(self) -> None:
        _require(_is_codec(self.encoding), "encoding", "the name of a text encoding", self.encoding)
        _require(isinstance(self.bom, bool), "bom", "true or false", self.bom)
        _require(_is_sign(self.delimiter), "delimiter", "one character, no line end", self.delimiter)
        _require(self.quote == "" or _is_sign(self.quote), "quote", 'one character or ""', self.quote)
        _require(self.quote != self.delimiter, "quote", "another character than the delimiter", self.quote)
        _require(self.newline in _NEWLINES, "newline", r'"\n", "\r\n" or "\r"', self.newline)
        _require(self.decimal in {".", ","}, "decimal", '"." or ","', self.decimal)
        _require(_is_count(self.skip), "skip", "a whole number of lines, 0 or more", self.skip)
        _require(isinstance(self.header, bool), "header", "true or false", self.header)
        _require(_is_count(self.footer), "footer", "a whole number of lines, 0 or more", self.footer)


def override(dialect: Dialect, parts: Table) -> Dialect:
    """The dialect with the parts that a person fixes.

    Raises:
        ParameterError: unknown part, or a value that it cannot have.

    Example:
        >>> override(Dialect(), {"delimiter": ";", "decimal": ","}).delimiter
        ';'
    """
    known = [field.name for field in fields(Dialect)]
    unknown = sorted(set(parts) - set(known))
    if unknown:
        raise ParameterError(
            "A dialect has the parts {known}; got {unknown}.",
            "correct the name of the part.",
            known=known,
            unknown=unknown,
        )
    return replace(dialect, **dict(parts))  # type: ignore[arg-type]


def describe_dialect(dialect: Dialect) -> str:
    r"""The dialect in words.

    Example:
        >>> describe_dialect(Dialect(encoding="windows-1252", delimiter=";", newline="\r\n", decimal=","))
        'windows-1252, separated by semicolon, quoted by ", decimal comma, lines end with CRLF, names in line 1'
    """
    delimiter = _SIGNS.get(dialect.delimiter, repr(dialect.delimiter))
    parts = [
        dialect.encoding + (" with byte order mark" if dialect.bom else ""),
        f"separated by {delimiter}",
        f"quoted by {_SIGNS.get(dialect.quote, repr(dialect.quote))}" if dialect.quote else "never quoted",
        f"decimal {'comma' if dialect.decimal == ',' else 'point'}",
        f"lines end with {_NEWLINES[dialect.newline]}",
        f"names in line {dialect.skip + 1}" if dialect.header else f"no names, first row in line {dialect.skip + 1}",
    ]
    if dialect.footer:
        parts.append(f"last {dialect.footer} lines left out")
    return ", ".join(parts)


def _require(ok: bool, part: str, what: str, given: object) -> None:
    if not ok:
        raise ParameterError(
            "Dialect {part!r} must be {what}; got {given!r}.",
            "correct `{part}` of the dialect.",
            part=part,
            what=what,
            given=given,
        )


def _is_codec(name: object) -> bool:
    try:
        return isinstance(name, str) and "\0" not in name and "a".encode(name).decode(name) == "a"
    except (LookupError, UnicodeError):
        return False


def _is_sign(text: object) -> bool:
    return isinstance(text, str) and len(text) == 1 and text not in "\r\n\0"


def _is_count(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0
