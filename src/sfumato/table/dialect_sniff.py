"""How is this CSV text written? Separator, quote, lines before the header, header, decimal sign.

Pure: reads the first part of the text, decides, and says what it is unsure of. Encodings and line
ends are decided from bytes by the engine; the whole file is checked when it is read.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.table.dialect import Dialect, override

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DELIMITERS = ("\t", ";", "|", ",")
"""Separators that are tried, the rarest inside text first: on a draw the earlier wins."""
_OTHER_SEPARATORS = re.compile(r"[,;\t|:^~\x1c-\x1f]")
_NUMBER = re.compile(r"\s*[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?\s*%?\s*")
_COMMA_NUMBER = re.compile(r"\s*[-+]?\d+,\d+([eE][-+]?\d+)?\s*")
_POINT_NUMBER = re.compile(r"\s*[-+]?\d+\.\d+([eE][-+]?\d+)?\s*")
_MAX_TITLES = 50
_MOSTLY = 0.9


@dataclass(frozen=True, slots=True)
class Row:
    """One parsed row and the physical lines that it covers (1-based, both included)."""

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


def parse_rows(text: str, delimiter: str, quote: str, *, complete: bool) -> list[Row]:
    r"""Rows of a text, blank lines as rows of no cells; a last row that may be cut is dropped.

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
    )
    rows: list[Row] = []
    line = 0
    for cells in reader:
        rows.append(Row(line + 1, reader.line_num, tuple(cells)))
        line = reader.line_num
    return rows if complete else rows[:-1]


def sniff(text: str, written: Dialect, fixed: Mapping[str, object], *, complete: bool) -> Sniffed:
    r"""Decide the dialect of a text.

    Args:
        text: the first part of the file, decoded, line ends as they are.
        written: encoding, byte order mark and line end, already known.
        fixed: parts that a person declared; they win.
        complete: whether `text` is the whole file.

    Raises:
        SourceError: no rows; or one column only although the lines hold signs that often separate.
            Remedy: declare the delimiter.
        ParameterError: a declared part cannot be.

    Example:
        >>> sniff("id;price\n1;5,3\n", Dialect(), {}, complete=True).dialect.delimiter
        ';'
    """
    written = override(written, fixed)
    delimiter, quote, rows = _separation(text, written, fixed, complete=complete)
    rows = [row for row in rows if row.first_line > written.skip] if "skip" in fixed else rows
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
    return _with_header(rows, override(written, {"delimiter": delimiter, "quote": quote}), fixed, width)


def _without_footer(rows: list[Row], footer: int) -> list[Row]:
    """The rows that end before the last `footer` lines."""
    return [row for row in rows if row.last_line <= rows[-1].last_line - footer]


def _with_header(rows: list[Row], dialect: Dialect, fixed: Mapping[str, object], width: int) -> Sniffed:
    """Decide whether the first row names the columns, and what lies before it."""
    notes: list[str] = []
    likely = looks_like_header(rows[0].cells, [row.cells for row in rows[1:]])
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
        notes.append(f"The header is repeated {repeated} times at the top; it counts once.")
    if skip - repeated * (first.last_line - first.first_line + 1) > 0 and "skip" not in fixed:
        notes.append(f"The first {skip} lines are no part of the table and are left out.")
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


def _separation(
    text: str, written: Dialect, fixed: Mapping[str, object], *, complete: bool
) -> tuple[str, str, list[Row]]:
    """The delimiter and quote under which most rows have the same number of cells, above one."""
    delimiters = (written.delimiter,) if "delimiter" in fixed else DELIMITERS
    quotes = (written.quote,) if "quote" in fixed else ('"', "'", "")
    best: tuple[float, str, str, list[Row]] | None = None
    for quote in quotes:
        if best is not None and best[0] >= 1 and not (quote == "'" and "'" in text):
            continue
        for delimiter in delimiters:
            try:
                rows = parse_rows(text, delimiter, quote, complete=complete)
            except csv.Error:
                continue
            score = _consistency(rows) + (1.0 if quote == "'" and _all_single_quoted(text, delimiter) else 0.0)
            if best is None or score > best[0]:
                best = (score, delimiter, quote, rows)
    if best is None:
        raise SourceError(
            "The file must be readable as CSV; no separator and quote that were tried fits.",
            "declare `delimiter` and `quote` of the dialect.",
        )
    nothing_separates = best[0] == 0 and "delimiter" not in fixed
    return written.delimiter if nothing_separates else best[1], best[2], best[3]


def _consistency(rows: Sequence[Row]) -> float:
    """Share of the non-blank rows that have the commonest width above one (0: no row has two cells)."""
    widths = Counter(len(row.cells) for row in rows if row.cells)
    total = sum(widths.values())
    return max((count for width, count in widths.items() if width > 1), default=0) / total if total else 0.0


def _all_single_quoted(text: str, delimiter: str) -> bool:
    """Whether nearly every cell of the first lines stands between two single quotes."""
    lines = [line.rstrip("\r\n") for line in itertools.islice(io.StringIO(text, newline=""), 100)]
    cells = [cell.strip() for line in lines[: max(1, len(lines) - 1)] for cell in line.split(delimiter)]
    quoted = sum(1 for cell in cells if len(cell) > 1 and cell[0] == cell[-1] == "'")
    return len(cells) > 1 and delimiter in lines[0] and quoted >= _MOSTLY * len(cells)


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
    """Index of the first row that is neither blank nor a title above the table."""
    fullest = max((row.n_filled for row in rows[: 2 * _MAX_TITLES]), default=0)
    for index, row in enumerate(rows[:_MAX_TITLES]):
        if width == 1 and row.n_filled:
            return index
        sparse = row.n_filled <= max(1, width // 3) and fullest >= max(2, 2 * row.n_filled)
        if row.n_filled and not sparse:
            return index
    return 0


def looks_like_header(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether a row names columns rather than being one of the rows below it.

    A name is a text above numbers; a value is a number above numbers, or a text that comes again
    in its own column. Rising whole numbers from 0 or 1, or years, are names as well.

    Example:
        >>> looks_like_header(["age", "sex"], [["34", "F"]])
        True
        >>> looks_like_header(["39", "F"], [["34", "F"], ["50", "M"]])
        False
    """
    filled = [cell for cell in first if cell.strip()]
    if not filled or not body:
        return bool(filled) and not any(_NUMBER.fullmatch(cell) for cell in filled)
    if _is_run(filled):
        return True
    votes = 0.0
    others = [row for row in body if tuple(row) != tuple(first)]
    for position, cell in enumerate(first):
        column = [row[position] for row in others if position < len(row)]
        votes += _vote(cell, column)
    return votes > 0 or (votes == 0 and not any(_NUMBER.fullmatch(cell) for cell in filled))


def _vote(name: str, column: Sequence[str]) -> float:
    """+1: `name` names the column; -1: it is one of its values; 0: cannot tell."""
    numbers = sum(1 for cell in column if _NUMBER.fullmatch(cell))
    if _NUMBER.fullmatch(name):
        return -1.0
    if not name.strip() or not column:
        return 0.0
    if name in column:
        return -1.0
    return 1.0 if numbers > len(column) / 2 else 0.0


def _is_run(cells: Sequence[str]) -> bool:
    """Whether cells are 0, 1, 2 …, or 1, 2, 3 …, or rising years: numbers that name columns."""
    if len(cells) < 3 or not all(cell.strip().isdecimal() for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    consecutive = numbers[0] in {0, 1} and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    rising = all(a < b for a, b in itertools.pairwise(numbers))
    return consecutive or (rising and numbers[0] >= 1500 and numbers[-1] <= 2200)


def _decimal(body: Sequence[Row], delimiter: str) -> str:
    """The sign that more numbers of the first rows use."""
    if delimiter == ",":
        return "."
    cells = [cell for row in body for cell in row.cells]
    commas = sum(1 for cell in cells if _COMMA_NUMBER.fullmatch(cell))
    points = sum(1 for cell in cells if _POINT_NUMBER.fullmatch(cell))
    return "," if commas > points else "."
