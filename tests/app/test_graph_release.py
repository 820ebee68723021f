"""Plans that publish a graph: edges between new numbers, as anonymous as promised, and what is still found."""

import json
from collections import Counter

import networkx as nx
import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import sfumato
from sfumato.cli.main import commands
from sfumato.errors import InternalError, NoSolution, ParameterError, PlanError
from sfumato.release.graph import edges
from sfumato.report.document import read_result
from sfumato.report.html import render_html
from sfumato.report.text import render_text

DEGREE = {"name": "k-degree", "k": 4}
KARATE = nx.karate_club_graph()


def plan(*protect, **more):
    made = {"format": "sfumato.plan/1", "source": {"path": "edges.csv"}, "graph": {"source": "u", "target": "v"}}
    return made | {"protect": list(protect), "output": {"path": "out.parquet", "result": "r.json"}} | more


def run(document, tmp_path, graph=KARATE):
    text = "u,v\n" + "".join(f"name {u},name {v}\n" for u, v in graph.edges())
    (tmp_path / "edges.csv").write_text(text)
    return sfumato.run(sfumato.plan_from(document, folder=tmp_path))


def written(tmp_path):
    """The published table as networkx has it."""
    table = pq.read_table(tmp_path / "out.parquet").to_pydict()
    assert list(table) == ["u", "v"]
    return nx.Graph(list(zip(table["u"], table["v"], strict=True)))


@pytest.mark.parametrize("change", ["add", "swap"])
def test_each_degree_of_the_published_table_is_that_of_k(tmp_path, change):
    release = run(plan(DEGREE | {"change": change}), tmp_path)
    out, told = written(tmp_path), json.loads((tmp_path / "r.json").read_text())
    assert min(Counter(dict(out.degree()).values()).values()) >= 4
    found = told["graph_release"]
    assert out.number_of_edges() == 78 + found["added"] - found["removed"] == sum(d * n for d, n in found["degrees"]["after"]) / 2  # fmt: skip
    assert set(out) == set(range(34))
    assert [pair[1] for pair in found["cores"]["before"]] == [1, 11, 12, 10]
    risks = {state: {one["name"]: one["value"] for one in told["risk"][state]} for state in ("before", "after")}
    assert risks["before"]["unique_by_degree"] == pytest.approx(6 / 34)
    assert risks["after"]["unique_by_degree"] == 0
    assert risks["after"]["unique_by_neighborhood"] > 0.2
    assert read_result((tmp_path / "r.json").read_text()) == release.result
    assert "Edges added" in render_text(release.result)
    page = render_html(release.result)
    assert page.count("<svg") >= 2
    assert "not a second graph with some of the same persons" in page


def test_numbers_are_drawn_anew(tmp_path):
    """Two runs agree in the order of 34 numbers with probability 1 / 34!."""
    orders = []
    for name in "ab":
        (tmp_path / name).mkdir()
        run(plan(DEGREE), tmp_path / name)
        orders.append({tuple(sorted(edge)) for edge in written(tmp_path / name).edges()})
    assert orders[0] != orders[1]


def test_neighborhoods_alike(tmp_path):
    run(plan({"name": "k-neighborhood", "k": 2, "most": 78}), tmp_path)
    out = written(tmp_path)
    around = [out.subgraph(out[v]) for v in out]
    assert all(sum(nx.is_isomorphic(one, other) for other in around) >= 2 for one in around)


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"protect": []}, PlanError, "protect it once"),
        ({"protect": [DEGREE, DEGREE]}, PlanError, "protect it once"),
        ({"protect": [DEGREE | {"k": 1}]}, ParameterError, "k must be an integer from 2"),
        ({"protect": [DEGREE | {"k": 35}]}, NoSolution, "34 vertices"),
        ({"protect": [{"name": "k-neighborhood", "k": 9, "most": 3}]}, NoSolution, "more than 3 edges"),
        ({"protect": [{"name": "k-degree"}]}, PlanError, "`k`"),
        ({"unit": {"protects": "edge"}}, PlanError, "unit"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_nothing_is_written(tmp_path, wrong, error, words):
    with pytest.raises(error, match=words):
        run(plan(DEGREE) | wrong, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["edges.csv"]


def test_a_table_that_is_not_what_was_decided_is_not_released(tmp_path, monkeypatch):
    asked = iter(range(9))
    monkeypatch.setattr(
        edges.Decided, "edges", property(lambda self: np.sort(self.done.graph.edges[next(asked) % 2 :], axis=1))
    )
    with pytest.raises(InternalError, match="differ from those decided"):
        run(plan(DEGREE), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["edges.csv"]


def test_the_owner_is_told_who_is_found(tmp_path):
    """A ring of persons who look alike and a random graph whose persons seeds find."""
    ring, net = nx.cycle_graph(60), nx.gnm_random_graph(200, 2000, seed=1)
    for name, graph in (("ring", ring), ("net", net)):
        (tmp_path / f"{name}.csv").write_text("u,v\n" + "".join(f"{u},{v}\n" for u, v in graph.edges()))
    words = ("graph", "risk", str(tmp_path / "net.csv"), "--seeds", "20", "--common-vertices", "1", "--json")
    told = json.loads(CliRunner().invoke(commands, words, catch_exceptions=False).stdout)
    assert (told["format"], told["vertices"], told["edges"]) == ("sfumato.graph-risk/1", 200, 2000)
    assert told["seeds"]["found"] > 0.9
    assert told["seeds"]["control"] < 0.1
    out = tmp_path / "chance.csv"
    text = (
        CliRunner()
        .invoke(commands, ("graph", "risk", str(tmp_path / "ring.csv"), "--seeds", "5", "-o", str(out)))
        .stdout
    )
    assert "60 edges between 60 vertices" in text
    assert ["Unique", "by", "neighborhood", "0.0%"] in [line.split() for line in text.splitlines()]
    assert len(out.read_text().splitlines()) == 61
    wrong = CliRunner().invoke(commands, ("graph", "risk", str(tmp_path / "ring.csv"), "--seeds", "60"))
    assert "fewer seeds than the 45 persons" in str(wrong.exception or wrong.output)
