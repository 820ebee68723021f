"""Routes without a network: clocks that jump, tokens of other teams, replays, and what everybody may see of attacks."""

import asyncio
import hashlib
from datetime import UTC, datetime

import httpx
import pytest
from tests.app.contests import contest

from sfumato.arena.app import arena_app
from sfumato.arena.board import standings
from sfumato.arena.room import Room
from sfumato.arena.serving import Arena
from sfumato.arena.store import Store
from sfumato.arena.worker import Worker
from sfumato.contest.opening import open_judge, read_contest
from sfumato.document.server import Limits
from sfumato.web.metrics import Tally

SCRIPT = "<script>alert(1)</script>"


def phases():
    """Defence until 100, attacks from there to 200 and from 300 to 400, in seconds since 1970."""
    moment = [datetime.fromtimestamp(s, UTC).isoformat() for s in (0, 100, 200, 300, 400)]
    parts = (("defence", 0, 1), ("attack", 1, 2), ("attack", 3, 4))
    return "".join(f'[[phase]]\nname = "{kind}"\nkind = "{kind}"\nstart = {moment[a]}\nend = {moment[b]}\n' for kind, a, b in parts)  # fmt: skip


class Site:
    """A contest whose clock is set by hand, and whose judge never works by itself."""

    def __init__(self, folder):
        contest(folder, phases=phases())
        self.now, self.store, room = 50.0, Store(folder / "arena.db"), Room(folder / "store")
        room.ready()
        worker = Worker(self.store, room, folder / "contest.toml", 60)
        said, judge = read_contest(folder / "contest.toml"), open_judge(folder / "contest.toml")
        arena = Arena(said, judge.game, self.store, room, worker, Limits(body=1000), clock=lambda: self.now)
        self.arena, self.app = arena, arena_app(arena, Tally())
        for name in ("red", "blue", SCRIPT):
            self.store.add_team(name, hashlib.sha256(name.encode()).hexdigest(), now=0)

    def ask(self, method, path, team=None, **more):
        """An answer."""
        headers = more.pop("headers", {}) | ({"Authorization": f"Bearer {team}"} if team else {})

        async def once():
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://arena") as client:
                return await client.request(method, path, headers=headers, **more)

        return asyncio.run(once())

    def hand_in(self, team, content=b"x", path="/submissions", **more):
        """An answer to a file."""
        return self.ask("POST", path, team, content=content, **more)

    def accept(self, number, **said):
        """The judge accepts a file."""
        while self.store.take() is not None:
            pass
        self.store.judged(number, "accepted", said, now=self.now)


@pytest.fixture
def site(tmp_path):
    """A contest of three teams."""
    made = Site(tmp_path)
    yield made
    made.store.close()


def test_phases_follow_the_clock_wherever_it_jumps_and_numbers_keep_their_order(site):
    """And quotas: the third attack is one too many when the clock was set back, too."""
    assert site.hand_in("red").json()["number"] == 1
    site.accept(1, worth=1.0, metrics={}, attacks={"sums": 0.75})
    assert site.ask("POST", "/submissions/1/publish", "red").status_code == 200
    for now, submit, attack, digits in (
        (99.9, 202, 403, 1), (100, 403, 202, 1), (250, 403, 403, 1), (399, 403, 202, 1), (400, 403, 403, 4),
        (150, 403, 429, 1), (-5, 403, 403, 1), (50, 202, 403, 1), (1e11, 403, 403, 4),
    ):  # fmt: skip
        site.now = now
        assert site.hand_in("red", b"%f" % now).status_code == submit, now
        assert site.hand_in("blue", b"%f" % now, "/published/1/attacks").status_code == attack, now
        assert site.ask("GET", "/board").json()["digits"] == digits, now
    assert [one.id for one in site.store.everything()] == list(range(len(site.store.everything()), 0, -1))
    assert site.ask("POST", "/submissions/2/publish", "red").status_code == 403


def test_what_attacks_find_is_rounded_before_anything_is_made_of_it(site):
    """Neither the score of a defence, nor its order, tells more than a tenth; worth is exact."""
    for number, (team, worth, found) in enumerate((("red", 0.91234, 0.3449), ("blue", 0.91233, 0.3251)), 1):
        assert site.hand_in(team).json()["number"] == number
        site.accept(number, worth=worth, metrics={}, attacks={"sums": found})
        assert site.ask("POST", f"/submissions/{number}/publish", team).status_code == 200
    site.now = 150
    assert site.hand_in("blue", path="/published/1/attacks").json()["number"] == 3
    site.accept(3, found=0.4321)
    board = {one["team"]: one for one in site.ask("GET", "/board").json()["teams"]}
    assert (board["red"]["found"], board["red"]["defence"], board["blue"]["attack"]) == (0.4, round(0.91234 * 0.6, 4), 0.4)  # fmt: skip
    assert (board["blue"]["found"], board["blue"]["worth"]) == (0.3, 0.9123)
    assert board["blue"]["both"] == round((0.91233 * 0.7 + 0.4) / 2, 4)
    assert next(one["team"] for one in site.ask("GET", "/board?by=attack").json()["teams"]) == "blue"
    (mine,) = [one for one in site.ask("GET", "/own", "blue").json()["files"] if one["target"]]
    assert mine["result"]["found"] == 0.4
    site.now = 400
    board = {one["team"]: one for one in site.ask("GET", "/board").json()["teams"]}
    assert (board["red"]["found"], board["blue"]["attack"]) == (0.4321, 0.4321)
    exact = standings(site.arena.game, site.store.teams(), site.store.published(), site.store.attacks())
    assert [one.found for one in exact if one.team == "red"] == [0.4321]


def test_a_token_opens_its_own_team_alone(site):
    site.hand_in("red")
    site.accept(1, worth=1.0, metrics={}, attacks={})
    for method in ("POST", "DELETE"):
        assert site.ask(method, "/submissions/1/publish", "blue").status_code == 404
    assert site.ask("GET", "/published/1", "blue").status_code == 404
    assert site.ask("POST", "/submissions/1/publish", "red").status_code == 200
    assert site.ask("DELETE", "/submissions/1/publish", "blue").status_code == 404
    assert site.ask("GET", "/own", "blue").json()["files"] == []
    assert site.ask("GET", "/own?team=red", "blue").json()["team"] == "blue"
    for team in ("nobody red", "nobody", "red ", "RED", hashlib.sha256(b"red").hexdigest(), "red\tx"):
        assert site.ask("GET", "/own", team).status_code == 401
    assert site.ask("GET", "/own?token=red").status_code == 401
    site.store.enter("eve")  # a team without a token
    assert site.ask("GET", "/own", "nobody eve").status_code == 401


def test_a_replay_is_the_same_request_and_another_file_under_its_key_is_refused(site):
    key = {"headers": {"Idempotency-Key": "k"}}
    first, again = (site.hand_in("red", **key) for _ in range(2))
    assert (first.json()["new"], again.json()["new"]) == (True, False)
    assert first.json()["number"] == again.json()["number"] == 1
    assert site.hand_in("red", b"other", **key).status_code == 409
    assert site.hand_in("blue", **key).json()["number"] == 2
    for bad in ("", "k" * 201, "a b", "\x7f"):
        assert site.hand_in("red", headers={"Idempotency-Key": bad}).status_code == 400
    assert len(list(site.arena.room.arriving.iterdir())) == 0


def test_what_was_attacked_stays_published(site):
    site.hand_in("red")
    site.accept(1, worth=1.0, metrics={}, attacks={})
    assert site.ask("POST", "/submissions/1/publish", "red").status_code == 200
    assert site.ask("DELETE", "/submissions/1/publish", "red").status_code == 200
    assert site.ask("POST", "/submissions/1/publish", "red").status_code == 200
    site.now = 150
    site.hand_in("blue", path="/published/1/attacks")
    site.now = 50
    assert site.ask("DELETE", "/submissions/1/publish", "red").status_code == 409


def test_a_script_in_a_name_is_a_name(site):
    site.hand_in(SCRIPT)
    site.accept(1, worth=1.0, metrics={}, attacks={})
    assert site.ask("POST", "/submissions/1/publish", SCRIPT).status_code == 200
    for path, team in (("/board", None), ("/published", "red")):
        answer = site.ask("GET", path, team)
        assert SCRIPT in answer.text
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_published_submission_that_is_refused_afterwards_leaves_the_board(site):
    site.hand_in("red")
    site.accept(1, worth=1.0, metrics={}, attacks={})
    site.ask("POST", "/submissions/1/publish", "red")
    site.store.again(now=60)
    assert [one["defence"] for one in site.ask("GET", "/board").json()["teams"] if one["team"] == "red"] == [1.0]
    site.store.take()
    site.store.judged(1, "refused", {"faults": [], "worth": None}, now=61)
    assert [one["defence"] for one in site.ask("GET", "/board").json()["teams"] if one["team"] == "red"] == [None]
