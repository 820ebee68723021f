"""How much a sampled table that keeps large classes only can betray: δ for a class limit k, rounded up.

Each row stays with probability β; classes of fewer than k sampled rows are left out. For neighbors that differ in one
row, only the count of that row's class differs: Bin(N, β) with it, Bin(N - 1, β) without, N its rows in the table.
Two numbers bound what that count betrays:

- the published bound: max over N >= k/γ - 1 of P[Bin(N, β) > γN], γ = 1 - (1 - β) e^(-ε);
- the exact value: max over N of the sum over j >= k of what P[Bin(N, β) = j] exceeds e^ε P[Bin(N - 1, β) = j] by.

k is chosen by the first, which is the larger one; the second says what is really reached.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, floor

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.enclosure import exp_between, log_between

_PLACES = 10**12
"""β is a fraction of this denominator, so that its coin is short."""
_SLACK = Fraction(1, 10**9)
_NEGLIGIBLE = Decimal(10) ** 40
_UP = Context(prec=60, rounding=ROUND_CEILING, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_DOWN = Context(prec=60, rounding=ROUND_FLOOR, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_MOST_EPSILON = 8
_LEAST_DELTA = Fraction(1, 10**30)
_MOST_ROWS = 1_000_000


@dataclass(frozen=True, slots=True)
class SampledClasses:
    """Sampling with probability β and a class limit, at one ε.

    Args:
        epsilon: ε of the sampling and suppression, in [1/100, 8].

    Raises:
        ParameterError: ε outside its range, or one so small that β would be 0. Remedy: in the message.

    Source:
        N. Li, W. Qardaji, D. Su, "On Sampling, Anonymization, and Differential Privacy", ASIACCS 2012, theorem 1;
        R. Bild, K. Kuhn, F. Prasser, "SafePub: A Truthful Data Anonymization Algorithm With Strong Privacy
        Guarantees", PoPETs 2018(1), section 4; the exact value: ours.

    Example:
        >>> sampled = SampledClasses(Fraction(1))
        >>> float(sampled.beta), [sampled.smallest_k(Fraction(1, 10**d)) for d in (3, 4, 5, 6)]
        (0.632120558828, [34, 47, 61, 74])
    """

    epsilon: Fraction

    def __post_init__(self) -> None:
        if not isinstance(self.epsilon, Fraction) or not Fraction(1, 100) <= self.epsilon <= _MOST_EPSILON:
            raise ParameterError(
                "The epsilon of sampling must be an exact fraction from 1/100 to 8; got {epsilon}.",
                "choose such as 1; for less, publish noisy numbers instead.",
                epsilon=self.epsilon,
            )

    @property
    def beta(self) -> Fraction:
        """β = 1 - e^(-ε), rounded down to 12 digits: a row absent from the sample is never e^ε times likelier."""
        return Fraction(floor((1 - exp_between(-self.epsilon)[1]) * _PLACES), _PLACES)

    @property
    def gamma(self) -> tuple[Fraction, Fraction]:
        """Bounds of γ = 1 - (1 - β)e^(-ε): a share of sampled rows above it betrays more than e^ε."""
        low, high = exp_between(-self.epsilon)
        return 1 - (1 - self.beta) * high, 1 - (1 - self.beta) * low

    def delta(self, k: int) -> Fraction:
        """The published bound of δ for a class limit, rounded up.

        A count that exceeds γN by less than 10⁻⁹ N, as where γN is whole but for β's rounding, counts with what it
        betrays and not in full.

        Args:
            k: least number of sampled rows in a class, >= 1.

        Raises:
            ParameterError: k < 1. Remedy: give a whole number from 1.

        Example:
            >>> 0.8e-6 < float(SampledClasses(Fraction(1)).delta(74)) < 1e-6
            True
        """
        rows, best = self._first(_checked_k(k)), Fraction(0)
        while rows <= _MOST_ROWS:
            best = max(best, self._bad(rows))
            rows += 1
            if best > self._chernoff(rows):
                return best
        raise _too_many()

    def smallest_k(self, delta: Fraction) -> int:
        """The smallest class limit whose published bound is below δ.

        Args:
            delta: in [10^-30, 1).

        Raises:
            ParameterError: δ outside its range. Remedy: choose one far below 1 / (number of rows).
        """
        if not isinstance(delta, Fraction) or not _LEAST_DELTA <= delta < 1:
            raise ParameterError(
                "`delta` must be an exact fraction from 10^-30 to below 1; got {delta}.",
                "choose one far below 1 / (number of rows).",
                delta=delta,
            )
        rows = 1
        while self._chernoff(rows) >= delta:
            rows *= 2
        while rows and self._bad(rows) < delta:
            rows -= 1
        k = max(1, floor(rows * self.gamma[0]))
        while self._first(k) <= rows:
            k += 1
        return k

    def reached(self, k: int) -> Fraction:
        """The exact δ of a class limit at this ε, rounded up: no smaller one holds for all tables.

        Args:
            k: least number of sampled rows in a class, >= 1.

        Raises:
            ParameterError: k < 1. Remedy: give a whole number from 1.

        Example:
            >>> sampled = SampledClasses(Fraction(1))
            >>> sampled.reached(74) < sampled.delta(74)
            True
        """
        rows, best = _checked_k(k), Fraction(0)
        while rows <= _MOST_ROWS:
            best = max(best, self._excess(rows, k))
            rows += 1
            if rows > k / self.gamma[0] and best > self._chernoff(rows):
                return best
        raise _too_many()

    def _first(self, k: int) -> int:
        """The least N that is looked at: ⌈k/γ - 1⌉."""
        return max(1, ceil(k / (self.gamma[1] + _SLACK) - 1))

    def _bad(self, rows: int) -> Fraction:
        """P[Bin(N, β) > γN], rounded up."""
        share = self.gamma[1] + _SLACK
        start = floor(share * rows) + 1
        terms = _terms(rows, start, self.beta)
        total = _sum(terms)
        if start - 1 > self.gamma[0] * rows:
            total += Fraction(_UP.multiply(_terms(rows, start - 1, self.beta)[0], self._betrayed(rows, start - 1)))
        return total

    def _excess(self, rows: int, k: int) -> Fraction:
        """Sum over j >= k of max(0, P_N(j) - e^ε P_{N-1}(j))."""
        start = max(k, floor(self.gamma[0] * rows) + 1)
        terms = _terms(rows, start, self.beta)
        betrayed = [_UP.multiply(term, self._betrayed(rows, start + i)) for i, term in enumerate(terms[:-1])]
        return _sum([*betrayed, terms[-1]])  # the last one stands for others, whose factors are larger, at most 1

    def _betrayed(self, rows: int, j: int) -> Decimal:
        """max(0, 1 - e^ε P_{N-1}(j)/P_N(j)), P_{N-1}(j) = P_N(j) (N - j)/(N(1 - β)), rounded up; in [0, 1]."""
        odds = _DOWN.divide(_DOWN.multiply(_grow(self), Decimal(rows - j)), Decimal(rows))
        return max(Decimal(0), _UP.subtract(Decimal(1), odds))

    def _chernoff(self, rows: int) -> Fraction:
        """P[Bin(n, β) > γn] <= e^(-n KL(γ, β)), for every n >= rows."""
        share, beta = self.gamma[0], self.beta
        distance = share * log_between(share / beta)[0] + (1 - share) * log_between((1 - share) / (1 - beta))[0]
        return exp_between(-rows * distance)[1]


@lru_cache(maxsize=64)
def _grow(sampled: SampledClasses) -> Decimal:
    """e^ε/(1 - β), rounded down."""
    number = exp_between(sampled.epsilon)[0] / (1 - sampled.beta)
    return _DOWN.divide(Decimal(number.numerator), Decimal(number.denominator))


def _sum(terms: list[Decimal]) -> Fraction:
    """The sum, rounded up."""
    total = Decimal(0)
    for term in terms:
        total = _UP.add(total, term)
    return Fraction(total)


def _terms(rows: int, start: int, chance: Fraction) -> list[Decimal]:
    """P[Bin(rows, chance) = j] for j = start, start + 1, …, each rounded up; start above the mean.

    Where terms become negligible, the last one stands for all the others, bounded by a geometric sum.
    """
    if start > rows:
        return [Decimal(0)]
    odds = _UP.divide(_upper(chance), _DOWN.subtract(Decimal(1), _upper(chance)))
    value = _UP.multiply(_power(_upper(chance), start), _power(_upper(1 - chance), rows - start))
    out = [_UP.multiply(value, _upper(Fraction(comb(rows, start))))]
    for j in range(start, rows):
        out.append(_UP.multiply(out[-1], _UP.divide(_UP.multiply(odds, Decimal(rows - j)), Decimal(j + 1))))
        if out[-1] * _NEGLIGIBLE < out[0]:  # the ratios fall, so the rest is at most so many times this term
            out[-1] = _UP.multiply(out[-1], Decimal(rows - j))
            break
    return out


def _power(base: Decimal, exponent: int) -> Decimal:
    """base^exponent by squaring, every product rounded up."""
    out = Decimal(1)
    while exponent:
        if exponent & 1:
            out = _UP.multiply(out, base)
        base, exponent = _UP.multiply(base, base), exponent >> 1
    return out


def _upper(number: Fraction) -> Decimal:
    """A decimal of 60 digits that is not smaller."""
    return _UP.divide(Decimal(number.numerator), Decimal(number.denominator))


def _checked_k(k: int) -> int:
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= _MOST_ROWS:
        raise ParameterError("`k` must be a whole number from 1; got {k!r}.", "give the least rows of a class.", k=k)
    return k


def _too_many() -> ParameterError:
    """Where the maximum is not found among a million rows."""
    return ParameterError(
        "The epsilon of sampling is too small for its delta to be computed.", "choose a larger epsilon."
    )
