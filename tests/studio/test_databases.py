"""Tables of databases in the studio: SQLite and PostgreSQL to the release; a password is in no file, no answer and no argument."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import time
from pathlib import Path
from urllib.parse import quote, unquote

import psycopg
import pytest
import tomlkit
from tests.commands import ran
from tests.conftest import binaries
from tests.postgres_server import GUARDED, private_server
from tests.studio.conftest import opened
from tests.studio.furnished import Hand, Room, begun
from tests.studio.teams import House

from sfumato.studio.databases import LEDGER, RELEASE, SOURCE, urls_in
from sfumato.studio.shelf import Project, Shelf

CANARY = "c4nary pa%ss/w?rd&é"
ROWS = [(20 + i % 40, ("Rhône", "Paris")[i % 2], ("flu", "asthma")[i % 3 % 2]) for i in range(120)]


@pytest.fixture(scope="module")
def server():
    """A server whose user `guarded` has the canary as password, with a table of persons; and its URL without it."""
    if binaries() is None:
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("the binaries of PostgreSQL are required here")
        pytest.skip("no PostgreSQL server")
    with private_server() as one:  # a ledger wants a server that syncs
        with psycopg.connect(one.url) as line:
            line.execute(f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{CANARY}'")
            line.execute("CREATE TABLE stays (age integer, home text, illness text)")
            line.cursor().executemany("INSERT INTO stays VALUES (%s, %s, %s)", ROWS)
            line.execute(f"GRANT SELECT ON stays TO {GUARDED}")
        yield one.url, one.url.replace("postgres@", f"{GUARDED}@")


def database(path, *tables):
    """An SQLite file."""
    with contextlib.closing(sqlite3.connect(path)) as line:
        for name in tables:
            line.execute(f'CREATE TABLE "{name}" (age integer, home text, illness text)')
            line.executemany(f'INSERT INTO "{name}" VALUES (?, ?, ?)', ROWS)
        line.commit()
    return path


def made(hand, answer):
    """The project that an answer leads to."""
    assert answer.status_code == 303, answer.text[-1500:]
    room = Room(hand, Project(hand.studio.folder / unquote(answer.headers["location"].split("/p/")[1].split("/")[0])))
    room.finished("draft")
    return room


def ready(room):
    """Roles and a promise."""
    roles = ("quasi-identifying", "quasi-identifying", "sensitive")
    room.done("table/roles", **{f"role-{i}": role for i, role in enumerate(roles)})
    room.done("promise/propose", scenario="inside")


def released(room):
    """Lines of the newest release."""
    return next(room.project.runs()[0].folder.glob("*release*")).read_text("utf-8").splitlines()


def heard(client, said):
    """Keep every answer of a client."""

    def hook(answer):
        answer.read()
        said.append(answer.text + str(answer.headers) + str(answer.request.url))

    client.event_hooks = {"response": [hook]}


def canaries(folder, said):
    """Where the password stands, written in any way."""
    forms = {CANARY, quote(CANARY), quote(CANARY, safe=""), json.dumps(CANARY)[1:-1], "c4nary"}
    files = [path for path in folder.rglob("*") if path.is_file() and b"c4nary" in path.read_bytes()]
    return [*files, *(text[:200] for text in said if any(one in text for one in forms))]


def test_a_password_stands_nowhere(server, tmp_path):
    """From the form to the release, the risk, many releases, and an answer; then the studio is killed and asks again."""
    root, url = server
    said, studio = [], opened(tmp_path / "shelf")
    with Hand.of(studio) as hand:
        heard(hand.client, said)
        for wrong in (
            {"url": url.replace("@", f":{quote(CANARY, safe='')}@"), "password": ""}, {"url": url, "password": CANARY + "x"},
            {"url": f"{url}?password={quote(CANARY, safe='')}"}, {"url": f"{url}?sslpassword={quote(CANARY, safe='')}", "password": CANARY},
            {"url": url, "query": "nothing", "password": ""},
        ):  # fmt: skip
            assert hand.post("/", **{"query": "stays", **wrong}).status_code == 422
        assert list(studio.folder.iterdir()) == []
        room = made(hand, hand.post("/", url=url, query="", password=CANARY))
        ready(room)
        with psycopg.connect(root) as line:
            line.execute("LOCK TABLE stays IN ACCESS EXCLUSIVE MODE")
            room.done("promise/run")
            waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
            with psycopg.connect(root, autocommit=True) as other:
                while not other.execute(waiting).fetchone()[0]:
                    time.sleep(0.02)
            told = [bytes_of(path) for path in Path("/proc").glob("[0-9]*/cmdline")]
            child = json.loads((room.project.folder / "runs/001/pid.json").read_text())["pid"]
            told.append(bytes_of(Path(f"/proc/{child}/environ")))
            assert any(b"sfumato.studio.child" in one for one in told)
            assert not any(b"c4nary" in one for one in told)
        room.finished("001")
        assert len(released(room)) == len(ROWS) + 1
        room.done("explore/sweep", **{"key-0": "k", "values-0": "2, 3"})
        room.finished("sweep")
        for page in ("table", "password", "result", "promise", "history"):
            assert hand.get(room.path(page)).status_code == 200
        asked_and_answered(room)
        studio.process.send_signal(signal.SIGKILL)
        said.append(studio.process.communicate()[1])
    assert canaries(studio.folder, said) == []
    again_after_a_restart(tmp_path, room.project.name)


def asked_and_answered(room):
    """A question to the table of the server, which is read in the process of the studio itself."""
    room.done(
        "declare/save", neighbors="add or remove", measure="epsilon", amount="1", dataset="stays",
        **{"form-0": "range", "low-0": "0", "high-0": "99", "step-0": "1"},
    )  # fmt: skip
    room.done("declare/open", sure="yes")
    room.done("ask/pay", statement="SELECT COUNT(*) FROM t", measure="epsilon", amount="1/4", sure="yes")


def again_after_a_restart(folder, name):
    """Nothing remembers: whoever runs the plan is asked, a wrong password opens nothing, and the right one goes on."""
    said, studio = [], opened(folder / "shelf")
    with Hand.of(studio) as hand:
        heard(hand.client, said)
        room = Room(hand, Project(studio.folder / name))
        asked = room.post("promise/run")
        assert asked.headers["location"].endswith(room.path("password") + "?back=promise")
        assert len(room.project.runs()) == 1
        assert room.post("password?back=promise", password=CANARY + "x").status_code == 422
        assert room.post("promise/run").headers["location"].endswith("?back=promise")
        answer = room.post("password?back=//evil.example", password=CANARY)
        assert answer.headers["location"].endswith(room.path("table"))
        asked = room.post("risk/measure")
        assert asked.headers["location"].endswith("?job=risk")
        room.finished("risk")
        studio.process.terminate()
        said.append(studio.process.communicate()[1])
    assert canaries(studio.folder, said) == []


def unlocked(room, page, back):
    """An action is led to the password of an address that it names; the password that is typed leads back to its page."""
    asked = room.post(page, sure="yes")
    assert asked.headers["location"].endswith(f"{room.path('password')}?back={back}"), asked.headers
    shown = room.hand.get(room.path(f"password?back={back}")).text
    assert room.post(f"password?back={back}", password=CANARY + "x").status_code == 422
    assert room.post(f"password?back={back}", password=CANARY).headers["location"].endswith(room.path(back))
    return shown


def test_a_password_opens_a_release_and_a_ledger(server, tmp_path):
    """Each is another database than the table's, a file: it is typed once for each, and stands nowhere; a restart asks again."""
    root, url = (f"{one.rpartition('/')[0]}/other" for one in server)
    with psycopg.connect(server[0], autocommit=True) as line:
        line.execute(f"CREATE DATABASE other OWNER {GUARDED}")
    release, ledger = f"{url}?application_name=release", f"{url}?application_name=ledger"
    said, studio = [], opened(tmp_path / "shelf")
    lines = "".join(f"{age},{home},{illness}\n" for age, home, illness in ROWS)
    with Hand.of(studio) as hand:
        heard(hand.client, said)
        room = begun(hand, "stays.csv", f"age,home,illness\n{lines}".encode())
        ready(room)
        plan = tomlkit.parse(room.project.plan_path.read_text("utf-8"))
        plan["output"] = {"url": release, "table": "released"}
        plan["account"] = {"ledger": ledger, "dataset": "d", "request": "r", "budget": {"epsilon": 1}}
        room.project.plan_path.write_text(plan.as_string(), "utf-8")
        assert urls_in(room.project, "plan", (*SOURCE, *RELEASE, *LEDGER)) == (release, ledger)
        del plan["account"]
        room.project.plan_path.write_text(plan.as_string(), "utf-8")
        room.done("risk/measure")  # opens neither, and asks for neither
        room.finished("risk")
        assert "application_name=release" in unlocked(room, "promise/run", "promise")
        room.done("promise/run")
        room.finished("001")
        with psycopg.connect(root) as line:
            assert line.execute("SELECT count(*) FROM released").fetchone() == (len(ROWS),)
        room.done(
            "declare/save", neighbors="add or remove", measure="epsilon", amount="1", dataset="stays",
            **{"form-0": "range", "low-0": "0", "high-0": "99", "step-0": "1"},
        )  # fmt: skip
        data = room.project.folder / "data.toml"
        found = tomlkit.parse(data.read_text("utf-8"))
        found["ledger"]["url"] = ledger
        data.write_text(found.as_string(), "utf-8")
        assert "Type the password" in hand.get(room.path("ask")).text
        assert "application_name=ledger" in unlocked(room, "declare/open", "declare")
        room.done("declare/open", sure="yes")
        room.done("ask/pay", statement="SELECT COUNT(*) FROM t", measure="epsilon", amount="1/4", sure="yes")
        assert "Spent 1/4 of 1" in hand.get(room.path("ask")).text
    studio.process.send_signal(signal.SIGKILL)
    said.append(studio.process.communicate()[1])
    again = opened(tmp_path / "shelf")
    with Hand.of(again) as hand:
        heard(hand.client, said)
        assert "Type the password" in hand.get(room.path("ask")).text
        asked = hand.post(
            room.path("ask/pay"), statement="SELECT COUNT(*) FROM t", measure="epsilon", amount="1/4", sure="yes"
        )
        assert asked.headers["location"].endswith("?back=ask")
    again.process.terminate()
    said.append(again.process.communicate()[1])
    assert canaries(studio.folder, said) == []


def bytes_of(path):
    """What a file of a process says; nothing where it has ended."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_a_server_that_needs_no_password_asks_for_none(server, studio):
    """Neither in the form nor later: whoever is let in by the server is not asked."""
    with Hand.of(studio) as hand:
        room = made(
            hand, hand.post("/", url=server[0], query="SELECT age, home, illness FROM stays ORDER BY age", password="")
        )
        room.done("risk/measure")
        room.finished("risk")
        assert room.hand.get(room.path("table")).text.count(f"{len(ROWS)} rows") == 1


def test_an_sqlite_file_is_a_table_as_others_are(studio, tmp_path):
    """Dropped or named; of several tables the one that is named; the folder goes elsewhere and runs in a shell."""
    with Hand.of(studio) as hand:
        room = made(hand, hand.drop("/", "Séjours.db", database(tmp_path / "a.db", "stays").read_bytes()))
        ready(room)
        room.done("promise/run")
        room.finished("001")
        first = released(room)
        assert len(first) == len(ROWS) + 1
        two = database(tmp_path / "b.db", "stays", "odd.select").read_bytes()
        before = set(studio.folder.iterdir())
        answer = hand.drop("/", "two.sqlite", two)
        assert (answer.status_code, "odd.select" in answer.text) == (422, True)
        assert set(studio.folder.iterdir()) == before
        (studio.folder / "two.db").write_bytes(two)
        other = made(hand, hand.post("/", path="two.db", query='SELECT * FROM "odd.select"'))
        assert 'url = "sqlite:///../two.db"' in other.project.plan_path.read_text("utf-8")
        for path in (str(tmp_path / "a.db"), "../a.db"):
            assert "--root" in hand.post("/", path=path).text
        for url in (
            "sqlite:////etc/passwd",
            "duckdb:///two.db",
            "spark:",
            "mysql://host/base",
            f"sqlite:///{tmp_path}/a.db",
        ):
            assert hand.post("/", url=url, query="stays").status_code == 422
    moved = tmp_path / "moved"
    shutil.copytree(room.project.folder, moved)
    done = ran("run", moved / "plan.toml", cwd=tmp_path)
    assert done.code == 0, done.err
    assert next(moved.glob("*release*.csv")).read_text("utf-8").splitlines() == first


@pytest.mark.parametrize("form", [
    {"url": "postgresql:///base", "password": "x"}, {"url": "postgresql://host/base", "password": "x"},
    {"url": "postgresql://ada@host/base"}, {"url": "postgresql://ada@%2Fvar%2Frun/base", "password": "x"},
    {"url": "postgresql://ada@host/base?passfile=/root/.pgpass", "password": "x"}, {"url": "postgresql://ada@host/base?service=own", "password": "x"},
    {"url": "postgresql://ada@host/base?host=/var/run", "password": "x"}, {"url": "postgresql://ada@host/base?sslkey=/etc/key", "password": "x"},
    {"url": "postgresql://ada@[host/base", "password": "x"}, {"url": "sqlite:////etc/passwd", "password": "x"},
])  # fmt: skip
def test_in_a_team_nobody_uses_what_the_studio_s_account_may_read(tmp_path, form):
    """No socket, no file, no service, no password of somebody else; refused before any address is asked."""
    (tmp_path / "shelf").mkdir()
    house = House(Shelf(tmp_path / "shelf"), tmp_path / "users.toml")
    answer = house.ask("POST", "/", cookie=house.sign_in("ada"), data={"query": "t", **form})
    assert answer.status_code == 422
    assert list((tmp_path / "shelf").iterdir()) == []
