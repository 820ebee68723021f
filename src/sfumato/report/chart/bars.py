"""Horizontal bars: one or two values for each label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.report.chart.svg import WIDTH, Series, label, largest, legend, line, marks, picture, rect, text, titles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LEFT, RIGHT = 142, 62
"""Room for the labels and for the values."""
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
    thick, gap = (8, 6) if len(series) == 2 else (11, 6)
    step = thick * len(series) + gap
    foot = TOP + step * len(labels) + 2
    ticks = marks(largest(series))
    scale = (WIDTH - LEFT - RIGHT) / ticks[-1]
    body = [*legend(series, LEFT, 10), *_axis(ticks, scale, foot, axis, form)]
    for i, name in enumerate(labels):
        body.append(label(LEFT - 8, TOP + i * step + step / 2 - gap / 2 + 4, name, LEFT - 10, anchor="end"))
    for s, one in enumerate(series):
        for i, title in enumerate(titles(labels, one, form)):
            body += _bar(one, i, TOP + i * step + s * thick, (scale, thick), title, form)
    return picture(foot + BOTTOM, alt, body)


def _bar(
    one: Series, i: int, y: float, size: tuple[float, float], title: str, form: Callable[[float], str]
) -> list[str]:
    """One bar and its value."""
    value, (scale, thick) = one.values[i], size
    if value is None:
        return []
    bar = rect(LEFT, y, value * scale, thick - 1, css=one.css, title=title)
    return [bar, text(LEFT + value * scale + 5, y + thick / 2 + 3.5, form(value), css="value")]


def _axis(ticks: Sequence[float], scale: float, foot: float, axis: str, form: Callable[[float], str]) -> list[str]:
    """Grid lines, marks and the name of the axis."""
    out = []
    for tick in ticks:
        x = LEFT + tick * scale
        out += [line(x, TOP - 4, x, foot, css="axis" if tick == 0 else "grid")]
        out += [text(x, foot + 13, form(tick), css="mark", anchor="middle")]
    return [*out, text(LEFT + ticks[-1] * scale / 2, foot + 28, axis, css="axis-name", anchor="middle")]
