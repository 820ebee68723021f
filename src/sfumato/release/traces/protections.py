"""What can be done to the fixes of a release of traces: one function for each class of [[protect]]."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from sfumato.document import traces as document
from sfumato.errors import InternalError, PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
from sfumato.mechanism.location.planar import epsilon_per_metre
from sfumato.mechanism.location.predictive import Predictive
from sfumato.mechanism.location.promesse import Promesse
from sfumato.mechanism.location.remembered import Remembered
from sfumato.table.plane import distance
from sfumato.table.traces import Traces, pieces

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.guarantee.base import Guarantee
    from sfumato.release.tools import Tools
    from sfumato.table.plane import Region
    from sfumato.types import FloatArray, IntArray


class Protection(Protocol):
    """One of the protections that a plan applies in turn."""

    @property
    def done(self) -> str:
        """What it does, in one sentence with its numbers."""

    def protect(self, traces: Traces, tools: Tools) -> Traces:
        """The protected traces; persons keep their codes. What takes long tells progress, which may raise to stop it."""

    def refuse(self, published: Traces, unit: int) -> None:
        """Check traces that were written and that this protection made last.

        Args:
            published: by released persons.
            unit: milliseconds in which times are told.

        Raises:
            InternalError: they are not as it leaves traces.
        """

    def guarantee(self, reports: int) -> Guarantee | None:
        """The promise, where so many fixes of one person (or person and week) were protected; None: none is made."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a protection knows beside its own keys: all of it is public.

    Args:
        region: the declared cells.
        gap: seconds after which a piece ends.
        by_day: whether pieces end with local days.
        per: whose reports are added up: person or week.
    """

    region: Region
    gap: float
    by_day: bool
    per: str = "person"


@dataclass(frozen=True, slots=True)
class Cells:
    """Geo-indistinguishable cells.

    Args:
        law: the mechanism.
    """

    law: GeoIndistinguishable

    @property
    def done(self) -> str:
        """A cell for each fix."""
        side, mean = float(self.law.region.side), 2 / float(self.epsilon)
        return (
            f"Each fix became the center of a cell of {side:g} m that was drawn around its own, with probability falling as "
            f"e^(-{float(self.epsilon):g} · metres): about {mean:g} m away on average."
        )

    @property
    def epsilon(self) -> Fraction:
        """Nats per metre."""
        return self.law.rate / self.law.region.side

    def protect(self, traces: Traces, tools: Tools) -> Traces:
        """Each fix drawn on its own; times stay."""
        return _moved(traces, self.law.protect(traces.latitude, traces.longitude, bits=tools.bits))

    def refuse(self, published: Traces, unit: int) -> None:
        """Every fix is the center of a cell."""
        del unit
        centers = self.law.region.centers_of(self.law.region.cells_of(published.latitude, published.longitude))
        if not (np.array_equal(centers[0], published.latitude) and np.array_equal(centers[1], published.longitude)):
            raise InternalError("A written fix is no center of a cell; the release must not be used.")

    def guarantee(self, reports: int) -> Guarantee:
        """Per metre; reports add up."""
        return self.law.guarantee(max(reports, 1))


@dataclass(frozen=True, slots=True)
class Once(Cells):
    """Geo-indistinguishable cells, each of a person drawn once."""

    @property
    def done(self) -> str:
        """A cell for each cell."""
        side, mean = float(self.law.region.side), 2 / float(self.epsilon)
        return (
            f"Each cell of {side:g} m of a person became one that was drawn around it once and reported whenever the person "
            f"was there, with probability falling as e^(-{float(self.epsilon):g} · metres): about {mean:g} m away on average."
        )

    def protect(self, traces: Traces, tools: Tools) -> Traces:
        """One draw for each person and cell; times stay."""
        cells = self.law.region.cells_of(traces.latitude, traces.longitude)
        reports, _ = Remembered(self.law).randomize(traces.person, cells, bits=tools.bits)
        return _moved(traces, self.law.region.centers_of(reports))

    def guarantee(self, reports: int) -> Guarantee:
        """Distinct cells add up; there are at most as many as reports."""
        return Remembered(self.law).guarantee(max(reports, 1))


@dataclass(frozen=True, slots=True)
class Tested(Cells):
    """Geo-indistinguishable cells, the last one again while a noisy test finds it near.

    Args:
        way: the mechanism.
    """

    way: Predictive

    @property
    def done(self) -> str:
        """A test for each fix, and a cell where it fails."""
        end = "" if self.way.budget is None else f", until a person had spent {float(self.way.budget):g} nats per metre"
        return (
            f"Of each fix a noisy test ({float(self.way.test):g} nats per metre) asked whether the last reported cell lies "
            f"within {float(self.way.metres):g} m; it was reported again, or a new one was drawn "
            f"({float(self.epsilon):g} nats per metre){end}."
        )

    def protect(self, traces: Traces, tools: Tools) -> Traces:
        """Fix by fix; times stay."""
        cells = self.law.region.cells_of(traces.latitude, traces.longitude)
        return _moved(
            traces, self.law.region.centers_of(self.way.randomize(traces.person, cells, bits=tools.bits).cells)
        )

    def guarantee(self, reports: int) -> Guarantee:
        """At worst, or the budget."""
        return self.way.guarantee(max(reports, 1))


def _moved(traces: Traces, place: tuple[FloatArray, FloatArray]) -> Traces:
    """The same persons and times elsewhere."""
    return Traces(traces.zone, traces.persons, traces.person, traces.time, *place)


@dataclass(frozen=True, slots=True)
class ConstantSpeed:
    """Promesse.

    Args:
        smoothing: the mechanism.
    """

    smoothing: Promesse

    @property
    def done(self) -> str:
        """Equal distances and times."""
        return (
            f"Each piece of a trace became fixes {self.smoothing.metres:g} m apart and at equal times, without its two ends; "
            "pieces in which a person hardly moves are left out."
        )

    def protect(self, traces: Traces, tools: Tools) -> Traces:
        """The traces at constant speed."""
        del tools
        return self.smoothing.smooth(traces)

    def refuse(self, published: Traces, unit: int) -> None:
        """Fixes of a piece are equally far apart, unless some fell together because times are told no finer.

        On a jump of hundreds of kilometres, straight lines of degrees are not even in metres: nine in ten steps are compared
        closely, all of them by half.
        """
        steps = np.diff(pieces(published, self.smoothing.gap, by_day=self.smoothing.by_day)) == 0
        lat, lon = published.latitude, published.longitude
        metres = distance(lat[:-1], lon[:-1], lat[1:], lon[1:])[steps & (np.diff(published.time) > unit)]
        off = np.abs(metres / self.smoothing.metres - 1)
        if (off > 0.5).any() or (len(off) >= 100 and float(np.quantile(off, 0.9)) > 0.001):
            raise InternalError("Written fixes are not at equal distances; the release must not be used.")

    def guarantee(self, reports: int) -> None:
        """None is made."""
        del reports


Build = Callable[[Any, Given], Protection]


_OfCells: TypeAlias = document.GeoIndistinguishability | document.MemoisedReports | document.PredictiveReports


def _law(said: _OfCells, given: Given) -> GeoIndistinguishable:
    """`epsilon`, or `ratio` and `within`."""
    both = said.ratio is not None and said.within is not None
    if (said.epsilon is None) != both or (said.ratio is None) != (said.within is None):
        raise PlanError(
            "Geo-indistinguishability needs `epsilon`, or `ratio` and `within`.",
            "give nats per metre, or for example `ratio = 4` and `within = 200`.",
        )
    if said.ratio is not None and said.within is not None:
        return GeoIndistinguishable(given.region, epsilon_per_metre(said.ratio, said.within))
    return GeoIndistinguishable(given.region, said.epsilon or 0)


def _of_person(given: Given) -> None:
    """What one person tells in all is counted, not what one week does."""
    if given.per != "person":
        raise PlanError(
            "Reports that are remembered or tested are counted by person; [unit] counts them by week.",
            'leave `per = "week"` out, or name "geo-indistinguishability".',
        )


def _cells(said: document.GeoIndistinguishability, given: Given) -> Protection:
    """Each fix on its own."""
    return Cells(_law(said, given))


def _once(said: document.MemoisedReports, given: Given) -> Protection:
    """Each cell once."""
    _of_person(given)
    return Once(_law(said, given))


def _tested(said: document.PredictiveReports, given: Given) -> Protection:
    """The last cell while it is near."""
    _of_person(given)
    law = _law(said, given)
    return Tested(law, Predictive(law, said.test, said.metres, said.budget))


def _constant_speed(said: document.Promesse, given: Given) -> Protection:
    """With the pieces of [traces]."""
    return ConstantSpeed(Promesse(said.metres, given.gap, given.by_day))


def _cloak(said: document.Cloak, given: Given) -> Protection:
    """Boxes slot by slot."""
    from sfumato.release.traces.crowds import Cloaked

    if said.k < 2 or said.seconds < 1:
        raise PlanError(
            "A cloak needs k of at least 2 and slots of at least 1 second; got {k} and {seconds}.",
            "such as `k = 10` and `seconds = 1800`.",
            k=said.k,
            seconds=said.seconds,
        )
    return Cloaked(said, given.region)


def _shared_paths(said: document.SharedPaths, given: Given) -> Protection:
    """One record for k persons."""
    from sfumato.mechanism.location.crowds.shared_paths import SharedPaths
    from sfumato.release.traces.crowds import Shared

    return Shared(said, given.region, SharedPaths(said.k, said.widest, said.longest, max(2000, 4 * said.k)))


def _near_paths(said: document.NearPaths, given: Given) -> Protection:
    """Persons who move together."""
    from sfumato.mechanism.location.crowds.near_paths import NearPaths
    from sfumato.release.traces.crowds import Together

    paths = NearPaths(said.k, said.delta, said.radius, said.apart, max(2000, 4 * said.k))
    return Together(said, given.region, paths)


def _rule(said: document.RuleTable, given: Given) -> Protection:
    """One rule; those that follow each other are put together afterwards."""
    from sfumato.release.traces.ruled import rule_of

    del given
    return rule_of(said)


LAST = (document.Cloak, document.SharedPaths, document.NearPaths)
"""Protections whose promise is about what k persons have in common: nothing may change it afterwards."""

BUILDERS: Mapping[type[Any], Build] = {
    document.GeoIndistinguishability: _cells,
    document.MemoisedReports: _once,
    document.PredictiveReports: _tested,
    document.Promesse: _constant_speed,
    document.RuleTable: _rule,
    document.Cloak: _cloak,
    document.SharedPaths: _shared_paths,
    document.NearPaths: _near_paths,
}
"""Class of [[protect]] → what makes the protection of it. A new protection is a new line here."""


def protection_of(said: Any, given: Given) -> Protection:
    """The protection that a table of [[protect]] describes.

    Raises:
        PlanError, ParameterError: its numbers are none.
    """
    return BUILDERS[type(said)](said, given)


def most_reports(traces: Traces, per: str) -> int:
    """Fixes of the person, or of the person and local week, that has most of them; 0 where there is none."""
    if not len(traces):
        return 0
    group: IntArray = traces.person
    if per == "week":
        week = traces.week
        group = np.cumsum((np.diff(traces.person, prepend=-1) != 0) | (np.diff(week, prepend=week[0]) != 0))
    return int(np.bincount(group).max())


def piece_of(traces: Traces, given: Given) -> IntArray:
    """(n,) int64: the piece of each fix."""
    return pieces(traces, given.gap, by_day=given.by_day)
