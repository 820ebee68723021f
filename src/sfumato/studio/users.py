"""The file of users: names, roles, and what is kept of passwords. Whoever is taken out of it is out at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field
from typing import TYPE_CHECKING, Final

from sfumato.document.codec import read, write
from sfumato.document.header import FORMAT, Header, without_header
from sfumato.document.loading import load, under
from sfumato.errors import PlanError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.noise.bits import SystemBits
from sfumato.release.secrets import alone, replace_file
from sfumato.studio.roles import Role  # noqa: TC001  the codec reads it
from sfumato.web.password import SALT, check_chosen, digest, parts

if TYPE_CHECKING:
    from pathlib import Path

USERS: Final = Header("sfumato.users/1", "sfumato-users")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")
_OTHERS = 0o027
"""Bits of a mode with which somebody else than owner and group reads, or the group writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """One user.

    Args:
        role: what is allowed.
        password: what is kept of it.
    """

    role: Role
    password: str


@dataclass(frozen=True, slots=True)
class UsersDocument:
    """All users.

    Args:
        users: each by name.
    """

    users: Mapping[str, User] = field(default_factory=dict)


def read_users(path: Path) -> Mapping[str, User]:
    """The users of a file.

    Raises:
        PlanError: it cannot be read, others may read it, or something in it is wrong.
    """
    found = load(path, "file of users", lambda tables: read(UsersDocument, without_header(tables, USERS, "it"), "it"))
    if path.stat().st_mode & _OTHERS:
        raise PlanError("The file of users must be read by its owner, and by a group at most.", "chmod 600 on it.")
    for name, user in found.users.items():
        with under("users", name):
            _check_name(name)
            parts(user.password)
    return found.users


def add_user(path: Path, name: str, role: Role, password: str) -> None:
    """Write a user, or the new role and password of one, into a file that may not exist yet.

    Raises:
        PlanError: the name or the password is none, or the file cannot be read.
        SourceError: it cannot be written, or somebody else writes it.
    """
    _check_name(name)
    check_chosen(password)
    with alone(path):
        known = dict(read_users(path)) if path.exists() else {}
        salt = SystemBits().words(SALT // 8).tobytes()
        known[name] = User(role=role, password=digest(password, salt))
        replace_file(path, _text(known))


def _text(users: Mapping[str, User]) -> bytes:
    import tomlkit

    return tomlkit.dumps({FORMAT: USERS.format, **write(UsersDocument(dict(sorted(users.items()))))}).encode()


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise PlanError(
            "A user is named by 1 to 64 letters, digits and . _ @ + - and begins with a letter or digit; got {name!r}.",
            "choose another name.",
            name=name,
        )


class Roster:
    """The users as they are now: the file is read again when it has changed; while it is broken nobody is known.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._seen, self._users = path, (-1, -1, -1), read_users(path)
        self._seen = self._stamp()

    def user(self, name: str) -> User | None:
        """A user by name; None: nobody has it."""
        stamp = self._stamp()
        if stamp != self._seen:
            self._seen, self._users = stamp, {}
            with suppress(SfumatoError):
                self._users = read_users(self._path)
        return self._users.get(name)

    def _stamp(self) -> tuple[int, int, int]:
        try:
            found = self._path.stat()
        except OSError:
            return (0, 0, 0)
        return (found.st_mtime_ns, found.st_size, found.st_ino)
