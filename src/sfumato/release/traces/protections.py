"""What can be done to the fixes of a release of traces: one function for each class of [[protect]]."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sfumato.document import traces as document
from sfumato.errors import InternalError, PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
from sfumato.mechanism.location.planar import epsilon_per_metre
from sfumato.mechanism.location.promesse import Promesse
from sfumato.table.plane import distance
from sfumato.table.traces import Traces, pieces

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.guarantee.base import Guarantee
    from sfumato.noise.bits import Bits
    from sfumato.table.plane import Region
    from sfumato.types import IntArray


class Protection(Protocol):
    """One of the protections that a plan applies in turn."""

    @property
    def done(self) -> str:
        """What it does, in one sentence with its numbers."""

    def protect(self, traces: Traces, *, bits: Bits) -> Traces:
        """The protected traces; persons keep their codes."""

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
    """

    region: Region
    gap: float
    by_day: bool


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

    def protect(self, traces: Traces, *, bits: Bits) -> Traces:
        """Each fix drawn on its own; times stay."""
        latitude, longitude = self.law.protect(traces.latitude, traces.longitude, bits=bits)
        return Traces(traces.zone, traces.persons, traces.person, traces.time, latitude, longitude)

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

    def protect(self, traces: Traces, *, bits: Bits) -> Traces:
        """The traces at constant speed."""
        del bits
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


def _cells(said: document.GeoIndistinguishability, given: Given) -> Protection:
    """`epsilon`, or `ratio` and `within`."""
    both = said.ratio is not None and said.within is not None
    if (said.epsilon is None) != both or (said.ratio is None) != (said.within is None):
        raise PlanError(
            "Geo-indistinguishability needs `epsilon`, or `ratio` and `within`.",
            "give nats per metre, or for example `ratio = 4` and `within = 200`.",
        )
    if said.ratio is not None and said.within is not None:
        return Cells(GeoIndistinguishable(given.region, epsilon_per_metre(said.ratio, said.within)))
    return Cells(GeoIndistinguishable(given.region, said.epsilon or 0))


def _constant_speed(said: document.Promesse, given: Given) -> Protection:
    """With the pieces of [traces]."""
    return ConstantSpeed(Promesse(said.metres, given.gap, given.by_day))


BUILDERS: Mapping[type[Any], Build] = {
    document.GeoIndistinguishability: _cells,
    document.Promesse: _constant_speed,
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
        week = (traces.clock // 86_400_000 + 3) // 7
        group = np.cumsum((np.diff(traces.person, prepend=-1) != 0) | (np.diff(week, prepend=week[0]) != 0))
    return int(np.bincount(group).max())


def piece_of(traces: Traces, given: Given) -> IntArray:
    """(n,) int64: the piece of each fix."""
    return pieces(traces, given.gap, by_day=given.by_day)
