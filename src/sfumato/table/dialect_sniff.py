"""How a CSV text is written: separator, quote, lines before the header, header, decimal sign.

Pure: reads the first part of the text, decides, and says what it is unsure of. Encodings and line
ends are decided from bytes by the engine; the whole file is checked when it is read.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.table.header_sniff import is_list_of_addresses, looks_like_header
from sfumato.table.source import Dialect, override

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.values import Table

DELIMITERS = ("\t", ";", "|", ",")
"""Separators that are tried, the rarest inside text first: on a draw the earlier wins."""
_OTHER_SEPARATORS = re.compile(r"[,;\t|:^~\x1c-\x1f]")
_COMMA_NUMBER = re.compile(r"\s*[-+]?(\d+|\d{1,3}(\.\d{3})+),\d+([eE][-+]?\d+)?\s*")
_POINT_NUMBER = re.compile(r"\s*[-+]?(\d+|\d{1,3}(,\d{3})+)\.\d+([eE][-+]?\d+)?\s*")
_NEVER = "\x1f"
"""The separator of a file of one column: a sign that no text holds."""
MOST_COLUMNS = 5_000
"""Columns of a table at most: what is asked of DuckDB grows as their square."""
_MAX_TITLES = 50
_MOSTLY = 0.9
_BROKEN = 0.5
_VOTERS = 500
_LOOKED_AT = 100


class Row(NamedTuple):
    """One parsed row and the physical lines that it covers (1-based, both included); thousands are made at once."""

    first_line: int
    last_line: int
    cells: tuple[str, ...]

    @property
    def n_filled(self) -> int:
        """Cells that are not blank."""
        return sum(1 for cell in self.cells if cell.strip())


@dataclass(frozen=True, slots=True)
class Sniffed:
    """A dialect and what the first rows tell.

    Args:
        dialect: how the text is written.
        header: the names as written; None: the file has none.
        header_lines: physical lines of the header (0: none).
        width: cells that every row must have.
        body: the first rows after the header.
        notes: what was guessed, for a person to see.
    """

    dialect: Dialect
    header: tuple[str, ...] | None
    header_lines: int
    width: int
    body: tuple[Row, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """Rows under one delimiter and quote, and how well they fit (below 0: not at all)."""

    score: float
    delimiter: str
    quote: str
    rows: list[Row]


def parse_rows(text: str, delimiter: str, quote: str, *, complete: bool, strict: bool = False) -> list[Row]:
    r"""Rows of a text, blank lines as rows of no cells; a last row that may be cut is dropped.

    `strict` refuses text after a closing quote and quotes that never close.

    Raises:
        csv.Error: the text is not written like this.

    Example:
        >>> [row.cells for row in parse_rows('a,"b"\n1,2\n3', ",", '"', complete=False)]
        [('a', 'b'), ('1', '2')]
    """
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        strict=strict,
    )
    rows: list[Row] = []
    line = 0
    try:
        for cells in reader:
            rows.append(Row(line + 1, reader.line_num, tuple(cells)))
            line = reader.line_num
    except csv.Error as error:
        is_cut = not complete and any(reason in str(error) for reason in ("unexpected end", "field larger"))
        if not is_cut:
            raise
        return rows
    return rows if complete else rows[:-1]


def sniff(text: str, written: Dialect, fixed: Table, *, complete: bool) -> Sniffed:
    r"""Decide the dialect of a text.

    Args:
        text: the first part of the file, decoded, line ends as they are.
        written: encoding, byte order mark and line end, already known.
        fixed: parts that a person declared; they win.
        complete: whether `text` is the whole file.

    Raises:
        SourceError: no rows; more than `MOST_COLUMNS` columns; or one column only although the lines hold signs that often separate.
            Remedy: declare the delimiter.
        ParameterError: a declared part cannot be.

    Example:
        >>> sniff("id;price\n1;5,3\n", Dialect(), {}, complete=True).dialect.delimiter
        ';'
    """
    if "delimiter" not in fixed and is_list_of_addresses(text):
        fixed = {**fixed, "delimiter": _NEVER}
    written = override(written, fixed)
    _refuse_endless_rows(text, (written.delimiter,) if "delimiter" in fixed else DELIMITERS)
    best = _separation(text, written, fixed, complete=complete)
    rows = [row for row in best.rows if row.first_line > written.skip] if "skip" in fixed else best.rows
    rows = _without_footer(rows, written.footer) if complete else rows
    width = _common_width(rows)
    if width == 1 and "delimiter" not in fixed:
        _question_single_column(rows)
    start = 0 if "skip" in fixed else _first_row_of_table(rows, width)
    rows = rows[start:]
    while rows and not rows[0].cells:
        rows = rows[1:]
    if not rows:
        raise SourceError("The file must hold rows; it holds none.", "check that it is the right file.")
    return _with_header(rows, override(written, {"delimiter": best.delimiter, "quote": best.quote}), fixed, width)


def check_width(n_columns: int) -> None:
    """Refuse a table of too many columns.

    Raises:
        SourceError: more than `MOST_COLUMNS`.
    """
    if n_columns > MOST_COLUMNS:
        raise SourceError(
            "A table must have at most {most_columns:,} columns; this one has {n_columns:,}.",
            "give the columns that you need, or put them into rows (name, value).",
            most_columns=MOST_COLUMNS,
            n_columns=n_columns,
        )


def _refuse_endless_rows(text: str, delimiters: Sequence[str]) -> None:
    """Refuse a row of too many cells before the text is read in every way that it may be written."""
    longest = max(text.split("\n"), key=len)
    for delimiter in delimiters:
        if longest.count(delimiter) >= MOST_COLUMNS:
            with suppress(csv.Error):
                check_width(len(next(csv.reader([longest], delimiter=delimiter))))


def _without_footer(rows: list[Row], footer: int) -> list[Row]:
    """The rows that end before the last `footer` lines."""
    return [row for row in rows if row.last_line <= rows[-1].last_line - footer]


def _with_header(rows: list[Row], dialect: Dialect, fixed: Table, width: int) -> Sniffed:
    """Decide whether the first row names the columns, and what lies before it."""
    notes: list[str] = []
    if not dialect.quote and "quote" not in fixed:
        notes.append("Quotes do not enclose whole cells here; they are kept as plain characters.")
    likely = looks_like_header(rows[0].cells, [row.cells for row in rows[1:_VOTERS]])
    has_header = dialect.header if "header" in fixed else likely
    if likely and not has_header:
        notes.append("The first row looks like a header, but `header = false` is declared: it is read as data.")
    repeated = 0
    if has_header and "skip" not in fixed and rows[0].n_filled > 1:
        while repeated + 1 < len(rows) and rows[repeated + 1].cells == rows[0].cells:
            repeated += 1
    first, body = rows[repeated], rows[repeated + 1 :] if has_header else rows
    skip = first.first_line - 1
    if repeated:
        notes.append(f"The header stands {repeated + 1} times at the top; it counts once.")
    if skip - repeated * (first.last_line - first.first_line + 1) > 0 and "skip" not in fixed:
        lines = f"first {skip} lines are" if skip > 1 else "first line is"
        notes.append(f"The {lines} no part of the table and left out.")
    if not has_header and "header" not in fixed:
        notes.append("The first row looks like data; the columns are named by their position.")
    decimal = dialect.decimal if "decimal" in fixed else _decimal(body, dialect.delimiter)
    return Sniffed(
        dialect=override(dialect, {"skip": skip, "header": has_header, "decimal": decimal}),
        header=first.cells if has_header else None,
        header_lines=first.last_line - first.first_line + 1 if has_header else 0,
        width=len(first.cells) if has_header else width,
        body=tuple(body),
        notes=tuple(notes),
    )


def _separation(text: str, written: Dialect, fixed: Table, *, complete: bool) -> _Reading:
    """The delimiter and quote under which most rows have the same number of cells, above one."""
    delimiters = (written.delimiter,) if "delimiter" in fixed else DELIMITERS
    quotes = (written.quote,) if "quote" in fixed else ('"', "", "'")
    best = _Reading(-1.0, written.delimiter, written.quote, [])
    for quote in quotes:
        if best.score >= 1 and not (quote == "'" and "'" in text):
            continue
        best = max([best, *_readings(text, delimiters, quote, complete=complete)], key=lambda reading: reading.score)
    if best.score < 0:
        raise SourceError(
            "The file must be readable as CSV; no separator and quote that were tried fits.",
            "declare `delimiter` and `quote` of the dialect.",
        )
    if best.score == 0 and "delimiter" not in fixed:
        return replace(best, delimiter=written.delimiter)
    return best


def _readings(text: str, delimiters: Sequence[str], quote: str, *, complete: bool) -> list[_Reading]:
    """The text read with each delimiter; with those that it does not hold, which score 0 at most, only if no other fits."""
    held = [_reading(text, delimiter, quote, complete=complete) for delimiter in delimiters if delimiter in text]
    if len(held) == len(delimiters) or any(reading.score > 0 for reading in held):
        return held
    return [_reading(text, delimiter, quote, complete=complete) for delimiter in delimiters]


def _reading(text: str, delimiter: str, quote: str, *, complete: bool) -> _Reading:
    """Rows of equal length count for a reading; broken quotes, and quotes that stay in cells, against it."""
    try:
        rows = parse_rows(text, delimiter, quote, complete=complete, strict=True)
        weight = 1.0 if quote else 1.0 - _share_enclosed(rows, '"')
    except csv.Error:
        try:
            rows = parse_rows(text, delimiter, quote, complete=complete)
        except csv.Error:
            return _Reading(-1.0, delimiter, quote, [])
        weight = _BROKEN
    bonus = (
        1.0
        if quote == "'" and _share_enclosed(parse_rows(text, delimiter, "", complete=complete), "'") > _MOSTLY
        else 0.0
    )
    return _Reading(weight * _consistency(rows) + bonus, delimiter, quote, rows)


def _share_enclosed(rows: Sequence[Row], quote: str) -> float:
    """Share of the cells of the first rows that begin and end with a quote (0: one column)."""
    cells = [cell for row in rows[:_LOOKED_AT] if len(row.cells) > 1 for cell in row.cells]
    enclosed = sum(1 for cell in cells if len(cell) > 1 and cell[0] == cell[-1] == quote)
    return enclosed / len(cells) if cells else 0.0


def _consistency(rows: Sequence[Row]) -> float:
    """Share of the non-blank rows that have the commonest width above one (0: no row has two cells)."""
    widths = Counter(len(row.cells) for row in rows if row.cells)
    total = sum(widths.values())
    return max((count for width, count in widths.items() if width > 1), default=0) / total if total else 0.0


def _common_width(rows: Sequence[Row]) -> int:
    """The commonest number of cells above one; 1 where no row has two cells."""
    widths = Counter(len(row.cells) for row in rows if len(row.cells) > 1)
    return widths.most_common(1)[0][0] if widths else 1


def _question_single_column(rows: Sequence[Row]) -> None:
    """Refuse a single column whose lines hold signs that often separate columns."""
    cells = [row.cells[0] for row in rows if row.cells]
    words = {len(cell.split()) for cell in cells}
    if any(_OTHER_SEPARATORS.search(cell) for cell in cells) or (len(words) == 1 and max(words) > 1):
        raise SourceError(
            "Only one column was found, although its cells hold signs that often separate columns.",
            'is the separator right? Declare it: dialect = { delimiter = ";" }, or any sign that never '
            "occurs if the file has one column.",
        )


def _first_row_of_table(rows: Sequence[Row], width: int) -> int:
    """Index of the first row that is neither blank nor a title above the table.

    A full row but for its first cell is no title: the index of a data frame has no name.
    """
    fullest = max((row.n_filled for row in rows[: 2 * _MAX_TITLES]), default=0)
    for index, row in enumerate(rows[:_MAX_TITLES]):
        if width == 1 and row.n_filled:
            return index
        sparse = row.n_filled <= max(1, width // 3) and fullest >= max(2, 2 * row.n_filled)
        lacks_the_first = len(row.cells) == width > 1 == width - row.n_filled and not row.cells[0].strip()
        if row.n_filled and (not sparse or lacks_the_first):
            return index
    return 0


def _decimal(body: Sequence[Row], delimiter: str) -> str:
    """The sign that more numbers of the first rows use."""
    if delimiter == ",":
        return "."
    cells = [cell for row in body[:_VOTERS] for cell in row.cells]
    commas = sum(1 for cell in cells if "," in cell and _COMMA_NUMBER.fullmatch(cell))
    points = sum(1 for cell in cells if "." in cell and _POINT_NUMBER.fullmatch(cell))
    return "," if commas > points else "."
