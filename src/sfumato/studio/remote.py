"""What a collection server tells: its counts, asked for at the address that somebody typed, and nowhere else.

The reader's token is used for one request and is not kept. It goes encrypted, or stays on this machine; no other address is
followed, and no answer is read that is larger than counts can be.
"""

from __future__ import annotations

import http.client
import re
from typing import TYPE_CHECKING

from sfumato.errors import PlanError, SfumatoError, SourceError
from sfumato.table.values import parsed_json
from sfumato.web.remote import Server, place_of

if TYPE_CHECKING:
    from urllib.parse import SplitResult

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
    place = place_of(address, _CURE)
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


def _asked(place: SplitResult, name: str, token: str) -> bytes:
    """The bytes of the answer.

    Raises:
        SourceError: the server refuses, or says too much.
    """
    answer = Server(place, token, MOST_BYTES, _PATIENCE).ask("GET", f"/collections/{name}/counts")
    if answer.status in {401, 403}:
        raise SourceError("The server must know the reader's token; it does not know this one.", "type it again.")
    if answer.status != 200:
        raise SourceError(
            "The server must have this collection; it answers with the status {status}.",
            "correct its name or the address.",
            status=answer.status,
        )
    if answer.is_cut:
        raise SourceError("Counts have at most {most} bytes; this answer has more.", _CURE, most=MOST_BYTES)
    return answer.body
