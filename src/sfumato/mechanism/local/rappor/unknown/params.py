"""The parameters of a collection of unknown strings, and what its three reports cost together."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.mechanism.local.rappor.params import RapporParams

MOST_PIECES = 100_000
"""Pieces at one position: every one of them is tested."""


@dataclass(frozen=True, slots=True)
class UnknownParams:
    """Parameters of three reports: the whole string, and its pieces at two public positions.

    A string is filled up with `pad` to `length` letters and cut into length/size pieces. Each client draws two positions
    once, whatever its string is, and keeps them; the server sees them.

    Args:
        whole: RAPPOR of the whole string.
        piece: RAPPOR of a piece together with its position; another name than the whole.
        alphabet: letters that can occur, distinct, one character each.
        pad: a character outside the alphabet.
        length: letters of a filled-up string, a multiple of `size`.
        size: letters of a piece.

    Raises:
        ParameterError: parts that do not fit together. Remedy: named there.

    Source:
        Fanti et al. 2016, section 4.1.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> part = {"bits": 64, "hashes": 1, "cohorts": 8, "f": "1/4", "p": "1/4", "q": "3/4"}
        >>> both = UnknownParams(RapporParams("w", **part), RapporParams("p", **part), alphabet="abc", pad="_", length=6, size=2)
        >>> both.positions, both.epsilon_first >= 3 * both.whole.epsilon_first
        (3, True)
    """

    whole: RapporParams
    piece: RapporParams
    alphabet: str
    pad: str
    length: int
    size: int

    def __post_init__(self) -> None:
        letters = (*self.alphabet, self.pad)
        if not self.alphabet or len(self.pad) != 1 or len(set(letters)) < len(letters):
            raise ParameterError("Letters and pad must be distinct single characters.", "give each letter once.")
        if self.size < 1 or self.length % self.size or self.length < 2 * self.size:
            raise ParameterError(
                "A string must have at least two whole pieces; got length {length}, size {size}.",
                "make the length a multiple of the size.",
                length=self.length,
                size=self.size,
            )
        if len(letters) ** self.size > MOST_PIECES:
            raise ParameterError(
                "At most {most_pieces} pieces can be tested.",
                "take shorter pieces, or fewer letters.",
                most_pieces=MOST_PIECES,
            )
        if self.whole.digest == self.piece.digest or self.whole.values or self.piece.values:
            raise ParameterError("Whole and pieces need Bloom filters of two collections.", "give them two names.")

    @property
    def positions(self) -> int:
        """How many pieces a string has."""
        return self.length // self.size

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of positions, each equally likely."""
        return tuple(combinations(range(self.positions), 2))

    @property
    def epsilon_first(self) -> float:
        """ε₁ of all three reports of one time, the sum of theirs, rounded up."""
        return sum_up(self.whole.epsilon_first, self.piece.epsilon_first, self.piece.epsilon_first)

    @property
    def epsilon_permanent(self) -> float:
        """ε∞ of all reports about one value, the sum of the three; it holds since a client's positions never change."""
        return sum_up(self.whole.epsilon_permanent, self.piece.epsilon_permanent, self.piece.epsilon_permanent)

    def cut(self, value: str) -> tuple[str, ...]:
        """The pieces of a string, filled up.

        Raises:
            ParameterError: a string that is too long or has another letter. Remedy: report a declared stand-in.
        """
        if len(value) > self.length or not set(value) <= set(self.alphabet):
            raise ParameterError(
                "A string must have at most {length} letters of the alphabet; this one has not.",
                "shorten it, or report a stand-in for all others.",
                length=self.length,
            )
        filled = value.ljust(self.length, self.pad)
        return tuple(filled[i : i + self.size] for i in range(0, self.length, self.size))

    def all_pieces(self) -> tuple[str, ...]:
        """Every piece that can occur at a position: the pad stands only at the end."""
        letters = (*self.alphabet, self.pad)
        every = ("".join(one) for one in product(letters, repeat=self.size))
        return tuple(one for one in every if self.pad not in one.rstrip(self.pad))


def placed(position: int, piece: str) -> str:
    """The text that is hashed for a piece: equal pieces at two positions are two strings.

    Example:
        >>> placed(2, "ab")
        '2:ab'
    """
    return f"{position}:{piece}"


def sum_up(*epsilons: float) -> float:
    """The least float that is at least the exact sum.

    Example:
        >>> sum_up(0.1, 0.2) >= 0.30000000000000001665
        True
    """
    if math.inf in epsilons:
        return math.inf
    exact = sum((Fraction(one) for one in epsilons), Fraction(0))
    near = float(exact)
    return near if Fraction(near) >= exact else math.nextafter(near, math.inf)
