"""Mean and quantiles of the lengths of trips."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import PureDP, checked_price, to_data
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.contributions import Kept, Limit
from sfumato.mechanism.central.mean import Mean
from sfumato.mechanism.central.quantiles.choose import choose
from sfumato.mechanism.central.quantiles.method import true_quantiles
from sfumato.noise.bits import KeyedBits
from sfumato.numbers.check import whole
from sfumato.release.answer.answer import Answer
from sfumato.release.answer.price import in_words
from sfumato.release.mobility.how import Forecast, Statistic
from sfumato.summary.contributions import Contributions
from sfumato.table.domain import Range
from sfumato.table.unit import Unit

if TYPE_CHECKING:
    from sfumato.account.event import Event, Price
    from sfumato.mechanism.central.quantiles.method import QuantileMethod
    from sfumato.noise.bits import Bits
    from sfumato.release.mobility.movement import Split
    from sfumato.release.mobility.unit import Seen, TraceUnit
    from sfumato.types import IntArray

_RUNS = 200
"""Simulated answers of a forecast."""


class _OfLengths(Statistic):
    """What is asked of the lengths of trips on a declared grid."""

    __slots__ = ()

    longest: int
    step: int
    most: int
    kept: Kept
    split: Split

    @property
    def domain(self) -> Range:
        """Lengths that count: longer ones are cut."""
        return Range(Fraction(0), Fraction(self.longest), Fraction(self.step))

    def checked(self) -> None:
        """Refuse a grid without steps."""
        whole(self.step, "step", 1, 2**31)
        whole(self.most, "most", 1, 2**31 - 1)
        if self.longest <= 0 or self.longest % self.step:
            raise ParameterError(
                "`longest` must be a whole number of steps of {step} metres, above 0; got {longest}.",
                "declare such as 50000 metres in steps of 10.",
                step=self.step,
                longest=self.longest,
            )

    def places(self, seen: Seen, unit: TraceUnit, bits: Bits) -> IntArray:
        """(n,) int64 places on the grid of the trips that count: the nearest, half a step upwards."""
        trips = self.split.trips(seen)
        unit_mm = self.step * 1000
        place = (trips.millimetres(seen.traces) + unit_mm // 2) // unit_mm
        given = Contributions(
            trips.person, np.minimum(place, self.domain.size - 1), np.ones(len(trips), np.int64), self.domain.size
        )
        return Limit(unit.neighbors, self.most, once=False, kept=self.kept).bounded(given, bits=bits).group

    def of(self, unit: TraceUnit) -> Unit:
        """The unit of the lengths."""
        return Unit(unit.neighbors, "person", self.most, 1)


@dataclass(frozen=True, slots=True)
class MeanLength(_OfLengths):
    """How long trips are on average, along all their fixes.

    Args:
        longest: to which longer trips are cut, in metres; a public bound.
        step: lengths are rounded to so many metres, >= 1.
        split: what a trip is.
        price: PureDP: discrete Laplace; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        most: most trips of a person that count.
        kept: which ones.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.
    """

    longest: int
    step: int
    split: Split
    price: Price
    most: int
    kept: Kept = Kept.SAMPLED

    def __post_init__(self) -> None:
        self.checked()
        checked_price(self.price)

    @property
    def title(self) -> str:
        """What it is."""
        return "mean length of trips"

    def prepared(self, unit: TraceUnit) -> PreparedMean:
        """Its mechanism."""
        return PreparedMean(self, unit)


@dataclass(frozen=True, slots=True)
class PreparedMean:
    """The mechanism of a mean."""

    statistic: MeanLength
    unit: TraceUnit

    @property
    def mechanism(self) -> Mean:
        """Two noisy parts of one whole."""
        one = self.statistic
        return Mean("length", one.domain, one.of(self.unit), one.price, 1)

    @property
    def events(self) -> tuple[Event, ...]:
        """What is paid."""
        return (self.mechanism.event,)

    def forecast(self, confidence: float, expected: int | None) -> tuple[Forecast, ...]:
        """How wrong it will be, with so many trips that count."""
        bad = None if expected is None else self.mechanism.error(confidence, expected)
        return (
            Forecast(
                statistic=self.statistic.title, number="metres", groups=1, mechanism=self.mechanism.name,
                l1=self.mechanism.sensitivity.l1, mean_error=None, bad_error=None if bad is None else float(bad),
                threshold=None,
            ),
        )  # fmt: skip

    def run(self, seen: Seen, confidence: float, bits: Bits) -> tuple[Answer, ...]:
        """The answer."""
        one, mechanism = self.statistic, self.mechanism
        places = one.places(seen, self.unit, bits)
        total = int(places.sum())
        totals = np.array([[total], [total - len(places) * (one.domain.size - 1)]], np.int64)
        found = mechanism.decide(totals, confidence=confidence, bits=bits)
        rows = (tuple(x.tolist()) for x in (found.values, found.low, found.high))
        values, low, high = ((row,) for row in rows)
        return (
            Answer(
                question=one.title, by=(), keys=((),), cells=("metres",), values=values, low=low, high=high,
                confidence=confidence, mechanism=mechanism.name, cost=to_data(mechanism.event), price=in_words(one.price),
                sensitivity=mechanism.argument, unit=self.unit.sentence, seeded=not bits.is_secure, notes=_notes(one),
            ),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class LengthQuantiles(_OfLengths):
    """Quantiles of the lengths of trips, along all their fixes.

    Args:
        quantiles: strictly increasing in (0, 1).
        longest: to which longer trips are cut, in metres; a public bound.
        step: lengths are rounded to so many metres, >= 1.
        split: what a trip is.
        price: PureDP.
        most: most trips of a person that count.
        kept: which ones.

    Raises:
        ParameterError: a number outside its range, another price. Remedy: in the message.
    """

    quantiles: tuple[Fraction, ...]
    longest: int
    step: int
    split: Split
    price: PureDP
    most: int
    kept: Kept = Kept.SAMPLED

    def __post_init__(self) -> None:
        self.checked()
        if not isinstance(self.price, PureDP):
            raise ParameterError("Quantiles are chosen at a pure price.", "give PureDP(epsilon).")

    @property
    def title(self) -> str:
        """What it is."""
        return "quantiles of lengths of trips"

    def prepared(self, unit: TraceUnit) -> PreparedQuantiles:
        """Its mechanism."""
        return PreparedQuantiles(self, unit)


@dataclass(frozen=True, slots=True)
class PreparedQuantiles:
    """The mechanism of quantiles."""

    statistic: LengthQuantiles
    unit: TraceUnit

    @property
    def mechanism(self) -> QuantileMethod:
        """The method that public numbers make the best."""
        one = self.statistic
        return choose(one.quantiles, one.price.epsilon, one.domain.size, self.unit.neighbors, one.most, None)

    @property
    def events(self) -> tuple[Event, ...]:
        """What is paid."""
        return (self.mechanism.event,)

    def forecast(self, confidence: float, expected: int | None) -> tuple[Forecast, ...]:
        """How wrong it will be, simulated on so many trips with lengths spread evenly over the grid."""
        errors = None if expected is None else self._simulated(whole(expected, "expected", 1, 10**7))
        return (
            Forecast(
                statistic=self.statistic.title, number="metres", groups=len(self.statistic.quantiles),
                mechanism=self.mechanism.name, l1=None,
                mean_error=None if errors is None else float(np.mean(errors)),
                bad_error=None if errors is None else float(np.quantile(errors, confidence)), threshold=None,
            ),
        )  # fmt: skip

    def _simulated(self, expected: int) -> IntArray:
        """Errors in metres of repeated answers; public, so its chance is that of a fixed seed."""
        rng, one = np.random.default_rng(expected), self.statistic
        bits, errors = KeyedBits(rng.bytes(32), is_secure=False), []
        for _ in range(_RUNS):
            places = rng.integers(0, one.domain.size, expected)
            errors.append(self.mechanism.decide(places, bits=bits) - true_quantiles(places, one.quantiles))
        return np.abs(np.array(errors)).ravel() * one.step

    def run(self, seen: Seen, confidence: float, bits: Bits) -> tuple[Answer, ...]:
        """The answer; no interval is proven."""
        del confidence
        one, mechanism = self.statistic, self.mechanism
        found = mechanism.decide(one.places(seen, self.unit, bits), bits=bits)
        rows = tuple((float(place * one.step),) for place in found.tolist())
        unknown = ((float("nan"),),) * len(rows)
        return (
            Answer(
                question=one.title, by=("quantile",), keys=tuple((str(q),) for q in one.quantiles), cells=("metres",),
                values=rows, low=unknown, high=unknown, confidence=None, mechanism=mechanism.name,
                cost=to_data(mechanism.event), price=in_words(one.price), sensitivity=mechanism.argument,
                unit=self.unit.sentence, seeded=not bits.is_secure, notes=_notes(one),
            ),
        )  # fmt: skip


def _notes(one: MeanLength | LengthQuantiles) -> tuple[str, ...]:
    """What a reader should know."""
    which = "drawn at random" if one.kept is Kept.SAMPLED else "the first ones"
    return (
        f"At most {one.most} trips of a person count ({which}); lengths are cut to {one.longest} m and rounded to {one.step} m.",
    )
