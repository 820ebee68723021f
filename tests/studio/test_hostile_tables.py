"""Tables and folders whose names and cells would like to be more than text: nothing of them is run, and no page breaks."""

import time

import pytest
from tests.studio.furnished import Hand, Room, furnished, pages, troubled

from sfumato.studio import jobs
from sfumato.studio.shelf import Project, Shelf

HEADS = [
    "<script>window.pwned=1</script>",
    "a'\"`{{ 7 * 7 }}\n<b>x",
    "\u202eevil\u202c<svg onload=window.pwned=1>",
    "x" * 3000,
]
CELLS = [
    "<img src=x onerror=window.pwned=1>", "'\"`{{ 7 * 7 }}", "javascript:window.pwned=1",
    "a\nb</td></table></main><script>window.pwned=1</script>", "y" * 5000,
]  # fmt: skip
FOLDER = "'\"><img src=x onerror=window.pwned=1>{{ 7 * 7 }} %2e#?&\u202ex"
BROKEN = {
    "empty": b"", "only names": b"a,b\n", "one column": b"a\n1\n2\n", "same name twice": b"a,a\n1,2\n3,4\n",
    "no name": b",b\n1,2\n3,4\n", "zero in a cell": b"a,b\n1,x\x00y\n2,z\n", "zero in a name": b"a\x00,b\n1,2\n3,4\n",
    "no text": bytes(range(256)) * 40, "ragged": b"a,b\n1\n1,2,3\n", "names of tables": b"a.b,[c],#d\n1,2,3\n4,5,6\n",
}  # fmt: skip
FOREIGN = (
    "[...document.querySelectorAll('main img, main b, main script, script:not([src]), [onerror], [onload]')].length"
)


def quoted(text):
    """A cell of a CSV file."""
    return '"' + text.replace('"', '""') + '"'


@pytest.fixture
def room(studio):
    """A project of such a table, in a folder of such a name."""
    rows = "".join(
        ",".join([str(i % 40), *map(quoted, (CELLS[i % 3], CELLS[3 + i % 2], CELLS[i % 5]))]) + "\n" for i in range(120)
    )
    table = (",".join(map(quoted, HEADS)) + "\n" + rows).encode()
    with Hand.of(studio) as hand:
        made = furnished(hand, "t.csv", table, "\n".join(CELLS[:3]))
        yield Room(hand, Project(made.project.folder.rename(studio.folder / FOLDER)))


def test_nothing_of_a_table_is_run(studio, room, chromium):
    """On every page, and in the report; the console stays empty and text stays text."""
    context = chromium.new_context(viewport={"width": 400, "height": 900}, locale="en-GB")
    context.add_cookies([{"name": name, "value": value, "url": studio.root + "/"} for name, value in room.hand.client.cookies.items()])  # fmt: skip
    tab, said, wrong = context.new_page(), [], []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("dialog", lambda dialog: said.append(dialog.message))
    with troubled(room) as shown:
        trouble = list(shown.items())
        for name, path in trouble:
            tab.goto(studio.root + path)
            wrong += [name] if tab.evaluate("window.pwned") or tab.evaluate(FOREIGN) else []
    for name, path in [*pages(room).items(), ("report", room.path("runs/1/report"))]:
        tab.goto(studio.root + path)
        wrong += [name] if tab.evaluate("window.pwned") or tab.evaluate(FOREIGN) else []
        if name != "report" and tab.evaluate("document.documentElement.scrollWidth") > 400:
            wrong.append((name, "wider than the window"))
    tab.goto(studio.root + room.path("table"))
    assert tab.locator(".column h2").all_text_contents()[:2] == HEADS[:2]
    assert tab.locator("header").inner_text().count("{{ 7 * 7 }}") == 1
    tab.locator("label:has(#role-3-sensitive)").click()
    tab.locator("#role-3-sensitive:checked").wait_for(state="attached")
    context.close()
    assert wrong == []
    assert [text for text in said if "status of 404" not in text] == []


@pytest.mark.parametrize("case", BROKEN)
def test_a_table_that_is_none_is_told(studio, case):
    """It becomes a project whose pages say what is there, or is told with a remedy; its process never dies."""
    with Hand.of(studio) as hand:
        answer = hand.client.post(studio.root + "/", files={"table": ("t.csv", BROKEN[case])})
        assert answer.status_code in {303, 422}
        for project in Shelf(studio.folder).projects():
            while (found := jobs.state(project.hidden / "draft")).is_going:
                time.sleep(0.02)
            assert found.name in {"done", "failed"}, (project.hidden / "draft/log").read_text("utf-8")
            room = Room(hand, project)
            for path in (room.path("table"), room.path("wait?job=draft"), room.path("hierarchy"), room.path("declare")):
                shown = hand.client.get(studio.root + path, follow_redirects=True)
                assert shown.status_code < 500, path
                assert "<h1>" in shown.text
