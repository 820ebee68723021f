"""Points of interest as one signed block a cell, all of equal size: what servers of private retrieval hold.

The block of a cell tells the points nearest to its center, as many as fit, and the distance up to which the list is whole
for every position in the cell. So one block answers "what is nearest?", whatever the cell, and nobody needs a second one.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.table.plane import distance

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

    from sfumato.table.plane import Region
    from sfumato.types import FloatArray, IntArray

SIGNATURE = 64
_HEAD = 2
_LEAST = 128
_AT_ONCE = 256
_CANDIDATES = 256


@dataclass(frozen=True, slots=True)
class Place:
    """A public point of interest.

    Args:
        name: shown to the client.
        latitude: degrees.
        longitude: degrees.
    """

    name: str
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Near:
    """What a block tells.

    Args:
        places: nearest to the center of the cell, in this order.
        metres: the list has every place within so many metres of every position in the cell.
    """

    places: tuple[Place, ...]
    metres: float


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """Blocks of all cells, row by row from the south-west.

    Args:
        region: whose cells they are.
        label: name and version; blocks of one are no blocks of another.
        blocks: (cells, size / 8) uint64.
    """

    region: Region
    label: str
    blocks: npt.NDArray[np.uint64]

    @property
    def size(self) -> int:
        """Bytes of a block."""
        return int(self.blocks.shape[1]) * 8


def catalogue_of(
    places: Sequence[Place], region: Region, label: str, *, size: int, key: Ed25519PrivateKey
) -> Catalogue:
    """Write and sign the block of each cell.

    Args:
        places: public points of interest.
        region: declared cells.
        label: name and version of the catalogue.
        size: bytes of a block, a multiple of 8, 128 to 65,536.
        key: signs each block together with label and cell.

    Raises:
        ParameterError: no place, another size, or a name too long for a block.

    Example:
        >>> from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        >>> from sfumato.table.plane import Plane, Region
        >>> key = Ed25519PrivateKey.generate()
        >>> region = Region(Plane(45.70, 4.78), metres=1000, rows=4, columns=4)
        >>> served = catalogue_of([Place("Gare", 45.71, 4.79)], region, "stations 1", size=256, key=key)
        >>> opened(served.blocks[5].tobytes(), served.label, 5, key.public_key()).places[0].name
        'Gare'
    """
    if not places or size % 8 or not _LEAST <= size <= 1 << 16:
        raise ParameterError(
            "A catalogue needs a place, and blocks of 128 to 65,536 bytes, a multiple of 8; got {size}.",
            "such as 1024 bytes.",
            size=size,
        )
    texts = [_text(place) for place in places]
    if max(map(len, texts)) > size - SIGNATURE - _HEAD - len(_around([], 0.0)) - 20:
        raise ParameterError(
            "Each place must fit into a block of {size} bytes.", "shorten names or enlarge blocks.", size=size
        )
    n = region.rows * region.columns
    lat, lon = np.array([p.latitude for p in places]), np.array([p.longitude for p in places])
    raw = np.zeros((n, size), np.uint8)
    for first in range(0, n, _AT_ONCE):
        cells = np.arange(first, min(first + _AT_ONCE, n))
        order, far = _nearest(region, cells, lat, lon)
        for cell, near, metres, half in zip(cells.tolist(), order, far, _half(region, cells).tolist(), strict=True):
            payload = _payload([texts[i] for i in near.tolist()], metres, half, size, whole=len(near) == len(places))
            signed = key.sign(_stamp(label, cell) + payload)
            block = signed + len(payload).to_bytes(_HEAD, "big") + payload
            raw[cell, : len(block)] = np.frombuffer(block, np.uint8)
    return Catalogue(region, label, raw.view(np.uint64))


def opened(block: bytes, label: str, cell: int, key: Ed25519PublicKey) -> Near:
    """What a block tells, if it is that of this cell and signed by this key.

    Args:
        block: as retrieved.
        label: of the catalogue.
        cell: number of the cell.
        key: of who publishes the catalogue.

    Raises:
        ParameterError: another block, or a changed one. Remedy: a server lies or holds another catalogue; ask others.
    """
    from cryptography.exceptions import InvalidSignature

    length = int.from_bytes(block[SIGNATURE : SIGNATURE + _HEAD], "big")
    payload = block[SIGNATURE + _HEAD : SIGNATURE + _HEAD + length]
    try:
        key.verify(block[:SIGNATURE], _stamp(label, cell) + payload)
    except InvalidSignature:
        raise ParameterError(
            "A retrieved block must be signed for its cell and catalogue; this one is not.",
            "a server lies or holds another version: compare catalogues, or ask other servers.",
        ) from None
    told = json.loads(payload)
    places = tuple(Place(name, latitude, longitude) for latitude, longitude, name in told["places"])
    return Near(places, np.inf if told["metres"] is None else float(told["metres"]))


def _nearest(region: Region, cells: IntArray, lat: FloatArray, lon: FloatArray) -> tuple[IntArray, FloatArray]:
    """Of each cell the candidates in the order of their distance from its center, and the distances."""
    at = region.centers_of(np.stack([cells // region.columns, cells % region.columns], axis=1))
    far = distance(at[0][:, None], at[1][:, None], lat[None, :], lon[None, :])
    most = min(_CANDIDATES, far.shape[1])
    near = np.argpartition(far, most - 1, axis=1)[:, :most]
    near = np.take_along_axis(near, np.argsort(np.take_along_axis(far, near, 1), axis=1, kind="stable"), 1)
    return near, np.take_along_axis(far, near, 1)


def _half(region: Region, cells: IntArray) -> FloatArray:
    """Metres from the center of each cell to its farthest corner, a little more."""
    row, column, side = cells // region.columns, cells % region.columns, float(region.side)
    from_west, from_south = column.astype(np.float64), row.astype(np.float64)
    center = region.centers_of(np.stack([row, column], axis=1))
    corners = [region.plane.degrees_of((from_west + i) * side, (from_south + j) * side) for i in (0, 1) for j in (0, 1)]
    return np.asarray(np.max([distance(*center, *corner) for corner in corners], axis=0) * (1 + 1e-6))


def _payload(texts: list[bytes], metres: FloatArray, half: float, size: int, *, whole: bool) -> bytes:
    """As many places as fit, and how far the list is whole: to the first one left out, less half of a cell's diagonal."""
    room = size - SIGNATURE - _HEAD - len(_around([], 0.0)) - 20  # digits of the distance
    used = np.cumsum([len(text) + 1 for text in texts])
    fit = int((used <= room).sum())
    if fit == len(texts) and whole:
        return _around(texts, None)
    last = fit if fit < len(texts) else fit - 1  # the last candidate may be followed by others just as near
    return _around(texts[:last], max(float(np.floor(metres[last] - half)), 0.0))


def _around(texts: list[bytes], metres: float | None) -> bytes:
    return b'{"metres":' + json.dumps(metres).encode() + b',"places":[' + b",".join(texts) + b"]}"


def _text(place: Place) -> bytes:
    return json.dumps([place.latitude, place.longitude, place.name], ensure_ascii=False).encode()


def _stamp(label: str, cell: int) -> bytes:
    """What is signed before the payload: which catalogue and which cell."""
    return hashlib.sha256(b"sfumato.catalogue/1\0" + label.encode()).digest() + cell.to_bytes(8, "big")
