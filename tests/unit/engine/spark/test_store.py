"""Where chance is stored, told from the settings of a session."""

import gc
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sfumato.engine.spark.store import stored
from sfumato.errors import EngineError


@dataclass
class Session:
    """Settings only."""

    settings: dict = field(default_factory=dict)

    @property
    def conf(self):
        return self.settings


@dataclass
class Frame:
    """Says how it was stored."""

    sparkSession: Session  # noqa: N815

    def checkpoint(self, *, eager):
        return "folder" if eager else None

    def localCheckpoint(self, *, eager):  # noqa: N802
        return "workers" if eager else None


SPARK = {"spark.app.id": "app-1"}


def test_checkpoints_come_first_and_workers_second():
    assert stored(Frame(Session(SPARK | {"spark.checkpoint.dir": "/shared"}))) == "folder"
    assert stored(Frame(Session(SPARK | {"spark.speculation": "false"}))) == "workers"


def test_parts_that_may_be_drawn_twice_are_refused():
    with pytest.raises(EngineError, match=r"spark\.speculation"):
        stored(Frame(Session(SPARK | {"spark.speculation": "true"})))
    both = SPARK | {"spark.speculation": "true", "spark.checkpoint.dir": "/shared"}
    assert stored(Frame(Session(both))) == "folder"


def test_a_server_without_checkpoints_gets_a_private_folder(sail):
    frame = stored(sail.range(5).selectExpr("id AS __row", "uuid() AS drawn"))
    first, second = (frame.toArrow().sort_by("__row") for _ in range(2))
    assert first.equals(second)
    assert first.num_rows == 5
    gc.collect()
    (folder,) = {Path(name.removeprefix("file://")).parents[1] for name in frame.inputFiles()}
    assert folder.stat().st_mode & 0o077 == 0
