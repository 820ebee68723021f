"""Types of cells on a cluster."""

import datetime as dt

import pyarrow as pa
import pytest

from sfumato.engine.spark.types import fitted, native_name, plain_cell, refuse_nested
from sfumato.errors import SourceError


def test_nested_types_are_refused_by_the_names_of_their_columns():
    kinds = ["string", "array<int>", "map<string,int>", "struct<x:int>", "variant", "interval day", "decimal(5,2)"]
    with pytest.raises(SourceError, match=r"\['b', 'c', 'd', 'e', 'f'\]"):
        refuse_nested(list("abcdefg"), kinds)
    refuse_nested(["a", "b"], ["string", "timestamp_ntz"])


@pytest.mark.parametrize("kind", ["string collate UTF8_LCASE", "varchar(5)", "char(5)", "void"])
def test_texts_are_compared_sign_by_sign(kind):
    """A collation would merge `a` and `A`."""
    assert plain_cell("`a`", kind) == "CAST(`a` AS STRING)"


@pytest.mark.parametrize(
    ("column", "name"),
    [
        (pa.array([1], pa.uint32()), "bigint"),
        (pa.array([1.0], pa.float16()), "float"),
        (pa.array(["x"], pa.large_string()), "string"),
        (pa.array([b"x"], pa.binary(1)), "binary"),
        (pa.array(["1.5"]).cast(pa.decimal256(50, 1)), "decimal(38,1)"),
        (pa.array([1], pa.timestamp("s", "Europe/Paris")), "timestamp"),
        (pa.array([1_000], pa.timestamp("ns")), "timestamp_ntz"),
    ],
)
def test_arrow_columns_get_a_type_that_holds_their_cells(column, name):
    found = fitted(column, "a")
    assert native_name(found.type) == name
    assert found.cast(column.type).equals(column)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([[1]]),
        pa.array([{"x": 1}]),
    ],
)
def test_types_that_spark_lacks_are_refused(column):
    with pytest.raises(SourceError, match="'odd'"):
        fitted(column, "odd")


@pytest.mark.parametrize(
    ("column", "last"),
    [
        (pa.array([1_000, 1_001], pa.timestamp("ns")), dt.datetime(1970, 1, 1, 0, 0, 0, 1)),  # noqa: DTZ001
        (pa.array([86_400_000, 86_400_001], pa.int64()).view(pa.date64()), dt.date(1970, 1, 2)),
        (pa.array([1, 10**45], pa.decimal256(50, 0)), None),
        (pa.array([1, -(10**45)], pa.decimal256(50, 0)), None),
        (pa.array([1, 2**64 - 1], pa.uint64()), 2**64 - 1),
    ],
)
def test_a_cell_that_spark_cannot_hold_is_cut_or_missing_and_no_error(column, last):
    """The first cell says what it says alone."""
    assert fitted(column, "a").to_pylist() == [*fitted(column[:1], "a").to_pylist(), last]
