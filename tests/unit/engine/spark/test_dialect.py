"""Distinct tuples on a cluster: the same as the embedded engine finds, and the same refusals."""

from collections import Counter, defaultdict
from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.spark.engine import SparkEngine
from sfumato.engine.spark.query import fetch
from sfumato.engine.sql.tuples import Distinct
from sfumato.errors import SchemaError
from sfumato.summary.ask import MarginalOf, TupleEstimate, Tuples
from sfumato.summary.histogram import Repeats
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Role
from sfumato.table.source import FrameSource

DUCK = DuckDBEngine(threads=1)
N = 300


@pytest.fixture(scope="module")
def engine(sail):
    return SparkEngine(sail)


def people(n=N):
    """Rows of persons with several rows, floats, and codes that mean missing in numbers, days and texts."""
    rng = np.random.default_rng(3)
    return pa.table(
        {
            "age": pa.array(rng.choice([7, 40, 99], n), mask=rng.random(n) < 0.1),
            "weight": rng.choice([-0.0, 0.0, 1.5, np.nan, -1.0], n),
            "born": rng.choice([date(1900, 1, 1), date(1960, 2, 29)], n),
            "zip": rng.choice(["01000", "1000", "?", ""], n),
            "illness": rng.choice(["flu", "gout", "?"], n),
            "ward": rng.choice([1, 2, 3], n),
            "person": rng.choice([f"p{i}" for i in range(n // 3)], n),
            "wish": pa.array(rng.choice(["2", "5.0", "?"], n)),
            "mark": rng.choice(["TRUE", "0"], n),
        }
    )


def source(frame):
    codes = {"age": ("99",), "weight": ("-1.0",), "born": ("1900-01-01",)}
    return FrameSource(frame, missing=("?",), missing_in=codes)


def attributes(frame, names, role=Role.QUASI_IDENTIFYING):
    """Bound to the values that the embedded engine finds."""
    table = DUCK.scan(source(frame))
    return tuple(bind(Column(name, role), list(DUCK.summarize(table, MarginalOf(name)).values)) for name in names)


def same(found, expected):
    """Equal counts; persons may be numbered otherwise, and be counted in another of their tuples of the population."""
    for name in ("codes", "rows", "alone", "population", "personal_k"):
        left, right = getattr(found, name), getattr(expected, name)
        assert (left is None) == (right is None), name
        free = name == "population" and expected.spread is not None
        assert left is None or free or np.array_equal(left, right), name
    assert owners(found.spread) == owners(expected.spread)
    for left, right in zip(found.histograms, expected.histograms, strict=True):
        for name in ("owner", "value", "count", "total"):
            assert np.array_equal(getattr(left, name), getattr(right, name)), name
        assert owners(left.repeats) == owners(right.repeats)


def owners(pairs):
    """How many persons (with each value) have each set of classes."""
    if pairs is None:
        return None
    values = pairs.value.tolist() if isinstance(pairs, Repeats) else [None] * len(pairs.owner)
    of = defaultdict(set)
    for person, value, owner in zip(pairs.person.tolist(), values, pairs.owner.tolist(), strict=True):
        of[person, value].add(owner)
    return Counter((value, frozenset(classes)) for (_, value), classes in of.items())


@pytest.mark.parametrize("person", [None, "person"])
@pytest.mark.parametrize("subset", [None, "mark"])
def test_counts_are_those_of_the_embedded_engine(engine, person, subset):
    frame = people()
    ask = Tuples(
        attributes(frame, ["age", "born", "zip"]),
        attributes(frame, ["illness", "ward"], Role.SENSITIVE),
        person=person,
        personal_k="wish",
        subset=subset,
    )
    found, expected = (e.summarize(e.scan(source(frame)), ask) for e in (engine, DUCK))
    same(found, expected)


def test_minus_zero_counts_as_zero(engine):
    """The embedded engine tells them apart; what is published here does not."""
    frame = people()
    (weight,) = attributes(frame, ["weight"])
    found = engine.summarize(engine.scan(source(frame)), Tuples((weight,)))
    texts = [weight.hierarchy.labels[0][code] for code in found.codes[:, 0]]
    column = frame["weight"].to_numpy()
    expected = {"0.0": (column == 0).sum(), "1.5": (column == 1.5).sum(), "nan": np.isnan(column).sum()}
    expected[None] = (column == -1).sum()
    assert dict(zip(texts, found.rows.tolist(), strict=True)) == expected


def test_no_quasi_identifier_makes_one_class(engine):
    frame = people(30)
    for rows in (frame, frame.slice(0, 0)):
        found = engine.summarize(engine.scan(source(rows)), Tuples((), attributes(frame, ["ward"]), person="person"))
        assert found.rows.tolist() == ([30] if len(rows) else [])


def refusals():
    """A change of the table, what is asked besides the age, and a word of the message."""
    return [
        (lambda t: t.set_column(0, "age", pa.array([8] * len(t))), {}, "some"),
        (lambda t: t.set_column(0, "year", t["age"]), {}, "'age'"),
        (lambda t: t.set_column(6, "person", pa.array(["?"] + ["p"] * (len(t) - 1))), {"person": "person"}, "'person'"),
        (lambda t: t, {"person": "nobody"}, "'nobody'"),
        (lambda t: t.set_column(7, "wish", pa.array(["2.5"] * len(t))), {"personal_k": "wish"}, "'wish'"),
        (lambda t: t.set_column(7, "wish", pa.array([-1] * len(t))), {"personal_k": "wish"}, "'wish'"),
        (lambda t: t.set_column(8, "mark", pa.array(["?"] * len(t))), {"subset": "mark"}, "'mark'"),
        (lambda t: t.set_column(8, "mark", pa.array([None, *[1] * (len(t) - 1)])), {"subset": "mark"}, "'mark'"),
        (lambda t: t.set_column(8, "mark", pa.array([1.0] * len(t))), {"subset": "mark"}, "'mark'"),
    ]


@pytest.mark.parametrize("case", refusals())
def test_both_engines_refuse_the_same(engine, case):
    change, more, word = case
    frame = people(30)
    ask = Tuples(attributes(frame, ["age"]), **more)
    messages = []
    for each in (engine, DUCK):
        table = each.scan(source(change(frame)))
        with pytest.raises(SchemaError, match=word) as caught:
            each.summarize(table, ask)
        messages.append((caught.value.problem, caught.value.remedy))
    if "must be a leaf" not in messages[1][0]:
        assert messages[0] == messages[1]


def test_marks_of_every_type(engine):
    """Numbers, truth values and texts mean the same."""
    frame = people(30)
    truth = np.arange(30) % 3 == 0
    forms = [truth, truth.astype(np.int64), truth.astype(str), pa.array(truth.astype(int).astype(str))]
    for form in forms:
        changed = frame.set_column(8, "mark", pa.array(form))
        ask = Tuples(attributes(frame, ["age"]), attributes(frame, ["ward", "illness"]), subset="mark", person="person")
        same(engine.summarize(engine.scan(source(changed)), ask), DUCK.summarize(DUCK.scan(source(changed)), ask))


def test_a_tuple_is_located_among_the_known_ones():
    codes = np.array([[0, 5], [1, 2], [7, 7]])
    zeros = np.zeros(3, np.int64)
    assert Distinct(codes, zeros, zeros, zeros).locate(np.array([[7, 7], [0, 5], [7, 7]])).tolist() == [2, 0, 2]


@pytest.mark.parametrize("count", [10, 5_000, 100_000])
@pytest.mark.parametrize("kind", ["numbers", "texts", "nulls"])
def test_estimates_are_within_a_few_percent(engine, count, kind):
    """Six deviations of 1/√(buckets that are not empty); nulls in changing columns are not confused."""
    i = np.arange(count)
    a, b = pa.array(i // 7), pa.array(i % 7)
    if kind == "texts":
        a = a.cast(pa.string())
    if kind == "nulls":
        a, b = pa.array(i // 2, mask=i % 2 == 0), pa.array(i // 2, mask=i % 2 == 1)
    frame = FrameSource(pa.table({"a": a, "b": b}))
    buckets = 2**14 * (1 - np.exp(-count / 2**14))
    for each in (engine, DUCK):
        estimate = each.summarize(each.scan(frame), TupleEstimate(("a", "b")))
        assert abs(estimate - count) <= 6 * count / np.sqrt(buckets)
    assert engine.summarize(engine.scan(frame), TupleEstimate(())) == 1


@pytest.mark.slow
def test_the_same_on_spark(spark):
    """All of it at once on a classic session: persons, wishes, marks, histograms, an estimate."""
    frame, engine = people(), SparkEngine(spark)
    sensitive = attributes(frame, ["illness"], Role.SENSITIVE)
    ask = Tuples(attributes(frame, ["age", "born", "zip"]), sensitive, "person", "wish", "mark")
    table = engine.scan(source(frame))
    same(engine.summarize(table, ask), DUCK.summarize(DUCK.scan(source(frame)), ask))
    i = np.arange(5_000)
    nulls = pa.table({"a": pa.array(i // 2, mask=i % 2 == 0), "b": pa.array(i // 2, mask=i % 2 == 1)})
    assert abs(engine.summarize(engine.scan(FrameSource(nulls)), TupleEstimate(("a", "b"))) - 5_000) < 500


@pytest.mark.slow
def test_hashes_without_the_mark_of_nulls_confuse_columns(spark):
    """The broken twin: Spark's `xxhash64` skips nulls, so half of the tuples would be lost."""
    i = np.arange(5_000)
    frame = pa.table({"a": pa.array(i // 2, mask=i % 2 == 0), "b": pa.array(i // 2, mask=i % 2 == 1)})
    table = SparkEngine(spark).scan(FrameSource(frame))
    found = fetch(table.frame, lambda view: f"SELECT count(DISTINCT xxhash64(a, b)) AS n FROM {view}")
    assert found["n"].to_pylist() == [2_500]
