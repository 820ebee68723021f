"""Numbers, texts and labels as Arrow arrays, and back, at the least cost: from their bytes.

PyArrow's own conversions, `pyarrow.array` and `to_numpy`, import pandas at their first use wherever pandas is
installed, which takes longer than to release a small table; these do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.recipe.labels import Labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.recipe.steps import Assign, Recode
    from sfumato.types import BoolArray, IntArray


_AT_ONCE = 100_000
"""Tuples that are compared with their labels before the next are: most columns differ, or none does, among these."""


def whole_numbers(values: IntArray, absent: BoolArray | None = None) -> pa.Int64Array:
    """Whole numbers as an Arrow array; null where they are absent.

    Args:
        values: (n,) whole numbers.
        absent: (n,) bool; None: none is.

    Example:
        >>> whole_numbers(np.array([7, 8]), np.array([False, True])).to_pylist()
        [7, None]
    """
    stored = np.ascontiguousarray(values, np.int64)
    present = None if absent is None else _packed(~absent)
    return pa.Array.from_buffers(pa.int64(), len(stored), [present, pa.py_buffer(stored)])


def flags(values: BoolArray) -> pa.BooleanArray:
    """Truth values as an Arrow array.

    Example:
        >>> flags(np.array([True, False])).to_pylist()
        [True, False]
    """
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, _packed(values)])


def texts(values: Sequence[str | None]) -> pa.StringArray:
    """Texts as an Arrow array; None becomes null.

    Args:
        values: at most 2 GiB of texts, such as the labels of a hierarchy.

    Raises:
        UnicodeEncodeError: a text is no Unicode.

    Example:
        >>> texts(["a", None, "é"]).to_pylist()
        ['a', None, 'é']
    """
    stored = [b"" if text is None else text.encode() for text in values]
    ends = np.zeros(len(stored) + 1, np.int64)
    np.cumsum(np.array([len(one) for one in stored], np.int64), out=ends[1:])
    present = np.array([text is not None for text in values], np.bool_)
    kind, offsets = (pa.string(), ends.astype(np.int32)) if ends[-1] < 2**31 else (pa.large_string(), ends)
    buffers = [None if present.all() else _packed(present), pa.py_buffer(offsets), pa.py_buffer(b"".join(stored))]
    return pa.Array.from_buffers(kind, len(stored), buffers)


def dictionary_of(values: Sequence[str | None]) -> pa.DictionaryArray:
    """Texts as an Arrow dictionary array in the order of their first occurrence; None becomes null.

    Example:
        >>> found = dictionary_of(["b", None, "a", "b"])
        >>> found.to_pylist(), found.dictionary.to_pylist()
        (['b', None, 'a', 'b'], ['b', 'a'])
    """
    if isinstance(values, Labels):
        return _dictionary_of_labels(values)
    distinct = dict.fromkeys(values)
    distinct.pop(None, None)
    place = {text: i for i, text in enumerate(distinct)} | {None: -1}
    return chosen(np.fromiter(map(place.__getitem__, values), np.int64, len(values)), texts([*distinct]))


def _dictionary_of_labels(labels: Labels) -> pa.DictionaryArray:
    """The same of texts that have numbers already."""
    n = len(labels)
    first = np.full(len(labels.texts), n)
    first[labels.codes[::-1]] = np.arange(n - 1, -1, -1)  # of equal numbers the last, which is the first
    place, index = np.full(len(labels.texts), -1), dict[str, int]()
    for code in first.argsort(kind="stable")[: np.count_nonzero(first < n)].tolist():
        text = labels.texts[code]
        if text is not None:
            place[code] = index.setdefault(text, len(index))
    return chosen(place[labels.codes], texts([*index]))


def chosen(places: IntArray, dictionary: pa.StringArray) -> pa.DictionaryArray:
    """(n,) entries of a dictionary; null where the place is below 0."""
    return pa.DictionaryArray.from_arrays(whole_numbers(places, places < 0), dictionary)


def places_of(encoded: pa.DictionaryArray) -> IntArray:
    """(n,) int64: the place of each entry in the dictionary, -1 for null.

    Example:
        >>> places_of(dictionary_of(["b", None, "a", "b"])).tolist()
        [0, -1, 1, 0]
    """
    indices = encoded.indices
    return numbers(indices.fill_null(-1) if indices.null_count else indices)


def of_labels_in_use(column: pa.Array) -> pa.Array:
    """The same texts with a dictionary of those that occur, in its order; a column without a dictionary is left as it is.

    Example:
        >>> column = pa.DictionaryArray.from_arrays([2, 0, None, 2], ["a", "hidden", "b"])
        >>> of_labels_in_use(column).dictionary.to_pylist(), of_labels_in_use(column).to_pylist()
        (['a', 'b'], ['b', 'a', None, 'b'])
    """
    if not isinstance(column, pa.DictionaryArray):
        return column
    indices, labels = column.indices, column.dictionary
    there, data = indices.buffers()
    places = np.frombuffer(data, indices.type.to_pandas_dtype(), len(indices), indices.offset * indices.type.byte_width)
    gone = ~_unpacked(there, indices.offset, len(indices)) if indices.null_count else None
    in_use = np.bincount(places if gone is None else places[~gone], minlength=len(labels)) > 0
    if np.all(in_use):
        return column
    stored = [
        None if gone is None else _packed(~gone),
        pa.py_buffer((np.cumsum(in_use) - 1).astype(places.dtype).take(places)),
    ]
    renumbered = pa.Array.from_buffers(indices.type, len(indices), stored)
    return pa.DictionaryArray.from_arrays(renumbered, _picked(labels, np.flatnonzero(in_use)))


def _picked(labels: pa.StringArray, places: IntArray) -> pa.StringArray:
    """The texts at some places in ascending order."""
    if len(places) and places[-1] == len(places) - 1:
        return labels.slice(0, len(places))
    if len(labels) > _FEW:
        return labels.take(whole_numbers(places))
    return texts([*map(labels.to_pylist().__getitem__, places.tolist())])


_FEW = 10_000
"""So few texts are sorted without PyArrow's compute functions, which take longer to be loaded."""


def in_order(texts: pa.StringArray) -> IntArray:
    """(n,) int64: the places of texts, sorted by their code points; null last.

    Example:
        >>> in_order(texts(["b", None, "a"])).tolist()
        [2, 0, 1]
    """
    if len(texts) > _FEW:
        import pyarrow.compute as pc

        return numbers(pc.sort_indices(texts))
    values = texts.to_pylist()
    return np.array(sorted(range(len(values)), key=lambda i: (values[i] is None, values[i] or "")), np.int64)


def sorted_texts(texts: pa.StringArray) -> tuple[IntArray, tuple[str | None, ...]]:
    """(n,) int64, the places of texts in the order of `in_order`, and the texts in that order.

    Example:
        >>> order, told = sorted_texts(texts(["b", None, "a"]))
        >>> order.tolist(), told
        ([2, 0, 1], ('a', 'b', None))
    """
    order = in_order(texts)
    if len(texts) > _FEW:
        return order, tuple(texts.take(whole_numbers(order)).to_pylist())
    values = texts.to_pylist()
    return order, tuple(values[i] for i in order.tolist())


def joined_texts(column: pa.Array) -> memoryview:
    r"""All texts of an Arrow array without nulls one after the other, as UTF-8; nothing is copied.

    Example:
        >>> bytes(joined_texts(texts(["a", "é"])[1:]))
        b'\xc3\xa9'
    """
    if column.type not in (pa.string(), pa.large_string()):
        column = column.cast(pa.large_string())
    _, ends, data = column.buffers()
    offsets = np.frombuffer(ends, np.int32 if column.type == pa.string() else np.int64) if ends else np.zeros(1, int)
    first, last = offsets[column.offset], offsets[column.offset + len(column)]
    return memoryview(data or b"")[first:last]


def numbers(column: pa.Array | pa.ChunkedArray) -> IntArray:
    """(n,) int64: an Arrow column of whole numbers without nulls.

    Example:
        >>> numbers(pa.chunked_array([whole_numbers(np.array([1])), whole_numbers(np.array([2, 3]))])).tolist()
        [1, 2, 3]
    """
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    parts = [np.from_dlpack(chunk) for chunk in chunks if len(chunk)]
    if len(parts) == 1:
        return np.asarray(parts[0].astype(np.int64, copy=False))
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64, copy=False)


def ints(found: pa.Table, column: str) -> IntArray:
    """(n,) int64: a column of a result, in the order of the query, which may be changed."""
    out = numbers(found[column])
    return out if out.flags.writeable else out.copy()


def _packed(values: BoolArray) -> pa.Buffer:
    """Truth values as Arrow stores them, one bit each."""
    return pa.py_buffer(np.packbits(values, bitorder="little"))


def _unpacked(bits: pa.Buffer, offset: int, n: int) -> BoolArray:
    """(n,) bool, of which Arrow stores one in a bit."""
    return np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little")[offset : offset + n].view(np.bool_)


def says_the_same(step: Recode) -> bool:
    """Whether the labels of the level are the values themselves."""
    tree = step.attribute.hierarchy
    labels = np.array([*tree.labels[step.level], None], object)[tree.ancestors[step.level]]
    return bool(np.all(labels == np.array(tree.labels[0], object)))


def changes_labels(step: Assign, encoded: Sequence[pa.DictionaryArray]) -> list[bool]:
    """For each attribute, whether some published label differs from the value.

    Args:
        step: classes and their labels.
        encoded: `step.labels`, each as a dictionary array of texts.
    """
    tuples, member = _kept_entries(step)
    out = []
    for j, (attribute, labels) in enumerate(zip(step.attributes, encoded, strict=True)):
        places, own = places_of(labels), _codes_of(labels, attribute.hierarchy.labels[0])
        parts = (slice(start, start + _AT_ONCE) for start in range(0, len(tuples), _AT_ONCE))
        out.append(any(bool(np.any(places[member[p]] != own[step.codes[tuples[p], j]])) for p in parts))
    return out


def _kept_entries(step: Assign) -> tuple[IntArray, IntArray]:
    """Tuple and class of every (tuple, class) pair that is published."""
    tuples, member = np.arange(len(step.member)), step.member
    if step.splits is None and member.min(initial=0) >= 0:
        return tuples, member
    if step.splits is not None:
        whole: BoolArray = ~np.isin(tuples, step.splits.tuple_)
        tuples = np.concatenate((tuples[whole], step.splits.tuple_))
        member = np.concatenate((member[whole], step.splits.member))
    kept = member >= 0
    return tuples[kept], member[kept]


def taken(encoded: pa.DictionaryArray, member: IntArray) -> pa.DictionaryArray:
    """The labels of the classes `member`; null where it is -1.

    Example:
        >>> from sfumato.engine.arrow_arrays import dictionary_of
        >>> taken(dictionary_of(["a", "b"]), np.array([1, -1])).to_pylist()
        ['b', None]
    """
    places = np.append(places_of(encoded), -1).astype(np.int32)
    picked = places.take(np.maximum(member, -1) if member.min(initial=0) < -1 else member)
    absent = picked < 0 if np.count_nonzero(places < 0) > 1 or member.min(initial=0) < 0 else None
    present = None if absent is None else _packed(~absent)
    stored = pa.Array.from_buffers(pa.int32(), len(picked), [present, pa.py_buffer(picked)])
    return pa.DictionaryArray.from_arrays(stored, encoded.dictionary)


def _codes_of(encoded: pa.DictionaryArray, labels: Sequence[str | None]) -> IntArray:
    """(len(labels),) int64: the dictionary index of each text, -1 for None, -2 for a text it lacks."""
    index = {text: code for code, text in enumerate(encoded.dictionary.to_pylist())}
    return np.array([-1 if text is None else index.get(text, -2) for text in labels], np.int64)


def running_within(owner: IntArray, values: IntArray) -> IntArray:
    """Running sums that begin anew with each owner; entries of one owner follow each other.

    Example:
        >>> running_within(np.array([4, 4, 2]), np.array([1, 2, 5])).tolist()
        [1, 3, 5]
    """
    total = np.cumsum(values)
    is_first = np.diff(owner, prepend=-1) != 0
    before = np.where(is_first, total - values, 0)
    return total - np.maximum.accumulate(before)
