"""Randomized response to many bits at once: a coin of one probability where a bit is 0, of another where it is 1."""

from __future__ import annotations

from dataclasses import field
from itertools import islice, repeat
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.noise.bernoulli import _digits, toss
from sfumato.noise.bits import narrow
from sfumato.numbers.check import probability

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    import numpy.typing as npt

    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray


@dataclass(frozen=True, slots=True)
class Response:
    """Two probabilities, ready for many short tosses: their first digits are read once.

    Each coin is [U < p] for the p of its bit, as `bernoulli.toss` compares them, digit by digit in base 256. Nothing is
    rounded; 1 is read as an endless row of digits 255, so that one law holds for all.

    Args:
        zero: probability of True where the bit is 0, in [0, 1].
        one: where it is 1.

    Raises:
        ParameterError: a probability outside its range. Remedy: give one inside.

    Source:
        D. Knuth and A. Yao, "The complexity of nonuniform random number generation", 1976, as `bernoulli`.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> Response(0, 1).tossed(np.array([False, True]), bits=SystemBits()).tolist()
        [False, True]
    """

    zero: Fraction
    one: Fraction
    _first: npt.NDArray[np.uint8] = field(init=False, repr=False, compare=False)
    _goes_on: tuple[bool, bool] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        both = [_digits_to_one(probability(p)) for p in (self.zero, self.one)]
        object.__setattr__(self, "_first", np.array([next(digits, 0) for digits in both], np.uint8))
        object.__setattr__(self, "_goes_on", tuple(next(digits, None) is not None for digits in both))

    def tossed(self, which: BoolArray, *, bits: Bits) -> BoolArray:
        """(n,) bool, one independent coin for each bit.

        Args:
            which: (n,) bool, the bits.
            bits: source of chance.
        """
        drawn, digit = narrow(len(which), np.uint8, bits=bits), self._first.take(which)
        coins = np.asarray(drawn < digit)
        if any(self._goes_on):
            tied = drawn == digit
            for bit, p, goes_on in zip((False, True), (self.zero, self.one), self._goes_on, strict=True):
                at = np.flatnonzero(tied & (which == bit)) if goes_on else ()
                if len(at):
                    coins[at] = toss(len(at), islice(_digits_to_one(probability(p)), 1, None), bits=bits)
        return coins


def _digits_to_one(p: Fraction) -> Iterator[int]:
    """Digits of a rational in [0, 1] in base 256; those of 1 have no end."""
    return repeat(255) if p == 1 else _digits(p)
