"""Plans that publish a synthetic graph: drawn from what was paid for, written, read again, and nothing else told."""

import json
from collections import Counter
from dataclasses import replace

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import sfumato
from sfumato import write_plan
from sfumato.cli.main import commands
from sfumato.errors import InternalError, LedgerError, ParameterError, PlanError, SchemaError
from sfumato.front.graphs import graph_nearness
from sfumato.release.answer.opening import create, opening_in
from sfumato.release.graph import synthetic
from sfumato.report.document import read_result
from sfumato.report.html import render_html
from sfumato.report.text import render_text
from sfumato.table.graph import Graph

KARATE = nx.karate_club_graph()
DEGREES = {"name": "degrees", "most": 33, "price": {"epsilon": 1000}}
JOINT = {"name": "joint-degrees", "most": 33, "classes": [1, 2, 3, 5], "price": {"epsilon": 100_000}}
GROUPS = {"name": "groups", "by": "club", "price": {"epsilon": 1000}}
LISTED = {"path": "people.csv", "vertex": "id", "attributes": ["club"]}


def plan(drawn, **more):
    made = {
        "format": "sfumato.plan/1", "source": {"path": "edges.csv"}, "unit": {"protects": "edge"}, "synthetic": drawn,
        "graph": {"source": "u", "target": "v", "vertices": LISTED}, "output": {"path": "out.csv", "result": "r.json"},
    }  # fmt: skip
    return made | more


def run(document, folder):
    """Names that are no numbers, so that new numbers cannot be old names; two whom nobody knows."""
    (folder / "edges.csv").write_text("u,v\n" + "".join(f"name {u},name {v}\n" for u, v in KARATE.edges()))
    people = [(f"name {v}", data["club"]) for v, data in KARATE.nodes(data=True)] + [("name 98", ""), ("name 99", "z")]
    (folder / "people.csv").write_text("id,club\n" + "".join(f"{name},{club}\n" for name, club in people))
    return sfumato.run(sfumato.plan_from(document, folder=folder))


def written(folder, name="out.csv"):
    return pc.read_csv(folder / name).to_pydict()


@pytest.mark.parametrize("drawn", [DEGREES, JOINT])
def test_without_noise_degrees_are_those_of_the_original(tmp_path, drawn):
    """But for vertices that find no other to pair with: of 1,500 drawings none was 26 off in all; 60 is far below 1e-6."""
    release = run(plan(drawn), tmp_path)
    table, told = written(tmp_path), json.loads((tmp_path / "r.json").read_text())
    out = nx.Graph(list(zip(table["u"], table["v"], strict=True)))
    assert out.number_of_edges() == told["graph_drawn"]["edges"] == len(table["u"])
    assert abs(out.number_of_edges() - 78) <= 2
    own, other = (sorted([0] * (36 - len(graph)) + [degree for _, degree in graph.degree()]) for graph in (out, KARATE))
    assert sum(abs(one - two) for one, two in zip(own, other, strict=True)) < 60
    assert set(out) <= set(range(36))
    assert told["graph_drawn"]["vertices"] == 36
    assert told["source"].get("rows") is None  # a number of edges is private
    assert [one["name"] for one in told["worth"]] == ["graph_edges", "graph_degrees"]
    assert read_result((tmp_path / "r.json").read_text()) == release.result
    assert "drawn from" in render_text(release.result).lower()
    assert render_html(release.result).count("<svg") >= 2


def test_groups_go_with_the_new_numbers(tmp_path):
    run(plan(GROUPS), tmp_path)
    table, people = written(tmp_path), written(tmp_path, "out.vertices.csv")
    club = dict(zip(people["vertex"], people["club"], strict=True))
    assert sorted(club) == list(range(36))
    assert Counter(club.values()) == {"Mr. Hi": 17, "Officer": 17, "": 1, "z": 1}
    within = Counter(frozenset((club[u], club[v])) for u, v in zip(table["u"], table["v"], strict=True))
    assert abs(within[frozenset(("Mr. Hi", "Officer"))] - 11) <= 1  # of 78 edges 11 join the clubs


def test_a_vertex_may_be_protected(tmp_path):
    drawn = {"name": "degrees", "price": {"epsilon": 1000}}
    run(plan(drawn, unit={"protects": "node", "degree": 4}), tmp_path)
    told = json.loads((tmp_path / "r.json").read_text())
    assert max(degree for degree, _ in told["graph_drawn"]["degrees"]) <= 4
    assert "node with its edges" in told["graph_drawn"]["unit"]


def test_a_cluster_draws_the_same_kind_of_graph(tmp_path, sail):
    frame = sail.createDataFrame([(f"name {u}", f"name {v}") for u, v in KARATE.edges()], "u string, v string")
    people = {"id": [f"name {v}" for v in KARATE], "club": [data["club"] for _, data in KARATE.nodes(data=True)]}
    pq.write_table(pa.table(people), tmp_path / "people.parquet")
    graph = {"source": "u", "target": "v", "vertices": LISTED | {"path": "people.parquet"}}
    document = plan(DEGREES, graph=graph)
    del document["source"], document["output"]
    release = sfumato.run(sfumato.plan_from(document, folder=tmp_path), frame)
    assert release.result.graph_drawn.vertices == 34
    assert len(release.frame.collect()) == release.result.graph_drawn.edges


def test_much_noise_fails_nothing(tmp_path):
    """A graph may come out without any edge, and is written: what was paid for is given."""
    for name in "abc":
        (tmp_path / name).mkdir()
        run(plan(DEGREES | {"price": {"epsilon": "1/1000"}}), tmp_path / name)
        told = json.loads((tmp_path / name / "r.json").read_text())
        assert told["graph_drawn"]["edges"] == len(written(tmp_path / name)["u"])


def test_a_graph_without_edges_is_written_and_read_again(tmp_path, monkeypatch):
    decide = synthetic.decide

    def empty(run, counted):
        found = decide(run, counted)
        return replace(found, graph=Graph(found.graph.vertices, np.zeros((0, 2), np.int64)))

    monkeypatch.setattr(synthetic, "decide", empty)
    run(plan(DEGREES), tmp_path)
    assert written(tmp_path) == {"u": [], "v": []}


def test_it_is_paid_once(tmp_path):
    account = {"ledger": "sqlite:///l.db", "dataset": "d", "analyst": "a", "request": "r", "budget": {"epsilon": 1500}}
    document = plan(DEGREES, account=account)
    write_plan(sfumato.plan_from(document, folder=tmp_path), tmp_path)
    create(opening_in(tmp_path / "plan.toml"))
    assert run(document, tmp_path).result.paid.left == ("500",)
    with pytest.raises(LedgerError):
        run(document | {"output": {"path": "again.csv"}}, tmp_path)


@pytest.mark.parametrize(
    ("drawn", "more", "error", "words"),
    [
        (GROUPS | {"by": "town"}, {}, PlanError, "attribute of the vertices"),
        (GROUPS, {"unit": {"protects": "node", "degree": 3}}, PlanError, "protects single edges"),
        (DEGREES, {"unit": {"protects": "node", "degree": 3}}, PlanError, "say it once"),
        ({"name": "degrees", "price": {"epsilon": 1}}, {}, PlanError, "largest degree"),
        (DEGREES | {"price": {"rho": 1}}, {}, PlanError, "pure epsilon"),
        (JOINT | {"classes": [2, 3]}, {}, ParameterError, "rise from 1"),
        ({"name": "triangles"}, {}, PlanError, "name"),
        (DEGREES, {"protect": [{"name": "k-degree", "k": 2}]}, PlanError, "synthetic"),
        (DEGREES, {"statistics": []}, PlanError, "statistics"),
        (GROUPS, {"output": {"url": "sqlite:///x.db", "table": "t"}}, PlanError, "output|database|table"),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_the_charge(tmp_path, drawn, more, error, words):
    with pytest.raises(error, match=words):
        sfumato.plan_from(plan(drawn, **more), folder=tmp_path)


@pytest.mark.parametrize("drawn", [DEGREES, GROUPS])
def test_what_was_written_otherwise_is_not_published(tmp_path, drawn, monkeypatch):
    """A broken writer: one edge goes to another vertex, or all vertices get one group."""
    make = synthetic.tables

    def broken(run, counted, decided):
        if decided.labels:
            return make(run, counted, replace(decided, labels=("Officer",) * len(decided.labels)))
        edges = decided.graph.edges.copy()
        edges[0] = next((u, v) for u in range(36) for v in range(u + 1, 36) if [u, v] not in edges.tolist())
        return make(run, counted, replace(decided, graph=Graph(36, edges)))

    monkeypatch.setattr(synthetic, "tables", broken)
    with pytest.raises(InternalError):
        run(plan(drawn), tmp_path)
    assert not (tmp_path / "out.csv").exists()


def test_the_owner_is_told_how_near_it_is(tmp_path):
    run(plan(DEGREES), tmp_path)
    asked = [
        "graph",
        "nearness",
        str(tmp_path / "edges.csv"),
        str(tmp_path / "out.csv"),
        "--vertices",
        str(tmp_path / "people.csv"),
    ]
    found = CliRunner().invoke(commands, [*asked, "--json"], catch_exceptions=False)
    told = json.loads(found.stdout)
    assert (told["vertices"], told["edges"]) == (36, 78)
    assert {one["name"] for one in told["figures"]} >= {
        "graph_degrees",
        "graph_cores",
        "graph_triangles",
        "graph_paths",
    }
    assert "protect nobody" in CliRunner().invoke(commands, asked, catch_exceptions=False).stdout
    more = pa.table({"u": [0], "v": [1]}), pa.table({"u": [0, 1], "v": [1, 2]})
    with pytest.raises(SchemaError, match="as many vertices"):
        graph_nearness(*more)
