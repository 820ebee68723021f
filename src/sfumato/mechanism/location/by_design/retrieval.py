"""Private retrieval from two servers: a block is fetched, and neither server learns which.

The client draws a random set of cells for one server and gives the other the same set with the wanted cell put in or taken
out. Each answers with the exclusive or of the blocks of its set; the two answers differ by the wanted block. Each server
sees a uniformly random set, whatever is wanted: nothing is learned, by any computation. **Whoever sees both sets learns
the cell**: servers that talk to each other, or a line without encryption. A server that answers wrongly spoils the block
whatever was wanted, so that a refusal tells it nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.mechanism.location.by_design.catalogue import Catalogue
    from sfumato.noise.bits import Bits

_AT_ONCE = 1024
"""Blocks that are added up while they are in the cache."""


def questions(cell: int, cells: int, *, bits: Bits) -> tuple[bytes, bytes]:
    """One set of cells for each of two servers, one bit a cell.

    Args:
        cell: the wanted one, 0 to cells - 1.
        cells: of the catalogue.
        bits: secure chance; a set must never be used again.

    Raises:
        ParameterError: no such cell.

    Source:
        B. Chor, O. Goldreich, E. Kushilevitz, M. Sudan, "Private information retrieval", FOCS 1995, section 3.1.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> one, two = questions(2, 8, bits=SystemBits())
        >>> (one[0] ^ two[0]) == 1 << 2
        True
    """
    if not 0 <= cell < cells:
        raise ParameterError("The wanted cell must be one of the catalogue.", "ask within the region.")
    length = -(-cells // 8)
    drawn = np.frombuffer(bits.words(-(-length // 8)).astype("<u8").tobytes(), np.uint8)[:length].copy()
    if cells % 8:
        drawn[-1] &= (1 << cells % 8) - 1
    other = drawn.copy()
    other[cell // 8] ^= 1 << cell % 8
    return drawn.tobytes(), other.tobytes()


def answer(catalogue: Catalogue, question: bytes) -> bytes:
    """What a server says: the exclusive or of the blocks of the set.

    Args:
        catalogue: as published.
        question: one bit a cell.

    Raises:
        ParameterError: a set of another length, or with cells that do not exist. Remedy: fetch the catalogue's description.
    """
    cells = len(catalogue.blocks)
    if len(question) != -(-cells // 8) or (cells % 8 and question[-1] >> cells % 8):
        raise ParameterError(
            "A question must have one bit for each of the {cells} cells.",
            "read the description of the catalogue again.",
            cells=cells,
        )
    which = np.flatnonzero(np.unpackbits(np.frombuffer(question, np.uint8), bitorder="little")[:cells])
    total = np.zeros(catalogue.blocks.shape[1], np.uint64)
    for first in range(0, len(which), _AT_ONCE):
        total ^= np.bitwise_xor.reduce(catalogue.blocks[which[first : first + _AT_ONCE]], axis=0)
    return total.tobytes()


def block(one: bytes, two: bytes) -> bytes:
    r"""The wanted block, from both answers.

    Raises:
        ParameterError: answers of different lengths. Remedy: the servers hold different catalogues.

    Example:
        >>> block(b"ab", b"cb")
        b'\x02\x00'
    """
    if len(one) != len(two):
        raise ParameterError("Both answers must be of one length.", "the servers hold different catalogues.")
    return (np.frombuffer(one, np.uint8) ^ np.frombuffer(two, np.uint8)).tobytes()
