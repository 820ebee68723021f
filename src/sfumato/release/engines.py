"""Engines by name: what a plan, a command or a notebook may say, and what is opened for it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sfumato.errors import PlanError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from sfumato.engine.base import Engine

EMBEDDED = "duckdb"
CLUSTERS = ("sc://", "spark://", "yarn", "k8s://", "local")
"""How the URL of a Spark cluster begins; `local[2]` is Spark inside this machine."""


@contextmanager
def _duckdb(_choice: object, memory_limit: str | None) -> Iterator[Engine[Any]]:
    from sfumato.engine.duckdb.engine import DuckDBEngine

    yield DuckDBEngine(memory_limit=memory_limit)


@contextmanager
def _spark(choice: object, _memory_limit: str | None) -> Iterator[Engine[Any]]:
    """The distributed engine; a session that is handed over or already there is used and left open."""
    from sfumato.engine.spark.engine import SparkEngine
    from sfumato.engine.spark.session import active_session, open_session

    if not isinstance(choice, str):
        yield SparkEngine(choice)
        return
    url = None if choice == "spark" else choice
    session = active_session(url)
    if session is not None:
        yield SparkEngine(session)
        return
    opened = open_session(url)
    try:
        yield SparkEngine(opened)
    finally:
        opened.stop()


@dataclass(frozen=True, slots=True)
class Opener:
    """How an engine is asked for and opened.

    Args:
        open: the engine, for as long as the run takes: of its name, a URL or a session, and the most memory.
        urls: how the URLs begin that name one of its places.
        brings: beginning of the modules whose objects bring the engine with them: sessions, and frames that know theirs.
        is_cluster: whether it writes folders of files.
    """

    open: Callable[[object, str | None], AbstractContextManager[Engine[Any]]]
    urls: tuple[str, ...] = ()
    brings: str | None = None
    is_cluster: bool = False


ENGINES: Mapping[str, Opener] = {
    EMBEDDED: Opener(_duckdb),
    "spark": Opener(_spark, CLUSTERS, "pyspark.", is_cluster=True),
}
"""A further engine is one entry, and its name in the message of `_named`."""


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
    name, choice = _wanted(choice, frame)
    if name is None:
        yield choice  # type: ignore[misc]
        return
    with ENGINES[name].open(choice, memory_limit) as engine:
        yield engine


def is_cluster(choice: object, frame: object = None) -> bool:
    """Whether an engine writes folders of files: what `engine_of` would open for the same choice is a cluster.

    Example:
        >>> is_cluster("local[2]"), is_cluster("duckdb"), is_cluster(None)
        (True, False, False)
    """
    try:
        name, _ = _wanted(choice, frame)
    except PlanError:
        return True
    if name is not None:
        return ENGINES[name].is_cluster
    own = [word for word in ENGINES if type(choice).__module__.startswith(f"sfumato.engine.{word}.")]
    return any(ENGINES[word].is_cluster for word in own)


def _wanted(choice: object, frame: object) -> tuple[str | None, object]:
    """The name of the engine that is asked for, and the word or session that it is opened with; None: an engine itself.

    Raises:
        PlanError: a word that names none.
    """
    for name, opener in ENGINES.items():
        if opener.brings and type(choice).__module__.startswith(opener.brings):
            return name, choice
        if opener.brings and choice in {None, name} and type(frame).__module__.startswith(opener.brings):
            return name, frame.sparkSession  # type: ignore[attr-defined]
    if choice is None:
        return EMBEDDED, EMBEDDED
    return (_named(choice), choice) if isinstance(choice, str) else (None, choice)


def _named(word: str) -> str:
    """The engine of a name or a URL."""
    found = next((name for name, opener in ENGINES.items() if word == name or word.startswith(opener.urls)), None)
    if found is None:
        raise PlanError(
            "`engine` must be duckdb, spark, or the URL of a Spark cluster; got {choice!r}.",
            "write for example `spark://host:7077`, `sc://host:15002` or `local[2]`.",
            choice=word,
        )
    return found
