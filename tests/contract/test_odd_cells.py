"""One row never decides whether an answer comes: neighbors that differ in one odd row, of every type, in every use.

Each type has ordinary cells and odd ones. Both tables must answer every question with the same shape, or refuse it with
the same words (by the type, which is public), and must go on answering.
"""

import datetime as dt
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.spark.engine import SparkEngine
from sfumato.errors import SchemaError
from sfumato.summary.bounded import BoundedAsk, Comparison, Condition, Join, Keyed, Places, Term
from sfumato.table.domain import Categories, Range
from sfumato.table.source import FileSource, FrameSource, SqlSource
from sfumato.table.unit import Neighbors, Unit

ENGINE = DuckDBEngine(threads=1)
ROW = Unit.row(Neighbors.ADD_REMOVE)
PERSON = Unit(Neighbors.ADD_REMOVE, "x", rows=2, keys=1)
WIDE = Range(0, 10, "0.5")
MOST = 2**63 - 1
NUMBERS = (("x", WIDE), ("y", WIDE))
WRITTEN = (
    (pa.types.is_boolean, ("true", "false")), (pa.types.is_date, ("1970-01-02", "1970-01-03")),
    (pa.types.is_time, ("00:00:01", "00:00:02")), (pa.types.is_integer, ("1", "2")), (pa.types.is_duration, ("1", "2")), (pa.types.is_floating, ("1", "2.5")),
    (lambda kind: pa.types.is_timestamp(kind) and kind.tz is None, ("1970-01-01 00:00:01", "1970-01-01 00:00:02")),
    (pa.types.is_timestamp, ("1970-01-01 00:00:01+00", "1970-01-01 00:00:02+00")), (pa.types.is_decimal, ("0.01", "0.02")),
)  # fmt: skip
"""What cells of a type can be written as."""
OF_NUMBERS = frozenset(("sum", "mean", "variance", "covariance", "places", "histogram", "less"))


def texts_for(kind):
    return next((texts for fits, texts in WRITTEN if fits(kind)), ("1", "a"))


def ranged(factors, **more):
    return BoundedAsk(ROW, (Term(factors),), ranges=NUMBERS, **more)


def where(comparison, *values, **more):
    return BoundedAsk(ROW, (Term(),), where=(Condition("x", comparison, values),), **more)


def uses_of(kind):
    """Every use of a column of a type."""
    one, two = texts_for(kind)
    narrow = Categories((one, two))
    public = Join(((one, "t"), (two, "u")), ("x", "z"), "x")
    return {
        "sum": ranged((("x", 0),)),
        "mean": ranged((("x", 10),), complete=("x",)),
        "variance": ranged((("x", 3), ("x", 3))),
        "covariance": ranged((("x", 0), ("y", 0)), complete=("x", "y")),
        "places": BoundedAsk(ROW, (), ranges=NUMBERS),
        "histogram": BoundedAsk(ROW, (Term(),), (Keyed("x", WIDE, (0, 3, 21)),)),
        "categories": BoundedAsk(ROW, (Term(),), (Keyed("x", narrow),)),
        "open": BoundedAsk(ROW, (Term(),), (Keyed("x", None),)),
        "present": BoundedAsk(ROW, (Term(),), complete=("x",)),
        "declared": BoundedAsk(ROW, (Term(),), complete=("x",), categories=(("x", narrow),)),
        "equal": where(Comparison.EQUAL, one),
        "not in": where(Comparison.NOT_IN, one, two, categories=(("x", narrow),)),
        "less": where(Comparison.LESS, "3", ranges=NUMBERS),
        "join": BoundedAsk(ROW, (Term(),), (Keyed("z", Categories(("t",))),), join=public),
        "person": BoundedAsk(PERSON, (Term((("y", 0),)),), ranges=(("y", WIDE),)),
        "groups of a person": BoundedAsk(PERSON, (Term(),), (Keyed("g", None),)),
        "persons": BoundedAsk(PERSON, (Term(),), distinct=True),
    }


def words(table, name, ask):
    """The shape of an answer, or what the refusal says."""
    try:
        if name == "places":
            return name, ENGINE.summarize(table, Places(ask, "x")).size
        found = ENGINE.summarize(table, ask)
    except SchemaError as error:
        assert name in OF_NUMBERS
        return name, str(error)
    return name, None if found.keys is not None else found.totals.shape


def all_words(frame, kind, only=None):
    """Of every use, one after the other."""
    return words_of(ENGINE.scan(frame if isinstance(frame, FileSource) else FrameSource(frame)), kind, only)


def words_of(table, kind, only=None):
    """The same of a table that is open."""
    uses = uses_of(kind)
    return [words(table, name, uses[name]) for name in (*(only or uses), "present")]


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
        for zone in (None, "UTC", *(["Europe/Paris"] if unit == "us" else [])):  # a zone is how a moment is told
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


def check(ordinary, odd, as_source=lambda table: table, only=None):
    """The ordinary rows answer as they do with the odd rows behind them."""
    whole = frame_of(pa.concat_arrays([ordinary, odd]))
    found = [all_words(as_source(t), ordinary.type, only) for t in (whole, whole.slice(0, len(ordinary)))]
    assert found[0] == found[1]


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
    check(listed(ordinary), listed(odd), only=("open", "person"))


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


LOOSE = [[True, False], [1, 2], [1.0, 2.5], ["1", "a"], [Decimal("1.00"), Decimal("2.5")], [dt.date(1970, 1, 2)] * 2]


@pytest.mark.parametrize("ordinary", LOOSE, ids=str)
def test_pandas_columns_of_objects(ordinary):
    """Any object may stand beside any other: nothing is refused, and what the others say stays.

    Beside each odd one, for uses that read cells in different ways; beside all of them together, for every use.
    """

    def opened(cells):
        return ENGINE.scan(FrameSource(pd.DataFrame({"x": pd.Series(cells, dtype=object), "y": 1, "g": "a"})))

    odd = [
        True,
        2**70,
        1e300,
        "z",
        Decimal("1e40"),
        Decimal("sNaN"),
        np.array([1, 2]),
        np.array([1]),
        dt.date(9999, 12, 31),
        dt.timedelta(1),
        b"x",
        [1],
        object(),
        "\ud800",
    ]
    table, few = opened(ordinary), ("sum", "categories", "equal", "less", "person")
    texts = {key for (key,) in counted(table)}
    alone = {only: words_of(table, pa.string(), only) for only in (few, None)}
    for cell in odd:
        table = opened([*ordinary, cell])
        assert words_of(table, pa.string(), few) == alone[few]
        assert texts <= {key for (key,) in counted(table)}
    assert words_of(opened([*ordinary, *odd]), pa.string()) == alone[None]


def counted(table):
    return ENGINE.summarize(table, BoundedAsk(ROW, (Term(),), (Keyed("x", None),))).keys


def test_truth_values_of_pandas_are_read_alike_with_and_without_a_missing_one():
    """A missing one makes the column one of objects."""
    for cells in ([True, False], [True, False, None]):
        found = all_words(pd.DataFrame({"x": cells, "y": 1, "g": "a"}), pa.string())
        assert found[0] == ("sum", (1, 1))


POLARS = [pl.Time, pl.Date, pl.Int128, pl.Decimal(38, 0), pl.Categorical, pl.String, pl.Float64, pl.Boolean] + [
    kind for unit in ("ms", "us", "ns") for kind in (pl.Datetime(unit), pl.Datetime(unit, "UTC"), pl.Duration(unit))
]


@pytest.mark.parametrize("kind", POLARS, ids=str)
def test_polars_cells(kind):
    """What Polars lets in: it checks no cell either where a number becomes a point in time."""
    is_text = kind in {pl.Categorical, pl.String}
    cells = pl.Series("x", ["1", "a", "\0"] if is_text else [1, 2, 2**31 - 1 if kind == pl.Date else MOST])
    if kind == pl.Int128:
        series = pl.Series("x", [1, 2, -(2**127)], dtype=pl.Int128)
    else:
        series = (cells.cast(pl.Int32) if kind == pl.Date else cells).cast(kind, strict=False)
    frame = pl.DataFrame([series, pl.Series("y", [1] * 3), pl.Series("g", ["a"] * 3)])
    few, all_ = (_open_uses(FrameSource(part)) for part in (frame[:2], frame))
    assert few == all_


RELATION = [
    ("HUGEINT", "-170141183460469231731687303715884105728"), ("UHUGEINT", "340282366920938463463374607431768211455"),
    ("TIME", "24:00:00"), ("TIMETZ", "24:00:00-15:59:59"), ("DATE", "infinity"), ("DATE", "5877642-06-25 (BC)"),
    ("TIMESTAMP", "infinity"), ("TIMESTAMP_S", "290309-12-22 (BC) 00:00:00"), ("TIMESTAMP_MS", "-infinity"),
    ("TIMESTAMP_NS", "2262-04-11 23:47:16.854775806"), ("TIMESTAMPTZ", "294247-01-10 04:00:54.775806+00"),
    ("INTERVAL", "2562047788:00:54.775807"), ("DOUBLE", "nan"), ("UUID", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
    ("BLOB", "\\xFF\\x00"), ("BIT", "0101"), ("BIGNUM", "9" * 400), ("BOOLEAN", "true"), ("JSON", "{}"),
    ("INTEGER[]", "[1]"), ("MAP(INTEGER, INTEGER)", "{1=2}"), ("UNION(a INTEGER, b VARCHAR)", "x"),
    ("STRUCT(a TIMESTAMP_S)", "{'a': infinity}"), ("DECIMAL(38, 38)", "0." + "9" * 38), ("ENUM('a', 'b')", "a"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "cell"), RELATION)
def test_duckdb_relations_and_files(kind, cell, tmp_path):
    """The first row has no cell of the type."""
    with duckdb.connect(tmp_path / "t.duckdb") as connection:
        connection.execute(f"CREATE TABLE t AS SELECT 1 AS i, NULL::{kind} AS x, 1 AS y, 'a' AS g")
        connection.execute("INSERT INTO t SELECT 2, CAST($1 AS VARCHAR), 1, 'a'", [cell])
        relations = [connection.sql(f"SELECT x, y, g FROM t WHERE i <= {last} ORDER BY i") for last in (1, 2)]
        few, all_ = (_open_uses(FrameSource(relation)) for relation in relations)
    assert few == all_
    url = f"duckdb:///{tmp_path / 't.duckdb'}"
    few, all_ = (_open_uses(SqlSource(url, f"SELECT x, y, g FROM t WHERE i <= {last} ORDER BY i")) for last in (1, 2))
    assert few == all_


def _open_uses(source):
    table, uses = ENGINE.scan(source), uses_of(pa.string())
    return [words(table, name, uses[name]) for name in ("sum", "open", "present", "person", "persons", "present")]


def _on_spark(session, kind, ordinary, odd):
    """A representative of each type, with the uses that read cells in different ways."""
    engine, cells = SparkEngine(session), pa.concat_arrays([ordinary, odd])
    uses = uses_of(kind)
    found = []
    for part in (frame_of(ordinary), frame_of(cells)):
        table = engine.scan(FrameSource(part))
        totals = [engine.summarize(table, uses[name]) for name in ("categories", "open", "equal", "person", "present")]
        found.append([None if answer.keys is not None else answer.totals.shape for answer in totals])
    assert found[0] == found[1]


SPARK = [
    case for case in RAW if case.id in {"timestamp[s]", "timestamp[ns]", "timestamp[us, tz=UTC]", "date32[day]", "date64[ms]", "decimal128(38, 0)"}
]  # fmt: skip


@pytest.mark.parametrize(("kind", "odd"), SPARK)
def test_spark_cells(sail, kind, odd):
    _on_spark(sail, kind, bytes_of(kind, 1000, 2000), stored_as(kind, (*odd, 1001)))


def test_spark_texts_and_objects_of_pandas(sail):
    _on_spark(
        sail, pa.string(), pa.array(["1", "a"]), column(pa.string(), ["\0", text_of(pa.string(), b"\xff1"), None])
    )
    engine, frame = (
        SparkEngine(sail),
        pd.DataFrame({"x": pd.Series([5, "5.0", True, Decimal("2.50"), b"x"], dtype=object)}),
    )
    keys = engine.summarize(engine.scan(FrameSource(frame)), uses_of(pa.string())["open"]).keys
    assert set(keys) == {("5",), ("5.0",), ("true",), ("2.5",)}
    truth = engine.scan(FrameSource(pd.DataFrame({"x": [True, None]})))
    assert engine.summarize(truth, uses_of(pa.bool_())["equal"]).totals.tolist() == [[1]]
