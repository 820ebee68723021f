"""A CSV file that DuckDB cannot read to the byte made plain, and what is wrong with a broken one.

The rows pass through Python's strict reader and writer in large batches; only a broken file is read
again, row by row, to say where.
"""

from __future__ import annotations

import csv
import itertools
from typing import TYPE_CHECKING

from sfumato.engine.duckdb.survey import Survey, open_text
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from _csv import Reader as _Reader
    from collections.abc import Iterator
    from pathlib import Path

    from sfumato.table.dialect_sniff import Sniffed

_BATCH = 20_000
_MOST_REPORTED = 100_000
_MOST_FOOTNOTES = 100
_TOO_LONG = "a cell is longer than 131,072 characters"


def write_plain(path: Path, survey: Survey, sniffed: Sniffed, copy: Path) -> int:
    """Write the rows as UTF-8, comma, every cell quoted, LF; returns their number.

    Args:
        path: the file.
        survey: its encoding and line ends.
        sniffed: its dialect and width.
        copy: the file to write.

    Raises:
        SourceError: ragged rows, or quotes that do not close. The line is named.
    """
    n_rows = 0
    try:
        with open_text(path, survey) as text, copy.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
            for rows in _batches(text, survey, sniffed):
                filled = list(filter(None, rows))
                if set(map(len, filled)) - {sniffed.width}:
                    raise _ragged(path, survey, sniffed)
                writer.writerows(filled)
                n_rows += len(filled)
    except csv.Error:
        raise _malformed(path, survey, sniffed) from None
    return n_rows


def _reader(text: Iterator[str], survey: Survey, sniffed: Sniffed) -> _Reader:
    """Rows after the header, to the footer; `line_num` counts from the end of the header."""
    dialect = sniffed.dialect
    lines = itertools.islice(text, dialect.skip + sniffed.header_lines, survey.n_lines - dialect.footer)
    return csv.reader(
        lines,
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        strict=True,
    )


def _batches(text: Iterator[str], survey: Survey, sniffed: Sniffed) -> Iterator[list[list[str]]]:
    reader = _reader(text, survey, sniffed)
    while rows := list(itertools.islice(reader, _BATCH)):
        yield rows


def _ragged(path: Path, survey: Survey, sniffed: Sniffed) -> SourceError:
    """The error that names the first row of another length, both counts, and what to do."""
    start = sniffed.dialect.skip + sniffed.header_lines
    with open_text(path, survey) as text:
        reader = _reader(text, survey, sniffed)
        different = ((start + reader.line_num, len(row)) for row in reader if row and len(row) != sniffed.width)
        wrong = list(itertools.islice(different, _MOST_REPORTED))
    line, cells = wrong[0]
    where = f"the header (line {sniffed.dialect.skip + 1})" if sniffed.header is not None else "most rows"
    return SourceError(
        "Every row of {name!r} must have as many cells as {where}, {width}; line {line} has {cells} (and {others} other "
        "rows differ).",
        "{cure}",
        name=path.name,
        where=where,
        width=sniffed.width,
        line=line,
        cells=cells,
        others=f"{len(wrong) - 1}{' or more' if len(wrong) == _MOST_REPORTED else ''}",
        cure=_ragged_remedy(sniffed, survey.n_lines, [w[0] for w in wrong], {w[1] for w in wrong}),
    )


def _ragged_remedy(sniffed: Sniffed, n_lines: int, lines: list[int], widths: set[int]) -> str:
    """What to do about rows of another length, by where they are and how long."""
    header = sniffed.header or ()
    if header and not header[-1].strip() and widths == {sniffed.width - 1}:
        return f"remove the separator at the end of line {sniffed.dialect.skip + 1}: it makes an empty column."
    if widths == {sniffed.width + 1}:
        return (
            "every such line has one cell too many: remove the separator at its end, or quote the cell that holds one."
        )
    if max(widths) < sniffed.width and n_lines - lines[0] < _MOST_FOOTNOTES and lines[-1] > n_lines - 5:
        return (
            f"if the file ends with footnotes, declare `footer = {n_lines - lines[0] + 1}` in the dialect;"
            " else repair these lines."
        )
    return "repair these lines, or declare the delimiter and the quote if they were read wrongly."


def _malformed(path: Path, survey: Survey, sniffed: Sniffed) -> SourceError:
    """The error that names the line at which quoting goes wrong."""
    start = sniffed.dialect.skip + sniffed.header_lines
    what = "text follows a closing quote"
    n_lines = 0
    with open_text(path, survey) as text:
        reader = _reader(text, survey, sniffed)
        try:
            for _ in reader:
                n_lines = reader.line_num
        except csv.Error as error:
            for sign, meaning in (("end of data", "a quote is never closed"), ("field larger", _TOO_LONG)):
                what = meaning if sign in str(error) else what
    return SourceError(
        "Quotes in {name!r} must enclose whole cells; {what} in the row that begins on line {start}.",
        'double the quotes inside cells, or declare `quote = ""` if this file never quotes.',
        name=path.name,
        what=what,
        start=start + n_lines + 1,
    )
