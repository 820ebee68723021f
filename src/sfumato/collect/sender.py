"""Batches of a file sent to a collection server, each until it is counted, and none twice however often this is begun again.

What was counted is noted in a file beside the batches. The note saves time only: a server counts each batch id once, so a
batch whose answer was lost is sent again and counted once.
"""

from __future__ import annotations

import http.client
import io
import ssl
import time
from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING

from sfumato.document.result.collected import SentResult
from sfumato.errors import PlanError, ReportError, SourceError
from sfumato.frozen import dataclass
from sfumato.release.collect.batch import from_json, lines_of
from sfumato.table.values import parsed_json
from sfumato.web.remote import Server, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sfumato.mechanism.recode.decision import Progress
    from sfumato.release.collect.base import Collecting
    from sfumato.web.remote import Answer

NOTE = ".sent"
"""Suffix of the file beside the batches in which the ids of those stand that were counted."""
_CURE = "give the address of the collection, such as https://survey.example/collections/students."
_MOST = 16 << 20
_SECONDS = 30.0
_PAUSE, _LONGEST = 0.25, 60.0
"""Seconds of the first pause after a failure; each is twice as long as the one before, up to the longest."""
_LATER = frozenset({408, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Sender:
    """Where batches go, and how long a silent server is waited for.

    Args:
        address: of the collection.
        token: with which reports may be sent; "": none is needed.
        patience: seconds without any answer after which it is given up.
        authority: certificates, as PEM; None: those that the system trusts.
        clock: seconds; it never goes back.
        sleep: waits for so many seconds.

    Raises:
        PlanError: the address is none, or not encrypted to another machine.
    """

    address: str
    token: str = field(repr=False)
    patience: float = 300.0
    authority: Path | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    server: Server = field(init=False, repr=False)

    def __post_init__(self) -> None:
        place = place_of(self.address, _CURE)
        object.__setattr__(self, "server", Server(place, self.token, _MOST, _SECONDS, self.authority))

    def send(self, asked: Collecting, reports: Path, progress: Progress) -> SentResult:
        """Send every batch of a file that is not noted yet.

        Args:
            asked: the collection, which the server must ask too.
            reports: batches, one a line.
            progress: told of batches.

        Raises:
            ReportError: a line is no batch of this collection, or the server refuses one for good.
            SourceError: no server answers, or it asks something else.
        """
        self._same(asked)
        batches = [(from_json(asked, line).name, line.strip()) for _, line in lines_of([reports])]
        note = reports.with_name(reports.name + NOTE)
        noted = set(_noted(note))
        counted = 0
        with note.open("a", encoding="utf-8") as file:
            for i, (name, body) in enumerate(batches, 1):
                if name not in noted:
                    counted += self._until_counted(body)
                    noted.add(name)
                    file.write(f"{name}\n")
                    file.flush()
                progress(i, len(batches), "sending")
        known = len(batches) - counted
        return SentResult(batches=len(batches), counted=counted, known=known, collection=asked.digest())

    def _same(self, asked: Collecting) -> None:
        """The server must ask what the reports answer.

        Raises:
            SourceError: it asks something else, or has ended.
        """
        answer = self._answered("GET", "", None)
        if answer.status != 200:
            raise SourceError(
                "The server must have this collection; it answers with the status {status}.",
                _CURE,
                status=answer.status,
            )
        told = parsed_json(answer.body.decode("utf-8", "replace"), "The answer of the server", _CURE)
        if not isinstance(told, dict) or told.get("digest") != asked.digest():
            raise SourceError(
                "The server must ask what this document asks; it asks something else.",
                "take the document that it serves.",
            )

    def _until_counted(self, body: bytes) -> bool:
        """Send a batch until the server has counted it; whether it was new.

        Raises:
            ReportError: it refuses the batch for good.
        """
        answer = self._answered("POST", "/batches", body)
        if answer.status != 200:
            raise ReportError(
                "The server must count every batch; it refuses one with the status {status}: {why}",
                "see what it says; what was counted is noted, so send again afterwards.",
                status=answer.status,
                why=_why(answer.body),
            )
        return b'"counted":true' in answer.body.replace(b" ", b"")

    def _answered(self, method: str, path: str, body: bytes | None) -> Answer:
        """An answer that is no plea for patience.

        Raises:
            SourceError: none comes.
        """
        pause, start = _PAUSE, self.clock()
        while True:
            wait = 0.0
            try:
                head = {} if body is None else {"Content-Type": "application/json"}
                file = None if body is None else io.BytesIO(body)
                answer = self.server.ask(method, path, file, head, is_repeatable=True)  # a batch counts once by its id
                if answer.status not in _LATER:
                    return answer
                wait = answer.wait
            except ssl.SSLCertVerificationError as error:
                raise SourceError("The certificate of the server must be one that is trusted; it is not.", "name the authority that signed it (`--authority`).") from error  # fmt: skip
            except (OSError, http.client.HTTPException):
                answer = None
            if self.clock() - start + max(pause, wait) > self.patience:
                raise SourceError(
                    "A server must take what is sent within {patience:g} seconds; none did.",
                    "begin again later: what was counted is noted.",
                    patience=self.patience,
                )
            self.sleep(max(pause, wait))
            pause = min(2 * pause, _LONGEST)


def _noted(note: Path) -> Iterator[str]:
    """The ids that are noted; a last line that was cut is not.

    Raises:
        PlanError: the note cannot be read.
    """
    try:
        text = note.read_text(encoding="utf-8") if note.exists() else ""
    except (OSError, ValueError) as error:
        raise PlanError("{name!r} must be the note of an earlier sending.", "remove it; nothing is counted twice.", name=note.name) from error  # fmt: skip
    yield from text.split("\n")[:-1]


def _why(body: bytes) -> str:
    """What a server says of a refusal, one printable line."""
    said = body[:2000].decode("utf-8", "replace")
    return "".join(letter for letter in said if letter.isprintable())[:300]
