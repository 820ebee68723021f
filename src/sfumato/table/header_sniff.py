"""Whether the first row of a table names its columns or is a row like the others."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_NUMBER = re.compile(r"\s*[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?\s*%?\s*")
_FIRST_YEAR, _LAST_YEAR = 1500, 2200
_SHORTEST_RUN = 5
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S*$")
_HEAD, _LINES = 1 << 16, 100
_MOST_LINES = 0.9


def looks_like_header(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether a row names columns rather than being one of the rows below it.

    A name is a text above numbers; a value is a number above numbers, or a text that comes again
    in its own column. Rising whole numbers from 0 or 1, or years, are names as well, and so are whole numbers
    that rise after texts where those of the rows below do not (`name, age, 1, 2, 3, 4, 5`).

    Example:
        >>> looks_like_header(["age", "sex"], [["34", "F"]])
        True
        >>> looks_like_header(["39", "F"], [["34", "F"], ["50", "M"]])
        False
    """
    filled = [cell for cell in first if cell.strip()]
    if not filled or not body:
        return bool(filled) and not any(_NUMBER.fullmatch(cell) for cell in filled)
    if _is_run(filled) or _ends_in_a_run(first, body):
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
    return consecutive or (rising and numbers[0] >= _FIRST_YEAR and numbers[-1] <= _LAST_YEAR)


def _ends_in_a_run(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether texts are followed by at least five rising whole numbers, and few rows below rise there."""
    start = next((i for i, cell in enumerate(first) if _NUMBER.fullmatch(cell)), 0)
    if not start or len(first) - start < _SHORTEST_RUN or not _rises(first[start:]):
        return False
    return 2 * sum(_rises(row[start:]) for row in body) < len(body)


def _rises(cells: Sequence[str]) -> bool:
    """Whether all are whole numbers, each above the one before."""
    if not all(cell.strip().isdecimal() for cell in cells):
        return False
    return all(int(a) < int(b) for a, b in itertools.pairwise(cells))


def is_list_of_addresses(text: str) -> bool:
    r"""Whether one word stands above lines that are addresses: what separates columns elsewhere is part of them.

    Example:
        >>> is_list_of_addresses("url\nhttps://a.org/x;y\nhttps://b.org/z,w\n")
        True
    """
    lines = [line.strip().strip('"') for line in text[:_HEAD].splitlines()[:_LINES] if line.strip()]
    if len(lines) < 2 or not re.fullmatch(r"\w[\w .-]*", lines[0].lstrip("\ufeff")):
        return False
    return sum(1 for line in lines[1:] if _ADDRESS.match(line)) >= _MOST_LINES * (len(lines) - 1)
