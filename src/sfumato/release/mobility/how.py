"""How much of a person counts in a statistic, what is shown of it, and at which price."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

from sfumato.account.event import ApproxDP, Composed, PureDP, ZeroConcentratedDP, checked_price
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.contributions import Kept
from sfumato.numbers.check import whole

if TYPE_CHECKING:
    from sfumato.account.event import Event, Price
    from sfumato.noise.bits import Bits
    from sfumato.release.answer.answer import Answer
    from sfumato.release.mobility.unit import Seen, TraceUnit
    from sfumato.summary.contributions import Contributions
    from sfumato.types import IntArray

MOST_LISTED = 2**20
"""So many declared groups at most get noise one by one."""


@dataclass(frozen=True, slots=True)
class How:
    """How contributions become public numbers.

    Args:
        price: of the whole statistic. PureDP: discrete Laplace noise; ZeroConcentratedDP or ApproxDP: discrete Gaussian.
        most: most contributions of a person that count, >= 1.
        once: whether a person counts once in each group (numbers of persons), or with each contribution.
        kept: which contributions count where there are too many.
        weight: the greatest weight of a person, a public bound; None: everybody counts as 1. Greater weights are cut.
        least: only groups whose noisy number of persons is at least this are shown; 0: all. It counts persons, not
            weights: two persons of weight 500 are two.
        selected: whether the groups are those of the table with enough persons, after noise: for regions of more groups
            than can be listed. Needs ApproxDP, whose δ pays for it; noise is then discrete Laplace.
        nonnegative: whether numbers below 0 become 0, and ends of intervals too; this costs nothing and makes sums too
            high on average.
        margins: whether totals of each axis (flows out of and into each cell) get noise of their own, and all numbers are
            fitted to agree; the price is divided.
        total: whether the sum of all groups gets noise of its own, and fitted numbers beside the noisy ones are the nearest
            whole ones of at least 0 that add up to it; the price is divided. Where most groups are empty, this is far
            nearer to the truth than numbers cut at 0, which add up to many times too much.

    Raises:
        ParameterError: a number outside its range, or groups that are selected without a δ. Remedy: in the message.
    """

    price: Price
    most: int
    once: bool
    kept: Kept = Kept.SAMPLED
    weight: int | None = None
    least: int = 0
    selected: bool = False
    nonnegative: bool = False
    margins: bool = False
    total: bool = False

    def __post_init__(self) -> None:
        checked_price(self.price)
        whole(self.most, "most", 1, 2**31 - 1)
        whole(self.least, "least", 0, 2**62)
        if self.weight is not None:
            whole(self.weight, "weight", 1, 2**31 - 1)
        if self.selected and not isinstance(self.price, ApproxDP):
            raise ParameterError(
                "Groups that are found in the traces need a delta.",
                "give ApproxDP(epsilon, delta), or list all groups of the region (`selected` = False).",
            )
        if self.selected + self.margins + self.total > 1:
            raise ParameterError(
                "Listed groups are fitted to their margins or to their total.",
                "keep one of `selected`, `margins`, `total`.",
            )


def share(price: Price, parts: int) -> Price:
    """One of several equal parts of a price.

    Example:
        >>> from fractions import Fraction
        >>> share(PureDP(Fraction(1)), 2)
        PureDP(epsilon=Fraction(1, 2))
    """
    if isinstance(price, PureDP):
        return PureDP(price.epsilon / parts)
    if isinstance(price, ZeroConcentratedDP):
        return ZeroConcentratedDP(price.rho / parts)
    return ApproxDP(price.epsilon / parts, price.delta / parts)


def composed(events: tuple[Event, ...]) -> Event:
    """Several events as one.

    Example:
        >>> from fractions import Fraction
        >>> composed((PureDP(Fraction(1)),))
        PureDP(epsilon=Fraction(1, 1))
    """
    return events[0] if len(events) == 1 else Composed(events)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """How wrong numbers will be, known before anything is read or paid. Of noise alone: what a limit cuts off is not in it.

    Args:
        statistic: which one.
        number: what is counted.
        groups: how many numbers there are; None: as many as are selected.
        mechanism: name of what is done.
        l1: by how much one person moves all numbers together; None: noise is not added to numbers.
        mean_error: the mean |error| of one number, in its unit; None: not known beforehand.
        bad_error: what the |error| of one number does not exceed, with the confidence; None: not known beforehand.
        threshold: groups with fewer noisy persons are not shown; None: all are.
    """

    statistic: str
    number: str
    groups: int | None
    mechanism: str
    l1: int | None
    mean_error: float | None
    bad_error: float | None
    threshold: int | None


class Prepared(Protocol):
    """A statistic whose mechanisms are fixed."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What is paid, before anything is read."""
        ...

    def forecast(self, confidence: float, expected: int | None) -> tuple[Forecast, ...]:
        """How wrong it will be."""
        ...

    def run(self, seen: Seen, confidence: float, bits: Bits) -> tuple[Answer, ...]:
        """The answers."""
        ...


class Statistic(ABC):
    """What is asked of traces; a frozen dataclass."""

    __slots__ = ()

    @property
    @abstractmethod
    def title(self) -> str:
        """What it is, in a few words."""

    @abstractmethod
    def prepared(self, unit: TraceUnit) -> Prepared:
        """Its mechanisms for a unit."""


class Counting(Statistic):
    """A statistic that is a total for each declared group.

    What a person contributes must follow from that person's fixes alone.
    """

    __slots__ = ()

    how: How

    @property
    @abstractmethod
    def by(self) -> tuple[str, ...]:
        """What the groups differ by."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """How many groups there are along each axis."""

    @property
    @abstractmethod
    def noun(self) -> str:
        """What is counted where a person counts with each contribution."""

    @property
    def cut(self) -> int:
        """The greatest amount of one contribution, before weights."""
        return 1

    @abstractmethod
    def contributions(self, seen: Seen) -> Contributions:
        """What each unit does, in order of time, with amounts of at most `cut`."""

    @abstractmethod
    def names(self, axis: int, places: IntArray) -> list[str]:
        """What places along an axis are called."""

    def prepared(self, unit: TraceUnit) -> Prepared:
        """Its mechanisms for a unit."""
        from sfumato.release.mobility.prepared import PreparedCounts

        return PreparedCounts(self, unit)
