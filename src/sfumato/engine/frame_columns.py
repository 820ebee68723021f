"""The columns of a table in memory as numbers of texts: which texts a column holds, and which of them each row has.

Arrow numbers what has a type (dictionary encoding). Of Python objects the addresses are numbered first: equal cells of a
column are mostly one object, and only one cell of each address is looked at.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sfumato.errors import SchemaError
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct
from sfumato.numbers.threads import in_threads
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.types import IntArray

_PROBED = 1024
"""Rows whose addresses tell whether equal cells are one object."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbered:
    """A column as numbers of texts.

    Args:
        number: (n,) whole numbers, the place in `texts` of what each row has.
        texts: as numbered, None for the missing value; a text may stand there more than once.
        kind: how the values are ordered.
    """

    number: IntArray
    texts: list[str | None]
    kind: Kind


def numbered(frame: object, names: Sequence[str]) -> dict[str, Numbered]:
    """Some columns of a table in memory.

    Args:
        frame: a pandas or Polars frame, or an Arrow table.
        names: of the columns; each is numbered once.

    Raises:
        SchemaError: a column is absent or named twice. Remedy: correct the name.

    Example:
        >>> zips = numbered(pa.table({"zip": ["1", None, "1"]}), ["zip"])["zip"]
        >>> zips.number.tolist(), zips.texts
        ([0, 1, 0], ['1', None])
    """
    held = frame.column_names if isinstance(frame, pa.Table) else getattr(frame, "columns", ())
    _check([str(name) for name in held], names)
    chosen = list(dict.fromkeys(names))
    if hasattr(frame, "to_arrow"):
        frame = frame[chosen].to_arrow()  # type: ignore[index]
    columns = [frame[name] for name in chosen]  # type: ignore[index]
    return dict(zip(chosen, in_threads(_numbered, columns, len(frame)), strict=True))  # type: ignore[arg-type]


def _check(columns: Sequence[str], names: Sequence[str]) -> None:
    """Each name is a column, once."""
    wrong = [name for name in names if columns.count(name) != 1]
    if wrong:
        raise SchemaError(
            "Every column that is judged must be in the table once; wrong: {wrong}.", "correct the names.", wrong=wrong
        )


def _numbered(column: Any) -> Numbered:
    """A column of pandas or of Arrow."""
    if isinstance(column, pa.ChunkedArray):
        return _of_arrow(column)
    if column.dtype == object:
        return _of_objects(column.to_numpy())
    return _of_arrow(pa.array(column.array, from_pandas=True))


def _of_arrow(column: pa.Array | pa.ChunkedArray) -> Numbered:
    """A column that has a type; NaN is missing."""
    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), None, column)
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks == 1 else column.unify_dictionaries().combine_chunks()
    texts = pc.cast(column.dictionary, pa.string()).to_pylist()
    kind, indices = _kind(column.type.value_type), column.indices
    if column.null_count:
        indices, texts = pc.fill_null(indices, len(texts)), [*texts, None]
    return Numbered(indices.to_numpy(zero_copy_only=False), texts, kind)


def _kind(kind: pa.DataType) -> Kind:
    """How the values of an Arrow type are ordered."""
    if pa.types.is_integer(kind):
        return Kind.INTEGER
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Kind.DECIMAL
    return Kind.DATE if pa.types.is_date(kind) else Kind.TEXT


def _of_objects(cells: npt.NDArray[np.object_]) -> Numbered:
    """Python objects, by where they lie; where most cells are objects of their own, by what they say."""
    where = _addresses(cells)
    if len(distinct(where[:_PROBED])) > _PROBED // 2:
        return _said(cells)
    import pandas as pd

    number, places = pd.factorize(where)
    few = _said(cells.take(_firsts(number, len(places))))
    return Numbered(number, [few.texts[i] for i in few.number.tolist()], Kind.TEXT)


def _addresses(cells: npt.NDArray[np.object_]) -> IntArray:
    """(n,) where the object of each cell lies: the words that an array of objects is made of."""
    words = np.dtype(np.intp).str
    shown = {**cells.__array_interface__, "typestr": words, "descr": [("", words)]}
    return np.asarray(SimpleNamespace(__array_interface__=shown))


def _firsts(number: IntArray, n_numbers: int) -> IntArray:
    """(n_numbers,) a row of each number; numbers are given in the order in which they come up."""
    out = np.empty(n_numbers, np.int64)
    early = number[:_PROBED]
    out[early] = np.arange(len(early))
    seen = int(early.max(initial=-1)) + 1
    if seen < n_numbers:
        late = np.flatnonzero(number >= seen)
        out[number.take(late)] = late
    return out


def _said(cells: npt.NDArray[np.object_]) -> Numbered:
    """What each object says, None where it is missing; equal objects say the same, such as 34 and 34.0.

    Pandas takes texts for equal that differ behind a zero byte (before its version 3) or in what cannot be encoded: these
    are told one by one, and so are few.
    """
    objects = cells.tolist()
    try:
        joined = "".join(objects)
    except TypeError:  # not all are texts: pandas compares them as objects
        return _told_by_pandas(cells)
    if len(objects) > _PROBED and "\0" not in joined and _can_be_encoded(joined):
        return _told_by_pandas(cells)
    return Numbered(np.arange(len(objects)), [str.__str__(text) for text in objects], Kind.TEXT)


def _can_be_encoded(text: str) -> bool:
    """Whether it holds no half of a surrogate pair."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def _told_by_pandas(cells: npt.NDArray[np.object_]) -> Numbered:
    """Equal objects have one number; the missing ones, which pandas numbers -1, have the last."""
    import pandas as pd

    number, values = pd.factorize(cells)
    number[number < 0] = len(values)
    texts: list[str | None] = [str.__str__(value) if isinstance(value, str) else str(value) for value in values]
    if (number == len(values)).any():
        texts.append(None)
    return Numbered(number, texts, Kind.TEXT)
