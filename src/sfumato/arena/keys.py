"""Tokens: of teams, by their digest in the store; of the organiser, by its digest in a file beside it."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.noise.bits import SystemBits
from sfumato.release.secrets import replace_file
from sfumato.web.access import new_token

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.arena.store import Store

ORGANISER = "organiser"
KNOWN = frozenset({"judge", ORGANISER})
"""Who stands in the audit log beside teams."""
_LONGEST = 60


def check_name(name: str) -> None:
    """Refuse what no team is called.

    Raises:
        ParameterError: it is too long, cannot be printed, or is the name of somebody else in the audit log.
    """
    if not 1 <= len(name) <= _LONGEST or not name.isprintable() or name != name.strip() or name in KNOWN:
        raise ParameterError(
            "A team needs a name of 1 to 60 printable characters, which is not that of the judge or the organiser.",
            "choose another one.",
        )


def new_team(store: Store, name: str, *, now: float) -> str:
    """Make a team, or a new token for one that is there; the token, which nobody can read again.

    Raises:
        ParameterError: the name is none.
    """
    check_name(name)
    token, digest = new_token(SystemBits())
    store.add_team(name, digest, now=now)
    return token


def new_organiser(folder: Path) -> str:
    """A new token of the organiser; the one before is worth nothing then.

    Args:
        folder: of the store.

    Raises:
        SourceError: the folder cannot be written.
    """
    token, digest = new_token(SystemBits())
    replace_file(folder / ORGANISER, digest.encode())
    return token


def is_organiser(folder: Path, digest: str) -> bool:
    """Whether a digest is that of the organiser's token; without one nobody is the organiser."""
    try:
        kept = (folder / ORGANISER).read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return False
    return bool(kept) and hmac.compare_digest(digest, kept)
