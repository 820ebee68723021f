"""How columns are read: two-digit years, bounds of dates, coded ends, order of columns, names that are missing."""

import json
from datetime import date

import numpy as np
import pandas as pd
import pytest

import sfumato
from sfumato.errors import PlanError
from sfumato.release.draft import draft
from sfumato.release.draft_writer import plan_text
from sfumato.table.number import positions
from sfumato.table.schema import Column, Kind, Role


def plan(columns, *, method="local-recoding", **more):
    document = {
        "sfumato": 1, "columns": columns, "promise": [{"model": "k-anonymity", "k": 3}], "method": {"name": method},
        "measure": {"queries": 0, "guesses": 0},
    }  # fmt: skip
    return document | more


def planned(*arguments, **more):
    return sfumato.plan_from(plan(*arguments, **more), folder=".")


def days(text, pivot):
    column = Column("born", Role.QUASI_IDENTIFYING, Kind.DATE, format="%d/%m/%y", pivot=pivot)
    return date.fromordinal(int(positions(column, [text])[0]) + date(1970, 1, 1).toordinal())


@pytest.mark.parametrize(
    ("text", "pivot", "year"),
    [("01/02/42", 2026, 1942), ("01/02/26", 2026, 2026), ("01/02/27", 2026, 1927), ("01/02/99", 2026, 1999), ("01/02/42", None, 2042),
     ("01/02/42", 1999, 1942), ("01/02/05", 1999, 1905)],
)  # fmt: skip
def test_two_digit_years_lie_in_the_century_that_ends_with_the_pivot(text, pivot, year):
    assert days(text, pivot) == date(year, 2, 1)


def test_a_draft_reads_no_birth_in_the_future_and_says_how_many_it_moved():
    from sfumato.engine.duckdb.engine import DuckDBEngine
    from sfumato.table.source import FrameSource

    engine = DuckDBEngine()
    table = engine.scan(FrameSource(pd.DataFrame({"born": ["20/01/42", "19/11/52", "08/04/98", "01/02/12"]})))
    drafted = draft(engine, table, year=2026)
    assert (drafted.guesses[0].column.pivot, drafted.guesses[0].moved) == (2026, 2)
    text = plan_text(drafted, {"path": "t.csv"}, stem="t")
    assert "pivot = 2026 # latest year: two digits mean 1927 to 2026 (2 values would otherwise lie later)" in text


def test_a_run_says_how_two_digit_years_and_coded_ends_are_read():
    frame = pd.DataFrame({"born": ["20/01/42", "19/11/52"] * 9, "age": [str(a) for a in range(80, 98)]})
    born = {"role": "quasi-identifying", "kind": "date", "format": "%d/%m/%y"}
    age = {"role": "quasi-identifying", "kind": "integer", "top": 89}
    notes = sfumato.run(planned({"born": born, "age": age}), frame).result.to_dict()["notes"]
    assert "In 'age', 89 means 89 or more." in notes
    assert "Two-digit years of 'born' are read as 1969 to 2068: no `pivot` is declared." in notes
    notes = sfumato.run(planned({"born": born | {"pivot": 2026}, "age": age}), frame).result.to_dict()["notes"]
    assert "Two-digit years of 'born' are read as 1927 to 2026." in notes


@pytest.mark.parametrize(
    "bounds", [["2009-01-01", "2013-12-31"], [date(2009, 1, 1), date(2013, 12, 31)], [14245, 16070]]
)
def test_bounds_of_dates_are_texts_dates_or_days(bounds):
    column = planned({"x": {"role": "quasi-identifying", "kind": "date", "bounds": bounds}}).schema["x"]
    assert column.bounds == (14245, 16070)


def test_bounds_in_the_format_of_the_column():
    column = {"role": "quasi-identifying", "kind": "date", "format": "%d/%m/%Y", "bounds": ["01/01/2009", "2013-12-31"]}
    assert planned({"x": column}).schema["x"].bounds == (14245, 16070)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "date", "bounds": ["2013-12-31", "2009-01-01"]}, {"kind": "date", "bounds": ["2009", "x"]}, {"kind": "date", "bounds": [True, 5]},
        {"kind": "integer", "bounds": ["2009-01-01", "2013-12-31"]}, {"kind": "integer", "bounds": [1]}, {"kind": "integer", "bounds": [1, [2]]},
        {"kind": "integer", "bounds": [1, float("nan")]}, {"kind": "integer", "bounds": [1, float("inf")]}, {"kind": "date", "pivot": 2026},
        {"kind": "date", "format": "%d/%m/%y", "pivot": 26}, {"kind": "integer", "bounds": [1, 10**400]},
    ],
)  # fmt: skip
def test_what_is_no_bound_or_pivot_is_refused(wrong):
    with pytest.raises(PlanError):
        planned({"x": {"role": "quasi-identifying"} | wrong})


@pytest.mark.parametrize("method", ["mondrian", "cell-suppression", "microaggregation"])
def test_a_plan_kept_in_a_sorted_result_gives_the_same_release(method):
    draw = np.random.default_rng(5)
    frame = pd.DataFrame({name: draw.integers(0, 9, 300).astype(str) for name in ("z", "b", "a", "y")})
    columns = {name: {"role": "quasi-identifying", "kind": "integer"} for name in frame}
    first = sfumato.run(planned(columns, method=method), frame)
    saved = json.loads(json.dumps(first.result.to_dict(), sort_keys=True, default=str))
    again = sfumato.run(sfumato.plan_from(saved["plan"], folder="."), frame)
    assert again.frame.equals(first.frame)
    assert again.result.to_dict()["plan_sha256"] == first.result.to_dict()["plan_sha256"]
    other = sfumato.run(planned(dict(reversed(columns.items())), method=method), frame)
    assert other.result.to_dict()["plan_sha256"] != first.result.to_dict()["plan_sha256"]


@pytest.mark.parametrize("order", [["a"], ["a", "a"], ["a", "c"], [1, 2]])
def test_an_order_that_is_not_that_of_the_columns_is_refused(order):
    columns = {name: {"role": "quasi-identifying"} for name in "ab"}
    with pytest.raises(PlanError):
        planned(columns, order=order)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (",age\n0,30\n1,40\n2,50\n", ["column 1", "age"]),
        (",age,sex\n0,30,f\n1,40,m\n2,50,f\n", ["column 1", "age", "sex"]),
    ],
)
def test_the_nameless_index_of_a_data_frame_hides_no_header(tmp_path, text, names):
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert [guess.column.name for guess in sfumato.draft(path).guesses] == names


def test_a_draft_proposes_whose_the_rows_are_where_an_identifier_repeats(tmp_path):
    visits = pd.DataFrame({
        "visit_id": range(60), "patient_id": [i // 2 for i in range(60)], "sex": ["f", "m", "f"] * 20,
    })  # fmt: skip
    drafted = sfumato.draft(visits)
    assert drafted.person == "patient_id"
    text = plan_text(drafted, {"path": "t.csv"}, stem="t")
    assert "30 values in 60 rows: one person seems to have several rows." in text
    assert 'person = "patient_id"' in text
    assert sfumato.draft(visits.drop(columns="patient_id")).person is None


def test_a_unit_is_proposed_of_a_column_that_every_row_has_and_that_is_no_free_text(sfumato, tmp_path):
    """A draft that proposes a person for rows without one could not be run."""
    rows = [(f"p{i % 40}", "a long remark on what was seen that day: number " + str(i % 90), i % 3) for i in range(120)]
    text = "patient_id,remarks,ward\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows)
    for name, cells in (("whole", text), ("gaps", text.replace("\np7,", "\n,"))):
        (tmp_path / f"{name}.csv").write_text(cells, encoding="utf-8")
        assert sfumato("draft", f"{name}.csv", "-o", f"{name}.toml").code == 0
    assert 'person = "patient_id"' in (tmp_path / "whole.toml").read_text("utf-8")
    assert "[unit]" not in (tmp_path / "gaps.toml").read_text("utf-8").replace("[unit] person", "")
