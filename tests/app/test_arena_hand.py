"""What a team does at the server of a contest, by commands: over TLS, through failures, and never counted twice."""

import gzip
import json
import threading
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from click.testing import CliRunner
from tests.app.contests import WORDS, contest, defended
from tests.app.serve_processes import PLAIN, running
from tests.certificates import certificate_in

from sfumato.arena.seat import TRIES, seat_at
from sfumato.cli.main import commands
from sfumato.errors import PlanError, SourceError

FRENCH = {"LC_ALL": "fr_FR.UTF-8", "LANGUAGE": "fr"}


def run(*words, code=0, env=None):
    """What a command prints."""
    result = CliRunner().invoke(commands, ["arena", *map(str, words)], env=env)
    assert result.exit_code == code, result.output
    return result.output


@contextmanager
def served(folder):
    """A contest with three lines of quota, its server with a certificate of its own, and the options of two teams."""
    contest(folder)
    cert, key = certificate_in(folder)
    for name in ("red", "blue"):
        (folder / name).write_text(run("team", name, "--store", folder / "store"))
    with running(folder, *WORDS, "--tls-cert", str(cert), "--tls-key", str(key)) as (_, address):
        yield folder, address, cert


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A server that tests share."""
    with served(tmp_path_factory.mktemp("hand")) as found:
        yield found


@pytest.fixture
def empty(tmp_path):
    """A server to which nobody else hands in anything."""
    with served(tmp_path) as found:
        yield found


def options(place, team):
    """Where the server is, and whose token asks."""
    folder, address, cert = place
    return ("--server", address, "--ca", cert, "--token-file", folder / team)


def test_an_afternoon_of_two_teams_by_commands(empty):
    folder, address, cert = empty
    red, blue, everybody = options(empty, "red"), options(empty, "blue"), ("--server", address, "--ca", cert)
    said = run("about", *everybody)
    assert said.splitlines()[0] == "Spring: insanonym, rules fixed"
    assert "submissions: 50; published: 2; attacks on each: 2" in said
    (folder / "made.tsv.gz").write_bytes(gzip.compress(defended(folder, "rounded", "made.tsv"), mtime=0))
    said = run("submit", folder / "made.tsv.gz", *red)
    local = run("score", folder / "made.tsv", "--contest", folder / "contest.toml")
    assert said == f"1: handed in\naccepted\n{local}"
    assert run("submit", folder / "made.tsv.gz", *red).startswith("1: handed in before\naccepted\n")
    (folder / "bad.tsv").write_text("a\tb\n")
    assert "Ligne 1" in run("submit", folder / "bad.tsv", *red, code=3, env=FRENCH)
    assert run("targets", *blue) == "no.  team  published\n"
    assert run("choose", "1", *red) == "1 is published.\n"
    result = CliRunner().invoke(commands, ["arena", "choose", "2", *map(str, red)])
    assert str(result.exception) == "There is no accepted submission of yours with this number. Remedy: see `sfumato arena own`."  # fmt: skip
    assert run("targets", *blue).splitlines()[1].split()[:2] == ["1", "red"]
    run("fetch", "1", "-o", folder / "public.tsv", *blue)
    run("fetch", "1", "1", "--into", folder / "several", *blue)
    assert (folder / "several/1").read_bytes() == (folder / "public.tsv").read_bytes()
    run("fetch", "1", *blue, code=1)
    assert sorted((folder / "public.tsv").read_bytes().splitlines()) == sorted((folder / "made.tsv").read_bytes().splitlines())  # fmt: skip
    run("guess", "sums", folder / "public.tsv", "--contest", folder / "contest.toml", "-o", folder / "attack.json")
    said = run("submit", folder / "attack.json", "--on", "1", *blue, "--json")
    assert (json.loads(said)["target"], json.loads(said)["state"]) == (1, "accepted")
    assert json.loads(said)["result"]["found"] in {i / 10 for i in range(11)}
    assert run("choose", "1", "--withdraw", *red, code=1) == ""
    assert [line.split()[:3] for line in run("own", *blue, env=FRENCH).splitlines()] == [
        ["n°", "sur", "état"],
        ["3", "1", "acceptée"],
    ]
    for by, first in (("defence", "red"), ("attack", "blue"), ("both", "blue")):
        assert run("board", "--by", by, *everybody).splitlines()[1].split()[0] == first


def test_a_certificate_that_nobody_trusts_gets_no_token(place):
    folder, address, _ = place
    with pytest.raises(SourceError, match="certificate of the server must be one that is trusted"):
        seat_at(address, None, folder / "red").get("/own")
    with pytest.raises(PlanError, match="encrypted"):
        seat_at("http://contest.example.org", None, folder / "red")


class Twin(BaseHTTPRequestHandler):
    """Takes each request, hands it on where it may, and answers as it is told."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        """The next of what it is told to do."""
        self.server.asked.append((self.path, self.headers.get("idempotency-key")))
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        status, headers, answer = self.server.told(body, dict(self.headers))
        if status:
            self.send_response(status)
            for name, value in {"content-length": str(len(answer)), "connection": "close", **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer)
        self.close_connection = True

    do_GET = do_POST  # noqa: N815 - the name that the library looks for

    def log_message(self, *_):
        """Nothing."""


@contextmanager
def answering(told):
    """A seat at a server that answers what a function tells, what it was asked, and how long the seat waited."""
    waited = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Twin) as server:
        server.told, server.asked = told, []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        seat = seat_at(f"http://127.0.0.1:{server.server_port}", None)
        yield replace(seat, sleep=waited.append), server.asked, waited
        server.shutdown()


def test_what_was_taken_without_an_answer_is_not_taken_twice(place):
    """The server takes the file each time; the answer is lost twice, and once a proxy says that it is overloaded."""
    folder, address, _ = place
    made = defended(folder, "renamed", "other.tsv")
    lost = [(0, {}, b""), (503, {"Retry-After": "7"}, b"<html>"), (0, {}, b"")]
    token = {"Authorization": f"Bearer {(folder / 'red').read_text().strip()}"}

    def told(body, headers):
        assert body == made
        key = {"Idempotency-Key": headers["Idempotency-Key"]}
        real = httpx.post(f"{address}/submissions", content=body, headers=token | key, **PLAIN)
        return lost.pop() if lost else (real.status_code, {}, real.content)

    with answering(told) as (seat, asked, waited):
        given = seat.hand_in(folder / "other.tsv", None)
    assert (given["new"], len(asked), len(set(asked))) == (False, 4, 1)
    assert waited == [0.5, 7, 2.0]
    mine = json.loads(run("own", *options(place, "red"), "--json"))["files"]
    assert sum(one["sha256"] == given["sha256"] for one in mine) == 1


@pytest.mark.parametrize(("answer", "tries", "says"), [
    ((0, {}, b""), TRIES, "must answer; it does not"),
    ((504, {}, b""), TRIES, "status 504"),
    ((401, {}, b'{"problem": "A team needs its token.\\u001b[2J", "remedy": "x"}'), 1, r"A team needs its token\.\[2J"),
    ((302, {"location": "http://127.0.0.1/x"}, b""), 1, "status 302"),
    ((200, {}, b"<html>"), 1, "must be JSON"),
    ((200, {}, b"[]"), 1, "must be an object"),
    ((200, {}, b"\xff{"), 1, "must be JSON"),
    ((200, {"content-length": "99"}, b"{}"), TRIES, "must answer; it does not"),
])  # fmt: skip
def test_no_answer_and_other_answers_are_told(answer, tries, says):
    with answering(lambda *_: answer) as (seat, asked, _):
        with pytest.raises(SourceError, match=says):
            seat.get("/own")
        assert len(asked) == tries


@pytest.mark.parametrize("answer", [(200, {}, b"x" * 11), (200, {"content-length": "9"}, b"x"), (404, {}, b"{}")])
def test_a_file_is_fetched_whole_or_not_at_all(tmp_path, answer):
    with answering(lambda *_: answer) as (seat, _, _):
        with pytest.raises(SourceError):
            seat.fetch(1, tmp_path / "public", 10)
        assert list(tmp_path.iterdir()) == []


def test_a_refusal_that_comes_before_the_body_is_sent_is_told(place, tmp_path):
    """The server answers a large file of nobody at once."""
    _, address, cert = place
    (tmp_path / "large").write_bytes(bytes(1_900_000))
    (tmp_path / "token").write_text("wrong")
    seat = replace(seat_at(address, cert, tmp_path / "token"), sleep=lambda _: None)
    with pytest.raises(SourceError, match="needs its token"):
        seat.hand_in(tmp_path / "large", None)
