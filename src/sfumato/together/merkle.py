"""Trees of digests: a root fixes all leaves, and a short proof shows that a leaf is among them.

Leaves and nodes are hashed apart, and the number of leaves is in the root, so no node passes for a leaf and no tree for
another. An odd node goes up as it is.

Source: R. C. Merkle, CRYPTO 1987; the prefixes of RFC 6962, section 2.1.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAF, _NODE, _ROOT = b"\0", b"\1", b"\2"


def root(leaves: Sequence[bytes]) -> bytes:
    """The root of leaves in order: 32 bytes.

    Example:
        >>> root([b"a", b"b"]) == root([b"b", b"a"]), len(root([]))
        (False, 32)
    """
    return _crowned(_levels(leaves)[-1], len(leaves))


def proofs(leaves: Sequence[bytes]) -> list[list[bytes]]:
    """For every leaf the digests beside its way to the root, b"" where a node goes up alone; at the cost of one tree."""
    levels = _levels(leaves)[:-1]
    out = []
    for index in range(len(leaves)):
        path, at = [], index
        for level in levels:
            beside = at ^ 1
            path.append(level[beside] if beside < len(level) else b"")
            at //= 2
        out.append(path)
    return out


def is_in(top: bytes, leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bool:
    """Whether a leaf stands at a place among so many leaves of a root.

    Args:
        top: the root.
        leaf: the leaf, not its digest.
        index: its place, from 0.
        size: number of leaves.
        path: its proof.

    Example:
        >>> leaves = [b"a", b"b", b"c"]
        >>> [is_in(root(leaves), b"c", i, 3, proofs(leaves)[2]) for i in range(3)]
        [False, False, True]
    """
    if not 0 <= index < size or len(path) != (size - 1).bit_length():
        return False
    node, width = _hashed(_LEAF + leaf), size
    for beside in path:
        if (index ^ 1) >= width:
            if beside:
                return False
        else:
            node = _hashed(_NODE + (beside + node if index % 2 else node + beside))
        index, width = index // 2, (width + 1) // 2
    return _crowned([node], size) == top


def _levels(leaves: Sequence[bytes]) -> list[list[bytes]]:
    sha = hashlib.sha256
    level = [sha(_LEAF + leaf).digest() for leaf in leaves]
    out = [level]
    while len(level) > 1:
        odd = [level[-1]] if len(level) % 2 else []
        pairs = zip(level[::2], level[1::2], strict=False)
        level = [*(sha(_NODE + left + right).digest() for left, right in pairs), *odd]
        out.append(level)
    return out


def _crowned(level: Sequence[bytes], size: int) -> bytes:
    return _hashed(_ROOT + size.to_bytes(8, "big") + b"".join(level))


def _hashed(raw: bytes) -> bytes:
    return hashlib.sha256(raw).digest()
