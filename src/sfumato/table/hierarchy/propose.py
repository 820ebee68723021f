"""Which hierarchy suits a column that nobody has described yet? And any hierarchy as a file.

A proposal is a guess to be read and changed by a person; it is made of the same declarations as any
other, so what is previewed is what is published.
"""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.table.hierarchy.balanced import balanced_from
from sfumato.table.hierarchy.dates import Dates, Unit
from sfumato.table.hierarchy.masking import Masking
from sfumato.table.hierarchy.widths import FixedWidths
from sfumato.table.number import positions
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.hierarchy.tree import Hierarchy
    from sfumato.table.schema import Column, HierarchySpec
    from sfumato.types import IntArray

_FEW = 3
"""Fewer distinct values than this only generalize to `*`."""
_MANY_TEXTS = 500
"""Text with more distinct values than this, and no common width, is no category."""
_FINEST = 20
"""A proposed hierarchy of numbers has about this many intervals at level 1."""
_NICE = (1, 2, 5, 10)
_DAYS_OF_YEAR = 366
_SHORTEST_CODE = 3


def propose(column: Column, values: Sequence[str | None], counts: IntArray) -> HierarchySpec | None:
    """A hierarchy for a column by its kind and values; None: none better than `*`.

    Numbers: widths from a nice one (1, 2 or 5 times a power of ten; 5 for ages), doubled upwards.
    Dates: month, quarter, year, decade as far as the span has several. Text of one width with
    digits: characters hidden from the right. Other text: groups by frequency.

    Args:
        column: its kind and format.
        values: distinct values; missing ones are left aside.
        counts: (n,) int64, persons with each value.

    Example:
        >>> from sfumato.table.hierarchy.spec import describe
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
        return _widths(column, present)
    widths = {len(value) for value in present}
    if len(widths) == 1 and min(widths) >= _SHORTEST_CODE and all(_is_code(value) for value in present):
        return Masking("right")
    return None if len(present) > _MANY_TEXTS else balanced_from(column, values, counts, 2)


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


def _widths(column: Column, present: Sequence[str]) -> FixedWidths | None:
    """A nice width, then doubled while several intervals are left."""
    places = positions(column, present)
    span = float(places.max() - places.min())
    if span <= 0:
        return None
    power = math.floor(math.log10(span / _FINEST))
    nice = next(step for step in _NICE if step * 10.0**power >= span / _FINEST)
    width = float(f"{nice}e{power}")
    if column.kind is Kind.INTEGER:
        width = max(2.0, width)
    chain = [width]
    while chain[-1] * 2 < span:
        chain.append(chain[-1] * 2)
    whole = [int(each) if each.is_integer() else each for each in chain]
    return FixedWidths(whole[0], tuple(whole[1:]))


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


def _is_code(value: str) -> bool:
    """Letters and digits without blanks, a digit among them."""
    return value.isascii() and value.isalnum() and any(character.isdigit() for character in value)
