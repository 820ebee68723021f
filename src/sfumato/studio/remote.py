"""What a collection server tells: its counts, asked for at the address that somebody typed, and nowhere else.

The reader's token is used for one request and is not kept. It goes encrypted, or stays on this machine; no other address is
followed, and no answer is read that is larger than counts can be.
"""

from __future__ import annotations

import http.client
import re
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from sfumato.errors import PlanError, SfumatoError, SourceError
from sfumato.studio.public import is_here
from sfumato.table.values import parsed_json

if TYPE_CHECKING:
    from sfumato.table.values import Table

MOST_BYTES = 64 << 20
"""Of the counts of a server at most."""
_PATIENCE = 10
"""Seconds without a word after which a server is given up."""
_NAME, _TOKEN = re.compile(r"[A-Za-z0-9_-]{1,200}"), re.compile(r"[\x21-\x7e]{0,1000}")
_CURE = "give the address that `sfumato serve collect` printed, such as http://127.0.0.1:8377."


def counts_at(address: str, name: str, token: str) -> Table:
    """The counts of a collection, as its server tells them.

    Args:
        address: of the server, such as "https://counts.example".
        name: of the collection there.
        token: of a reader; "": none.

    Raises:
        PlanError: the address, the name or the token is none, or the token would travel in clear.
        SourceError: the server is not there, refuses, or tells something else than counts.
    """
    place = _place(address)
    if not _NAME.fullmatch(name):
        raise PlanError("A collection is named by letters, digits, - and _.", "give the name in the server document.")
    if not _TOKEN.fullmatch(token):
        raise PlanError("A token must be one line of ASCII characters.", "give what `sfumato serve token` printed.")
    try:
        text = _asked(place, name, token).decode("utf-8")
    except SfumatoError:
        raise
    except (OSError, http.client.HTTPException, ValueError):  # of names and ports that are none, too
        raise SourceError("A collection server must answer at this address; none does.", _CURE) from None
    found = parsed_json(text, "The answer of the server", _CURE)
    if not isinstance(found, dict):
        raise SourceError("The answer of the server must be a document of counts.", _CURE)
    return found


def _place(address: str) -> SplitResult:
    """The address in parts.

    Raises:
        PlanError: it is none, or a token would travel in clear.
    """
    try:
        place = urlsplit(address.strip())
        is_one = place.scheme in {"http", "https"} and bool(place.hostname) and place.port != 0
    except ValueError:
        is_one = False
    if not is_one or place.username is not None or place.query or place.fragment or not place.path.isascii():
        raise PlanError("A server has an address such as http://127.0.0.1:8377; this is none.", _CURE)
    if place.scheme == "http" and not is_here(str(place.hostname)):
        raise PlanError(
            "Counts and tokens of another machine must travel encrypted; this address begins with http.",
            "give its address with https.",
        )
    return place


def _asked(place: SplitResult, name: str, token: str) -> bytes:
    """The bytes of the answer.

    Raises:
        SourceError: the server refuses, or says too much.
    """
    kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
    line = kind(str(place.hostname), place.port, timeout=_PATIENCE)
    headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    try:
        line.request("GET", f"{place.path.rstrip('/')}/collections/{name}/counts", headers=headers)
        answer = line.getresponse()
        text = answer.read(MOST_BYTES + 1)
    finally:
        line.close()
    if answer.status in {401, 403}:
        raise SourceError("The server must know the reader's token; it does not know this one.", "type it again.")
    if answer.status != 200:
        raise SourceError(
            "The server must have this collection; it answers with the status {status}.",
            "correct its name or the address.",
            status=answer.status,
        )
    if len(text) > MOST_BYTES:
        raise SourceError("Counts have at most {most} bytes; this answer has more.", _CURE, most=MOST_BYTES)
    return text
