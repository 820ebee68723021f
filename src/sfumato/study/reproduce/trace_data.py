"""Public tables of traces: check-ins of Gowalla in New York, taxis of Cabspotting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.traces.clusters import Search
from sfumato.attack.traces.portraits import Sight
from sfumato.frozen import dataclass
from sfumato.study.reproduce.data import Dataset
from sfumato.table.clock import read_times
from sfumato.table.plane import Plane, Region
from sfumato.table.traces import traces_from

if TYPE_CHECKING:
    from sfumato.study.reproduce.experiment import Order
    from sfumato.table.clock import Written
    from sfumato.table.traces import Traces


@dataclass(frozen=True, slots=True)
class TraceSet:
    """A public table of traces, and how it is looked at.

    Args:
        name: end of the experiments' names.
        data: where it is.
        zone: of the persons.
        written: how times are written.
        sight: what a place is.
        region: cells of 10 m for what is protected.
        least: fixes of a person at least; others are left out.
        quick: persons of a quick version.
    """

    name: str
    data: Dataset
    zone: str
    written: Written
    sight: Sight
    region: Region
    least: int
    quick: int


GOWALLA = TraceSet(
    "gowalla",
    Dataset(
        title="Gowalla, check-ins in New York City (2009-2010)",
        published='"loc-gowalla" of the Stanford Network Analysis Project, cut to 40.48..40.92 N, -74.26..-73.70 E',
        files=("mobility_gowalla_nyc/gowalla_nyc_checkins.csv.gz", "gowalla_nyc_checkins.csv.gz", "gowalla_nyc_checkins.csv"),
        columns=(("user", "uid"), ("checkin_time", "time"), ("lat", "latitude"), ("lon", "lng", "longitude")),
        missing=(),
        rows=138_957,
    ),
    "America/New_York",
    "utc",
    Sight(search=None),
    Region(Plane(40.40, -74.40), 10, 6_000, 8_000),
    50,
    50,
)  # fmt: skip
CABSPOTTING = TraceSet(
    "cabspotting",
    Dataset(
        title="Cabspotting, 50 taxis of San Francisco (2008)",
        published='CRAWDAD "epfl/mobility"; a Parquet file with degrees times 100,000 is read as well',
        files=("mobility_cabspotting/cabspotting_50cabs.parquet", "cabspotting_50cabs.parquet", "cabspotting.csv"),
        columns=(("cab", "id"), ("t", "time"), ("lat_e5", "lat", "latitude"), ("lon_e5", "lon", "lng", "longitude")),
        missing=(),
        rows=1_123_175,
    ),
    "America/Los_Angeles",
    "seconds",
    Sight(Search()),
    Region(Plane(37.0, -123.0), 10, 12_000, 12_000),
    50,
    10,
)
SETS = (GOWALLA, CABSPOTTING)


def traces_of(order: Order, given: TraceSet) -> Traces:
    """The traces of a table: of persons with enough fixes; in a quick version, of those with most fixes.

    Raises:
        SchemaError: no row has a person, a time and a place. Remedy: give the published table.
    """
    cells = list(order.public_table().cells.values())
    (names, person), (times, time) = (np.unique(np.array(one), return_inverse=True) for one in cells[:2])
    moments = read_times(times.tolist(), given.zone, given.written).at(time.ravel())
    place = [np.array(one, np.float64) for one in cells[2:]]
    scale = 1e-5 if max(np.abs(one).max() for one in place) > 180 else 1.0
    both = place[0] * scale, place[1] * scale
    found, _ = traces_from(tuple(names.tolist()), person.ravel(), moments, both, zone=given.zone, fastest=None)
    often = np.bincount(found.person, minlength=len(found.persons))
    enough = often >= given.least
    if order.quick:
        enough &= often >= np.sort(often)[-min(given.quick, len(often))]
    return found.only(np.flatnonzero(enough))
