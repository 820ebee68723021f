"""Publication by sums in real processes: kills of everybody, and a hospital that dies for good in the middle of a sum."""

import csv
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.app.serve_processes import COMMAND, PATIENCE, free_port, start

from sfumato.front.run import run
from sfumato.release.plan_reader import read_plan
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
    text = PLAN.replace("all.csv", source).replace("release.csv", "plain.csv")
    (folder / "plain.toml").write_text(text, "utf-8")
    run(read_plan(folder / "plain.toml"))
    return rows_of(folder / "plain.csv")


WORDS = ("together", "terms.toml", "--key", "Press.key")


def joined(folder, name, port, command=COMMAND):
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
    with (folder / f"{name}.log").open("ab") as log:
        return subprocess.Popen([*command, *words], cwd=folder, stdout=log, stderr=log)


def awaited(folder, kind, names):
    """Wait until the store has a message of a kind by each of these."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with sqlite3.connect(f"file:{folder / 'together.db'}?mode=ro", uri=True) as store:
            found = {name for (name,) in store.execute("SELECT DISTINCT sender FROM messages WHERE kind = ?", (kind,))}
        if set(names) <= found:
            return
        time.sleep(0.05)
    pytest.fail(f"{kind} never came")


def ended(folder, processes):
    """All of them end well."""
    for name, process in processes.items():
        assert process.wait(PATIENCE) == 0, (folder / f"{name}.log").read_text("utf-8")


def test_kills_of_the_publisher_and_of_a_hospital_change_nothing(folder):
    port = free_port()
    server = start(folder, port, WORDS)
    hospitals = {name: joined(folder, name, port) for name in ("East", "South")}
    try:
        awaited(folder, "enrol", hospitals)
        os.kill(server.pid, signal.SIGKILL)
        hospitals["South"].kill()
        server.wait(PATIENCE)
        server.stdout.close()
        hospitals["South"].wait(PATIENCE)
        server = start(folder, port, WORDS)
        hospitals |= {name: joined(folder, name, port) for name in ("North", "South")}
        ended(folder, hospitals)
    finally:
        for process in (server, *hospitals.values()):
            process.kill()
            process.wait(PATIENCE)
        server.stdout.close()
    assert rows_of(folder / "release.csv") == plain(folder, "all.csv")
    seen = b"".join((folder / name).read_bytes() for name in ("East.log", "North.log", "South.log"))
    assert not any(value in seen for value in (b"flu", b"gout", b"asthma"))


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
