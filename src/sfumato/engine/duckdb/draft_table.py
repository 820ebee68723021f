"""Tables of databases that have no name yet: each has a holder, and goes when its holder is gone.

A run holds its draft for as long as it lives: beside a database in a file by the lock on a hidden folder of the same name
(`engine.folders`), in PostgreSQL by an advisory lock of an open session. Both die with the process, however it ends. So a
draft that nobody holds belongs to a run that was killed, and the next run on the same database removes it. A paid one has
another name and stays.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from uuid import uuid4

from sfumato.engine.duckdb.write_sql import connected, drop_table, file_of
from sfumato.engine.folders import dead_folders, new_folder
from sfumato.errors import EngineError, InternalError, SourceError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.table.source import SqlSink

DRAFT, PAID = "sfumato_draft_", "sfumato_paid_"
_FOLDER = (".sfumato-", ".table")
_DATABASE = "database"
"""File of a holding folder: the name of the database beside it."""
_DEAD = f"""
    SELECT tablename FROM pg_tables
    WHERE schemaname = current_schema() AND tablename ~ '^{DRAFT}[0-9a-f]{{16}}$' AND NOT EXISTS (
        SELECT 1 FROM pg_locks
        WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND (classid::bigint << 32) | objid::bigint = ('x' || right(tablename, 16))::bit(64)::bigint)
"""


@dataclass(frozen=True, slots=True)
class Held:
    """A name for a draft, and the hold on it.

    Args:
        name: of the table, which is not there yet.
        release: gives up the hold.
    """

    name: str
    release: Callable[[], None]


def hold_draft(sink: SqlSink) -> Held:
    """A name for the draft of a table, held by this process; drafts of the database that nobody holds are removed.

    Raises:
        SourceError: the database refuses.
    """
    return _in_server(sink) if urlsplit(sink.url).scheme in ("postgresql", "postgres") else _in_file(sink)


def paid_name(draft: str) -> str:
    """The name of a draft that was paid, under which nobody removes it.

    Example:
        >>> paid_name("sfumato_draft_a1b2")
        'sfumato_paid_a1b2'
    """
    return PAID + draft.removeprefix(DRAFT)


def _in_file(sink: SqlSink) -> Held:
    """A database in a file: the lock is that of a folder beside it."""
    file = Path(file_of(sink.url)).resolve()
    try:
        for folder in dead_folders(file.parent, prefix=_FOLDER[0], suffix=_FOLDER[1]):
            if _dropped(sink, file.name, folder.path):
                folder.remove()
            else:
                folder.release()
        made = new_folder(file.parent, prefix=_FOLDER[0], suffix=_FOLDER[1])
        (made.path / _DATABASE).write_text(file.name, "utf-8")
    except OSError:  # no folder may be made here; whether the database may be written is found when it is
        return Held(DRAFT + uuid4().hex[:16], lambda: None)
    return Held(_name_of(made.path), made.remove)


def _dropped(sink: SqlSink, name: str, folder: Path) -> bool:
    """Whether the draft of a folder that nobody holds is gone; drafts of another database beside this one stay."""
    note = folder / _DATABASE
    try:
        if note.exists() and note.read_text("utf-8") != name:
            return False
        drop_table(sink, _name_of(folder))
    except (OSError, SourceError, EngineError):
        return False
    return True


def _name_of(folder: Path) -> str:
    """The draft that a folder holds."""
    return DRAFT + folder.name.removeprefix(_FOLDER[0]).removesuffix(_FOLDER[1])


def _in_server(sink: SqlSink) -> Held:
    """PostgreSQL: the lock is that of an open session, and seen by all others."""
    number = uuid4().hex[:16]
    with ExitStack() as session:
        database, cursor = session.enter_context(connected(sink))
        database.adbc_connection.set_autocommit(True)  # no transaction stays open for the whole run
        cursor.execute(f"SELECT pg_try_advisory_lock(('x{number}')::bit(64)::bigint)")
        cursor.fetchall()
        cursor.execute(_DEAD)
        for (name,) in cursor.fetchall():
            with suppress(SourceError):  # that of another user
                drop_table(sink, name)
        return Held(DRAFT + number, session.pop_all().close)
    raise InternalError("A session ended without a hold.")
