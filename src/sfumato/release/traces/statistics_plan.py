"""From [[statistics]] of a plan of traces to statistics with their prices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sfumato.document import trace_statistics as document
from sfumato.document.loading import about
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.contributions import Kept
from sfumato.mechanism.central.selection import Chooser
from sfumato.release.answer.price import price_in, pure_in
from sfumato.release.mobility.answering import event_of
from sfumato.release.mobility.how import Counting, How
from sfumato.release.mobility.lengths import LengthQuantiles, MeanLength
from sfumato.release.mobility.movement import ByGap, ByStays, Flows, Gyration, TripLengths
from sfumato.release.mobility.places import StaysByCell, Visits
from sfumato.release.mobility.top import TopPlaces
from sfumato.release.mobility.unit import TraceUnit
from sfumato.release.traces.plan import region_of
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.document.traces import TracesDocument
    from sfumato.release.mobility.how import Statistic
    from sfumato.release.mobility.movement import Split
    from sfumato.table.plane import Region


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What follows from a plan of statistics alone.

    Args:
        said: the plan.
        region: its cells.
        unit: whom the answers protect.
        statistics: what is asked.
        event: what all cost together.
    """

    said: TracesDocument
    region: Region
    unit: TraceUnit
    statistics: tuple[Statistic, ...]
    event: Event

    @property
    def tables(self) -> tuple[str, ...]:
        """What each table is, in order: a statistic, and then its margins or its total."""
        out = []
        for one in self.statistics:
            out.append(one.title)
            if isinstance(one, Counting) and one.how.margins:
                out += [f"{one.title} by {axis}" for axis in one.by]
            if isinstance(one, Counting) and one.how.total:
                out.append(f"{one.title}: total")
        return tuple(out)


def asked_of(said: TracesDocument) -> Asked:
    """The statistics of a plan.

    Raises:
        PlanError: a statistic that cannot be made private as it is declared, weights that are asked for and not declared.
    """
    region = region_of(said.region)
    unit = TraceUnit(Neighbors.ADD_REMOVE, weekly=said.unit.per == "week")
    most = None if said.weights is None else said.weights.most
    found = []
    for place, one in enumerate(said.statistics):
        with about("statistics", place):
            found.append(statistic_of(one, region, most))
            found[-1].prepared(unit)
    return Asked(said, region, unit, tuple(found), event_of(found, unit))


def statistic_of(said: Any, region: Region, weight: int | None) -> Statistic:
    """The statistic that a table of [[statistics]] describes.

    Args:
        said: the table.
        region: the declared cells.
        weight: the greatest weight; None: no weights are declared.

    Raises:
        PlanError, ParameterError: its numbers are none.
    """
    return BUILDERS[type(said)](said, region, weight)


def _how(said: Any, weight: int | None) -> How:
    """`count` and `price`."""
    count = said.count
    if count.weighted and weight is None:
        raise PlanError(
            "A weighted statistic needs [weights] with the greatest weight.",
            'add such as `weights = {{ column = "weight", most = 500 }}`.',
        )
    return How(
        price_in(said.price),
        count.most,
        count.of == "persons",
        Kept(count.kept),
        weight if count.weighted else None,
        count.least,
        count.selected,
        count.nonnegative,
        count.margins,
        count.total,
    )


def _split(said: document.Trips) -> Split:
    if isinstance(said, document.TripsByGap):
        return ByGap(said.seconds, said.by_day)
    return ByStays(said.seconds, said.metres)


def _mean(said: document.MeanLengthTable, region: Region, weight: int | None) -> Statistic:
    del region, weight
    return MeanLength(said.longest, said.step, _split(said.trips), price_in(said.price), said.most, Kept(said.kept))


def _quantiles(said: document.LengthQuantilesTable, region: Region, weight: int | None) -> Statistic:
    del region, weight
    split = _split(said.trips)
    return LengthQuantiles(
        said.quantiles, said.longest, said.step, split, pure_in(said.price), said.most, Kept(said.kept)
    )


BUILDERS: Mapping[type[Any], Callable[[Any, Region, int | None], Statistic]] = {
    document.VisitsTable: lambda s, region, weight: Visits(region, s.hours, _how(s, weight)),
    document.FlowsTable: lambda s, region, weight: Flows(region, _split(s.trips), _how(s, weight)),
    document.StaysTable: lambda s, region, weight: StaysByCell(region, s.seconds, s.metres, s.minutes, _how(s, weight)),
    document.TripLengthsTable: lambda s, _, weight: TripLengths(s.edges, _split(s.trips), _how(s, weight)),
    document.MeanLengthTable: _mean,
    document.LengthQuantilesTable: _quantiles,
    document.TopPlacesTable: lambda s, region, _: TopPlaces(region, s.k, pure_in(s.price), Chooser(s.chooser)),
    document.GyrationTable: lambda s, region, weight: Gyration(s.edges, region.plane, _how(s, weight)),
}
"""Class of [[statistics]] → what makes the statistic of it. A new statistic is a new line here."""
