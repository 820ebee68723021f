"""How is a CSV file written? Sniffed from its bytes, shown to the user, overridable."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """The written form of a CSV file.

    Args:
        encoding: Python codec name; a byte order mark is `bom`.
        bom: whether the file starts with a byte order mark.
        delimiter: one character.
        quote: one character, or "" when cells are never quoted.
        newline: the line end, one of LF, CRLF and CR.
        decimal: "." or ",".
        skip: lines before the header (titles, blank lines).
        header: whether the first line after `skip` names the columns.
    """

    encoding: str = "utf-8"
    bom: bool = False
    delimiter: str = ","
    quote: str = '"'
    newline: str = "\n"
    decimal: str = "."
    skip: int = 0
    header: bool = True
