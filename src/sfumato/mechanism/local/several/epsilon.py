"""What a collection of several attributes promises, and to which neighbors.

Two persons may differ in *every* attribute (tuple level: the whole record is protected) or in *one*. The
epsilon that papers state for sampling with fake data is neither in general, so three numbers are kept apart
and computed exactly from the probabilities as sampled:

    as published   ε with ε' = ln(d(e^ε - 1) + 1) spent on the sampled attribute;
    tuple level    ln max Pr[y|v]/Pr[y|v'] over all v, v': it is ε', there is no amplification;
    one attribute  the same over v, v' that differ in one attribute.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Decimal, localcontext
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.guarantee.coordinate import one_attribute_ratio, tuple_ratio
from sfumato.guarantee.local_dp import LARGEST_EPSILON, LEAST_EPSILON, LocalDP
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.guarantee.base import Guarantee
    from sfumato.guarantee.coordinate import Coordinate

_STEPS = 60
_MARGIN = 2.0**-44


class Calibration(Enum):
    """Which of the three numbers the asked epsilon bounds."""

    AS_PUBLISHED = "as published"
    """ε' = ln(d(e^ε - 1) + 1), as in the papers; the true epsilons come out larger."""
    TUPLE_LEVEL = "tuple level"
    """ε' = ε: epsilon-LDP for the whole record."""
    ONE_ATTRIBUTE = "one attribute"
    """The greatest ε' that keeps the one-attribute epsilon within ε."""


@dataclass(frozen=True, slots=True)
class Epsilons:
    """The epsilons of one scheme, in nats, rounded up.

    Args:
        published: what the paper of the scheme states, None if it is no published calibration.
        tuple_level: for neighbors that may differ in every attribute.
        one_attribute: for neighbors that differ in one attribute.

    Example:
        >>> print(Epsilons(published=None, tuple_level=9.0, one_attribute=1.0))
        epsilon of the whole record 9; of one attribute 1
    """

    published: float | None
    tuple_level: float
    one_attribute: float

    def __str__(self) -> str:
        true = f"epsilon of the whole record {_shown(self.tuple_level)}; of one attribute {_shown(self.one_attribute)}"
        return true if self.published is None else f"{true}; as published {_shown(self.published)}{self._verdict}"

    @property
    def _verdict(self) -> str:
        """What is true of the published number, up to the rounding of p and q."""
        bound = (self.published or 0.0) * (1 + _MARGIN)
        if self.tuple_level <= bound:
            return ""
        return ", true of one attribute only" if self.one_attribute <= bound else ", true of neither"


def guarantees_of(label: str, epsilons: Epsilons) -> tuple[Guarantee, Guarantee]:
    """The promises of a scheme, in words and numbers: of the whole record, and of one attribute.

    Args:
        label: name of the scheme.
        epsilons: its epsilons, finite.

    Example:
        >>> [promise.parameters["unit"] for promise in guarantees_of("SPL[GRR]", Epsilons(1.0, 1.0, 0.25))]
        ['the whole record of a person', 'one attribute']
    """
    whole = LocalDP(epsilons.tuple_level, label, "the whole record of a person")
    return whole.guarantee(), LocalDP(epsilons.one_attribute, label, "one attribute").guarantee()


def published_amplification(epsilon: float, d: int) -> float:
    """The ε' = ln(d(e^ε - 1) + 1) that papers spend on the sampled attribute, without overflow.

    Args:
        epsilon: as published, > 0.
        d: number of attributes, >= 1.

    Source:
        H. Arcolezi, J.-F. Couchot, B. Al Bouna and X. Xiao, "Random Sampling Plus Fake Data", CIKM 2021,
        theorem 1; after N. Li, W. Qardaji and D. Su, ASIACCS 2012. What it promises: `Epsilons`.

    Example:
        >>> round(published_amplification(math.log(2), 9), 6)
        2.302585
    """
    if epsilon < 1:
        return math.log1p(d * math.expm1(epsilon))
    return epsilon + math.log(d - (d - 1) * math.exp(-epsilon))


def published_epsilon(spent: float, d: int) -> float:
    """What papers state when ε' is spent on the sampled attribute: ln((e^ε' - 1)/d + 1).

    Args:
        spent: ε' > 0.
        d: number of attributes, >= 1.

    Example:
        >>> round(published_epsilon(math.log(10), 9), 6)
        0.693147
    """
    if spent < 1:
        return math.log1p(math.expm1(spent) / d)
    return spent + math.log((1 + (d - 1) * math.exp(-spent)) / d)


def sum_up(epsilons: Sequence[float]) -> float:
    """The sum of epsilons, rounded up.

    Example:
        >>> sum_up([0.25] * 4)
        1.0
    """
    exact = sum((Fraction(epsilon) for epsilon in epsilons), Fraction(0))
    total = float(exact)
    return total if Fraction(total) >= exact else math.nextafter(total, math.inf)


def epsilons_with_fakes(coordinates: Sequence[Coordinate]) -> Epsilons:
    """Exact epsilons of sampling one attribute and faking the others.

    Args:
        coordinates: public parameters of the d attributes, as sampled.

    Returns:
        The three numbers; infinity where a report excludes a value.

    Proof:
        `docs/proofs/fake-data.md`; checked by full enumeration in the tests.

    Example:
        >>> from fractions import Fraction as F
        >>> from sfumato.guarantee.coordinate import Coordinate, Encoding
        >>> coordinate = Coordinate(Encoding.BITS, 5, F(3, 4), F(1, 4), None)
        >>> print(epsilons_with_fakes([coordinate] * 4))
        epsilon of the whole record 2.198; of one attribute 1.099; as published 1.099, true of one attribute only
    """
    whole = _log(tuple_ratio(coordinates))
    return Epsilons(published_epsilon(whole, len(coordinates)), whole, _log(one_attribute_ratio(coordinates)))


def genuine_epsilon(
    epsilon: float, d: int, calibration: Calibration, coordinates_at: Callable[[float], Sequence[Coordinate]]
) -> float:
    """The ε' to spend on the sampled attribute.

    For one-attribute calibration ε' is searched between ε, which always keeps the promise, and the
    published ε'; the result keeps it too, and is the greatest that does up to 2⁻⁴⁴ of the promise.

    Args:
        epsilon: what is asked for, > 0.
        d: number of attributes.
        calibration: the meaning of `epsilon`.
        coordinates_at: public parameters at a given ε'.

    Returns:
        ε', > 0.

    Example:
        >>> round(genuine_epsilon(1.0, 3, Calibration.TUPLE_LEVEL, lambda _: []), 6)
        1.0
    """
    if calibration is Calibration.TUPLE_LEVEL:
        return epsilon
    published = published_amplification(epsilon, d)
    if calibration is Calibration.AS_PUBLISHED:
        return published
    high = min(published, LARGEST_EPSILON)
    return _greatest_within(epsilon, high, lambda spent: _log(one_attribute_ratio(coordinates_at(spent))))


def _greatest_within(epsilon: float, high: float, promise: Callable[[float], float]) -> float:
    """The greatest ε' in [ε, high] whose promise is at most ε, by regula falsi (Illinois); promise(ε) <= ε."""
    low, above = max(epsilon * (1 - _MARGIN), LEAST_EPSILON), promise(high) - epsilon
    below, last = promise(low) - epsilon, 0
    for _ in range(_STEPS):
        if above <= 0:
            return high
        if below >= -_MARGIN * epsilon or high - low <= _MARGIN * high:
            break
        middle = (low * above - high * below) / (above - below)
        excess = promise(middle) - epsilon
        side = 1 if excess > 0 else -1
        if side > 0:
            high, above, below = middle, excess, below / (2 if last == side else 1)
        else:
            low, below, above = middle, excess, above / (2 if last == side else 1)
        last = side
    return low


def _log(ratio: Fraction | None) -> float:
    """The logarithm rounded up; infinity for no finite ratio."""
    return math.inf if ratio is None else log_up(ratio)


def _shown(epsilon: float) -> str:
    """Four significant digits, rounded up unless the rest is the rounding of p and q."""
    if not math.isfinite(epsilon) or epsilon <= 0:
        return f"{epsilon:g}"
    with localcontext(prec=4, rounding=ROUND_CEILING):
        digits = f"{+Decimal(epsilon * (1 - _MARGIN)):f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
