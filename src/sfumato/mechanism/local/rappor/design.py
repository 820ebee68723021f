"""Parameters that keep both epsilons and find the rarest strings: a search over a declared grid, exact at the end.

The grid: h = 1 … 4, k = 16, 32 … 1024, m = 1, 2 … 128, f in steps of 1/1024, p and q in steps of 1/128. For each h the
least f that keeps ε∞ is taken; then for each k and m the p and q that keep ε₁ and find the smallest share.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.detection import OWN_BITS, Aim, shape_of, smallest_share, smallest_shares
from sfumato.mechanism.local.rappor.params import RapporParams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import FloatArray, IntArray

HASHES = (1, 2, 3, 4)
BITS = (16, 32, 64, 128, 256, 512, 1024)
COHORTS = (1, 2, 4, 8, 16, 32, 64, 128)
F_STEPS, STEPS = 1024, 128
LEAST_IN_COHORT = 200
"""Reports of a cohort on average, so that its counts are nearly normal."""
NEARLY = 1.05
"""A shorter report, or fewer cohorts, is preferred if its smallest share is at most this much larger."""


@dataclass(frozen=True, slots=True)
class Promise:
    """The epsilons that may not be exceeded.

    Args:
        permanent: ε∞ of all reports about one value, in nats; None: each person reports once only.
        first: ε₁ of a single report, in nats.

    Raises:
        ParameterError: an epsilon that is not positive. Remedy: give one > 0.
    """

    permanent: float | None
    first: float

    def __post_init__(self) -> None:
        for epsilon in (self.permanent, self.first):
            if epsilon is not None and not (epsilon > 0 and math.isfinite(epsilon)):
                raise ParameterError(
                    "An epsilon must be positive and finite; got {epsilon!r}.", "give one above 0.", epsilon=epsilon
                )


@dataclass(frozen=True, slots=True)
class Proposal:
    """One collection, and the smallest share that the formula promises to find."""

    params: RapporParams
    share: float


def propose(name: str, promise: Promise, aim: Aim, *, values: Sequence[str] = ()) -> tuple[Proposal, ...]:
    """The best collection for each number of bits, the shortest report first.

    Args:
        name: of the collection.
        promise: both epsilons; every proposal keeps them exactly.
        aim: what shall be found.
        values: declared strings, at least two: basic RAPPOR, a single proposal; (): Bloom filters.

    Returns:
        One proposal for each k, with the h, m, f, p and q that find the smallest share.

    Raises:
        ParameterError: no point of the grid keeps the epsilons. Remedy: allow more, or report once.

    Source:
        Erlingsson et al. 2014, section 3.1 (both epsilons), for what is kept; the search is our own.

    Example:
        >>> found = propose("home", Promise(4.0, 1.0), Aim(1_000_000, 1000))
        >>> all(p.params.epsilon_permanent <= 4 and p.params.epsilon_first <= 1 for p in found)
        True
        >>> chosen = best(found).params
        >>> (chosen.bits, chosen.hashes, chosen.f) == (128, 1, Fraction(245, 1024))
        True
    """
    if values:
        basic = _noised(name, (len(values), 1, 1), promise, aim, values=tuple(values))
        found = [] if basic is None else [basic]
    else:
        found = [one for k in BITS if (one := _best_of_size(name, k, promise, aim)) is not None]
    if not found:
        raise ParameterError(
            "No collection of the grid keeps epsilon {first:g} a report.",
            "allow more; see the grid's steps.",
            first=promise.first,
        )
    return tuple(found)


def best(proposals: Sequence[Proposal]) -> Proposal:
    """The shortest report whose smallest share is nearly that of the best one.

    Args:
        proposals: at least one, the shortest report first.
    """
    least = min(one.share for one in proposals)
    return next(one for one in proposals if one.share <= NEARLY * least)


def permanent_noise(epsilon: float | None, hashes: int) -> Fraction | None:
    """The least f, in steps of 1/1024, with 2h ln((2-f)/f) <= ε∞; 0 where persons report once; None if there is none.

    Example:
        >>> permanent_noise(2.2, 1), permanent_noise(None, 4), permanent_noise(1e-9, 1)
        (Fraction(1, 2), Fraction(0, 1), None)
    """
    if epsilon is None:
        return Fraction(0)
    start = max(1, math.floor(F_STEPS * 2 / (1 + math.exp(min(epsilon / (2 * hashes), 600)))))
    for step in range(start, F_STEPS):
        f = Fraction(step, F_STEPS)
        if _of("f", (2, hashes, 1), (f, Fraction(0), Fraction(1)), ()).epsilon_permanent <= epsilon:
            return f
    return None


def _best_of_size(name: str, bits: int, promise: Promise, aim: Aim) -> Proposal | None:
    """The best h and m for k bits, with as few cohorts as are nearly as good."""
    rows = [m for m in COHORTS if m == 1 or aim.reports >= LEAST_IN_COHORT * m]
    every = [
        one for h in HASHES for m in rows if (one := _noised(name, (bits, h, m), promise, aim)) is not None
    ]  # fmt: skip
    if not every:
        return None
    least = min(one.share for one in every)
    near = [one for one in every if one.share <= NEARLY * least]
    fewest = min(one.params.cohorts for one in near)
    return min((one for one in near if one.params.cohorts == fewest), key=lambda one: one.share)


def _noised(
    name: str, sizes: tuple[int, int, int], promise: Promise, aim: Aim, *, values: tuple[str, ...] = ()
) -> Proposal | None:
    """The p and q that find the smallest share; the exact epsilons decide, the floats only order."""
    f = permanent_noise(promise.permanent, sizes[1])
    if f is None:
        return None
    p, q, share, epsilon = _grid(f, sizes, aim, basic=bool(values))
    usable = np.flatnonzero(epsilon <= promise.first * (1 + 1e-9))
    for at in usable[np.argsort(share[usable], kind="stable")].tolist():
        noise = (f, Fraction(int(p[at]), STEPS), Fraction(int(q[at]), STEPS))
        params = _of(name, sizes, noise, values)
        if params.epsilon_first <= promise.first:
            return Proposal(params, smallest_share(params, aim))
    return None


def _grid(
    f: Fraction, sizes: tuple[int, int, int], aim: Aim, *, basic: bool
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Steps of p and q, their smallest share and their ε₁ in floats."""
    p, q = np.triu_indices(STEPS + 1, 1)
    if f == 0:
        p, q = p[inside := (p > 0) & (q < STEPS)], q[inside]
    middle = float(f) * (p + q) / (2 * STEPS)
    low, high = middle + (1 - float(f)) * p / STEPS, middle + (1 - float(f)) * q / STEPS
    epsilon = sizes[1] * np.log(high * (1 - low) / (low * (1 - high)))
    share = smallest_shares(low, high, OWN_BITS if basic else shape_of(*sizes), aim)
    return p, q, share, epsilon


def _of(
    name: str, sizes: tuple[int, int, int], noise: tuple[Fraction, Fraction, Fraction], values: tuple[str, ...]
) -> RapporParams:
    """Parameters of k, h, m and f, p, q."""
    (k, h, m), (f, p, q) = sizes, noise
    return RapporParams(name, bits=k, hashes=h, cohorts=m, f=f, p=p, q=q, values=values)
