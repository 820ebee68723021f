"""Points of several kinds in a plane, with the line of those that none beats."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.report.chart.svg import LETTER, WIDTH, line, marker, marks, picture, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LEFT, RIGHT, HEIGHT, BOTTOM = 52, 16, 260, 40
MOST_KINDS = 8
"""Kinds that can be told apart by color and shape."""
_ROW, _SIGN = 17, 16
"""Height of a row of the legend; room for its sign."""
_CHARACTER = 6.2
"""Mean width of a letter of the small font of marks."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One point.

    Args:
        x, y: where it stands.
        kind: number of its kind, 0 … 7.
        label: what is written beside it if there is room.
        title: what is shown when the pointer rests on it.
        marked: whether it is on the line: filled and labeled; the others are hollow.
    """

    x: float
    y: float
    kind: int
    label: str
    title: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Plane:
    """Both axes.

    Args:
        names: what they measure, horizontal first.
        forms: how a value of each is written.
        kinds: name of each kind; one alone has no legend.
        line: name of the line, for the legend.
    """

    names: tuple[str, str]
    forms: tuple[Callable[[float], str], Callable[[float], str]]
    kinds: Sequence[str]
    line: str


def scatter(spots: Sequence[Spot], alt: str, plane: Plane) -> str:
    """A picture of points, those that are marked filled, labeled and joined by steps.

    Args:
        spots: the points; coordinates are finite.
        alt: the text alternative of the picture.
        plane: names and number forms.

    Example:
        >>> plane = Plane(("risk", "error"), (str, str), ("a",), "best")
        >>> svg = scatter([Spot(0.1, 0.5, 0, "k = 2", "", True), Spot(0.2, 0.6, 0, "", "", False)], "Two", plane)
        >>> svg.count("<circle"), svg.count("k = 2")
        (2, 1)
    """
    entries, rows = _legend(plane)
    top = 12 + rows * _ROW + 20
    foot = top + HEIGHT
    across, up = (_ticks([getattr(spot, axis) for spot in spots]) for axis in "xy")

    def place(spot: Spot) -> tuple[float, float]:
        width = WIDTH - RIGHT - LEFT
        return (
            LEFT + (spot.x - across[0]) / (across[-1] - across[0]) * width,
            foot - (spot.y - up[0]) / (up[-1] - up[0]) * HEIGHT,
        )

    placed = [(spot, *place(spot)) for spot in spots]
    body = [*entries, text(0, top - 12, plane.names[1], css="axis-name"), *_grid((across, up), (top, foot), plane)]
    corners = _corners(placed)
    body += _steps(corners)
    body += [_marker(spot, x, y) for spot, x, y in sorted(placed, key=lambda one: one[0].marked)]
    body += _labels(placed, corners, top)
    body.append(text((LEFT + WIDTH - RIGHT) / 2, foot + 32, plane.names[0], css="axis-name", anchor="middle"))
    return picture(foot + BOTTOM, alt, body)


def _ticks(values: Sequence[float]) -> list[float]:
    """Round marks around values: from 0, to at least the largest; from below where some are negative.

    Example:
        >>> _ticks([0.2, 0.9]), _ticks([])
        ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 1.0])
    """
    low, high = min(values, default=0.0), max(values, default=0.0)
    if low >= 0:
        return marks(high)
    step = marks(max(high, -low))[1]
    first, last = math.floor(low / step), math.ceil(max(high, 0.0) / step)
    return [i * step for i in range(first, last + 1)]


def _grid(ticks: tuple[Sequence[float], Sequence[float]], ends: tuple[float, float], plane: Plane) -> list[str]:
    """Grid lines with their values."""
    (across, up), (top, foot) = ticks, ends
    out = []
    for i, tick in enumerate(up):
        y = foot - i / (len(up) - 1) * HEIGHT
        out += [line(LEFT, y, WIDTH - RIGHT, y, css="grid" if i else "axis")]
        out += [text(LEFT - 6, y + 4, plane.forms[1](tick), css="mark", anchor="end")]
    for i, tick in enumerate(across):
        x = LEFT + i / (len(across) - 1) * (WIDTH - RIGHT - LEFT)
        out += [line(x, top, x, foot, css="grid" if i else "axis")]
        out += [text(x, foot + 15, plane.forms[0](tick), css="mark", anchor="middle")]
    return out


def _corners(placed: Sequence[tuple[Spot, float, float]]) -> list[tuple[float, float]]:
    """Where the line through the marked points turns: right, then down; nothing is known to lie between two of them."""
    places = sorted({(x, y) for spot, x, y in placed if spot.marked}, key=lambda place: (place[0], -place[1]))
    turns = [[left, (right[0], left[1])] for left, right in pairwise(places)]
    return [*(place for pair in turns for place in pair), *places[-1:]] if turns else []


def _steps(corners: Sequence[tuple[float, float]]) -> list[str]:
    """The line of those that none beats."""
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in corners)
    return [f'<path class="stroke gray" stroke-dasharray="4 3" d="M{path}"/>'] if corners else []


def _labels(
    placed: Sequence[tuple[Spot, float, float]], corners: Sequence[tuple[float, float]], top: float
) -> list[str]:
    """Labels of the marked points where they touch neither each other, nor a point, nor the line."""
    out: list[str] = []
    taken = [(x - 5, y - 5, x + 5, y + 5) for _, x, y in placed]
    taken += [(min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y)) for (x, y), (to_x, to_y) in pairwise(corners)]
    for label, x, y in _told(placed):
        width = _CHARACTER * len(label)
        for left, base in (
            (x - 7 - width, y + 4), (x - width / 2, y + 17), (x - 4 - width, y + 14), (x + 7, y - 4), (x + 6, y + 14),
            (x - 4 - width, y - 7),
        ):  # fmt: skip
            box = (left, base - 10, left + width, base + 1)
            inside = left >= LEFT + 2 and left + width <= WIDTH and top <= box[1] and base <= top + HEIGHT
            if inside and not any(_touch(box, other) for other in taken):
                taken.append(box)
                out.append(text(left, base, label, css="mark"))
                break
    return out


def _told(placed: Sequence[tuple[Spot, float, float]]) -> list[tuple[str, float, float]]:
    """One label for each place of marked points, from left to right; those of one place together."""
    labels: dict[tuple[float, float], list[str]] = {}
    for spot, x, y in placed:
        if spot.marked and spot.label:
            labels.setdefault((x, y), []).append(spot.label)
    return sorted(((", ".join(dict.fromkeys(names)), x, y) for (x, y), names in labels.items()), key=lambda one: one[1])


def _touch(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    """Whether two rectangles (left, top, right, bottom) overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _legend(plane: Plane) -> tuple[list[str], int]:
    """Signs with names, in as many rows as they need."""
    named = [*enumerate(plane.kinds)] if len(plane.kinds) > 1 else []
    out: list[str] = []
    x, y = 4.0, 12.0
    for kind, name in named:
        width = _SIGN + LETTER * len(name) + 10
        if x + width > WIDTH and x > 4:
            x, y = 4.0, y + _ROW
        out += [_marker(Spot(0, 0, kind, "", name, marked=True), x + 5, y - 4), text(x + _SIGN, y, name, css="label")]
        x += width
    width = 24 + LETTER * len(plane.line)
    if x + width > WIDTH and x > 4:
        x, y = 4.0, y + _ROW
    out.append(f'<path class="stroke gray" stroke-dasharray="4 3" d="M{x:.1f} {y - 4:.1f}h18"/>')
    out.append(text(x + 24, y, plane.line, css="label"))
    return out, int((y - 12) / _ROW) + 1


def _marker(spot: Spot, x: float, y: float) -> str:
    """The shape and color of a kind, filled if marked."""
    css = f"{'dot' if spot.marked else 'hollow'} c{spot.kind % MOST_KINDS}"
    return marker(spot.kind, x, y, 4.4, css=css, title=spot.title)
