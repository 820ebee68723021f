"""The ledger among processes that race, are killed, run out of disk, or lose their server."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from uuid import uuid4

import pytest
from tests.app.ledger_processes import ADMITTED, ASKERS, EACH, SMALL, prepare
from tests.postgres_server import binaries, private_server

from sfumato.account.ledger.ledger import Ledger
from sfumato.errors import LedgerError

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
ROOT = Path(__file__).parents[2]
KILLS = 12


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request, tmp_path):
    """An empty place for a ledger."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/ledger.db"
    psycopg, server, name = pytest.importorskip("psycopg"), request.getfixturevalue("postgres"), f"l_{uuid4().hex}"
    with psycopg.connect(server) as base:
        base.execute(f"CREATE SCHEMA {name}")
    return f"{server}?options=-csearch_path%3D{name}"


def command(*arguments):
    return [sys.executable, "-m", "tests.app.ledger_processes", *map(str, arguments)]


def lines_of(*arguments):
    """What the processes showed to the world."""
    done = subprocess.run(command(*arguments), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def entries_of(url):
    """Everything on disk, verified: the statement, and the digest of each entry."""
    with Ledger.open(url, create=False) as ledger, ledger._transactions.reading() as transaction:
        digests = {link.sequence: link.digest for link in transaction.pages.since(1)}
    with Ledger.open(url, create=False) as ledger:
        ledger.verify()
        return ledger.statement("d"), digests


def assert_kept(shown, statement, digests):
    """Every receipt that was shown is on disk, at its place, once."""
    by_sequence = {line.sequence: line.charge.request for line in statement.charges}
    for line in shown:
        assert by_sequence[line["sequence"]] == line["request"]
        assert digests[line["sequence"]] == line["digest"]
    assert max(Counter(by_sequence.values()).values()) == 1


def assert_answers_kept(url, shown):
    """Every answer that was shown is the stored one, so no request has shown two."""
    with Ledger.open(url, create=True) as ledger:
        for line in shown:
            if line["answer"] is not None:
                assert ledger.answer(line["request"]) == line["answer"]


def test_eight_processes_spend_what_there_is_and_not_more(url):
    lines = lines_of("race", url)
    assert len(lines) == ASKERS * EACH
    shown = [json.loads(line) for line in lines if line != "refused"]
    statement, digests = entries_of(url)
    assert len(statement.charges) == len({line["request"] for line in shown}) == ADMITTED
    assert statement.dataset.spent == (1,)
    assert_kept(shown, statement, digests)
    assert_answers_kept(url, shown)


def test_killed_at_any_moment_nothing_shown_is_lost_and_nothing_is_paid_twice(url):
    shown = [json.loads(line) for line in lines_of("die", url, KILLS)]
    statement, digests = entries_of(url)
    assert len(shown) >= KILLS
    assert_kept(shown, statement, digests)
    assert_answers_kept(url, shown)
    assert statement.dataset.spent == (len(statement.charges) * SMALL.epsilon,)
    with Ledger.open(url, create=True) as ledger:  # all requests again: none is counted twice, all can be finished
        for line in statement.charges:
            assert ledger.charge("d", "a0", line.charge.request, SMALL).sequence == line.sequence
            assert ledger.store_answer(line.charge.request, "late") == (ledger.answer(line.charge.request))
        again = ledger.statement("d")
    assert again.dataset.spent == statement.dataset.spent
    assert all(line.answered for line in again.charges)


@pytest.mark.postgres
def test_a_server_that_is_killed_keeps_what_was_shown_and_the_ledger_goes_on_afterwards():
    if binaries() is None:
        pytest.skip("no PostgreSQL server")
    with private_server() as server:
        ledger = prepare(server.url)
        for _ in range(2):
            with subprocess.Popen(
                command("serve", server.url), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            ) as child:
                first = child.stdout.readline()
                time.sleep(0.1)
                server.kill()
                out, error = child.communicate(timeout=600)
            assert child.returncode == 1
            assert "Remedy" in error
            with pytest.raises(LedgerError, match="Remedy"):
                ledger.charge("d", "a1", "while it is away", SMALL)
            server.start()
            shown = [json.loads(line) for line in (first + out).splitlines()]
            assert ledger.charge("d", "a1", "while it is away", SMALL).cost == (SMALL.epsilon,)
            assert_kept(shown, *entries_of(server.url))
            assert_answers_kept(server.url, shown)
        ledger.close()


FULL_DISK = """
import resource, signal, sys
from tests.app.ledger_processes import SMALL, Ledger, LedgerError
ledger = Ledger.open(sys.argv[1], create=True)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path = sys.argv[1].removeprefix("sqlite:///")
import os
size = os.path.getsize(path)
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
done = 0
try:
    for i in range(1000):
        ledger.charge("d", "a0", f"r{i}", SMALL, note="x" * 500)
        done += 1
except LedgerError as error:
    print(done, error)
"""


def test_a_full_disk_charges_nothing(tmp_path):
    url = f"sqlite:///{tmp_path}/ledger.db"
    prepare(url)
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, url], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    count, _, message = done.partition(" ")
    assert "Remedy" in message
    statement, _ = entries_of(url)
    assert len(statement.charges) == int(count)
    with Ledger.open(url, create=True) as ledger:
        ledger.charge("d", "a0", "with room again", SMALL)


READ_ONLY = """
import os, sys
from tests.app.ledger_processes import SMALL, Ledger, LedgerError
ledger = Ledger.open(sys.argv[1], create=True)
folder = os.path.dirname(sys.argv[1].removeprefix("sqlite:///"))
os.chmod(folder + "/ledger.db", 0o444)
os.chmod(folder, 0o555)
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    ledger.charge("d", "a0", "r", SMALL)
except LedgerError as error:
    print(error)
"""


def test_a_read_only_ledger_charges_nothing(tmp_path_factory):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        url = f"sqlite:///{folder}/ledger.db"
        prepare(url)
        run = [sys.executable, "-c", READ_ONLY, url]
        done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        Path(folder).chmod(0o755)
        Path(folder, "ledger.db").chmod(0o644)
        assert "READONLY" in done
        assert "Nothing was written" in done
        assert entries_of(url)[0].charges == ()
