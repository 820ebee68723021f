"""Tables of databases as sources of projects: which address somebody may give, what stands there, and whether it opens.

In a team nobody uses what the account that the studio runs under may read: an address names a server and a user, and its
password is typed.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from sfumato.engine.select import is_select, refuse_password
from sfumato.errors import SfumatoError, SourceError
from sfumato.studio.shelf import DATA_FILE
from sfumato.studio.vault import Locked, handed_over
from sfumato.table.source import SqlSource, located_url

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from sfumato.release.answer.opening import Opening
    from sfumato.studio.pages.base import Asked
    from sfumato.studio.roles import Person
    from sfumato.studio.shelf import Project
    from sfumato.studio.vault import Vault
    from sfumato.table.values import Item

SERVERS = ("postgresql", "postgres")
MAGIC = b"SQLite format 3\x00"
"""First bytes of an SQLite file."""
_HARMLESS = {"sslmode", "connect_timeout", "application_name"}
"""What an address may say of a connection in a team: nothing that names a file, a service or a socket of the studio's machine."""
_PATIENCE = 10
"""Seconds in which a server must answer when it is tried."""
_MOST_NAMED = 100
_TABLES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name",
    "postgresql": "SELECT CASE table_schema WHEN 'public' THEN '' ELSE table_schema || '.' END || table_name AS name "
    "FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog') ORDER BY name",
}  # fmt: skip


def server_of(url: str, password: str, who: Person) -> None:
    """Refuse an address that nobody may give.

    Args:
        url: as it was typed.
        password: typed beside it.
        who: gives it.

    Raises:
        SourceError: it names no server of PostgreSQL, holds a password, or would use what the studio's account may read.
    """
    try:
        parts = urlsplit(url)
        keys, host, user = set(parse_qs(parts.query, keep_blank_values=True)), parts.hostname or "", parts.username
        is_server = parts.scheme in SERVERS and not parts.fragment and url.isprintable()
    except ValueError:
        is_server = False
    if not is_server:
        raise SourceError(
            "A database is an SQLite file, or a server of PostgreSQL such as postgresql://user@host/base; this is neither.",
            "correct the address.",
        )
    refuse_password(url)
    if who.name and (not host or not user or not password or set(host) & set("%/") or keys - _HARMLESS):
        raise SourceError(
            "In a studio for a team a database is a server with a user and a password, such as postgresql://user@host/base.",
            "name both, type the password in its own field, and leave everything out that names a file, a service or a socket.",
        )


def sqlite_at(path: Path, project: Path) -> str:
    """The URL of an SQLite file as a document in a folder writes it.

    Example:
        >>> sqlite_at(Path("/shelf/stays/stays.sqlite"), Path("/shelf/stays"))
        'sqlite:///stays.sqlite'
    """
    return f"sqlite:///{os.path.relpath(path, project)}"


def is_sqlite(path: Path) -> bool:
    """Whether a file is an SQLite database, by its first bytes."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def table_of(source: SqlSource) -> SqlSource:
    """The source with its table: the one that was named, else the only one that is there.

    Raises:
        SourceError: none was named and there are none or several; or the database does not open.
    """
    from sfumato.front.preview import first_rows

    if source.query.strip():
        return replace(source, query=source.query.strip())
    scheme = "sqlite" if source.url.startswith("sqlite:") else "postgresql"
    _, rows = first_rows(replace(source, query=_TABLES[scheme]), _MOST_NAMED)
    names = [str(row[0]) for row in rows]
    if len(names) != 1:
        raise SourceError(
            "One table of the database must be named, or a SELECT; it has {names}.",
            "write the name of one into the field of the table.", names=names or "none",
        )  # fmt: skip
    is_odd = is_select(names[0]) or (scheme == "sqlite" and "." in names[0])
    return replace(source, query=f"SELECT * FROM {_quoted(names[0])}" if is_odd else names[0])


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def opens(url: str, password: str) -> bool:
    """Whether a server lets the studio in."""
    from sfumato.front.preview import first_rows

    patient = (
        url if "connect_timeout" in url else f"{url}{'&' if urlsplit(url).query else '?'}connect_timeout={_PATIENCE}"
    )
    try:
        first_rows(SqlSource(patient, "SELECT 1 AS one", password=password), 1)
    except SourceError:
        return False
    return True


SOURCE, RELEASE, LEDGER = ("source",), ("output",), ("account", "ledger")
"""Tables of a plan or a data document that name the database of the original, of the release and of the ledger."""


def urls_in(project: Project, document: str, tables: Iterable[str]) -> tuple[str, ...]:
    """The servers that a document of a project names, each once.

    Args:
        project: it.
        document: "plan" or "data".
        tables: that may name one.
    """
    from sfumato.document.loading import load_toml

    path = project.folder / f"{document}.toml"
    if not path.is_file():
        return ()
    try:
        said = load_toml(path, document)
    except SfumatoError:
        return ()
    found = [_url_of(said.get(name)) for name in tables]
    return tuple(dict.fromkeys(url for url in (located_url(project.folder, one) for one in found) if is_server(url)))


def _url_of(table: Item) -> str:
    """The address that a table names: as `url`, or as `ledger` of an account; "": none."""
    if not isinstance(table, dict):
        return ""
    url = table.get("url", table.get("ledger", ""))
    return url if isinstance(url, str) else ""


def is_server(url: str) -> bool:
    """Whether an address is that of a server, which may want a password.

    Example:
        >>> is_server("postgresql://ada@host/base"), is_server("sqlite:///stays.sqlite"), is_server("postgresql://[")
        (True, False, False)
    """
    try:
        return urlsplit(url).scheme in SERVERS
    except ValueError:
        return False


def url_of(project: Project, vault: Vault, who: Person) -> str:
    """The first server of a project whose password was not typed, else the first at all; "": it names none."""
    every = (*SOURCE, *RELEASE, *LEDGER)
    urls = [*urls_in(project, "plan", every), *urls_in(project, "data", every)]
    users = _users(project, who)
    return next((url for url in urls if vault.found(users, url) is None), next(iter(urls), ""))


def _users(project: Project, who: Person) -> Collection[str]:
    """Whose passwords somebody's work may use."""
    return [who.name] if who.changes else project.owners()


def unlock(vault: Vault, url: str, password: str, who: Person) -> None:
    """Keep a password that opens a database.

    Raises:
        SourceError: it does not open, or may not be opened.
    """
    server_of(url, password, who)
    if not opens(url, password):
        raise SourceError(
            "The server must be there and let this user in; it does not.", "correct the address or the password."
        )
    vault.keep(who.name, url, password)


def keys_of(asked: Asked, document: str, tables: Iterable[str]) -> dict[str, str]:
    """By address the passwords of a project's databases, once it is known that each opens without one or somebody has typed it.

    Args:
        asked: whoever begins some work.
        document: that names the databases: "plan" or "data".
        tables: that may name one.

    Returns:
        What was typed; "": none is needed.

    Raises:
        Locked: one must be typed first.
    """
    urls = urls_in(asked.project, document, tables)
    return {url: key_to(asked.vault, asked.project, url, asked.who) for url in urls}


def key_to(vault: Vault, project: Project, url: str, who: Person) -> str:
    """The password of one database; see `key_of`."""
    if not url:
        return ""
    found = vault.found(_users(project, who), url)
    if found is None and not who.name and opens(url, ""):
        vault.keep(who.name, url, "")
        return ""
    if found is None:
        raise Locked.of(
            SourceError(
                "The database of this project must be opened with its password.",
                "an owner of the project types it; it is kept in memory alone.",
            )
        )
    return found


def secret_of(asked: Asked, tables: Iterable[str] = SOURCE) -> str:
    """What a process of a job is handed: passwords of the databases that it opens, and no other.

    Args:
        asked: whoever begins the job.
        tables: of the plan that name them.

    Raises:
        Locked: a password must be typed first.
    """
    return handed_over(keys_of(asked, "plan", tables))


def opening_of(asked: Asked) -> Opening:
    """What the data document says of its ledger, with the password of its server.

    Raises:
        Locked: it must be typed first.
        PlanError: the document cannot be read.
    """
    from sfumato.release.answer.opening import opening_in

    opening = opening_in(asked.project.folder / DATA_FILE)
    return replace(opening, password=keys_of(asked, "data", LEDGER).get(opening.ledger, ""))


def begin_from(said: Mapping[str, str], vault: Vault, who: Person) -> SqlSource:
    """The table of a server that a form names, and its password kept in memory.

    Raises:
        SourceError: the address may not be given, does not open, or has not the one table.
    """
    url, password = said.get("url", "").strip(), said.get("password", "")
    unlock(vault, url, password, who)
    return table_of(SqlSource(url, said.get("query", ""), password=password))
