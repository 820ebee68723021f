"""RAPPOR on its page: proposals are those of the command, what is signed off is what it reads, every share is one of the result."""

import hashlib
import re
import shlex
from html import unescape

import httpx
import pytest
from tests.app.serve_processes import free_port, start
from tests.commands import ran
from tests.studio.furnished import HELD, STRINGS, Room, strings_collected, strings_seen

from sfumato.mechanism.local.rappor.design import Promise, propose
from sfumato.mechanism.local.rappor.detection import Aim
from sfumato.studio.pages.strings import KEPT
from sfumato.studio.shelf import Project

QUERY = "?name=home&permanent=4&first=1&persons=100000&candidates=50&values="
SERVER = """
format = "sfumato.server/1"
store = "sqlite:///store.db"
[collections.home]
rappor = "{parameters}"
open = true
reader_sha256 = "{reader}"
"""


@pytest.fixture
def room(hand):
    """A project without a table."""
    answer = hand.post("/", collection="home")
    return Room(hand, Project(hand.studio.folder / answer.headers["location"].split("/")[-2]))


def told(room, command):
    """What a command of the page says as JSON, in the folder of the project."""
    words = shlex.split(unescape(command))[1:]
    done = ran(*words, "--json", cwd=room.project.folder)
    assert done.code == 0, done.err
    return done.json


def cells(table):
    """Texts of the rows of a table."""
    rows = [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        for row in table.split("<tbody>")[1].split("</tr>")[:-1]
    ]
    return [[unescape(re.sub("<.*?>", "", cell)) for cell in row] for row in rows]


def test_the_proposals_are_those_of_the_command_and_its_choice_is_marked(room):
    """Bits, hashes, cohorts and noise exactly; epsilons and shares rounded up; what is signed off is what the command writes."""
    page = room.hand.get(room.path("strings") + QUERY).text
    found = told(room, re.search(r'<code id="advice">(.*?)</code>', page)[1])
    rows = cells(page.split('id="proposals"')[1])
    assert len(rows) == len(found["proposals"])
    for place, (row, one) in enumerate(zip(rows, found["proposals"], strict=True)):
        assert row[0] == ("★ " if place == found["chosen"] else "") + str(one["bits"])
        assert row[1:7] == [str(one[key]) for key in ("bytes", "hashes", "cohorts", "f", "p", "q")]
        for text, key in ((row[7], "epsilon_permanent"), (row[8], "epsilon_first")):
            assert 0 <= float(text) - one[key] <= 2e-3
    by_command = (room.project.folder / "collection.json").read_text("utf-8")
    (room.project.folder / "collection.json").unlink()
    form = {"name": "home", "permanent": "4", "first": "1", "persons": "100000", "candidates": "50", "values": ""}
    room.done("strings/design", **form, bits=str(found["proposals"][found["chosen"]]["bits"]), seen=strings_seen(room))
    assert (room.project.folder / "collection.json").read_text("utf-8") == by_command


def test_parameters_that_changed_meanwhile_are_not_overwritten(room):
    """They are the key to every report: what stands there stays, and what they replace is kept."""
    before, one = strings_seen(room), propose("home", Promise(None, 4.0), Aim(20_000, 20))
    room.done("strings/design", **STRINGS, bits=str(one[0].params.bits), seen=before)
    theirs = (room.project.folder / "collection.json").read_text("utf-8")
    answer = room.post("strings/design", **STRINGS, bits=str(one[1].params.bits), seen=before)
    assert (answer.status_code, answer.text.count("<pre")) == (409, 2)
    assert (room.project.folder / "collection.json").read_text("utf-8") == theirs
    room.done("strings/design", **STRINGS, bits=str(one[1].params.bits), seen=strings_seen(room))
    assert [path.read_text("utf-8") for path in (room.project.hidden / "past-strings").iterdir()] == [theirs]


def test_what_is_no_design_is_refused(room):
    """With its remedy; nothing is written."""
    for change in (
        {"first": "much"}, {"first": "0"}, {"first": "nan"}, {"permanent": "-1"}, {"persons": "0"}, {"persons": "9" * 30},
        {"candidates": ""}, {"bits": "7"}, {"values": "one"}, {"persons": "²"},
    ):  # fmt: skip
        answer = room.post("strings/design", **{**STRINGS, "bits": "32", **change}, seen=strings_seen(room))
        assert (answer.status_code, "What to do:" in answer.text) == (422, True), change
        assert not (room.project.folder / "collection.json").exists()


def test_every_share_is_one_of_the_command(room):
    """What three strings of many have, hostile ones too: shares, intervals outward, p-values up; the same discoveries."""
    strings_collected(room)
    page = room.hand.get(room.path("strings")).text
    found = told(room, re.search(r'<code id="command">(.*?)</code>', page)[1])
    rows = cells(page.split('class="shares"')[1].split("</table>")[0])
    assert [row[0] for row in rows] == [" / ".join(one["names"]) for one in found["candidates"]]
    discovered = {row[0] for row in rows if row[5] == "yes"}
    assert discovered == {one["names"][0] for one in found["candidates"] if one["found"]}
    assert set(HELD) <= discovered
    for row, one in zip(rows, found["candidates"], strict=True):
        estimate, low, high = (float(cell.replace("\u00a0%", "")) / 100 for cell in row[1:4])
        assert abs(estimate - one["share"]) <= 5.1e-5
        assert -1.1e-4 <= low - one["low"] <= 1e-12
        assert -1e-12 <= high - one["high"] <= 1.1e-4
        assert 0 <= float(row[4].replace("< ", "").replace("<", "")) - one["adjusted"] + 1e-12
    assert "<img src=x" not in page


def test_a_server_is_asked_and_counts_of_other_parameters_are_refused(room, tmp_path):
    """Reports that the page's command made, received by the server that runs; then the parameters change."""
    one = propose("home", Promise(None, 4.0), Aim(20_000, 20))
    room.done("strings/design", **STRINGS, bits=str(one[0].params.bits), seen=strings_seen(room))
    room.done("strings/names", names="a.org\nb.org")
    (tmp_path / "server.toml").write_text(
        SERVER.format(parameters=room.project.folder / "collection.json", reader=hashlib.sha256(b"canary").hexdigest())
    )
    port = free_port()
    process = start(tmp_path, port)
    try:
        (room.project.folder / "answers.csv").write_text("page\n" + "a.org\n" * 300, "utf-8")
        told(room, "sfumato collect randomize collection.json answers.csv --column page -o reports.jsonl")
        for line in (room.project.folder / "reports.jsonl").read_text("utf-8").splitlines():
            assert (
                httpx.post(f"http://127.0.0.1:{port}/collections/home/batches", content=line, timeout=600).status_code
                == 200
            )
        room.done("strings/ask", address=f"http://127.0.0.1:{port}", collection="home", token="canary")
    finally:
        process.terminate()
        process.communicate()
    assert "<dd>300</dd>" in room.hand.get(room.path("strings")).text
    assert not any(b"canary" in path.read_bytes() for path in room.project.folder.rglob("*") if path.is_file())
    counts = KEPT.path(type("Asked", (), {"project": room.project})).read_bytes()
    room.done("strings/design", **STRINGS, bits=str(one[1].params.bits), seen=strings_seen(room))
    assert "must belong to this collection" in room.hand.get(room.path("strings")).text
    for content in (counts, b"", b"[1]", b"{}"):
        assert room.hand.drop(room.path("strings/count"), "counts.json", content).status_code == 422
