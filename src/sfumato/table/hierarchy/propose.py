"""A hierarchy that suits a column which nobody has described yet, and any hierarchy as a file.

A proposal is a guess to be read and changed by a person; it is made of the same declarations as any
other, so what is previewed is what is published.
"""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.table.band import are_bands, in_order
from sfumato.table.hierarchy.balanced import rarer_than_equal
from sfumato.table.hierarchy.dates import Dates, Unit
from sfumato.table.hierarchy.groups import Group, Groups, Member
from sfumato.table.hierarchy.masking import MOST_WIDTH, Masking
from sfumato.table.hierarchy.widths import FixedWidths
from sfumato.table.number import exact, positions
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from sfumato.table.hierarchy.tree import Hierarchy
    from sfumato.table.schema import Column, HierarchySpec
    from sfumato.types import FloatArray, IntArray

_EXACT_INTEGERS = 2.0**53
"""Doubles count exactly up to here."""
_FEW, _FEW_TEXTS = 3, 5
"""Fewer distinct numbers (texts) than this only generalize to `*`."""
_MANY_TEXTS = 200
"""Text with more distinct values than this, and no codes, is no category."""
_FINEST = 20
"""A proposed hierarchy of numbers has about this many intervals at level 1."""
_NICE = (1, 2, 5, 10)
_TAIL = 0.01
"""Share of the persons at either end who do not decide the widths."""
_FAR = 2.0
"""Ends are left open where the whole span is more than so many times the span without the tails."""
_DAYS_OF_YEAR = 366
_MOST_STEPS = 6
_SHORTEST_CODE, _LONGEST_CODE, _MANY_CODES, _MOSTLY = 3, 12, 50, 0.9
"""Codes of one length have at least 3 characters; many of several lengths have at most 12, and most a digit."""


def propose(column: Column, values: Sequence[str | None], counts: IntArray) -> HierarchySpec | None:
    """A hierarchy for a column by its kind and values; None: none better than `*`.

    Numbers: widths from a nice one (1, 2 or 5 times a power of ten; 5 for ages), doubled upwards;
    where a few persons lie far off, they share an open end. Dates: month, quarter, year, decade as
    far as the span has several. Bands such as `[70-80)`: neighbors two by two. Codes: characters hidden
    from the right. Other text: values rarer than an equal share become `Other`.

    Args:
        column: its kind and format.
        values: distinct values; missing ones are left aside.
        counts: (n,) int64, persons with each value.

    Example:
        >>> from sfumato.table.schema import describe
        >>> from sfumato.table.schema import Column, Role
        >>> age = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER)
        >>> describe(propose(age, ["17", "20", "90"], np.array([1, 1, 1])))
        'intervals of 5, then 10, 20, 40'
    """
    present = list(dict.fromkeys(value for value in values if value is not None))
    if len(present) < _FEW:
        return None
    if column.kind is Kind.DATE:
        return _dates(column, present)
    if column.kind.is_ordered:
        return _widths(column, values, counts)
    if are_bands(present):
        return _neighbors(present)
    if _are_codes(present):
        width = max(map(len, present))
        step = -(-width // _MOST_STEPS)
        return Masking("right") if step == 1 else Masking("right", steps=tuple(range(step, width, step)))
    return None if len(present) < _FEW_TEXTS else _by_frequency(values, counts)


def paths(hierarchy: Hierarchy) -> list[tuple[str | None, ...]]:
    """The labels of each leaf from itself to the root.

    Example:
        >>> from sfumato.table.hierarchy.tree import Hierarchy
        >>> paths(Hierarchy.flat("sex", ["f", "m"]))
        [('f', '*'), ('m', '*')]
    """
    levels = [
        [labels[code] for code in codes.tolist()]
        for labels, codes in zip(hierarchy.labels, hierarchy.ancestors, strict=True)
    ]
    return list(zip(*levels, strict=True))


def to_csv(hierarchy: Hierarchy) -> str:
    r"""Any hierarchy in ARX's format: semicolons, one line per leaf. The missing value needs no line.

    Example:
        >>> from sfumato.table.hierarchy.tree import Hierarchy
        >>> to_csv(Hierarchy.from_paths("age", [("1", "low; young", "*")]))
        '1;"low; young";*\n'
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", lineterminator="\n")
    quoting = csv.writer(out, delimiter=";", lineterminator="\n", quoting=csv.QUOTE_ALL)
    for path in paths(hierarchy):
        if path[0] is not None:
            bare = all(label and label == label.strip() and "\r" not in label for label in path)
            (writer if bare else quoting).writerow(path)
    return out.getvalue()


def _widths(column: Column, values: Sequence[str | None], counts: IntArray) -> FixedWidths | None:
    """A nice width, then doubled while several intervals are left; open ends for the few far off."""
    places = positions(column, values)
    low, high = _middle(places, counts)
    real = places[np.isfinite(places)]
    first, last = float(real.min()), float(real.max())
    if max(-first, last) >= _EXACT_INTEGERS:
        return None  # beyond what doubles count, no interval has edges
    if low == high:
        low, high = first, last
    span = high - low
    if span <= 0:
        return None
    whole = bool((real == np.floor(real)).all())
    chain = [_nice_width(span / _FINEST, at_least=2.0 if whole else 0.0)]
    while chain[-1] * 2 < span:
        chain.append(chain[-1] * 2)
    widest, far = exact(chain[-1]), last - first > _FAR * span
    below = widest * int(low // chain[-1]) if far and first < low - span else None
    above = widest * (int(high // chain[-1]) + 1) if far and last > high + span else None
    widths = [_plain(exact(width)) for width in chain]
    ends = (None if end is None else _plain(end) for end in (below, above))
    return FixedWidths(widths[0], tuple(widths[1:]), 0, *ends)


def _middle(places: FloatArray, counts: IntArray) -> tuple[float, float]:
    """Lowest and highest number without the tails."""
    order = np.argsort(places)[: int(np.isfinite(places).sum())]
    below = np.cumsum(counts[order])
    at = np.searchsorted(below, [below[-1] * _TAIL, below[-1] * (1 - _TAIL)])
    low, high = places[order][np.minimum(at, len(order) - 1)].tolist()
    return low, high


def _nice_width(width: float, at_least: float) -> float:
    """The next width above that people like."""
    power = math.floor(math.log10(width))
    nice = next(step for step in _NICE if step * 10.0**power >= width)
    return max(at_least, float(f"{nice}e{power}"))


def _plain(number: Decimal) -> float:
    """The number as a plan writes it: whole where it is."""
    return int(number) if number == int(number) else float(number)


def _dates(column: Column, present: Sequence[str]) -> Dates:
    """The units of which the span has several; months at least."""
    days = positions(column, present)
    years = float(days.max() - days.min()) / _DAYS_OF_YEAR
    units = [Unit.MONTH, Unit.QUARTER]
    if years > 1:
        units.append(Unit.YEAR)
    if years > 10:
        units.append(Unit.DECADE)
    whole_days = len(np.unique(days)) == len(present)
    return Dates(tuple(units) if whole_days else (Unit.DAY, *units))


def _are_codes(values: Sequence[str]) -> bool:
    """Letters and digits of one length, or many short texts of which most have a digit."""
    widths = set(map(len, values))
    with_digit = sum(any(map(str.isdigit, value)) for value in values)
    if len(widths) == 1:
        whole = all(value.isascii() and value.isalnum() for value in values)
        return whole and with_digit == len(values) and _SHORTEST_CODE <= min(widths) <= MOST_WIDTH
    short = max(widths) <= _LONGEST_CODE and not any(map(str.isspace, "".join(values)))
    return short and len(values) >= _MANY_CODES and with_digit >= _MOSTLY * len(values)


def _by_frequency(values: Sequence[str | None], counts: IntArray) -> HierarchySpec | None:
    """One group of the rare values, unless there are too many values to be categories."""
    return None if len(values) > _MANY_TEXTS else rarer_than_equal(values, counts)


def _neighbors(present: Sequence[str]) -> Groups:
    """Bands in their order, two by two at each level; what is no band stands beside them."""
    bands, others = in_order(present)
    groups: list[tuple[Member, str, str]] = [(band, band, band) for band in bands]
    """Each member with its first band and its last."""
    while len(groups) > _FEW:
        pairs = [groups[i : i + 2] for i in range(0, len(groups) - 1, 2)]
        if len(groups) % 2:
            pairs[-1] = groups[-3:]
        groups = [
            (Group(tuple(inner[0] for inner in pair), f"{pair[0][1]} to {pair[-1][2]}"), pair[0][1], pair[-1][2])
            for pair in pairs
        ]
    return Groups((*(member for member, _, _ in groups), *others))
