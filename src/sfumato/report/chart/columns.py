"""Upright columns: ordered values, one or two series."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.report.chart.svg import (
    LETTER,
    WIDTH,
    Series,
    largest,
    legend,
    line,
    marks,
    picture,
    rect,
    shorten,
    text,
    titles,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LEFT, RIGHT, TOP, HEIGHT, BOTTOM = 46, 8, 24, 160, 40


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
    foot, scale = TOP + HEIGHT, HEIGHT / ticks[-1]
    step = (WIDTH - LEFT - RIGHT) / max(len(labels), 1)
    thick = step * (0.8 if step > 8 else 0.9) / len(series)
    body = [
        *legend(series, LEFT + LETTER * len(axes[1]), 10),
        *_marks(ticks, foot, scale, form),
        *_labels(labels, step, foot),
    ]
    for s, one in enumerate(series):
        for i, title in enumerate(titles(labels, one, form)):
            value = one.values[i]
            if value is not None:
                x = LEFT + i * step + (step - thick * len(series)) / 2 + s * thick
                body.append(rect(x, foot - value * scale, thick - 0.3, value * scale, css=one.css, title=title))
    body.append(line(LEFT, foot, WIDTH - RIGHT, foot, css="axis"))
    body.append(text((LEFT + WIDTH - RIGHT) / 2, foot + 32, axes[0], css="axis-name", anchor="middle"))
    body.append(text(0, 10, axes[1], css="axis-name"))
    return picture(foot + BOTTOM, alt, body)


def _marks(ticks: Sequence[float], foot: float, scale: float, form: Callable[[float], str]) -> list[str]:
    """Horizontal grid lines with their values."""
    out = []
    for tick in ticks:
        y = foot - tick * scale
        out += [line(LEFT, y, WIDTH - RIGHT, y, css="grid")]
        out += [text(LEFT - 6, y + 4, form(tick), css="mark", anchor="end")]
    return out


def _labels(labels: Sequence[str], step: float, foot: float) -> list[str]:
    """Every label, or every second, fifth … so that they do not touch; a last one in brackets always."""
    room = LETTER * (len(labels[-1]) + 2) if labels and labels[-1].startswith("(") else 0.0
    widest = min(max((len(name) for name in labels), default=1), 12)
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 10**6) if n * step >= widest * LETTER + 4)
    out = [
        text(LEFT + (i + 0.5) * step, foot + 15, shorten(name, 12), css="mark", anchor="middle", full=name)
        for i, name in enumerate(labels)
        if i % every == 0 and (i + 0.5) * step < WIDTH - RIGHT - LEFT - room
    ]
    if room:
        out.append(text(WIDTH - RIGHT, foot + 15, shorten(labels[-1], 12), css="mark", anchor="end", full=labels[-1]))
    return out
