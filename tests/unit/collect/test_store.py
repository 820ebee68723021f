"""What every store must promise, for SQLite and PostgreSQL alike."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import psycopg
import pytest
from tests.postgres_server import fresh_database

from sfumato.collect.counter import Counted
from sfumato.collect.store import postgresql
from sfumato.collect.store.base import Arrival, Fate, packed
from sfumato.collect.store.postgresql import PostgresStore
from sfumato.collect.store.sqlite import SqliteStore
from sfumato.errors import SourceError


@pytest.fixture(params=["sqlite", "postgresql"])
def reopen(request, tmp_path):
    """A function that opens the same store again."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "store.db")
    url = fresh_database(request.getfixturevalue("postgres"))
    return lambda: PostgresStore(url)


def arrival(batch, *addend, digest=None, kept=None, name="c"):
    """A batch of some reports."""
    vector = np.array(addend, np.int64)
    return Arrival(
        name,
        Counted(batch, digest or batch.encode(), int(vector[0]), vector, lambda vectors: np.sum(vectors, axis=0)),
        kept,
    )


def test_batches_are_counted_once_even_after_reopening(reopen):
    store = reopen()
    store.open_collection("c", "d", 2)
    assert store.commit([arrival("a", 3, 1), arrival("b", 4, 2), arrival("a", 3, 1)]) == [
        Fate.COUNTED, Fate.COUNTED, Fate.REPEATED,
    ]  # fmt: skip
    store.close()
    store = reopen()
    store.open_collection("c", "d", 2)
    assert store.commit([arrival("b", 4, 2), arrival("c", 1, 1)]) == [Fate.REPEATED, Fate.COUNTED]
    totals = store.totals("c")
    assert (totals.batches, totals.reports, totals.vector.tolist()) == (3, 8, [8, 4])
    store.close()


def test_an_id_with_other_content_is_a_conflict_and_adds_nothing(reopen):
    store = reopen()
    store.open_collection("c", "d", 1)
    assert store.commit([arrival("a", 3), arrival("a", 9, digest=b"other")]) == [Fate.COUNTED, Fate.CONFLICT]
    assert store.commit([arrival("a", 9, digest=b"other")]) == [Fate.CONFLICT]
    assert store.totals("c").vector.tolist() == [3]
    store.close()


def test_collections_do_not_mix_and_keep_their_parameters(reopen):
    store = reopen()
    for name in ("c", "e"):
        store.open_collection(name, name, 1)
    assert store.commit([arrival("a", 1), arrival("a", 2, name="e")]) == [Fate.COUNTED, Fate.COUNTED]
    assert [store.totals(name).vector.tolist() for name in ("c", "e")] == [[1], [2]]
    store.open_collection("c", "c", 1)
    with pytest.raises(SourceError, match="other parameters"):
        store.open_collection("c", "changed", 1)
    store.close()


def test_a_failed_transaction_counts_nothing(reopen):
    store = reopen()
    store.open_collection("c", "d", 2)
    with pytest.raises(Exception):  # noqa: B017, PT011 - a vector of another length: whatever it is, nothing may be left
        store.commit([arrival("a", 1, 1), arrival("b", 1, 1, 1)])
    assert store.totals("c").batches == 0
    assert store.commit([arrival("a", 1, 1)]) == [Fate.COUNTED]
    store.close()


def test_many_batches_at_once(reopen):
    store = reopen()
    store.open_collection("c", "d", 3)
    group = [arrival(f"b{i}", 1, i, 2**40) for i in range(1500)]
    assert store.commit(group) == [Fate.COUNTED] * 1500
    assert store.commit(group) == [Fate.REPEATED] * 1500
    assert store.totals("c").vector.tolist() == [1500, 1500 * 1499 // 2, 1500 * 2**40]
    store.close()


def test_a_statement_that_fails_counts_nothing_and_the_store_goes_on(postgres):
    name, store = f"c{secrets.token_hex(8)}", PostgresStore(postgres)
    store.open_collection(name, "d", 1)
    with pytest.raises(SourceError, match="PostgreSQL"):
        store.commit([arrival("a", 1, name=name), arrival("no\0text", 1, name=name)])
    assert store.totals(name).batches == 0
    assert store.commit([arrival("a", 1, name=name)]) == [Fate.COUNTED]
    psycopg.connect(postgres, autocommit=True).execute("ALTER TABLE sfumato_kept RENAME TO away").connection.close()
    with pytest.raises(SourceError, match="PostgreSQL"):
        store.commit([arrival("b", 1, name=name, kept=b"body")])
    psycopg.connect(postgres, autocommit=True).execute("ALTER TABLE away RENAME TO sfumato_kept").connection.close()
    assert store.commit([arrival("b", 1, name=name, kept=b"body")]) == [Fate.COUNTED]
    assert store.totals(name).vector.tolist() == [2]
    store.close()


def test_a_group_of_new_batches_is_one_round_trip_and_one_with_a_batch_of_before_is_sorted_out(postgres, tmp_path):
    """Each wait for the server ends what was sent with a Sync; libpq writes down all that is sent."""
    name, store = f"c{secrets.token_hex(8)}", PostgresStore(postgres)
    for one in (name, f"{name}b"):
        store.open_collection(one, "d", 1)
    waits, fates = [], []
    for group in (["a", "b"], ["c"], ["c", "d"], ["d"]):
        with (tmp_path / "sent").open("wb+") as file:
            store._line._connection.pgconn.trace(file.fileno())
            sent = [arrival(one, 1, name=to, kept=one.encode()) for one in group for to in (name, f"{name}b")]
            fates.append([fate.value[0] for fate in store.commit(sent)])
            store._line._connection.pgconn.untrace()
        waits.append((tmp_path / "sent").read_bytes().count(b"\tSync"))
    assert (waits[:2], fates) == ([1, 1], [["c"] * 4, ["c"] * 2, ["r", "r", "c", "c"], ["r", "r"]])
    assert min(waits[2:]) > 1
    assert [store.totals(one).vector.tolist() for one in (name, f"{name}b")] == [[4], [4]]
    with store._line.turn() as connection:
        kept = connection.execute("SELECT batch FROM sfumato_kept WHERE collection = %s ORDER BY 1", (name,)).fetchall()
    assert kept == [("a",), ("b",), ("c",), ("d",)]
    store.close()


def test_a_commit_that_fails_leaves_no_transaction_behind(postgres):
    """A rule that is looked at last: the transaction fails where it ends."""
    name, store = f"c{secrets.token_hex(8)}", PostgresStore(postgres)
    store.open_collection(name, "d", 1)
    with store._line.turn() as connection:
        connection.execute(
            f"CREATE FUNCTION pg_temp.{name}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'"
        )
        connection.execute(
            f"CREATE CONSTRAINT TRIGGER {name} AFTER INSERT ON sfumato_added DEFERRABLE INITIALLY DEFERRED "
            f"FOR EACH ROW WHEN (NEW.collection = '{name}') EXECUTE FUNCTION pg_temp.{name}()"
        )
    with pytest.raises(SourceError, match="PostgreSQL"):
        store.commit([arrival("a", 1, name=name)])
    with store._line.turn() as connection:
        connection.execute(f"DROP TRIGGER {name} ON sfumato_added")
    assert store.commit([arrival("a", 1, name=name)]) == [Fate.COUNTED]
    assert store.totals(name).vector.tolist() == [1]
    store.close()


def test_two_servers_on_one_database_count_each_batch_once_and_never_lock_each_other_out(postgres):
    name, stores = f"c{secrets.token_hex(8)}", [PostgresStore(postgres) for _ in range(2)]
    for store in stores:
        store.open_collection(name, "d", 1)
    groups, start = (
        [[arrival(f"b{i}", 1, name=name) for i in range(n, n + 900)] for n in range(0, 6000, 600)],
        Barrier(2),
    )

    def send(store, step):
        found = []
        for group in groups:
            start.wait(30)
            found += store.commit(group[::step])
        return found

    with ThreadPoolExecutor(2) as pool:
        fates = [fate for found in pool.map(send, stores, (1, -1)) for fate in found]
    assert fates.count(Fate.COUNTED) == 6300
    assert set(fates) == {Fate.COUNTED, Fate.REPEATED}
    totals = stores[0].totals(name)
    assert (totals.batches, totals.reports, totals.vector.tolist()) == (6300, 6300, [6300])
    for store in stores:
        store.close()


def test_additions_of_any_size_are_folded_and_read_alike(postgres, monkeypatch):
    """Two stores fold every third group of theirs; totals are the sums at any time, and after reopening."""
    monkeypatch.setattr(postgresql, "_FOLDED", 3)
    name, stores = f"c{secrets.token_hex(8)}", [PostgresStore(postgres) for _ in range(2)]
    stores[0].open_collection(name, "d", 3)
    expected, rng = np.zeros(3, np.int64), np.random.default_rng(2)
    for i in range(20):
        addend = [int(one) for one in rng.integers(0, 1 << int(rng.integers(1, 50)), 3)]
        assert stores[i % 2].commit([arrival(f"b{i}", *addend, name=name)]) == [Fate.COUNTED]
        expected += addend
        totals = stores[1].totals(name)
        assert (totals.batches, totals.reports) == (i + 1, expected[0])
        assert totals.vector.tolist() == expected.tolist()
    with stores[0]._line.turn() as connection:
        (left,) = connection.execute("SELECT count(*) FROM sfumato_added WHERE collection = %s", (name,)).fetchone()
    assert left < 4
    stores.append(PostgresStore(postgres))
    assert stores[-1].totals(name).vector.tolist() == expected.tolist()
    for store in stores:
        store.close()


def test_an_addition_of_another_length_is_refused(postgres):
    name, store = f"c{secrets.token_hex(8)}", PostgresStore(postgres)
    store.open_collection(name, "d", 2)
    with pytest.raises(SourceError):
        store.commit([arrival("a", 1, 2, 3, name=name)])
    assert store.commit([arrival("a", 1, 2, name=name)]) == [Fate.COUNTED]
    store.close()


def test_a_store_of_before_is_opened_and_goes_on(postgres):
    """It has totals, and no table of additions."""
    name, store = f"c{secrets.token_hex(8)}", PostgresStore(postgres)
    store.open_collection(name, "d", 2)
    store.commit([arrival("a", 3, 2**40, name=name)])
    with store._line.turn() as connection:
        connection.execute("DROP TABLE sfumato_added")
        connection.execute(
            "UPDATE sfumato_collections SET batches = 1, reports = 3, totals = %s WHERE name = %s",
            (packed(np.array([3, 2**40])), name),
        )
    store.close()
    again = PostgresStore(postgres)
    assert again.commit([arrival("a", 3, 2**40, name=name), arrival("b", 1, 1, name=name)]) == [
        Fate.REPEATED, Fate.COUNTED,
    ]  # fmt: skip
    assert again.totals(name).vector.tolist() == [4, 2**40 + 1]
    again.close()


@pytest.mark.parametrize(("largest", "width"), [(0, 2), (2**15 - 1, 2), (2**15, 4), (2**31 - 1, 4), (2**31, 8)])
def test_an_addition_takes_as_few_bytes_as_its_largest_entry_needs(largest, width):
    assert len(postgresql._small(np.array([0, largest]))) == 2 * width


def test_a_store_says_that_it_can_be_written_and_that_a_collection_is_gone(reopen):
    store = reopen()
    store.open_collection("c", "d", 1)
    for _ in range(2):
        store.probe()
    with pytest.raises(SourceError, match="no longer there"):
        store.totals("absent")
    with pytest.raises(SourceError, match="no longer there"):
        store.commit([arrival("a", 1), arrival("a", 1, name="absent")])
    assert store.totals("c").batches == 0
    store.close()


@pytest.mark.parametrize("suffix", ["", "-wal"])
@pytest.mark.parametrize("other", [True, False])
def test_a_file_that_vanished_is_never_written_again(tmp_path, suffix, other):
    """SQLite itself would go on without an error, and what was acknowledged would be lost."""
    store = SqliteStore(tmp_path / "store.db")
    store.open_collection("c", "d", 1)
    place, away = tmp_path / f"store.db{suffix}", tmp_path / "away"
    place.rename(away)
    if other:
        place.write_bytes(away.read_bytes())
    for use in (store.probe, lambda: store.totals("c"), lambda: store.commit([arrival("a", 1)])):
        with pytest.raises(SourceError, match="vanished"):
            use()
    away.rename(place)
    assert store.commit([arrival("a", 1)]) == [Fate.COUNTED]
    store.close()


def test_a_file_that_vanishes_during_a_transaction_was_not_written(tmp_path):
    store, path = SqliteStore(tmp_path / "store.db"), tmp_path / "store.db"
    store.open_collection("c", "d", 1)
    content = Counted("a", b"a", 1, None, lambda _all: (path.unlink(), np.array([1]))[1])
    with pytest.raises(SourceError, match="vanished"):
        store.commit([Arrival("c", content, None)])
    store.close()


def test_a_store_that_is_read_only_says_so(tmp_path):
    store = SqliteStore(tmp_path / "store.db")
    store.open_collection("c", "d", 1)
    store._connection.execute("PRAGMA query_only = ON")
    store.totals("c")
    with pytest.raises(SourceError, match="writable"):
        store.probe()
    store.close()


def test_files_are_for_their_owner_alone_and_keep_the_mode_they_have(tmp_path):
    store, path = SqliteStore(tmp_path / "store.db"), tmp_path / "store.db"
    store.open_collection("c", "d", 1)
    modes = {one.name: one.stat().st_mode & 0o777 for one in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("store.db", "store.db-wal", "store.db-shm"), 0o600)
    store.close()
    path.chmod(0o640)
    SqliteStore(path).close()
    assert path.stat().st_mode & 0o777 == 0o640


def test_bodies_are_kept_only_where_asked(tmp_path):
    import sqlite3

    store = SqliteStore(tmp_path / "store.db")
    store.open_collection("c", "d", 1)
    store.commit([arrival("a", 1, kept=b"body"), arrival("b", 1)])
    store.close()
    with sqlite3.connect(tmp_path / "store.db") as connection:
        assert connection.execute("SELECT batch, body FROM kept").fetchall() == [("a", b"body")]


def test_a_file_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(SourceError, match="SQLite"):
        SqliteStore(tmp_path / "absent" / "store.db")
    (tmp_path / "text.db").write_text("no database, certainly not one" * 100, "utf-8")
    with pytest.raises(SourceError, match="SQLite"):
        SqliteStore(tmp_path / "text.db")


def test_no_server_is_refused():
    with pytest.raises(SourceError, match="PostgreSQL"):
        PostgresStore("postgresql://nobody@127.0.0.1:1/none?connect_timeout=1")
