"""The classes of a table in memory, counted with Arrow, without a database: for checking a table.

Every column becomes codes (Arrow's dictionary encoding), a row becomes one whole number, and equal
numbers are counted. Values are compared as they are: `34` and `34.0` are two values of text and one of
numbers. Null and NaN are the missing value, which is a value of its own.
"""

from __future__ import annotations

from math import prod
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sfumato.errors import SchemaError
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct
from sfumato.numbers.order import order_of
from sfumato.summary.classes import Classes
from sfumato.summary.histogram import Histogram
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, IntArray

_LARGEST = 2**62
_NARROW = 2**31
"""Keys below this are held in half the memory."""
_PROBED = 4096
"""Rows whose addresses tell whether equal cells are one object."""
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
    table = _arrow(frame, [*quasi_identifiers, *sensitive])
    keys = [_coded(table, name, Role.QUASI_IDENTIFYING) for name in quasi_identifiers]
    values = [_coded(table, name, Role.SENSITIVE) for name in sensitive]
    widest = max((coded.n_values for coded in values), default=1)
    key = _row_keys(keys, table.num_rows, room=widest)
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


def _coded(table: pa.Table, name: str, role: Role) -> _Coded:
    column = table.column(name)
    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), None, column)
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    column = column.chunk(0) if column.num_chunks == 1 else column.unify_dictionaries().combine_chunks()
    values = pc.cast(column.dictionary, pa.string()).to_pylist()
    missing = [None] if column.null_count else []
    kind = _kind(column.type.value_type) if role is Role.SENSITIVE else Kind.TEXT
    attribute = bind(Column(name, role, kind), [*dict.fromkeys(values), *missing])
    place = {label: code for code, label in enumerate(attribute.hierarchy.labels[0])}
    order = np.array([place[value] for value in [*values, *missing]], np.min_scalar_type(len(place)))
    indices = pc.fill_null(column.indices, len(values)) if missing else column.indices
    return _Coded(attribute, order.take(indices.to_numpy(zero_copy_only=False), mode="clip"))


def _arrow(frame: object, names: Sequence[str]) -> pa.Table:
    if not isinstance(frame, pa.Table):
        columns = [str(name) for name in getattr(frame, "columns", ())]
        _check(columns, names)
        chosen = list(dict.fromkeys(names))
        if hasattr(frame, "to_arrow"):
            return frame[chosen].to_arrow()  # type: ignore[index]
        return pa.table({name: _from_pandas(frame[name]) for name in chosen})  # type: ignore[index]
    _check(frame.column_names, names)
    return frame


def _from_pandas(series: Any) -> pa.Array:
    """A pandas column; Python objects are numbered by pandas, which is faster than to copy their text."""
    if series.dtype != object:
        return pa.array(series.array, from_pandas=True)
    codes, distinct = _numbered(series.to_numpy())
    texts = pa.array([value if isinstance(value, str) else str(value) for value in distinct], pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), texts)


def _numbered(cells: npt.NDArray[np.object_]) -> tuple[IntArray, npt.NDArray[np.object_]]:
    """The number of each cell, -1 where it is missing, and the distinct cells.

    Equal cells of a column are mostly one object, whose address is numbered faster than its text: only one cell of
    each address is looked at.
    """
    import pandas as pd

    where = _addresses(cells)
    if len(distinct(where[:_PROBED])) > _PROBED // 2:
        codes, texts = pd.factorize(cells)
        return codes, texts
    of, first = pd.factorize(where)
    one = np.empty(len(first), np.int64)
    one[of] = np.arange(len(of))
    codes, texts = pd.factorize(cells[one])
    return codes[of], texts


def _addresses(cells: npt.NDArray[np.object_]) -> IntArray:
    """(n,) where the object of each cell lies: the words that an array of objects is made of."""
    words = np.dtype(np.intp).str
    shown = {**cells.__array_interface__, "typestr": words, "descr": [("", words)]}
    return np.asarray(SimpleNamespace(__array_interface__=shown))


def _check(columns: Sequence[str], names: Sequence[str]) -> None:
    """Each name is a column, once."""
    wrong = [name for name in names if columns.count(name) != 1]
    if wrong:
        raise SchemaError(
            "Every column that is judged must be in the table once; wrong: {wrong}.", "correct the names.", wrong=wrong
        )


def _kind(kind: pa.DataType) -> Kind:
    """How the values of an Arrow type are ordered."""
    if pa.types.is_integer(kind):
        return Kind.INTEGER
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Kind.DECIMAL
    return Kind.DATE if pa.types.is_date(kind) else Kind.TEXT


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
