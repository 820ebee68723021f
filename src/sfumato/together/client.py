"""A holder's line to the publisher, and its memory on disk."""

from __future__ import annotations

import http.client
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast
from urllib.parse import quote, urlsplit

from sfumato.errors import ParameterError, SourceError
from sfumato.release.secrets import replace_file
from sfumato.together.wire import Kind, envelope_from, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from sfumato.together.wire import Envelope

T = TypeVar("T")

_HERE = ("localhost", "127.0.0.1", "::1")
_SECONDS = 60.0
_FIRST_WAIT, _LONGEST_WAIT = 0.02, 1.0
_AGAIN = (503,)


class Line:
    """One connection to a publisher, opened again when it breaks.

    Args:
        server: address; encrypted, unless it is on this machine.
        patience: seconds for which a publisher may be away.

    `sent` and `received` count bytes, `messages` requests.
    """

    def __init__(self, server: str, patience: float) -> None:
        self._parts = urlsplit(server)
        here = self._parts.scheme == "http" and self._parts.hostname in _HERE
        if self._parts.hostname is None or not (here or self._parts.scheme == "https"):
            raise ParameterError(
                "A line to a server must be encrypted: its address must begin with https://.",
                "use https://; plain http:// is for servers on this machine alone.",
            )
        self._patience = patience
        self._connection: http.client.HTTPConnection | None = None
        self.sent = self.received = self.messages = 0

    def post(self, message: Envelope) -> None:
        """Hand in a message.

        Raises:
            SourceError: the publisher refuses it, or stays away.
        """
        status, body = self._asked("POST", "/messages", message.to_bytes())
        if status != 200:
            raise _refusal(status, body)

    def get(self, kind: Kind, sender: str, number: int) -> Envelope | None:
        """Fetch a message; sender "": the publisher's.

        Raises:
            SourceError: the publication was abandoned, or the publisher stays away.
        """
        path = f"/messages/{kind.value}/{number}" + (f"/{quote(sender, safe='')}" if sender else "")
        status, body = self._asked("GET", path)
        if status == 404:
            return None
        if status == 410:
            why, _ = unpacked(envelope_from(body).body)
            raise SourceError(
                "The publication was abandoned, and nothing is published: {problem} (told by {by}).",
                "begin a new one when the reason is gone.",
                problem=str(why.get("problem")),
                by=str(why.get("by")),
            )
        if status != 200:
            raise _refusal(status, body)
        return envelope_from(body)

    def close(self) -> None:
        """Give the connection back."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _asked(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        until, wait = time.monotonic() + self._patience, _FIRST_WAIT
        while True:
            try:
                status, answer = self._once(method, path, body)
                if status not in _AGAIN:
                    return status, answer
                problem: BaseException | None = None
            except (OSError, http.client.HTTPException) as error:
                self.close()
                problem = error
            if time.monotonic() > until:
                raise SourceError(
                    "The server {host} must answer.", "check its address and the network, then try again.",
                    host=self._parts.hostname,
                ) from problem  # fmt: skip
            time.sleep(wait)
            wait = min(_LONGEST_WAIT, 2 * wait)

    def _once(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        if self._connection is None:
            kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
            self._connection = kind(str(self._parts.hostname), self._parts.port, timeout=_SECONDS)
        self._connection.request(method, self._parts.path.rstrip("/") + path, body)
        answer = self._connection.getresponse()
        content = answer.read()
        self.messages, self.sent, self.received = (
            self.messages + 1,
            self.sent + len(body or b""),
            self.received + len(content),
        )
        return answer.status, content


class Folder:
    """What a holder said, as files for their owner alone.

    Args:
        path: made if absent.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise SourceError("{name!r} must be writable; {strerror}.", "choose another place.",
                              name=path.name, strerror=error.strerror) from error  # fmt: skip

    def get(self, name: str) -> bytes | None:
        """What was kept under a name."""
        file = self._path / name
        return file.read_bytes() if file.exists() else None

    def put(self, name: str, raw: bytes) -> None:
        """Keep something: written beside, synced, renamed."""
        replace_file(self._path / name, raw)


def until_done(steps: Generator[Kind, None, T], waiting: Callable[[Kind], None]) -> T:
    """Go through the steps of a holder; between two looks at the board it sleeps, ever longer up to a second.

    Args:
        steps: of a holder.
        waiting: told for what it waits.
    """
    wait, before = _FIRST_WAIT, None
    while True:
        try:
            kind = next(steps)
        except StopIteration as end:
            return cast("T", end.value)
        if kind is not before:
            waiting(kind)
            wait, before = _FIRST_WAIT, kind
        time.sleep(wait)
        wait = min(_LONGEST_WAIT, 1.5 * wait)


def _refusal(status: int, body: bytes) -> SourceError:
    try:
        problem = str(json.loads(body)["problem"])
    except (ValueError, KeyError, TypeError):
        problem = f"status {status}."
    return SourceError(
        "The publisher refuses: {problem}", "see its remedy, or the version of this program.", problem=problem
    )
