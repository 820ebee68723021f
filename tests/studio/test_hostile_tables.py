"""Tables and folders whose names and cells would like to be more than text: nothing of them is run, and no page breaks."""

import time

import pytest
from tests.eyes import has_run, heard
from tests.studio.conftest import let_in
from tests.studio.furnished import HEADS, Room, copied

from sfumato.studio import jobs
from sfumato.studio.shelf import Shelf

BROKEN = {
    "empty": b"", "only names": b"a,b\n", "one column": b"a\n1\n2\n", "same name twice": b"a,a\n1,2\n3,4\n",
    "no name": b",b\n1,2\n3,4\n", "zero in a cell": b"a,b\n1,x\x00y\n2,z\n", "zero in a name": b"a\x00,b\n1,2\n3,4\n",
    "no text": bytes(range(256)) * 40, "ragged": b"a,b\n1\n1,2,3\n", "names of tables": b"a.b,[c],#d\n1,2,3\n4,5,6\n",
}  # fmt: skip


def test_nothing_of_a_table_is_run(furniture, chromium):
    """Names stay text; each page is looked at where axe judges it (`test_access`), and here the report, which is none of them."""
    with let_in(chromium, furniture.hand, viewport={"width": 400, "height": 900}, locale="en-GB") as tab:
        said = heard(tab)
        tab.goto(furniture.hand.studio.root + furniture.path("runs/1/report"))
        assert has_run(tab) is False
        tab.goto(furniture.hand.studio.root + furniture.path("table"))
        assert tab.locator(".column h2").all_text_contents()[:2] == HEADS[:2]
        assert tab.locator("header").inner_text().count("{{ 7 * 7 }}") == 1
    assert said == []


def test_a_hostile_column_is_edited(furniture, chromium):
    """Its role is changed in the browser, and saved; the console stays empty."""
    room = copied(furniture)
    with let_in(chromium, room.hand, locale="en-GB") as tab:
        said = heard(tab)
        tab.goto(room.hand.studio.root + room.path("table"))
        tab.locator("label:has(#role-3-sensitive)").click()
        tab.locator("#role-3-sensitive:checked").wait_for(state="attached")
    assert said == []


@pytest.mark.parametrize("case", BROKEN)
def test_a_table_that_is_none_is_told(hand, case):
    """It becomes a project whose pages say what is there, or is told with a remedy; its process never dies."""
    before = {one.folder for one in Shelf(hand.studio.folder).projects()}
    answer = hand.drop("/", "t.csv", BROKEN[case])
    assert answer.status_code in {303, 422}
    for project in Shelf(hand.studio.folder).projects():
        if project.folder in before:
            continue
        while (found := jobs.state(project.hidden / "draft")).is_going:
            time.sleep(0.02)
        assert found.name in {"done", "failed"}, (project.hidden / "draft/log").read_text("utf-8")
        room = Room(hand, project)
        for path in (room.path("table"), room.path("wait?job=draft"), room.path("hierarchy"), room.path("declare")):
            shown = hand.client.get(hand.studio.root + path, follow_redirects=True)
            assert shown.status_code < 500, path
            assert "<h1>" in shown.text
