"""A project in which every page has something to show: made through the pages themselves, as a browser would."""

import fcntl
import json
import os
import shutil
import time
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import quote

import httpx
import numpy as np
from tests.studio.conftest import Studio, cookies

from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.design import Promise, propose
from sfumato.mechanism.local.rappor.detection import Aim
from sfumato.mechanism.local.rappor.simulate import simulate_counts
from sfumato.release.collect.base import counts_of
from sfumato.release.collect.collection import read_collection
from sfumato.studio import jobs
from sfumato.studio.plan_file import CollectionFile, PlanFile, StringsFile
from sfumato.studio.shelf import COMPARED, Project

FOREIGN_NAME = "théirs {{ 7 * 7 }}<img src=x onerror=window.pwned=1>"
"""Of a release that others made, before anything of it is left out."""
HEADS = [
    "<script>pwned=1</script>",
    "a'\"`{{ 7 * 7 }}\n<b>x",
    "\u202eevil\u202c<svg onload=window.pwned=1>",
    "x" * 700,
]
CELLS = [
    "<img src=x onerror=window.pwned=1>", "'\"`{{ 7 * 7 }}", "javascript:window.pwned=1",
    "a\nb</td></table></main><script>window.pwned=1</script>", "y" * 900,
]  # fmt: skip
FOLDER = "'\"><img src=x onerror=window.pwned=1>{{ 7 * 7 }} %2e#?&\u202ex"
"""A table and its folder whose names and cells would like to be more than text."""
ROLES = ("quasi-identifying", "quasi-identifying", "sensitive", "insensitive")


@dataclass
class Hand:
    """Somebody who is let in, at the pages of a studio.

    Args:
        studio: it.
        client: with the cookie, from a page of the studio.
    """

    studio: Studio
    client: httpx.Client

    @classmethod
    @contextmanager
    def of(cls, studio):
        """Enter."""
        origin = studio.root.rpartition("/")[0]
        with httpx.Client(cookies=cookies(studio), headers={"origin": origin}, timeout=120) as client:
            yield cls(studio, client)

    def get(self, path):
        """A page."""
        return self.client.get(self.studio.root + path)

    def post(self, path, /, **form):
        """An action, not followed."""
        return self.client.post(self.studio.root + path, data=form)

    def drop(self, path, name, content):
        """A file that is dropped on a page."""
        return self.client.post(self.studio.root + path, files={"table": (name, content)})


@dataclass
class Room:
    """A project, and whoever works in it.

    Args:
        hand: whoever works in it.
        project: the project.
    """

    hand: Hand
    project: Project

    def path(self, page):
        """Address of a page below the root."""
        return f"/p/{quote(self.project.name)}/{page}"

    def post(self, page, /, **form):
        """An action on the plan as it is."""
        seen = PlanFile.at(self.project.plan_path).seen if self.project.plan_path.is_file() else ""
        return self.hand.post(self.path(page), **{"seen": seen, **form})

    def done(self, page, /, **form):
        """An action that must succeed."""
        answer = self.post(page, **form)
        assert answer.status_code == 303, (page, answer.status_code, answer.text[-1500:])
        return answer

    def finished(self, job):
        """Wait for a job."""
        folder = self.project.folder / "runs" / job if job.isdecimal() else self.project.hidden / job
        if job.startswith(COMPARED):
            folder = self.project.comparison(job.removeprefix(COMPARED)).folder
        while (found := jobs.state(folder)).is_going:
            time.sleep(0.02)
        assert found.name == "done", found


def begun(hand, name, content):
    """A project from an upload, with its drafted plan."""
    before = set(hand.studio.folder.iterdir())
    answer = hand.client.post(hand.studio.root + "/", files={"table": (name, content)})
    assert answer.status_code == 303, answer.text[-1500:]
    made = set(hand.studio.folder.iterdir()) - before
    room = Room(hand, Project(made.pop()))
    room.finished("draft")
    return room


def compared(room, name, content):
    """A release from elsewhere, dropped and measured; its number."""
    answer = room.hand.drop(room.path("compare/add"), name, content)
    assert answer.status_code == 303, answer.text[-1500:]
    number = str(room.project.comparisons()[0].number)
    room.finished(f"{COMPARED}{number}")
    return number


COLLECTION = {
    "column-0": "color <b>", "values-0": "red\r\n<img src=x onerror=window.pwned=1>\r\n{{ 7 * 7 }}", "column-1": "", "values-1": "",
    "name": "GRR", "epsilon": "1", "calibration": "", "priors": "",
}  # fmt: skip
"""The form of a collection with one question, as its page sends it."""


def seen_of(room):
    """What the form of the collection carries."""
    return CollectionFile.at(room.project.folder / "collection.toml").seen


def collected(room):
    """A collection, and counts of it."""
    room.done("collect/save", **COLLECTION, seen=seen_of(room))
    asked = read_collection(room.project.folder / "collection.toml")
    counts = counts_of(asked, np.array([1000, 600, 250, 150])).told().to_json().encode()
    assert room.hand.drop(room.path("collect/count"), "counts.json", counts).status_code == 303


STRINGS = {"name": "home", "permanent": "", "first": "4", "persons": "20000", "candidates": "20", "values": ""}
"""The form of a design of RAPPOR in which each person reports once."""
HELD = {"<img src=x onerror=window.pwned=1>": 9000, "{{ 7 * 7 }}": 7000, "b.org": 4000}


def strings_seen(room):
    """What the form of the parameters carries."""
    return StringsFile.at(room.project.folder / "collection.json").seen


def strings_collected(room):
    """Parameters of RAPPOR, strings to look for, and counts of persons who hold three of them."""
    best = propose("home", Promise(None, 4.0), Aim(20_000, 20))[0].params
    room.done("strings/design", **STRINGS, bits=str(best.bits), seen=strings_seen(room))
    names = [*HELD, *(f"absent {i}" for i in range(9))]
    room.done("strings/names", names="\r\n".join(names))
    asked = read_collection(room.project.folder / "collection.json")
    persons = np.array([HELD.get(name, 0) for name in names])
    found = simulate_counts(asked.params, persons, design_bits(asked.params, names), rng=np.random.default_rng(5))
    counts = counts_of(asked, np.concatenate((found.n, found.ones.ravel()))).told().to_json().encode()
    assert room.hand.drop(room.path("strings/count"), "counts.json", counts).status_code == 303


def furnished(hand, name, content, domain):
    """A project with roles, a hierarchy, measured risk, a sweep, two runs, a comparison, a collection, a declaration, an account and an answer.

    Args:
        hand: who makes it.
        name, content: of the table: four columns, the first of whole numbers from 0 to 99.
        domain: values of the second column.
    """
    room = begun(hand, name, content)
    room.done("table/roles", **{f"role-{i}": role for i, role in enumerate(ROLES)})
    first = json.loads((room.project.hidden / "look.json").read_text("utf-8"))["columns"][0]["name"]
    room.done("hierarchy/save", column=first, form="width", width="10", then="50", **{"from": "0"})
    room.done("promise/propose", scenario="inside")
    room.done("risk/measure")
    room.finished("risk")
    room.done("promise/run")
    room.finished("001")
    release = next((room.project.folder / "runs/001").glob("*release*.csv"))
    compared(room, f"{FOREIGN_NAME}.csv", release.read_bytes())
    room.done("explore/sweep", **{"key-0": "k", "values-0": "2, 3, 5"})
    room.finished("sweep")
    room.done("explore/take", place="2")
    room.finished("002")
    room.done("lattice/search")
    room.finished("lattice")
    room.done("lattice/judge", node="3-0")
    room.finished("node")
    room.done("lattice/note", node="3-0", note="coarse")
    room.done("promise/estimate", kind="k-anonymity", k="7", place="0")
    room.finished("estimate")
    room.done(
        "declare/save", neighbors="add or remove", measure="epsilon", amount="1", dataset="persons",
        **{"form-0": "range", "low-0": "0", "high-0": "99", "step-0": "1", "form-1": "values", "values-1": domain},
    )  # fmt: skip
    collected(room)
    strings_collected(room)
    room.done("declare/open", sure="yes")
    room.done("ask/pay", statement="SELECT COUNT(*) FROM t", measure="epsilon", amount="1/4", sure="yes")
    return room


def hostile(hand):
    """The furnished project of a table and in a folder that would like to be more than text."""

    def quoted(text):
        return '"' + text.replace('"', '""') + '"'

    rows = "".join(
        ",".join([str(i % 40), *map(quoted, (CELLS[i % 3], CELLS[3 + i % 2], CELLS[i % 5]))]) + "\n" for i in range(120)
    )
    table = (",".join(map(quoted, HEADS)) + "\n" + rows).encode()
    made = furnished(hand, "t.csv", table, "\n".join(CELLS[:3]))
    return Room(hand, Project(made.project.folder.rename(hand.studio.folder / FOLDER)))


def copied(room, folder=None):
    """A project's copy that may be changed, beside it under a name of its own, or at another place."""
    place = folder or room.project.folder.parent / f"copy-{len(list(room.project.folder.parent.iterdir()))}"
    return Room(room.hand, Project(shutil.copytree(room.project.folder, place)))


def pages(room):
    """By name, the address of every page below the root, in each of its states that an address can name."""
    ask = "statement=SELECT+COUNT%28%2A%29+FROM+t&measure=epsilon&amount=1/4"
    inner = {
        "table": "table", "hierarchy": "hierarchy", "form": "hierarchy?form=intervals", "groups": "hierarchy?form=groups", "risk": "risk",
        "promise": "promise", "adding": "promise?add=k-anonymity", "traces": "traces", "graph": "graph", "explore": "explore", "result": "result",
        "history": "history", "lattice": "lattice", "list": "lattice?as=list", "tiles": "lattice?as=tiles&by=0&down=1",
        "opened": "lattice?node=3-0", "compare": "compare", "collect": "collect", "strings": "strings", "designed": "strings?name=home&permanent=4&first=1&persons=1000&candidates=10&values=", "protocols": "collect?epsilon=1&values=3&persons=1000", "declare": "declare", "ask": f"ask?try=1&error=50&{ask}", "otherwise": "wait?job=draft&again=1", "answer": f"ask?answer=1&{ask}",
        "absent": "nothing",
    }  # fmt: skip
    return {"home": "/", "failed": "/p/nobody/table", **{name: room.path(page) for name, page in inner.items()}}


@contextmanager
def troubled(room):
    """By name, pages of work that goes on, was killed and has failed, as long as this holds."""
    hidden, third = room.project.hidden, room.project.folder / "runs/003"
    third.mkdir()
    third.joinpath("plan.toml").write_bytes(room.project.plan_path.read_bytes())
    told = {folder: (folder / jobs.JOB).read_bytes() for folder in (hidden / "risk", hidden / "draft")}
    for folder in (*told, third):
        folder.joinpath(jobs.JOB).write_text("{}")
        folder.joinpath(jobs.DONE).unlink(missing_ok=True)
    jobs.write_json(third / jobs.FAILED, {"problem": "There must be a release; there is none.", "remedy": "loosen k."})
    jobs.write_json(hidden / "risk" / jobs.PROGRESS, {"done": 1, "total": 3, "message": "counting values"})
    lock = os.open(hidden / "risk" / jobs.LOCK, os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    shown = {"wait": "risk", "killed": "draft", "stopped": "3", "nowhere": "sweeps"}
    try:
        yield {
            **{name: room.path(f"wait?job={job}&now=1") for name, job in shown.items()},
            **{name: room.path(name) for name in ("result", "history", "risk")},
        }
    finally:
        os.close(lock)
        shutil.rmtree(third)
        for folder, job in told.items():
            (folder / jobs.JOB).write_bytes(job)
            (folder / jobs.DONE).touch()
