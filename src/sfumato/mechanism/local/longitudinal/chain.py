"""A memoised round and a fresh round, and what they make together.

A person's answer to a value is randomized once and remembered (p1, q1); what is sent at each collection
is a fresh randomization of the remembered answer (p2, q2). Whoever sees all reports learns at most the
remembered answer, so one formula gives the loss of the first report, another the loss of all of them.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, expm1, ulp
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.oracle import Support
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.types import FloatArray


@dataclass(frozen=True, slots=True)
class Chain:
    """The four probabilities of two rounds, exactly as they are sampled.

    Args:
        p1: Pr[the remembered answer supports v | the value is v].
        q1: Pr[the remembered answer supports v | the value is another], < p1.
        p2: Pr[the report supports v | the remembered answer does].
        q2: Pr[the report supports v | the remembered answer does not], < p2.

    Raises:
        ParameterError: not 0 < q < p < 1 in both rounds. Remedy: move the epsilons apart or down.
    """

    p1: Fraction
    q1: Fraction
    p2: Fraction
    q2: Fraction

    def __post_init__(self) -> None:
        if not (0 < self.q1 < self.p1 < 1 and 0 < self.q2 < self.p2 < 1):
            raise ParameterError(
                "Both rounds must keep 0 < q < p < 1 in floating point; these epsilons do not.",
                "move the epsilon of the first report away from that of the lifetime, or make both smaller.",
            )

    @property
    def p(self) -> Fraction:
        """Pr[a report supports v | the value is v] = p1 p2 + (1 - p1) q2."""
        return self.p1 * self.p2 + (1 - self.p1) * self.q2

    @property
    def q(self) -> Fraction:
        """Pr[a report supports v | the value is another] = q1 p2 + (1 - q1) q2."""
        return self.q1 * self.p2 + (1 - self.q1) * self.q2

    @property
    def support(self) -> Support:
        """Support of one report: with them `oracle.estimate` is the chained estimator.

        (C/n - q)/(p - q) = (C - n q1 (p2 - q2) - n q2) / (n (p1 - q1)(p2 - q2)).
        """
        return Support(p=float(self.p), q=float(self.q))


def variance_of_mean(frequencies: FloatArray, n: int, chain: Chain, *, rounds: int = 1) -> FloatArray:
    """Exact variance of the mean estimate of several collections in which nobody's value changes.

    With b the indicator that the remembered answer supports v, a report has mean q2 + (p2-q2) b and
    variance b p2(1-p2) + (1-b) q2(1-q2); only the latter is averaged away:

        Var = [ (p2-q2)² V + (B p2(1-p2) + (1-B) q2(1-q2)) / rounds ] / (n (p1-q1)² (p2-q2)²),

    V = f p1(1-p1) + (1-f) q1(1-q1), B = f p1 + (1-f) q1. For one round it equals `oracle.variance` at
    p and q of the chain. For values drawn anew from a law with these frequencies add f(1-f)/n: the
    published form γ(1-γ)/(n (p-q)²) holds with γ = f(p1-q1)(p2-q2) + q.

    Args:
        frequencies: (d,) float64, true shares of a fixed table, in [0, 1].
        n: number of persons, >= 1.
        chain: probabilities of the two rounds.
        rounds: collections that are averaged, >= 1.

    Returns:
        (d,) float64.

    Source:
        H. H. Arcolezi et al., "Improving the Utility of Locally Differentially Private Protocols for
        Longitudinal and Multidimensional Frequency Estimates", 2022, theorem 2; its γ is right only where
        p + q = 1 in both rounds (it turns negative for GRR) and is not the one used here.

    Example:
        >>> chain = Chain(Fraction(3, 4), Fraction(1, 4), Fraction(3, 4), Fraction(1, 4))
        >>> variance_of_mean(np.array([0.5]), 100, chain).tolist()
        [0.0375]
    """
    if n < 1 or rounds < 1:
        raise ParameterError(
            "A variance needs at least one person and one round; got {n} and {rounds}.",
            "count both from 1.",
            n=n,
            rounds=rounds,
        )
    f = np.asarray(frequencies, np.float64)
    p1, q1, p2, q2 = (float(x) for x in (chain.p1, chain.q1, chain.p2, chain.q2))
    between = f * p1 * (1 - p1) + (1 - f) * q1 * (1 - q1)
    share = f * p1 + (1 - f) * q1
    within = share * p2 * (1 - p2) + (1 - share) * q2 * (1 - q2)
    return np.asarray(((p2 - q2) ** 2 * between + within / rounds) / (n * ((p1 - q1) * (p2 - q2)) ** 2))


def check_epsilons(first: float, permanent: float) -> None:
    """Refuse epsilons out of order or out of range.

    Args:
        first: epsilon of one report.
        permanent: epsilon of all reports of one value.

    Raises:
        ParameterError: outside 1e-9 … 700, or not first < permanent. Remedy: give them so.
    """
    if not check_epsilon(first) < check_epsilon(permanent):
        raise ParameterError(
            "The epsilon of the first report must be below that of all reports; got {first} and {permanent}.",
            "give the first report the smaller one.",
            first=first,
            permanent=permanent,
        )


def symbol_ratio(keep: Fraction, n_symbols: int) -> Fraction:
    """Largest likelihood ratio of randomized response that keeps with probability p: p (g-1) / (1-p).

    Example:
        >>> symbol_ratio(Fraction(3, 4), 2)
        Fraction(3, 1)
    """
    return keep * (n_symbols - 1) / (1 - keep)


def bits_ratio(p: Fraction, q: Fraction) -> Fraction:
    """Largest likelihood ratio of a vector of bits: two values differ in two bits, p (1-q) / (q (1-p)).

    Example:
        >>> bits_ratio(Fraction(3, 4), Fraction(1, 4))
        Fraction(9, 1)
    """
    return p * (1 - q) / (q * (1 - p))


def symbol_chain(first: float, permanent: float, n_symbols: int) -> Chain:
    """Two rounds of randomized response over g symbols.

    1 - p1 = (g-1) e^-ε∞ / (1 + (g-1) e^-ε∞), q = (1-p)/(g-1); the second round is solved from
    p(ε1) = p1 p2 + (1-p1) q2, which gives 1 - p2 = (p1 - p(ε1)) / (p1 - q1). Rounding is upwards in
    noise, so that the exact ratios stay within e^ε∞ and e^ε1.

    Args:
        first: epsilon of one report, ε1.
        permanent: epsilon of all reports of one value, ε∞.
        n_symbols: g, >= 2.

    Raises:
        ParameterError: epsilons out of order, or too close for floating point.

    Source:
        H. H. Arcolezi et al., 2022, L-GRR; the second round is the solution of a linear equation.

    Example:
        >>> chain = symbol_chain(1.0, 2.0, 4)
        >>> round(float(np.log(float(symbol_ratio(chain.p, 4)))), 12)
        1.0
    """
    check_epsilons(first, permanent)
    wanted = flip(permanent, n_symbols)
    flip1 = noisy_enough(wanted, permanent, lambda x: symbol_ratio(1 - Fraction(x), n_symbols))

    def chain(flip2: float) -> Chain:
        return Chain(*_round(flip1, n_symbols), *_round(flip2, n_symbols))

    flip2 = (flip(first, n_symbols) - flip1) / (1 - flip1 * n_symbols / (n_symbols - 1))
    return chain(noisy_enough(flip2, first, lambda x: symbol_ratio(chain(x).p, n_symbols)))


def symmetric_chain(first: float, permanent: float) -> Chain:
    """Vectors of bits with q = 1 - p in both rounds: each bit spends half of each epsilon.

    Args:
        first: epsilon of one report, ε1.
        permanent: epsilon of all reports of one value, ε∞.

    Raises:
        ParameterError: epsilons out of order, or too close for floating point.

    Source:
        Ú. Erlingsson et al., "RAPPOR", CCS 2014 (basic, one bit for each value); H. H. Arcolezi et al., 2022, L-SUE.

    Example:
        >>> chain = symmetric_chain(1.0, 2.0)
        >>> round(float(np.log(float(bits_ratio(chain.p, chain.q)))), 12)
        1.0
    """
    check_epsilons(first, permanent)
    return symbol_chain(first / 2, permanent / 2, 2)


def optimized_chain(first: float, permanent: float) -> Chain:
    """Vectors of bits with p1 = 1/2, q1 = 1/(e^ε∞ + 1), and a symmetric second round.

    1 - p2 = q2 = (e^-ε1 - e^-ε∞) / (1 + e^-ε1 - e^-ε∞ - e^-(ε1+ε∞)) makes one report ε1-private.

    Args:
        first: epsilon of one report, ε1.
        permanent: epsilon of all reports of one value, ε∞.

    Raises:
        ParameterError: epsilons out of order, or too close for floating point.

    Source:
        H. H. Arcolezi et al., 2022, L-OSUE.

    Example:
        >>> chain = optimized_chain(1.0, 2.0)
        >>> round(float(np.log(float(bits_ratio(chain.p, chain.q)))), 12)
        1.0
    """
    check_epsilons(first, permanent)
    half = Fraction(1, 2)
    q1 = noisy_enough(flip(permanent, 2), permanent, lambda x: bits_ratio(half, Fraction(x)))

    def chain(flip2: float) -> Chain:
        return Chain(half, Fraction(q1), *_round(flip2, 2))

    gap = exp(-permanent) * expm1(permanent - first)
    flip2 = gap / (1 + gap - exp(-first - permanent))
    return chain(noisy_enough(flip2, first, lambda x: bits_ratio(chain(x).p, chain(x).q)))


def flip(epsilon: float, n_symbols: int) -> float:
    """1 - p of randomized response over g symbols: (g-1) e^-ε / (1 + (g-1) e^-ε).

    Example:
        >>> round(flip(np.log(3), 2), 12)
        0.25
    """
    others = (n_symbols - 1) * exp(-epsilon)
    return others / (1 + others)


def noisy_enough(noise: float, epsilon: float, ratio: Callable[[float], Fraction]) -> float:
    """The noise, raised by units in the last place until the exact ratio is at most e^epsilon.

    Args:
        noise: probability of noise as computed, in (0, 1).
        epsilon: asked, in nats.
        ratio: largest likelihood ratio for a noise, falling.

    Example:
        >>> noisy_enough(0.25, 1.1, lambda x: (1 - Fraction(x)) / Fraction(x))
        0.25
    """
    step = ulp(1.0)
    while log_up(ratio(noise)) > epsilon:
        noise *= 1 + step
        step *= 2
    return noise


def _round(noise: float, n_symbols: int) -> tuple[Fraction, Fraction]:
    """Probabilities p and q of one round of symbols, exact for the float."""
    return 1 - Fraction(noise), Fraction(noise) / (n_symbols - 1)
