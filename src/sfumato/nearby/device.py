"""Files of a device: a circle of friends, and one's own mailbox. Both are secrets: only their owner may read them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sfumato.errors import ParameterError, SourceError
from sfumato.frozen import dataclass
from sfumato.mechanism.location.by_design.proximity import Circle
from sfumato.mechanism.secret import new_key, parse_key
from sfumato.nearby.shelf import region_from, said_of
from sfumato.release.secrets import alone, replace_file, write_new

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.noise.bits import Bits
    from sfumato.table.plane import Region

_CIRCLE, _MAILBOX = "sfumato.circle/1", "sfumato.mailbox/1"


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One's own mailbox.

    Args:
        secret: that owns it.
        number: of the next token.
    """

    secret: str
    number: int


def write_circle(path: Path, region: Region, *, bits: Bits) -> None:
    """Draw the secret of a new circle into a new file, which its friends hand to each other and to nobody else.

    Raises:
        SourceError: the file is there, or cannot be written.
    """
    said = {"format": _CIRCLE, "secret": new_key(bits), **said_of(region)}
    try:
        write_new(path, json.dumps(said, indent=1))
    except FileExistsError:
        raise SourceError(
            "The file of a circle is never overwritten; {name!r} is there.", "choose another name.", name=path.name
        ) from None
    except OSError as error:
        raise SourceError(
            "{name!r} must be writable; {strerror}.", "choose another place.", name=path.name, strerror=error.strerror
        ) from error


def read_circle(path: Path) -> Circle:
    """The friends of a file.

    Raises:
        SourceError, ParameterError: it is none.
    """
    said = _read(path, _CIRCLE)
    try:
        return Circle(parse_key(str(said["secret"]), repr(path.name)), region_from(said))
    except (KeyError, TypeError, ValueError) as error:
        raise _no_file(path) from error


def next_token(path: Path, *, bits: Bits) -> Mailbox:
    """The mailbox of a file, made at its first use; its number is counted up on the disk before the token is sent.

    Raises:
        SourceError, ParameterError: it cannot be read or written.
    """
    with alone(path):
        if path.exists():
            said = _read(path, _MAILBOX)
            try:
                box = Mailbox(str(said["secret"]), int(said["number"]))
            except (KeyError, TypeError, ValueError) as error:
                raise _no_file(path) from error
        else:
            box = Mailbox(new_key(bits), 0)
        after = {"format": _MAILBOX, "secret": box.secret, "number": box.number + 1}
        replace_file(path, json.dumps(after, indent=1).encode())
        return box


def _read(path: Path, kind: str) -> dict[str, Any]:
    """A JSON object of a kind."""
    try:
        said = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise _no_file(path) from error
    if not isinstance(said, dict) or said.get("format") != kind:
        raise _no_file(path)
    return said


def _no_file(path: Path) -> ParameterError:
    return ParameterError(
        "{name!r} must be a file that `sfumato nearby` wrote.",
        "give the file of a circle or of a mailbox.",
        name=path.name,
    )
