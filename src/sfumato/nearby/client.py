"""What a device does: it fetches a block from two servers, and leaves and asks for tokens.

Lines must be encrypted: whoever reads both questions of a retrieval learns the cell. So plain HTTP is refused, except to
this very machine.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import numpy as np

from sfumato.errors import ParameterError, SourceError
from sfumato.mechanism.location.by_design.catalogue import opened
from sfumato.mechanism.location.by_design.retrieval import block, questions
from sfumato.nearby.shelf import described
from sfumato.table.plane import distance

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sfumato.mechanism.location.by_design.catalogue import Near, Place
    from sfumato.mechanism.location.by_design.proximity import Circle
    from sfumato.nearby.shelf import Described
    from sfumato.noise.bits import Bits
    from sfumato.table.plane import Region

SECONDS = 30.0
_HERE = frozenset({"127.0.0.1", "::1", "localhost"})
_MOST = 1 << 24


def fetch_description(servers: Sequence[str]) -> Described:
    """What two servers say of their catalogue, if they say the same.

    Args:
        servers: addresses of two servers that do not talk to each other.

    Raises:
        SourceError: one does not answer, or they hold different catalogues.
        ParameterError: not two servers, or a line that is not encrypted.
    """
    if len(set(servers)) != 2:
        raise ParameterError(
            "Private retrieval needs two servers of different keepers.",
            "name two addresses; one alone learns nothing, both do.",
        )
    first, second = (described(json.loads(_asked(server, "/catalogue"))) for server in servers)
    if first.to_dict() != second.to_dict():
        raise SourceError("Both servers must hold the same catalogue.", "ask other servers, or try again later.")
    return first


def nearest(servers: Sequence[str], about: Described, latitude: float, longitude: float, *, bits: Bits) -> Near:
    """The places nearest to a position, which neither server learns: one question to each, always.

    Args:
        servers: the two addresses.
        about: what `fetch_description` gave; keep it.
        latitude: degrees, within the region.
        longitude: degrees.
        bits: secure chance.

    Raises:
        SourceError: a server does not answer.
        ParameterError: a position outside the region, a server that lies, a line that is not encrypted.
    """
    row, column = cell_in(about.region, latitude, longitude)
    cell = row * about.region.columns + column
    sets = questions(cell, about.cells, bits=bits)
    answers = [_asked(server, "/blocks", question) for server, question in zip(servers, sets, strict=True)]
    return opened(block(*answers), about.label, cell, about.public_key())


def by_distance(near: Near, latitude: float, longitude: float) -> list[tuple[Place, float]]:
    """Places of a block with their metres from a position, nearest first.

    Example:
        >>> from sfumato.mechanism.location.by_design.catalogue import Near, Place
        >>> [(place.name, round(metres)) for place, metres in by_distance(Near((Place("a", 45.76, 4.8),), 900), 45.75, 4.8)]
        [('a', 1112)]
    """
    lat, lon = np.array([p.latitude for p in near.places]), np.array([p.longitude for p in near.places])
    far = distance(lat, lon, np.array([latitude]), np.array([longitude]))
    return [(near.places[i], float(far[i])) for i in np.argsort(far, kind="stable").tolist()]


def leave(server: str, secret: str, circle: Circle, cell: tuple[int, int], day: date, number: int) -> str:
    """Leave the token of a cell in one's own mailbox, and get its public name, which friends know.

    Args:
        server: its address.
        secret: of the mailbox; its owner's alone.
        circle: friends and cells.
        cell: row and column.
        day: in UTC.
        number: above that of the last token.

    Raises:
        SourceError: the server does not answer or refuses.
        ParameterError: a cell outside the region, a line that is not encrypted.
    """
    said = {"token": circle.token(cell, day).hex(), "number": number}
    return str(json.loads(_asked(server, "/token", json.dumps(said).encode(), secret, "PUT"))["mailbox"])


def near(server: str, circle: Circle, cell: tuple[int, int], day: date, *, bits: Bits) -> list[str]:
    """Mailboxes of friends in this cell or a neighbor of it.

    Raises:
        SourceError: the server does not answer or refuses.
        ParameterError: a cell outside the region, a line that is not encrypted.
    """
    said = {"tokens": [token.hex() for token in circle.asked(cell, day, bits=bits)]}
    return [str(one) for one in json.loads(_asked(server, "/near", json.dumps(said).encode()))["near"]]


def take_back(server: str, secret: str) -> None:
    """Empty one's own mailbox.

    Raises:
        SourceError: the server does not answer or refuses.
        ParameterError: a line that is not encrypted.
    """
    _asked(server, "/token", None, secret, "DELETE")


def cell_in(region: Region, latitude: float, longitude: float) -> tuple[int, int]:
    """Row and column of a position.

    Raises:
        ParameterError: it lies outside the region.
    """
    at = np.array([latitude]), np.array([longitude])
    if not region.holds(*at)[0]:
        raise ParameterError(
            "The position must lie in the region that the service covers.",
            "check which coordinate comes first, or ask elsewhere.",
        )
    row, column = region.cells_of(*at)[0].tolist()
    return row, column


def _asked(server: str, path: str, body: bytes | None = None, secret: str = "", method: str | None = None) -> bytes:
    """The body of an answer.

    Raises:
        SourceError, ParameterError: see the callers.
    """
    parts = urlsplit(server)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _HERE):
        raise ParameterError(
            "A line to a server must be encrypted: its address must begin with https://.",
            "use https://; plain http:// is for servers on this machine alone.",
        )
    headers = {"Content-Type": "application/octet-stream"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
    request = Request(server.rstrip("/") + path, body, headers, method=method)  # noqa: S310 - checked above
    try:
        with urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
            return bytes(answer.read(_MOST))
    except HTTPError as error:
        raise SourceError(
            "The server {host} refuses: {problem}", "see its remedy, or the version of this program.", host=parts.hostname, problem=_told(error)
        ) from error  # fmt: skip
    except (URLError, OSError) as error:
        raise SourceError(
            "The server {host} must answer.", "check its address and the network, then try again.", host=parts.hostname
        ) from error


def _told(error: HTTPError) -> str:
    """What a refusal says."""
    try:
        said: Any = json.loads(error.read(_MOST))
        return str(said["problem"])
    except (ValueError, KeyError, TypeError, OSError):
        return f"status {error.code}."
