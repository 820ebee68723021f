"""`sfumato graph cores | degrees | parts | triangles | risk | nearness | recommend`: exact figures of a table of edges, for its owner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sfumato.cli.careful import CarefulGroup
from sfumato.cli.options import JSON, MISSING

if TYPE_CHECKING:
    from sfumato.document.result.graph import GraphFigures
    from sfumato.document.result.graph_risk import GraphRisks
    from sfumato.front.graphs import EdgeColumns
    from sfumato.table.source import FileSource, SqlSource

F = TypeVar("F", bound=Callable[..., Any])
_SHOWN = 30
"""Values that a terminal shows; JSON has them all."""
EXACT = "These figures are exact: they are for the owner of the table, and protect nobody. To publish, write a plan."
_OPTIONS = (
    click.argument("source"),
    click.option("--from", "first", metavar="COLUMN", help="Column of one end (default: the first)."),
    click.option("--to", "second", metavar="COLUMN", help="Column of the other end (default: the second)."),
    click.option("--directed", is_flag=True, help="Edges have a direction: pairs with both are told by themselves."),
    click.option("--vertices", type=click.Path(path_type=Path), help="Table that lists the vertices, also those without edges."),
    click.option("--vertex", metavar="COLUMN", help="Column of their names in it (default: the first)."),
    click.option("--no-header", is_flag=True, help="The first row of a CSV file is an edge."),
    click.option("--query", help="Table name or SELECT, when SOURCE is an SQL URL."),
    click.option("--delimiter", help="Separator of a CSV file; sniffed otherwise."),
    MISSING,
    click.option("--engine", help="Where the work is done: duckdb, spark, or a cluster such as spark://host:7077."),
    click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the number of each vertex: .csv, .parquet, .xlsx."),
    JSON,
)  # fmt: skip


def _options(command: F) -> F:
    """All of them on a command."""
    return reduce(lambda done, option: option(done), reversed(_OPTIONS), command)


@click.group(cls=CarefulGroup)
def graph() -> None:
    """Look at a table of edges: exact figures, for its owner."""


@graph.command()
@_options
def cores(**said: Any) -> None:
    """Core numbers of SOURCE: the largest k such that a vertex has k neighbors who all have k among each other."""
    _show("cores", said)


@graph.command()
@_options
def degrees(**said: Any) -> None:
    """How many neighbors the vertices of SOURCE have."""
    _show("degrees", said)


@graph.command()
@_options
def parts(**said: Any) -> None:
    """The connected parts of SOURCE, and how large they are."""
    _show("parts", said)


@graph.command()
@_options
def triangles(**said: Any) -> None:
    """In how many triangles the vertices of SOURCE are."""
    _show("triangles", said)


@graph.command()
@_options
@click.option("--seeds", type=int, default=50, show_default=True, help="Persons who are known in both graphs.")
@click.option("--common-vertices", type=float, default=0.75, show_default=True, help="Share of persons in both graphs.")
@click.option("--common-edges", type=float, default=0.75, show_default=True, help="Share of their edges in both.")
def risk(seeds: int, common_vertices: float, common_edges: float, **said: Any) -> None:
    """Who is found in SOURCE: by the number of neighbors, by the neighborhood, and from seeds on a second graph."""
    from sfumato.cli.show import show
    from sfumato.engine.duckdb.columns import write_columns
    from sfumato.front.graph_risks import chances, graph_risks
    from sfumato.front.graphs import read_graph
    from sfumato.table.source import FileSink

    place, columns = _place(said)
    named, _ = read_graph(place, columns, engine=said["engine"])
    told = graph_risks(named, seeds, common_vertices, common_edges)
    if said["output"] is not None:
        write_columns({"vertex": list(named.names), **chances(named)}, FileSink(said["output"]))
    show(told, "\n".join(_risk_lines(told)), as_json=said["as_json"])


@graph.command()
@_options
@click.argument("other", type=click.Path(path_type=Path))
def nearness(other: Path, **said: Any) -> None:
    """How near the graph of OTHER, a table of edges with the same columns, is to that of SOURCE: exact distances."""
    from sfumato.cli.show import show
    from sfumato.engine.duckdb.columns import write_columns
    from sfumato.front.graphs import graph_nearness
    from sfumato.report.columns import aligned
    from sfumato.table.source import FileSink

    place, columns = _place(said)
    found = graph_nearness(place, other, columns, engine=said["engine"])
    names, values = [one.label for one in found.figures], [one.value for one in found.figures]
    if said["output"] is not None:
        write_columns({"figure": names, "distance": values}, FileSink(said["output"]))
    rows = [(name, "-" if value is None else f"{value:.4g}") for name, value in zip(names, values, strict=True)]
    head = f"{found.edges:,} and {found.other:,} edges between {found.vertices:,} vertices"
    show(
        found, "\n".join([head, "", *aligned([("figure", "distance"), *rows], {0}), "", EXACT]), as_json=said["as_json"]
    )


@graph.command()
@click.option("--vertices", type=int, required=True, help="Public number of vertices.")
@click.option(
    "--edges", type=int, required=True, help="About how many edges there are: a public guess, or a noisy number."
)
@click.option("--epsilon", required=True, help="For one edge, such as 0.5 or 1/2.")
@click.option("--local", is_flag=True, help="Nobody is trusted: each vertex draws its own noise.")
@JSON
def recommend(vertices: int, edges: int, epsilon: str, local: bool, as_json: bool) -> None:
    """Say which private core numbers err least at a size and an epsilon: tried on public random graphs, nothing is read."""
    from sfumato.cli.show import show
    from sfumato.front.graph_forecasts import cores_recommended
    from sfumato.report.columns import aligned

    found = cores_recommended(vertices, edges, epsilon, local=local)
    rows = [(one.name, "nobody" if one.local else "a curator", f"{one.error:.3g}") for one in found.tried]
    rows += [("0 for all, which costs nothing", "nobody", f"{found.zero:.3g}")]
    text = ["Mean error of a core number on public random graphs of the size", ""]
    show(found, "\n".join([*text, *aligned([("how", "trusted", "error"), *rows], {0, 1})]), as_json=as_json)


def _risk_lines(told: GraphRisks) -> list[str]:
    """Who is found, for people."""
    from sfumato.report.columns import aligned

    found = told.seeds
    shared = f"{found.common_vertices:.0%} of persons and {found.common_edges:.0%} of edges"
    right = "none is claimed" if found.right is None else f"{found.claimed:,} claims, {found.right:.1%} of them right"
    return [
        f"{told.edges:,} edges between {told.vertices:,} vertices",
        "",
        *aligned([("what is known", "persons"), *((one.label, f"{one.value or 0.0:.1%}") for one in told.risk)], {0}),
        "",
        f"From {found.seeds} seeds, of two graphs that share {shared}:",
        f"{found.found:.1%} of {found.persons:,} others found ({right}); {found.control:.1%} in a graph of random edges",
    ]


def _show(figure: str, said: dict[str, Any]) -> None:
    """Find a figure, write it if it is asked for, and print it."""
    from sfumato.cli.show import show
    from sfumato.engine.duckdb.columns import write_columns
    from sfumato.front.graphs import graph_numbers, told_of
    from sfumato.table.source import FileSink

    place, columns = _place(said)
    found = graph_numbers(place, figure, columns, engine=said["engine"])
    told = told_of(figure, found)
    if said["output"] is not None:
        write_columns({"vertex": list(found.names), _COLUMN[figure]: found.numbers}, FileSink(said["output"]))
    show(told, "\n".join(_lines(told, directed=said["directed"])), as_json=said["as_json"])


_COLUMN = {"cores": "core", "degrees": "degree", "parts": "part", "triangles": "triangles"}
"""Name of the column of each figure."""
_TOTAL = {"cores": "largest core number", "degrees": "edges", "parts": "parts", "triangles": "triangles"}


def _place(said: dict[str, Any]) -> tuple[FileSource | SqlSource, EdgeColumns]:
    """The source, its first row an edge if that is said, and its columns."""
    from sfumato.cli.work import where
    from sfumato.front.graphs import EdgeColumns
    from sfumato.table.source import FileSource

    place = where(said["source"], query=said["query"], delimiter=said["delimiter"], missing=said["missing"])
    if said["no_header"] and isinstance(place, FileSource):
        place = replace(place, dialect={**place.dialect, "header": False})
    return place, EdgeColumns(said["first"], said["second"], vertices=said["vertices"], vertex=said["vertex"])


def _lines(told: GraphFigures, *, directed: bool) -> list[str]:
    """Figures for people."""
    from sfumato.report.columns import aligned

    tidied = told.tidied
    doubles = tidied.doubles - (tidied.mutual if directed else 0)
    both = f", {tidied.mutual:,} pairs with edges both ways" if directed else ""
    lines = [
        f"{tidied.rows:,} rows: {tidied.edges:,} edges between {told.vertices:,} vertices ({tidied.alone:,} without an edge)",
        f"left out: {tidied.loops:,} loops, {doubles:,} doubles{both}, {tidied.missing:,} rows without two names",
    ]
    if tidied.outside or tidied.repeated:
        lines.append(
            f"          {tidied.outside:,} rows with an end that is not listed; {tidied.repeated:,} vertices listed again"
        )
    lines.append(f"{_TOTAL[told.figure]}: {told.total:,}")
    if told.rounds is not None:
        end = f"; then {told.peeled:,} vertices still changed, and the rest was peeled in memory" if told.peeled else ""
        lines.append(f"{told.rounds} rounds, {told.messages:,} messages{end}")
    rows = [(f"{value:,}", f"{count:,}") for value, count in zip(told.values, told.counts, strict=True)]
    of = "parts" if told.figure == "parts" else "vertices"
    lines += ["", *aligned([(told.number, of), *rows[:_SHOWN]], set())]
    if len(rows) > _SHOWN:
        lines.append(f"… {len(rows) - _SHOWN} more values")
    return [*lines, "", EXACT]
