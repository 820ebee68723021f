"""A contest's server in real processes: from a submission to the board; hostile files and teams; kills at any moment."""

import gzip
import json
import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from tests.app.contests import WORDS, contest, defended, team, told
from tests.app.serve_processes import PATIENCE, PLAIN, free_port, running, start
from tests.postgres_server import fresh_database

from sfumato.arena.store import Store


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A contest, its server, and two teams."""
    folder = contest(tmp_path_factory.mktemp("arena"))
    teams = {name: team(folder, name) for name in ("red", "blue")}
    with running(folder, *WORDS) as (_, address), httpx.Client(base_url=address, **PLAIN) as client:
        yield folder, client, teams


def handed(client, headers, content, path="/submissions"):
    """The number of a file that was taken."""
    answer = client.post(path, content=content, headers=headers)
    assert answer.status_code == 202, answer.text
    return answer.json()["number"]


def judged(client, headers, number):
    """What the judge says of a file, when it has spoken."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        mine = {one["number"]: one for one in client.get("/own", headers=headers).json()["files"]}
        if mine[number]["state"] not in {"waiting", "judging"}:
            return mine[number]
        time.sleep(0.1)
    pytest.fail("nothing was judged")


def test_from_a_submission_to_the_board(place):
    folder, client, teams = place
    made = defended(folder, "rounded", "made.tsv")
    number = handed(client, teams["red"], gzip.compress(made))
    local = json.loads(told(folder, "arena", "score", "made.tsv", "--contest", "contest.toml", "--json"))
    there = judged(client, teams["red"], number)
    assert (there["state"], there["result"]) == ("accepted", local)
    assert client.get(f"/published/{number}", headers=teams["blue"]).status_code == 404
    assert client.post(f"/submissions/{number}/publish", headers=teams["blue"]).status_code == 404
    assert client.post(f"/submissions/{number}/publish", headers=teams["red"]).status_code == 200
    public = client.get(f"/published/{number}", headers=teams["blue"]).content
    assert sorted(public.splitlines()) == sorted(made.splitlines())
    assert public != made
    (folder / "public.tsv").write_bytes(public)
    told(folder, "arena", "guess", "sums", "public.tsv", "--contest", "contest.toml", "-o", "attack.json")
    assert client.post(f"/published/{number}/attacks", content=b"{}", headers=teams["red"]).status_code == 403
    attack = handed(client, teams["blue"], (folder / "attack.json").read_bytes(), f"/published/{number}/attacks")
    found = judged(client, teams["blue"], attack)["result"]["found"]
    assert found == pytest.approx(local["attacks"]["sums"], abs=5e-5)
    board = {one["team"]: one for one in client.get("/board").json()["teams"]}
    best = max(local["attacks"].values())
    assert board["red"]["defence"] == pytest.approx(local["worth"] * (1 - best), abs=5e-5)
    assert (board["red"]["submission"], board["blue"]["submission"], board["blue"]["attack"]) == (number, None, found)
    mine = {one["number"] for one in client.get("/own", headers=teams["blue"]).json()["files"]}
    assert number not in mine
    told(
        folder, "arena", "report", "--store", "store", "--contest", "contest.toml", "-o", "fr.html", "--language", "fr"
    )
    page = (folder / "fr.html").read_text("utf-8")
    assert re.search(f'<th scope="row">{number}</th><td[^>]*>red</td>', page)
    assert all(
        word in page for word in ("Concours Spring", "Ce qui a survécu", f"{local['worth']:.3f}".replace(".", ","))
    )
    assert "<script" not in page


BAD = {
    "no table": (b"\x00\xff" * 99, "must"),
    "one line": (b"a\t2015-03-02 08:00:00\t1\t2\n", "must have as many lines"),
    "bomb": (gzip.compress(bytes(50_000_000)), "at most"),
    "zip": (b"PK\x03\x04" + bytes(99), "damaged"),
    "formulas": (b"=cmd|' /C calc'!A0\t=1+1\t1\t2\n", "must be a time"),
}


@pytest.mark.parametrize("what", BAD)
def test_hostile_files_are_refused_with_their_reason(place, what):
    _, client, teams = place
    said = judged(client, teams["blue"], handed(client, teams["blue"], BAD[what][0]))
    assert said["state"] == "refused"
    assert BAD[what][1] in said["result"]["faults"][0]["must"]


def test_requests_of_nobody_and_out_of_bounds_are_refused(place):
    _, client, teams = place
    for headers in ({}, {"Authorization": "Bearer x"}, {"Authorization": "Basic eDp4"}):
        for method, path in (("GET", "/own"), ("POST", "/submissions"), ("GET", "/published"), ("GET", "/published/1")):
            assert client.request(method, path, headers=headers).status_code == 401
    red = teams["red"]
    assert client.post("/submissions", headers=red).status_code == 411
    assert client.post("/submissions", content=bytes(2_000_001), headers=red).status_code == 413
    assert client.post("/published/77777/attacks", content=b"{}", headers=red).status_code == 404
    assert client.get(f"/published/{2**70}", headers=red).status_code == 404
    assert client.get("/published/../keys/1", headers=red).status_code == 404
    assert client.post("/submissions/x/publish", headers=red).status_code == 404
    wrong = client.get("/board?by=hope")
    assert (wrong.status_code, "defence, attack, both" in wrong.json()["problem"]) == (422, True)
    about = client.get("/contest").json()
    assert (about["name"], about["quota"]["attacks"], "original" in json.dumps(about)) == ("Spring", 2, False)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_killed_at_any_moment_it_loses_nothing_and_quotas_hold_for_many_at_once(kind, request, tmp_path):
    """Of twenty files at once two are taken; the server is killed with its judge in the middle, and goes on where it was."""
    contest(tmp_path, submissions=2)
    url = fresh_database(request.getfixturevalue("postgres")) if kind == "postgresql" else None
    words = (*WORDS, "--database", url) if url else WORDS
    red = team(tmp_path, "red", *words[4:])
    made = defended(tmp_path, "renamed", "made.tsv")
    port = free_port()
    process = start(tmp_path, port, words)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", **PLAIN) as client:
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda _: client.post("/submissions", content=made, headers=red), range(20)))
        assert sorted(one.status_code for one in answers) == [202] * 2 + [429] * 18
        numbers = sorted(one.json()["number"] for one in answers if one.status_code == 202)
        assert numbers == [1, 2]
        judged(client, red, 1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        process = start(tmp_path, port, words)
        assert [judged(client, red, number)["state"] for number in numbers] == ["accepted"] * 2
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        process.stdout.close()
    store = Store(url or tmp_path / "store/arena.db")
    done = [file for _, who, what, file in store.audit() if (who, what) == ("judge", "accepted")]
    store.close()
    assert sorted(done) == numbers
    assert sorted(path.name for path in (tmp_path / "store/keys").iterdir()) == [str(one) for one in numbers]
    assert list((tmp_path / "store/arriving").iterdir()) == []


def test_what_stops_the_judge_costs_only_itself(tmp_path):
    """A judge without time fails its file; the next one is judged, and a failed file counts for no quota."""
    contest(tmp_path, submissions=1)
    document = tmp_path / "contest.toml"
    document.write_text(document.read_text().replace("seconds = 60", "seconds = 60\nmemory = 30000000"))
    red = team(tmp_path, "red")
    made = defended(tmp_path, "renamed", "made.tsv")
    with running(tmp_path, *WORDS) as (_, address), httpx.Client(base_url=address, **PLAIN) as client:
        said = judged(client, red, handed(client, red, made))
        assert (said["state"], "memory" in said["result"]["why"]) == ("failed", True)
        document.write_text(document.read_text().replace("memory = 30000000", ""))
        assert judged(client, red, handed(client, red, made))["state"] == "accepted"


def test_phases_open_and_close_by_the_clock_of_the_server(tmp_path):
    """A defence that is over and an attack that goes on: nothing is submitted, and scores of attacks are rounded."""
    now = datetime.now(UTC)
    moments = [(now + timedelta(days=days)).isoformat(timespec="seconds") for days in (-2, -1, 1)]
    phases = "".join(
        f'[[phase]]\nname = "{kind}"\nkind = "{kind}"\nstart = {a}\nend = {b}\n'
        for kind, a, b in (("defence", moments[0], moments[1]), ("attack", moments[1], moments[2]))
    )
    contest(tmp_path, phases=phases)
    red = team(tmp_path, "red")
    with running(tmp_path, *WORDS) as (_, address), httpx.Client(base_url=address, **PLAIN) as client:
        assert client.post("/submissions", content=b"x", headers=red).status_code == 403
        assert client.post("/submissions/1/publish", headers=red).status_code == 403
        assert client.post("/published/1/attacks", content=b"x", headers=red).status_code == 404
        assert client.get("/board").json() == {
            "digits": 1,
            "by": "defence",
            "teams": [
                {
                    "team": "red",
                    "defence": None,
                    "attack": 0,
                    "submission": None,
                    "worth": None,
                    "found": None,
                    "both": 0,
                }
            ],
        }


def test_no_address_of_the_world_without_encryption(tmp_path, sfumato, monkeypatch):
    contest(tmp_path)
    monkeypatch.chdir(tmp_path)
    ran = sfumato("serve", *WORDS, "--host", "0.0.0.0")  # noqa: S104 - it is refused
    assert (ran.code, "by https" in ran.err) == (5, True)
    ran = sfumato("arena", "team", "a\nb", "--store", "store")
    assert (ran.code, "printable" in ran.err) == (2, True)


def test_no_described_request_makes_the_server_fail(place):
    schemathesis = pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, given, settings

    _, client, teams = place
    schema = schemathesis.openapi.from_url(f"{client.base_url}/openapi.json")
    for operation in schema.get_all_operations():

        @settings(max_examples=15, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
        @given(case=operation.ok().as_strategy())
        def sends(case):
            assert case.call(headers=teams["blue"]).status_code < 500

        sends()
