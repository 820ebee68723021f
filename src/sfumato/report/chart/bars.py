"""Bars: one or two values for each label, horizontal; or upright as columns, for ordered values."""

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
    shorten,
    text,
    titles,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_LEFT, RIGHT = 186, 58
"""Most room for the labels, which have two lines beside a pair of bars; room for the values."""
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
    left, (thick, gap) = gutter(labels, MOST_LEFT), (12, 7) if len(series) > 1 else (10, 5)
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


LEFT, HEIGHT = 46, 160
"""Edge and height of upright columns."""
ABOVE, BELOW, BESIDE = 24, 40, 8
"""Room above, below and to the right of them."""


def columns(
    labels: Sequence[str],
    series: Sequence[Series],
    alt: str,
    axes: tuple[str, str],
    form: Callable[[float], str],
) -> str:
    """Columns beside each other; as many labels are written as fit.

    Args:
        labels: one per group of columns, in order.
        series: one or two, each with a value per label.
        alt: the text alternative of the picture.
        axes: what the horizontal and the vertical axis measure, with units.
        form: how a value is written.

    Example:
        >>> svg = columns(["1", "2–4"], [Series("before", "before", [0.5, 0.5])], "Sizes", ("size", "rows"), str)
        >>> svg.count("<rect")
        3
    """
    ticks = marks(largest(series))
    foot, scale = ABOVE + HEIGHT, HEIGHT / ticks[-1]
    step = (WIDTH - LEFT - BESIDE) / max(len(labels), 1)
    thick = step * (0.8 if step > 8 else 0.9) / len(series)
    body = [
        *legend(series, LEFT + LETTER * len(axes[1]), 10),
        *_marks(ticks, foot, scale, form),
        *_labels_below(labels, step, foot),
    ]
    for s, one in enumerate(series):
        for i, title in enumerate(titles(labels, one, form)):
            value = one.values[i]
            if value is not None:
                x = LEFT + i * step + (step - thick * len(series)) / 2 + s * thick
                body.append(rect(x, foot - value * scale, thick - 0.3, value * scale, css=one.css, title=title))
    body.append(line(LEFT, foot, WIDTH - BESIDE, foot, css="axis"))
    body.append(text((LEFT + WIDTH - BESIDE) / 2, foot + 32, axes[0], css="axis-name", anchor="middle"))
    body.append(text(0, 10, axes[1], css="axis-name"))
    return picture(foot + BELOW, alt, body)


def _marks(ticks: Sequence[float], foot: float, scale: float, form: Callable[[float], str]) -> list[str]:
    """Horizontal grid lines with their values."""
    out = []
    for tick in ticks:
        y = foot - tick * scale
        out += [line(LEFT, y, WIDTH - BESIDE, y, css="grid")]
        out += [text(LEFT - 6, y + 4, form(tick), css="mark", anchor="end")]
    return out


def _labels_below(labels: Sequence[str], step: float, foot: float) -> list[str]:
    """Every label, or every second, fifth … so that they do not touch; a last one in brackets always."""
    room = LETTER * (len(labels[-1]) + 2) if labels and labels[-1].startswith("(") else 0.0
    widest = min(max((len(name) for name in labels), default=1), 12)
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 10**6) if n * step >= widest * LETTER + 4)
    out = [
        text(LEFT + (i + 0.5) * step, foot + 15, shorten(name, 12), css="mark", anchor="middle", full=name)
        for i, name in enumerate(labels)
        if i % every == 0 and (i + 0.5) * step < WIDTH - BESIDE - LEFT - room
    ]
    if room:
        out.append(text(WIDTH - BESIDE, foot + 15, shorten(labels[-1], 12), css="mark", anchor="end", full=labels[-1]))
    return out
