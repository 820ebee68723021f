"""Requests to a server that somebody named: encrypted, or to this machine; no other address is followed.

The connection stays open for the next request. One that the server has closed meanwhile is noticed before anything is sent;
where it closes while a request is on its way, nobody knows whether it was taken, so it is sent again only if that is harmless.
"""

from __future__ import annotations

import http.client
import io
import select
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


@dataclass(frozen=True, slots=True)
class _Request:
    """What is sent."""

    method: str
    path: str
    body: IO[bytes] | None
    headers: Mapping[str, str]


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


class Kept:
    """Connections to one server that wait for the next request, and the certificates by which it is checked."""

    def __init__(self) -> None:
        self.idle: list[http.client.HTTPConnection] = []
        self.context: ssl.SSLContext | None = None

    def taken(self) -> http.client.HTTPConnection | None:
        """A connection on which nothing has happened since its last answer; None: there is none."""
        while self.idle:
            line = self.idle.pop()
            if line.sock is not None and not select.select([line.sock], [], [], 0)[0]:
                return line
            line.close()  # it has ended, or says what nobody asked for
        return None

    def close(self) -> None:
        """End them."""
        while self.idle:
            self.idle.pop().close()

    def __del__(self) -> None:
        """They end with the last who holds them."""
        self.close()


@dataclass(frozen=True, slots=True)
class Server:
    """A server that is asked.

    Args:
        place: from `place_of`.
        token: of whoever asks; "": none.
        most: bytes that are read of an answer.
        patience: seconds without a word after which it is given up.
        authority: certificates, as PEM, by which the server's is checked; None: those that the system trusts.
        kept: connections that are open.
    """

    place: SplitResult
    token: str = field(repr=False)
    most: int
    patience: float
    authority: Path | None = None
    kept: Kept = field(default_factory=Kept, repr=False, compare=False)

    def ask(
        self,
        method: str,
        path: str,
        body: IO[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        into: IO[bytes] | None = None,
        is_repeatable: bool = False,
    ) -> Answer:
        """The answer to one request.

        Args:
            method: of HTTP.
            path: below the address.
            body: a file that is sent from where it stands; None: nothing.
            headers: more of them.
            into: where the body of an answer with status 200 is written as it comes; None: it is in the answer.
            is_repeatable: whether the server may receive the request twice without harm, as it may each GET.

        Raises:
            OSError: no server answers, or its certificate is not one that is trusted (`ssl.SSLCertVerificationError`).
            http.client.HTTPException: what answers is no server of this kind, or an answer ends too soon.
            ValueError: names or ports that are none.
        """
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        size = {} if body is None else {"Content-Length": str(_size(body))}
        request = _Request(
            method,
            f"{self.place.path.rstrip('/')}{path}",
            body,
            {"Accept": "application/json"} | bearer | size | dict(headers or {}),
        )
        line = self.kept.taken()
        if line is not None:
            try:
                return self._answer(line, request, into)
            except ConnectionError:  # closed while the request was on its way: was it taken?
                if not (is_repeatable or method == "GET"):
                    raise
                if body is not None:
                    body.seek(0)
        return self._answer(self._line(), request, into)

    def _answer(self, line: http.client.HTTPConnection, request: _Request, into: IO[bytes] | None) -> Answer:
        """The answer on one connection, which is kept if it can be."""
        is_sent = stays = False
        try:
            if line.sock is None:
                line.connect()
            with suppress(BrokenPipeError, ConnectionResetError):  # a refusal may come before the body is sent
                line.request(request.method, request.path, request.body, request.headers)
                is_sent = True
            answer = line.getresponse()
            out = io.BytesIO() if into is None or answer.status != HTTPStatus.OK else into
            try:
                is_cut = _copied(answer, out, self.most)
            except ConnectionError as error:  # an answer has begun, so the request is not sent again
                raise http.client.IncompleteRead(b"") from error
            stays = is_sent and not is_cut and not answer.will_close
        finally:
            if stays:
                self.kept.idle.append(line)
            else:
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
        if self.kept.context is None:
            self.kept.context = ssl.create_default_context(cafile=self.authority)
        return http.client.HTTPSConnection(name, port, timeout=self.patience, context=self.kept.context)


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
