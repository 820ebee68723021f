"""Maps without anything from elsewhere: cells, flows and paths over a declared region, with north, scale and legend.

North is up; a unit is as many metres to the east as to the north at the region's middle, where the scale is true.
"""

from __future__ import annotations

import math
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.report.chart.svg import LETTER, WIDTH, line, picture, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CLASSES = 6
"""Shades of cells: classes h0 … h5 of the style sheet, light to dark on paper."""
_HIGHEST = 400
"""Units that a map is high at most."""
_TOP, _STRIP, _ROW, _SIGN = 4, 30, 17, 16
"""Room above the map, height of the strip with scale and north, of a row of the legend; room for its sign."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A region of square cells, numbered row by row from the south-west.

    Args:
        metres: side of a cell from south to north.
        rows: from south to north.
        columns: from west to east.
        squeeze: width of a cell at the region's middle, for a metre of its side.
    """

    metres: float
    rows: int
    columns: int
    squeeze: float = 1.0

    @property
    def unit(self) -> float:
        """Units of the picture for a metre."""
        return min((WIDTH - 2) / (self.columns * self.metres * self.squeeze), _HIGHEST / (self.rows * self.metres))

    @property
    def size(self) -> tuple[float, float]:
        """Units that the region is wide and high."""
        return self.columns * self.metres * self.squeeze * self.unit, self.rows * self.metres * self.unit

    def place(self, column: float, row: float) -> tuple[float, float]:
        """Where a point is drawn, in cells from the south-west corner.

        Example:
            >>> Ground(100.0, 4, 4).place(2, 1)
            (200.0, 302.5)
        """
        wide, high = self.size
        x = (WIDTH - wide) / 2 + column / self.columns * wide
        return round(x, 1), round(_TOP + high - row / self.rows * high, 1)


def classes_of(fewest: int, most: int) -> list[int]:
    """The least value of each shade: `fewest`, then round numbers up to `most`, six at most.

    Example:
        >>> classes_of(10, 700), classes_of(3, 3), classes_of(1, 100_000)
        ([10, 20, 50, 100, 200, 500], [3], [1, 10, 100, 1000, 10000, 100000])
    """
    powers = [10**i for i in range(len(str(max(most, 1))))]
    for steps in ((1, 2, 5), (1, 3), (1,)):
        found = [fewest, *(n * p for p in powers for n in steps if fewest < n * p <= most)]
        if len(found) <= CLASSES:
            return found
    return found[:: -(-len(found) // CLASSES)]


def cells(ground: Ground, counts: Sequence[int], edges: Sequence[int], told: tuple[str, str], legend: Legend) -> str:
    """A map of cells in shades.

    Args:
        ground: the region.
        counts: of each cell; those below the first edge are not drawn.
        edges: the least count of each shade.
        told: name of the map, and what it shows, for those who do not see it.
        legend: its words.

    Example:
        >>> ground, legend = Ground(100.0, 1, 3), Legend("N", "{n} m", "{n} km", "persons", "fewer", str)
        >>> cells(ground, [0, 5, 9], [5, 9], ("map", "what"), legend).count('<path class="h')
        2
    """
    shades: list[list[str]] = [[] for _ in edges]
    for cell, count in enumerate(counts):
        if count < edges[0]:
            continue
        shades[sum(count >= edge for edge in edges) - 1].append(_outline(ground, cell, ground.columns, 1.0))
    body = [f'<path class="h{_shade(i, len(edges))}" d="{"".join(one)}"/>' for i, one in enumerate(shades) if one]
    ends = [*(f"{legend.form(a)}–{legend.form(b - 1)}" if b - a > 1 else legend.form(a) for a, b in pairwise(edges))]  # fmt: skip
    signs = [("land", legend.none), *((f"h{_shade(i, len(edges))}", name) for i, name in enumerate([*ends, f"≥ {legend.form(edges[-1])}"]))]  # fmt: skip
    return _map(ground, body, [(f'<rect class="{css}" x="0" y="-9" width="11" height="11"/>', name) for css, name in signs], told, legend)  # fmt: skip


def outlines(ground: Ground, full: Sequence[int], columns: int, wide: float) -> str:
    """Cells of another size over the same corner, for what lies behind flows.

    Args:
        ground: the region that is drawn.
        full: numbers of the cells, row by row.
        columns: of them.
        wide: their side over that of the drawn region's cells.

    Example:
        >>> outlines(Ground(100.0, 2, 2), [3], 4, 0.5)
        'M299.5 302.5H399V402H299.5Z'
    """
    return "".join(_outline(ground, cell, columns, wide) for cell in full)


def _outline(ground: Ground, cell: int, columns: int, wide: float) -> str:
    """One cell as a part of a path."""
    row, column = divmod(cell, columns)
    (left, foot), (right, top) = (
        ground.place(column * wide, row * wide),
        ground.place((column + 1) * wide, (row + 1) * wide),
    )
    return f"M{left:g} {top:g}H{right:g}V{foot:g}H{left:g}Z"


def _shade(place: int, n: int) -> int:
    """Shades are as far apart as there is room: the last is the darkest."""
    return CLASSES - 1 - (n - 1 - place) * (CLASSES - 1) // max(n - 1, 1) if n > 1 else CLASSES - 1


@dataclass(frozen=True, slots=True)
class Legend:
    """Words of a map.

    Args:
        north: the letter of north.
        metres: a length, `{n}` its number.
        kilometres: likewise.
        what: what is counted.
        none: what an empty cell means.
        form: how a number is written.
    """

    north: str
    metres: str
    kilometres: str
    what: str
    none: str
    form: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Arc:
    """A flow between two cells.

    Args:
        origin: column and row of where it begins, in cells; halves are middles.
        target: of where it ends.
        count: of trips, > 0.
    """

    origin: tuple[float, float]
    target: tuple[float, float]
    count: int


def flows(
    ground: Ground, arcs: Sequence[Arc], most: int, told: tuple[str, str], legend: Legend, behind: str = ""
) -> str:
    """A map of flows: lines as wide as many trips, bent to the right of their way, with a dot where they end.

    Args:
        ground: the region.
        arcs: the flows.
        most: trips of the widest line, over all maps that are set side by side.
        told: name of the map, and what it shows.
        legend: its words.
        behind: outlines of cells, of `outlines`, that show where persons are.

    Example:
        >>> ground, legend = Ground(100.0, 2, 2), Legend("N", "{n} m", "{n} km", "trips", "", str)
        >>> flows(ground, [Arc((0.5, 0.5), (1.5, 1.5), 4)], 4, ("map", "what"), legend).count("<circle")
        1
    """
    body = [f'<path class="trace" d="{behind}"/>'] if behind else []
    for arc in sorted(arcs, key=lambda one: one.count):
        (x, y), (to_x, to_y) = ground.place(*arc.origin), ground.place(*arc.target)
        bend = _inside(ground, (x + to_x) / 2 - (to_y - y) * 0.18, (y + to_y) / 2 + (to_x - x) * 0.18)
        wide = _wide(arc.count, most)
        body.append(
            f'<path class="flow" stroke-width="{wide:.1f}" d="M{x:g} {y:g}Q{bend[0]:.1f} {bend[1]:.1f} {to_x:g} {to_y:g}"/>'
            f'<circle class="end" cx="{to_x:g}" cy="{to_y:g}" r="{max(wide * 0.7, 1.2):.1f}"/>'
        )
    steps = sorted({n for n in (_round(most / 10), _round(most / 3), most) if n >= 1})
    signs = [(f'<path class="flow" stroke-width="{_wide(n, most):.1f}" d="M3 -4h13"/>', legend.form(n)) for n in steps]
    return _map(ground, body, signs, told, legend)


def _inside(ground: Ground, x: float, y: float) -> tuple[float, float]:
    """The nearest point of the map."""
    (left, top), (right, foot) = ground.place(0, ground.rows), ground.place(ground.columns, 0)
    return min(max(x, left), right), min(max(y, top), foot)


def _wide(count: int, most: int) -> float:
    """The width of a line."""
    return max(7 * count / most, 0.4)


def _round(value: float) -> int:
    """A number with one digit."""
    if value < 1:
        return 0
    power = 10 ** int(math.log10(value))
    return int(value // power * power)


@dataclass(frozen=True, slots=True)
class Way:
    """A part of a person's path.

    Args:
        color: 0 … 7, one for each person.
        name: of the person.
        points: columns and rows, in cells.
    """

    color: int
    name: str
    points: tuple[tuple[float, float], ...]


def paths(ground: Ground, ways: Sequence[Way], told: tuple[str, str], legend: Legend) -> str:
    """A map of paths: for the owner of the traces alone, as each is one person's.

    Args:
        ground: the region.
        ways: parts of paths.
        told: name of the map, and what it shows.
        legend: its words.

    Example:
        >>> ground, legend = Ground(100.0, 2, 2), Legend("N", "{n} m", "{n} km", "", "", str)
        >>> paths(ground, [Way(0, "ann", ((0.5, 0.5), (1.5, 1.0)))], ("map", "what"), legend).count("<polyline")
        1
    """
    body = []
    for way in ways:
        at = " ".join("{:g},{:g}".format(*ground.place(*point)) for point in way.points)
        body.append(f'<polyline class="stroke way c{way.color}" points="{at}"/>')
    names = dict(sorted({way.color: way.name for way in ways}.items()))
    signs = [(f'<path class="stroke c{color}" d="M3 -4h13"/>', name) for color, name in names.items()]
    return _map(ground, body, signs, told, legend)


def _map(
    ground: Ground, body: Sequence[str], signs: Sequence[tuple[str, str]], told: tuple[str, str], legend: Legend
) -> str:
    """The whole picture: region, what is on it, scale, north, legend."""
    (left, top), (right, foot) = ground.place(0, ground.rows), ground.place(ground.columns, 0)
    head = [
        f"<title>{escape(told[0])}</title><desc>{escape(told[1])}</desc>",
        f'<rect class="land" x="{left:g}" y="{top:g}" width="{right - left:.1f}" height="{foot - top:.1f}"/>',
    ]
    frame = f'<rect class="frame" x="{left:g}" y="{top:g}" width="{right - left:.1f}" height="{foot - top:.1f}"/>'
    keys, rows = _keys(signs, foot + _STRIP + 18, legend)
    under = [*_scale(ground, left, foot + 18, legend), *_north(right - 10, foot + 8, legend), *keys]
    return picture(foot + _STRIP + 8 + rows * _ROW, " ".join(told), [*head, *body, frame, *under])


def _scale(ground: Ground, left: float, y: float, legend: Legend) -> list[str]:
    """A bar of a round length, at most a third of the map."""
    metres = ground.size[0] / ground.unit / 3
    power = 10 ** math.floor(math.log10(metres))
    long = next(n * power for n in (5, 2, 1) if n * power <= metres)
    wide = long * ground.unit
    name = legend.kilometres.format(n=legend.form(long / 1000)) if long >= 1000 else legend.metres.format(n=legend.form(long))  # fmt: skip
    ends = [line(x, y - 4, x, y + 4, css="axis") for x in (left + 1, left + 1 + wide)]
    return [line(left + 1, y, left + 1 + wide, y, css="axis scale"), *ends, text(left + wide + 9, y + 4, name, css="mark")]  # fmt: skip


def _north(x: float, y: float, legend: Legend) -> list[str]:
    """An arrow to the north with its letter."""
    points = f"{x:.1f},{y:.1f} {x + 5:.1f},{y + 15:.1f} {x:.1f},{y + 11:.1f} {x - 5:.1f},{y + 15:.1f}"
    return [f'<polygon class="north" points="{points}"/>', text(x - 9, y + 13, legend.north, css="mark", anchor="end")]


def _keys(signs: Sequence[tuple[str, str]], y: float, legend: Legend) -> tuple[list[str], int]:
    """What is counted, then signs with names, in as many rows as they need."""
    if not signs:
        return [], 0
    out, x, rows = [text(0, y, legend.what, css="label")], 0.0, 2
    room = _SIGN if "<rect" in signs[0][0] else _SIGN + 8
    y += _ROW
    for sign, name in signs:
        wide = room + LETTER * 0.92 * len(name) + 8
        if x + wide > WIDTH and x > 0:
            x, y, rows = 0.0, y + _ROW, rows + 1
        out += [f'<g transform="translate({x:.1f} {y:.1f})">{sign}</g>', text(x + room, y, name, css="mark")]
        x += wide
    return out, rows
