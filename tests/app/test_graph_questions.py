"""`sfumato query` about a private graph: charged once, stored, refused where it cannot be."""

import json

import pytest
from click.testing import CliRunner

from sfumato.cli.main import commands
from sfumato.errors import BudgetExceeded, ParameterError, PlanError, QueryError
from sfumato.front.session import graph_session_of
from sfumato.release.graph.declared import read_declared_graph
from sfumato.release.graph.session import GraphSession
from sfumato.testing.seeded_bits import SeededBits

DATA = """format = "sfumato.data/1"
source = { path = "edges.csv" }
unit = { protects = "edge" }
budget = { epsilon = 3000 }
ledger = { url = "sqlite:///ledger.db", dataset = "friends" }
[graph]
source = "who"
target = "whom"
vertices = { path = "people.csv", vertex = "name", attributes = ["club"] }
"""


@pytest.fixture
def data(tmp_path):
    """A triangle with a tail and one whom nobody knows, declared, with an open account."""
    (tmp_path / "edges.csv").write_text("who,whom\nann,ben\nben,cid\ncid,ann\ncid,dan\nben,ann\ndan,dan\n")
    (tmp_path / "people.csv").write_text("name,club\nann,x\nben,x\ncid,y\ndan,y\neve,y\n")
    (tmp_path / "data.toml").write_text(DATA)
    command("budget", str(tmp_path / "data.toml"), "--create")
    return tmp_path / "data.toml"


def command(*words):
    """What a command prints."""
    found = CliRunner().invoke(commands, words, catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.stdout


def test_a_question_is_charged_and_answered_once(data):
    asked = (
        "query",
        str(data),
        'degrees, most = 2, by = "club"',
        "--epsilon",
        "1000",
        "--json",
        "-o",
        str(data.with_name("a.csv")),
    )
    told = json.loads(command(*asked))
    assert told["left"] == ["2000"]
    (answer,) = told["answers"]
    assert (answer["by"], answer["cells"]) == (["club", "degree"], ["vertices"])
    assert dict(zip(map(tuple, answer["keys"]), answer["values"], strict=True)) == {
        ("x", "0"): [0], ("x", "1"): [0], ("x", "2"): [2], ("y", "0"): [1], ("y", "1"): [1], ("y", "2"): [1],
    }  # fmt: skip
    assert answer["low"] == answer["values"] == answer["high"]
    assert data.with_name("a.csv").read_text().startswith("club,degree,vertices,vertices low,vertices high")
    data.with_name("a.csv").unlink()
    assert json.loads(command(*asked)) == told
    assert "vertices by club and degree for epsilon 1000" in command("budget", str(data))
    assert "edges: 4" in command("query", str(data), "edges", "--epsilon", "1000")


def test_a_select_is_the_statistic_that_answers_it(data):
    """The same request in other words: charged once, answered from the other's answer, with the rows that are meant."""
    whole = json.loads(command("query", str(data), 'degrees, by = "club", most = 2', "--epsilon", "1000", "--json"))
    told = json.loads(command(
        "query", str(data), "SELECT degree, COUNT(*) FROM vertices WHERE club = 'y' AND degree < 2 GROUP BY degree",
        "--epsilon", "1000", "--json",
    ))  # fmt: skip
    assert whole["left"] == told["left"] == ["2000"]
    (all_, some) = whole["answers"][0], told["answers"][0]
    assert some["keys"] == [["y", "0"], ["y", "1"]]
    rows = dict(zip(map(tuple, all_["keys"]), all_["values"], strict=True))
    assert some["values"] == [rows["y", "0"], rows["y", "1"]]
    assert len(all_["notes"]) == 1
    assert not some["notes"]


def test_core_numbers_have_intervals_where_their_noise_proves_them(data):
    told = command("query", str(data), "cores", "--epsilon", "1500")
    assert "eve · core: 0   [0, 0]" in told
    assert "hold together" in told
    told = command("query", str(data), 'cores, how = "mat"', "--epsilon", "1499")
    assert "No interval is proven" in told
    assert "each interval covers" not in told


@pytest.mark.parametrize(
    ("question", "price", "error", "words"),
    [
        ("friends", {"epsilon": 1}, PlanError, "name"),
        ("edges, most = 2", {"epsilon": 1}, PlanError, "most"),
        ('mixing, by = "town"', {"epsilon": 1}, PlanError, "attribute of the vertices"),
        ("triangles", {"rho": 1}, PlanError, "pure epsilon"),
        ("SELECT club, COUNT(*) FROM edges GROUP BY club", {"epsilon": 1}, QueryError, "`mixing"),
        ("SELECT COUNT(*) FROM triangles", {"rho": 1}, PlanError, "pure epsilon"),
        ("edges", {}, ParameterError, "one price"),
        ("edges", {"epsilon": 3001}, BudgetExceeded, "budget"),
    ],
)
def test_what_cannot_be_answered_is_refused_and_nothing_is_charged(data, question, price, error, words):
    with graph_session_of(read_declared_graph(data), None) as session:
        with pytest.raises(error, match=words):
            session.answers(question, **price)
        assert [str(part) for part in session.left] == ["3000"]


def test_seeded_answers_say_so(data):
    with GraphSession(read_declared_graph(data), "analyst", bits=SeededBits(1)) as session:
        (answer,) = session.answers("parts", epsilon="1/2")
    assert (answer.seeded, answer.price, answer.unit) == (True, "epsilon 1/2", "adding or removing an edge")


def test_prices_and_errors_are_told_before_anything_is_paid(data, tmp_path):
    """From public numbers alone: the private table may be away."""
    (tmp_path / "edges.csv").unlink()
    told = json.loads(command("accuracy", str(data), "SELECT COUNT(*) FROM edges", "--error", "2", "--json"))
    assert [one["question"] for one in told["prices"]] == ["number of edges"] * 2
    simulated = (
        "simulate",
        str(data),
        'degrees, most = 2, by = "club"',
        "--epsilon",
        "1",
        "--rows",
        "4",
        "--runs",
        "3",
    )
    assert "vertices by club and degree, 4 edges of random graphs, 3 answers" in command(*simulated)
    plan = """format = "sfumato.plan/1"
    source = { path = "edges.csv" }
    unit = { protects = "edge" }
    output = { path = "out.csv" }
    [graph]
    source = "who"
    target = "whom"
    [[statistics]]
    name = "edges"
    price = { epsilon = 1 }
    [[statistics]]
    name = "triangles"
    price = { epsilon = 1 }
    """
    (tmp_path / "plan.toml").write_text(plan)
    told = command("forecast", str(tmp_path / "plan.toml"))
    assert "number of triangles  triangles       1           -        -" in told
    told = command("forecast", str(tmp_path / "plan.toml"), "--expected", "30", "--vertices", "20")
    assert "number of triangles *" in told
    assert "tried on public random graphs" in told
    assert "0 for all" in command("graph", "recommend", "--vertices", "20", "--edges", "30", "--epsilon", "1")


def test_quantiles_of_core_numbers_protect_a_vertex_without_a_projection(data):
    text = (
        data.read_text()
        .replace('protects = "edge"', 'protects = "node", degree = 3')
        .replace('dataset = "friends"', 'dataset = "nodes"')
    )
    data.write_text(text)
    command("budget", str(data), "--create")
    told = command("query", str(data), "core-quantiles, shares = [0, 0.5, 0.8], most = 4", "--epsilon", "2000")
    assert [line.split(":")[1].split()[0] for line in told.splitlines() if "core:" in line] == ["2", "2", "1"]
    assert "No interval is proven" in told
    assert "core: 2   [2, 2]" in command(
        "query", str(data), "core-quantiles, shares = [0], most = 4", "--epsilon", "1000"
    )
    with graph_session_of(read_declared_graph(data), None) as session, pytest.raises(PlanError, match="pure epsilon"):
        session.answers("core-quantiles, shares = [0.5], most = 4", rho="1/10")
