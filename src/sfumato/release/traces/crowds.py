"""Protections that show persons only with others: one class for each, and the check of k on what is published."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import InternalError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee
from sfumato.mechanism.location.crowds.boxes import alike
from sfumato.mechanism.location.crowds.cloak import by_hilbert, by_quadtree
from sfumato.mechanism.location.crowds.presence import counted_persons, presence
from sfumato.numbers.distinct import distinct
from sfumato.table.traces import Traces

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.document import traces as document
    from sfumato.mechanism.location.crowds.boxes import Boxes
    from sfumato.mechanism.location.crowds.near_paths import NearPaths
    from sfumato.mechanism.location.crowds.shared_paths import SharedPaths
    from sfumato.release.tools import Tools
    from sfumato.table.plane import Region


@dataclass(frozen=True, slots=True)
class Cloaked:
    """Boxes of k persons, slot by slot.

    Args:
        said: the plan's words.
        region: declared cells.
    """

    said: document.Cloak
    region: Region

    @property
    def done(self) -> str:
        """The size of the crowd and of the slot."""
        return (
            f"Each fix became the middle of a box in which at least {self.said.k} persons are shown in the same "
            f"{self.said.seconds} seconds; fixes outside the region and in slots with fewer persons are left out."
        )

    def protect(self, traces: Traces, tools: Tools) -> Traces:
        """Middles of boxes, at the middle of the slot; a person has one a slot."""
        seen = presence(traces, self.region, self.said.seconds)[0]
        way = by_hilbert if self.said.way == "hilbert" else by_quadtree
        out = _middles(traces, way(seen.kept(seen.first), self.said.k, tick=_tick(tools, len(traces.persons))).boxes)
        self.refuse(out, 1)
        return out

    def refuse(self, published: Traces, unit: int) -> None:
        """K persons share each time and place."""
        del unit
        spot = np.stack([published.time.astype(np.float64), published.latitude, published.longitude], axis=1)
        place = np.unique(spot, axis=0, return_inverse=True)[1].ravel()
        if len(published) and counted_persons(place.astype(np.int64), published.person).min() < self.said.k:
            raise InternalError("A written fix is shown for fewer persons than promised; the release must not be used.")

    def guarantee(self, reports: int) -> Guarantee:
        """Of each fix alone."""
        del reports
        return Guarantee(
            name="k-anonymity of positions",
            statement=f"Each released time and place is that of at least {self.said.k} persons.",
            definition="Whoever knows where and when a person was, once, finds k released fixes that could be theirs.",
            parameters={"k": self.said.k, "seconds": self.said.seconds},
            kind="checked",
            source="Kalnis, Ghinita, Mouratidis and Papadias, TKDE 19, 2007, section 4 (reciprocity)",
            assumptions=(
                (
                    "A person is known by one fix only: several fixes of one person can be put together, and who is alone on the "
                    "way is followed."
                ),
            ),
        )


@dataclass(frozen=True, slots=True)
class Shared:
    """One record for k persons.

    Args:
        said: the plan's words.
        region: declared cells.
        paths: the mechanism.
    """

    said: document.SharedPaths
    region: Region
    paths: SharedPaths

    @property
    def done(self) -> str:
        """The size of the crowd and of the boxes."""
        return (
            f"Traces of at least {self.said.k} persons became one and the same sequence of boxes, at most "
            f"{self.said.widest:g} m and {self.said.longest:g} seconds larger than a cell and a slot, shown by their middles; "
            "where somebody of the crowd was not seen nearby, fixes are left out."
        )

    def protect(self, traces: Traces, tools: Tools) -> Traces:
        """Middles of boxes."""
        seen = presence(traces, self.region, self.said.seconds)[0]
        out = _middles(traces, self.paths.decide(seen, _tick(tools, len(distinct(seen.person)))).boxes)
        self.refuse(out, 1)
        return out

    def refuse(self, published: Traces, unit: int) -> None:
        """K records are the same."""
        del unit
        _check_records(published, self.said.k)

    def guarantee(self, reports: int) -> Guarantee:
        """Of whole records."""
        del reports
        return _of_records(self.said.k, {"k": self.said.k, "seconds": self.said.seconds})


@dataclass(frozen=True, slots=True)
class Together:
    """(k, δ)-anonymity.

    Args:
        said: the plan's words.
        region: whose plane is used.
        paths: the mechanism.
    """

    said: document.NearPaths
    region: Region
    paths: NearPaths

    @property
    def done(self) -> str:
        """The size of the group, and how far apart."""
        return (
            f"At least {self.said.k} persons each were moved together, never more than {self.said.delta:g} m apart, at the "
            "times of one of them; who is far from everybody is left out."
        )

    def protect(self, traces: Traces, tools: Tools) -> Traces:
        """Persons who move together."""
        dense, codes = traces.present()
        moved = self.paths.edit(dense, self.region.plane, _tick(tools, len(dense.persons))).traces
        out = Traces(
            traces.zone, traces.persons, codes[moved.person], moved.time, moved.latitude, moved.longitude
        )  # fmt: skip
        self.refuse(out, 1)
        return out

    def refuse(self, published: Traces, unit: int) -> None:
        """With δ = 0, k records are the same."""
        del unit
        if self.said.delta == 0:
            _check_records(published, self.said.k)

    def guarantee(self, reports: int) -> Guarantee:
        """k-anonymity only for δ = 0."""
        del reports
        if self.said.delta == 0:
            return _of_records(self.said.k, {"k": self.said.k})
        return Guarantee(
            name="(k, delta)-anonymity",
            statement=(
                f"At least {self.said.k} persons are never more than {self.said.delta:g} m apart. This is no k-anonymity: who "
                "knows where a person was finds the nearest record."
            ),
            definition="k persons move within a tube of a diameter.",
            parameters={"k": self.said.k, "delta": self.said.delta},
            kind="proved",
            source="Abul, Bonchi and Nanni, ICDE 2008; Trujillo-Rasua and Domingo-Ferrer, Information Systems 38, 2013",
        )


def _tick(tools: Tools, persons: int) -> Callable[[int], None]:
    """Tells how many persons have a crowd."""
    return lambda done: tools.progress(min(done, persons), persons, "gathering crowds")


def _middles(traces: Traces, boxes: Boxes) -> Traces:
    """Middles of boxes, as fixes of the persons of traces."""
    sides = boxes.sides.astype(np.float64)
    side = float(boxes.region.side)
    east, north = (sides[:, 4] + sides[:, 5] + 1) * side / 2, (sides[:, 2] + sides[:, 3] + 1) * side / 2
    latitude, longitude = boxes.region.plane.degrees_of(east, north)
    time = (boxes.sides[:, 0] + boxes.sides[:, 1] + 1) * boxes.seconds * 500
    return Traces(traces.zone, traces.persons, boxes.person, time, latitude, longitude)


def _check_records(published: Traces, k: int) -> None:
    """Every record is that of k persons.

    Raises:
        InternalError: one is not.
    """
    if (alike(published.person, published.time, published.latitude, published.longitude) < k).any():
        raise InternalError("A written record is that of fewer persons than promised; the release must not be used.")


def _of_records(k: int, parameters: dict[str, int]) -> Guarantee:
    """k-anonymity of whole records."""
    return Guarantee(
        name="k-anonymity of traces",
        statement=f"Each released record is that of at least {k} persons.",
        definition="Whoever knows any number of fixes of a person finds at least k persons with the same record.",
        parameters=parameters,
        kind="checked",
        source="Gramaglia and Fiore, CoNEXT 2015, section 2 (k-anonymity of mobile traffic fingerprints)",
        assumptions=("What k persons have in common is told: where all of them were.",),
    )
