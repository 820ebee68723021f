"""Projects of traces and of a graph in which every page has something to show."""

import networkx as nx
from tests.app.test_traces import GEO, PLAN_TEXT, walks, write
from tests.studio.furnished import Room, begun

from sfumato.studio.shelf import Project

FORM = {"graph-source": "who", "graph-target": "whom", "unit-protects": "edge"}
KARATE = "who,whom\n" + "".join(f"name-{u},name-{v}\n" for u, v in nx.karate_club_graph().edges())


def walked(hand):
    """A project of traces with its first run."""
    folder = hand.studio.folder / "marches"
    folder.mkdir()
    write(folder, walks(days=1))
    (folder / "plan.toml").write_text(PLAN_TEXT.replace("PROTECT", GEO), "utf-8")
    room = Room(hand, Project(folder))
    room.done("promise/run")
    room.finished("001")
    return room


def connected(hand):
    """A project of a graph with figures, run."""
    room = begun(hand, "liens.csv", KARATE.encode())
    room.done("graph/begin", **FORM)
    room.done("graph/tell", kind="edges", **{"price-epsilon": "1/2"})
    room.done("promise/run")
    room.finished("001")
    return room


def beside(traces, graph):
    """By name, every page of traces and of a graph that a page of a table does not show."""
    of_traces = {name: traces.path(page) for name, page in (
        ("traces-plan", "traces"), ("traces-adding", "traces?add=rule"), ("traces-result", "result"), ("traces-history", "history"),
    )}  # fmt: skip
    of_graph = {name: graph.path(page) for name, page in (
        ("graph-plan", "graph"), ("graph-adding", "graph?add=degrees"), ("graph-edges", "graph?protect=k-degree"), ("graph-drawing", "graph?draw=groups"), ("graph-result", "result"),
    )}  # fmt: skip
    return {**of_traces, **of_graph}
