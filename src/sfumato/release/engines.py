"""Which engine does the work? The embedded one, or a cluster that a plan, a command or a notebook names."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sfumato.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.engine.base import Engine

EMBEDDED = "duckdb"
CLUSTERS = ("sc://", "spark://", "yarn", "k8s://", "local")
"""How the URL of a Spark cluster begins; `local[2]` is Spark inside this machine."""


@contextmanager
def engine_of(choice: object, frame: object = None, *, memory_limit: str | None = None) -> Iterator[Engine[Any]]:
    """The engine of a run; a session that is opened here is stopped at the end, one that is handed over is not.

    Args:
        choice: "duckdb"; "spark" (the session at hand, or the one that the environment configures); the URL of a
            cluster (`spark://host:7077`, `sc://host:15002`, `yarn`, `k8s://…`, `local[2]`); a `SparkSession`; an
            engine; None: Spark for a Spark DataFrame, else DuckDB.
        frame: the table in memory, if it is one.
        memory_limit: most memory of the embedded engine.

    Raises:
        PlanError: another word. Remedy: one of these.
        EngineError: PySpark or Java is not installed, or the cluster does not answer.

    Example:
        >>> with engine_of("duckdb") as engine:
        ...     type(engine).__name__
        'DuckDBEngine'
    """
    session = _session_of(choice, frame)
    if session is not None:
        yield _spark(session)
    elif isinstance(choice, str) and choice != EMBEDDED:
        yield from _opened(choice)
    elif choice is None or isinstance(choice, str):
        from sfumato.engine.duckdb.engine import DuckDBEngine

        yield DuckDBEngine(memory_limit=memory_limit)
    else:
        yield choice  # type: ignore[misc]


def is_cluster(choice: object, frame: object = None) -> bool:
    """Whether an engine writes folders of files: what `engine_of` would open for the same choice is a cluster.

    Example:
        >>> is_cluster("local[2]"), is_cluster("duckdb"), is_cluster(None)
        (True, False, False)
    """
    if choice is None or isinstance(choice, str):
        return choice not in {None, EMBEDDED} or _session_of(choice, frame) is not None
    return type(choice).__module__.startswith(("pyspark.", "sfumato.engine.spark."))


def _session_of(choice: object, frame: object) -> object:
    """The Spark session that was handed over, as itself or as that of a frame."""
    if type(choice).__module__.startswith("pyspark."):
        return choice
    if choice in {None, "spark"} and type(frame).__module__.startswith("pyspark."):
        return frame.sparkSession  # type: ignore[attr-defined]
    return None


def _opened(choice: str) -> Iterator[Engine[Any]]:
    """Spark at a URL, for as long as the run takes; a session that is already there is used and left open."""
    if choice != "spark" and not choice.startswith(CLUSTERS):
        raise PlanError(
            "`engine` must be duckdb, spark, or the URL of a Spark cluster; got {choice!r}.",
            "write for example `spark://host:7077`, `sc://host:15002` or `local[2]`.",
            choice=choice,
        )
    from sfumato.engine.spark.session import active_session, open_session

    session = active_session(None if choice == "spark" else choice)
    if session is not None:
        yield _spark(session)
        return
    opened = open_session(None if choice == "spark" else choice)
    try:
        yield _spark(opened)
    finally:
        opened.stop()


def _spark(session: object) -> Engine[Any]:
    """The distributed engine."""
    from sfumato.engine.spark.engine import SparkEngine

    return SparkEngine(session)
