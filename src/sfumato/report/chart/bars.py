"""Horizontal bars: one or two values for each label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.report.chart.svg import (
    LETTER,
    WIDTH,
    Series,
    gutter,
    label,
    largest,
    legend,
    line,
    lines_of,
    marks,
    picture,
    rect,
    text,
    titles,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_LEFT, MOST_ALONE, RIGHT = 150, 186, 58
"""Most room for the labels of pairs, which may have two lines, and of single bars; room for the values."""
TOP, BOTTOM = 22, 34


def bars(labels: Sequence[str], series: Sequence[Series], alt: str, axis: str, form: Callable[[float], str]) -> str:
    """Bars under each other; two series stand in pairs, the first above.

    Args:
        labels: one per group of bars; long ones are shortened and carry the whole text as title.
        series: one or two, each with a value per label.
        alt: the text alternative of the picture.
        axis: what the axis measures, with its unit.
        form: how a value is written.

    Example:
        >>> svg = bars(["a", "<b>"], [Series("after", "after", [0.25, None])], "Two bars", "share", str)
        >>> svg.count("<rect"), "&lt;b&gt;" in svg
        (2, True)
    """
    left, (thick, gap) = (
        gutter(labels, MOST_LEFT if len(series) > 1 else MOST_ALONE),
        (12, 7) if len(series) > 1 else (10, 5),
    )
    step = thick * len(series) + gap
    foot = TOP + step * len(labels) + 2
    ticks = marks(largest(series))
    scale = (WIDTH - left - RIGHT) / ticks[-1]
    body = [*legend(series, left, 10), *_axis(ticks, (left, foot, scale), axis, form)]
    for i, name in enumerate(labels):
        body += _label(name, left, TOP + i * step + (step - gap) / 2 + 4, on_two=len(series) > 1)
    for s, one in enumerate(series):
        for i, title in enumerate(titles(labels, one, form)):
            value, y = one.values[i], TOP + i * step + s * thick
            if value is not None:
                body.append(rect(left, y, value * scale, thick - 1, css=one.css, title=title))
                body.append(text(left + value * scale + 5, y + thick / 2 + 3.5, form(value), css="value"))
    return picture(foot + BOTTOM, alt, body)


def _label(name: str, left: float, y: float, *, on_two: bool) -> list[str]:
    """A label, on two lines where there is room for two."""
    if not on_two:
        return [label(left - 8, y, name, left - 10, anchor="end")]
    parts = lines_of(name, int((left - 10) / LETTER))
    return [
        text(left - 8, y + 13 * (i - (len(parts) - 1) / 2), part, css="label", anchor="end", full=name)
        for i, part in enumerate(parts)
    ]


def _axis(
    ticks: Sequence[float], place: tuple[float, float, float], axis: str, form: Callable[[float], str]
) -> list[str]:
    """Grid lines, marks and the name of the axis; `place` is left edge, foot and scale."""
    left, foot, scale = place
    out = []
    for tick in ticks:
        x = left + tick * scale
        out += [line(x, TOP - 4, x, foot, css="axis" if tick == 0 else "grid")]
        out += [text(x, foot + 13, form(tick), css="mark", anchor="middle")]
    return [*out, text(left + ticks[-1] * scale / 2, foot + 28, axis, css="axis-name", anchor="middle")]
