"""Many lines with markers, measured and reference values, on linear or logarithmic axes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from sfumato.report.chart.svg import LETTER, WIDTH, line, marks, picture, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LEFT, RIGHT, HEIGHT, BOTTOM = 52, 14, 210, 40
COLORS = 8
"""Colors of the style sheet: classes c0 … c7, each with a marker of its own."""
_ROW, _SIGN = 17, 24
"""Height of a row of the legend; room for its sign."""
_LEVEL_DASHES = ("2 3", "8 4", "10 3 2 3")


@dataclass(frozen=True, slots=True)
class Curve:
    """One line, or the marks that go with it.

    Args:
        name: for the legend and the titles.
        values: one for each point; None: nothing to draw.
        color: 0 … 7; None: gray.
        form: `line` with filled markers, `hollow` markers alone, or `level`, a gray dashed line.
        spread: half the height of a band around each value; None: no band.
    """

    name: str
    values: Sequence[float | None]
    color: int | None = None
    form: str = "line"
    spread: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class Axes:
    """Both axes.

    Args:
        names: what they measure, with units.
        log: whether each is logarithmic; values then are > 0.
        marks: labels of the points; empty: the numbers.
        form: how a vertical value is written.
    """

    names: tuple[str, str]
    log: tuple[bool, bool]
    marks: Sequence[str]
    form: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a value stands."""

    xs: Sequence[float]
    top: float
    ticks: Sequence[float]
    log: bool

    @property
    def foot(self) -> float:
        """The height of the lower end."""
        return self.top + HEIGHT

    def y(self, value: float) -> float:
        """The height of a value, within the frame."""
        low, high, here = (math.log10(v) if self.log else v for v in (self.ticks[0], self.ticks[-1], value))
        share = (here - low) / (high - low)
        return self.foot - min(max(share, 0.0), 1.0) * HEIGHT


def lines(points: Sequence[float], curves: Sequence[Curve], alt: str, axes: Axes) -> str:
    """A picture of several curves with their legend above.

    Args:
        points: horizontal positions, rising; > 0 on a logarithmic axis.
        curves: each with a value for each point; drawn in order. Hollow ones share the legend entry of their name.
        alt: the text alternative of the picture.
        axes: names, scales and number forms.

    Example:
        >>> axes = Axes(("epsilon", "error"), (False, True), (), str)
        >>> svg = lines([1, 2], [Curve("a", [0.1, 0.01], 0), Curve("b", [0.2, None], 0, "hollow")], "Errors", axes)
        >>> svg.count("<circle"), svg.count('class="band')
        (5, 0)
    """
    entries, rows = _legend(curves)
    top = 10 + rows * _ROW + 14
    frame = _Frame(_positions(points, log=axes.log[0]), top, _ticks(curves, log=axes.log[1]), axes.log[1])
    labels = list(axes.marks) or [f"{point:g}" for point in points]
    body = [*entries, text(0, top - 10, axes.names[1], css="axis-name"), *_grid(frame, axes.form)]
    body += _labels(labels, frame)
    body += [part for curve in curves for part in _band(curve, frame)]
    for curve in sorted(curves, key=lambda one: one.form != "level"):
        body += _curve(curve, frame, labels, axes)
    body.append(text((LEFT + WIDTH - RIGHT) / 2, frame.foot + 32, axes.names[0], css="axis-name", anchor="middle"))
    return picture(frame.foot + BOTTOM, alt, body)


def _positions(points: Sequence[float], *, log: bool) -> list[float]:
    """Positions between the margins; a single point stands in the middle."""
    low, high = LEFT + 10, WIDTH - RIGHT - 8
    if len(points) < 2:
        return [(low + high) / 2] * len(points)
    at = [math.log(point) if log else point for point in points]
    return [low + (x - at[0]) / (at[-1] - at[0]) * (high - low) for x in at]


def _ticks(curves: Sequence[Curve], *, log: bool) -> list[float]:
    """Round marks around all values: from 0, or decades with 2 and 5 where there are few."""
    values = [value for curve in curves for value in curve.values if value is not None]
    if not log:
        return marks(max(values, default=0.0))
    positive = [value for value in values if value > 0] or [1.0]
    low, high = math.floor(math.log10(min(positive))), math.ceil(math.log10(max(positive)) + 1e-9)
    steps = (1, 2, 5) if high - low <= 2 else (1,)
    fine = [float(f"{step}e{power}") for power in range(low, high + 1) for step in steps]
    first = max((i for i, tick in enumerate(fine) if tick <= min(positive)), default=0)
    last = next((i for i, tick in enumerate(fine) if tick >= max(positive)), len(fine) - 1)
    return fine[first : max(last, first + 1) + 1]


def _grid(frame: _Frame, form: Callable[[float], str]) -> list[str]:
    """Horizontal grid lines with their values."""
    out = []
    for i, tick in enumerate(frame.ticks):
        y = frame.y(tick)
        out += [line(LEFT, y, WIDTH - RIGHT, y, css="grid" if i else "axis")]
        out += [text(LEFT - 6, y + 4, form(tick), css="mark", anchor="end")]
    return out


def _labels(labels: Sequence[str], frame: _Frame) -> list[str]:
    """The points under the axis, those left out that would touch the one before."""
    out, end = [], -math.inf
    for name, x in zip(labels, frame.xs, strict=True):
        if x - LETTER * len(name) / 2 > end + 4:
            out.append(text(x, frame.foot + 15, name, css="mark", anchor="middle"))
            end = x + LETTER * len(name) / 2
    return out


def _legend(curves: Sequence[Curve]) -> tuple[list[str], int]:
    """Signs with names, in as many rows as they need; a name stands once."""
    out: list[str] = []
    x, y, seen = 4.0, 10.0, set()
    for curve in curves:
        gray = curve if curve.form == "line" else Curve(curve.name, (), None, curve.form)
        width = _SIGN + LETTER * 0.92 * len(curve.name) + 12
        if curve.name in seen:
            continue
        seen.add(curve.name)
        if x + width > WIDTH and x > 4:
            x, y = 4.0, y + _ROW
        if curve.form != "hollow":
            out.append(_path(gray, f"M{x:.1f} {y - 4:.1f}L{x + 18:.1f} {y - 4:.1f}"))
        if curve.form != "level":
            out.append(_marker(gray, x + 9, y - 4, curve.name))
        out.append(text(x + _SIGN, y, curve.name, css="label"))
        x += width
    return out, int((y - 10) / _ROW) + 1


def _band(curve: Curve, frame: _Frame) -> list[str]:
    """The band around a line."""
    if curve.spread is None:
        return []
    rows = [(x, v, s) for x, v, s in zip(frame.xs, curve.values, curve.spread, strict=True) if v is not None and s > 0]
    there = [f"{x:.1f} {frame.y(v + s):.1f}" for x, v, s in rows]
    back = [f"{x:.1f} {frame.y(v - s):.1f}" for x, v, s in reversed(rows)]
    return [f'<path class="band {_css(curve)}" d="M{"L".join([*there, *back])}Z"/>'] if len(rows) > 1 else []


def _curve(curve: Curve, frame: _Frame, labels: Sequence[str], axes: Axes) -> list[str]:
    """The path of one curve and a marker at each point."""
    path, pen, out = [], "M", []
    for x, value, label in zip(frame.xs, curve.values, labels, strict=True):
        if value is None:
            pen = "M"
            continue
        y = frame.y(value)
        path.append(f"{pen}{x:.1f} {y:.1f}")
        pen = "L"
        if curve.form != "level":
            title = f"{axes.names[0]} {label}, {curve.name}: {axes.form(value)}"
            out.append(_marker(curve, x, y, title))
    return out if curve.form == "hollow" else [_path(curve, "".join(path)), *out]


def _path(curve: Curve, d: str) -> str:
    """A stroke in the color of a curve."""
    dash = f' stroke-dasharray="{_LEVEL_DASHES[len(curve.name) % 3]}"' if curve.form == "level" else ""
    return f'<path class="stroke {_css(curve)}"{dash} d="{d}"/>'


def _marker(curve: Curve, x: float, y: float, title: str) -> str:
    """Circle, square, diamond, triangle: by color, so that colors are not all that tells lines apart."""
    hollow, kind = curve.form == "hollow", (curve.color or 0) % 4
    size = 5.2 if hollow else 3.4
    css = f'class="{"hollow" if hollow else "dot"} {_css(curve)}"'
    inner = f"<title>{escape(title)}</title>"
    if kind == 0:
        return f'<circle {css} cx="{x:.1f}" cy="{y:.1f}" r="{size}">{inner}</circle>'
    corners = {
        1: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
        2: ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
        3: ((0, -1.2), (1.15, 0.85), (-1.15, 0.85)),
    }[kind]
    shape = " ".join(f"{x + dx * size:.1f},{y + dy * size:.1f}" for dx, dy in corners)
    return f'<polygon {css} points="{shape}">{inner}</polygon>'


def _css(curve: Curve) -> str:
    """The class that colors a curve."""
    return "gray" if curve.color is None else f"c{curve.color % COLORS}"
