"""Lines of a CSV file as SQL: of many columns as of few, in as many expressions for any number of them."""

import pyarrow as pa
import pytest

from sfumato.engine.duckdb import csv_line, write_csv
from sfumato.engine.duckdb.csv_line import line
from sfumato.engine.duckdb.scan import scan
from sfumato.engine.duckdb.table import guarded
from sfumato.errors import SchemaError
from sfumato.table.source import Dialect, FrameSource

CELLS = ["a", None, "b,c", "=1", "-", "'=x", "-5"]


def wide(n, **more):
    """A table of n columns, of which each holds all kinds of cells."""
    return scan(FrameSource(pa.table({f"c{i}": CELLS for i in range(n)}), **more))


@pytest.mark.parametrize("quotes", [False, True])
def test_many_columns_need_no_more_expressions(quotes):
    """DuckDB compares those of a statement with each other: 800 columns of three rows took 26 CPU seconds, marked 87."""
    few, many = (line(wide(n), Dialect(), quotes=quotes).count("CASE") for n in (40, 80))
    assert few == many == 1 + quotes


@pytest.mark.parametrize("missing_in", [{}, {"c1": ("=1",), "c2": ("-", "'=x")}], ids=["alike", "by column"])
@pytest.mark.parametrize("missing", [(), ("-",)])
def test_codes_for_missing_stay_in_a_list_of_cells_too(tmp_path, monkeypatch, missing, missing_in):
    table, found = wide(4, missing=missing, missing_in=missing_in), []
    for together in (1, 4):
        monkeypatch.setattr(csv_line, "TOGETHER", together)
        write_csv.write_csv(table, tmp_path / "out.csv", compression="", quotes=True)
        found.append((tmp_path / "out.csv").read_text())
    assert found[0] == found[1]
    rows = found[0].splitlines()
    assert rows[4] == ("'=1,=1,'=1,'=1" if missing_in else "'=1,'=1,'=1,'=1")
    assert rows[5] == ("-,-,-,-" if missing else "'-,'-,-,'-" if missing_in else "'-,'-,'-,'-")


@pytest.mark.parametrize("together", [1, 4])
def test_where_nothing_is_quoted_the_column_that_would_need_it_is_named(monkeypatch, together):
    monkeypatch.setattr(csv_line, "TOGETHER", together)
    table = scan(FrameSource(pa.table({"one": ["a"], "two": ["b,c"], "three": ["d"]})))
    with pytest.raises(SchemaError, match="Cells of 'two' must not hold the separator"), guarded():
        table.connection.sql(f"SELECT {line(table, Dialect(quote=''), quotes=True)} FROM {table.name}").fetchall()
