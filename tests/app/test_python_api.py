"""The Python front door: the same plan, tables in memory, the same kind out."""

import os
import sqlite3
import subprocess
import sys

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato
from sfumato.errors import PlanError, SchemaError

PEOPLE = {
    "zip": ["01000", "01001", "01002", "75001", "75002", "75003"],
    "age": [22, 21, 20, 27, 26, 28],
    "illness": ["flu", "gout", "flu", "flu", "gout", "asthma"],
    "note": ["a", "b", "c", "d", "e", "f"],
}


def plan(folder, **output):
    """Postcodes masked, ages in fives, k = 3."""
    document = {
        "sfumato": 1,
        "columns": {
            "zip": {"role": "quasi-identifying", "hierarchy": {"mask": "right"}},
            "age": {"role": "quasi-identifying", "kind": "integer", "hierarchy": {"width": 5, "then": [10]}},
            "illness": {"role": "sensitive"},
            "note": {"role": "insensitive"},
        },
        "promise": [{"model": "k-anonymity", "k": 3}],
        "method": {"name": "full-domain"},
        "output": output,
    }
    return sfumato.plan_from(document, folder=folder)


def test_pandas_in_pandas_out_with_order_and_other_columns_kept(tmp_path):
    """The index of the caller does not matter; columns keep their order; nothing is added."""
    frame = pd.DataFrame(PEOPLE, index=[f"row{i}" for i in range(6)]).iloc[::-1]
    released = sfumato.run(plan(tmp_path), frame).frame
    assert isinstance(released, pd.DataFrame)
    assert ["zip", "age", "illness", "note"] == list(released.columns)
    assert ["f", "e", "d", "c", "b", "a"] == released["note"].tolist()
    assert {"0100*", "7500*"} == set(released["zip"])


def test_polars_in_polars_out(tmp_path):
    """A Polars frame comes back as one."""
    assert isinstance(sfumato.run(plan(tmp_path), pl.DataFrame(PEOPLE)).frame, pl.DataFrame)


def test_arrow_in_arrow_out(tmp_path):
    """An Arrow table comes back as one."""
    released = sfumato.run(plan(tmp_path), pa.table(PEOPLE)).frame
    assert isinstance(released, pa.Table)
    assert 6 == released.num_rows


def test_duckdb_relation_in_duckdb_relation_out(tmp_path):
    """A relation of the caller's connection comes back as a relation."""
    connection = duckdb.connect()
    connection.register("people", pa.table(PEOPLE))
    released = sfumato.run(plan(tmp_path), connection.sql("SELECT * FROM people")).frame
    assert isinstance(released, duckdb.DuckDBPyRelation)
    assert 6 == len(released.fetchnumpy()["zip"])


def test_parquet_in_parquet_out(tmp_path):
    """Columns that are not recoded keep their type."""
    pq.write_table(pa.table(PEOPLE), tmp_path / "people.parquet")
    document = dict(plan(tmp_path, path="release.parquet").document) | {"source": {"path": "people.parquet"}}
    release = sfumato.run(sfumato.plan_from(document, folder=tmp_path))
    written = pq.read_table(release.path)
    assert pa.types.is_string(written.schema.field("note").type) or pa.types.is_large_string(
        written.schema.field("note").type
    )
    assert 6 == written.num_rows


def test_excel_in_excel_out(tmp_path):
    """A workbook is read, recoded, and written as one; leading zeros stay."""
    pd.DataFrame(PEOPLE).to_excel(tmp_path / "people.xlsx", index=False)
    document = dict(plan(tmp_path, path="release.xlsx").document) | {"source": {"path": "people.xlsx"}}
    release = sfumato.run(sfumato.plan_from(document, folder=tmp_path))
    assert "0100*" == pd.read_excel(release.path, dtype=str, engine="openpyxl")["zip"][0]


def test_sqlite_table_in_sqlite_table_out(tmp_path):
    """A table of a real SQLite file is published into another table."""
    with sqlite3.connect(tmp_path / "people.db") as base:
        pd.DataFrame(PEOPLE).to_sql("people", base, index=False)
    url = f"sqlite:///{tmp_path / 'people.db'}"
    document = dict(plan(tmp_path, url=url, table="released").document) | {"source": {"url": url, "query": "people"}}
    sfumato.run(sfumato.plan_from(document, folder=tmp_path))
    with sqlite3.connect(tmp_path / "people.db") as base:
        rows = base.execute("SELECT zip, count(*) FROM released GROUP BY zip ORDER BY zip").fetchall()
    base.close()
    assert [("0100*", 3), ("7500*", 3)] == rows


def test_a_column_nobody_declared_blocks_the_release(tmp_path):
    """The message names it."""
    with pytest.raises(SchemaError, match="phone"):
        sfumato.run(plan(tmp_path), pd.DataFrame(PEOPLE | {"phone": ["1"] * 6}))


def test_risk_of_a_frame():
    """Risk needs the quasi-identifiers only."""
    measured = sfumato.assess_risk(pd.DataFrame(PEOPLE), quasi_identifiers=["zip", "age"], sensitive=["illness"])
    assert 6 == measured.classes


def test_risk_without_quasi_identifiers_is_refused():
    """Nothing is assumed."""
    with pytest.raises(PlanError, match="what others know"):
        sfumato.assess_risk(pd.DataFrame(PEOPLE))


def test_the_report_of_a_release_is_one_page(tmp_path):
    """`render_html` gives the offline page."""
    release = sfumato.run(plan(tmp_path), pd.DataFrame(PEOPLE))
    assert sfumato.render_html(release.result).startswith("<!DOCTYPE html>")


def test_the_published_subset_of_a_population(tmp_path):
    """With δ-presence the table is the population; only marked rows are published."""
    document = dict(plan(tmp_path).document)
    document["columns"] = dict(document["columns"]) | {"in_sample": {"role": "identifying"}}
    document["population"] = {"subset": "in_sample"}
    document["promise"] = [{"model": "k-map", "kind": "known", "k": 3}]
    table = pd.DataFrame(PEOPLE | {"in_sample": [1, 0, 0, 1, 1, 0]})
    release = sfumato.run(sfumato.plan_from(document, folder=tmp_path), table)
    assert ["a", "d", "e"] == release.frame["note"].tolist()
    assert release.result.to_dict()["promise"][0]["measured"] >= 3


def test_personal_k_is_read_from_its_column(tmp_path):
    """A person who asks for 6 makes everybody stand in a class of 6."""
    document = dict(plan(tmp_path).document)
    document["columns"] = dict(document["columns"]) | {"wish": {"role": "identifying"}}
    document["promise"] = [{"model": "personal-k", "column": "wish"}]
    table = pd.DataFrame(PEOPLE | {"wish": [2, 2, 6, 2, 2, 2]})
    release = sfumato.run(sfumato.plan_from(document, folder=tmp_path), table)
    assert 6 == release.result.to_dict()["done"]["classes"]["min"]


def test_importing_the_package_imports_no_engine():
    """`import sfumato` loads neither numpy nor a dataframe library."""
    code = "import sys, sfumato; sys.exit(any(m in sys.modules for m in ('numpy', 'duckdb', 'pandas', 'polars', 'pyarrow')))"
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False, env=os.environ).returncode


def test_public_names_are_complete_and_sorted():
    """`__all__` is what can be imported."""
    assert sorted(sfumato.__all__) == list(sfumato.__all__)
    assert all(hasattr(sfumato, name) for name in sfumato.__all__)
