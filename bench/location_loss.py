"""How far do reports of a position lie from the truth? Planar Laplace, with the optimal remap, and the optimal mechanism.

Check-ins of Gowalla in Manhattan. The prior is made of the first half of the check-ins (by time), as a public table would
be; distances are averaged under this prior and over the second half, which it has not seen.

Run: python bench/location_loss.py
"""

from __future__ import annotations

import time

import numpy as np
import pyarrow.csv as pc
from timing import shared_folder, write

from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
from sfumato.mechanism.location.loss import law_of
from sfumato.mechanism.location.optimal import optimal
from sfumato.mechanism.location.planar import epsilon_per_metre
from sfumato.mechanism.location.prior import Prior, cells_of_region, expected_metres
from sfumato.mechanism.location.remap import remap_of
from sfumato.table.plane import Plane, Region

CORNER = Plane(40.70, -74.02)
SIDE, ROWS = 1000, 8


def halves(region):
    """How many check-ins of each half lie in each cell."""
    table = pc.read_csv(shared_folder() / "data" / "mobility_gowalla_nyc" / "gowalla_nyc_checkins.csv.gz")
    order = np.argsort(table["checkin_time"].to_numpy())
    lat, lon = (table[name].to_numpy()[order] for name in ("lat", "lon"))
    east, north = region.plane.metres_of(lat, lon)
    inside = (north >= 0) & (north < SIDE * region.rows) & (east >= 0) & (east < SIDE * region.columns)
    cells = region.cells_of(lat, lon)
    number, first = cells[:, 0] * region.columns + cells[:, 1], np.arange(len(lat)) < len(lat) // 2
    return [np.bincount(number[inside & half], minlength=region.rows * region.columns) for half in (first, ~first)]


def main() -> None:
    """One row for each epsilon."""
    region = Region(CORNER, SIDE, ROWS, ROWS)
    places = cells_of_region(region)
    known, later = halves(region)
    prior, unseen = Prior(known, origin="the first half"), Prior(later, origin="the second half")
    rows = []
    for ratio, metres in ((2, 1000), (4, 1000), (8, 1000)):
        epsilon = epsilon_per_metre(ratio, metres)
        protection = GeoIndistinguishable(region, epsilon)
        law = law_of(protection.rate, ROWS, ROWS)
        remap = remap_of(protection, prior)
        moved = np.zeros_like(law)
        np.add.at(moved.T, remap.to, law.T)
        row = {"likelier": ratio, "within_m": metres}
        named = {"planar": law, "remap": moved}
        for dilation in (1.0, 1.05, 1.5):
            began = time.perf_counter()
            best = optimal(places, epsilon, prior, dilation=dilation)
            row[f"seconds {dilation}"] = time.perf_counter() - began
            row[f"lost by exactness {dilation}"] = best.loss - best.least
            named[f"optimal {dilation}"] = best.law
        for name, one in named.items():
            row[f"{name} m"] = expected_metres(one, places[2], prior)
            row[f"{name} unseen m"] = expected_metres(one, places[2], unseen)
        rows.append(row)
    write("location_loss", rows, ("scipy",), runs=1)


if __name__ == "__main__":
    main()
