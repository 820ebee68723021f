"""Parties that are killed at any moment: what they said they say again, and the release is whole or not there."""

import pytest
from tests.unit.together import parties

from sfumato.errors import SourceError
from sfumato.noise.bits import SystemBits
from sfumato.table.source import FileSource
from sfumato.together.checks import Watch
from sfumato.together.hospital import Hospital
from sfumato.together.publisher import Publisher
from sfumato.together.store import PostgresStore, SqliteStore
from sfumato.together.table import read_held
from sfumato.together.wire import Envelope, Kind


class Killed(Exception):
    """The process is gone."""


class Fragile(parties.Board):
    """A line on which a holder is killed at its n-th message, before it arrives or after."""

    def __init__(self, publisher, me, at, arrives):
        super().__init__(publisher, me)
        self.left, self.arrives = at, arrives

    def post(self, message):
        self.left -= 1
        if self.left == 0 and not self.arrives:
            raise Killed
        super().post(message)
        if self.left == 0:
            raise Killed


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """Terms and the rows of three hospitals."""
    folder = tmp_path_factory.mktemp("crash")
    agreed = parties.terms(parties.plan(folder, (parties.K, parties.L)))
    files = parties.patients(folder)
    held = {name: read_held(FileSource(file), agreed, parties.ENGINE, SystemBits()) for name, file in files.items()}
    return agreed, held, folder


@pytest.mark.parametrize("arrives", [False, True], ids=["before it arrives", "after"])
@pytest.mark.parametrize("at", range(1, 9))
def test_a_holder_that_is_killed_at_any_message_goes_on(at, arrives, read):
    """It knows from its memory what it said; others only wait."""
    agreed, held, folder = read
    (folder / "release.csv").unlink(missing_ok=True)
    publisher, holders = parties.publication(agreed, held, held=held)
    holders["East"].board = Fragile(publisher, "East", at, arrives)
    ended = parties.carried_out(publisher, holders)
    assert isinstance(ended["East"], Killed)
    assert at == 8 or (ended["North"], ended["South"]) == (None, None)
    assert at == 8 or not (folder / "release.csv").exists()
    again = {
        name: Hospital(agreed, one.identity, held[name], parties.Board(publisher, name), one.memory, Watch())
        for name, one in holders.items()
    }
    ended = parties.carried_out(publisher, again)
    assert all(one.rows for one in ended.values())
    assert (folder / "release.csv").exists()


def test_a_publication_in_which_all_are_killed_after_every_step_ends_well(read):
    """Nobody remembers anything but what is on the disk; classes are joined on the way."""
    agreed, held, folder = read
    (folder / "release.csv").unlink(missing_ok=True)
    agreed = parties.terms(agreed.plan, values="joined")
    publisher, holders = parties.publication(agreed, held, held=held)
    done = {}
    for _ in range(40):
        publisher = Publisher(agreed, publisher.identity, publisher.store, publisher.tools, publisher.write)
        for name, one in holders.items():
            fresh = Hospital(agreed, one.identity, held[name], parties.Board(publisher, name), one.memory, Watch())
            try:
                next(fresh.steps())
            except StopIteration as end:
                done[name] = end.value
        publisher.advance()
    assert sorted(done) == sorted(holders)
    assert {one.rows for one in done.values()} == {30}
    assert min(one.joined for one in done.values()) > 0
    assert (folder / "release.csv").exists()


def test_a_table_that_changed_meanwhile_is_noticed(read, tmp_path):
    """A holder that comes back with other rows stops."""
    agreed, held, _ = read
    publisher, holders = parties.publication(agreed, held, held=held)
    holders["East"].board = Fragile(publisher, "East", 4, True)
    parties.carried_out(publisher, holders)
    files = parties.patients(tmp_path, seed=2)
    other = read_held(FileSource(files["East"]), agreed, parties.ENGINE, SystemBits())
    one = holders["East"]
    holders["East"] = Hospital(agreed, one.identity, other, parties.Board(publisher, "East"), one.memory, Watch())
    ended = parties.carried_out(publisher, {"East": holders["East"]})
    assert isinstance(ended["East"], SourceError)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def opened(request, tmp_path):
    """What opens the same store again and again."""
    if request.param == "sqlite":
        yield lambda name: SqliteStore(tmp_path / "store.db", name)
        return
    pytest.importorskip("psycopg")
    url = request.getfixturevalue("postgres")
    import psycopg

    with psycopg.connect(url, autocommit=True) as base:
        base.execute("DROP SCHEMA IF EXISTS together CASCADE")
        base.execute("CREATE SCHEMA together")
    yield lambda name: PostgresStore(f"{url}?options=-csearch_path%3Dtogether", name)


def test_a_store_takes_each_message_once_and_some_together_or_not_at_all(opened):
    """And keeps publications apart; what was taken is there when it is opened again."""
    key = parties.PUBLISHER.signing()
    one, other, more = (
        Envelope("s", Kind.ENROL, "é/x", n, 2, "", body).signed(key) for n, body in ((0, b"a"), (0, b"b"), (1, b"c"))
    )
    store = opened("first")
    assert store.put([one])
    assert store.put([one])
    assert not store.put([more, other])
    assert store.get(Kind.ENROL, "é/x", 1) is None
    assert store.put([more])
    store.probe()
    store.close()
    store, apart = opened("first"), opened("second")
    assert store.get(Kind.ENROL, "é/x", 0) == one
    assert [(s, n, p) for s, n, p, _ in store.listed(Kind.ENROL)] == [("é/x", 0, 2), ("é/x", 1, 2)]
    assert apart.listed(Kind.ENROL) == []
    store.close()
    apart.close()


def test_a_publication_is_kept_in_either_store(opened, read):
    """From the invitation to the release."""
    agreed, held, folder = read
    (folder / "release.csv").unlink(missing_ok=True)
    publisher, holders = parties.publication(agreed, held, held=held)
    store = opened(agreed.digest)
    whole = Publisher(agreed, publisher.identity, store, publisher.tools, publisher.write)
    whole.invite(b"n" * 32)
    for name, one in holders.items():
        one.board = parties.Board(whole, name)
    assert all(one.rows for one in parties.carried_out(whole, holders).values())
    assert (folder / "release.csv").exists()
    store.close()
