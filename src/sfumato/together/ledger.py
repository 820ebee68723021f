"""What tokens hand in, and the ledger that fixes all of it with the class of each before any of it is opened."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ReportError
from sfumato.frozen import dataclass
from sfumato.together.wire import packed, unpacked

if TYPE_CHECKING:
    from sfumato.types import IntArray

ID, DIGEST = 16, 32
"""Bytes of the number that a token draws, and of what fixes its entry."""


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """What tokens hand in: quasi-identifiers and own k in clear, the other cells in a box.

    Args:
        ids: each token's number, which it draws.
        clear: quasi-identifiers and own k of each, as JSON.
        boxes: the other cells, which only tokens can open.
    """

    ids: list[bytes]
    clear: list[bytes]
    boxes: list[bytes]

    def digests(self, session: str) -> list[bytes]:
        """What fixes each entry: no byte of it, and no other publication, has the same."""
        start = session.encode()
        parts = zip(self.ids, self.clear, self.boxes, strict=True)
        return [hashlib.sha256(about(start, one, clear) + box).digest() for one, clear, box in parts]


@dataclass(frozen=True, slots=True, eq=False)
class Ledger:
    """All entries by their numbers, and the class of each: what is fixed before any row is opened.

    Args:
        ids: numbers, in order.
        digests: of the entries.
        member: (n,) int64 class of each; -1: left out.
    """

    ids: list[bytes]
    digests: list[bytes]
    member: IntArray

    def leaves(self) -> list[bytes]:
        """One for each entry."""
        classes = self.member.astype("<i4").tobytes()
        return [
            one + digest + classes[4 * i : 4 * i + 4]
            for i, (one, digest) in enumerate(zip(self.ids, self.digests, strict=True))
        ]

    def to_bytes(self) -> bytes:
        """As it is sent."""
        return b"".join(self.leaves())


def ledger_from(raw: bytes) -> Ledger:
    """The ledger that was sent.

    Raises:
        ReportError: it is none.
    """
    width = ID + DIGEST + 4
    if len(raw) % width:
        raise ReportError(
            "A ledger must hold {width} bytes for each entry.", "use the same version of this program.", width=width
        )
    table = np.frombuffer(raw, np.uint8).reshape(-1, width)
    ids, digests = (table[:, a:b].tobytes() for a, b in ((0, ID), (ID, ID + DIGEST)))
    member = np.ascontiguousarray(table[:, ID + DIGEST :]).view("<i4").reshape(-1).astype(np.int64)
    n = len(table)
    return Ledger(
        [ids[ID * i : ID * i + ID] for i in range(n)],
        [digests[DIGEST * i : DIGEST * i + DIGEST] for i in range(n)],
        member,
    )


def to_body(entries: Entries) -> bytes:
    """Entries as they are sent."""
    lengths = {"clear": [len(one) for one in entries.clear], "boxes": [len(one) for one in entries.boxes]}
    flat = {"ids": b"".join(entries.ids), "clear": b"".join(entries.clear), "boxes": b"".join(entries.boxes)}
    arrays = {f"n_{name}": np.array(one, np.int32) for name, one in lengths.items()}
    return packed({}, arrays | {name: np.frombuffer(raw, np.uint8) for name, raw in flat.items()})


def entries_from(body: bytes) -> Entries:
    """The entries that were sent.

    Raises:
        ReportError: it is no such message.
    """
    _, arrays = unpacked(body)
    try:
        ids, n = arrays["ids"].tobytes(), len(arrays["n_boxes"])
        parts = [_cut(arrays[name].tobytes(), arrays[f"n_{name}"]) for name in ("clear", "boxes")]
        if len(ids) == ID * n and len(parts[0]) == len(parts[1]) == n:
            return Entries([ids[ID * i : ID * i + ID] for i in range(n)], *parts)
    except (KeyError, ValueError):
        pass
    raise ReportError("Entries must be as many numbers, texts and boxes; some are not.", "send others.")


def _cut(raw: bytes, lengths: IntArray) -> list[bytes]:
    ends = np.cumsum(lengths.astype(np.int64)).tolist()
    if lengths.min(initial=0) < 0 or (ends[-1] if ends else 0) != len(raw):
        raise ValueError
    return [raw[a:b] for a, b in zip([0, *ends], ends, strict=False)]


def about(session: bytes, one: bytes, clear: bytes) -> bytes:
    """What a box is bound to: publication, number, and what is shown in clear."""
    return session + one + clear
