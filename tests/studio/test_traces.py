"""A plan of traces in a folder of the studio: no page breaks, it is run, and its result is shown without a name."""

import json
import tomllib

from tests.app.test_traces import GEO, PLAN_TEXT, walks, write
from tests.studio.furnished import Room, begun
from tests.studio.test_french import cited_in, english, english_on_paper, sources

from sfumato.studio.pages.base import all_pages
from sfumato.studio.shelf import Project


def test_a_plan_of_traces_is_run_and_its_result_is_shown(hand):
    """From a plan that was written by hand."""
    folder = hand.studio.folder / "written-by-hand"
    folder.mkdir()
    write(folder, walks(days=1))
    (folder / "plan.toml").write_text(PLAN_TEXT.replace("PROTECT", GEO))
    room = Room(hand, Project(folder))
    assert {hand.get(room.path(page.name)).status_code for page in all_pages()} <= {200, 303}
    page = hand.get(room.path("traces")).text
    assert "[region]" in page
    assert (room.path("hierarchy") in page, room.path("history") in page) == (False, True)
    room.done("traces/protect", kind="promesse", metres="50")
    room.done("traces/remove", place="1")
    room.done("traces/save", name="unit", **{"unit-per": "week"})
    room.done("traces/persons", persons="renamed-by-piece")
    plan = tomllib.loads((folder / "plan.toml").read_text())
    assert plan["persons"] == "renamed-by-piece"
    assert plan["unit"] == {"per": "week"}
    assert [one["name"] for one in plan["protect"]] == ["geo-indistinguishability"]
    room.done("promise/run")
    room.finished("1".zfill(3))
    page = hand.get(room.path("result"))
    assert page.status_code == 200
    assert "geo-indistinguishability" in page.text
    assert "person-0" not in page.text
    assert hand.get(room.path("runs/1/report")).status_code == 200
    documents = [json.loads(path.read_text("utf-8")) for path in folder.rglob("*.json")]
    cited = [one for found in documents for one in sources(found) if one]
    for page in ("traces", "result", "history", "runs/1/report"):
        address = hand.studio.root + room.path(page)
        said = hand.client.get(address, headers={"accept-language": "fr"}, follow_redirects=True).text
        assert list(english(said, cited)) == [], page
    address = hand.studio.root + room.path("runs/1/report.pdf")
    pdf = hand.client.get(address, headers={"accept-language": "fr"}).content
    assert english_on_paper(pdf, [*cited_in(folder), *(folder / "plan.toml").read_text("utf-8").splitlines()]) == []


def test_a_dropped_table_becomes_a_plan_of_traces(hand, tmp_path):
    """By one form; what a plan of a table said goes, its source stays, and one that is no form is refused."""
    write(tmp_path, walks(days=1))
    room = begun(hand, "walks.csv", (tmp_path / "fixes.csv").read_bytes())
    form = {
        "traces-person": "who", "traces-time": "at", "traces-latitude": "lat", "traces-longitude": "lon", "traces-zone": "Europe/Paris",
        "traces-written": "local", "region-latitude": "45,70", "region-longitude": "4.78", "region-metres": "100", "region-rows": "120",
        "region-columns": "100",
    }  # fmt: skip
    assert room.post("traces/begin", **{**form, "traces-zone": ""}).status_code == 422
    assert room.post("traces/protect", kind="promesse", metres="50").status_code == 422
    room.done("traces/begin", **form)
    room.done("traces/protect", kind="rule", show="nothing")
    room.done("traces/remove", place="0")
    room.done("traces/protect", kind="promesse", metres="50")  # after the last one went
    plan = tomllib.loads(room.project.plan_path.read_text())
    assert set(plan) <= {"format", "source", "output", "traces", "region", "protect", "engine"}
    assert plan["region"]["latitude"] == 45.70
    room.done("promise/run")
    room.finished("001")
