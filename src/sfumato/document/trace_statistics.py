"""[[statistics]] of a plan of traces as they are written: what is counted of traces under differential privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias

from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceTable:
    """What a statistic costs: `epsilon`, `epsilon` with `delta`, or `rho`.

    Args:
        epsilon: in nats; by itself, noise is discrete Laplace.
        delta: with epsilon: noise is discrete Gaussian.
        rho: of concentrated differential privacy: noise is discrete Gaussian.
    """

    epsilon: Fraction | None = None
    delta: Fraction | None = None
    rho: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountTable:
    """How contributions of persons become public numbers.

    Args:
        most: most contributions of a person that count (groups, where persons are counted).
        of: "persons" counts each person once in a group, "events" with each contribution.
        kept: which contributions count where there are too many: "sampled" at random, drawn anew, or the "first" ones.
        weighted: whether a person counts with the weight of [weights].
        least: only groups whose noisy number of persons is at least this are shown.
        selected: whether groups are found in the traces instead of listed; needs `delta`.
        nonnegative: whether numbers below 0 become 0.
        margins: whether totals of each axis get noise of their own, and all numbers are fitted to agree.
        total: whether the sum of all groups gets noise of its own, and whole numbers of at least 0 are fitted to it.
    """

    most: int
    of: Literal["persons", "events"]
    kept: Literal["sampled", "first"] = "sampled"
    weighted: bool = False
    least: int = 0
    selected: bool = False
    nonnegative: bool = False
    margins: bool = False
    total: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TripsByGap:
    """A trip ends where no fix follows for longer than a gap.

    Args:
        seconds: the gap.
        by_day: whether a trip ends with each local day.
    """

    tag: ClassVar[tuple[str, str]] = ("by", "gap")
    seconds: float
    by_day: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TripsByStays:
    """A trip goes from one stay to the next.

    Args:
        seconds: a stay lasts at least so long.
        metres: largest distance between two fixes of a stay.
    """

    tag: ClassVar[tuple[str, str]] = ("by", "stays")
    seconds: float
    metres: float


Trips: TypeAlias = TripsByGap | TripsByStays


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitsTable:
    """Visits by cell and hours of the day.

    Args:
        hours: where spans begin and end, rising whole hours of local clocks from 0 to 24.
        count: how visits become public numbers.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "visits")
    hours: tuple[int, ...]
    count: CountTable
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowsTable:
    """Trips by the cells in which they begin and end.

    Args:
        trips: what a trip is.
        count: how trips become public numbers.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "flows")
    trips: Trips
    count: CountTable
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class StaysTable:
    """Stays by cell, or their minutes.

    Args:
        seconds: a stay lasts at least so long.
        metres: largest distance between two of its fixes.
        minutes: the longest stay, to which longer ones are cut; then minutes are added up. Absent: stays are counted.
        count: how stays become public numbers.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "stays")
    seconds: float
    metres: float
    minutes: int | None = None
    count: CountTable
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class TripLengthsTable:
    """A histogram of the lengths of trips.

    Args:
        edges: of the bins, rising whole metres.
        trips: what a trip is.
        count: how trips become public numbers.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "trip-lengths")
    edges: tuple[int, ...]
    trips: Trips
    count: CountTable
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanLengthTable:
    """The mean length of trips.

    Args:
        longest: to which longer trips are cut, in metres.
        step: lengths are rounded to so many metres.
        trips: what a trip is.
        most: most trips of a person that count.
        kept: which ones: "sampled" or "first".
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "mean-length")
    longest: int
    step: int
    trips: Trips
    most: int
    kept: Literal["sampled", "first"] = "sampled"
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthQuantilesTable:
    """Quantiles of the lengths of trips, at a pure epsilon.

    Args:
        quantiles: strictly increasing between 0 and 1.
        longest: to which longer trips are cut, in metres.
        step: lengths are rounded to so many metres.
        trips: what a trip is.
        most: most trips of a person that count.
        kept: which ones: "sampled" or "first".
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "length-quantiles")
    quantiles: tuple[Fraction, ...]
    longest: int
    step: int
    trips: Trips
    most: int
    kept: Literal["sampled", "first"] = "sampled"
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class TopPlacesTable:
    """The cells that most persons visit, and how many do, at a pure epsilon.

    Args:
        k: how many cells.
        chooser: how one is chosen.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "top-places")
    k: int
    chooser: Literal["permute-and-flip", "exponential mechanism", "report noisy max"] = "permute-and-flip"
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class GyrationTable:
    """A histogram of radii of gyration: how far from their middle persons go.

    Args:
        edges: of the bins, rising whole metres.
        count: how persons become public numbers; `most` is 1.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "gyration")
    edges: tuple[int, ...]
    count: CountTable
    price: PriceTable


StatisticTable: TypeAlias = (
    VisitsTable
    | FlowsTable
    | StaysTable
    | TripLengthsTable
    | MeanLengthTable
    | LengthQuantilesTable
    | TopPlacesTable
    | GyrationTable
)
"""One of the statistics; `name` tells which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightsTable:
    """How many people of the population each person stands for.

    Args:
        column: column of numbers; of the rows of a person the greatest counts; 1 where there is none.
        most: the greatest weight, public; greater ones are cut.
    """

    column: str
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersTable:
    """How answers are told.

    Args:
        confidence: of each interval by itself.
        delta: at which the epsilon of all statistics together is told; needed where some price has a delta or a rho.
    """

    confidence: float = 0.95
    delta: Fraction | None = None
