"""Exact draws from any finite law whose probabilities are known to any precision."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.noise.bits import narrow

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

Cuts: TypeAlias = "Callable[[int], list[int]]"
"""From k to the integers ⌊2ᵏ F_i⌋ of the cumulative probabilities F_0 <= F_1 <= … < 1, the last (1) left out."""

_MANY = 1 << 13
"""Draws from which a table of all 2¹⁶ prefixes pays."""
_WIDE = 1 << 12
"""Outcomes from which too many 16-bit prefixes are undecided."""


def invert(n: int, cuts: Cuts, *, bits: Bits) -> IntArray:
    """Independent outcomes: the number of cumulative probabilities F_i that are <= U, U uniform.

    U is a real number of which bits are drawn as needed: 16, then 64, then 64 more each time. With w the
    integer of the first k bits and c = ⌊2ᵏ F⌋: w < c tells U < F, w > c tells U > F, and w = c tells
    nothing yet. An outcome is given only when every comparison is certain, so that outcome i has exactly
    the probability F_i - F_{i-1}.

    Args:
        n: number of draws, >= 0.
        cuts: the law, as ⌊2ᵏ F_i⌋ for any k.
        bits: source of chance.

    Returns:
        (n,) int64.

    Source:
        D. Knuth and A. Yao, "The complexity of nonuniform random number generation", 1976.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> half = lambda k: [1 << (k - 1)]
        >>> bool(set(invert(9, half, bits=SystemBits()).tolist()) <= {0, 1})
        True
    """
    fine = np.array(cuts(64), np.uint64)
    if len(fine) > _WIDE:
        return _with_words(bits.words(n), fine, cuts, bits)
    first = narrow(n, np.uint16, bits=bits)
    coarse = (fine >> np.uint64(48)).astype(np.uint16)
    out, undecided = _by_table(first, coarse) if n >= _MANY else _by_search(first, coarse)
    if len(undecided):
        words = (first[undecided].astype(np.uint64) << np.uint64(48)) | (bits.words(len(undecided)) >> np.uint64(16))
        out[undecided] = _with_words(words, fine, cuts, bits)
    return out


def _by_table(first: npt.NDArray[np.uint16], coarse: npt.NDArray[np.uint16]) -> tuple[IntArray, IntArray]:
    """As `_by_search`, by looking every prefix up."""
    at = np.bincount(coarse, minlength=1 << 16)
    below = np.cumsum(at)
    below[at > 0] = -1
    found = below.astype(np.int16)[first]
    return found.astype(np.int64), np.flatnonzero(found < 0)


def _by_search(
    words: npt.NDArray[np.unsignedinteger], cuts: npt.NDArray[np.unsignedinteger]
) -> tuple[IntArray, IntArray]:
    """Cuts below each word, and the places of words that equal a cut."""
    low = np.searchsorted(cuts, words, "left").astype(np.int64)
    return low, np.flatnonzero(low != np.searchsorted(cuts, words, "right"))


def _with_words(words: npt.NDArray[np.uint64], fine: npt.NDArray[np.uint64], cuts: Cuts, bits: Bits) -> IntArray:
    """Outcomes from 64 bits each, and more bits where those do not decide."""
    out, undecided = _by_search(words, fine)
    for i in undecided:
        out[i] = _settle(int(words[i]), cuts, bits)
    return out


def _settle(word: int, cuts: Cuts, bits: Bits) -> int:
    """The outcome of a word that equals a cut in all its 64 bits: such a case has probability 2⁻⁶⁴ per cut."""
    k = 64
    while True:
        k, word = k + 64, (word << 64) | int(bits.words(1)[0])
        exact = cuts(k)
        low = bisect_left(exact, word)
        if low == bisect_right(exact, word):
            return low
