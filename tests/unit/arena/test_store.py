"""What the store of a contest promises, in SQLite and in PostgreSQL alike."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from tests.postgres_server import fresh_database

from sfumato.arena.room import Room
from sfumato.arena.store import Attacked, Reused, Store, TooMany
from sfumato.errors import PlanError, SourceError


@pytest.fixture(params=["sqlite", "postgresql"])
def reopen(request, tmp_path):
    """A function that opens the same store, once more each time."""
    if request.param == "sqlite":
        return lambda: Store(tmp_path / "arena.db")
    url = fresh_database(request.getfixturevalue("postgres"))
    return lambda: Store(url)


@pytest.fixture
def store(reopen):
    """A store with two teams."""
    made = reopen()
    made.add_team("red", "r", now=0)
    made.add_team("blue", "b", now=0)
    yield made
    made.close()


def handed(store, team="red", target=None, **more):
    """The number of a file that was handed in."""
    return store.hand_in(team, target, more.pop("sha256", "x"), now=1, most=more.pop("most", 9), **more)[0]


def accepted(store, **more):
    """The number of a file that the judge accepted."""
    number = handed(store, **more)
    assert store.take().id == number
    store.judged(number, "accepted", {"found": 0.5} if more.get("target") else {"worth": 1.0}, now=2)
    return number


def test_a_token_is_known_by_its_digest_and_replaced(reopen):
    store = reopen()
    assert store.add_team("red", "d1", now=0)
    assert not store.add_team("red", "d2", now=1)
    assert (store.team_of("d1"), store.team_of("d2"), store.teams()) == (None, "red", ("red",))
    with pytest.raises(SourceError):
        store.add_team("blue", "d2", now=2)  # a token is one team's
    store.close()
    store = reopen()
    assert store.teams() == ("red",)
    store.close()


def test_files_are_judged_once_in_their_order_and_failed_ones_count_for_nothing(store):
    first = handed(store, most=1)
    with pytest.raises(TooMany):
        handed(store, most=1)
    second = handed(store, "blue", most=1)
    assert [store.take().id, store.take().id, store.take()] == [first, second, None]
    store.put_back()
    assert store.take().id == first
    store.judged(first, "failed", {}, now=4)
    store.judged(first, "accepted", {}, now=5)  # only what is with the judge is judged
    assert store.file(first).state == "failed"
    assert handed(store, most=1) == 3
    assert [what for _, who, what, _ in store.audit() if who == "judge"] == ["failed"]


def test_a_request_that_is_sent_again_is_noted_once(store):
    first = store.hand_in("red", None, "x", now=1, most=2, request="k")
    assert first == (1, True)
    assert store.hand_in("red", None, "x", now=2, most=1, request="k") == (1, False)  # whatever the quota
    with pytest.raises(Reused):
        handed(store, sha256="y", request="k")
    with pytest.raises(Reused):
        handed(store, target=1, request="k")
    assert handed(store, "blue", request="k") == 2  # names are a team's own
    assert store.take().id == 1
    store.judged(1, "failed", {}, now=3)
    assert store.hand_in("red", None, "x", now=4, most=1, request="k") == (3, True)  # failed: the name is free again
    assert [file for _, who, what, file in store.audit() if (who, what) == ("red", "submission")] == [1, 3]


def test_a_team_chooses_what_is_published(store):
    first, second = accepted(store), accepted(store)
    assert not store.publish(first, "blue", now=8, most=1)
    assert store.publish(first, "red", now=8, most=1)
    assert store.publish(first, "red", now=9, most=1)
    with pytest.raises(TooMany):
        store.publish(second, "red", now=9, most=1)
    assert not store.withdraw(first, "blue", now=9)
    assert store.withdraw(first, "red", now=9)
    assert not store.withdraw(first, "red", now=9)
    assert store.publish(second, "red", now=10, most=1)
    attack = accepted(store, team="blue", target=second)
    assert not store.publish(attack, "blue", now=11, most=9)
    with pytest.raises(Attacked):
        store.withdraw(second, "red", now=11)
    assert [one.id for one in store.published()] == [second]
    assert [one.id for one in store.attacks()] == [attack]


def test_judged_again_everything_counts_as_before_until_it_is_said_otherwise(store):
    target = accepted(store)
    attack = accepted(store, team="blue", target=target)
    assert store.again(now=9) == 2
    assert [one.id for one in store.attacks()] == [attack]
    store.take(), store.take()
    store.judged(attack, "refused", {"found": None}, now=10)
    assert store.attacks() == ()


def test_quotas_hold_for_twenty_at_once_in_two_processes_of_one_store(reopen):
    """Two stores on the same tables, as a server and a command beside it have."""
    stores, barrier = [reopen(), reopen()], Barrier(20)
    stores[0].add_team("red", "r", now=0)

    def send(i):
        barrier.wait()
        try:
            return handed(stores[i % 2], most=3)
        except TooMany:
            return None

    with ThreadPoolExecutor(20) as pool:
        assert sorted(one for one in pool.map(send, range(20)) if one) == [1, 2, 3]
    taken = [one.id for one in (stores[0].take(), stores[1].take(), stores[0].take())]
    assert (taken, stores[1].take()) == ([1, 2, 3], None)
    for one in stores:
        one.close()


def test_what_is_held_is_seen_whole_or_not_at_all(store):
    with pytest.raises(TooMany), store.holding():
        handed(store, most=handed(store))
    assert store.everything() == ()
    assert handed(store) == 1


def test_an_archive_fills_an_empty_store_alone(store, tmp_path):
    target = accepted(store)
    accepted(store, team="blue", target=target)
    store.publish(target, "red", now=3, most=9)
    other = Store(tmp_path / "other.db")
    assert other.restore(store.teams(), store.everything(), store.audit())
    assert not other.restore(store.teams(), store.everything(), store.audit())
    assert (other.teams(), other.everything(), other.audit()) == (store.teams(), store.everything(), store.audit())
    assert (other.team_of("r"), handed(other)) == (None, 3)
    other.close()


def test_a_folder_has_one_database_and_one_judge(store, tmp_path):
    room = Room(tmp_path / "room")
    room.ready()
    room.belong(store.identity())
    room.belong(store.identity())
    with pytest.raises(PlanError, match="another database"):
        room.belong("other")
    with room.alone(), pytest.raises(SourceError, match="one process"), room.alone():
        pass
    (room.folder / "judged-x").mkdir()
    (room.folder / "judged-x/key").touch()
    for name, age in (("old", 4000), ("new", 10)):
        (room.arriving / name).touch()
        os.utime(room.arriving / name, (time.time() - age,) * 2)
    with room.alone():  # what a killed process left is gone
        assert [path.name for path in room.arriving.iterdir()] == ["new"]
        assert not (room.folder / "judged-x").exists()


def test_other_addresses_are_refused():
    with pytest.raises(PlanError, match="another URL"):
        Store("mysql://x")
