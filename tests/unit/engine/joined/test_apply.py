"""What recipes make of single columns and awkward tables on a cluster; whole rows are the contract suite's."""

import hashlib
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.spark.engine import SparkEngine
from sfumato.errors import EngineError, InternalError, ParameterError, SchemaError
from sfumato.noise.bits import SystemBits
from sfumato.recipe.recipe import Recipe, RowOrder, Suppressed
from sfumato.recipe.steps import (
    Assign,
    Bucket,
    Deal,
    Drop,
    Randomize,
    Recode,
    Replace,
    Rewrite,
    Round,
    Splits,
    Suppress,
    TopBottom,
)
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Kind, Role
from sfumato.table.source import FileSource, FrameSink, FrameSource
from sfumato.testing.seeded_bits import SeededBits
from sfumato.testing.tables import Backwards, NextLeaf

NUMBERS = pa.table(
    {
        "whole": pa.array([7, -15, None, 2_000_000_000], pa.int32()),
        "small": pa.array([12, -128, None, 127], pa.int8()),
        "real": pa.array([7.25, -0.05, None, 1e20], pa.float64()),
        "single": pa.array([7.25, -0.1, None, 1e10], pa.float32()),
        "exact": pa.array([Decimal("7.250"), Decimal("-0.005"), None, Decimal("9999.995")], pa.decimal128(10, 3)),
        "text": pa.array([" 7,25", "-1", "?", "1e3"]),
    }
)


def released(engine, source, recipe, bits=None):
    table = engine.scan(FrameSource(source, missing=("?",)) if isinstance(source, pa.Table) else source)
    made = engine.apply(table, recipe, bits=bits or SystemBits())
    return engine.write(made, FrameSink("arrow")).frame


@pytest.fixture(scope="module")
def engine(sail):
    return SparkEngine(sail)


def quasi(name, values, kind=Kind.TEXT):
    return bind(Column(name, Role.QUASI_IDENTIFYING, kind), values)


def suppressing(attribute, code, level=0):
    return Suppress((attribute,), (level,), np.array([[code]]))


@pytest.mark.parametrize("base", [5.0, 0.5, 1000.0])
def test_rounding_is_that_of_the_embedded_engine(engine, base):
    recipe = Recipe(tuple(Round(name, base) for name in NUMBERS.column_names))
    assert released(engine, NUMBERS, recipe).equals(released(DuckDBEngine(), NUMBERS, recipe))


def test_capping_is_that_of_the_embedded_engine(engine):
    recipe = Recipe(tuple(TopBottom(name, 0, "< 0", 1000, "> 1000") for name in NUMBERS.column_names))
    found = released(engine, NUMBERS, recipe)
    assert found.equals(released(DuckDBEngine(), NUMBERS, recipe))
    assert found["real"].to_pylist() == ["7.25", "< 0", None, "> 1000"]


def test_odd_names_and_untouched_columns_stay_as_they_are(engine):
    frame = pa.table({"a.b `c`": ["x", "y"], "é 'q\"": [0.5, 1.5], "__x": [1, 2], "s": ["flu", None]})
    out = released(engine, frame, Recipe((Recode(quasi("a.b `c`", ["x", "y"]), 1), Rewrite("s", Backwards()))))
    assert out.column_names == frame.column_names
    assert out.to_pydict() == {"a.b `c`": ["*", "*"], "é 'q\"": [0.5, 1.5], "__x": [1, 2], "s": ["ulf", None]}


def test_stars_beside_numbers_and_times_are_written_as_the_embedded_engine_writes_them(engine):
    frame = pa.table(
        {
            "a": ["x", "y"],
            "real": [1e20, 0.5],
            "exact": pa.array([Decimal("0.0000001"), Decimal("1.0000000")], pa.decimal128(12, 7)),
            "when": pa.array([1_580_457_600_000_000, 1_580_457_600_000_005], pa.timestamp("us")),
        }
    )
    texts = {"real": ["1e+20", "0.5"], "exact": ["0.0000001", "1.0000000"]}
    texts["when"] = ["2020-01-31 08:00:00", "2020-01-31 08:00:00.000005"]
    attributes = (quasi("a", ["x", "y"]), *(quasi(name, values) for name, values in texts.items()))
    suppress = Suppress(attributes, (0,) * 4, np.array([[a.hierarchy.labels[0].index(t) for a, t in zip(
        attributes, ("x", *(values[0] for values in texts.values())), strict=True)]]))  # fmt: skip
    member, codes = np.array([-1, 0]), np.array(
        [[a.hierarchy.labels[0].index(v) for a, v in zip(attributes, row, strict=True)]
         for row in zip(["x", "y"], *texts.values(), strict=True)]
    )  # fmt: skip
    assign = Assign(attributes, codes, member, tuple((value,) for value in ("y", *(v[1] for v in texts.values()))))
    for step in (suppress, assign):
        out = released(engine, frame, Recipe((), step))
        assert out.equals(released(DuckDBEngine(), frame, Recipe((), step)))
        assert out.to_pylist() == [
            dict.fromkeys(frame.column_names, "*"),
            {"a": "y", **{n: v[1] for n, v in texts.items()}},
        ]


def test_a_rounded_column_that_is_suppressed_becomes_text(engine):
    frame = pa.table({"a": pa.array([1, 13], pa.int64())})
    recipe = Recipe((Round("a", 5),), suppressing(quasi("a", ["1", "13"], Kind.INTEGER), 0))
    assert released(engine, frame, recipe)["a"].to_pylist() == ["*", "15"]


def test_a_suppressed_number_is_a_typed_null_apart_from_a_missing_one(engine):
    frame = pa.table({"age": pa.array([0, None, 34], pa.int32())})
    age = quasi("age", ["0", "34", None], Kind.INTEGER)
    out = released(engine, frame, Recipe((), suppressing(age, 1), Suppressed.NULL))
    assert out.schema.field("age").type == pa.int32()
    assert out.to_pydict() == {"age": [0, None, None], "suppressed": [False, False, True]}


def test_a_missing_code_that_stays_missing_is_published_as_it_was_written(engine):
    tree = Hierarchy.from_paths("age", [(" 9", "low", "*"), ("10", "high", "*")]).with_missing()
    age = Attribute(Column("age", Role.QUASI_IDENTIFYING), tree, None)
    frame = pa.table({"age": [" 9", "?", None, "10"]})
    assert released(engine, frame, Recipe((Recode(age, 1),)))["age"].to_pylist() == ["low", "?", None, "high"]
    drawn = Recipe((Randomize(age, NextLeaf((" 9", "10"))),))
    assert released(engine, frame, drawn)["age"].to_pylist() == ["10", "?", None, " 9"]


def test_numbers_that_are_not_numbers_are_one_value(engine):
    frame = pa.table({"x": pa.array([float("nan"), float("nan"), 0.5])})
    x = Attribute(
        Column("x", Role.QUASI_IDENTIFYING), Hierarchy.from_paths("x", [("nan", "n", "*"), ("0.5", "r", "*")]), None
    )
    assert released(engine, frame, Recipe((Recode(x, 1),)))["x"].to_pylist() == ["n", "n", "r"]


def test_no_rows_at_all(engine):
    frame = pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.int64())})
    recipe = Recipe((Recode(quasi("a", ["x"]), 1), Round("b", 5)), suppressed=Suppressed.NULL, keep=Fraction(1, 2))
    assert released(engine, frame, recipe).to_pydict() == {"a": [], "b": [], "suppressed": []}


def test_classes_of_no_attribute(engine):
    step = Assign((), np.empty((1, 0), np.int64), np.array([-1]), ())
    assert released(engine, pa.table({"b": [1, 2]}), Recipe((), step, Suppressed.DROP)).num_rows == 0


def test_a_value_without_a_leaf_is_refused_without_being_shown(engine):
    frame = pa.table({"a": ["x", "secret"]})
    for recipe in (Recipe((Recode(quasi("a", ["x"]), 0),)), Recipe((Randomize(quasi("a", ["x"]), NextLeaf(("x",))),))):
        with pytest.raises(SchemaError, match="some") as refused:
            released(engine, frame, recipe)
        assert "secret" not in str(refused.value)
        assert refused.value.__cause__ is None
    with pytest.raises(SchemaError, match="must be a number") as refused:
        released(engine, frame, Recipe((Round("a", 5),)))
    assert "secret" not in str(refused.value)


def test_rows_that_come_after_the_recipe_are_refused_when_they_are_read(engine, tmp_path):
    a = quasi("a", ["x", "y"])
    pq.write_table(pa.table({"a": ["x", "x"]}), tmp_path / "a.parquet")
    table = engine.scan(FileSource(tmp_path / "a.parquet"))
    classes = Assign((a,), np.array([[0]]), np.array([0]), (("{x, y}",),))
    made = [engine.apply(table, recipe, bits=SystemBits()) for recipe in (Recipe((Recode(a, 1),)), Recipe((), classes))]
    pq.write_table(pa.table({"a": ["x", "z"]}), tmp_path / "a.parquet")
    for release in made:
        with pytest.raises(SchemaError, match="some rows are new"):
            engine.write(release, FrameSink("arrow"))


def test_more_rows_than_were_dealt_are_refused(engine):
    """Two rows of x, one text for it."""
    a, frame = quasi("a", ["x", "y"]), pa.table({"a": ["x", "y", "x"]})
    one_each = Splits(np.array([0, 1]), np.array([1, 1]), np.array([1, 0]))
    codes, labels = np.array([[0], [1]]), ("x", "y")
    steps = (
        Recipe((Deal(a, one_each, labels),)),
        Recipe((), Bucket("b", (a,), codes, one_each)),
        Recipe((), Assign((a,), codes, np.array([0, 1]), (labels,), one_each)),
    )
    for recipe in steps:
        with pytest.raises(SchemaError, match="some rows are new"):
            released(engine, frame, recipe)
        assert released(engine, frame.slice(0, 2), recipe).num_rows == 2


def test_a_suppressed_value_that_comes_later_is_not_published(engine, tmp_path):
    """The column keeps its values, so only the mark of suppression can notice the new one."""
    a = quasi("a", ["x", "y"])
    pq.write_table(pa.table({"a": ["x", "y"]}), tmp_path / "a.parquet")
    table = engine.scan(FileSource(tmp_path / "a.parquet"))
    made = engine.apply(table, Recipe((Recode(a, 0),), suppressing(a, 0)), bits=SystemBits())
    pq.write_table(pa.table({"a": ["x", "z"]}), tmp_path / "a.parquet")
    with pytest.raises(SchemaError, match="some rows are new"):
        engine.write(made, FrameSink("arrow"))


def test_tuples_that_the_recipe_does_not_know_are_refused(engine):
    step = Assign((quasi("a", ["x", "y"]),), np.array([[0]]), np.array([0]), (("{x}",),))
    with pytest.raises(SchemaError, match="some rows are new"):
        released(engine, pa.table({"a": ["x", "y"]}), Recipe((), step))


def test_what_a_recipe_may_not_ask(engine):
    frame = pa.table({"a": ["x"], "Suppressed": ["y"], "mark": ["maybe"]})
    with pytest.raises(SchemaError, match="needs a column 'suppressed' of its own"):
        released(engine, frame, Recipe((), None, Suppressed.NULL))
    with pytest.raises(SchemaError, match="Column 'b' must be in the table"):
        released(engine, frame, Recipe((Drop("b"),)))
    with pytest.raises(InternalError, match="two steps"):
        released(engine, frame, Recipe((Drop("a"), Replace("a", "z"))))
    with pytest.raises(SchemaError, match="must be true or false"):
        released(engine, frame, Recipe(subset="mark"))


def test_chance_cannot_be_replayed_by_a_cluster(engine):
    for recipe in (Recipe(keep=Fraction(1, 2)), Recipe((Randomize(quasi("a", ["x"]), NextLeaf(("x",))),))):
        with pytest.raises(ParameterError, match="cannot repeat it"):
            released(engine, pa.table({"a": ["x"]}), recipe, SeededBits(1))


def test_a_shuffle_is_the_order_of_hashes_under_a_key(engine):
    """The slow twin: SHA-256 of the key and the position, in Python."""
    frame = pa.table({"a": [f"row {i}" for i in range(40)]})
    table = engine.scan(FrameSource(frame))
    places = dict(zip(*(table.frame.toArrow()[name].to_pylist() for name in ("a", "__row")), strict=True))
    key = SeededBits(3).words(4).tobytes().hex()
    hashed = sorted(places, key=lambda text: hashlib.sha256(f"{key}{places[text]}".encode()).hexdigest())
    shuffled = Recipe(row_order=RowOrder.SHUFFLED)
    assert released(engine, frame, shuffled, SeededBits(3))["a"].to_pylist() == hashed
    assert released(engine, frame, shuffled, SeededBits(4))["a"].to_pylist() != hashed
    assert hashed != list(places)


@pytest.mark.slow
def test_a_release_on_spark_itself(spark):
    """Chance is stored where it was drawn and never drawn again; the plan of a shuffle does not show its key."""
    engine = SparkEngine(spark)
    stored_before = set(spark.sparkContext._jsc.getPersistentRDDs().keySet())
    frame = pa.table({"a": [f"{i % 3}" for i in range(300)], "x": [float(i) for i in range(300)]})
    a = quasi("a", ["0", "1", "2"])
    recipe = Recipe((Recode(a, 1), Round("x", 5)), keep=Fraction(1, 2))
    made = engine.apply(engine.scan(FrameSource(frame)), recipe, bits=SystemBits())
    first, second = (engine.write(made, FrameSink("arrow")).frame for _ in range(2))
    assert first.equals(second)
    assert made.in_order
    assert first["x"].to_pylist() == sorted(first["x"].to_pylist())
    assert 90 < len(first) < 210  # 7 standard deviations: false alarm 3e-12
    stored = spark.sparkContext._jsc.getPersistentRDDs()
    for key in set(stored.keySet()) - stored_before:
        stored.get(key).unpersist(True)  # as when the machines that hold it are lost
    with pytest.raises(EngineError, match="a machine that held a part of it was lost"):
        engine.write(made, FrameSink("arrow"))
    bits = SeededBits(7)
    hidden = engine.apply(engine.scan(FrameSource(frame)), Recipe(row_order=RowOrder.SHUFFLED), bits=bits)
    plan = hidden.frame._jdf.queryExecution().toString()
    assert SeededBits(7).words(4).tobytes().hex() not in plan
    assert "sha2" in plan
