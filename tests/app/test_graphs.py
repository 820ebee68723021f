"""Tables of edges: what their owner is told exactly, and plans that release statistics of them."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import sfumato
from sfumato.cli.main import commands
from sfumato.errors import LedgerError, ParameterError, PlanError, SchemaError, SourceError
from sfumato.front.drafting import draft_plan
from sfumato.front.graphs import EdgeColumns, graph_numbers
from sfumato.release.answer.opening import create, opening_in
from sfumato.release.graph.registry import BUILDERS
from sfumato.release.method.graph_statistics import METHOD
from sfumato.report.text import render_text
from sfumato.table.graph import Graph
from sfumato.table.source import FileSource

PRICE = {"epsilon": "10000"}
"""So little noise that whole numbers are exact but with chance below 1e-300."""
GRAPH = {"source": "who", "target": "whom"}
LISTED = {"vertices": {"path": "people.csv", "vertex": "name"}}
CORES, CONNECT = {"name": "cores", "price": PRICE}, {"name": "edges-to-connect", "price": PRICE}


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


def plan(*statistics, graph=GRAPH | LISTED, **more):
    made = {"format": "sfumato.plan/1", "source": {"path": "edges.csv"}, "graph": graph, "unit": {"protects": "edge"}}
    return made | {"statistics": list(statistics), "output": {"path": "out.parquet"}} | more


def run(document, tmp_path, edges="who,whom\nann,ben\nben,cid\ncid,ann\ncid,dan\n"):
    """A triangle with a tail, and one whom nobody knows."""
    (tmp_path / "edges.csv").write_text(edges)
    (tmp_path / "people.csv").write_text("name\nann\nben\ncid\ndan\neve\n")
    return sfumato.run(sfumato.plan_from(document, folder=tmp_path))


def command(*words):
    """What a command prints."""
    found = CliRunner().invoke(commands, words, catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.stdout


def figures(tmp_path, text, *words, figure="degrees", name="edges.csv"):
    """Exact figures of edges in a CSV file."""
    (tmp_path / name).write_text(text)
    return json.loads(command("graph", figure, str(tmp_path / name), "--json", *words))


def test_a_loop_is_no_edge_and_is_told(tmp_path):
    """Case J1: an edge 1-1 gives nobody a degree."""
    told = figures(tmp_path, "u,v\n1,1\n1,2\n2,1\n1,2\n")
    assert (told["values"], told["counts"], told["total"]) == ([1], [2], 1)
    assert {key: told["tidied"][key] for key in ("rows", "loops", "doubles", "mutual", "edges")} == {
        "rows": 4, "loops": 1, "doubles": 2, "mutual": 1, "edges": 1,
    }  # fmt: skip
    alone = figures(tmp_path, "u,v\n1,1\n")
    assert (alone["values"], alone["counts"], alone["tidied"]["alone"]) == ([0], [1], 1)


def test_signs_in_names_and_a_delimiter_at_the_end(tmp_path):
    """Case J3: `#` is part of a name, and a last delimiter is a third column."""
    told = figures(tmp_path, "u,v,\n#1,a#b,\na#b,#,\n#,#1,\n", figure="cores")
    assert (told["values"], told["counts"], told["vertices"]) == ([2], [3], 3)


def test_the_owner_is_told_plainly_that_figures_are_exact(tmp_path):
    (tmp_path / "edges.csv").write_text("a;b;weight\n1;2;x\n2;1;y\n2;3;\n;4;z\n")
    text = command("graph", "parts", str(tmp_path / "edges.csv"), "--directed")
    assert "4 rows: 2 edges between 3 vertices" in text
    assert "0 loops, 0 doubles, 1 pairs with edges both ways, 1 rows without two names" in text
    assert text.endswith("These figures are exact: they are for the owner of the table, and protect nobody. To publish, write a plan.\n")  # fmt: skip


def test_core_numbers_are_written_by_vertex(tmp_path):
    (tmp_path / "edges.csv").write_text("u v\na b\nb c\nc a\nc d\n")
    (tmp_path / "people.csv").write_text("id\nz\na\nb\nc\nd\n")
    told = command(
        "graph", "cores", str(tmp_path / "edges.csv"), "--delimiter", " ", "--vertices", str(tmp_path / "people.csv"),
        "-o", str(tmp_path / "cores.csv"),
    )  # fmt: skip
    assert "largest core number: 2" in told
    assert (tmp_path / "cores.csv").read_text().split() == ["vertex,core", "a,2", "b,2", "c,2", "d,1", "z,0"]


def test_a_table_of_one_column_is_no_graph():
    with pytest.raises(SchemaError, match="two columns"):
        sfumato.read_graph(pa.table({"u": [1, 2]}))


def test_attributes_of_vertices_are_read():
    people = pa.table({"id": [1, 2, 3], "club": ["x", "y", None]})
    columns = EdgeColumns("a", "b", vertices=people, attributes=("club",))
    named, found = sfumato.read_graph(pa.table({"c": [0], "a": [1], "b": [2]}), columns)
    assert (named.names, named.attributes, named.listed, found.alone) == (
        ("1", "2", "3"),
        {"club": ("x", "y", None)},
        True,
        1,
    )


def test_each_statistic_is_a_table_and_nothing_else_is_told(tmp_path):
    release = run(
        plan(CONNECT, CORES, output={"path": "out.parquet", "result": "r.json", "report": "r.html"}), tmp_path
    )
    told = pq.read_table(tmp_path / "out.parquet").to_pydict()
    assert told == {"edges": [1], "edges low": [1], "edges high": [1]}
    cores = pq.read_table(tmp_path / "out.2-core-numbers.parquet").to_pydict()
    assert (cores.pop("vertex"), list(cores)) == (
        ["ann", "ben", "cid", "dan", "eve"],
        ["core", "core low", "core high"],
    )
    assert list(cores.values()) == [[2, 2, 2, 1, 0]] * 3  # nearly without noise
    told = json.loads((tmp_path / "r.json").read_text())
    assert (told["source"]["rows"], told["source"]["sha256"]) == (None, None)
    assert told["graph"]["vertices"] == 5
    assert (
        told["promise"][0]["assumptions"][-1] == "The vertices are public; nothing else than their edges is protected."
    )
    assert "loops are left out" in told["notes"][0]
    page = (tmp_path / "r.html").read_text()
    assert "hold together" in page
    assert "5, listed by a public table" in render_text(release.result)


CLUBS = {"vertices": {"path": "clubs.csv", "vertex": "name", "attributes": ["club"]}}
EXACT = [
    ({"name": "edges"}, {"edges": [4]}),
    ({"name": "parts"}, {"parts": [2]}),
    ({"name": "degrees", "most": 2}, {"degree": [0, 1, 2], "vertices": [1, 1, 3]}),
    ({"name": "triangles"}, {"triangles": [1]}),
    ({"name": "stars", "legs": 2}, {"stars": [5]}),
    ({"name": "clustering"}, {"clustering": [0.6]}),
    ({"name": "degrees-of-groups", "by": "club"}, {"club": ["(unknown)", "x", "y"], "degrees": [0, 4, 4]}),
    ({"name": "degrees", "by": "club", "most": 9}, None),
    ({"name": "mixing", "by": "club"}, None),
    ({"name": "assortativity", "by": "club"}, None),
    ({"name": "assortativity"}, None),
    ({"name": "edges-to-disconnect"}, {"edges": [0]}),
    (
        {"name": "core-quantiles", "shares": ["0", "1/2", "4/5"], "most": 4},
        {"share": ["0", "1/2", "4/5"], "core": [2, 2, 1]},
    ),
    *(({"name": "cores", "how": how}, None) for how in ("mat", "montresor", "levels")),
]
"""Statistics with so little noise that there is none, and what they tell of the triangle with its tail."""


def test_every_statistic_is_told_of_a_small_graph(tmp_path):
    """Each of the registry is asked at least once; exact ones are as counted by hand."""
    (tmp_path / "clubs.csv").write_text("name,club\nann,x\nben,x\ncid,y\ndan,y\neve,\n")
    asked = [one | {"price": {"epsilon": "1000000"}} for one, _ in EXACT]
    assert {statistic["name"] for statistic, _ in EXACT} | {"edges-to-connect"} == {cls.tag[1] for cls in BUILDERS}
    source = {"path": "edges.csv"}
    clubs = {**CLUBS["vertices"], "missing": [""]}
    release = run(plan(*asked, source=source, graph=GRAPH | {"vertices": clubs}), tmp_path)
    names = ["out.parquet", *(f"out.{word}.parquet" for word in METHOD.beside_of(release.plan))]
    for (_, expected), name in zip(EXACT, names, strict=True):
        found = pq.read_table(tmp_path / name).to_pydict()
        for column, values in (expected or {}).items():
            assert (
                found[column] == pytest.approx(values, abs=0.01) if column == "clustering" else found[column] == values
            )
    mixing = pq.read_table(tmp_path / names[8]).to_pydict()
    assert (
        dict(zip(zip(mixing["club"], mixing["other club"], strict=True), mixing["edges"], strict=True))[("x", "y")] == 2
    )
    by_club = pq.read_table(tmp_path / names[7]).to_pydict()
    assert [n for c, n in zip(by_club["club"], by_club["vertices"], strict=True) if c == "x"] == [0, 0, 2, *7 * [0]]


def test_vertices_are_protected_by_a_projection_to_their_degree(tmp_path):
    """A star of four legs keeps two of them."""
    asked = [
        {"name": "edges", "price": PRICE},
        {"name": "degrees", "price": PRICE},
        {"name": "stars", "legs": 2, "price": PRICE},
    ]
    release = run(
        plan(*asked, unit={"protects": "node", "degree": 2}), tmp_path, "who,whom\nann,ben\nann,cid\nann,dan\nann,eve\n"
    )
    edges, degrees, stars = release.result.graph.tables
    assert (edges.values, stars.values) == (((2.0,),), ((1.0,),))
    assert degrees.values == ((2.0,), (2.0,), (1.0,))
    assert "beyond the declared degree" in edges.notes[0]
    assert "node" in release.result.promise[0].statement


def test_without_a_table_of_vertices_whoever_has_an_edge_is_public(tmp_path):
    release = run(plan(CORES, graph=GRAPH), tmp_path)
    assert (release.result.graph.vertices, release.result.graph.listed) == (4, False)
    assert "has an edge at all is public" in release.result.promise[0].assumptions[-1]


def test_a_graph_without_edges_is_answered_like_any_other(tmp_path):
    """An error would tell that nobody knows anybody."""
    release = run(plan(CONNECT), tmp_path, "who,whom\nann,ann\n")
    assert release.result.graph.tables[0].values == ((4.0,),)


def test_the_whole_is_charged_once(tmp_path):
    account = {"ledger": "sqlite:///l.db", "dataset": "d", "analyst": "a", "request": "r", "budget": {"epsilon": 30000}}
    asked = plan(CONNECT, CORES, account=account)
    create(opening_in(written(asked, tmp_path)))
    assert run(asked, tmp_path).result.paid.left == ("10000",)
    with pytest.raises(LedgerError):
        run(asked | {"output": {"path": "again.parquet"}}, tmp_path)
    assert not (tmp_path / "again.parquet").exists()


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"graph": {"source": "who", "target": "who"}}, PlanError, "two different columns"),
        ({"statistics": []}, PlanError, "must ask for statistics"),
        ({"statistics": [CORES | {"price": {"rho": 1}}]}, PlanError, "paid by a pure epsilon"),
        ({"statistics": [CORES | {"price": {}}]}, ParameterError, "one price"),
        ({"unit": {"protects": "node", "degree": 3}}, PlanError, "not a vertex with all its edges"),
        ({"unit": {"protects": "node", "degree": 3}, "graph": GRAPH}, PlanError, "must be listed"),
        ({"unit": {"protects": "node", "degree": 0}}, ParameterError, "`rows` of a unit"),
        ({"output": {"path": "people.csv"}}, SourceError, "must not"),
        ({"statistics": [{"name": "degrees", "price": PRICE}]}, PlanError, "largest degree"),
        ({"statistics": [{"name": "stars", "legs": 4, "price": PRICE}]}, ParameterError, "legs must be"),
        ({"statistics": [{"name": "mixing", "by": "club", "price": PRICE}]}, PlanError, "attribute of the vertices"),
        ({"graph": {"source": "who", "target": "where"} | LISTED}, SchemaError, "absent"),
        ({"statistics": [CORES, CONNECT], "output": {"url": "sqlite:///o.db", "table": "t"}}, PlanError, "holds one"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_nothing_is_written(tmp_path, wrong, error, words):
    with pytest.raises(error, match=words):
        run(plan(CORES) | wrong, tmp_path)
    assert not {path.name for path in tmp_path.iterdir()} - {"edges.csv", "people.csv"}


def test_a_cluster_releases_the_same(tmp_path, sail):
    (tmp_path / "people.parquet").parent.mkdir(exist_ok=True)
    frame = sail.createDataFrame(
        [("ann", "ben"), ("ben", "cid"), ("cid", "ann"), ("cid", "cid")], "who string, whom string"
    )
    asked = plan(CORES, graph=GRAPH)
    del asked["source"], asked["output"]
    release = sfumato.run(sfumato.plan_from(asked, folder=tmp_path), frame)
    assert sorted(map(tuple, release.frame.collect())) == [("ann", 2, 2, 2), ("ben", 2, 2, 2), ("cid", 2, 2, 2)]


def test_j1_a_loop_is_no_neighbor(tmp_path):
    """Edge 1-1, by one convention wherever a graph is made: who knows only oneself knows nobody."""
    table = pa.table({"u": [1], "v": [1]})
    named, found = sfumato.read_graph(table)
    assert (named.names, named.graph.degrees.tolist(), found.loops, found.edges, found.alone) == (("1",), [0], 1, 0, 1)
    assert Graph(2, np.array([[1, 1]])).degrees.tolist() == [0, 0]
    for figure in ("degrees", "cores", "triangles"):
        assert graph_numbers(table, figure).numbers.tolist() == [0]
    degrees = {"name": "degrees", "most": 2, "price": {"epsilon": 10**6}}
    release = run(plan(degrees), tmp_path, "who,whom\nann,ann\nben,cid\ncid,cid\n")
    assert release.result.graph.tables[0].values == ((3.0,), (2.0,), (0.0,))


@pytest.mark.parametrize("end", ["", ","])
def test_j3_signs_in_names_and_separators_at_the_end_of_lines(tmp_path, end):
    """`#` begins no comment in a row of a table, and what ends a line is no third person."""
    rows = ["ann#1,ben", "ben,#cid", "#cid,ann#1", "#cid,#cid"]
    (tmp_path / "edges.csv").write_text("".join(f"{row}{end}\n" for row in ["who,whom", *rows]))
    named, found = sfumato.read_graph(tmp_path / "edges.csv")
    assert (named.names, found.rows, found.edges, found.loops) == (("#cid", "ann#1", "ben"), 4, 3, 1)
    assert draft_plan(FileSource(tmp_path / "edges.csv"), tmp_path / "p.toml").graph == ("who", "whom")
    (tmp_path / "numbers.csv").write_text("".join(f"{u},{v}{end}\n" for u, v in ((0, 1), (1, 2), (2, 0))))
    assert sfumato.read_graph(tmp_path / "numbers.csv")[1].edges == 3
    assert draft_plan(FileSource(tmp_path / "numbers.csv"), tmp_path / "n.toml").graph == ("column 1", "column 2")


def test_lines_of_comments_before_a_table_of_edges(tmp_path):
    """As SNAP writes them: the last one names the columns."""
    (tmp_path / "snap.txt").write_text(
        "# Directed graph\n# Nodes: 3 Edges: 3\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n2\t0\n"
    )
    named, found = sfumato.read_graph(tmp_path / "snap.txt")
    assert (named.names, found.rows) == (("0", "1", "2"), 3)
    made = draft_plan(FileSource(tmp_path / "snap.txt"), tmp_path / "p.toml")
    assert made.graph == ("# FromNodeId", "ToNodeId")
    assert sfumato.run(tmp_path / "p.toml").result.graph.vertices == 3
