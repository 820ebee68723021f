"""Types of cells on a cluster."""

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
        pa.array([1], pa.timestamp("ns")),
        pa.array([[1]]),
        pa.array([10**45], pa.decimal256(50, 0)),
        pa.array([{"x": 1}]),
    ],
)
def test_cells_that_would_change_are_refused(column):
    with pytest.raises(SourceError, match="'odd'"):
        fitted(column, "odd")
