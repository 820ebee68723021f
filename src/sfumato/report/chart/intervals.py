"""Numbers with their intervals under each other: a dot, and a line between the ends."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH
from sfumato.report.chart.svg import WIDTH, gutter, label, line, marker, marks, picture, text, wide

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.language.words import Words

_MOST_LEFT, _RIGHT, _TOP, _STEP, _BOTTOM = 170, 16, 8, 18, 34
_FINEST = 1e-9
"""Marks stand no nearer to each other than this part of the numbers, so that floats can tell them apart."""


@dataclass(frozen=True, slots=True)
class Span:
    """One number with its interval.

    Args:
        label: what it is.
        value: the number; finite.
        low, high: ends of the interval, finite; None: there is none.
    """

    label: str
    value: float
    low: float | None = None
    high: float | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """From where to where it is drawn."""
        return (self.value if self.low is None else self.low, self.value if self.high is None else self.high)


def intervals(spans: Sequence[Span], alt: str, axis: str, form: Callable[[float], str], say: Words = ENGLISH) -> str:
    """A picture of numbers with their intervals, on one axis that has 0 only where a number is near it.

    Args:
        spans: one or more.
        alt: the text alternative of the picture.
        axis: what the axis measures.
        form: how a value is written.
        say: the language of what the picture says of itself.

    Example:
        >>> svg = intervals([Span("a", 3.0, 2.0, 4.0), Span("<b>", 5.0)], "Two numbers", "count", str)
        >>> svg.count("<circle"), svg.count("&lt;b&gt;"), svg.count('after-line')
        (2, 3, 1)
    """
    left = gutter([span.label for span in spans], _MOST_LEFT)
    foot = _TOP + _STEP * len(spans)
    ticks = _ticks([end for span in spans for end in span.ends])

    def spelled(value: float) -> str:
        return say.spelled(form(value))

    def place(value: float) -> float:
        return left + (value - ticks[0]) / (ticks[-1] - ticks[0]) * (WIDTH - left - _RIGHT)

    body = [line(place(tick), _TOP, place(tick), foot, css="grid") for tick in ticks]
    for tick in (ticks[0], ticks[-1]):
        name = spelled(tick)
        x = min(place(tick), WIDTH - wide(name) / 2)
        body.append(text(x, foot + 14, name, css="mark", anchor="middle"))
    body.append(text((left + WIDTH - _RIGHT) / 2, foot + 29, axis, css="axis-name", anchor="middle"))
    for i, span in enumerate(spans):
        y = _TOP + (i + 0.5) * _STEP
        low, high = map(spelled, span.ends)
        between = "" if span.low is None else ", " + say.gettext("{low} to {high}").format(low=low, high=high)
        body.append(label(left - 8, y + 4, span.label, left - 8, anchor="end"))
        if span.ends[0] < span.ends[1]:
            body.append(line(place(span.ends[0]), y, place(span.ends[1]), y, css="line after-line"))
        body.append(
            marker(0, place(span.value), y, 3.5, css="after", title=f"{span.label}: {spelled(span.value)}{between}")
        )
    return picture(foot + _BOTTOM, alt, body)


def _ticks(values: Sequence[float]) -> list[float]:
    """Round marks around values; they need not begin at 0.

    Example:
        >>> _ticks([90.0, 103.0]), len(set(_ticks([1e20, 1e20])))
        ([90.0, 95.0, 100.0, 105.0], 2)
    """
    low, high = min(values), max(values)
    step = marks(max(high - low, _FINEST * max(abs(low), abs(high))))[1]
    first, last = math.floor(low / step), math.ceil(high / step)
    return [i * step for i in range(first, max(last, first + 1) + 1)]
