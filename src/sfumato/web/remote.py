"""One request to a server that somebody named: encrypted, or to this machine; no other address is followed."""

from __future__ import annotations

import http.client
import io
import ssl
from contextlib import suppress
from dataclasses import field, replace
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.web.reached import is_here

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import IO


_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said.

    Args:
        status: of HTTP.
        wait: seconds after which it may be asked again; 0: it says none.
        body: what was read of it.
        is_cut: whether there was more.
    """

    status: int
    wait: float
    body: bytes
    is_cut: bool


def place_of(address: str, cure: str) -> SplitResult:
    """An address in parts.

    Args:
        address: such as "https://contest.example".
        cure: where to take one from, for messages.

    Raises:
        PlanError: it is none, or a token would travel in clear.
    """
    try:
        place = urlsplit(address.strip())
        is_one = place.scheme in {"http", "https"} and bool(place.hostname) and place.port != 0
    except ValueError:
        is_one = False
    if not is_one or place.username is not None or place.query or place.fragment or not place.path.isascii():
        raise PlanError("A server has an address such as https://example.org; this is none.", cure)
    if place.scheme == "http" and not is_here(str(place.hostname)):
        raise PlanError(
            "Tokens must travel encrypted to another machine; this address begins with http.",
            "give its address with https.",
        )
    return place


@dataclass(frozen=True, slots=True)
class Server:
    """A server that is asked.

    Args:
        place: from `place_of`.
        token: of whoever asks; "": none.
        most: bytes that are read of an answer.
        patience: seconds without a word after which it is given up.
        authority: certificates, as PEM, by which the server's is checked; None: those that the system trusts.
    """

    place: SplitResult
    token: str = field(repr=False)
    most: int
    patience: float
    authority: Path | None = None

    def ask(
        self,
        method: str,
        path: str,
        body: IO[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        into: IO[bytes] | None = None,
    ) -> Answer:
        """The answer to one request.

        Args:
            method: of HTTP.
            path: below the address.
            body: a file that is sent from where it stands; None: nothing.
            headers: more of them.
            into: where the body of an answer with status 200 is written as it comes; None: it is in the answer.

        Raises:
            OSError: no server answers, or its certificate is not one that is trusted (`ssl.SSLCertVerificationError`).
            http.client.HTTPException: what answers is no server of this kind, or an answer ends too soon.
            ValueError: names or ports that are none.
        """
        line, place = self._line(), self.place
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        size = {} if body is None else {"Content-Length": str(_size(body))}
        sent = {"Accept": "application/json"} | bearer | size | dict(headers or {})
        try:
            line.connect()
            with suppress(BrokenPipeError, ConnectionResetError):  # a refusal may come before the body is sent
                line.request(method, f"{place.path.rstrip('/')}{path}", body, sent)
            answer = line.getresponse()
            out = io.BytesIO() if into is None or answer.status != HTTPStatus.OK else into
            is_cut = _copied(answer, out, self.most)
        finally:
            line.close()
        wait = answer.getheader("Retry-After", "")
        text = out.getvalue() if isinstance(out, io.BytesIO) else b""
        return Answer(answer.status, float(wait) if wait.isdigit() else 0.0, text, is_cut)

    def reading(self, most: int) -> Server:
        """The same, of whose answers more or less is read."""
        return replace(self, most=most)

    def _line(self) -> http.client.HTTPConnection:
        """A connection that is not open yet."""
        name, port = str(self.place.hostname), self.place.port
        if self.place.scheme == "http":
            return http.client.HTTPConnection(name, port, timeout=self.patience)
        context = ssl.create_default_context(cafile=self.authority)
        return http.client.HTTPSConnection(name, port, timeout=self.patience, context=context)


def _copied(answer: http.client.HTTPResponse, out: IO[bytes], most: int) -> bool:
    """Copy a body within a bound; whether there was more.

    Raises:
        http.client.IncompleteRead: it ended before the length that was declared.
    """
    declared, n = answer.length, 0
    while piece := answer.read(min(_PIECE, most - n + 1)):
        n += len(piece)
        if n > most:
            return True
        out.write(piece)
    if declared is not None and n < declared:
        raise http.client.IncompleteRead(b"", declared - n)
    return False


def _size(body: IO[bytes]) -> int:
    """Bytes of a file, which stands at its beginning afterwards."""
    size = body.seek(0, io.SEEK_END)
    body.seek(0)
    return size
