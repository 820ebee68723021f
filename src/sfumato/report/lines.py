"""Lines of a terminal: paragraphs and two columns, at most 100 characters wide."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 100


def paragraph(text: str) -> list[str]:
    """An indented paragraph."""
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


def columns(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Two columns; the second is wrapped under itself."""
    wide = min(max((len(name) for name, _ in rows), default=0), 52)
    out = []
    for name, value in rows:
        first = textwrap.wrap(value, WIDTH - wide - 4) or [""]
        head = name if len(name) <= wide else name[: wide - 1] + "…"
        out += [f"  {head:<{wide}}  {first[0]}", *(" " * (wide + 4) + line for line in first[1:])]
    return out
