"""All quantiles drawn together, the likelier the better each cell between two of them is filled.

The joint exponential mechanism: an answer o_1 <= … <= o_m has probability proportional to e^(-η Σ_j |c_j - N·g_j|),
where c_j records lie in [o_{j-1}, o_j) and g_j is the share that should. Three things are ours:

- records are dithered (see `dither`), so that atoms are answered exactly;
- where the number of rows is private and many quantiles are asked, N is a noisy count that is drawn first. Then a
  record changes one cell by one and nothing else: the sensitivity is 1 instead of nearly 2;
- only ranks near their quantile are looked at, and a floor under every weight pays for those that are not, so that
  the promise stays a pure ε. The floor is a fixed share of all weights, so it is never seen, at no ε and on no table.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import lgamma, log
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.quantiles.dither import dither, dither_bits
from sfumato.mechanism.central.quantiles.joint_exponential_chain import Chain, Costs, chain, rank_edges
from sfumato.mechanism.central.quantiles.joint_exponential_draw import coin_of_odds, draw_ranks
from sfumato.mechanism.central.quantiles.joint_exponential_sums import log_sum
from sfumato.mechanism.central.quantiles.method import checked, row_epsilon
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.noise.integers import uniform_integers
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

_FLOOR_BITS = 44
"""The floor's answers, drawn without the data, come about once in 2 to this power."""
_LOSS = 2**20
"""Loss, times quantiles, up to which an answer is told from chance: only with more has the floor a larger share."""
_THETA = Fraction(1, 2**12)
"""Share of ε that pays for what lies outside the windows."""
_MOST_ROWS = 2**40
_UNIT = 2.0**-50
"""Relative error of one operation on logarithms, eight times a float's half unit in the last place."""
_DEEP = 2400
"""Such operations, at most, from one table to the next and in one draw, but for one for each quantile."""


@dataclass(frozen=True, slots=True)
class JointExponential:
    """All quantiles by one draw of the joint exponential mechanism.

    Args:
        quantiles: strictly increasing in (0, 1).
        epsilon: total ε of one person with all rows.
        size: grid points of the declared range.
        neighbors: ADD_REMOVE or REPLACE; the promise holds under both even if the number of rows here is private,
            because a row that comes instead of another may be left out for a missing value.
        rows: most rows of a person.
        count_share: share of ε, in [0, 1/2], that a noisy count of the rows gets; 0: no count, N = n, and the
            sensitivity is 2 (1 - least g). Must be 0 under REPLACE, where the sensitivity is 2. None: 2/(m + 6)
            for m >= 4 quantiles under ADD_REMOVE, otherwise 0.

    Raises:
        ParameterError: parameters outside their ranges, or so small an ε for so many quantiles that rounding would
            eat an eighth of it. Remedy: ask for fewer quantiles, or give a larger ε.

    Source:
        J. Gillenwater, M. Joseph, A. Kulesza, "Differentially private quantiles", ICML 2021 (without a count).

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> median = JointExponential((Fraction(1, 2),), Fraction(1), 121, Neighbors.ADD_REMOVE, 1)
        >>> median.decide(np.full(10_000, 40), bits=SystemBits()).tolist()
        [40]
    """

    quantiles: tuple[Fraction, ...]
    epsilon: Fraction
    size: int
    neighbors: Neighbors
    rows: int
    count_share: Fraction | None = None

    def __post_init__(self) -> None:
        checked(self)
        share = self.share
        most = Fraction(1, 2) if self.neighbors is Neighbors.ADD_REMOVE else 0
        if not isinstance(share, Fraction) or not 0 <= share <= most:
            raise ParameterError(
                "`count_share` must be a fraction in [0, 1/2], and 0 under REPLACE; got {share!r}.",
                "leave it out.",
                share=share,
            )
        if 8 * self.slack > row_epsilon(self) * (1 - share):
            raise ParameterError(
                "For {n_quantiles} quantiles this ε is too small to pay for rounding.",
                "ask for fewer quantiles, or give a larger epsilon.",
                n_quantiles=len(self.quantiles),
            )

    @property
    def name(self) -> str:
        """What it is called."""
        return "joint exponential mechanism"

    @property
    def event(self) -> PureDP:
        """ε for one person, rounding and windows included."""
        return PureDP(self.epsilon)

    @property
    def share(self) -> Fraction:
        """Part of ε for the noisy count."""
        m = len(self.quantiles)
        private = self.neighbors is Neighbors.ADD_REMOVE
        return (
            (Fraction(2, m + 6) if private and m >= 4 else Fraction(0))
            if self.count_share is None
            else self.count_share
        )

    @property
    def gaps(self) -> tuple[Fraction, ...]:
        """The shares g_j of the m + 1 cells between quantiles."""
        return tuple(b - a for a, b in pairwise((Fraction(0), *self.quantiles, Fraction(1))))

    @property
    def change(self) -> Fraction:
        """Δ: by how much one row changes the loss Σ |c_j - N g_j| of any answer."""
        if self.neighbors is Neighbors.REPLACE:
            return Fraction(2)
        return Fraction(1) if self.share else 2 * (1 - min(self.gaps))

    @property
    def argument(self) -> str:
        """The argument in one sentence."""
        if self.neighbors is Neighbors.REPLACE:
            return (
                "One row leaves one cell and enters another (or drops out, and every target moves by its share): the "
                "loss of every answer changes by at most 2."
            )
        if self.share:
            return (
                "One row changes the count by 1; given the noisy count, it changes one cell by 1, and so the loss of "
                "every answer by at most 1."
            )
        return (
            f"One row changes its cell by 1 and every target by its share g: the loss of every answer changes by at "
            f"most 2 (1 - least g) = {self.change}."
        )

    @property
    def slack(self) -> Fraction:
        """The part of a row's ε that pays for rounding and for what lies outside the windows."""
        m = len(self.quantiles)
        places = m * (log(self.size) + 32 * log(2))
        largest = 2 * (self.allowed(places, -self.worst) + 1) + places + 64 + 16 * self.steepness
        rounding = 2 * m * (_DEEP + m) * largest * _UNIT
        return 4 * Fraction(rounding) + 2 * _THETA * row_epsilon(self)

    @property
    def rate(self) -> Fraction:
        """η, nats for one unit of loss."""
        return (row_epsilon(self) * (1 - self.share) - self.slack) / (2 * self.change)

    def decide(self, places: IntArray, *, bits: Bits) -> IntArray:
        """Draw all quantiles.

        Args:
            places: (n,) int64 in any order; those outside 0 … size - 1 are clamped.
            bits: source of chance.

        Returns:
            (m,) int64 places, nondecreasing.
        """
        width = dither_bits(self.size)
        ordered = dither(np.clip(places, 0, self.size - 1), width, bits=bits)
        ordered.sort()
        return draw_fine(self, ordered, self.size << width, bits=bits) >> width

    @property
    def steepness(self) -> float:
        """η₀ = ε/2Δ: nats for one unit of loss, before the slack is taken off; what a draw's ε buys at most."""
        return float(row_epsilon(self) * (1 - self.share) / (2 * self.change))

    @property
    def worst(self) -> float:
        """-ln of the least weight that the floor is compared with: that of one answer of the loss 2²⁰/m.

        Some choice of ranks has a loss of at most (m + 1)/2 beyond |n - N|; only equal fine places cost more.
        """
        m = len(self.quantiles)
        return self.steepness * max(_LOSS // m, m + 1)

    def log_odds(self, log_all: float) -> float:
        """Ln of the floor's weight beside all others: 2⁻⁴⁴, unless all others are less than one answer's least."""
        return max(0.0, -self.worst - log_all) - _FLOOR_BITS * log(2)

    def allowed(self, log_places: float, log_all: float) -> float:
        """K = ln (2Fᵐ / θA): nats of loss beyond which a weight may be left out, beside a floor of A in all.

        Args:
            log_places: ln Fᵐ, of the answers that share the floor.
            log_all: ln of (at most) all weights.
        """
        floor = max(log_all, -self.worst) - _FLOOR_BITS * log(2)
        return log(2) + log_places - floor - log(_THETA * row_epsilon(self))

    def guess(self, total: int) -> float:
        """A K that suffices for nearly every table of so many rows; the draw checks it.

        Were all rows equal, they would leave about size · (m + η₀N/2) times as many places as the best ranks have, for
        each quantile; and the best ranks have a loss of at most (m + 1)/2.
        """
        m = len(self.quantiles)
        crowd = m * (log(self.size) + log(m + self.steepness * total / 2))
        return self.allowed(crowd, 0.0) + self.steepness * (m + 1) / 2


def draw_fine(method: JointExponential, ordered: IntArray, fine: int, *, bits: Bits) -> IntArray:
    """The mechanism on fine places, distinct or not.

    Args:
        method: the parameters.
        ordered: (n,) int64 places, nondecreasing, in [0, fine).
        fine: number of fine places, at most 2⁶².
        bits: source of chance.

    Returns:
        (m,) int64 fine places, nondecreasing.
    """
    n = len(ordered)
    total = noisy_total(method, n, bits=bits) if method.share else n
    weights, log_odds = weigh(method, ordered, fine, total)
    if coin_of_odds(log_odds, bits=bits):
        return np.sort(uniform_integers(len(method.quantiles), fine, bits=bits))
    found = [np.empty(0, np.int64)]
    for rank, size in draw_ranks(weights, bits=bits):
        edges = rank_edges(ordered, fine, rank, rank)
        found.append(edges[0] + 1 + uniform_integers(size, int(edges[1] - edges[0]), bits=bits))
    return np.sort(np.concatenate(found))


def weigh(method: JointExponential, ordered: IntArray, fine: int, total: int) -> tuple[Chain, float]:
    """The chain of weights, and the log-odds that the answer is drawn from the floor instead.

    What may be left out depends on all weights; so it is guessed, and where the guess was too low, all is done again
    with what the weights found say, which more weights can only lower.

    Args:
        method: the parameters.
        ordered: (n,) int64 fine places, nondecreasing.
        fine: number of fine places.
        total: N.

    Returns:
        The chain, and ln (all of the floor / all of the chain).
    """
    log_places, limit = len(method.quantiles) * log(fine), method.guess(total)
    while True:
        weights = _near(method, ordered, fine, total, limit)
        log_all = log_sum(weights.ends) + lgamma(len(method.quantiles) + 1)
        needed = method.allowed(log_places, log_all)
        if needed <= limit:
            return weights, method.log_odds(log_all)
        limit = needed + 1.0


def _near(method: JointExponential, ordered: IntArray, fine: int, total: int, limit: float) -> Chain:
    """The chain of weights of all answers that lose at most `limit` nats, and maybe others."""
    n, rate = len(ordered), 2 * float(method.rate) * (1 - _UNIT)
    lows, highs = windows(method.quantiles, n, total, max(Fraction(limit) / Fraction(rate), Fraction(1)))
    costs = Costs(tuple(total * gap for gap in method.gaps), rate, limit, n < total)
    return chain(ordered, fine, costs, lows, highs)


def noisy_total(method: JointExponential, n: int, *, bits: Bits) -> int:
    """N: the number of rows with discrete Laplace noise of scale 1/(share · ε), clamped to 0 … 2⁴⁰."""
    scale = 1 / (method.share * row_epsilon(method))
    return min(max(0, n + int(discrete_laplace(1, scale, bits=bits)[0])), _MOST_ROWS)


def windows(
    quantiles: tuple[Fraction, ...], n: int, total: int, margin: Fraction
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """First and last rank of each quantile's window: within `margin` of some number between q N and q N + n - N.

    With a margin >= 1 no window is empty.

    Example:
        >>> windows((Fraction(1, 2),), 100, 110, Fraction(7))
        ((38,), (62,))
    """
    surplus = n - total
    lows = (q * total + min(surplus, 0) - margin for q in quantiles)
    highs = (q * total + max(surplus, 0) + margin for q in quantiles)
    return tuple(max(0, x.__ceil__()) for x in lows), tuple(min(n, x.__floor__()) for x in highs)
