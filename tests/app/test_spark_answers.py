"""Questions to a table on a cluster: the answers of the embedded engine, one charge, whatever the cluster does."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import sfumato
from sfumato.cli.main import commands
from sfumato.engine.spark.engine import SparkEngine
from sfumato.errors import EngineError, PlanError
from sfumato.front.session import session_of
from sfumato.release.answer.document import read_data_document
from sfumato.release.answer.opening import told_of
from sfumato.summary.bounded import BoundedAsk
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.unit import Neighbors, Unit
from sfumato.testing.seeded_bits import SeededBits

SCHEMA = {
    "age": Range(0, 120, step=1),
    "pay": Range("-1", "10", step="0.5"),
    "sex": Categories(("F", "M")),
    "town": UnlistedText(),
}
PERSONS = Unit(Neighbors.ADD_REMOVE, "who", 2, 1)
REGIONS = {"region": Categories(("north", "south"))}


def table(n=600):
    """Two or three rows of each person."""
    return pa.table({
        "who": [f"p{i * i % 233}" for i in range(n)], "age": [18 + i % 70 for i in range(n)],
        "pay": [None if i % 11 == 0 else (i % 17) / 2 for i in range(n)], "sex": ["F", "M", "M"] * (n // 3),
        "town": ["A", "B", "B"] * (n // 3),
    })  # fmt: skip


def session(data, **more):
    """A session whose noise is the same for the same questions."""
    terms = {"unit": PERSONS, "budget": sfumato.Budget.approx(50, "0.01"), "bits": SeededBits(7)} | more
    return sfumato.Session(data, SCHEMA, **terms)


def answers(data, public, **more):
    """Answers of every kind, as documents."""
    with session(data, **more) as s:
        s.join("regions", public, on="town", columns=REGIONS)
        asked = [
            s.count(by="sex", epsilon=1),
            s.persons(by="sex", where=[("age", ">=", 30)], epsilon=1),
            s.variance("pay", epsilon=1),
            s.persons(by="town", epsilon=1, delta="1e-4"),
            s.sum("pay", by="region", join="regions", epsilon=1),
            s.quantiles("age", ["0.5"], epsilon=1),
        ]
        return [answer.to_json() for answer in asked], told_of(s.statement, (), None).to_dict()["charges"]


def test_answers_of_a_cluster_are_those_of_the_embedded_engine(sail):
    """The same question has the same totals, sensitivity and price; so with the same chance the same answer."""
    public = pa.table({"town": ["A", "B"], "region": ["north", "south"]})
    here, charged_here = answers(table(), public)
    there, charged_there = answers(sail.createDataFrame(table()), sail.createDataFrame(public))
    assert [json.loads(a) for a in there] == [json.loads(a) for a in here]
    assert [c["event"] for c in charged_there] == [c["event"] for c in charged_here]


class Failing:
    """A cluster that goes away in the first question."""

    def __init__(self, engine):
        self.engine, self.failures = engine, 1

    def scan(self, source):
        return self.engine.scan(source)

    def header(self, handle):
        return self.engine.header(handle)

    def check(self, handle, ask):
        self.engine.check(handle, ask)

    def summarize(self, handle, ask):
        if isinstance(ask, BoundedAsk) and self.failures:
            self.failures -= 1
            raise EngineError("The Spark cluster must answer; it does not any more.", "start it again.")
        return self.engine.summarize(handle, ask)


def test_a_cluster_that_fails_after_the_charge_leaves_a_request_to_be_finished(sail):
    with session(sail.createDataFrame(table()), engine=Failing(SparkEngine(sail))) as s:
        with pytest.raises(EngineError, match="does not any more"):
            s.count(epsilon=1)
        assert len(s.statement.charges) == 1
        left = s.left
        first = s.count(epsilon=1)
        assert s.count(epsilon=1).to_json() == first.to_json()
        assert (len(s.statement.charges), s.left) == (1, left)


DATA = """
sfumato-data = 1
engine = "ENGINE"
[source]
path = "t.parquet"
[columns.age]
low = 0
high = 120
step = 1
[columns.sex]
values = ["F", "M"]
[unit]
neighbors = "add or remove"
[budget]
epsilon = 100000
[ledger]
url = "sqlite:///ledger.db"
dataset = "patients"
"""


def test_a_command_asks_the_cluster_that_it_or_the_document_names(sail, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pq.write_table(table(), "t.parquet")
    cluster = f"sc://{sail.client._builder.endpoint}"
    (tmp_path / "data.toml").write_text(DATA.replace("ENGINE", "duckdb"), "utf-8")
    select = "SELECT COUNT(*) FROM t GROUP BY sex"
    CliRunner().invoke(commands, ["budget", "data.toml", "--create"], catch_exceptions=False)
    words = ["query", "data.toml", select, "--epsilon", "10000", "--request", "there", "--engine", cluster, "--json"]
    told = CliRunner().invoke(commands, words, catch_exceptions=False)
    assert json.loads(told.output)["answers"][0]["values"] == [[200.0], [400.0]]
    (tmp_path / "data.toml").write_text(DATA.replace("ENGINE", cluster), "utf-8")
    with session_of(read_data_document(tmp_path / "data.toml"), None) as s:
        assert s.mean("age", where=[("sex", "=", "F")], epsilon=10000).value == pytest.approx(52, abs=1)
        assert len(s.statement.charges) == 2


def test_an_unknown_engine_is_refused_before_the_ledger_is_opened(tmp_path):
    with pytest.raises(PlanError, match="spark"):
        session(table(), engine="hadoop", ledger=f"sqlite:///{tmp_path / 'ledger.db'}")
    assert not (tmp_path / "ledger.db").exists()
