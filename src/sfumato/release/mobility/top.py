"""The places that most persons visit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.account.event import PureDP, to_data
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.contributions import Limit, PersonTotals
from sfumato.mechanism.central.selection import Chooser, Selection
from sfumato.release.answer.answer import Answer
from sfumato.release.answer.price import in_words
from sfumato.release.mobility.how import MOST_LISTED, Forecast, Statistic, composed, share
from sfumato.release.mobility.places import added, cell_names, places_in
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.noise.bits import Bits
    from sfumato.release.mobility.unit import Seen, TraceUnit
    from sfumato.table.plane import Region


@dataclass(frozen=True, slots=True)
class TopPlaces(Statistic):
    """The k cells that most persons visit, and how many do.

    Half of the price chooses the cells, one after the other; a person counts once in a cell, so moves each score by 1
    only, in however many cells. The other half pays for the numbers of persons in the k chosen cells, in all of which one
    person may be.

    Args:
        region: its cells.
        k: how many cells, >= 1.
        price: PureDP.
        chooser: how one cell is chosen.

    Raises:
        ParameterError: another price, or more cells than can be listed. Remedy: in the message.
    """

    region: Region
    k: int
    price: PureDP
    chooser: Chooser = Chooser.PERMUTE_AND_FLIP

    def __post_init__(self) -> None:
        if not isinstance(self.price, PureDP):
            raise ParameterError("Places are chosen at a pure price.", "give PureDP(epsilon).")
        if self.region.rows * self.region.columns > MOST_LISTED:
            raise ParameterError("Places are chosen among at most 2^20 cells.", "declare fewer cells.")

    @property
    def title(self) -> str:
        """What it is."""
        return "most visited cells"

    def prepared(self, unit: TraceUnit) -> PreparedTop:
        """Its mechanisms."""
        return PreparedTop(self, unit)


@dataclass(frozen=True, slots=True)
class PreparedTop:
    """The mechanisms of the most visited cells."""

    statistic: TopPlaces
    unit: TraceUnit

    @property
    def selection(self) -> Selection:
        """What chooses the cells."""
        one = self.statistic
        price = PureDP(one.price.epsilon / 2)
        together = self.unit.neighbors is Neighbors.ADD_REMOVE
        return Selection(price, 1, together, one.region.rows * one.region.columns, one.chooser, one.k)

    @property
    def numbers(self) -> PersonTotals:
        """Noise of the numbers of persons."""
        one = self.statistic
        return PersonTotals(Limit(self.unit.neighbors, one.k, once=True), share(one.price, 2), one.k)

    @property
    def events(self) -> tuple[Event, ...]:
        """What is paid."""
        return self.selection.event, self.numbers.event

    def forecast(self, confidence: float, expected: int | None) -> tuple[Forecast, ...]:
        """By how many persons the first cell may fall short, and how wrong numbers will be."""
        del expected
        one, noise = self.statistic, self.numbers
        return (
            Forecast(
                statistic=one.title, number="persons that the first cell falls short", groups=one.k,
                mechanism=self.selection.name, l1=None, mean_error=float(self.selection.expected_error_bound()),
                bad_error=float(self.selection.error_bound(confidence)), threshold=None,
            ),
            Forecast(
                statistic=one.title, number="persons", groups=one.k, mechanism=noise.name, l1=noise.sensitivity.l1,
                mean_error=noise.noise.law.mean_error, bad_error=noise.error(confidence), threshold=None,
            ),
        )  # fmt: skip

    def run(self, seen: Seen, confidence: float, bits: Bits) -> tuple[Answer, ...]:
        """The answer."""
        one, traces = self.statistic, seen.traces
        cell = places_in(one.region, traces.latitude, traces.longitude)
        visits = added(traces.person, cell, one.region.rows * one.region.columns).once()
        chosen = self.selection.decide(visits.totals(), bits=bits)
        inside = visits.within(chosen)
        found = self.numbers.decide(self.numbers.totals(inside, bits=bits), confidence=confidence, bits=bits)
        values, low, high = (tuple((x,) for x in end.tolist()) for end in (found.values, found.low, found.high))
        return (
            Answer(
                question=one.title, by=("cell",), keys=tuple((name,) for name in cell_names(one.region, chosen)),
                cells=("persons",), values=values, low=low, high=high, confidence=confidence,
                mechanism=f"{self.selection.name} and {self.numbers.name}", cost=to_data(composed(self.events)),
                price=in_words(one.price), sensitivity=f"{self.selection.argument} {self.numbers.argument}",
                unit=self.unit.sentence, seeded=not bits.is_secure,
                notes=("Cells stand in the order in which they were chosen; a person counts once in a cell.",),
            ),
        )  # fmt: skip
