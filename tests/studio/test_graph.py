"""A plan of a graph in a folder of the studio: made by forms alone, run with figures and with edges, shown without a name."""

import io
import json
import re
import tomllib
import zipfile

from tests.eyes import WIDTHS, has_run, heard, looked_at
from tests.studio.conftest import let_in
from tests.studio.furnished import HEADS, begun
from tests.studio.of_persons import FORM, KARATE
from tests.studio.test_french import english, sources

from sfumato.studio.pages.base import all_pages

PEOPLE = "id,club\n" + "".join(f"name-{v},{'ab'[v % 2]}\n" for v in range(36))


def plan_of(room):
    """The plan as it is on disk."""
    return tomllib.loads(room.project.plan_path.read_text("utf-8"))


def listed(room, **form):
    """The table of vertices, dropped."""
    seen = room.project.plan_file().seen
    files = {"table": ("../people.csv", PEOPLE.encode())}
    return room.hand.client.post(
        room.hand.studio.root + room.path("graph/vertices"), data={"seen": seen, **form}, files=files
    )


def test_a_dropped_table_of_edges_becomes_figures_and_then_edges(hand):
    """Every form of the page; what is of the other kind goes, and no name of a vertex stands on a page of a run."""
    room = begun(hand, "mails.csv", KARATE.encode())
    assert room.post("graph/tell", kind="edges", **{"price-epsilon": "1"}).status_code == 422  # of a table still
    assert (
        len(re.findall(r"<option[^>]* selected[^>]*>(?:who|whom)<", hand.get(room.path("graph")).text)) == 2
    )  # by their names
    assert room.post("graph/begin", **{**FORM, "unit-protects": ""}).status_code == 422
    room.done("graph/begin", **FORM)
    assert set(plan_of(room)) <= {"format", "source", "output", "graph", "unit", "statistics", "engine"}
    assert room.post("promise/run").status_code == 422  # nothing is told yet
    assert listed(room, vertex="").status_code == 422
    assert list((room.project.folder / "vertices").iterdir()) == []  # what is refused leaves nothing
    assert listed(room, vertex="id", attributes="club").status_code == 303
    assert plan_of(room)["graph"]["vertices"] == {"path": "vertices/people.csv", "vertex": "id", "attributes": ["club"]}
    assert room.post("graph/tell", kind="edges").status_code == 422  # without its price
    room.done("graph/tell", kind="edges", **{"price-epsilon": "1/2"})
    room.done("graph/tell", kind="mixing", by="club", **{"price-epsilon": "1"})
    room.done("graph/tell", kind="edges", place="0", **{"price-epsilon": "10000"})
    room.done("graph/remove", place="1")
    room.done("graph/tell", kind="stars", legs="2", **{"price-epsilon": "10000"})
    room.done("graph/columns", **FORM, **{"graph-directed": "true"})
    room.done("graph/answers", confidence="0,9")
    said = plan_of(room)
    assert (said["answers"], said["graph"]["directed"], "vertices" in said["graph"]) == (
        {"confidence": 0.9},
        True,
        True,
    )
    assert [(one["name"], one["price"]) for one in said["statistics"]] == [
        (name, {"epsilon": 10000}) for name in ("edges", "stars")
    ]
    assert {hand.get(room.path(page.name)).status_code for page in all_pages()} <= {200, 303}
    page = hand.get(room.path("graph")).text
    assert "by the law of the noise" in page  # what is known before anything is read
    assert '<th scope="row">number of edges</th><td class="n">0</td>' in page
    page = hand.get(room.path("graph")).text
    assert (room.path("hierarchy") in page, room.path("traces") in page, room.path("history") in page) == (
        False,
        False,
        True,
    )
    room.done("promise/run")
    room.finished("001")
    told = json.loads((room.project.folder / "runs/001/result.json").read_text("utf-8"))
    assert told["graph"]["vertices"] == 36
    packed = zipfile.ZipFile(io.BytesIO(hand.get(room.path("runs/1/all.zip")).content)).namelist()
    assert len([name for name in packed if name.endswith(".csv")]) == 2  # a file for each statistic, and no vertices
    room.done("graph/draw", kind="degrees", most="9", **{"price-epsilon": "1000"})
    assert plan_of(room)["synthetic"] == {"name": "degrees", "most": 9, "price": {"epsilon": 1000}}
    assert {"statistics", "answers"}.isdisjoint(plan_of(room))
    assert "such a graph" not in hand.get(room.path("graph")).text  # it is there, and saved
    assert room.post("graph/remove", place="7").status_code == 422
    room.done("promise/run")
    room.finished("002")
    told = json.loads((room.project.folder / "runs/002/result.json").read_text("utf-8"))
    assert told["graph_drawn"]["vertices"] == 36
    room.done("graph/protect", kind="k-degree", k="4")
    room.done("graph/protect", kind="k-degree", k="3", change="add")
    assert plan_of(room)["protect"] == [{"name": "k-degree", "k": 3, "change": "add"}]
    assert {"unit", "statistics", "synthetic", "answers"}.isdisjoint(plan_of(room))
    assert room.post("graph/unit", **{"unit-protects": "node"}).status_code == 422
    room.done("promise/run")
    room.finished("003")
    told = json.loads((room.project.folder / "runs/003/result.json").read_text("utf-8"))
    assert told["graph_release"]["removed"] == 0
    cited = [
        one
        for path in room.project.folder.rglob("*.json")
        for one in sources(json.loads(path.read_text("utf-8")))
        if one
    ]
    for page in (
        "graph",
        "graph?add=cores",
        "graph?protect=k-neighborhood",
        "graph?draw=groups",
        "history",
        "result",
        "result?run=1",
        "result?run=2",
    ):
        address = hand.studio.root + room.path(page)
        found = hand.client.get(address, headers={"accept-language": "fr"}, follow_redirects=True)
        assert found.status_code == 200
        assert ("name-3" in found.text) == page.startswith("result")  # beside its original
        assert list(english(found.text, [*cited, "name-"])) == [], page
    reports = [hand.get(room.path(f"runs/{i}/report")) for i in (1, 2, 3)]
    assert [(one.status_code, "name-3" in one.text) for one in reports] == [(200, False)] * 3
    room.done("graph/remove", place="0")
    room.done("graph/unlist")
    room.done("graph/unit", **{"unit-protects": "node", "unit-degree": "5"})
    assert room.post("promise/run").status_code == 422  # vertices must be listed now
    assert plan_of(room)["statistics"] == []


def test_hostile_columns_are_only_text(hand, chromium):
    """Names that would like to be more, chosen in a browser; each state of the page is for everybody, and the console stays empty."""
    quoted = ['"' + name.replace('"', '""') + '"' for name in HEADS[:3]]
    rows = "".join(f"{i},x,{i + 1}\n" for i in range(30))
    room = begun(hand, "t.csv", (",".join(quoted) + "\n" + rows).encode())
    root, wrong = hand.studio.root, {}
    with let_in(chromium, hand, locale="fr-FR") as tab:
        said = heard(tab)

        def look(path):
            tab.goto(root + room.path(path))
            wrong[path] = [*(["run"] if has_run(tab) else []), *looked_at(tab, WIDTHS[0])]

        look("graph")
        for name, place in (("source", 1), ("target", 3)):
            tab.locator(f"#graph-{name}").select_option(index=place)
        tab.locator("#unit-protects").select_option("edge")
        tab.get_by_role("button", name="En faire un plan de graphe").click()
        tab.wait_for_url("**/graph")
        tab.get_by_role("heading", name="Les sommets").wait_for()
        assert plan_of(room)["graph"] == {"source": HEADS[0], "target": HEADS[2]}
        assert listed(room, vertex=HEADS[0], attributes=HEADS[2]).status_code == 303
        look("graph?add=mixing")
        room.done("graph/unlist")
        room.done("graph/protect", kind="k-degree", k="2")
        look("graph?protect=k-neighborhood")
        look("graph?draw=groups")
        room.done("promise/run")
        room.finished("001")
        look("result")
    assert wrong == {path: [] for path in wrong}
    assert said == []
