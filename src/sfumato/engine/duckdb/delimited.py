"""A CSV file as a table in which every cell is its text, byte for byte.

A plain UTF-8 file is read where it is by DuckDB; any other form is written once, streaming, as a
plain one into the private folder. Both ways keep every cell as text; an empty cell is the text "";
a row of another length is an error that names its line.
"""

from __future__ import annotations

import io
import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import duckdb

from sfumato.engine.base import distinct_names, positional_names
from sfumato.engine.duckdb.connect import Loaded, identifier, literal, make_room, numbered, path_literal
from sfumato.engine.duckdb.rewrite import write_plain
from sfumato.engine.duckdb.survey import Survey, survey_csv
from sfumato.errors import InternalError
from sfumato.frozen import dataclass
from sfumato.table.dialect_sniff import Sniffed, check_width, sniff
from sfumato.table.source import Dialect, override

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.engine.duckdb.coded import Coded
    from sfumato.engine.duckdb.connect import Workspace
    from sfumato.table.source import FileSource

_USUAL_COMPRESSION = 8
_SMALL = 16 << 20
"""Bytes of a file of which no column is loaded as codes, and whose equal lines are looked for in its head alone."""
_LEAST_LINES = 20_000
"""Lines from which codes, and equal lines read together, save more than the statements cost that they need."""
_LOOKED_AT, _MOST_DISTINCT = 100_000, 50_000
"""Lines of a large file that are looked at first, and how many may differ where equal lines are read together."""
_LEAST_REPEATED = 4
"""How often a line stands in the head of a small file on average, at least, where equal lines are read together."""
_TOGETHER = (
    "(SELECT * EXCLUDE (n, i), row_number() OVER () - 1 AS nth FROM (SELECT *, unnest(range(n)) AS i FROM together))"
)
_NO_SIGN = "\x01"
_LONG_ROWS = {"max_line_size": str(64 << 20)}


@dataclass(frozen=True, slots=True)
class _Form:
    """A file that DuckDB reads directly: its path, cells a row, signs, and lines before the rows."""

    path: Path
    width: int
    delimiter: str = ","
    quote: str = '"'
    skip: int = 0
    newline: str = "\n"
    compression: str = ""


def load_csv(space: Workspace, source: FileSource) -> Loaded:
    """Load a CSV file, every cell as text, in file order.

    Raises:
        SourceError: unreadable, undecodable, ragged, or one column where several are likely.
    """
    fixed = dict(source.dialect)
    declared = override(Dialect(), fixed)
    survey = survey_csv(source.path, declared.encoding if "encoding" in fixed else None)
    written = Dialect(encoding=survey.encoding, bom=survey.bom, newline=survey.newline)
    parts = {key: value for key, value in fixed.items() if key not in {"encoding", "bom", "newline"}}
    sniffed = sniff(survey.head, written, parts, complete=survey.head_is_all)
    check_width(sniffed.width)
    names, notes = _name(sniffed, source.names)
    n_bytes = source.path.stat().st_size * (_USUAL_COMPRESSION if survey.compression else 1)
    if source.is_unordered and _load_together(space, source.path, survey, sniffed, is_small=n_bytes <= _SMALL):
        return Loaded(
            _TOGETHER,
            "nth",
            numbered(sniffed.width),
            names,
            "csv",
            sniffed.dialect,
            survey.sha256,
            (*sniffed.notes, *notes),
            distinct="together",
        )
    is_plain = _is_plain(survey, sniffed)
    coded = _load_as_codes(space, source, survey, sniffed) if is_plain and n_bytes > _SMALL else None
    table = make_room(space, n_bytes) if coded is None else coded.table
    is_read = coded is not None or (is_plain and _load_in_place(space, source.path, survey, sniffed, table))
    if not is_read:
        copy = space.folder / "plain.csv"
        n_rows = write_plain(source.path, survey, sniffed, copy)
        is_read = _read_csv(space, _Form(copy, sniffed.width), table, {}, {**_LONG_ROWS, "parallel": "false"})
        if not is_read or _count(space, table) != n_rows:
            raise InternalError("A plain copy of a CSV file was not read back whole.")
        copy.unlink()
    repeated = _leave_out_repeated_headers(space, sniffed, table)
    return Loaded(
        table,
        "rowid",
        numbered(sniffed.width),
        names,
        "csv",
        sniffed.dialect,
        survey.sha256,
        (*sniffed.notes, *notes, *repeated),
        labels={} if coded is None else coded.labels,
    )


def _name(sniffed: Sniffed, known: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the columns, and notes; those of a file without header may be known from elsewhere."""
    if sniffed.header is None and len(known) == sniffed.width:
        return known, ()
    if sniffed.header is None:
        return positional_names(sniffed.width), ()
    return distinct_names(sniffed.header)


def _is_plain(survey: Survey, sniffed: Sniffed) -> bool:
    """Whether DuckDB reads the file where it is, to the byte."""
    dialect = sniffed.dialect
    preamble = "".join(itertools.islice(io.StringIO(survey.head, newline=""), dialect.skip))
    return (
        survey.encoding == "utf-8"
        and survey.is_uniform
        and survey.newline != "\r"
        and dialect.quote in {'"', ""}
        and dialect.delimiter.isascii()
        and not (dialect.quote and survey.has_blank_by_quote)
        and sniffed.header_lines <= 1
        and sniffed.width > 1
        and dialect.footer == 0
        and (dialect.skip == 0 or '"' not in preamble)
    )


def _load_in_place(space: Workspace, path: Path, survey: Survey, sniffed: Sniffed, table: str) -> bool:
    """Let DuckDB read the file; False if what it read is not surely what is written.

    A refused file is diagnosed with exact line numbers; a file that DuckDB misreads and that is
    sound goes the other way.
    """
    return _read_csv(space, _form_of(path, survey, sniffed), table, {}, _LONG_ROWS) and _is_as_written(
        space, survey, sniffed, table
    )


def _form_of(path: Path, survey: Survey, sniffed: Sniffed) -> _Form:
    """How DuckDB reads a plain file."""
    dialect, skip = sniffed.dialect, sniffed.dialect.skip + sniffed.header_lines
    return _Form(
        path, sniffed.width, dialect.delimiter, dialect.quote, skip, survey.newline, compression=survey.compression
    )


def _is_as_written(space: Workspace, survey: Survey, sniffed: Sniffed, table: str) -> bool:
    """Whether the loaded rows surely are those of the file."""
    return _starts_alike(space, survey, sniffed, table) and not _may_have_open_ends(space, survey, sniffed, table)


def _load_as_codes(space: Workspace, source: FileSource, survey: Survey, sniffed: Sniffed) -> Coded | None:
    """Load a large file with columns that repeat few texts as codes; None if that does not do, or not surely.

    Texts that are trimmed, and files that are compressed or of few long lines, go the other way.
    """
    if source.trim or survey.compression or survey.n_lines < _LEAST_LINES:
        return None
    from sfumato.engine.duckdb.coded import IN_MEMORY, load_coded, stored
    from sfumato.engine.duckdb.csv_codes import Lines, read_codes

    form = _form_of(source.path, survey, sniffed)

    def reading(copy: Path | None) -> str:
        return _reading(form if copy is None else replace(form, path=copy, skip=0), {})

    by_line, n_rows = not survey.has_quotes, survey.n_lines - form.skip
    lines = Lines(source.path, form.delimiter, sniffed.width, form.skip, n_rows)
    columns = read_codes(lines, IN_MEMORY) if by_line else None
    if columns is None:
        coded = load_coded(space, reading, source.path, sniffed.width, n_rows, by_line=by_line)
    else:
        coded = stored(space, columns)
    if coded is None or _is_as_written(space, survey, sniffed, coded.table):
        return coded
    space.connection.execute(f"DROP TABLE {coded.table}")
    return None


def _load_together(space: Workspace, path: Path, survey: Survey, sniffed: Sniffed, *, is_small: bool) -> bool:
    """Count equal lines and split each of them once; False if that does not do, or not surely.

    A line is a row where nothing is quoted. Every line has to be counted, and to have the cells that a row must have.
    """
    if survey.has_quotes or not _is_plain(survey, sniffed) or (is_small and not _repeats(survey)):
        return False
    dialect, skip = sniffed.dialect, sniffed.dialect.skip + sniffed.header_lines
    lines = _reading(_Form(path, 1, _NO_SIGN, "", skip, survey.newline, compression=survey.compression), {})
    split = f"string_split(c0, {literal(dialect.delimiter)})"
    cells = ", ".join(f"parts[{place}] AS {name}" for place, name in enumerate(numbered(sniffed.width), 1))
    counted = f"SELECT {split} AS parts, count(*) AS n FROM {lines} GROUP BY c0"
    try:
        if not is_small and _differing(space, lines) > _MOST_DISTINCT:
            return False
        space.connection.execute(f"CREATE TEMP TABLE counted AS {counted}")
    except duckdb.InvalidInputException:
        return False
    widths = "sum(n), min(len(parts)), max(len(parts))"
    found = space.connection.execute(f"SELECT {widths} FROM counted").fetchall()[0]
    space.connection.execute(f"CREATE TEMP TABLE together AS SELECT {cells}, n FROM counted")
    space.connection.execute("DROP TABLE counted")
    is_whole = found == (survey.n_lines - skip, sniffed.width, sniffed.width)
    return is_whole and not _repeat_header(space, sniffed, "together")


def _repeats(survey: Survey) -> bool:
    """Whether a small file has lines enough, and few of those of its head differ."""
    lines = survey.head.split("\n")
    return survey.n_lines >= _LEAST_LINES and _LEAST_REPEATED * len(set(lines)) <= len(lines)


def _differing(space: Workspace, lines: str) -> int:
    """How many of the first lines differ."""
    return _count(space, f"(SELECT DISTINCT c0 FROM (SELECT c0 FROM {lines} LIMIT {_LOOKED_AT}))")


def _read_csv(space: Workspace, form: _Form, table: str, *attempts: dict[str, str]) -> bool:
    """Let DuckDB read a plain file, with further options from attempt to attempt; False if it refuses.

    Its parallel reader says so when it cannot start inside a long quoted cell. Its single-threaded
    reader silently drops a last row whose quote never closes, so only our own copies may meet it.
    """
    for options in attempts:
        try:
            space.connection.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT * FROM {_reading(form, options)}")
        except duckdb.InvalidInputException:
            continue
        return True
    return False


def _reading(form: _Form, further: dict[str, str]) -> str:
    """The call of DuckDB's own reader with nothing left to guess."""
    names = numbered(form.width)
    columns = ", ".join(f"{name}: 'VARCHAR'" for name in names)
    options = {
        "columns": f"{{{columns}}}",
        "auto_detect": "false",
        "header": "false",
        "delim": literal(form.delimiter),
        "quote": literal(form.quote),
        "escape": literal(form.quote),
        "skip": str(form.skip),
        "compression": literal(form.compression or "none"),
        **({"new_line": r"'\n'"} if form.newline == "\n" else {}),
        "force_not_null": f"[{', '.join(literal(name) for name in names)}]",
        "strict_mode": "true",
        "null_padding": "false",
        "hive_partitioning": "false",
        **further,
    }
    call = ", ".join([path_literal(form.path), *(f"{key} = {value}" for key, value in options.items())])
    return f"read_csv({call})"


def _count(space: Workspace, origin: str) -> int:
    return int(space.connection.sql(f"SELECT count(*) FROM {origin}").fetchall()[0][0])


def _starts_alike(space: Workspace, survey: Survey, sniffed: Sniffed, table: str) -> bool:
    """Whether the first loaded row is the first written one, where the head shows one."""
    rows = [row.cells for row in sniffed.body if row.cells]
    first = space.connection.sql(f"SELECT * FROM {table} WHERE rowid = 0").fetchall()
    return first == rows[:1] if rows else not (first and survey.head_is_all)


def _may_have_open_ends(space: Workspace, survey: Survey, sniffed: Sniffed, table: str) -> bool:
    """Whether rows may end with one separator too many, which DuckDB lets pass.

    Rows whose last cell is empty end with the separator (or with it and two quotes). If more lines
    end so than rows have an empty last cell, some row has a cell too many.
    """
    dialect = sniffed.dialect
    ends = tuple(dict.fromkeys(dialect.delimiter + quotes for quotes in ("", 2 * dialect.quote)))
    lines = itertools.islice(io.StringIO(survey.head, newline=""), dialect.skip + sniffed.header_lines)
    n_headers = sum(1 for line in lines if line.rstrip("\r\n").endswith(ends))
    n_open = sum(survey.ends.get(end.encode(), 0) for end in ends) - n_headers
    last = identifier(f"c{sniffed.width - 1}")
    return n_open > 0 and n_open > _count(space, f"{table} WHERE {last} = ''")


def _repeat_header(space: Workspace, sniffed: Sniffed, table: str) -> str:
    """The condition that a row repeats the header; "" if none does."""
    if sniffed.header is None or sum(1 for cell in sniffed.header if cell.strip()) < 2:
        return ""
    equal = " AND ".join(f"c{i} = {literal(cell)}" for i, cell in enumerate(sniffed.header))
    return equal if _count(space, f"{table} WHERE {equal}") else ""


def _leave_out_repeated_headers(space: Workspace, sniffed: Sniffed, table: str) -> tuple[str, ...]:
    """Delete rows equal to the header, and say how many."""
    equal = _repeat_header(space, sniffed, table)
    if not equal:
        return ()
    n_equal = _count(space, f"{table} WHERE {equal}")
    space.connection.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT * FROM {table} WHERE NOT ({equal})")
    return (f"Rows that repeat the header are left out: {n_equal}.",)
