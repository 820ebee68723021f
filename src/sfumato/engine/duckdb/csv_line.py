"""SQL for the line of a row in a CSV file: cells quoted where they must be, and marked where a spreadsheet would run them.

Of a table of few columns each cell has an expression of its own. DuckDB compares the expressions of a statement with each
other, which for many columns takes longer than to write the table: 26 CPU seconds for 800 columns of three rows. So the
cells of many columns are one list, of which each entry goes through the same expression.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engine.base import marked
from sfumato.engine.duckdb.connect import identifier, literal
from sfumato.engine.duckdb.leaves import cell_text, is_missing, is_one_of
from sfumato.table.formulas import NUMBER, SIGNS

if TYPE_CHECKING:
    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.table.source import Dialect

MARK = "'"
"""What is put before a cell that a spreadsheet would run."""
BEGIN = (*"=+-@\t\r", MARK)
"""Signs with which a cell begins that a spreadsheet may run, or that marking changes."""
_BEGUN = "".join("1" if chr(code) in BEGIN else "0" for code in range(128))
TOGETHER = 32
"""Columns whose cells have expressions of their own in a statement, at most; and that are looked at together."""


def special(dialect: Dialect) -> tuple[str, ...]:
    """Signs that a bare cell cannot hold."""
    return tuple(sign for sign in (dialect.delimiter, dialect.quote, "\n", "\r") if sign)


def line(table: DuckTable, dialect: Dialect, *, quotes: bool) -> str:
    """SQL for the line of a row; a lone empty cell is quoted, because readers skip blank lines.

    One call joins all cells, none of which is NULL: a chain of `||` would copy the line again for each of them.

    Args:
        table: whose rows they are.
        dialect: how cells are separated and quoted.
        quotes: whether cells that a spreadsheet would run get an apostrophe before them.
    """
    names = table.header.names
    marks_cells = quotes and MARK in special(dialect)
    odd = set(names if marks_cells or len(names) <= TOGETHER else _with_signs(table, dialect))
    if len(names) > TOGETHER and (quotes or len(odd) > TOGETHER):
        return _line_of_many(table, dialect, quotes=quotes)
    texts = {name: _marked_cell(table, name) if quotes else _plain(name) for name in names}
    cells = [_quoted(text, literal(_refusal(name)), dialect) if name in odd else text for name, text in texts.items()]
    if len(cells) == 1 and dialect.quote:
        cells = [f"coalesce(nullif({cells[0]}, ''), {literal(dialect.quote * 2)})"]
    return f"concat_ws({literal(dialect.delimiter)}, {', '.join(cells)})"


def _line_of_many(table: DuckTable, dialect: Dialect, *, quotes: bool) -> str:
    """The same where cells are a list: as many expressions for any number of columns."""
    names = table.header.names
    cells = _list([*map(_plain, names)])
    if quotes:
        is_bare = f"NOT {_is_code(table)} AND {_runs('cell')}"
        mark = f"CASE WHEN {is_bare} THEN {literal(MARK)} || cell ELSE cell END"
        cells = f"list_transform({cells}, lambda cell, place: {mark})"
    refusal = "''" if dialect.quote else f"{_list([literal(_refusal(name)) for name in names])}[place]"
    quoted = f"list_transform({cells}, lambda cell, place: {_quoted('cell', refusal, dialect)})"
    return f"array_to_string({quoted}, {literal(dialect.delimiter)})"


def _is_code(table: DuckTable) -> str:
    """SQL that says whether a `cell` that is no NULL means "missing" in the column at a `place`."""
    codes = [[literal(code) for code in table.missing_codes(name)] for name in table.header.names]
    if all(one == codes[0] for one in codes):
        return is_one_of("cell", codes[0]) if codes[0] else "false"
    return f"list_contains(CAST({_list([*map(_list, codes)])} AS VARCHAR[][])[place], cell)"


def _list(entries: list[str]) -> str:
    """SQL for a list."""
    return f"[{', '.join(entries)}]"


def _with_signs(table: DuckTable, dialect: Dialect) -> list[str]:
    """The columns among which some cell may need quotes: many are looked at together, as one text."""
    names = table.header.names
    parts = [names[start : start + TOGETHER] for start in range(0, len(names), TOGETHER)]
    texts = ", ".join(f"concat({', '.join(map(cell_text, part))}) AS p{i}" for i, part in enumerate(parts))
    signs = special(dialect)
    tests = (" OR ".join(f"contains(p{i}, {literal(sign)})" for sign in signs) for i in range(len(parts)))
    asked = (
        f"SELECT {', '.join(f'bool_or({test})' for test in tests)} FROM (SELECT {texts} FROM {identifier(table.name)})"
    )
    (found,) = table.connection.sql(asked).fetchall()
    return [name for part, is_odd in zip(parts, found, strict=True) if is_odd for name in part]


def _plain(name: str) -> str:
    """SQL for the text of a cell."""
    return f"coalesce({cell_text(name)}, '')"


def _quoted(text: str, refusal: str, dialect: Dialect) -> str:
    """SQL for a cell, quoted where it must be, refused where nothing is quoted; NULL is written as nothing."""
    quote = dialect.quote
    needs = " OR ".join(f"contains({text}, {literal(sign)})" for sign in special(dialect))
    if quote:
        doubled = f"replace({text}, {literal(quote)}, {literal(quote * 2)})"
        return f"CASE WHEN {needs} THEN {literal(quote)} || {doubled} || {literal(quote)} ELSE {text} END"
    return f"CASE WHEN {needs} THEN CAST(error({refusal}) AS VARCHAR) ELSE {text} END"


def _refusal(name: str) -> str:
    """What is said of a column with a cell that would need quotes where nothing is quoted."""
    problem = f"Cells of {name!r} must not hold the separator in a dialect without quotes; some do."
    return marked(problem, "declare a quote character, or publish as Parquet.")


def _marked_cell(table: DuckTable, column: str) -> str:
    """SQL for the text of a cell that no spreadsheet runs; NULL is an empty text, and codes for missing stay."""
    text = _plain(column)
    return f"(CASE WHEN {begins(table, column)} THEN {literal(MARK)} || {text} ELSE {text} END)"


def may_begin(column: str) -> str:
    """SQL that is true of every cell that begins with a sign of formulas or an apostrophe.

    The sign is looked up among bits: of a list of constants DuckDB makes a join, after which rows must be sorted.
    """
    return f"get_bit(CAST({literal(_BEGUN)} AS BIT), least(coalesce(ascii({cell_text(column)}), 0), 127)) = 1"


def begins(table: DuckTable, column: str) -> str:
    """SQL that says whether a cell, apostrophes apart, begins as a formula does and is no number and no missing code."""
    return f"(NOT {is_missing(table, column)} AND {_runs(cell_text(column))})"


def _runs(text: str) -> str:
    """SQL that says whether a text, apostrophes apart, begins as a formula does and is no number."""
    bare = f"ltrim({text}, {literal(MARK)})"
    return f"regexp_matches({bare}, {literal('^' + SIGNS)}) AND NOT regexp_full_match({bare}, {literal(NUMBER)})"
