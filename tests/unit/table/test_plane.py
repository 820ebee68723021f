"""Declared planes: metres against the sphere, cells, and how much a distance may be stretched."""

import math

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.table.cells import EARTH
from sfumato.table.plane import Plane, Region, distance

RNG = np.random.default_rng(51)


def test_distances_of_the_sphere_are_those_of_the_scalar_product():
    lat, lon = np.degrees(np.arcsin(RNG.uniform(-1, 1, (2, 1000)))), RNG.uniform(-180, 180, (2, 1000))
    points = np.stack(
        [
            np.cos(np.radians(lat)) * np.cos(np.radians(lon)),
            np.cos(np.radians(lat)) * np.sin(np.radians(lon)),
            np.sin(np.radians(lat)),
        ]
    )
    slow = EARTH * np.arccos(np.clip((points[:, 0] * points[:, 1]).sum(axis=0), -1, 1))
    assert np.allclose(distance(lat[0], lon[0], lat[1], lon[1]), slow, atol=1)  # fmt: skip
    assert distance(np.float64(0), np.float64(179.5), np.float64(0), np.float64(-179.5)) == pytest.approx(
        math.radians(EARTH)
    )


def test_degrees_come_back_also_over_the_180th_meridian():
    plane = Plane(-17.7, 179.9)
    lat, lon = np.array([-17.5, -17.6]), np.array([-179.9, 179.95])
    east, north = plane.metres_of(lat, lon)
    assert 0 < east[1] < east[0] < 30_000
    back = plane.degrees_of(east, north)
    assert np.allclose(back, [lat, lon], atol=1e-12)


@pytest.mark.parametrize(("latitude", "rows"), [(45.7, 500), (-45.7, 500), (0.0, 2000), (70.0, 3000), (-70.0, 3000)])
def test_no_metre_of_the_sphere_is_longer_on_the_plane_than_the_region_says(latitude, rows):
    region = Region(Plane(latitude, 4.78), 100, rows, rows)
    lat, lon = region.centers_of(RNG.integers(0, rows, (4000, 2)))
    east, north = region.plane.metres_of(lat, lon)
    on_plane = np.hypot(east[:2000] - east[2000:], north[:2000] - north[2000:])
    on_sphere = distance(lat[:2000], lon[:2000], lat[2000:], lon[2000:])
    far = on_sphere > 1
    assert (on_plane[far] <= on_sphere[far] * region.stretch).all()
    assert region.stretch >= 1


def test_every_center_lies_in_its_cell():
    region = Region(Plane(45.7, 4.78), "33.3", 70, 90)
    cells = np.stack(np.divmod(np.arange(70 * 90), 90), axis=1)
    assert np.array_equal(region.cells_of(*region.centers_of(cells)), cells)


@pytest.mark.parametrize("wrong", [lambda: Plane(86, 0), lambda: Plane(float("nan"), 0), lambda: Plane(0, 181), lambda: Region(Plane(0, 0), 0, 1, 1),
    lambda: Region(Plane(0, 0), 1, 0, 1), lambda: Region(Plane(84, 0), 1000, 200, 1), lambda: Region(Plane(0, 0), 10**5, 1, 250)])  # fmt: skip
def test_planes_and_regions_elsewhere_are_refused(wrong):
    with pytest.raises(ParameterError):
        wrong()


@pytest.mark.parametrize("position", [(91.0, 0.0), (0.0, 181.0), (float("nan"), 0.0), (float("inf"), 0.0)])
def test_no_place_is_refused(position):
    with pytest.raises(ParameterError, match="latitude"):
        Plane(0, 0).metres_of(*(np.array([x]) for x in position))
