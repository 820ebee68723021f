"""Geometric noise of whole numbers, one-sided and two-sided; the latter is the discrete form of Laplace noise."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import ParameterError
from sfumato.noise.bernoulli import digits_of, toss
from sfumato.noise.bits import narrow
from sfumato.numbers.check import LARGEST, positive, whole
from sfumato.numbers.enclosure import complement_bound, exp_bound, floors, ratio_bound

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from sfumato.noise.bits import Bits
    from sfumato.numbers.enclosure import Bound, Bounds
    from sfumato.types import IntArray


LARGEST_SCALE = 2**52
"""Above it numbers might not fit 64 bits; at it, 2⁶² is passed with probability e⁻¹⁰²⁴."""
_BASE = 256
_LAWS = 64
"""Of so many digits the cuts are kept, about 10 kB each."""
_ENOUGH = 8
"""The digits reach 8 scales; beyond it, with probability e⁻⁸, the leading one is drawn again and added."""


def geometric(n: int, scale: float | Fraction, *, bits: Bits) -> IntArray:
    """Independent numbers x = 0, 1, 2 … with probability exactly (1 - q) qˣ, q = e^(-1/scale).

    With r = q^(256ʲ), the digit of place j in base 256 has probability proportional to rⁱ, i = 0 … 255, and
    digits of different places are independent: qˣ is the product over the places. Each digit is drawn by
    inversion with certified cuts. The leading digit is unbounded: 255 there means "255 or more", and,
    the law having no memory, a fresh leading digit is added.

    Args:
        n: number of draws, >= 0.
        scale: number of steps over which the probability falls by e; > 0, at most 2⁵².
        bits: source of chance.

    Returns:
        (n,) int64, >= 0.

    Raises:
        ParameterError: n or scale outside its range. Remedy: use a coarser unit, so that the scale is smaller.

    Source:
        For independent binary digits: V. Balcer and S. Vadhan, "Differential privacy on finite
        computers", 2018; here with 256 values to a digit.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> geometric(3, 1e-300, bits=SystemBits()).tolist()
        [0, 0, 0]
    """
    n, exact = whole(n, "n", 0, LARGEST - 1), checked_scale(scale)
    out, unit = np.zeros(n, np.int64), 1
    while unit * _BASE < _ENOUGH * exact:
        out += unit * invert(n, _cuts(Fraction(unit) / exact, is_leading=False), bits=bits)
        unit *= _BASE
    _add_leading(out, unit, _cuts(Fraction(unit) / exact, is_leading=True), bits)
    return out


def checked_scale(scale: float | Fraction, name: str = "scale", largest: int = LARGEST_SCALE) -> Fraction:
    """The exact value of a scale that lets draws fit 64 bits.

    Args:
        scale: a positive number.
        name: how the message names it.
        largest: what it must not exceed.

    Raises:
        ParameterError: outside. Remedy: use a coarser unit.

    Example:
        >>> checked_scale(0.5)
        Fraction(1, 2)
    """
    exact = positive(scale, name)
    if exact > largest:
        raise ParameterError(
            "{name} must be at most {largest}; it is larger.", "measure in a coarser unit.", name=name, largest=largest
        )
    return exact


def _add_leading(out: IntArray, unit: int, cuts: Cuts, bits: Bits) -> None:
    """Add the leading digit in place."""
    digit = invert(len(out), cuts, bits=bits)
    out += unit * digit
    at, rounds = np.flatnonzero(digit == _BASE - 1), 1
    while len(at):
        rounds += 1
        if rounds * unit * _BASE >= LARGEST // 2:
            raise ParameterError("A draw did not fit 64 bits.", "measure in a coarser unit.")
        digit = invert(len(at), cuts, bits=bits)
        out[at] += unit * digit
        at = at[digit == _BASE - 1]


@lru_cache(maxsize=_LAWS)
def _cuts(x: Fraction, *, is_leading: bool) -> Cuts:
    """Cumulative probabilities (1 - rⁱ⁺¹) / (1 - r²⁵⁶), i = 0 … 254, r = e⁻ˣ; of a leading digit without the divisor.

    They are kept for the next draws of the same law: of one draw they are nearly the whole price.
    """
    bounds: Bounds = (lambda w: _rises(x, w)[:-1]) if is_leading else (lambda w: _ratios(x, w))
    return cache(lambda k: floors(bounds, k))


def _ratios(x: Fraction, w: int) -> list[Bound]:
    """The bounds of (1 - rⁱ) / (1 - r²⁵⁶), i = 1 … 255."""
    *parts, whole_ = _rises(x, w)
    return [ratio_bound(part, whole_, w) for part in parts]


def _rises(x: Fraction, w: int) -> list[Bound]:
    """The bounds of 1 - rⁱ, i = 1 … 256, r = e⁻ˣ."""
    low, high = base = exp_bound(x, w)
    powers = [base]
    for _ in range(_BASE - 1):
        low, high = low * base[0] >> w, (high * base[1] >> w) + 1
        powers.append((low, high))
    return [complement_bound(power, w) for power in powers]


def discrete_laplace(n: int, scale: float | Fraction, *, bits: Bits) -> IntArray:
    """Independent integers x with probability exactly proportional to e^(-|x|/scale).

    With q = e^(-1/scale): x = 0 has probability (1 - q)/(1 + q), a coin with certified digits; otherwise |x| - 1 is
    geometric with factor q and the sign is even: 2q/(1 + q) · (1 - q) q^(|x|-1) / 2 = (1 - q)/(1 + q) · q^|x|.

    Adding it to an integer of sensitivity Δ is (Δ/scale)-differentially private.

    Args:
        n: number of draws, >= 0.
        scale: > 0, at most 2⁵², at its exact rational value.
        bits: source of chance.

    Returns:
        (n,) int64.

    Raises:
        ParameterError: n or scale outside its range. Remedy: use a coarser unit, so that the scale is smaller.

    Source:
        A. Ghosh, T. Roughgarden, M. Sundararajan, "Universally utility-maximizing privacy mechanisms",
        STOC 2009.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> discrete_laplace(3, 1e-300, bits=SystemBits()).tolist()
        [0, 0, 0]
    """
    n, exact = whole(n, "n", 0, LARGEST - 1), checked_scale(scale)
    is_zero = toss(n, digits_of(lambda w: [_zero_bound(1 / exact, w)]), bits=bits)
    out = geometric(n, exact, bits=bits)
    out += 1
    sign = np.unpackbits(narrow(-(-n // 8), np.uint8, bits=bits), count=n).view(np.int8)
    sign *= -2
    sign += 1
    sign[is_zero] = 0
    out *= sign
    return out


def _zero_bound(x: Fraction, w: int) -> Bound:
    """The bound of (1 - q)/(1 + q), q = e⁻ˣ."""
    low, high = exp_bound(x, w)
    one = 1 << w
    return ratio_bound((one - high, one - low), (one + low, one + high), w)


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
