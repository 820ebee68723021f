"""Tables that must not be computed twice: chance that was drawn once is read, never drawn again.

Spark computes a table whenever it is read, and computes parts of it again when a machine is lost. A
table that holds chance is therefore stored at once, cut off from what it was made of:

- in the checkpoint folder, where the session has one: each part is committed by one worker only;
- else on the workers that made it. When one is lost, reading fails; nothing is drawn again. A cluster
  that starts slow parts twice (speculation) could keep two draws of one part: that is refused;
- on a server without checkpoints (Sail), in a private folder, removed with the session.
"""

from __future__ import annotations

from typing import Any

from sfumato.engine.folders import store_folder
from sfumato.errors import EngineError


def stored(frame: Any) -> Any:
    """The same rows, computed now and read from a copy ever after.

    Raises:
        EngineError: the cluster starts slow parts twice and has no checkpoint folder.
            Remedy: set `spark.checkpoint.dir`, or `spark.speculation` to false.
    """
    session = frame.sparkSession
    if not runs_on_spark(session):
        return _in_folder(frame)
    if _has_checkpoint_folder(session):
        return frame.checkpoint(eager=True)
    if session.conf.get("spark.speculation", "false").lower() == "true":
        raise EngineError(
            "Chance must be drawn once, but this cluster starts slow parts twice (spark.speculation) and has no "
            "checkpoint folder.",
            "set spark.checkpoint.dir to a folder that all machines reach, or spark.speculation to false.",
        )
    return frame.localCheckpoint(eager=True)


def runs_on_spark(session: Any) -> bool:
    """Whether the server is Spark itself, which keeps rows in order where a broadcast table is joined."""
    return session.conf.get("spark.app.id", None) is not None


def _has_checkpoint_folder(session: Any) -> bool:
    if session.conf.get("spark.checkpoint.dir", None):
        return True
    context = getattr(session, "_sc", None)
    return context is not None and context.getCheckpointDir() is not None


def _in_folder(frame: Any) -> Any:
    """A copy in a private folder of this machine."""
    session = frame.sparkSession
    place = str(store_folder(session) / "rows")
    frame.write.parquet(place)
    return session.read.schema(frame.schema).parquet(place)
