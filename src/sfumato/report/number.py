"""Figures spelled so that nobody reads them as better than they are.

A figure is rounded toward its bad side: risks and losses up, class sizes and precision down. Floats
are rounded from their shortest decimal form, so 0.2 stays 20 % and 0.2004 never becomes it.

Lines of a terminal are paragraphs and two columns, at most 100 characters wide.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.result.release import ReleaseResult
    from sfumato.table.values import Item, Table

NBSP = "\u00a0"
ABSENT = "–"
_TINY = 0.0001
"""Below it a p-value is not spelled."""


class Toward(Enum):
    """Where the bad side of a figure lies."""

    UP = ROUND_CEILING
    DOWN = ROUND_FLOOR
    NEAREST = ROUND_HALF_EVEN
    """Neither side is bad: shares of a distribution."""


def toward_worse(better: object) -> Toward:
    """The rounding direction of a figure that improves in the direction `better`."""
    return Toward.DOWN if better == "higher" else Toward.UP


def share(value: float | None, toward: Toward) -> str:
    r"""A share in [0, 1] as percent: two decimals, or two significant digits where it is small.

    A share above 0 is never shown as 0, one below 1 that rounds down never as 100 %. Zeros at the
    end are left out where the figure is exact.

    Example:
        >>> share(0.2, Toward.UP), share(0.2004, Toward.UP), share(0.00748, Toward.UP), share(0.99999, Toward.DOWN)
        ('20\xa0%', '20.04\xa0%', '0.75\xa0%', '99.99\xa0%')
        >>> share(0.54197, Toward.UP)
        '54.20\xa0%'
    """
    if value is None:
        return ABSENT
    percent = _decimal(value) * 100
    if 0 < percent < Decimal("0.0001"):
        return f">{NBSP}0{NBSP}%" if toward is Toward.DOWN else f"<{NBSP}0.0001{NBSP}%"
    least = Decimal("0.01") if toward is Toward.NEAREST else Decimal(1)
    digits = 2 if percent >= least or percent == 0 else 1 - percent.adjusted()
    return f"{_round(percent, digits, toward)}{NBSP}%"


def percent_of(value: float, toward: Toward) -> str:
    r"""A share in percent; an unbiased one may be negative.

    Example:
        >>> percent_of(-0.170087, Toward.NEAREST), percent_of(-0.170087, Toward.DOWN), percent_of(0.5, Toward.UP)
        ('-17.01\xa0%', '-17.01\xa0%', '50\xa0%')
    """
    away = {Toward.UP: Toward.DOWN, Toward.DOWN: Toward.UP}.get(toward, toward)
    return share(value, toward) if value >= 0 else f"-{share(-value, away)}"


def number(value: float | None, toward: Toward) -> str:
    """A number with four significant digits, whole from 1,000 on; whole numbers are exact.

    Example:
        >>> number(0.31371, Toward.UP), number(5.0, Toward.DOWN), number(52537654.2, Toward.UP)
        ('0.3138', '5', '52,537,655')
    """
    if value is None:
        return ABSENT
    exact_value = _decimal(value)
    if not exact_value.is_finite():
        return {"Infinity": "∞", "-Infinity": "−∞"}.get(str(exact_value), ABSENT)
    if exact_value == exact_value.to_integral_value():
        return f"{int(exact_value):,}"
    digits = 0 if abs(exact_value) >= 1000 else 3 - exact_value.adjusted()
    return _round(exact_value, digits, toward)


def p_value(value: float) -> str:
    r"""A p-value, rounded up; of a tiny one that it is tiny.

    Example:
        >>> p_value(0.01234567), p_value(0.0)
        ('0.01235', '<\u202f0.0001')
    """
    return number(value, Toward.UP) if value >= _TINY else f"<\u202f{_TINY}"


def figure(value: float | None, unit: object, toward: Toward) -> str:
    r"""A risk or another figure whose unit is "share", "count" or "number".

    Without a unit, a float in [0, 1] is a share and anything else a number.

    Example:
        >>> figure(0.2, None, Toward.UP), figure(1, None, Toward.UP), figure(133.6, None, Toward.DOWN)
        ('20\xa0%', '1', '133.6')
    """
    is_share = unit == "share" or (unit is None and isinstance(value, float) and 0 <= value <= 1)
    return share(value, toward) if is_share else number(value, toward)


def measured(value: float | None, parameters: dict[str, Item]) -> str:
    """A measured promise, rounded to its bad side, which is the side of what was promised.

    Example:
        >>> measured(5.0, {"k": 5}), measured(0.19801234, {"t": 0.2}), measured(3.99999, {"l": 3})
        ('5', '0.1981', '3.999')
    """
    promised = [float(p) for p in parameters.values() if isinstance(p, (int, float)) and not isinstance(p, bool)]
    if value is None:
        return ABSENT
    if promised and all(value >= p for p in promised):
        return number(value, Toward.DOWN)
    if promised and all(value <= p for p in promised):
        return number(value, Toward.UP)
    return repr(value)


def count(value: float | None) -> str:
    """A whole number with thousands separated, or a dash.

    Example:
        >>> count(30162)
        '30,162'
    """
    return ABSENT if value is None else f"{int(value):,}"


def answered(value: float) -> str:
    """A noisy number: whole ones and large ones to the last digit before the point, else eight digits; not rounded toward a side.

    Example:
        >>> answered(12345.0), answered(0.123456789), answered(-0.0), answered(float("inf"))
        ('12345', '0.12345679', '0', 'inf')
    """
    return f"{value + 0.0:.0f}" if value.is_integer() or 1e8 <= abs(value) < math.inf else f"{value:.8g}"


def exact(value: object) -> str:
    """A parameter as it was given: never rounded.

    Example:
        >>> exact(0.2), exact(["a", "b"]), exact(None), exact(True)
        ('0.2', 'a, b', '–', 'yes')
    """
    if value is None:
        return ABSENT
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(exact(v) for v in value)
    if isinstance(value, dict):
        return ", ".join(f"{k} = {exact(v)}" for k, v in value.items())
    return str(value)


def _decimal(value: float) -> Decimal:
    """The shortest decimal that reads back as the float."""
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def _round(value: Decimal, digits: int, toward: Toward) -> str:
    """At most `digits` decimals, rounded in a direction; fewer where they are zeros and exact."""
    rounded = value.quantize(Decimal(1).scaleb(-digits), rounding=toward.value)
    text = f"{rounded:,f}"
    return text.rstrip("0").rstrip(".") if rounded == value and "." in text else text


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A figure as label, number, definition and source."""

    label: str
    value: str
    definition: str
    source: str


def sentence(text: str) -> str:
    """A phrase with a capital letter and without its final point.

    Example:
        >>> sentence("persons alone."), sentence("")
        ('Persons alone', '')
    """
    return text[:1].upper() + text[1:].rstrip(".")


def title_of(result: ReleaseResult, say: Words = ENGLISH) -> str:
    """The name of the page: which table was released."""
    path = result.source.path
    if not path:
        return say.gettext("Release of a table")
    return say.gettext("Release of {name}").format(name=path.replace(chr(92), "/").rsplit("/", 1)[-1])


def parameters_of(parameters: Table, say: Words = ENGLISH) -> list[tuple[str, str]]:
    """Parameters as they were given, by name."""
    return [(name, say.say(say.spelled(exact(value)))) for name, value in in_key_order(parameters).items()]


def in_table_order(by_column: Mapping[str, T], result: ReleaseResult) -> dict[str, T]:
    """The same entries in the order of the table's columns; unknown names last."""
    order = {column.name: i for i, column in enumerate(result.columns)}
    return dict(sorted(sorted(by_column.items()), key=lambda item: order.get(item[0], len(order))))


def in_key_order(value: Any) -> Any:
    """The same value with the keys of every object sorted, as a stored result has them.

    Example:
        >>> list(in_key_order({"b": [{"d": 1, "c": 2}], "a": 0}))
        ['a', 'b']
    """
    if isinstance(value, Mapping):
        return {key: in_key_order(value[key]) for key in sorted(value)}
    return [in_key_order(item) for item in value] if isinstance(value, (list, tuple)) else value


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
