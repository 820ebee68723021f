"""The classes of a table in memory, counted without a database: for checking a table.

Every column becomes codes, a row becomes one whole number, and equal numbers are counted. Values are compared as they are: `34` and `34.0` are two values of text and one of
numbers. Null and NaN are the missing value, which is a value of its own.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa

from sfumato.engine.frame_columns import numbered
from sfumato.frozen import dataclass
from sfumato.numbers.order import order_of
from sfumato.summary.classes import Classes
from sfumato.summary.histogram import Histogram
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.engine.frame_columns import Numbered
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, IntArray

_LARGEST = 2**62
_NARROW = 2**31
"""Keys below this are held in half the memory."""
_SORTED_ROWS = 2**18
"""Up to so many rows, an order of the keys is found faster than their groups."""


def classes_of_frame(frame: object, quasi_identifiers: Sequence[str], sensitive: Sequence[str] = ()) -> Classes:
    """The classes of a table in memory, each row one person.

    Args:
        frame: a pandas or Polars frame, or an Arrow table.
        quasi_identifiers: columns whose distinct tuples are the classes.
        sensitive: columns whose values are counted in each class.

    Returns:
        Classes with one histogram for each sensitive column. Sensitive numbers and dates are ordered.

    Raises:
        SchemaError: a column is absent or named twice. Remedy: correct the name.

    Example:
        >>> table = pa.table({"zip": ["1", "1", "2"], "illness": ["flu", "gout", "flu"]})
        >>> classes = classes_of_frame(table, ["zip"], ["illness"])
        >>> classes.persons.tolist(), classes.histograms[0].count.tolist()
        ([2, 1], [1, 1, 1])
    """
    columns = numbered(frame, [*quasi_identifiers, *sensitive])
    keys = [_coded(name, Role.QUASI_IDENTIFYING, columns[name]) for name in quasi_identifiers]
    values = [_coded(name, Role.SENSITIVE, columns[name]) for name in sensitive]
    widest = max((coded.n_values for coded in values), default=1)
    key = _row_keys(keys, len(frame), room=widest)  # type: ignore[arg-type]
    histograms: tuple[Histogram, ...]
    if len(values) == 1 and len(key) <= _SORTED_ROWS:
        rows, first, histogram = _counted_together(key, values[0])
        histograms = (histogram,)
    else:
        _, rows, first = _counted(key)
        histograms = tuple(_histogram(key, coded) for coded in values)
    codes = np.empty((len(keys), len(rows)), np.int64).T
    for j, coded in enumerate(keys):
        codes[:, j] = coded.codes.take(first)
    return Classes(codes, rows, rows, histograms=histograms)


@dataclass(frozen=True, slots=True, eq=False)
class _Coded:
    """A column as the leaf codes of its rows, in the narrowest numbers that hold them."""

    attribute: Attribute
    codes: npt.NDArray[np.unsignedinteger[Any]]

    @property
    def n_values(self) -> int:
        """Number of leaves."""
        return self.attribute.hierarchy.n_leaves


def _coded(name: str, role: Role, column: Numbered) -> _Coded:
    kind = column.kind if role is Role.SENSITIVE else Kind.TEXT
    attribute = bind(Column(name, role, kind), list(dict.fromkeys(column.texts)))
    place = {label: code for code, label in enumerate(attribute.hierarchy.labels[0])}
    order = np.array([place[text] for text in column.texts], np.min_scalar_type(len(place)))
    return _Coded(attribute, order.take(column.number, mode="clip"))


def _row_keys(columns: Sequence[_Coded], n: int, *, room: int) -> IntArray:
    """(n,) whole numbers: equal for rows of equal codes, in the order of the codes, with room to multiply by `room`.

    Where the product of the sizes does not fit, the keys so far are numbered anew in their order.
    """
    is_narrow = prod(column.n_values for column in columns) * room < _NARROW
    key, top = cast("IntArray", np.zeros(n, np.int32 if is_narrow else np.int64)), 1
    for column in columns:
        if top * column.n_values * room >= _LARGEST:
            distinct, key = np.unique(key, return_inverse=True)
            top = len(distinct)
        key *= column.n_values
        key += column.codes
        top *= column.n_values
    return key


def _counted(key: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The sorted distinct keys, the rows of each, and one row of each; few keys are sorted, many are hashed."""
    if len(key) <= _SORTED_ROWS:
        order = order_of(key, int(key.max(initial=0)) + 1)
        distinct, rows, start = _runs(key[order])
        return distinct, rows, order[start]
    table = pa.table({"key": key, "row": np.arange(len(key))})
    found = table.group_by("key").aggregate([("row", "count"), ("row", "min")])
    distinct = found["key"].to_numpy()
    order = np.argsort(distinct)
    return distinct[order], found["row_count"].to_numpy()[order], found["row_min"].to_numpy()[order]


def _counted_together(key: IntArray, column: _Coded) -> tuple[IntArray, IntArray, Histogram]:
    """Rows of each class, one row of each, and the counts of a column within them, from one order of both."""
    both = key * column.n_values
    both += column.codes
    order = order_of(both, int(both.max(initial=0)) + 1)
    joint, count, start = _runs(both.take(order))
    group = joint // column.n_values
    is_new = _starts(group)
    place = start[is_new]
    return _lengths(place, len(order)), order.take(place), _told(group, is_new, joint, count, column)


def _starts(ordered: IntArray) -> BoolArray:
    """Whether each of some sorted numbers is the first of those equal to it."""
    is_first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return is_first


def _lengths(start: IntArray, n: int) -> IntArray:
    """How long the runs are that begin at `start`, the last of which ends at `n`."""
    return np.diff(start, append=n)


def _runs(ordered: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The distinct values of sorted numbers, how often each stands there, and where it begins."""
    start = np.flatnonzero(_starts(ordered))
    return ordered.take(start), _lengths(start, len(ordered)), start


def _histogram(key: IntArray, column: _Coded) -> Histogram:
    """Counts of the values of a column within each class."""
    both = key * column.n_values + column.codes
    joint, count, _ = _runs(np.sort(both)) if len(both) <= _SORTED_ROWS else _counted(both)
    group = joint // column.n_values
    return _told(group, _starts(group), joint, count, column)


def _told(group: IntArray, is_new: BoolArray, joint: IntArray, count: IntArray, column: _Coded) -> Histogram:
    """The counts of distinct pairs: `joint` is `group` (the key of all classes, in order) and a value as one number."""
    n_values = column.n_values
    owner, value = np.cumsum(is_new, dtype=np.int64), (joint - group * n_values).astype(np.int64)
    owner -= 1
    total = np.bincount(value, weights=count, minlength=n_values).astype(np.int64)
    return Histogram(column.attribute, owner, value, count, total)
