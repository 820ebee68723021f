"""A collection on its page: designed, saved without overwriting, counted by a server that runs; every share is one of the result."""

import json
import re
import shlex
import tomllib
from html import unescape

import httpx
import pytest
from playwright.sync_api import expect
from tests.app.serve_processes import free_port, prepare, start
from tests.commands import ran
from tests.studio.conftest import let_in
from tests.studio.furnished import Room, collected, seen_of

from sfumato.studio.pages.collect import COUNTS, SERVER
from sfumato.studio.plan_file import CollectionFile
from sfumato.studio.shelf import Project

FORM = {
    "column-0": "color", "values-0": "red\nblue\ngreen", "column-1": "", "values-1": "", "name": "GRR", "epsilon": "1",
    "calibration": "", "priors": "",
}  # fmt: skip
"""The collection that the server of `prepare` has under the name `color`."""
ROW = re.compile(
    r"<tr><th scope=\"row\">(.*?)</th><td class=\"n\">(.*?)</td><td class=\"n\">(.*?)</td><td class=\"n\">(.*?)</td></tr>"
)


@pytest.fixture
def room(hand):
    """A project without a table, begun on the list of projects."""
    name = f"colors-{len(list(hand.studio.folder.iterdir()))}"
    answer = hand.post("/", collection=name)
    assert (answer.status_code, answer.headers["location"].rpartition("/p/")[2]) == (303, f"{name}/collect")
    return Room(hand, Project(hand.studio.folder / name))


@pytest.fixture
def server(tmp_path):
    """A collection server that runs, and its address."""
    folder, port = tmp_path / "server", free_port()
    folder.mkdir()
    prepare(folder)
    process = start(folder, port)
    yield folder, f"http://127.0.0.1:{port}"
    process.terminate()
    process.communicate()


def told(room, *words):
    """What a command says as JSON, in the folder of the project."""
    done = ran(*words, "--json", cwd=room.project.folder)
    assert done.code == 0, done.err
    return done.json


def shown(room, query=""):
    """The page as text."""
    answer = room.hand.get(room.path(f"collect{query}"))
    assert answer.status_code == 200, answer.text[-1500:]
    return answer.text


def sent(room, address, values):
    """Reports of some persons, randomized by the command that the page shows, are sent to the server."""
    (room.project.folder / "answers.csv").write_text("color\n" + "".join(f"{one}\n" for one in values), "utf-8")
    told(room, "collect", "randomize", "collection.toml", "answers.csv", "-o", "reports.jsonl")
    for line in (room.project.folder / "reports.jsonl").read_text("utf-8").splitlines():
        answer = httpx.post(f"{address}/collections/color/batches", content=line, timeout=600)
        assert answer.status_code == 200, answer.text


def test_what_is_saved_is_the_document_that_the_command_reads(room):
    """Texts stay texts, an empty question is none, comments stay; the page shows it again as it was typed."""
    room.done("collect/save", **{**FORM, "values-0": "1\r\nyes, often\r\n\r\n[x]"}, seen=seen_of(room))
    path = room.project.folder / "collection.toml"
    said = tomllib.loads(path.read_text("utf-8"))
    assert said == {
        "format": "sfumato.collection/1", "question": [{"column": "color", "values": ["1", "yes, often", "[x]"]}],
        "protocol": {"name": "GRR", "epsilon": 1},
    }  # fmt: skip
    path.write_text(path.read_text("utf-8").replace("[protocol]", "# kept\n[protocol]"), "utf-8")
    page = shown(room)
    again = {**FORM, "values-0": unescape(re.search(r'name="values-0".*?>(.*?)</textarea>', page, re.DOTALL)[1])}
    room.done("collect/save", **{**again, "epsilon": "0,5"}, seen=seen_of(room))
    assert tomllib.loads(path.read_text("utf-8")) == {**said, "protocol": {"name": "GRR", "epsilon": 0.5}}
    assert "# kept" in path.read_text("utf-8")
    room.done(
        "collect/save", **{**FORM, "name": "SMP[ADP]", "column-1": "size", "values-1": "s\nm\nl"}, seen=seen_of(room)
    )
    assert [one["column"] for one in tomllib.loads(path.read_text("utf-8"))["question"]] == ["color", "size"]
    assert len(list((room.project.hidden / "past-collection").iterdir())) == 2


def test_a_collection_that_changed_meanwhile_is_not_overwritten(room):
    """Both are shown; what is on disk stays. So is one that appeared after the page was opened."""
    path, before = room.project.folder / "collection.toml", seen_of(room)
    room.done("collect/save", **FORM, seen=before)
    theirs = path.read_text("utf-8")
    answer = room.post("collect/save", **{**FORM, "epsilon": "2"}, seen=before)
    assert (answer.status_code, answer.text.count("<pre")) == (409, 2)
    assert "epsilon = 2" in answer.text
    assert path.read_text("utf-8") == theirs


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"column-0": "", "values-0": ""}, "needs a question"), ({"name": ""}, "name"), ({"epsilon": ""}, "epsilon"),
        ({"epsilon": "much"}, "epsilon"), ({"column-0": ""}, "column"), ({"priors": "half"}, "as in TOML"),
        ({"calibration": "mine"}, "calibration"),
    ],
)  # fmt: skip
def test_what_is_no_collection_is_refused(room, change, words):
    """With its key; nothing is written, and what was typed is not lost."""
    answer = room.post("collect/save", **{**FORM, **change}, seen=seen_of(room))
    assert (answer.status_code, words in answer.text) == (422, True)
    assert not (room.project.folder / "collection.toml").exists()


def test_what_nobody_can_answer_is_told(room):
    """An oracle that is none, a scheme for one question, a single value: saved, and said."""
    for change in ({"name": "OOO"}, {"name": "OUE", "column-1": "size", "values-1": "s\nm"}, {"values-0": "red"}):
        room.done("collect/save", **{**FORM, **change}, seen=seen_of(room))
        assert "Not ready to be answered." in shown(room)
    room.done("collect/save", **FORM, seen=seen_of(room))
    assert "Not ready to be answered." not in shown(room)


@pytest.mark.parametrize("values", ["7", "5, 3"])
def test_protocols_are_those_of_the_command(room, values):
    """In its order, with its deviations; the one that is taken stands in the form."""
    page = shown(room, f"?epsilon=1&values={values}&persons=1000")
    words = shlex.split(unescape(re.search(r'<code id="advice">(.*?)</code>', page)[1]))
    found = told(room, *words[1:])
    table = page.split('id="protocols"')[1].split("</table>")[0]
    rows = [
        [unescape(re.sub("<.*?>", "", cell)) for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row)]
        for row in table.split("<tbody>")[1].split("</tr>")[:-1]
    ]
    if found["schemes"]:
        wanted = [
            (one["name"], one["worst_variance"], one["tuple_level"])
            for neighbors in ("whole record", "one attribute")
            for one in found["schemes"][neighbors]
        ]
    else:
        wanted = [(one["name"], one["mean_variance"], one["epsilon"]) for one in found["attributes"][0]["oracles"]]
    assert [row[0] for row in rows] == [name for name, _, _ in wanted]
    for row, (_, variance, epsilon) in zip(rows, wanted, strict=True):
        assert 0 <= float(row[2]) - variance**0.5 <= 1e-3 * max(variance**0.5, 0.1)
        assert 0 <= float(row[4]) - epsilon <= 1e-3
    assert f'name="name" value="{rows[0][0]}"' in shown(room, f"?take={rows[0][0]}")


def test_every_share_is_one_of_the_result(room):
    """Estimates and both ends of each interval, rounded outward; of hostile answers too, and as the command has them."""
    collected(room)
    page = shown(room)
    words = shlex.split(unescape(re.search(r'<code id="command">(.*?)</code>', page)[1]))
    found = told(room, *words[1:])
    answers = found["questions"][0]["answers"]
    rows = [[unescape(cell) for cell in row] for row in ROW.findall(page.split('class="shares"')[1])]
    assert [row[0] for row in rows] == [one["value"] for one in answers]
    for (_, *cells), one in zip(rows, answers, strict=True):
        estimate, low, high = (float(cell.replace("\u00a0%", "")) / 100 for cell in cells)
        assert abs(estimate - one["estimate"]) <= 5.1e-5
        assert -1.1e-4 <= low - one["low"] <= 1e-12
        assert -1e-12 <= high - one["high"] <= 1.1e-4
    assert f"<dd>{found['persons']:,}</dd>" in page
    assert "<img src=x" not in page
    assert "<b>" not in page


def test_a_server_is_asked_again_while_somebody_looks(room, server, chromium):
    """Typed once, the token stays in the tab: reports that come later are seen, and it is written nowhere."""
    _, address = server
    room.done("collect/save", **FORM, seen=seen_of(room))
    sent(room, address, ["red"] * 300 + ["blue"] * 100)
    urls = []
    with let_in(chromium, room.hand, locale="en-GB") as tab:
        tab.on("request", lambda request: urls.append(request.url))
        tab.goto(room.hand.studio.root + room.path("collect"))
        for name, text in (("address", address), ("collection", "color"), ("token", "reader")):
            tab.locator(f"#{name}").fill(text)
        tab.locator("[data-again]").check()
        expect(tab.locator("#facts dd").first).to_have_text("400")
        sent(room, address, ["green"] * 100)
        expect(tab.locator("#facts dd").first).to_have_text("500")
        assert tab.locator("#token").input_value() == "reader"
        headers = {"authorization": "Bearer reader"}
        counts = httpx.get(f"{address}/collections/color/counts", headers=headers, timeout=600).json()
        assert json.loads((room.project.folder / COUNTS).read_text("utf-8")) == counts
        tab.locator("[data-again]").uncheck()
    assert not any("reader" in url for url in urls)
    kept = [path for path in room.project.folder.rglob("*") if path.is_file() and b"reader" in path.read_bytes()]
    assert kept == []
    room.done("collect/ask", address=address, collection="color", token="wrong")
    assert "does not know this one" in unescape(shown(room))
    room.done("collect/ask", address=address, collection="other", token="reader")
    assert "the status 404" in shown(room)


def test_counts_of_another_collection_are_refused(room):
    """And those that are there are told to be of another once the collection has changed."""
    collected(room)
    counts = (room.project.folder / COUNTS).read_bytes()
    room.done("collect/save", **FORM, seen=seen_of(room))
    page = shown(room)
    assert "must belong to this collection" in page
    assert 'class="shares"' not in page
    for content in (counts, b"", b"[1]", b"\xff", b"{}"):
        answer = room.hand.drop(room.path("collect/count"), "counts.json", content)
        assert answer.status_code == 422
    assert (room.project.folder / COUNTS).read_bytes() == counts


def test_the_file_of_a_collection_that_is_none_is_told(room):
    """An editor wrote something else; the page says so."""
    for text in ("\x00", "question = 1", "[[question]]", "{", 'format = "sfumato.plan/1"'):
        (room.project.folder / "collection.toml").write_text(text, "utf-8")
        answer = room.hand.get(room.path("collect"))
        assert (answer.status_code, "What to do:" in answer.text) == (422, True)
        answer = room.post("collect/save", **FORM, seen=seen_of(room))
        assert (answer.status_code, "What to do:" in answer.text) == (422, True)
        assert (room.project.folder / "collection.toml").read_text("utf-8") == text


def test_whom_the_page_asked_is_remembered_without_a_token(room):
    """A server that is not there is told with its remedy."""
    room.done("collect/save", **FORM, seen=seen_of(room))
    room.done("collect/ask", address="http://127.0.0.1:9", collection="color", token="secret")
    said = json.loads((room.project.hidden / SERVER).read_text("utf-8"))
    assert set(said) == {"address", "collection", "problem", "remedy"}
    assert "secret" not in json.dumps(said)
    assert CollectionFile.at(room.project.folder / "collection.toml").trouble() is None
    assert "none does" in shown(room)
