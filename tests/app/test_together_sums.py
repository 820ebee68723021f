"""Publication by sums in real processes: kills of everybody, and a hospital that dies for good in the middle of a sum."""

import csv
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.app.copies import begun
from tests.app.serve_processes import PATIENCE, free_port, start
from tests.postgres_server import fresh_database

from sfumato.front.run import run
from sfumato.guarantee.safepub import SafePub
from sfumato.noise.bernoulli import bernoulli
from sfumato.noise.bits import KeyedBits
from sfumato.release.plan_reader import read_plan
from sfumato.together.client import Folder
from sfumato.together.keys import new_identity, write_identity

NAMES = ("East", "North", "South")
PLAN = """
sfumato = 1
[source]
path = "all.csv"
[output]
path = "release.csv"
suppressed = "drop"
[columns]
sex = { role = "quasi-identifying", hierarchy = { groups = ["f", "m"] } }
age = { role = "quasi-identifying", kind = "integer", hierarchy = { width = 10, then = [20, 60] } }
illness = { role = "sensitive" }
[[promise]]
model = "k-anonymity"
k = 5
[method]
name = "full-domain"
suppression_limit = 0.05
"""
L = """[[promise]]
model = "l-diversity"
kind = "distinct"
column = "illness"
l = 3
[method]
"""
STEERED = PLAN.replace("[method]\n", L)
SAMPLED = """
sfumato = 1
[output]
path = "release.csv"
suppressed = "drop"
row_order = "shuffled"
[columns]
sex = { role = "quasi-identifying", hierarchy = { groups = ["f", "m"] } }
age = { role = "quasi-identifying", kind = "integer", hierarchy = { width = 20, then = [60] } }
illness = { role = "identifying" }
[[promise]]
model = "differential-privacy"
kind = "safepub"
epsilon = 2
delta = "5e-2"
search_epsilon = 0
[method]
name = "safepub"
levels = { sex = 0, age = 1 }
"""
SUMS = """
[sums]
threshold = 2
colluding = 0
most_rows = 1000
wait = 600
[[sums.domain]]
column = "age"
between = [0, 99]
[[sums.domain]]
column = "illness"
values = ["flu", "gout", "asthma"]
"""
TICKING = """
import sys, time
from pathlib import Path
from sfumato.together import command
made = command._with_sums
def with_sums(publisher, engine):
    served = made(publisher, engine)
    served.clock = lambda: float(Path("clock").read_text())
    return served
command._with_sums = with_sums
from sfumato.cli.main import main
main()
"""
"""The server, with a clock that the test sets: rounds end when it says so, however slow the machine."""
DYING = """
import os
from sfumato.mechanism.secure_sum.wire import Kind as SumKind
from sfumato.together.client import Line
from sfumato.together.sums.carrying import said_by
from sfumato.together.wire import Kind
post = Line.post
def posted(self, message):
    if message.kind is Kind.SUM and said_by(message.number)[:2] == (1, SumKind.MASKED):
        os._exit(9)
    post(self, message)
Line.post = posted
from sfumato.cli.main import main
main()
"""
"""A hospital whose process dies before its first vector is sent."""
BY_SIGNAL = ("os._exit(9)", "os.kill(os.getpid(), 9)")
"""The same, killed."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Tables, keys, plan and terms of three hospitals."""
    rng = np.random.default_rng(5)
    rows = [[rng.choice(["f", "m"]), rng.integers(20, 90), rng.choice(["flu", "gout", "asthma"])] for _ in range(240)]
    for name, part in (
        {"all": rows, "two": rows[0::3] + rows[2::3]} | {n: rows[i::3] for i, n in enumerate(NAMES)}
    ).items():
        lines = ["sex,age,illness", *(",".join(map(str, row)) for row in part)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n", "utf-8")
    people = {name: new_identity(name, bytes([i + 1]) * 64) for i, name in enumerate(("Press", *NAMES))}
    for name, one in people.items():
        write_identity(tmp_path / f"{name}.key", one)
    listed = [f'[[holder]]\nname = "{name}"\nfingerprint = "{people[name].card.fingerprint}"\n' for name in NAMES]
    head = f'sfumato-together = 1\nplan = "plan.toml"\nholders = 3\npublisher = "{people["Press"].card.fingerprint}"\n'
    (tmp_path / "terms.toml").write_text(head + "".join(listed) + SUMS, "utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return Counter(tuple(sorted(row.items())) for row in csv.DictReader(file))


def plain(folder, source):
    """The release of the plain plan on all of these rows."""
    text = (folder / "plan.toml").read_text("utf-8").replace("all.csv", source).replace("release.csv", "plain.csv")
    (folder / "plain.toml").write_text(text, "utf-8")
    run(read_plan(folder / "plain.toml"))
    return rows_of(folder / "plain.csv")


WORDS = ("together", "terms.toml", "--key", "Press.key")


def joined(folder, name, port, command=None):
    words = [
        "join",
        f"http://127.0.0.1:{port}",
        "terms.toml",
        f"{name}.csv",
        "--key",
        f"{name}.key",
        "--state",
        f"{name}.state",
    ]
    if command is None:
        process = begun(words, folder, folder / f"{name}.log")
        process.stdout.close()
        return process
    with (folder / f"{name}.log").open("ab") as log:
        return subprocess.Popen([*command, *words], cwd=folder, stdout=log, stderr=log)


def ended(folder, processes):
    """All of them end well."""
    for name, process in processes.items():
        assert process.wait(PATIENCE) == 0, (folder / f"{name}.log").read_text("utf-8")


@pytest.mark.parametrize("path", ["values steer", pytest.param("each hospital samples", marks=pytest.mark.postgres)])
def test_kills_of_the_publisher_and_of_hospitals_change_nothing(path, folder, request):
    """North is killed where it would send its vector, South and the publisher while they wait for it; all come back."""
    steers, port = path == "values steer", free_port()
    words = WORDS if steers else (*WORDS, "--store", fresh_database(request.getfixturevalue("postgres")))
    (steered if steers else sampled)(folder)
    server = start(folder, port, words)
    hospitals = {name: joined(folder, name, port) for name in ("East", "South")}
    dying = DYING.replace("(1, SumKind.MASKED)", "(2, SumKind.MASKED)") if steers else DYING
    hospitals["North"] = joined(folder, "North", port, [sys.executable, "-c", dying.replace(*BY_SIGNAL)])
    try:
        assert hospitals["North"].wait(PATIENCE) == -signal.SIGKILL, (folder / "North.log").read_text("utf-8")
        for process in (server, hospitals["South"]):
            process.kill()
            process.wait(PATIENCE)
        server.stdout.close()
        assert not (folder / "release.csv").exists()
        server = start(folder, port, words)
        hospitals |= {name: joined(folder, name, port) for name in ("North", "South")}
        ended(folder, hospitals)
    finally:
        for process in (server, *hospitals.values()):
            process.kill()
            process.wait(PATIENCE)
        server.stdout.close()
    released = rows_of(folder / "release.csv")
    assert released == (plain(folder, "all.csv") if steers else of_the_sample(folder))
    seen = b"".join((folder / name).read_bytes() for name in ("East.log", "North.log", "South.log"))
    assert not any(value in seen for value in (b"flu", b"gout", b"asthma"))


def steered(folder):
    """Terms and plan by which values steer the construction."""
    text = (folder / "terms.toml").read_text("utf-8")
    (folder / "terms.toml").write_text(text.replace("holders = 3", 'holders = 3\nvalues = "construction"'), "utf-8")
    (folder / "plan.toml").write_text(STEERED, "utf-8")


def sampled(folder):
    """A plan by which each hospital samples its rows; that no class keeps its 21 rows has a chance below 1e-25."""
    (folder / "plan.toml").write_text(SAMPLED, "utf-8")


def of_the_sample(folder):
    """All classes of enough rows that hospitals drew by the coins that they kept."""
    promise, classes = SafePub(2, "5e-2", 0), Counter()
    for name in NAMES:
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        key = KeyedBits(Folder(folder / f"{name}.state").get("sample"), is_secure=True)
        for row, stays in zip(rows, bernoulli(len(rows), promise.beta, bits=key).tolist(), strict=True):
            low = int(row["age"]) // 20 * 20
            label = (("age", f"[{low}, {low + 20}["), ("sex", row["sex"]))
            classes.update([label] * stays)
    found = Counter({one: n for one, n in classes.items() if n >= promise.k})
    assert 0 < sum(found.values()) < 240
    return found


def test_a_hospital_that_dies_in_the_first_sum_is_left_out(folder):
    port, clock = free_port(), Path(folder / "clock")
    clock.write_text("0", "utf-8")
    command = [sys.executable, "-c", TICKING, "serve", *WORDS, "--port", str(port)]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    hospitals = {name: joined(folder, name, port) for name in ("East", "South")}
    dying = joined(folder, "North", port, [sys.executable, "-c", DYING])
    try:
        assert dying.wait(PATIENCE) == 9, (folder / "North.log").read_text("utf-8")
        masked = (1 * 16 + 5) * 64
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with sqlite3.connect(f"file:{folder / 'together.db'}?mode=ro", uri=True) as store:
                if store.execute(
                    "SELECT count(*) FROM messages WHERE kind = 'sum' AND number = ?", (masked,)
                ).fetchone() == (2,):
                    break
            time.sleep(0.05)
        clock.write_text("1000", "utf-8")
        ended(folder, hospitals)
    finally:
        for process in (server, dying, *hospitals.values()):
            process.kill()
            process.wait(PATIENCE)
    assert rows_of(folder / "release.csv") == plain(folder, "two.csv")
