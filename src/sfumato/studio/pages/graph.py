"""Who is connected with whom: what a plan of a graph says of its columns, and its statistics, synthetic graph or protection."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast, get_args

from sfumato.document.catalog import kind_of
from sfumato.document.codec import read
from sfumato.document.graph import GraphDocument, GraphTable, GraphUnit, VerticesFile
from sfumato.document.graph_release import GraphProtectTable
from sfumato.document.graph_statistics import CoresTable, GraphStatisticTable
from sfumato.document.graph_synthetic import SyntheticTable
from sfumato.document.header import PLAN, without_header
from sfumato.document.trace_statistics import AnswersTable, PriceTable
from sfumato.errors import PlanError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.release.draft_graph import named_ends
from sfumato.release.graph.forecast import Size, foretold
from sfumato.studio.fields import Field, fields_of, read_fields
from sfumato.studio.leveled import free_place
from sfumato.studio.look import look_at
from sfumato.studio.pages.base import Asked, Page, Turn
from sfumato.studio.pages.promise import Entry, words_of
from sfumato.studio.pages.traces import emptied, posted_of
from sfumato.studio.plan_file import put_entry, set_table
from sfumato.studio.shelf import whole
from sfumato.studio.upload import kept

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.result.trace_statistics import NoiseTold
    from sfumato.document.spec import Class
    from sfumato.table.values import Item, Table

STATISTICS: Mapping[str, Class] = {cls.tag[1]: cls for cls in get_args(GraphStatisticTable)}
PROTECTIONS: Mapping[str, Class] = {cls.tag[1]: cls for cls in get_args(GraphProtectTable)}
SYNTHETICS: Mapping[str, Class] = {cls.tag[1]: cls for cls in get_args(SyntheticTable)}
UNITS: Mapping[str, Class] = {cls.tag[1]: cls for cls in get_args(GraphUnit)}
OF_GRAPHS = ("graph", "graph-edges", "graph-synthetic")
"""Kinds of plans of a graph: of figures, of its edges, and of a synthetic one."""
FOLDER = "vertices"
"""Folder of a project for tables of vertices that were dropped."""
_OF_FIGURES = ("unit", "statistics", "synthetic", "answers", "account")
"""What a plan of edges does not say."""


@dataclass(frozen=True, slots=True)
class Priced:
    """A statistic of the plan.

    Args:
        entry: its keys.
        price: keys of what it costs.
    """

    entry: Entry
    price: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class View:
    """A plan of a graph, or what makes one of a plan of a table.

    Args:
        seen: of the plan.
        kind: "graph" (figures), "graph-edges" or "graph-synthetic"; "": it is of no graph.
        columns: keys of [graph].
        vertices: keys of the table of vertices.
        listed: where that table is; "": there is none.
        unit: what is protected.
        units: each unit with what it means.
        statistics: what is told, in order.
        protections: what is done to the edges.
        synthetic: what a synthetic graph is drawn from; None: none is.
        drawing: what it may be drawn from, where the address names one.
        adding: the statistic that is being added; None: none is.
        protecting: the protection that is being added; None: none is.
        kinds: statistics that may be added, with what they tell.
        ways: protections that may be added, with what they do.
        drawn: what a synthetic graph may be drawn from.
        noises: how wrong the statistics would be, as far as it is known before anything is read.
        answers: how numbers are told.
    """

    seen: str
    kind: str
    columns: tuple[Field, ...]
    vertices: tuple[Field, ...]
    listed: str
    unit: tuple[Field, ...]
    units: tuple[tuple[str, str], ...]
    statistics: tuple[Priced, ...]
    protections: tuple[Entry, ...]
    synthetic: Priced | None
    drawing: Priced | None
    adding: Priced | None
    protecting: Entry | None
    kinds: tuple[tuple[str, str], ...]
    ways: tuple[tuple[str, str], ...]
    drawn: tuple[tuple[str, str], ...]
    noises: tuple[NoiseTold, ...]
    answers: tuple[Field, ...]


def view(asked: Asked) -> View:
    """What the plan says; where it is of no graph, empty forms."""
    file = asked.project.plan_file()
    kind = kind_of(file.tables)
    said: Table = file.tables if kind in OF_GRAPHS else {}
    graph = cast("Table", said.get("graph", posted_of(asked, "graph")))
    vertices = cast("Table", graph.get("vertices", {}))
    add, wanted, draw = (asked.query.get(key, "") for key in ("add", "protect", "draw"))
    drawn = cast("Table", said.get("synthetic", {}))
    return View(
        seen=file.seen,
        kind=kind if kind in OF_GRAPHS else "",
        columns=_ends(asked, graph),
        vertices=_some(fields_of(VerticesFile, vertices), "vertex", "attributes"),
        listed=str(vertices.get("path", vertices.get("query", ""))),
        unit=_unit(cast("Table", said.get("unit", posted_of(asked, "unit")))),
        units=_meant(UNITS),
        statistics=tuple(_priced(STATISTICS, i, one, vertices) for i, one in enumerate(_list(said, "statistics"))),
        protections=tuple(_entry(PROTECTIONS, i, one) for i, one in enumerate(_list(said, "protect"))),
        synthetic=_priced(SYNTHETICS, 0, drawn, vertices) if drawn else None,
        drawing=_adding(SYNTHETICS, asked, draw, vertices) if draw else None,
        adding=_adding(STATISTICS, asked, add, vertices) if add else None,
        protecting=_entry(PROTECTIONS, -1, {**asked.posted, "name": wanted}) if wanted else None,
        kinds=_meant(STATISTICS),
        ways=_meant(PROTECTIONS),
        drawn=_meant(SYNTHETICS),
        noises=_noises(file.tables) if kind == "graph" else (),
        answers=fields_of(AnswersTable, cast("Table", said.get("answers", {}))),
    )


def _noises(tables: Table) -> tuple[NoiseTold, ...]:
    """How wrong the statistics would be by the law of their noise, but for core numbers; () where the plan is not yet one."""
    try:
        said = read(GraphDocument, without_header(tables, PLAN, "the plan"), "the plan")
        known = tuple(one for one in said.statistics if not isinstance(one, CoresTable))
        return foretold(replace(said, statistics=known), Size()).noises if known else ()
    except SfumatoError:
        return ()


def _list(said: Table, key: str) -> Sequence[Table]:
    return cast("Sequence[Table]", said.get(key, ()))


def _meant(classes: Mapping[str, Class]) -> tuple[tuple[str, str], ...]:
    """Names with what they mean."""
    return tuple((name, words_of(cls)) for name, cls in classes.items())


def _some(fields: tuple[Field, ...], *names: str) -> tuple[Field, ...]:
    return tuple(one for one in fields if one.name in names)


def _ends(asked: Asked, graph: Table) -> tuple[Field, ...]:
    """Keys of [graph] without its vertices; columns are chosen from those of the table."""
    look = look_at(asked.project)
    names = () if look is None else tuple(one.name for one in look.columns)
    likely = None if graph else named_ends(names)
    if likely is not None:  # where nothing is said yet, names of columns may speak
        graph = {"source": likely.source, "target": likely.target, **({"directed": True} if likely.directed else {})}
    return tuple(
        replace(one, kind="words", words=names) if names and one.name != "directed" else one
        for one in _some(fields_of(GraphTable, graph), "source", "target", "directed")
    )


def _unit(said: Table) -> tuple[Field, ...]:
    """What is protected, and the keys that a unit has beside."""
    (found,) = _some(fields_of(GraphDocument, {}), "unit")
    value = str(said.get("protects", ""))
    choice = replace(found, name="protects", label="protects", kind="words", words=tuple(UNITS), value=value)
    return (choice, *(replace(one, is_required=False) for cls in UNITS.values() for one in fields_of(cls, said)))


def _entry(classes: Mapping[str, Class], place: int, said: Table) -> Entry:
    cls = _known(classes, str(said.get("name", "")))
    return Entry(place, str(said["name"]), words_of(cls), fields_of(cls, said))


def _priced(classes: Mapping[str, Class], place: int, said: Table, vertices: Table) -> Priced:
    """A statistic, or what a graph is drawn from; an attribute is chosen from those that are read."""
    entry, names = (
        _entry(classes, place, said),
        tuple(map(str, cast("Sequence[str]", vertices.get("attributes", ())))),
    )
    fields = tuple(
        replace(one, kind="words", words=names) if one.name == "by" and names else one
        for one in entry.fields
        if one.name != "price"
    )
    price = fields_of(PriceTable, cast("Table", said.get("price", {})))
    return Priced(replace(entry, fields=fields), _some(price, "epsilon") if classes is SYNTHETICS else price)


def _adding(classes: Mapping[str, Class], asked: Asked, name: str, vertices: Table) -> Priced:
    """What the address names, with what was typed."""
    return _priced(classes, -1, {**asked.posted, "name": name, "price": posted_of(asked, "price")}, vertices)


def _known(classes: Mapping[str, Class], name: str) -> Class:
    if name not in classes:
        raise PlanError("A statistic or a protection must be one of those that are known.", "choose one of the list.")
    return classes[name]


def begin(asked: Asked) -> Turn:
    """The plan of a table becomes one of a graph: source and places stay, columns, promises and method go."""
    graph, told = read_fields(GraphTable, _without(posted_of(asked, "graph"), "vertices")), _told_unit(asked)

    def edit(document: Any) -> None:
        emptied(document)
        set_table(document, ("graph",), graph)
        _as_figures(document)
        set_table(document, ("unit",), told)

    asked.edited(edit)
    return Turn("graph")


def _without(posted: Mapping[str, str], name: str) -> dict[str, str]:
    return {key: text for key, text in posted.items() if key != name}


def _told_unit(asked: Asked) -> dict[str, Item]:
    """[unit] as it was filled in."""
    posted = posted_of(asked, "unit")
    name = posted.get("protects", "")
    if name not in UNITS:
        raise PlanError("What is protected must be one of those that are shown.", "choose one of them.")
    return {"protects": name, **read_fields(UNITS[name], posted)}


def _as_figures(document: Any) -> None:
    """Make a plan one of figures."""
    for key in ("protect", "synthetic"):
        document.pop(key, None)
    if "unit" not in document:
        set_table(document, ("unit",), {"protects": next(iter(UNITS))})
    if not document.get("statistics"):
        document.pop("statistics", None)
        document["statistics"] = []


def columns(asked: Asked) -> Turn:
    """Which columns the ends of an edge are."""
    _check(asked)
    table = read_fields(GraphTable, _without(posted_of(asked, "graph"), "vertices"))

    def edit(document: Any) -> None:
        there = {"vertices": document["graph"]["vertices"]} if "vertices" in document["graph"] else {}
        set_table(document, ("graph",), {**table, **there})

    asked.edited(edit)
    return Turn("graph", place="columns")


def vertices(asked: Asked) -> Turn:
    """The public table of vertices: a file that is dropped, or other columns of the one that is there.

    Raises:
        PlanError: there is none, or the plan on disk is another one.
    """
    _check(asked)
    said = cast("Table", asked.project.plan_file().tables["graph"])
    there = dict(cast("Table", said.get("vertices", {})))
    if asked.upload is None and not there:
        raise PlanError("Vertices must stand in a file.", "drop it.")
    place = None
    if asked.upload is not None:
        (asked.project.folder / FOLDER).mkdir(exist_ok=True)
        place = kept(asked.upload, free_place(asked.project, asked.upload.filename or "", FOLDER))
        there = {"path": place.relative_to(asked.project.folder).as_posix()}
    named = {key: asked.posted.get(key, "") for key in ("vertex", "attributes")}
    table = {**{key: one for key, one in there.items() if key not in named}, **read_fields(VerticesFile, named)}
    try:
        asked.edited(lambda document: document["graph"].update({"vertices": _inline(table)}))
    except BaseException:
        if place is not None:
            place.unlink(missing_ok=True)
        raise
    return Turn("graph", place="vertices")


def unlist(asked: Asked) -> Turn:
    """The vertices are those of the edges again."""
    _check(asked)
    asked.edited(lambda document: document["graph"].pop("vertices", None))
    return Turn("graph", place="vertices")


def unit(asked: Asked) -> Turn:
    """What is protected."""
    _check(asked, "graph", "graph-synthetic")
    table = _told_unit(asked)
    asked.edited(lambda document: set_table(document, ("unit",), table))
    return Turn("graph", place="unit")


def answers(asked: Asked) -> Turn:
    """How numbers are told."""
    _check(asked, "graph")
    table = read_fields(AnswersTable, asked.posted)
    asked.edited(lambda document: set_table(document, ("answers",), table))
    return Turn("graph", place="answers")


def tell(asked: Asked) -> Turn:
    """A statistic more, or one with other keys; a protection of the edges, or a synthetic graph, goes."""
    _check(asked)
    place, table = whole(asked.posted.get("place", "")), _told(asked, STATISTICS)

    def edit(document: Any) -> None:
        _as_figures(document)
        put_entry(document, "statistics", place, table)

    asked.edited(edit)
    return Turn("graph", place="figures")


def _told(asked: Asked, classes: Mapping[str, Class]) -> dict[str, Item]:
    """A table with a price as it was filled in."""
    name = asked.posted.get("kind", "")
    table: dict[str, Item] = {"name": name, **read_fields(_known(classes, name), _without(asked.posted, "price"))}
    price = read_fields(PriceTable, posted_of(asked, "price"))
    return {**table, "price": _inline(price)} if price else table


def draw(asked: Asked) -> Turn:
    """A synthetic graph is published; statistics, or a protection of the edges, go."""
    _check(asked)
    table = _told(asked, SYNTHETICS)

    def edit(document: Any) -> None:
        _as_figures(document)
        for key in ("statistics", "answers"):
            document.pop(key, None)
        set_table(document, ("synthetic",), table)

    asked.edited(edit)
    return Turn("graph", place="synthetic")


def _inline(table: Table) -> Any:
    """A table in one line."""
    import tomlkit

    made = tomlkit.inline_table()
    made.update(table)
    return made


def protect(asked: Asked) -> Turn:
    """What is done to the edges, once; statistics, a synthetic graph and what they protect go."""
    _check(asked)
    name = asked.posted.get("kind", "")
    table = {"name": name, **read_fields(_known(PROTECTIONS, name), asked.posted)}

    def edit(document: Any) -> None:
        for key in _OF_FIGURES:
            document.pop(key, None)
        put_entry(document, "protect", 0, table)

    asked.edited(edit)
    return Turn("graph", place="edges")


def remove(asked: Asked) -> Turn:
    """A statistic, a protection or a synthetic graph less; without them, the plan is one of figures again."""
    place = whole(asked.posted.get("place", ""))
    kind = kind_of(asked.project.plan_file().tables)
    key, where = _LISTS.get(kind or "", _LISTS["graph"])

    def edit(document: Any) -> None:
        if place is None or place >= len(document.get(key, ())):
            raise PlanError("What is removed must be one of the plan.", "choose one of the list.")
        if kind != "graph-synthetic":
            del document[key][place]
        if kind == "graph-synthetic" or not len(document[key]):
            _as_figures(document)

    asked.edited(edit)
    return Turn("graph", place=where)


_LISTS = {
    "graph": ("statistics", "figures"),
    "graph-edges": ("protect", "edges"),
    "graph-synthetic": ("synthetic", "synthetic"),
}
"""What a kind of plan publishes: its table, and where that is on the page."""


def _check(asked: Asked, *kinds: str) -> None:
    """Refuse to give a plan of something else keys of a graph."""
    if kind_of(asked.project.plan_file().tables) not in (kinds or OF_GRAPHS):
        raise PlanError(
            "The plan must be one of figures or edges of a graph; it is another.", "make it one on the page of graphs."
        )


PAGE = Page(
    name="graph", place=46, title="Graph", command="sfumato run plan.toml", kinds=("plan", *OF_GRAPHS), view=view,
    acts={"begin": begin, "columns": columns, "vertices": vertices, "unlist": unlist, "unit": unit, "answers": answers,
          "tell": tell, "draw": draw, "protect": protect, "remove": remove},
    uploads=("vertices",),
)  # fmt: skip
