"""A plan of traces in a folder of the studio: no page breaks, it is run, and its result is shown without a name."""

from tests.app.test_traces import GEO, PLAN_TEXT, walks, write
from tests.studio.furnished import Room

from sfumato.studio.pages.base import all_pages
from sfumato.studio.shelf import Project


def test_a_plan_of_traces_is_run_and_its_result_is_shown(hand):
    """From a plan that was written by hand."""
    folder = hand.studio.folder / "walks"
    folder.mkdir()
    write(folder, walks(days=1))
    (folder / "plan.toml").write_text(PLAN_TEXT.replace("PROTECT", GEO))
    room = Room(hand, Project(folder))
    assert {hand.get(room.path(page.name)).status_code for page in all_pages()} <= {200, 303}
    room.done("promise/run")
    room.finished("1".zfill(3))
    page = hand.get(room.path("result"))
    assert page.status_code == 200
    assert "geo-indistinguishability" in page.text
    assert "person-0" not in page.text
    assert hand.get(room.path("runs/1/report")).status_code == 200
