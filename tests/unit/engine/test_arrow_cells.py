"""Cells that no engine can hold are missing, whatever their type; all others stand as they are."""

import pyarrow as pa
import pytest

from sfumato.engine.arrow_cells import holdable

MOST = 2**63 - 1
DAY = 86_400
LATE = pa.array([1, MOST], pa.int64()).view(pa.time64("us"))
BROKEN = pa.array([b"a", b"\xff"]).view(pa.string())


def numbers(kind, *cells):
    return pa.array(cells, pa.int32() if kind.bit_width == 32 else pa.int64()).view(kind)


@pytest.mark.parametrize(
    ("kind", "last", "odd"),
    [
        (pa.timestamp("s"), MOST // 10**6, MOST // 10**6 + 1),
        (pa.timestamp("ms", "UTC"), -(MOST // 10**3), -(MOST // 10**3) - 1),
        (pa.duration("s"), MOST // 10**6, MOST),
        (pa.duration("ms"), -5, -MOST - 1),
        (pa.time32("s"), DAY, DAY + 1),
        (pa.time32("ms"), 0, -1),
        (pa.time64("us"), DAY * 10**6, DAY * 10**6 + 1),
        (pa.time64("ns"), DAY * 10**9, -MOST),
    ],
)
def test_what_lies_outside_the_bounds_is_missing(kind, last, odd):
    held = holdable(numbers(kind, 1, last, odd))
    assert held.equals(pa.concat_arrays([numbers(kind, 1, last), pa.nulls(1, kind)]))
    assert holdable(numbers(kind, 1, odd, last)[1:]).is_null().to_pylist() == [True, False]


@pytest.mark.parametrize(
    "kind", [pa.timestamp("us"), pa.timestamp("ns", "UTC"), pa.duration("ns"), pa.date32(), pa.int64()]
)
def test_what_can_be_held_is_not_copied(kind):
    cells = numbers(kind, 1, -(2**31) if kind.bit_width == 32 else -MOST)
    assert holdable(cells) is cells


def test_nothing_odd_stands_under_a_null():
    """Some engines read it all the same."""
    held = holdable(pa.array([1, MOST, None, 5], pa.duration("s")))
    below = pa.Array.from_buffers(pa.int64(), 4, [None, held.buffers()[1]])
    assert held.is_null().to_pylist() == [False, True, True, False]
    assert max(map(abs, below.to_pylist())) <= MOST // 10**6


def test_decimals_keep_to_their_precision():
    stored = b"".join(n.to_bytes(16, "little", signed=True) for n in (99999, 10**5, -99999, -(10**37)))
    cells = pa.Array.from_buffers(pa.decimal128(5, 2), 4, [None, pa.py_buffer(stored)])
    assert holdable(cells).is_null().to_pylist() == [False, True, False, True]


@pytest.mark.parametrize(
    "cells",
    [
        BROKEN,
        pa.array([b"a", b"\xff"], pa.large_binary()).view(pa.large_string()),
        pa.array([b"a", b"\xff"]).cast(pa.binary_view()).view(pa.string_view()),
        pa.DictionaryArray.from_arrays(pa.array([0, 1]), BROKEN),
        pa.RunEndEncodedArray.from_arrays([1, 2], pa.array([1, MOST], pa.duration("s"))),
        pa.UnionArray.from_sparse(pa.array([0, 0], pa.int8()), [BROKEN]),
        pa.UnionArray.from_dense(pa.array([0, 0], pa.int8()), pa.array([0, 1], pa.int32()), [BROKEN]),
        pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), LATE),
        pa.FixedSizeListArray.from_arrays(LATE, 1),
        pa.StructArray.from_arrays([LATE, pa.array([1, 2])], ["a", "b"]),
        pa.MapArray.from_arrays(pa.array([0, 1, 2], pa.int32()), pa.array(["a", "b"]), LATE),
        pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), pa.StructArray.from_arrays([BROKEN], ["a"])),
    ],
    ids=lambda cells: str(cells.type)[:30],
)
def test_texts_and_nested_cells_with_something_odd_inside_are_missing(cells):
    held = holdable(cells)
    held.validate(full=True)
    assert held.is_null().to_pylist() == [False, True]
    chunked = holdable(pa.chunked_array([cells, cells[:1]]))
    assert chunked.is_null().to_pylist() == [False, True, False]


def test_halves_become_singles():
    assert holdable(pa.array([1.5], pa.float32()).cast(pa.float16())).type == pa.float32()
