"""What cells of a column's type can say at all, decided from public types and declared values, before a row is read.

A range over truth values, or a category that no cell of its column can be, would be answered with nothing but noise,
and paid for. Such a question is refused. Texts say anything; so do columns whose type is known from their cells only.
"""

from __future__ import annotations

import re
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING

from sfumato.errors import SchemaError
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.summary.bounded import BoundedAsk


class Kind(Enum):
    """What a column of a native type holds, and how one of its cells is written."""

    TEXT = ("texts", "any text")
    NUMBER = ("numbers", "5 or 2.5")
    DECIMAL = ("decimal numbers", "5 or 2.50")
    TRUTH = ("truth values", "true or false")
    DAY = ("dates", "2020-01-31")
    MOMENT = ("points in time", "2020-01-31 08:00:00")
    ZONED = ("points in time with a zone", "2020-01-31 07:00:00+00, which is UTC")
    TIME = ("times of day", "08:00:00")
    OTHER = ("values of another type", "the text that the engine gives them")


_ANY = re.compile(".*", re.DOTALL)
_DATE = r"([0-9]{4,7}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])( \(BC\))?"
_CLOCK = r"([01][0-9]|2[0-4]):[0-5][0-9]:[0-5][0-9](\.[0-9]{0,8}[1-9])?"
_WRITTEN = {
    Kind.NUMBER: re.compile(r"-?(0|[1-9][0-9]*)(\.0|\.[0-9]*[1-9])?(e[+-][0-9]{2,3})?|-?inf"),
    Kind.DECIMAL: re.compile(r"-?[0-9]+(\.[0-9]+)?"),
    Kind.TRUTH: re.compile("true|false"),
    Kind.DAY: re.compile(rf"{_DATE}|-?infinity)"),
    Kind.MOMENT: re.compile(rf"{_DATE} {_CLOCK}|-?infinity)"),
    Kind.ZONED: re.compile(rf"{_DATE} {_CLOCK}\+00|-?infinity)"),
    Kind.TIME: re.compile(_CLOCK),
}


def check_kind(column: str, kind: Kind, ask: BoundedAsk) -> None:
    """Refuse an ask whose declarations no cell of a column can meet.

    Args:
        column: its name.
        kind: what it holds.
        ask: what is asked.

    Raises:
        SchemaError: a range of a column that holds no numbers, or public texts that none of its cells can be.
    """
    numbers = {*dict(ask.ranges), *(keyed.column for keyed in ask.by if isinstance(keyed.domain, Range))}
    if column in numbers:
        if kind not in {Kind.TEXT, Kind.NUMBER, Kind.DECIMAL}:
            raise SchemaError(
                "A range is declared of numbers; column {column!r} holds {kind}.",
                "declare Categories, or make it a number (such as days since a date) before the table is read.",
                column=column,
                kind=kind.value[0],
            )
        return
    odd = _odd(texts_of(kind), list(_compared(column, ask)))
    if odd:
        raise SchemaError(
            "Column {column!r} holds {kind}; no cell of it can be any of {odd}.",
            "write them as {kind2}, or leave them out.",
            column=column,
            kind=kind.value[0],
            odd=odd[:5],
            kind2=kind.value[1],
        )


def texts_of(kind: Kind) -> re.Pattern[str]:
    """The texts that cells of this kind can have.

    Example:
        >>> asked = (Kind.TRUTH, "True"), (Kind.DAY, "2020-01-31"), (Kind.NUMBER, "05"), (Kind.TEXT, "05")
        >>> [texts_of(kind).fullmatch(text) is not None for kind, text in asked]
        [False, True, False, True]
    """
    return _WRITTEN.get(kind, _ANY)


def _odd(written: re.Pattern[str], texts: Sequence[str]) -> list[str]:
    """The texts that are not written so; all together are looked at first, for usually none is odd."""
    if written is _ANY or not texts:
        return []
    each, lines = f"(?:{written.pattern})", "\n".join(texts)
    if lines.count("\n") == len(texts) - 1 and re.fullmatch(rf"{each}(?:\n{each})*", lines):
        return []
    return [text for text in texts if written.fullmatch(text) is None]


def _compared(column: str, ask: BoundedAsk) -> Iterable[str]:
    """The public texts that are compared with the cells of a column."""
    for condition in ask.where:
        if condition.column == column:
            yield from condition.values
    for name, domain in [*ask.categories, *((keyed.column, keyed.domain) for keyed in ask.by)]:
        if name == column and isinstance(domain, Categories):
            yield from domain.values


def decimal_text(text: str, scale: int) -> str:
    """A public number as a decimal column of so many decimals writes it; the text itself where it is none of them.

    Example:
        >>> decimal_text("2.5", 2), decimal_text("2", 2), decimal_text("2.555", 2), decimal_text("x", 2)
        ('2.50', '2.00', '2.555', 'x')
    """
    if not re.fullmatch(r"-?[0-9]{1,40}(\.[0-9]{1,40})?", text):
        return text
    written = f"{Decimal(text):.{scale}f}"
    return written if Decimal(written) == Decimal(text) else text


def scale_of(native: str) -> int:
    """The decimals of a native decimal type.

    Example:
        >>> scale_of("DECIMAL(5,2)"), scale_of("decimal(20,0)")
        (2, 0)
    """
    return int(native.rstrip(")").split(",")[1])
