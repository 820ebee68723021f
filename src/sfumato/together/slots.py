"""Rows without their sender: every holder fills its own slots of one long table, behind pads that cancel in the sum.

Which slots are whose only holders know (a permutation under their common key); what stands in them only the publisher sees,
once all holders have sent theirs: then it sorts rows by random tags, so that slots are forgotten.

A row is its class (4 bytes), a tag of 16 random bytes, and for each carried column a length and its text, in a width that
is the same for all.

Source: D. Chaum, "The dining cryptographers problem", J. Cryptology 1 (1988).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ReportError
from sfumato.frozen import dataclass
from sfumato.noise.bits import KeyedBits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.together.table import Coded
    from sfumato.types import BoolArray, IntArray

TAG = 16
_CLASS, _LENGTH = 4, 2
_FIRST = _CLASS + TAG


@dataclass(frozen=True, slots=True)
class Layout:
    """How a row is written.

    Args:
        widths: most bytes of each carried column, over all holders.
        rows: rows of all holders that are published.
    """

    widths: tuple[int, ...]
    rows: int

    @property
    def width(self) -> int:
        """Bytes of a row."""
        return _FIRST + sum(_LENGTH + width for width in self.widths)

    def at_once(self, most: int) -> int:
        """Rows of a piece of at most so many bytes, a multiple of 8 so that pads end with a piece."""
        return max(8, most // self.width // 8 * 8)


def widths_of(carried: Sequence[Coded]) -> tuple[int, ...]:
    """Most bytes of a text in each column.

    Example:
        >>> from sfumato.together.table import Coded
        >>> widths_of([Coded(("flu", None, "é"), np.array([0, 1, 2]))])
        (3,)
    """
    return tuple(max((len(v.encode()) for v in one.values if v is not None), default=0) for one in carried)


def tags(key: bytes, n: int) -> np.ndarray:
    """(n, 16) uint8: the tags of a holder's rows, which nobody else can guess and which do not repeat."""
    return KeyedBits(key, is_secure=True).words(2 * n).view(np.uint8).reshape(n, TAG)


def written(layout: Layout, member: IntArray, tagged: np.ndarray, carried: Sequence[Coded]) -> np.ndarray:
    """(n, width) uint8: rows as they are published.

    Args:
        layout: how.
        member: (n,) class of each row, >= 0.
        tagged: (n, 16) their tags.
        carried: their other columns.
    """
    out = np.zeros((len(member), layout.width), np.uint8)
    out[:, :_CLASS] = member.astype("<u4").view(np.uint8).reshape(-1, _CLASS)
    out[:, _CLASS:_FIRST] = tagged
    at = _FIRST
    for one, width in zip(carried, layout.widths, strict=True):
        cells = np.zeros((len(one.values), _LENGTH + width), np.uint8)
        for i, value in enumerate(one.values):
            raw = b"" if value is None else value.encode()
            length = 0 if value is None else len(raw) + 1
            cells[i, : _LENGTH + len(raw)] = np.frombuffer(length.to_bytes(_LENGTH, "little") + raw, np.uint8)
        out[:, at : at + _LENGTH + width] = cells[one.codes]
        at += _LENGTH + width
    return out


def places(key: bytes, rows: Mapping[str, int], me: str) -> IntArray:
    """(n,) int64: the slots of a holder.

    Args:
        key: of all holders, unknown to the publisher.
        rows: of each holder.
        me: whose slots.

    Example:
        >>> rows = {"a": 3, "b": 2}
        >>> sorted([*places(bytes(32), rows, "a").tolist(), *places(bytes(32), rows, "b").tolist()])
        [0, 1, 2, 3, 4]
    """
    n = sum(rows.values())
    order = np.argsort(KeyedBits(key, is_secure=True).words(n), kind="stable")
    first = sum(rows[name] for name in sorted(rows) if name < me)
    return order[first : first + rows[me]]


def masked_pieces(
    layout: Layout, rows: np.ndarray, slots: IntArray, shared: Sequence[KeyedBits], most: int
) -> Iterator[bytes]:
    """What a holder sends: its rows in their slots, nothing in the others, behind the pads that it shares.

    Args:
        layout: of the rows.
        rows: (n, width) uint8.
        slots: (n,) int64 their places.
        shared: keystreams, one for each other holder; each is used up.
        most: bytes of a piece.
    """
    step = layout.at_once(most)
    order = np.argsort(slots)
    slots, rows = slots[order], rows[order]
    for first in range(0, layout.rows, step):
        n = min(step, layout.rows - first)
        begin, end = np.searchsorted(slots, (first, first + n))
        table = np.zeros((n, layout.width), np.uint8)
        table[slots[begin:end] - first] = rows[begin:end]
        flat = table.reshape(-1)
        for stream in shared:
            flat = flat ^ stream.words(-(-len(flat) // 8)).view(np.uint8)[: len(flat)]
        yield flat.tobytes()


def unmasked(layout: Layout, pieces: Sequence[bytes], first: int, most: int) -> np.ndarray:
    """(n, width) uint8: what the pieces of all holders for the same slots hold together.

    Raises:
        ReportError: a piece has another length.
    """
    n = min(layout.at_once(most), layout.rows - first)
    whole = np.zeros(n * layout.width, np.uint8)
    for piece in pieces:
        if len(piece) != len(whole):
            raise ReportError("A piece of slots must have {n} bytes; one has not.", "send it again.", n=len(whole))
        whole ^= np.frombuffer(piece, np.uint8)
    return whole.reshape(n, layout.width)


def by_tag(rows: np.ndarray) -> np.ndarray:
    """The rows in the order of their tags: that of a shuffle."""
    return np.ascontiguousarray(rows[np.argsort(tags_of(rows), kind="stable")])


def tags_of(rows: np.ndarray) -> np.ndarray:
    """(n,) the tags, as values that are compared byte by byte."""
    return np.ascontiguousarray(rows[:, _CLASS:_FIRST]).view(f"V{TAG}").reshape(-1).view(f"S{TAG}")


def classes_of(rows: np.ndarray) -> IntArray:
    """(n,) int64: the class of each row."""
    return np.ascontiguousarray(rows[:, :_CLASS]).view("<u4").reshape(-1).astype(np.int64)


def is_whole(layout: Layout, rows: np.ndarray, n_classes: int) -> BoolArray:
    """(n,) bool: which slots hold something that a holder could have written."""
    good = classes_of(rows) < n_classes
    at = _FIRST
    for width in layout.widths:
        good &= _lengths(rows, at) <= width + 1
        at += _LENGTH + width
    return good


def texts_of(layout: Layout, rows: np.ndarray) -> list[tuple[list[str | None], IntArray]]:
    """For each carried column its distinct texts and the place of each row's.

    Raises:
        ReportError: a cell is no text.
    """
    out, at = [], _FIRST
    for width in layout.widths:
        cells = np.ascontiguousarray(rows[:, at : at + _LENGTH + width]).view(f"V{_LENGTH + width}").reshape(-1)
        distinct, of = _distinct(cells)
        out.append(([_text(one.tobytes()) for one in distinct], of))
        at += _LENGTH + width
    return out


def _distinct(cells: np.ndarray) -> tuple[np.ndarray, IntArray]:
    """Distinct byte strings of one length, and which one each is; they are hashed, as sorting them costs more."""
    place: dict[bytes, int] = {}
    of = np.fromiter((place.setdefault(one, len(place)) for one in cells.tolist()), np.int64, len(cells))
    width = cells.dtype.itemsize
    return np.frombuffer(b"".join(place), f"V{width}"), of


def _lengths(rows: np.ndarray, at: int) -> IntArray:
    return np.ascontiguousarray(rows[:, at : at + _LENGTH]).view("<u2").reshape(-1).astype(np.int64)


def _text(raw: bytes) -> str | None:
    length = int.from_bytes(raw[:_LENGTH], "little")
    try:
        return None if not length else raw[_LENGTH : _LENGTH + length - 1].decode()
    except UnicodeDecodeError:
        raise ReportError("A cell that was carried must be text; one is not.", "abandon this publication.") from None
