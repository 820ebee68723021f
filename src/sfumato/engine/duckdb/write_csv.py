"""A release written as CSV as its source was: same separator, quotes, encoding and line ends; formulas quoted if asked.

DuckDB builds the lines; a cell is quoted only where it must be. Lines before the header (titles) are
not repeated.
"""

from __future__ import annotations

import codecs
import gzip
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

import numpy as np
import pyarrow as pa

from sfumato.engine.arrow_arrays import joined_texts
from sfumato.engine.duckdb.connect import identifier, literal
from sfumato.engine.duckdb.leaves import cell_text, is_missing
from sfumato.engine.duckdb.table import batches, compact, refuse
from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.table.formulas import NUMBER, SIGNS
from sfumato.table.source import Dialect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from sfumato.engine.duckdb.table import DuckTable


def write_csv(table: DuckTable, path: Path, *, compression: str, quotes: bool = False) -> dict[str, int]:
    """Write the table in the dialect of its source (plain CSV where it has none).

    Most tables have no cell that needs quotes, which the signs of the written lines tell: they are counted. Where one
    has, the file is written anew, each cell looked at.

    Args:
        table: what is written.
        path: where.
        compression: ".gz" and ".zst" compress; any other suffix does not.
        quotes: whether cells that a spreadsheet would run get an apostrophe before them.

    Returns:
        For each column of texts with cells that quoting changes, how many of them a spreadsheet would run as they are.

    Raises:
        SourceError: a text that the encoding or a dialect without quotes cannot hold.
    """
    dialect = table.header.dialect or Dialect()
    try:
        if len(table.header.names) > 1 and dialect.delimiter.isascii() and dialect.quote.isascii():
            return _write_bare(table, path, dialect, compression, quotes=quotes)
    except _NotBareError:
        pass
    lines = f"{_line(table, dialect, quotes=quotes)} || {literal(dialect.newline)} AS line"
    _write_blocks(path, compression, _start(table, dialect), dialect, _texts_of(batches(compact(table), lines)))
    return formulas_of(table)


def _texts_of(found: Iterable[pa.RecordBatch]) -> Iterator[memoryview]:
    """The lines of batches, which are their first column, as UTF-8."""
    return (joined_texts(batch.column(0)) for batch in found)


def _write_blocks(path: Path, compression: str, start: str, dialect: Dialect, blocks: Iterable[memoryview]) -> None:
    """Write blocks of UTF-8 in the encoding of a dialect."""
    encoder = codecs.getincrementalencoder(dialect.encoding)()
    is_utf_8 = codecs.lookup(dialect.encoding).name == "utf-8"
    try:
        with _opened(path, compression) as file:
            file.write(encoder.encode(start))
            for block in blocks:
                file.write(block if is_utf_8 else encoder.encode(str(block, "utf-8")))
    except UnicodeEncodeError:
        raise SourceError(
            "Every published text must be writable in the encoding of the source, {encoding}; some are not.",
            "choose labels without the signs that it lacks, or publish as Parquet.",
            encoding=dialect.encoding,
        ) from None


class _NotBareError(Exception):
    """Some line of a table is not its cells and separators alone."""


def _write_bare(table: DuckTable, path: Path, dialect: Dialect, compression: str, *, quotes: bool) -> dict[str, int]:
    """Write cells as they are, and say what formulas they hold; see `write_csv`.

    Raises:
        _NotBareError: a cell needs quotes or an apostrophe.
    """
    names, known, texts = table.header.names, _labels(table), _texts(table)
    has_signs = any(sign in text for held in known.values() for text in held for sign in _special(dialect))
    if has_signs:  # labels are those of some row: the lines would not be bare
        raise _NotBareError
    cells = f", {literal(dialect.delimiter)}, ".join(cell_text(name) for name in names)
    odd = " OR ".join(["false", *(_may_begin(name) for name in texts if name not in known)])
    lines = batches(compact(table), f"concat({cells}, {literal(dialect.newline)}) AS line, {odd} AS odd")
    may_run = any(text.startswith(_BEGIN) for name in texts for text in known.get(name, ()))
    all_bare = set(known) == set(names)

    def bare() -> Iterator[memoryview]:
        nonlocal may_run
        for batch in lines:
            block = joined_texts(batch.column(0))
            may_run = may_run or batch.column(1).true_count > 0
            if quotes and may_run:
                raise _NotBareError
            if not all_bare and not _are_bare(block, batch.num_rows, len(names), dialect):
                raise _NotBareError
            yield block

    _write_blocks(path, compression, _start(table, dialect), dialect, bare())
    return formulas_of(table) if may_run else {}


def _labels(table: DuckTable) -> dict[str, list[str]]:
    """The labels of each column that is an ENUM in the compact view: its cells are among them, none looked at."""
    view = compact(table)
    shown = view.connection.sql(f"SELECT * FROM {identifier(view.name)}")  # no row is read
    return {
        name: cast("list[str]", dict(kind.children)["values"])
        for name, kind in zip(shown.columns, shown.types, strict=True)
        if kind.id == "enum" and name in table.header.names
    }


def _are_bare(block: memoryview, n_lines: int, width: int, dialect: Dialect) -> bool:
    """Whether lines hold no more separators, quotes and line ends than lie between their cells and end them."""
    signs = np.frombuffer(block, np.uint8)
    due = {sign: n_lines * dialect.newline.count(sign) for sign in "\n\r"}
    due |= {dialect.delimiter: n_lines * (width - 1)} | ({dialect.quote: 0} if dialect.quote else {})
    return all(np.count_nonzero(signs == ord(sign)) == n for sign, n in due.items())


def _start(table: DuckTable, dialect: Dialect) -> str:
    """Byte order mark (unless the codec writes it) and header line, where the source has them."""
    writes_mark = bool("".encode(dialect.encoding))
    mark = "\ufeff" if dialect.bom and not writes_mark else ""
    names = (_quoted_text(name, dialect) for name in table.header.names)
    return mark + (dialect.delimiter.join(names) + dialect.newline if dialect.header else "")


def _quoted_text(text: str, dialect: Dialect) -> str:
    """A column name, quoted where it must be."""
    if not any(sign in text for sign in _special(dialect)):
        return text
    if not dialect.quote:
        raise SourceError(
            "A column name must not hold the separator in a dialect without quotes; one does.",
            "rename the column, or declare a quote character.",
        )
    return dialect.quote + text.replace(dialect.quote, dialect.quote * 2) + dialect.quote


def _special(dialect: Dialect) -> tuple[str, ...]:
    """Signs that a bare cell cannot hold."""
    return tuple(sign for sign in (dialect.delimiter, dialect.quote, "\n", "\r") if sign)


def _line(table: DuckTable, dialect: Dialect, *, quotes: bool) -> str:
    """SQL for the line of a row; a lone empty cell is quoted, because readers skip blank lines.

    One call joins all cells, none of which is NULL: a chain of `||` would copy the line again for each of them.
    """
    names = table.header.names
    marks_cells = quotes and _MARK in _special(dialect)
    odd = set(names if marks_cells or len(names) <= _TOGETHER else _with_signs(table, dialect))
    texts = {name: quoted_cell(table, name) if quotes else _plain(name) for name in names}
    cells = [_quoted(text, name, dialect) if name in odd else text for name, text in texts.items()]
    if len(cells) == 1 and dialect.quote:
        cells = [f"coalesce(nullif({cells[0]}, ''), {literal(dialect.quote * 2)})"]
    return f"concat_ws({literal(dialect.delimiter)}, {', '.join(cells)})"


def _with_signs(table: DuckTable, dialect: Dialect) -> list[str]:
    """The columns among which some cell may need quotes: many are looked at together, as one text."""
    names = table.header.names
    parts = [names[start : start + _TOGETHER] for start in range(0, len(names), _TOGETHER)]
    texts = ", ".join(f"concat({', '.join(map(cell_text, part))}) AS p{i}" for i, part in enumerate(parts))
    signs = _special(dialect)
    tests = (" OR ".join(f"contains(p{i}, {literal(sign)})" for sign in signs) for i in range(len(parts)))
    asked = (
        f"SELECT {', '.join(f'bool_or({test})' for test in tests)} FROM (SELECT {texts} FROM {identifier(table.name)})"
    )
    (found,) = table.connection.sql(asked).fetchall()
    return [name for part, is_odd in zip(parts, found, strict=True) if is_odd for name in part]


def _plain(name: str) -> str:
    """SQL for the text of a cell."""
    return f"coalesce({cell_text(name)}, '')"


def _quoted(text: str, name: str, dialect: Dialect) -> str:
    """SQL for a cell, quoted where it must be; NULL is written as nothing."""
    quote = dialect.quote
    needs = " OR ".join(f"contains({text}, {literal(sign)})" for sign in _special(dialect))
    if quote:
        doubled = f"replace({text}, {literal(quote)}, {literal(quote * 2)})"
        return f"CASE WHEN {needs} THEN {literal(quote)} || {doubled} || {literal(quote)} ELSE {text} END"
    problem = f"Cells of {name!r} must not hold the separator in a dialect without quotes; some do."
    refusal = refuse(problem, "declare a quote character, or publish as Parquet.", "VARCHAR")
    return f"CASE WHEN {needs} THEN {refusal} ELSE {text} END"


@contextmanager
def _opened(path: Path, compression: str) -> Iterator[BinaryIO]:
    """A binary file, compressed where asked; the compressed bytes hold no time and no name."""
    with path.open("wb") as file:
        if compression == ".gz":
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as packed:
                yield cast("BinaryIO", packed)
        elif compression == ".zst":
            with pa.CompressedOutputStream(pa.PythonFile(file, "w"), "zstd") as packed:
                yield packed
        else:
            yield file


_MARK = "'"
_BEGIN = (*"=+-@\t\r", _MARK)
"""Signs with which a cell begins that a spreadsheet may run, or that quoting changes."""
_BEGUN = "".join("1" if chr(code) in _BEGIN else "0" for code in range(128))
_QUOTED = re.compile(f"'+{SIGNS}")
_TEXTS = ("VARCHAR", "ENUM")
_TOGETHER = 32
"""Columns that are looked at together for signs that need quotes."""


def quoted_cell(table: DuckTable, column: str) -> str:
    """SQL for the text of a cell that no spreadsheet runs; NULL is an empty text, and codes for missing stay."""
    text = f"coalesce({cell_text(column)}, '')"
    return f"(CASE WHEN {_begins(table, column)} THEN {literal(_MARK)} || {text} ELSE {text} END)"


def formulas_of(table: DuckTable) -> dict[str, int]:
    """For each column of texts with cells that quoting changes, how many of them a spreadsheet would run as they are.

    Few columns have a cell that begins with a sign at all; only these are matched cell by cell. Labels tell it at once.
    """
    known = _labels(table)
    names = [name for name in _texts(table) if any(text.startswith(_BEGIN) for text in known.get(name, _BEGIN))]
    if len(names) > _TOGETHER:
        begun = _counts(table, [*map(_may_begin, names)])
        names = [name for name, n in zip(names, begun, strict=True) if n]
    changed = [f"CASE WHEN {_may_begin(name)} THEN {_begins(table, name)} ELSE false END" for name in names]
    bare = [
        f"{begins} AND left({cell_text(name)}, 1) <> {literal(_MARK)}"
        for name, begins in zip(names, changed, strict=True)
    ]
    run = _counts(table, [*changed, *bare])
    return {name: run[len(names) + i] for i, name in enumerate(names) if run[i]}


def _texts(table: DuckTable) -> list[str]:
    """The columns of texts."""
    return [name for name in table.header.names if table.header.type_of(name).startswith(_TEXTS)]


def _may_begin(column: str) -> str:
    """SQL that is true of every cell that begins with a sign of formulas or an apostrophe.

    The sign is looked up among bits: of a list of constants DuckDB makes a join, after which rows must be sorted.
    """
    return f"get_bit(CAST({literal(_BEGUN)} AS BIT), least(coalesce(ascii({cell_text(column)}), 0), 127)) = 1"


def _counts(table: DuckTable, conditions: Sequence[str]) -> tuple[int, ...]:
    """How many rows fulfil each condition."""
    if not conditions:
        return ()
    counted = ", ".join(f"count_if({condition})" for condition in conditions)
    (row,) = table.connection.sql(f"SELECT {counted} FROM {identifier(table.name)}").fetchall()
    return tuple(row)


@dataclass(frozen=True, slots=True)
class Unquoted:
    """What a quoted cell stood for.

    Example:
        >>> Unquoted().texts(["'=1+1", "''=x", "O'Neil", "-5", "'tis"])
        ['=1+1', "'=x", "O'Neil", '-5', "'tis"]
    """

    def texts(self, cells: Sequence[str]) -> list[str]:
        """Each cell without the apostrophe that quoting put before it."""
        return [
            cell[1:] if _QUOTED.match(cell) and not re.fullmatch(NUMBER, cell.lstrip(_MARK)) else cell for cell in cells
        ]


def _begins(table: DuckTable, column: str) -> str:
    """SQL that says whether a cell, apostrophes apart, begins as a formula does and is no number and no missing code."""
    bare = f"ltrim({cell_text(column)}, {literal(_MARK)})"
    runs = f"regexp_matches({bare}, {literal('^' + SIGNS)}) AND NOT regexp_full_match({bare}, {literal(NUMBER)})"
    return f"(NOT {is_missing(table, column)} AND {runs})"
