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
from sfumato.engine.duckdb.csv_line import BEGIN, MARK, TOGETHER, begins, line, may_begin, special
from sfumato.engine.duckdb.leaves import cell_text
from sfumato.engine.duckdb.table import batches, compact
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
    lines = f"{line(table, dialect, quotes=quotes)} || {literal(dialect.newline)} AS line"
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
    has_signs = any(sign in text for held in known.values() for text in held for sign in special(dialect))
    if has_signs:  # labels are those of some row: the lines would not be bare
        raise _NotBareError
    cells = f", {literal(dialect.delimiter)}, ".join(cell_text(name) for name in names)
    odd = " OR ".join(["false", *(may_begin(name) for name in texts if name not in known)])
    lines = batches(compact(table), f"concat({cells}, {literal(dialect.newline)}) AS line, {odd} AS odd")
    may_run = any(text.startswith(BEGIN) for name in texts for text in known.get(name, ()))
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
    if not any(sign in text for sign in special(dialect)):
        return text
    if not dialect.quote:
        raise SourceError(
            "A column name must not hold the separator in a dialect without quotes; one does.",
            "rename the column, or declare a quote character.",
        )
    return dialect.quote + text.replace(dialect.quote, dialect.quote * 2) + dialect.quote


_QUOTED = re.compile(f"'+{SIGNS}")
_TEXTS = ("VARCHAR", "ENUM")


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


def formulas_of(table: DuckTable) -> dict[str, int]:
    """For each column of texts with cells that quoting changes, how many of them a spreadsheet would run as they are.

    Few columns have a cell that begins with a sign at all; only these are matched cell by cell. Labels tell it at once.
    """
    known = _labels(table)
    names = [name for name in _texts(table) if any(text.startswith(BEGIN) for text in known.get(name, BEGIN))]
    if len(names) > TOGETHER:
        begun = _counts(table, [*map(may_begin, names)])
        names = [name for name, n in zip(names, begun, strict=True) if n]
    changed = [f"CASE WHEN {may_begin(name)} THEN {begins(table, name)} ELSE false END" for name in names]
    bare = [
        f"{is_changed} AND left({cell_text(name)}, 1) <> {literal(MARK)}"
        for name, is_changed in zip(names, changed, strict=True)
    ]
    run = _counts(table, [*changed, *bare])
    return {name: run[len(names) + i] for i, name in enumerate(names) if run[i]}


def _texts(table: DuckTable) -> list[str]:
    """The columns of texts."""
    return [name for name in table.header.names if table.header.type_of(name).startswith(_TEXTS)]


def _counts(table: DuckTable, conditions: Sequence[str]) -> tuple[int, ...]:
    """How many rows fulfil each condition; many are asked some at a time, for a statement compares all with each other."""
    found = list[int]()
    for start in range(0, len(conditions), TOGETHER):
        counted = ", ".join(f"count_if({condition})" for condition in conditions[start : start + TOGETHER])
        found += table.connection.sql(f"SELECT {counted} FROM {identifier(table.name)}").fetchall()[0]
    return tuple(found)


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
            cell[1:] if _QUOTED.match(cell) and not re.fullmatch(NUMBER, cell.lstrip(MARK)) else cell for cell in cells
        ]
