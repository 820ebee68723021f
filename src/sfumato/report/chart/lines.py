"""Many lines with markers, measured and reference values, on linear or logarithmic axes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.report.chart.svg import LETTER, WIDTH, line, marker, marks, picture, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LEFT, RIGHT, HEIGHT, BOTTOM = 52, 14, 210, 40
COLORS = 8
"""Colors of the style sheet: classes c0 … c7; the second half is dashed, to be told from lines beneath."""
_ROW, _SIGN = 17, 24
"""Height of a row of the legend; room for its sign."""
_MANY = 14
"""Markers of lines with more points are smaller."""
_DASHES = ("7 4", "2 3", "10 3 2 3")
"""Of levels, chosen by their color number."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One line, or the marks that go with it.

    Args:
        name: for the legend and the titles.
        values: one for each point; None: nothing to draw.
        color: 0 … 7; of a level, which is gray, the kind of dashes.
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
    ends: tuple[float, float]
    log: bool

    @property
    def foot(self) -> float:
        """The height of the lower end."""
        return self.top + HEIGHT

    def y(self, value: float) -> float:
        """The height of a value, within the frame."""
        low, high, here = (math.log10(max(v, 1e-300)) if self.log else v for v in (*self.ends, value))
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
    top = 12 + rows * _ROW + 20
    ticks, ends = _decades(curves) if axes.log[1] else _round(curves)
    frame = _Frame(_positions(points, log=axes.log[0]), top, ends, axes.log[1])
    labels = list(axes.marks) or [f"{point:g}" for point in points]
    body = [*entries, text(0, top - 12, axes.names[1], css="axis-name"), *_grid(frame, ticks, axes.form)]
    body += _labels(labels, frame)
    body += [part for curve in curves for part in _band(curve, frame)]
    levels = [curve for curve in curves if curve.form == "level"]
    for curve in (*levels, *(curve for curve in curves if curve.form != "level")):
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


def _values(curves: Sequence[Curve]) -> list[float]:
    return [value for curve in curves for value in curve.values if value is not None]


def _round(curves: Sequence[Curve]) -> tuple[list[float], tuple[float, float]]:
    """Round marks, from 0 unless all values lie in the upper half, and the ends of the axis."""
    values = _values(curves) or [0.0]
    ticks = marks(max(values))
    if min(values) > max(values) / 2:
        fine = marks(max(values), 20)
        low = max(i for i, tick in enumerate(fine) if tick <= min(values))
        ticks = fine[max(low - 1, 0) :]
        ticks = ticks[:: 2 if len(ticks) > 7 and len(ticks) % 2 else 1]
    return ticks, (ticks[0], ticks[-1])


def _decades(curves: Sequence[Curve]) -> tuple[list[float], tuple[float, float]]:
    """Powers of ten (2 and 5 times them where there are few) within the ends of a logarithmic axis."""
    positive = [value for value in _values(curves) if value > 0] or [1.0]
    low, high = min(positive) / 1.3, max(positive) * 1.3
    steps = (1, 2, 5) if high / low < 300 else (1,)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [tick for power in powers for step in steps if low <= (tick := float(f"{step}e{power}")) <= high]
    return ticks, (low, high)


def _written(tick: float, form: Callable[[float], str]) -> str:
    """A mark; small ones as a power of ten.

    Example:
        >>> _written(2e-05, str), _written(0.01, str)
        ('2·10⁻⁵', '0.01')
    """
    if not 0 < tick < 1e-3:
        return form(tick)
    digits, _, power = f"{tick:.0e}".partition("e-")
    sign = "⁻" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in power.lstrip("0"))
    return f"10{sign}" if digits == "1" else f"{digits}·10{sign}"


def _grid(frame: _Frame, ticks: Sequence[float], form: Callable[[float], str]) -> list[str]:
    """Horizontal grid lines with their values, and the axis."""
    out = []
    for tick in ticks:
        y = frame.y(tick)
        out += [line(LEFT, y, WIDTH - RIGHT, y, css="grid")]
        out += [text(LEFT - 6, y + 4, _written(tick, form), css="mark", anchor="end")]
    return [*out, line(LEFT, frame.foot, WIDTH - RIGHT, frame.foot, css="axis")]


def _labels(labels: Sequence[str], frame: _Frame) -> list[str]:
    """The points under the axis, those left out that would touch the one before."""
    out, end = [], -math.inf
    for name, x in zip(labels, frame.xs, strict=True):
        if x - LETTER * len(name) / 2 > end + 4:
            out.append(text(x, frame.foot + 15, name, css="mark", anchor="middle"))
            end = x + LETTER * len(name) / 2
    return out


def _legend(curves: Sequence[Curve]) -> tuple[list[str], int]:
    """Signs with names, in as many rows as they need; a name stands once, lines first."""
    order = {"line": 0, "hollow": 1, "level": 2}
    named: dict[str, Curve] = {}
    for curve in sorted(curves, key=lambda one: order[one.form]):
        named.setdefault(curve.name, curve)
    out: list[str] = []
    x, y = 4.0, 12.0
    for curve in named.values():
        width = _SIGN + LETTER * len(curve.name) + 10
        if x + width > WIDTH and x > 4:
            x, y = 4.0, y + _ROW
        sign = replace(curve, color=None) if curve.form == "hollow" else curve
        if curve.form != "hollow":
            out.append(_path(sign, f"M{x:.1f} {y - 4:.1f}L{x + 18:.1f} {y - 4:.1f}"))
        if curve.form != "level":
            out.append(_marker(sign, x + 9, y - 4, curve.name))
        out.append(text(x + _SIGN, y, curve.name, css="label"))
        x += width
    return out, int((y - 12) / _ROW) + 1


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
    color = curve.color or 0
    dashes = _DASHES[color % len(_DASHES)] if curve.form == "level" else "6 3" if color >= COLORS // 2 else ""
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path class="stroke {_css(curve)}"{dash} d="{d}"/>'


def _marker(curve: Curve, x: float, y: float, title: str) -> str:
    """A marker of the shape and color of a curve."""
    hollow, kind = curve.form == "hollow", (curve.color or 0) % 4
    size = 5.2 if hollow else 3.4 if len(curve.values) <= _MANY else 2.5
    return marker(kind, x, y, size, css=f"{'hollow' if hollow else 'dot'} {_css(curve)}", title=title)


def _css(curve: Curve) -> str:
    """The class that colors a curve."""
    return "gray" if curve.color is None or curve.form == "level" else f"c{curve.color % COLORS}"
