"""Lines in an order that says nothing of whose they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.noise.permutation import permutation

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.table.lines import LineShape


def shuffled(text: bytes, shape: LineShape, bits: Bits) -> bytes:
    r"""The lines of a file in a random order, without those that are deleted.

    Args:
        text: of a file that was read without fault.
        shape: how it is written.
        bits: source of chance.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.lines import LineColumn, LineShape
        >>> shape = LineShape((LineColumn("id", "text"), LineColumn("age", "whole")), ",", header=True)
        >>> sorted(shuffled(b"id,age\na,1\nDEL,\nb,2\n", shape, SystemBits()).split())
        [b'a,1', b'b,2', b'id,age']
    """
    lines = text.replace(b"\r\n", b"\n").rstrip(b"\n").split(b"\n")
    first, rest = (lines[:1], lines[1:]) if shape.header else ([], lines)
    if shape.deleted is not None:
        gone = f"{shape.deleted}{shape.separator}".encode()
        rest = [line for line in rest if not line.startswith(gone)]
    order = permutation(len(rest), bits=bits).tolist()
    return b"\n".join([*first, *(rest[i] for i in order)]) + b"\n"
