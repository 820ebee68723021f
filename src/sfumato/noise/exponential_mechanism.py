"""One of several candidates, the better the likelier."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.noise.bernoulli import bernoulli_exp_many
from sfumato.noise.integers import uniform_integers
from sfumato.numbers.check import positive

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, FloatArray, IntArray

_LARGEST = 2.0**400
"""Scores and rates beyond it (rates below its inverse) would overflow a product of floats."""


def exponential_mechanism(scores: IntArray | FloatArray, rate: float | Fraction, *, bits: Bits) -> int:
    """A candidate i with probability exactly proportional to e^(rate · score_i).

    A candidate is proposed uniformly and kept with probability e^(-rate (max - score_i)), an exact coin; the first
    one that is kept is returned. With d candidates, d proposals keep at least one with probability above 1 - 1/e.

    With rate = ε/(2Δ), Δ the sensitivity of every score, the selection is ε-differentially private.

    Args:
        scores: (d,) int64 or float64, finite, at their exact values, d >= 1.
        rate: > 0.
        bits: source of chance.

    Returns:
        The place of the selected candidate.

    Raises:
        ParameterError: no candidate, a score that is not finite, or a rate outside its range. Remedy: give
            finite scores, and a positive rate.

    Source:
        F. McSherry and K. Talwar, "Mechanism design via differential privacy", FOCS 2007.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> exponential_mechanism(np.array([0, 10**6]), 1, bits=SystemBits())
        1
    """
    candidates, exact = _checked(scores), _checked_rate(rate)
    while True:
        proposed = uniform_integers(len(candidates), len(candidates), bits=bits)
        kept = proposed[_coins(candidates, proposed, exact, bits)]
        if len(kept):
            return int(kept[0])


def permute_and_flip(scores: IntArray | FloatArray, rate: float | Fraction, *, bits: Bits) -> int:
    """The first candidate, in a random order, whose coin of probability e^(-rate (max - score_i)) falls True.

    Coins do not depend on the order, so all are tossed, and one of those that fall True is taken,
    each equally likely: the same law. As private as the exponential mechanism at the same rate, and its expected score is never worse. The
    best candidate's coin is always True.

    Args:
        scores: (d,) int64 or float64, finite, at their exact values, d >= 1.
        rate: > 0; ε/(2Δ) for ε-differential privacy.
        bits: source of chance.

    Returns:
        The place of the selected candidate.

    Raises:
        ParameterError: as `exponential_mechanism`. Remedy: the same.

    Source:
        R. McKenna and D. Sheldon, "Permute-and-flip: a new mechanism for differentially private
        selection", NeurIPS 2020, algorithm 1.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> permute_and_flip(np.array([0, 10**6]), 1, bits=SystemBits())
        1
    """
    candidates, exact = _checked(scores), _checked_rate(rate)
    heads = np.flatnonzero(_coins(candidates, np.arange(len(candidates)), exact, bits))
    return int(heads[uniform_integers(1, len(heads), bits=bits)[0]])


def _coins(scores: IntArray | FloatArray, at: IntArray, rate: Fraction, bits: Bits) -> BoolArray:
    """Coins of probability e^(-rate (max - score)) for the candidates at some places."""
    best = scores.max()
    chosen = scores[at]
    if chosen.dtype == np.int64:  # the difference fits 64 bits without sign
        gaps = (best.astype(np.uint64) - chosen.astype(np.uint64)).astype(np.float64)
    else:
        gaps = best - chosen

    def exact(i: int) -> Fraction:
        return rate * (Fraction(best.item()) - Fraction(chosen[i].item()))

    return bernoulli_exp_many(gaps * float(rate), exact, bits=bits)


def _checked(scores: IntArray | FloatArray) -> IntArray | FloatArray:
    """The scores as int64 or float64."""
    given = np.asarray(scores)
    if given.ndim != 1 or not len(given) or given.dtype.kind not in "if" or given.dtype.itemsize > 8:
        raise ParameterError("Scores must be a vector of at least one number.", "give int64 or float64 scores.")
    if not np.all(np.isfinite(given)) or (given.dtype.kind == "f" and np.abs(given).max() > _LARGEST):
        raise ParameterError("Every score must be finite, at most 2^400.", "clip the scores.")
    return given.astype(np.int64) if given.dtype.kind == "i" else given.astype(np.float64)


def _checked_rate(rate: float | Fraction) -> Fraction:
    exact = positive(rate, "rate")
    if not 1 / _LARGEST <= exact <= _LARGEST:
        raise ParameterError("A rate must lie between 2^-400 and 2^400.", "scale the scores.")
    return exact
