"""Plans of statistics of traces, from table to files, result, report and ledger."""

import json
from fractions import Fraction

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import sfumato
from sfumato.cli.main import commands
from sfumato.errors import LedgerError, ParameterError, PlanError
from sfumato.release.answer.opening import create, opening_in
from sfumato.release.traces.statistics_plan import asked_of
from sfumato.report.text import render_text

PRICE = {"epsilon": "10000"}
"""So little noise that whole numbers are exact but with chance below 1e-300."""
TRACES = {"person": "who", "time": "at", "latitude": "lat", "longitude": "lon", "zone": "UTC", "written": "seconds"}
REGION = {"latitude": 0.0, "longitude": 0.0, "metres": 1000, "rows": 1, "columns": 2}
FLOWS = {
    "name": "flows", "trips": {"by": "gap", "seconds": 900}, "count": {"most": 3, "of": "events", "margins": True},
    "price": PRICE,
}  # fmt: skip
VISITS = {"name": "visits", "hours": [0, 24], "count": {"most": 2, "of": "persons"}, "price": PRICE}


def plan(*statistics, **more):
    return {"format": "sfumato.plan/1", "traces": TRACES, "region": REGION, "statistics": list(statistics)} | more


def frame(n=20):
    """Persons who go from the first cell to the second; half of them weigh 30."""
    rows = [(f"p{i}", t, 0.004, lon, 30 * (i % 2)) for i in range(n) for t, lon in ((0, 0.004), (60, 0.013))]
    return pa.table(dict(zip(["who", "at", "lat", "lon", "weight"], zip(*rows, strict=True), strict=True)))


def toml(value):
    """A value as TOML writes it in one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(one)}" for key, one in value.items()) + " }"
    return "[" + ", ".join(map(toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


def written(document, tmp_path):
    """The plan in a file."""
    path = tmp_path / "plan.toml"
    path.write_text("\n".join(f"{key} = {toml(value)}" for key, value in document.items()))
    return path


def command(*words):
    """What a command prints."""
    found = CliRunner().invoke(commands, words, catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.stdout


def run(document, tmp_path, table=None):
    pq.write_table(frame() if table is None else table, tmp_path / "traces.parquet")
    document = {"source": {"path": "traces.parquet"}, "output": {"path": "out.parquet"}} | document
    return sfumato.run(sfumato.plan_from(document, folder=tmp_path))


def test_each_statistic_is_a_table_and_nothing_else_is_told(tmp_path):
    release = run(plan(VISITS, FLOWS, output={"path": "out.parquet", "result": "r.json", "report": "r.html"}), tmp_path)
    flows = pq.read_table(tmp_path / "out.2-flows-between-cells.parquet").to_pylist()
    assert {(row["origin"], row["destination"]): row["trips"] for row in flows}[("0:0", "0:1")] == 20
    assert [
        row["trips"] for row in pq.read_table(tmp_path / "out.3-flows-between-cells-by-origin.parquet").to_pylist()
    ] == [20, 0]
    visits = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert [(row["cell"], row["persons"], row["persons low"]) for row in visits] == [("0:0", 20, 20), ("0:1", 20, 20)]
    assert abs(visits[1]["cell longitude"] - 0.0135) < 1e-4
    told = json.loads((tmp_path / "r.json").read_text())
    assert told["source"]["rows"] is None
    assert told["source"]["sha256"] is None
    assert told["unit"]["persons"] is None
    assert "traces" not in told
    assert "40" not in json.dumps([told["source"], told["notes"], told["risk"]])
    assert [table["title"] for table in told["statistics"]["tables"]] == list(asked_of(release.plan.method.said).tables)
    page = (tmp_path / "r.html").read_text()
    assert "flows between cells" in page
    assert "how many rows there are is private" in page
    assert "0:0 → 0:1" in render_text(release.result)


def test_weights_count_in_sums_and_not_in_thresholds(tmp_path):
    """Ten persons of weight 30, ten of weight 0: 200 with a bound of 20, and twenty persons in each cell."""
    counted = {"most": 2, "of": "persons", "weighted": True, "least": 15}
    release = run(plan(VISITS | {"count": counted}, weights={"column": "weight", "most": 20}), tmp_path)
    (table,) = release.result.statistics.tables
    assert table.cells == ("weighted persons", "persons")
    assert table.values == ((200.0, 20.0),) * 2


@pytest.mark.parametrize(("per", "count"), [("person", 20), ("week", 40)])
def test_the_unit_is_a_person_or_a_week_of_one(tmp_path, per, count):
    one = frame()
    later = one.set_column(1, "at", pa.array([t + 8 * 86_400 for t in one["at"].to_pylist()]))
    release = run(plan(VISITS, unit={"per": per}), tmp_path, pa.concat_tables([one, later]))
    assert release.result.statistics.tables[0].values == ((float(count),),) * 2
    assert ("one week" in release.result.statistics.unit) == (per == "week")


def test_a_table_of_nobody_is_answered_like_any_other(tmp_path):
    """An error would tell that nobody is there."""
    nobody = frame(1).set_column(0, "who", pa.array([None, None], pa.string()))
    assert run(plan(VISITS), tmp_path, nobody).result.statistics.tables[0].values == ((0.0,), (0.0,))


def test_the_whole_is_charged_once(tmp_path):
    account = {"ledger": "sqlite:///l.db", "dataset": "d", "analyst": "a", "request": "r", "budget": {"epsilon": 30000}}
    asked = plan(VISITS, FLOWS, account=account)
    create(opening_in(written(asked, tmp_path)))
    assert run(asked, tmp_path).result.paid.left == ("10000",)
    with pytest.raises(LedgerError):
        run(asked | {"output": {"path": "again.parquet"}}, tmp_path)
    assert not (tmp_path / "again.parquet").exists()


def test_errors_are_told_before_anything_is_read_or_paid(tmp_path):
    """There is no table."""
    mean = {"name": "mean-length", "longest": 5000, "step": 10, "trips": {"by": "gap", "seconds": 900}, "most": 2}
    asked = plan(VISITS | {"price": {"epsilon": 1}}, mean | {"price": {"rho": "1/8"}}, answers={"delta": "1e-6"})
    path = str(written(asked, tmp_path))
    told = json.loads(command("forecast", path, "--expected", "1000", "--json"))
    visits, lengths = told["noises"]
    assert (visits["l1"], visits["bad_error"], round(visits["mean_error"], 2)) == (2, 6, 1.92)
    assert 0 < lengths["bad_error"] < 500
    assert {one["accountant"] for one in told["accountants"] if one["epsilon"]} >= {"zcdp", "rdp"}
    assert "visits by cell and hour" in command("forecast", path)


def test_concentrated_prices_are_told_at_a_delta(tmp_path):
    asked = plan(VISITS | {"price": {"rho": "1/2"}}, FLOWS | {"price": {"rho": "1/2"}})
    with pytest.raises(PlanError, match="delta"):
        run(asked, tmp_path)
    found = run(asked | {"answers": {"delta": "1e-6", "confidence": 0.9}}, tmp_path).result
    assert found.promise[0].parameters["delta"] == "1/1000000"
    readings = [one.epsilon for one in found.statistics.accountants if one.epsilon is not None]
    assert float(Fraction(str(found.promise[0].parameters["epsilon"]))) <= min(readings) * (1 + 1e-9) < 9


def test_what_is_not_private_is_refused_before_anything_is_read(tmp_path):
    promesse = {"name": "promesse", "metres": 100}
    refused = [
        plan(VISITS, protect=[promesse]), plan(VISITS | {"count": {"most": 2, "of": "persons", "weighted": True}}),
        plan(VISITS | {"count": {"most": 2, "of": "persons", "selected": True}}), plan(VISITS | {"price": {}}),
        plan({"name": "top-places", "k": 1, "price": {"rho": 1}}), plan(VISITS | {"hours": [0, 30]}),
        plan(VISITS, FLOWS, output={"url": "sqlite:///x.db", "table": "t"}),
    ]  # fmt: skip
    for document in refused:
        with pytest.raises((PlanError, ParameterError)):
            sfumato.plan_from(document, folder=tmp_path)
