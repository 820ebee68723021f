"""Lines with markers over a logarithmic horizontal axis."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sfumato.report.chart.svg import LETTER, WIDTH, Series, largest, legend, line, marks, picture, text, titles

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LEFT, RIGHT, TOP, HEIGHT, BOTTOM = 46, 14, 24, 170, 40


def curve(
    points: Sequence[float],
    series: Sequence[Series],
    alt: str,
    axes: tuple[str, str],
    form: Callable[[float], str],
) -> str:
    """One line per series through its points; a missing value interrupts the line.

    Args:
        points: horizontal positions, > 0, rising.
        series: each with a value per point.
        alt: the text alternative of the picture.
        axes: what the horizontal and the vertical axis measure, with units.
        form: how a value is written.

    Example:
        >>> svg = curve([2, 5, 10], [Series("loss", "after", [0.1, None, 0.3])], "Loss", ("k", "loss"), str)
        >>> svg.count("<circle")
        2
    """
    ticks = marks(largest(series))
    foot, scale = TOP + HEIGHT, HEIGHT / ticks[-1]
    xs = _positions(points)
    body = [*legend(series, LEFT, 10)]
    for tick in ticks:
        y = foot - tick * scale
        body += [line(LEFT, y, WIDTH - RIGHT, y, css="axis" if tick == 0 else "grid")]
        body += [text(LEFT - 6, y + 4, form(tick), css="mark", anchor="end")]
    body += _labels(points, xs, foot)
    names = [f"{axes[0]} = {point:g}" for point in points]
    for one in series:
        body += _line(one, xs, [None if v is None else foot - v * scale for v in one.values], titles(names, one, form))
    body.append(text((LEFT + WIDTH - RIGHT) / 2, foot + 32, axes[0], css="axis-name", anchor="middle"))
    body.append(text(0, 10, axes[1], css="axis-name"))
    return picture(foot + BOTTOM, alt, body)


def _positions(points: Sequence[float]) -> list[float]:
    """Logarithmic positions between the margins; a single point stands in the middle."""
    low, high = LEFT + 14, WIDTH - RIGHT - 10
    if len(points) < 2:
        return [(low + high) / 2] * len(points)
    first, last = math.log(points[0]), math.log(points[-1])
    return [low + (math.log(point) - first) / (last - first) * (high - low) for point in points]


def _labels(points: Sequence[float], xs: Sequence[float], foot: float) -> list[str]:
    """The points under the axis, those left out that would touch the one before."""
    out, end = [], -math.inf
    for point, x in zip(points, xs, strict=True):
        name = f"{point:g}"
        if x - LETTER * len(name) / 2 > end + 3:
            out.append(text(x, foot + 15, name, css="mark", anchor="middle"))
            end = x + LETTER * len(name) / 2
    return out


def _line(one: Series, xs: Sequence[float], ys: Sequence[float | None], names: Sequence[str]) -> list[str]:
    """The path of one series and a marker at each point: round for the first color, square for the other."""
    from html import escape

    path, pen, out = [], "M", []
    for x, y, name in zip(xs, ys, names, strict=True):
        if y is None:
            pen = "M"
            continue
        path.append(f"{pen}{x:.1f} {y:.1f}")
        pen = "L"
        title = f"<title>{escape(name)}</title>"
        if one.css == "after":
            out.append(f'<circle class="{one.css}" cx="{x:.1f}" cy="{y:.1f}" r="4">{title}</circle>')
        else:
            out.append(
                f'<rect class="{one.css}" x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7">{title}</rect>'
            )
    return [f'<path class="line {one.css}-line" d="{" ".join(path)}"/>', *out]
