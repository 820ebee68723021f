"""Exact figures of tables of edges against networkx: small graphs of every kind, real ones, three engines."""

import gzip
from itertools import combinations

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.spark.engine import SparkEngine
from sfumato.errors import SchemaError
from sfumato.summary.cores import montresor_rounds
from sfumato.summary.edges import CoresOf, DegreesOf, EdgesOf, PartsOf, TrianglesOf, Vertices, VerticesOf
from sfumato.table.graph import component_labels
from sfumato.table.source import source_from

ENDS = EdgesOf("u", "v")


def table(rows):
    """Edges as texts, or whatever they are."""
    return pa.table({"u": [u for u, _ in rows], "v": [v for _, v in rows]})


def peer(rows):
    """The same graph of networkx, tidied."""
    graph = nx.Graph((str(u), str(v)) for u, v in rows if u is not None and v is not None)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


def told(engine, opened, ask):
    """A number of each vertex by its name."""
    found = engine.summarize(opened, ask)
    return dict(zip(found.names, found.numbers.tolist(), strict=True))


def check(engine, rows):
    """All figures are those of networkx, rounds and messages those of the protocol in memory."""
    graph, opened = peer(rows), engine.scan(source_from(table(rows)))
    assert told(engine, opened, DegreesOf(ENDS)) == dict(graph.degree)
    assert told(engine, opened, TrianglesOf(ENDS)) == nx.triangles(graph)
    edges = engine.summarize(opened, ENDS)
    assert {frozenset(edges.named.names[i] for i in pair) for pair in edges.named.graph.edges.tolist()} == {
        frozenset(edge) for edge in graph.edges
    }
    parts = engine.summarize(opened, PartsOf(ENDS))
    assert parts.numbers.tolist() == component_labels(len(parts.names), edges.named.graph.edges).tolist()
    found = engine.summarize(opened, CoresOf(ENDS, most_local=0))
    assert dict(zip(found.names, found.numbers.tolist(), strict=True)) == nx.core_number(graph)
    rounds = list(montresor_rounds(edges.named.graph))
    assert (found.rounds, found.messages) == (len(rounds), sum(one.messages for one in rounds))
    assert found.peeled == 0
    assert told(engine, opened, CoresOf(ENDS)) == nx.core_number(graph)
    tidied = edges.tidied
    assert tidied == found.tidied
    assert tidied.rows == len(rows) == tidied.missing + tidied.outside + tidied.loops + tidied.doubles + tidied.edges
    assert tidied.alone == sum(not degree for _, degree in graph.degree)


def test_every_graph_of_five_vertices_with_a_loop_and_a_double():
    """All 1024 of them side by side in one table, each followed by a loop and a repeated edge."""
    pairs, rows = list(combinations(range(5), 2)), []
    for mask in range(1 << len(pairs)):
        edges = [(f"{mask}-{u}", f"{mask}-{v}") for i, (u, v) in enumerate(pairs) if mask >> i & 1]
        rows += [*edges, *((v, u) for u, v in edges[:1]), (f"{mask}-0", f"{mask}-0")]
    check(DuckDBEngine(), rows)


REAL = {"karate_edges.csv": 1, "email-Eu-core.csv.gz": 1, "ca-GrQc.txt.gz": 0, "facebook_combined.txt.gz": 0}
"""Real graphs, and the lines before their edges."""


@pytest.mark.parametrize("name", REAL)
def test_real_graphs(shared, name):
    path = shared / "data" / "graphs" / name
    text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()
    check(DuckDBEngine(), [tuple(line.replace(",", " ").split()) for line in text.splitlines()[REAL[name] :]])


ODD = [*nx.krackhardt_kite_graph().edges, (3, 3), (1, 0), (None, 4), (12, 12), (10, 11)]
"""A small graph with a loop, a double, a row that names one vertex only, one with a loop alone, and a second part."""


TEXTS = [tuple(None if end is None else str(end) for end in row) for row in ODD]


def test_sail_finds_the_same(sail):
    check(SparkEngine(sail), TEXTS)


def test_spark_finds_the_same_cores(spark):
    engine = SparkEngine(spark)
    found = engine.summarize(engine.scan(source_from(table(TEXTS))), CoresOf(ENDS, most_local=0))
    assert dict(zip(found.names, found.numbers.tolist(), strict=True)) == nx.core_number(peer(TEXTS))


def test_what_was_tidied():
    engine = DuckDBEngine()
    found = engine.summarize(engine.scan(source_from(table(ODD))), ENDS).tidied
    assert (found.missing, found.loops, found.doubles, found.mutual, found.edges, found.alone) == (1, 2, 1, 1, 19, 1)


def test_a_long_path_is_peeled():
    engine, n = DuckDBEngine(), 5000
    found = engine.summarize(engine.scan(source_from(table([(i, i + 1) for i in range(n)]))), CoresOf(ENDS))
    assert set(found.numbers.tolist()) == {1}
    assert (found.rounds, found.peeled) == (2, 2)  # 2500 more would follow


def test_listed_vertices_count_and_others_do_not():
    engine = DuckDBEngine()
    people = pa.table({"id": ["c", "a", "z", "a", None], "club": ["x", "y", None, "w", "v"]})
    known = engine.summarize(engine.scan(source_from(people)), VerticesOf("id", ("club",)))
    assert (known.names, known.repeated, known.missing) == (("a", "c", "z"), 1, 1)
    assert known.attributes == {"club": ("y", "x", None)}
    opened = engine.scan(source_from(table([("a", "c"), ("a", "q"), ("z", "z")])))
    found = engine.summarize(opened, EdgesOf("u", "v", known))
    assert (found.named.names, found.named.graph.edges.tolist()) == (("a", "c", "z"), [[0, 1]])
    assert (found.tidied.outside, found.tidied.alone, found.tidied.loops) == (1, 1, 1)
    assert told(engine, opened, CoresOf(EdgesOf("u", "v", known))) == {"a": 1, "c": 1, "z": 0}


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64(), pa.string()])
def test_one_vertex_has_one_name_whatever_its_type(kind):
    engine = DuckDBEngine()
    columns = pa.table({"u": pa.array([7, 8]), "v": pa.array([8, 7]).cast(kind)})
    found = engine.summarize(engine.scan(source_from(columns)), ENDS)
    assert (found.named.names, found.tidied.edges, found.tidied.mutual) == (("7", "8"), 1, 1)


def test_a_graph_of_nobody_is_refused():
    engine = DuckDBEngine()
    with pytest.raises(SchemaError, match="must have a vertex"):
        engine.summarize(engine.scan(source_from(table([(None, "a")]))), ENDS)
    nobody = Vertices((), {}, 0, 0)
    with pytest.raises(SchemaError, match="must have a vertex"):
        engine.summarize(engine.scan(source_from(table([("a", "b")]))), EdgesOf("u", "v", nobody))


def test_more_rounds_follow_only_where_many_change():
    engine, rng = DuckDBEngine(), np.random.default_rng(5)
    rows = [tuple(pair) for pair in rng.integers(0, 400, (1200, 2)).tolist()]
    opened = engine.scan(source_from(table(rows)))
    whole, short = (engine.summarize(opened, CoresOf(ENDS, most)) for most in (0, 10**6))
    assert short.rounds < whole.rounds
    assert 0 < 4 * short.peeled < len(short.names)
    assert np.array_equal(whole.numbers, short.numbers)
