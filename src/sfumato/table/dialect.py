"""How is a CSV file written? Sniffed from its bytes, shown to the user, overridable."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

_NEWLINES = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}
_SIGNS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar", " ": "blank", '"': '"', "'": "'"}


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
        skip: lines before the header (titles, blank lines, repeated headers).
        header: whether the first line after `skip` names the columns.
        footer: lines after the last row (footnotes). Never sniffed: only a person says so.
    """

    encoding: str = "utf-8"
    bom: bool = False
    delimiter: str = ","
    quote: str = '"'
    newline: str = "\n"
    decimal: str = "."
    skip: int = 0
    header: bool = True
    footer: int = 0

    def __post_init__(self) -> None:
        _require(_is_codec(self.encoding), "encoding", "the name of a text encoding", self.encoding)
        _require(isinstance(self.bom, bool), "bom", "true or false", self.bom)
        _require(_is_sign(self.delimiter), "delimiter", "one character, no line end", self.delimiter)
        _require(self.quote == "" or _is_sign(self.quote), "quote", 'one character or ""', self.quote)
        _require(self.quote != self.delimiter, "quote", "another character than the delimiter", self.quote)
        _require(self.newline in _NEWLINES, "newline", r'"\n", "\r\n" or "\r"', self.newline)
        _require(self.decimal in {".", ","}, "decimal", '"." or ","', self.decimal)
        _require(_is_count(self.skip), "skip", "a whole number of lines, 0 or more", self.skip)
        _require(isinstance(self.header, bool), "header", "true or false", self.header)
        _require(_is_count(self.footer), "footer", "a whole number of lines, 0 or more", self.footer)


def override(dialect: Dialect, parts: Mapping[str, object]) -> Dialect:
    """The dialect with the parts that a person fixes.

    Raises:
        ParameterError: unknown part, or a value that it cannot have.

    Example:
        >>> override(Dialect(), {"delimiter": ";", "decimal": ","}).delimiter
        ';'
    """
    known = [field.name for field in fields(Dialect)]
    unknown = sorted(set(parts) - set(known))
    if unknown:
        raise ParameterError(
            "A dialect has the parts {known}; got {unknown}.",
            "correct the name of the part.",
            known=known,
            unknown=unknown,
        )
    return replace(dialect, **dict(parts))  # type: ignore[arg-type]


def describe_dialect(dialect: Dialect) -> str:
    r"""The dialect in words.

    Example:
        >>> describe_dialect(Dialect(encoding="windows-1252", delimiter=";", newline="\r\n", decimal=","))
        'windows-1252, separated by semicolon, quoted by ", decimal comma, lines end with CRLF, names in line 1'
    """
    delimiter = _SIGNS.get(dialect.delimiter, repr(dialect.delimiter))
    parts = [
        dialect.encoding + (" with byte order mark" if dialect.bom else ""),
        f"separated by {delimiter}",
        f"quoted by {_SIGNS.get(dialect.quote, repr(dialect.quote))}" if dialect.quote else "never quoted",
        f"decimal {'comma' if dialect.decimal == ',' else 'point'}",
        f"lines end with {_NEWLINES[dialect.newline]}",
        f"names in line {dialect.skip + 1}" if dialect.header else f"no names, first row in line {dialect.skip + 1}",
    ]
    if dialect.footer:
        parts.append(f"last {dialect.footer} lines left out")
    return ", ".join(parts)


def _require(ok: bool, part: str, what: str, given: object) -> None:
    if not ok:
        raise ParameterError(
            "Dialect {part!r} must be {what}; got {given!r}.",
            "correct `{part}` of the dialect.",
            part=part,
            what=what,
            given=given,
        )


def _is_codec(name: object) -> bool:
    try:
        return isinstance(name, str) and "\0" not in name and "a".encode(name).decode(name) == "a"
    except (LookupError, UnicodeError):
        return False


def _is_sign(text: object) -> bool:
    return isinstance(text, str) and len(text) == 1 and text not in "\r\n\0"


def _is_count(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0
