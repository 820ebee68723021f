"""The worker: a judge that is killed is started once more, and a store that stays away loses nothing."""

import hashlib
import time

import pytest
from tests.app.contests import contest, defended
from tests.app.serve_processes import PATIENCE

from sfumato.arena import worker as module
from sfumato.arena.organiser import judged_anew
from sfumato.arena.room import Room
from sfumato.arena.store import Store
from sfumato.arena.worker import Worker
from sfumato.errors import SourceError


@pytest.fixture
def worker(tmp_path):
    """A worker of a contest with one submission that waits."""
    contest(tmp_path)
    store, room = Store(tmp_path / "arena.db"), Room(tmp_path / "store")
    room.ready()
    store.add_team("red", "r", now=0)
    made = defended(tmp_path, "renamed", "made.tsv")
    room.file(store.hand_in("red", None, hashlib.sha256(made).hexdigest(), now=1, most=9)[0]).write_bytes(made)
    yield Worker(store, room, tmp_path / "contest.toml", 600)
    store.close()


def verdicts(worker):
    """What the audit log holds of the judge."""
    return [what for _, who, what, _ in worker.store.audit() if who == "judge"]


@pytest.mark.parametrize(("deaths", "state"), [(1, "accepted"), (9, "failed")])
def test_a_judge_that_is_killed_is_started_once_more(worker, monkeypatch, deaths, state):
    """And not for ever: a file that kills judges is failed."""
    begun, started = [], module.started

    def killed(*words):
        begun.append(started(*words))
        if len(begun) <= deaths:
            begun[-1].kill()
        return begun[-1]

    monkeypatch.setattr(module, "started", killed)
    assert worker.next_one().id == 1
    assert (worker.store.file(1).state, verdicts(worker), len(begun)) == (state, [state], 2)
    assert [path.name for path in worker.room.folder.glob("judged-*")] == []


def test_a_store_that_stays_away_for_a_while_loses_nothing(worker, monkeypatch):
    """It fails as a file is taken, after it was taken, and as the answer is noted."""
    real, away = worker.store, ["take", "taken", "judged"]

    class Store:
        """The store, behind a line that breaks."""

        def __getattr__(self, name):
            return getattr(real, name)

        def take(self):
            if "take" in away:
                away.remove("take")
                raise SourceError("away", "wait.")
            found = real.take()
            if found is not None and "taken" in away:
                away.remove("taken")
                raise SourceError("away", "wait.")
            return found

        def judged(self, *words, **more):
            if "judged" in away:
                away.remove("judged")
                raise SourceError("away", "wait.")
            real.judged(*words, **more)

    monkeypatch.setattr(module, "IDLE", 0.01)
    monkeypatch.setattr(Worker, "judge", lambda *_: {"state": "accepted", "result": {"worth": 1.0}})
    worker.store = Store()
    worker.start()
    end = time.monotonic() + PATIENCE
    while real.file(1).state != "accepted" and time.monotonic() < end:
        time.sleep(0.01)
    worker.stop()
    assert (real.file(1).state, verdicts(worker), away) == ("accepted", ["accepted"], [])


def test_what_is_told_otherwise_when_all_is_judged_again_is_said(worker, monkeypatch):
    """Whatever changed in it, and nothing else."""
    told = iter([{"worth": 1.0, "score": 0.5}, {"worth": 1.0, "score": 0.5}, {"worth": 0.5, "score": 0.5}])
    monkeypatch.setattr(Worker, "judge", lambda *_: {"state": "accepted", "result": next(told)})
    worker.next_one()
    assert judged_anew(worker.store, worker, now=2) == (1, ())
    (changed,) = judged_anew(worker.store, worker, now=3)[1]
    assert (changed.file, changed.before, changed.after) == (1, "accepted 1.0000 0.5000", "accepted 0.5000 0.5000")
