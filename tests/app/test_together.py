"""Three hospitals and a publisher as real processes: they are killed, and the release is there; hostile requests are refused."""

import json
import signal
import subprocess
from collections import Counter
from threading import Thread

import httpx
import numpy as np
import pytest
from tests.app.copies import COMMAND
from tests.app.serve_processes import PLAIN, free_port, start

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.noise.bits import SystemBits
from sfumato.table.source import FileSource
from sfumato.together.checks import Watch
from sfumato.together.client import Folder, Line, until_done
from sfumato.together.hospital import Hospital
from sfumato.together.keys import new_identity, read_identity, write_identity
from sfumato.together.table import read_held
from sfumato.together.terms import read_terms
from sfumato.together.wire import Envelope, Kind

NAMES = ("East", "North", "South")
PLAN = """format = "sfumato.plan/1"
[columns.name]
role = "identifying"
[columns.age]
role = "quasi-identifying"
kind = "integer"
[columns.illness]
role = "sensitive"
[[promise]]
model = "k-anonymity"
k = 3
[method]
name = "mondrian"
[output]
path = "release.csv"
suppressed = "drop"
"""


def prepared(folder):
    """Rows of three hospitals, their keys, a plan and terms."""
    rng = np.random.default_rng(1)
    for name in (*NAMES, "Press"):
        write_identity(folder / f"{name}.key", new_identity(name, rng.bytes(64)))
        rows = "".join(f"P{j},{rng.integers(20, 60)},D{rng.integers(3)}\n" for j in range(30))
        (folder / f"{name}.csv").write_text("name,age,illness\n" + rows)
    cards = {name: read_identity(folder / f"{name}.key").card for name in (*NAMES, "Press")}
    (folder / "plan.toml").write_text(PLAN)
    holders = "".join(f'[[holder]]\nname = "{n}"\nfingerprint = "{cards[n].fingerprint}"\n' for n in NAMES)
    (folder / "terms.toml").write_text(
        f'format = "sfumato.together/1"\nplan = "plan.toml"\nholders = 3\npublisher = "{cards["Press"].fingerprint}"\n{holders}'
    )
    return folder


def served(folder, port):
    """The publisher as a process."""
    return start(folder, port, ("together", "terms.toml", "--key", "Press.key"))


def joining(folder, port, name):
    """A holder as a process."""
    words = [
        "join",
        f"http://127.0.0.1:{port}",
        "terms.toml",
        f"{name}.csv",
        "--key",
        f"{name}.key",
        "--state",
        f"s{name}",
    ]
    return subprocess.Popen(
        [*COMMAND, *words, "--json"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def until(process, words):
    """Read what a holder tells until it says these words."""
    for line in process.stderr:
        if words in line:
            return
    raise RuntimeError(words)


def beside(folder, port, name, ended):
    """A holder in a thread of this process, over the network as the others."""
    terms = read_terms(folder / "terms.toml")
    held = read_held(FileSource(folder / f"{name}.csv"), terms, DuckDBEngine(), SystemBits())
    line = Line(f"http://127.0.0.1:{port}", 600)
    one = Hospital(terms, read_identity(folder / f"{name}.key"), held, line, Folder(folder / f"s{name}"), Watch())

    def runs():
        try:
            ended[name] = until_done(one.steps(), lambda kind: None)
        except Exception as error:  # noqa: BLE001 - it is looked at
            ended[name] = error
        finally:
            line.close()

    thread = Thread(target=runs)
    thread.start()
    return thread


def test_a_holder_and_the_publisher_are_killed_and_the_release_is_whole(tmp_path):
    """SIGKILL for a holder that waits for the others, then for the publisher; both are started again.

    What was said is kept in SQLite; in PostgreSQL, by kills of both, in `test_together_sums`.
    """
    folder, port, ended = prepared(tmp_path), free_port(), {}
    server = served(folder, port)
    threads = [beside(folder, port, "North", ended)]
    east = joining(folder, port, "East")
    until(east, "waiting: roster")
    east.kill()
    east.communicate()
    server.kill()
    server.communicate()
    assert not (folder / "release.csv").exists()
    east = joining(folder, port, "East")  # before the publisher is there again
    server = served(folder, port)
    threads.append(beside(folder, port, "South", ended))
    told, errors = east.communicate()
    assert east.returncode == 0, errors
    for thread in threads:
        thread.join()
    server.send_signal(signal.SIGTERM)
    server.communicate()
    found = json.loads(told)
    assert found["rows"] == found["of"] == 30
    assert found["release"]["rows"] == 90
    assert found["messages"] > 10 < found["sent"]
    assert {one.rows for one in ended.values()} == {30}
    assert (folder / "together.db").exists()
    lines = (folder / "release.csv").read_text().splitlines()
    assert len(lines) == 91
    ages = [line.rsplit(",", 1)[0] for line in lines[1:]]
    assert min(map(ages.count, ages)) >= 3
    secret = read_identity(folder / "East.key").seed
    for path in folder.iterdir():
        if path.is_file() and path.suffix != ".key":
            assert secret[:32] not in path.read_bytes()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A publisher that waits for holders."""
    folder, port = prepared(tmp_path_factory.mktemp("together")), free_port()
    server = served(folder, port)
    yield folder, port
    server.send_signal(signal.SIGTERM)
    server.communicate()


def test_hostile_requests_are_refused(place):
    """Whatever is sent, no answer is a failure of the server, and nothing is taken."""
    schemathesis = pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, given, settings

    _, port = place
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/openapi.json")
    for operation in schema.get_all_operations():

        @settings(max_examples=10, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
        @given(case=operation.ok().as_strategy())
        def sends(case):
            assert case.call().status_code < 500

        sends()


def test_messages_of_nobody_are_refused_and_those_for_the_publisher_are_not_shown(place):
    """Bytes, foreign sessions, unknown senders, absent messages."""
    _, port = place
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", **PLAIN) as client:
        session = client.get("/messages/invitation/0")
        assert session.status_code == 200
        stranger = new_identity("Nobody", bytes(range(64)))
        from sfumato.together.wire import envelope_from

        invited = envelope_from(session.content)
        card = json.dumps(stranger.card.to_dict()).encode()
        for body, status in (
            (b"", 400),
            (b"\xff" * 100, 400),
            (invited.to_bytes(), 400),
            (Envelope("0" * 64, Kind.ENROL, "Nobody", 0, 1, "", card).signed(stranger.signing()).to_bytes(), 400),
            (
                Envelope(invited.digest, Kind.ENROL, "Nobody", 0, 1, invited.digest, card)
                .signed(stranger.signing())
                .to_bytes(),
                409,
            ),
            (Envelope(invited.digest, Kind.SLOTS, "Nobody", 0, 1, "", b"").signed(stranger.signing()).to_bytes(), 400),
            (b"x" * 4_000_001, 413),
        ):
            assert client.post("/messages", content=body).status_code == status
        for path in ("tuples/0/East", "slots/0/East", "entries/0/East", "nothing/0", f"enrol/{2**40}/East", "roster/0"):
            assert client.get(f"/messages/{path}").status_code == 404


def test_one_who_finds_another_plan_ends_it_for_all(tmp_path):
    """A complaint of a holder: the others are told, exit codes say it, nothing is published."""
    folder, port, ended = prepared(tmp_path), free_port(), {}
    server = served(folder, port)
    thread = beside(folder, port, "North", ended)
    (folder / "plan.toml").write_text(PLAN.replace("k = 3", "k = 2"))
    east = joining(folder, port, "East")
    _, errors = east.communicate()
    assert east.returncode == 13
    assert "All parties must agree on one plan" in errors
    thread.join()
    assert "abandoned" in str(ended["North"])
    server.send_signal(signal.SIGTERM)
    server.communicate()
    assert not (folder / "release.csv").exists()


MEDICAL = """format = "sfumato.plan/1"
{source}[columns]
id = {{ role = "identifying" }}
gender = {{ role = "quasi-identifying" }}
age = {{ role = "quasi-identifying", kind = "decimal" }}
hypertension = {{ role = "insensitive" }}
heart_disease = {{ role = "insensitive" }}
ever_married = {{ role = "quasi-identifying" }}
work_type = {{ role = "quasi-identifying" }}
Residence_type = {{ role = "insensitive" }}
avg_glucose_level = {{ role = "insensitive" }}
bmi = {{ role = "insensitive" }}
smoking_status = {{ role = "insensitive" }}
stroke = {{ role = "sensitive" }}
[[promise]]
model = "k-anonymity"
k = 5
[method]
name = "mondrian"
[output]
path = "{path}"
result = "result.json"
suppressed = "drop"
"""


def test_one_command_shows_three_hospitals_on_real_patients(sfumato, shared, tmp_path):
    """The release of three that pool nothing is the plain plan's on all of them; the result says who learns what."""
    source = shared / "data/medical/stroke.csv.gz"
    (tmp_path / "joint.toml").write_text(MEDICAL.format(source="", path="release.csv"))
    plain = MEDICAL.format(source=f'[source]\npath = "{source}"\n', path="plain.csv")
    (tmp_path / "plain.toml").write_text(plain)
    words = ("together", "demonstrate", "-o", "three", "--source", source, "--plan", "joint.toml", "--json")
    shown = sfumato(*words)
    assert shown.code == 0
    assert json.loads(shown.out) == json.loads((tmp_path / "three/result.json").read_text("utf-8"))
    assert "$ sfumato join" in shown.err
    assert "the distinct tuples of quasi-identifiers of each hospital" in shown.out
    assert sfumato("run", "plain.toml").code == 0
    found = [
        Counter((place / name).read_text("utf-8").splitlines())
        for place, name in ((tmp_path / "three", "release.csv"), (tmp_path, "plain.csv"))
    ]
    assert found[0] == found[1]
    told = json.loads((tmp_path / "three/result.json").read_text("utf-8"))
    assert told["rows"] == 5110
    assert {one["name"] for one in told["holders"]} == set(NAMES)


def test_keys_and_cards_are_told_to_people_and_to_scripts(sfumato, tmp_path):
    """The same in lines and as JSON; an authority's word stands on the card."""
    assert "signing key: " in sfumato("together", "key", "Office", "-o", "office.key").out
    made = json.loads(sfumato("together", "key", "East", "-o", "east.key", "--json").out)
    card = read_identity(tmp_path / "east.key").card
    assert made == {"name": "East", "fingerprint": card.fingerprint, "signing": card.signing}
    before = {"name": "East", "fingerprint": card.fingerprint, "certified": False}
    assert json.loads(sfumato("together", "card", "east.card", "--json").out) == before
    assert "certified: no" in sfumato("together", "card", "east.card").out
    signed = json.loads(sfumato("together", "certify", "east.card", "--authority", "office.key", "--json").out)
    assert signed == before | {"certified": True}
    assert json.loads(sfumato("together", "card", "east.card", "--json").out) == signed
