"""The smallest share that a collection still finds: by formula before it starts, by simulation to be sure.

A string with Bloom bits in g·k of the k places is estimated from m·g·k counts. If persons of share s hold it, the rate
of a 1 at its places is r = p* + (q*-p*)(g + (1-g)s), and the decoder's estimate has the variance

    V(s) = [ m r(1-r) / (N (q*-p*)²) + s(1-s) g(1-g) ] / (m g k (1-g)).

The first term is the noise. The second is the worst scatter of all other strings: each is just too rare to be found,
and so is not adjusted for. 1-g is what is left beside the background that the decoder allows for. The string is found
with the wished power if s = (z(1-α/M) + z(power)) √V(s), a quadratic equation.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.decode.correction import Correction
from sfumato.mechanism.local.rappor.decode.decode import decode
from sfumato.mechanism.local.rappor.simulate import simulate_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.types import FloatArray, IntArray

_MOST_SIMULATED = 500
"""Candidates of a simulation; with more, the level of each test stays and the absent ones are fewer."""
_MOST_HELD = 20
_MOST_OTHERS = 1000
"""Strings of the other persons; more would only be smaller."""
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Aim:
    """What a collection shall find.

    Args:
        reports: N, persons who report once, >= 1.
        candidates: M, strings that will be tested, >= 1.
        significance: α, chance of any false discovery, in (0, 1).
        power: chance that a string of the smallest share is found, in (0.5, 1).

    Raises:
        ParameterError: a number outside its range. Remedy: the range is named.
    """

    reports: int
    candidates: int
    significance: float = 0.05
    power: float = 0.9

    def __post_init__(self) -> None:
        if self.reports < 1 or self.candidates < 1:
            raise ParameterError(
                "A collection needs reports and candidates; got {reports} and {candidates}.",
                "give >= 1.",
                reports=self.reports,
                candidates=self.candidates,
            )
        if not 0 < self.significance < 1 or not _HALF < self.power < 1:
            raise ParameterError(
                "`significance` must lie in (0, 1) and `power` in (0.5, 1); got {significance} and {power}.",
                "usual are 0.05 and 0.9.",
                significance=self.significance,
                power=self.power,
            )

    @property
    def reach(self) -> float:
        """z(1-α/M) + z(power): how many standard errors a share must have."""
        normal = NormalDist()
        return -normal.inv_cdf(self.significance / self.candidates) + normal.inv_cdf(self.power)


@dataclass(frozen=True, slots=True)
class Shape:
    """What the error depends on, beside the noise.

    Args:
        set_share: g = 1 - (1 - 1/k)^h, the share of bits that a string sets; 0 with declared values.
        places: g·k, its distinct bits in a cohort on average; 1 with declared values.
        cohorts: m.
    """

    set_share: float
    places: float
    cohorts: int


def shape_of(bits: int, hashes: int, cohorts: int) -> Shape:
    """The shape of a Bloom filter.

    Example:
        >>> shape_of(2, 1, 8)
        Shape(set_share=0.5, places=1.0, cohorts=8)
    """
    share = -math.expm1(hashes * math.log1p(-1 / bits)) if bits > 1 else 1.0
    return Shape(share, share * bits, cohorts)


OWN_BITS = Shape(0.0, 1.0, 1)
"""Basic RAPPOR: a bit for each declared value."""


def smallest_shares(low: FloatArray, high: FloatArray, shape: Shape, aim: Aim) -> FloatArray:
    """The smallest share that is found, for many noises at once; infinite where none is.

    Args:
        low: (…) float64, p*.
        high: (…) float64, q* > p*.
        shape: of the filter.
        aim: what shall be found.

    Returns:
        (…) float64 in (0, 1], or infinity.

    Example:
        >>> smallest_shares(np.array([0.25]), np.array([0.75]), OWN_BITS, Aim(10_000, 10)).round(4).tolist()
        [0.0341]
    """
    g, m, n = shape.set_share, shape.cohorts, aim.reports
    span, start = high - low, low + (high - low) * g
    if g >= 1:
        return np.full(np.shape(span), np.inf)
    scale = aim.reach**2 / (m * shape.places * (1 - g))
    square = 1 + scale * (m / n * (1 - g) ** 2 + g * (1 - g))
    linear = scale * (m / (n * span) * (1 - g) * (1 - 2 * start) + g * (1 - g))
    constant = scale * m / (n * span**2) * start * (1 - start)
    share = (linear + np.sqrt(linear**2 + 4 * square * constant)) / (2 * square)
    return np.where(share <= 1, share, np.inf)


def smallest_share(params: RapporParams, aim: Aim) -> float:
    """The smallest share that a collection finds; infinite where it finds none.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> home = RapporParams("home page", bits=128, hashes=2, cohorts=16, f="1/2", p="1/2", q="3/4")
        >>> round(smallest_share(home, Aim(1_000_000, 100)), 4)
        0.0189
    """
    shape = OWN_BITS if params.values else shape_of(params.bits, params.hashes, params.cohorts)
    low, high = np.array([float(params.p_star)]), np.array([float(params.q_star)])
    return float(smallest_shares(low, high, shape, aim)[0])


def simulated_power(params: RapporParams, share: float, aim: Aim, *, runs: int, rng: np.random.Generator) -> float:
    """How often does the decoder find strings of a share? The others are held by strings of half the share.

    Half of those others are candidates too, the other half is unknown to the decoder. Every test has the level α/M.

    Args:
        params: of the collection.
        share: in (0, 1).
        aim: what shall be found.
        runs: populations, each with a new cohort for each person, >= 1.
        rng: simulated chance; it protects nobody.

    Returns:
        Share of strings found, over all runs.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> home = RapporParams("home page", bits=64, hashes=2, cohorts=8, f="1/4", p="1/4", q="3/4")
        >>> simulated_power(home, 0.2, Aim(100_000, 10), runs=2, rng=np.random.default_rng(1))
        1.0
    """
    size = len(params.values) or min(aim.candidates, _MOST_SIMULATED)
    held = max(1, min(_MOST_HELD, int(_HALF / share), size // 2))
    rest = min(int((1 - held * share) / (share / 2)), len(params.values) - held if params.values else _MOST_OTHERS)
    names = params.values or tuple(f"candidate {i}" for i in range(size))
    hidden = () if params.values else tuple(f"hidden {i}" for i in range(rest))
    holders = [*names[:held], *(one for i, one in enumerate(hidden or names[held : held + rest]) if i < rest)]
    if not params.values:  # every other one of the rest is a candidate, as far as there are any
        known = min(rest // 2, size - held)
        holders[held : held + known] = names[held : held + known]
    return _found(params, names, (holders, held, share), aim, runs, rng)


def _found(
    params: RapporParams, names: Sequence[str], population: tuple[Sequence[str], int, float], aim: Aim, runs: int,
    rng: np.random.Generator,
) -> float:  # fmt: skip
    """Share of the large strings that are found; the population is (strings, how many are large, their share)."""
    holders, held, share = population
    persons = _persons(len(holders), held, share, aim.reports)
    design, tested = design_bits(params, holders), design_bits(params, names)
    significance, wanted, hits = aim.significance * len(names) / aim.candidates, set(names[:held]), 0
    for _ in range(runs):
        counts = simulate_counts(params, persons, design, rng=rng)
        found = decode(
            params, counts, names, design=tested, correction=Correction.BONFERRONI, significance=significance
        )
        hits += sum(len(wanted & set(group)) for group, is_found in zip(found.names, found.found, strict=True) if is_found)  # fmt: skip
    return hits / (held * runs)


def _persons(n_strings: int, held: int, share: float, reports: int) -> IntArray:
    """(n_strings,) int64 persons: `held` strings of the share, the others alike."""
    persons = np.full(n_strings, round(share * reports), np.int64)
    left = max(0, reports - held * int(persons[0]))
    persons[held:] = left // max(1, n_strings - held)
    return persons
