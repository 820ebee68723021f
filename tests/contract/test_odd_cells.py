"""One row never decides whether an answer comes: neighbors that differ in one odd row, of every type, in every use.

Each type has ordinary cells and odd ones. Both tables must answer every question with the same shape, or refuse it with
the same words (by the type, which is public), and must go on answering.
"""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import SfumatoError
from sfumato.summary.bounded import BoundedAsk, Comparison, Condition, Join, Keyed, Term
from sfumato.table.domain import Categories, Range
from sfumato.table.source import FileSource, FrameSource
from sfumato.table.unit import Neighbors, Unit

ENGINE = DuckDBEngine(memory_limit="500MB", threads=1)
ROW = Unit.row(Neighbors.ADD_REMOVE)
PERSON = Unit(Neighbors.ADD_REMOVE, "x", rows=2, keys=1)
WIDE, NARROW = Range(0, 10, "0.5"), Categories(("1", "a", "1970-01-01"))
MOST = 2**63 - 1
NUMBERS = (("x", WIDE), ("y", WIDE))


def ranged(factors, **more):
    return BoundedAsk(ROW, (Term(factors),), ranges=NUMBERS, **more)


def where(comparison, *values, **more):
    return BoundedAsk(ROW, (Term(),), where=(Condition("x", comparison, values),), **more)


USES = {
    "sum": ranged((("x", 0),)),
    "mean": ranged((("x", 10),), complete=("x",)),
    "variance": ranged((("x", 3), ("x", 3))),
    "covariance": ranged((("x", 0), ("y", 0)), complete=("x", "y")),
    "places": BoundedAsk(ROW, (), ranges=NUMBERS),
    "histogram": BoundedAsk(ROW, (Term(),), (Keyed("x", WIDE, (0, 3, 21)),)),
    "categories": BoundedAsk(ROW, (Term(),), (Keyed("x", NARROW),)),
    "open": BoundedAsk(ROW, (Term(),), (Keyed("x", None),)),
    "present": BoundedAsk(ROW, (Term(),), complete=("x",)),
    "declared": BoundedAsk(ROW, (Term(),), complete=("x",), categories=(("x", NARROW),)),
    "equal": where(Comparison.EQUAL, "1"),
    "not in": where(Comparison.NOT_IN, "1", "a", categories=(("x", NARROW),)),
    "less": where(Comparison.LESS, "3", ranges=NUMBERS),
    "join": BoundedAsk(
        ROW, (Term(),), (Keyed("z", Categories(("t",))),), join=Join((("1", "t"), ("a", "t")), ("x", "z"), "x")
    ),
    "person": BoundedAsk(PERSON, (Term((("y", 0),)),), ranges=NUMBERS),
    "person's groups": BoundedAsk(PERSON, (Term(),), (Keyed("g", None),)),
    "persons": BoundedAsk(PERSON, (Term(),), distinct=True),
}  # fmt: skip


def words(table, name):
    """The shape of an answer, or what the refusal says."""
    ask = USES[name]
    try:
        if name == "places":
            return "places", ENGINE.places(table, ask, "x").size
        found = ENGINE.totals(table, ask)
    except SfumatoError as error:
        return type(error), str(error)
    return "totals", None if found.keys is not None else found.totals.shape


def all_words(frame, uses=tuple(USES)):
    table = ENGINE.scan(frame if isinstance(frame, FileSource) else FrameSource(frame))
    return [(name, words(table, name)) for name in (*uses, "present")]


def bytes_of(kind, *numbers):
    width = kind.bit_width // 8
    return pa.Array.from_buffers(
        kind, len(numbers), [None, pa.py_buffer(b"".join(n.to_bytes(width, "little", signed=True) for n in numbers))]
    )


def text_of(kind, stored):
    return pa.array([stored], pa.large_binary() if kind == pa.large_string() else pa.binary()).view(kind)


def column(kind, cells):
    """Cells of one type, some of them ready arrays."""
    return pa.concat_arrays([cell if isinstance(cell, pa.Array) else pa.array([cell], kind) for cell in cells])


def _raw():
    """Types whose cells are whole numbers in a buffer: (type, odd numbers)."""
    far = (MOST, -MOST, -MOST - 1, 2**62, -(2**62), 2**55, 10**13)
    for unit in ("s", "ms", "us", "ns"):
        for zone in (None, "UTC", "Europe/Paris"):
            yield pa.timestamp(unit, zone), far
        yield pa.duration(unit), far
    yield pa.date32(), (2**31 - 1, -(2**31), 1 - 2**31, 2**30)
    yield pa.date64(), far
    for unit in ("s", "ms"):
        yield pa.time32(unit), (2**31 - 1, -(2**31), -1, 86_400_001)
    for unit in ("us", "ns"):
        yield pa.time64(unit), (*far, -1, 86_400_000_000_001)
    for whole in (pa.int8(), pa.int16(), pa.int32(), pa.int64()):
        yield whole, (2 ** (whole.bit_width - 1) - 1, -(2 ** (whole.bit_width - 1)))
    for decimal in (pa.decimal128(5, 2), pa.decimal128(18, 0), pa.decimal128(38, 38), pa.decimal128(38, 0)):
        yield decimal, (2**126, -(2**127), 10**38)


RAW = [pytest.param(kind, odd, id=str(kind)) for kind, odd in _raw()]
MIXED = [
    (pa.float64(), [1.0, 2.5], (float("nan"), float("inf"), -float("inf"), 5e-324, 1.7e308, -0.0, None)),
    (pa.float32(), [1.0, 2.5], (float("nan"), float("inf"), 1e-45)),
    (pa.uint64(), [1, 2], (2**64 - 1, None)),
    (pa.bool_(), [True, False], (None,)),
    (pa.string(), ["1", "a"], ("\0", "", " ", "9" * 400, "1e999", "😀", "inf", "nan", None, text_of(pa.string(), b"\xff1"))),
    (pa.large_string(), ["1", "a"], ("\0", text_of(pa.large_string(), b"a\xc3"))),
    (pa.string_view(), ["1", "a"], ("x" * 100, None)),
    (pa.binary(), [b"1"], (b"\xff\0", b"", None)),
    (pa.binary(2), [b"12"], (b"\xff\0", None)),
    (pa.month_day_nano_interval(), [(1, 1, 1)], ((2**31 - 1, 2**31 - 1, MOST), (-(2**31), 0, -MOST))),
    (pa.dictionary(pa.int8(), pa.string()), ["1", "a"], (None,)),
    (pa.list_(pa.int64()), [[1]], ([], [None], [MOST], None)),
    (pa.struct({"a": pa.int64()}), [{"a": 1}], ({"a": None}, {"a": MOST}, None)),
    (pa.map_(pa.int64(), pa.int64()), [[(1, 2)]], ([], None)),
    (pa.null(), [None], (None,)),
]  # fmt: skip


def frame_of(cells):
    n = len(cells)
    return pa.table({"x": cells, "y": pa.array([1] * n), "g": pa.array(["a"] * n)})


def check(ordinary, odd, as_source=lambda table: table, uses=tuple(USES)):
    """The ordinary rows answer as they do with the odd rows behind them."""
    whole = frame_of(pa.concat_arrays([ordinary, odd]))
    assert all_words(as_source(whole), uses) == all_words(as_source(whole.slice(0, len(ordinary))), uses)


def stored_as(kind, odd):
    """The odd numbers that a type has room for."""
    width = kind.bit_width - 1
    return bytes_of(kind, *(n for n in odd if -(2**width) <= n < 2**width))


def listed(cells):
    """Each cell in a list of its own."""
    return pa.ListArray.from_arrays(pa.array(range(len(cells) + 1), pa.int32()), cells)


@pytest.mark.parametrize(("kind", "odd"), RAW)
def test_arrow_cells_that_are_whole_numbers(kind, odd):
    ordinary, odd = bytes_of(kind, 1, 2), stored_as(kind, odd)
    check(ordinary, odd)
    check(listed(ordinary), listed(odd), uses=("open", "person"))


@pytest.mark.parametrize(("kind", "ordinary", "odd"), MIXED, ids=[str(kind) for kind, _, _ in MIXED])
def test_arrow_cells_of_other_types(kind, ordinary, odd):
    check(column(kind, ordinary), column(kind, odd))


def test_halves():
    cells = pa.array([1.0, 2.5, float("nan"), float("inf")], pa.float32()).cast(pa.float16())
    check(cells[:2], cells[2:])


PARQUET = [case for case in RAW if pa.types.is_temporal(case.values[0]) and not case.id.startswith("timestamp[s")]


@pytest.mark.parametrize(("kind", "odd"), PARQUET)
def test_parquet_cells_that_are_whole_numbers(kind, odd, tmp_path):
    _check_parquet(bytes_of(kind, 1, 2), stored_as(kind, odd), tmp_path)


def test_parquet_texts_that_are_none(tmp_path):
    _check_parquet(
        pa.array(["1", "a"]), column(pa.string(), [text_of(pa.string(), b"\xff1"), "", "\0", None]), tmp_path
    )


def _check_parquet(ordinary, odd, folder):
    """As it is written with all odd cells that Parquet can hold."""

    def written(table):
        path = folder / f"{len(table)}.parquet"
        pq.write_table(table, path)
        return FileSource(path)

    check(ordinary, odd, written, ("sum", "categories", "open", "equal", "person"))
