"""A team's seat at a server: its requests, sent again where nothing was answered, and never counted twice."""

from __future__ import annotations

import hashlib
import http.client
import json
import re
import ssl
import time
from dataclasses import field
from typing import TYPE_CHECKING, Any

from sfumato.errors import PlanError, SourceError
from sfumato.frozen import dataclass
from sfumato.table.values import parsed_json
from sfumato.web.remote import Server, place_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import IO

    from sfumato.web.remote import Answer

CURE = "give the address that the organiser told, such as https://contest.example.org."
MOST_TOLD = 16 << 20
"""Bytes of an answer that is not a file."""
PATIENCE = 60.0
"""Seconds without a word after which a request counts as not answered."""
TRIES = 6
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
_AGAIN = frozenset({502, 503, 504})
_DONE = frozenset({200, 202})
_REMEDIES = {
    "see /own.": "see `sfumato arena own`.",
    "see /published.": "see `sfumato arena targets`.",
    "see /own and /published.": "see `sfumato arena own` and `sfumato arena targets`.",
    "see /contest.": "see `sfumato arena about`.",
    "send `Authorization: Bearer TOKEN`.": "give the file that holds it with --token-file.",
}
"""What a server tells programs to do, as whoever types commands does it."""
_TOKEN = re.compile(r"[\x21-\x7e]{1,1000}")


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a team sits.

    Args:
        server: that is asked.
        sleep: waits so many seconds.
    """

    server: Server
    sleep: Callable[[float], None] = field(default=time.sleep)

    def get(self, path: str) -> dict[str, Any]:
        """What the server tells at an address."""
        return self._told("GET", path)

    def publish(self, number: int) -> None:
        """Let attackers see a submission."""
        self._told("POST", f"/submissions/{number}/publish")

    def withdraw(self, number: int) -> None:
        """Take a published submission back."""
        self._told("DELETE", f"/submissions/{number}/publish")

    def hand_in(self, path: Path, target: int | None) -> dict[str, Any]:
        """Hand in a file; sent again, also by another process, the same file for the same purpose is the same request.

        Args:
            path: of the file.
            target: the published submission that it attacks; None: it is a submission.

        Returns:
            Its number, its digest, and whether it is new there.

        Raises:
            SourceError: there is no such file; the server refuses, or does not answer.
        """
        try:
            file = path.open("rb")
        except OSError as error:
            raise SourceError(
                "The file {name!r} must be readable.", "correct its name or its rights.", name=path.name
            ) from error
        with file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            where = "/submissions" if target is None else f"/published/{target}/attacks"
            said = self._told("POST", where, file, {"Idempotency-Key": f"{target or 'submission'}-{digest}"})
        if said.get("sha256") != digest:
            raise SourceError("The server must have received the file as it is; it has another one.", "send it again.")
        return said

    def fetch(self, number: int, path: Path, most: int) -> None:
        """Write what is published to a file, whole or not at all.

        Args:
            number: of the submission.
            path: of the file.
            most: bytes that it may have.

        Raises:
            SourceError: there is none, it is larger, or the file cannot be written.
        """
        beside = path.with_name(f".{path.name}.part")
        try:
            with beside.open("wb") as out:
                self._asked("GET", f"/published/{number}", into=out, most=most)
            beside.replace(path)
        except OSError as error:
            raise SourceError("The file {name!r} must be writable.", "choose another place.", name=path.name) from error
        finally:
            beside.unlink(missing_ok=True)

    def judged(self, number: int, *, patience: float) -> dict[str, Any]:
        """A file of the team, as soon as the judge has spoken, or as it is when patience ends.

        Args:
            number: of the file.
            patience: seconds to wait.
        """
        wait, end = _FIRST_WAIT, time.monotonic() + patience
        while True:
            found = next((one for one in self.get("/own")["files"] if one["number"] == number), {"state": "unknown"})
            if found["state"] not in {"waiting", "judging"} or time.monotonic() > end:
                return dict(found)
            self.sleep(wait)
            wait = min(2 * wait, 5.0)

    def _told(
        self, method: str, path: str, body: IO[bytes] | None = None, headers: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """The object that the server answers."""
        text = self._asked(method, path, body, headers).body
        found = parsed_json(text.decode("utf-8", "replace"), "The answer of the server", CURE)
        if not isinstance(found, dict):
            raise SourceError("The answer of the server must be an object.", CURE)
        return found

    def _asked(
        self,
        method: str,
        path: str,
        body: IO[bytes] | None = None,
        headers: dict[str, str] | None = None,
        *,
        into: IO[bytes] | None = None,
        most: int = 0,
    ) -> Answer:
        """The answer to a request that is sent until it is answered, a few times."""
        server = self.server.reading(most) if most else self.server
        wait = _FIRST_WAIT
        for left in range(TRIES - 1, -1, -1):
            for file in (body, into):
                if file is not None:
                    file.seek(0)
            if into is not None:
                into.truncate()
            answer = _once(server, method, path, body, headers, into)
            if answer is not None and (answer.status not in _AGAIN or not left):
                return _fine(answer, most or MOST_TOLD)
            if left:
                self.sleep(max(wait, min(_LONGEST_WAIT, answer.wait if answer else 0.0)))
                wait = min(2 * wait, _LONGEST_WAIT)
        raise SourceError(
            "The server of the contest must answer; it does not.", "see to the network, or try again later."
        )


def seat_at(server: str, ca: Path | None, token_file: Path | None = None) -> Seat:
    """A team's seat.

    Args:
        server: its address.
        ca: certificates, as PEM, by which the server's is checked; None: those that the system trusts.
        token_file: holds the team's token; None: what is asked needs none.

    Raises:
        PlanError: the address is none, or a token would travel in clear.
        SourceError: a file cannot be read.
    """
    place, token = place_of(server, CURE), ""
    for path in (token_file, ca):
        if path is not None and not path.is_file():
            raise SourceError("There must be a file {name!r}.", "correct its name.", name=path.name)
    if token_file is not None:
        token = token_file.read_text("ascii", "replace").strip()
        if not _TOKEN.fullmatch(token):
            raise PlanError(
                "The file {name!r} must hold a token, on one line.",
                "write into it what the organiser gave you.",
                name=token_file.name,
            )
    return Seat(Server(place, token, MOST_TOLD, PATIENCE, ca))


def _once(
    server: Server,
    method: str,
    path: str,
    body: IO[bytes] | None,
    headers: dict[str, str] | None,
    into: IO[bytes] | None,
) -> Answer | None:
    """One try; None: nobody answered.

    Raises:
        SourceError: the certificate of the server is not one that is trusted.
    """
    try:
        return server.ask(method, path, body, headers, into=into)
    except ssl.SSLCertVerificationError:
        raise SourceError(
            "The certificate of the server must be one that is trusted; it is not.",
            "check the address; for a certificate of the organiser's own give the file with --ca.",
        ) from None
    except ssl.SSLError:
        raise SourceError("The server must answer by https; it does not.", CURE) from None
    except (OSError, http.client.HTTPException):
        return None
    except ValueError:  # of names and ports that are none
        raise SourceError("A server must answer at this address; none can.", CURE) from None


def _fine(answer: Answer, most: int) -> Answer:
    """An answer that is no refusal.

    Raises:
        SourceError: it is one, in the words of the server.
    """
    if answer.is_cut:
        raise SourceError("An answer may have {most} bytes; this one has more.", CURE, most=most)
    if answer.status in _DONE:
        return answer
    try:
        said = json.loads(answer.body)
        problem, remedy = (_line(said[name]) for name in ("problem", "remedy"))
    except (ValueError, KeyError, TypeError):
        raise SourceError(
            "The server must take the request; it answers with the status {status}.", CURE, status=answer.status
        ) from None
    raise SourceError(problem, _REMEDIES.get(remedy, remedy))


def _line(text: object) -> str:
    """A text from elsewhere as one line that a terminal can be shown."""
    return "".join(letter for letter in str(text)[:500] if letter.isprintable())
