"""Which cells of a CSV file would a spreadsheet run? Those that begin with = + - @, a tab or a carriage return, but numbers.

A cell is quoted by an apostrophe before it. A cell that has apostrophes before such a sign gets one more, so that
`unquoted` gives every cell back.

Source: OWASP, CSV Injection (owasp.org/www-community/attacks/CSV_Injection).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.engine.duckdb.leaves import cell_text, is_missing
from sfumato.engine.duckdb.quote import identifier, literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.duckdb.table import DuckTable

_SIGNS = r"[=+\-@\t\r]"
_NUMBER = r"[+-]?[0-9]+([.,][0-9]+)*([eE][+-]?[0-9]+)?"
_MARK = "'"
_QUOTED = re.compile(f"'+{_SIGNS}")
_TEXTS = ("VARCHAR", "ENUM")


def quoted_cell(table: DuckTable, column: str) -> str:
    """SQL for the text of a cell that no spreadsheet runs; NULL is an empty text, and codes for missing stay."""
    text = f"coalesce({cell_text(column)}, '')"
    return f"(CASE WHEN {_begins(table, column)} THEN {literal(_MARK)} || {text} ELSE {text} END)"


def formulas_of(table: DuckTable) -> dict[str, int]:
    """For each column of texts with cells that quoting changes, how many of them a spreadsheet would run as they are."""
    names = [name for name in table.header.names if table.header.type_of(name).startswith(_TEXTS)]
    if not names:
        return {}
    counts = ", ".join(
        f"count_if({begins}), count_if({begins} AND left({cell_text(name)}, 1) <> {literal(_MARK)})"
        for name, begins in ((name, _begins(table, name)) for name in names)
    )
    (row,) = table.connection.sql(f"SELECT {counts} FROM {identifier(table.name)}").fetchall()
    return {name: row[2 * i + 1] for i, name in enumerate(names) if row[2 * i]}


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
            cell[1:] if _QUOTED.match(cell) and not re.fullmatch(_NUMBER, cell.lstrip(_MARK)) else cell
            for cell in cells
        ]


def _begins(table: DuckTable, column: str) -> str:
    """SQL that says whether a cell, apostrophes apart, begins as a formula does and is no number and no missing code."""
    bare = f"ltrim({cell_text(column)}, {literal(_MARK)})"
    runs = f"regexp_matches({bare}, {literal('^' + _SIGNS)}) AND NOT regexp_full_match({bare}, {literal(_NUMBER)})"
    return f"(NOT {is_missing(table, column)} AND {runs})"
