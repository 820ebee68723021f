"""A contest that is served by this process, whose clock stands: two weeks of five persons, and teams with hostile names."""

import asyncio
import hashlib
import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
import uvicorn
from tests.app.serve_processes import PLAIN, free_port
from tests.app.test_serve_arena import contest

from sfumato.arena.app import arena_app
from sfumato.arena.keys import new_organiser, new_team
from sfumato.arena.pages.app import pages_app
from sfumato.arena.room import Room
from sfumato.arena.serving import Arena
from sfumato.arena.store import Store
from sfumato.arena.timetable import Timetable
from sfumato.contest.opening import open_judge, read_contest
from sfumato.document.server import Limits
from sfumato.noise.bits import KeyedBits
from sfumato.web.metrics import Tally

NOW = datetime(2026, 3, 10, 10, 30, tzinfo=UTC)
"""What the clock of the server says."""
SCRIPT, FORMULA = "<script>window.pwned=1</script>", "=cmd|' /C calc'!A0"
TEAMS = ("Les Bleus", SCRIPT, FORMULA)
SECRET = "a4f0-is-the-key"


def digest(content):
    """Of a file, as the store keeps it."""
    return hashlib.sha256(content).hexdigest()


class Idle:
    """A worker that judges nothing: what is judged here was judged before."""

    woken = 0

    def start(self):
        """Nothing to do."""

    def stop(self):
        """Nothing to do."""

    def wake(self):
        """Count."""
        self.woken += 1


def phase(name, kind, start, end):
    """A phase of a document, in hours from now."""
    moments = [(NOW + timedelta(hours=hours)).isoformat() for hours in (start, end)]
    return f'[[phase]]\nname = "{name}"\nkind = "{kind}"\nstart = {moments[0]}\nend = {moments[1]}\n'


@dataclass
class House:
    """A contest that is served.

    Args:
        folder: of its document.
        now: seconds of its clock.
    """

    folder: Path
    now: float = NOW.timestamp()
    tokens: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self):
        document = self.folder / "contest.toml"
        self.judge, self.room, self.worker = open_judge(document), Room(self.folder / "store"), Idle()
        self.room.ready()
        self.store = Store(self.folder / "store/arena.db")
        said = read_contest(document)
        self.timetable = Timetable(document)
        limits = Limits(body=said.limits.bytes)
        self.arena = Arena(
            said, self.judge.game, self.store, self.room, self.worker, limits, clock=lambda: self.now, timetable=self.timetable
        )  # fmt: skip
        pages = pages_app(self.arena, self.judge, self.timetable, self.folder, is_secure=False)
        self.app = arena_app(self.arena, Tally(), pages)
        self.tokens["organiser"] = new_organiser(self.room.folder)

    def team(self, name):
        """A team with its token."""
        self.tokens[name] = new_team(self.store, name, now=self.now)

    def submitted(self, team, content, *, publish=False):
        """The number of a submission that the judge has judged, as the child does it."""
        number, _ = self.store.hand_in(team, None, digest(content), now=self.now, most=99)
        path = self.room.file(number)
        path.write_bytes(content)
        scored, published = self.judge.accept(path, KeyedBits(bytes(32), is_secure=False))
        self.store.take()
        lines = {str(one.line): content.decode().splitlines()[one.line - 1] for one in scored.faults if one.line}
        state = "refused" if published is None else "accepted"
        self.store.judged(number, state, scored.to_dict() | ({"lines": lines} if lines else {}), now=self.now)
        if published is not None:
            self.room.public(number).write_bytes(published[0])
            self.room.key(number).write_text(json.dumps([SECRET]))
        if publish:
            assert self.store.publish(number, team, now=self.now, most=9)
        return number

    def attacked(self, team, target, found):
        """The number of an attack that found a share."""
        number, _ = self.store.hand_in(team, target, digest(b"{}"), now=self.now, most=99)
        self.room.file(number).write_bytes(b"{}")
        self.store.take()
        self.store.judged(number, "accepted", {"found": found, "faults": []}, now=self.now)
        return number

    def furnish(self):
        """Something to show on every page: `numbers` says what is what."""
        for name in TEAMS:
            self.team(name)
        made = [self.judge.defend(name, KeyedBits(bytes(32), is_secure=False)) for name in self.judge.game.defences]
        blue, script, formula = TEAMS
        wrong = made[0].decode().splitlines()
        wrong[3] = f"{FORMULA}\t=1+1\t<img src=x onerror=window.pwned=1>\t2"
        empty = made[0].decode().splitlines()
        empty[200] = empty[200].rpartition("\t")[0] + "\t"
        n = self.numbers
        n["blue"] = self.submitted(blue, made[1], publish=True)
        n["script"] = self.submitted(script, made[2], publish=True)
        n["formula"] = self.submitted(formula, made[0], publish=True)
        n["hidden"] = self.submitted(formula, made[1])
        n["wrong"] = self.submitted(blue, "\n".join(wrong).encode() + b"\n")
        n["empty"] = self.submitted(blue, "\n".join(empty).encode() + b"\n")
        n["spare"] = self.submitted(blue, made[2])
        n["attack"] = self.attacked(blue, n["script"], 0.4321)
        n["other attack"] = self.attacked(formula, n["script"], 0.2345)
        n["waiting"], _ = self.store.hand_in(blue, None, digest(b""), now=self.now, most=99)
        return self


def made(folder, *phases):
    """A contest in a folder, with phases that are told by `phase`."""
    folder.mkdir(parents=True, exist_ok=True)
    return House(contest(folder, phases="".join(phases)))


@contextmanager
def serving(house):
    """The address of the pages while they are served from a thread of this process."""
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(house.app, port=port, log_level="error", ws="none"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    with httpx.Client(**PLAIN) as client:
        while True:
            try:
                client.get(f"http://127.0.0.1:{port}/contest")
                break
            except httpx.TransportError:
                continue
    try:
        yield f"http://127.0.0.1:{port}/pages"
    finally:
        server.should_exit = True
        thread.join()


class Hand:
    """Somebody at the pages, from a page of the contest.

    Args:
        root: where they are.
        token: that is typed; "": none is.
    """

    def __init__(self, root, token=""):
        self.client = httpx.Client(
            base_url=root, headers={"origin": root.rpartition("/")[0]}, limits=httpx.Limits(max_keepalive_connections=0), **PLAIN
        )  # fmt: skip
        if token:
            assert self.post("/login", token=token).status_code == 303

    def get(self, path, **more):
        """A page."""
        return self.client.get(path, **more)

    def post(self, path, /, **form):
        """A form, not followed."""
        return self.client.post(path, data=form)

    def drop(self, path, content, name="made.tsv"):
        """A file that is dropped on a page."""
        return self.client.post(path, files={"file": (name, content)})


PHASES = (phase("Défense", "defence", -48, 27.5), phase("Attaque <b>", "attack", -24, 96.5))


@pytest.fixture(scope="session")
def house(tmp_path_factory):
    """A contest that tests share: they look at it and change nothing of it."""
    return made(tmp_path_factory.mktemp("contest") / "c", *PHASES).furnish()


@pytest.fixture(scope="session")
def root(house):
    """Where its pages are."""
    with serving(house) as address:
        yield address


@pytest.fixture(scope="session")
def hands(house, root):
    """Everybody who may come, by name; "": nobody who has signed in."""
    return {name: Hand(root, token) for name, token in {**house.tokens, "": ""}.items()}
