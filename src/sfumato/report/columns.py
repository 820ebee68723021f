"""Rows of cells as a person reads them on a terminal, and as a program reads them from a file."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


def aligned(rows: Sequence[Sequence[str]], left: Collection[int]) -> list[str]:
    """The lines of a table, its columns two blanks apart.

    Args:
        rows: of equally many cells, the head first.
        left: places of the columns that begin at one place; the others end at one.

    Example:
        >>> aligned([["name", "n"], ["a", "10"]], {0})
        ['name   n', 'a     10']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))).rstrip() for row in rows]  # fmt: skip


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    r"""Rows as CSV, numbers in full.

    Example:
        >>> csv_text([["k", "loss"], [5, 0.25], [9, None]])
        'k,loss\n5,0.25\n9,\n'
    """
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()
