"""SVG pictures as text: escaped elements, shortened labels and round axis marks."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WIDTH = 400
"""Width of every picture in user units; at 320 pixels its text is still ten pixels high."""

LETTER = 7.3
"""Mean width of a letter of the label font, in user units."""

_WIDE, _WIDER, _LATIN = frozenset("MWmw@%<>=+#&—"), 4.3, 0x2E7F
"""Signs that are wider than a mean letter, by how much at most, and the last code point before the wide scripts."""


@dataclass(frozen=True, slots=True)
class Series:
    """Values of one state of the table.

    Args:
        name: for the legend and the titles ("before").
        css: class that colors it ("before" or "after").
        values: one per label; None: nothing to draw.
    """

    name: str
    css: str
    values: Sequence[float | None]


def picture(height: float, alt: str, body: Sequence[str]) -> str:
    """A whole picture with its text alternative.

    Example:
        >>> picture(10, "a < b", [])
        '<svg class="chart" viewBox="0 0 400 10" role="img" aria-label="a &lt; b"></svg>'
    """
    inner = "".join(body)
    return f'<svg class="chart" viewBox="0 0 {WIDTH} {_n(height)}" role="img" aria-label="{escape(alt)}">{inner}</svg>'


def text(x: float, y: float, content: str, *, css: str = "", anchor: str = "start", full: str | None = None) -> str:
    """A text; `full` is shown when the pointer rests on it."""
    title = f"<title>{escape(full)}</title>" if full is not None else ""
    return f'<text class="{css}" x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}">{title}{escape(content)}</text>'


def rect(x: float, y: float, width: float, height: float, *, css: str, title: str) -> str:
    """A filled rectangle with a title; a positive width is drawn at least one unit wide."""
    if width <= 0 or height <= 0:
        return ""
    return (
        f'<rect class="{css}" x="{_n(x)}" y="{_n(y)}" width="{_n(max(width, 1))}" height="{_n(max(height, 1))}">'
        f"<title>{escape(title)}</title></rect>"
    )


def line(x1: float, y1: float, x2: float, y2: float, *, css: str) -> str:
    """A straight line."""
    return f'<line class="{css}" x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"/>'


def marker(kind: int, x: float, y: float, size: float, *, css: str, title: str) -> str:
    """A circle, square, diamond or triangle, by `kind` modulo 4: colors are not all that tells points apart.

    Example:
        >>> marker(0, 1, 2, 3, css="dot c0", title="here")
        '<circle class="dot c0" cx="1.0" cy="2.0" r="3"><title>here</title></circle>'
    """
    inner, corners = f"<title>{escape(title)}</title>", _CORNERS[kind % 4]
    if not corners:
        return f'<circle class="{css}" cx="{x:.1f}" cy="{y:.1f}" r="{size}">{inner}</circle>'
    shape = " ".join(f"{x + dx * size:.1f},{y + dy * size:.1f}" for dx, dy in corners)
    return f'<polygon class="{css}" points="{shape}">{inner}</polygon>'


_CORNERS: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    ((0, -1.2), (1.15, 0.85), (-1.15, 0.85)),
)
"""Corners of each shape in half widths; (): a circle."""


def lines_of(content: str, most: int) -> list[str]:
    """A label on one line, or on two if it is longer.

    Example:
        >>> lines_of("Highest prosecutor risk", 12), lines_of("Peru", 12), lines_of("a" * 20 + " b", 12)
        (['Highest', 'prosecutor…'], ['Peru'], ['aaaaaaaaaaa…'])
    """
    if len(content) <= most:
        return [content]
    cut = content.rfind(" ", 0, most + 1)
    if cut <= 0:
        return [shorten(content, most)]
    return [content[:cut], shorten(content[cut + 1 :], most)]


def label(x: float, y: float, content: str, width: float, *, anchor: str = "start") -> str:
    """A label shortened to a width, with the whole text as its title."""
    most = int(width / LETTER)
    while most > 1 and wide(shorten(content, most)) > width:
        most -= 1
    return text(x, y, shorten(content, most), css="label", anchor=anchor, full=content)


def wide(content: str) -> float:
    """About how wide a text of the label font is, at least `LETTER` a letter: wide signs are counted wider.

    Example:
        >>> wide("ab") == 2 * LETTER, wide("@W") > 3 * LETTER
        (True, True)
    """
    return LETTER * len(content) + sum(_WIDER for c in content if c in _WIDE or ord(c) > _LATIN)


def shorten(content: str, most: int) -> str:
    """At most `most` letters, the last an ellipsis if some are left out.

    Example:
        >>> shorten("Holand-Netherlands", 10), shorten("Peru", 10)
        ('Holand-Ne…', 'Peru')
    """
    return content if len(content) <= most else content[: max(most - 1, 1)].rstrip() + "…"


def marks(largest: float, wanted: int = 4) -> list[float]:
    """Round axis marks from 0 to at least `largest`.

    Example:
        >>> marks(0.9131), marks(0.0), marks(7.2)
        ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 1.0], [0.0, 2.0, 4.0, 6.0, 8.0])
    """
    if not largest > 1e-12:  # nothing that a picture could show
        return [0.0, 1.0]
    power = 10.0 ** math.floor(math.log10(largest / wanted))
    step = next(s * power for s in (1, 2, 2.5, 5, 10) if s * power * wanted >= largest * (1 - 1e-9))
    n = max(1, math.ceil(largest / step - 1e-9))
    return [round(i * step, 12) for i in range(n + 1)]


def legend(series: Sequence[Series], x: float, y: float) -> list[str]:
    """Colored squares with the names of the series, in one row."""
    out = []
    for one in series:
        out += [rect(x, y - 8, 9, 9, css=one.css, title=one.name), text(x + 13, y, one.name, css="label")]
        x += 13 + LETTER * len(one.name) + 18
    return out


def titles(labels: Sequence[str], one: Series, form: Callable[[float], str]) -> list[str]:
    """The title of each value: label, state, value."""
    return [
        f"{name}, {one.name}: {'none' if value is None else form(value)}"
        for name, value in zip(labels, one.values, strict=True)
    ]


def gutter(labels: Sequence[str], most: float) -> float:
    """Room for the longest label, at most `most`."""
    return min(max(map(wide, labels), default=0) + 12, most)


def largest(series: Sequence[Series]) -> float:
    """The largest value of all series, 0 when there is none."""
    return max((value for one in series for value in one.values if value is not None), default=0.0)


def _n(value: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")
