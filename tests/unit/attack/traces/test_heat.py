"""Heat maps beside dense ones, and cells anywhere on the Earth."""

import numpy as np
import pytest

from sfumato.attack.traces.heat import HeatMaps, cells_of_earth, heat_maps, topsoe
from sfumato.errors import ParameterError
from sfumato.table.plane import distance
from sfumato.table.traces import Traces


def slow_topsoe(p, q):
    total = 0.0
    for a, b in zip(p, q, strict=True):
        total += a * np.log(2 * a / (a + b)) if a else 0.0
        total += b * np.log(2 * b / (a + b)) if b else 0.0
    return total


@pytest.mark.parametrize("seed", range(5))
def test_divergences_are_those_of_dense_maps(seed):
    rng = np.random.default_rng(seed)
    dense = [np.where(rng.random((6, 9)) < 0.5, rng.random((6, 9)), 0.0) for _ in range(2)]
    dense = [maps + 1e-3 * (np.arange(9) == 0) for maps in dense]
    dense = [maps / maps.sum(axis=1, keepdims=True) for maps in dense]
    one, other = (HeatMaps(6, *np.nonzero(maps), maps[maps > 0]) for maps in dense)
    expected = [[slow_topsoe(p, q) for q in dense[1]] for p in dense[0]]
    assert topsoe(one, other) == pytest.approx(np.array(expected), abs=1e-12)
    assert topsoe(one, one).diagonal() == pytest.approx(np.zeros(6), abs=1e-12)


def test_nobodys_map_is_comparable_with_none_and_strangers_are_farthest():
    maps = HeatMaps(3, np.array([0, 2]), np.array([5, 6]), np.ones(2))
    apart = topsoe(maps, maps)
    assert np.isinf(apart[1]).all()
    assert np.isinf(apart[:, 1]).all()
    assert apart[0, 2] == pytest.approx(2 * np.log(2))


@pytest.mark.parametrize("latitude", [-89.5, -60.0, 0.0, 45.0, 80.0])
def test_cells_have_their_size_everywhere(latitude):
    """Positions in one cell are at most its diagonal apart, and a walk of 8 km east meets eleven cells or so."""
    rng = np.random.default_rng(7)
    lat, lon = latitude + rng.uniform(0, 0.01, 2000), rng.uniform(0, 0.01, 2000)
    cell = cells_of_earth(lat, lon, 800)
    for one in np.unique(cell)[:5]:
        at = np.flatnonzero(cell == one)
        assert distance(lat[at[0]], lon[at[0]], lat[at], lon[at]).max() <= 800 * np.sqrt(2) * 1.01
    along = np.linspace(0, 8000 / (111_195 * np.cos(np.radians(latitude))), 500)
    assert 10 <= len(np.unique(cells_of_earth(np.full(500, latitude), along, 800))) <= 13


def test_only_fixes_that_count_are_on_the_map():
    traces = Traces("UTC", ("a",), np.zeros(2, int), np.arange(2), np.array([45.0, 46.0]), np.zeros(2))
    assert heat_maps(traces, which=np.array([True, False])).share.tolist() == [1.0]
    with pytest.raises(ParameterError, match="side"):
        heat_maps(traces, 0.5)
