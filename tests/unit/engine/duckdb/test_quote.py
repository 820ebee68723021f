"""Names and texts in SQL."""

import duckdb
from hypothesis import given
from hypothesis import strategies as st

from sfumato.engine.duckdb.quote import identifier, literal, path_literal

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=10)


@given(TEXTS)
def test_a_literal_is_its_text(text):
    """DuckDB reads back what was written."""
    assert duckdb.sql(f"SELECT {literal(text)}").fetchall() == [(text,)]


@given(TEXTS)
def test_an_identifier_is_its_name(name):
    """DuckDB names the column as it was named."""
    assert duckdb.sql(f"SELECT 1 AS {identifier(name)}").columns == [name]


def test_a_path_names_one_file_only(tmp_path):
    """Signs that match several files elsewhere are plain here."""
    for name in ("a*.csv", "ab.csv", "a[b].csv", "a?.csv", "it's.csv"):
        (tmp_path / name).write_text(f"x\n{name}\n")
    for name in ("a*.csv", "a[b].csv", "a?.csv", "it's.csv"):
        found = duckdb.sql(f"FROM read_csv({path_literal(tmp_path / name)}, header = true)").fetchall()
        assert found == [(name,)]
