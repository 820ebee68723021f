"""Cells, boxes, maps, flows and visits against loops over rows."""

from collections import Counter, defaultdict
from itertools import groupby
from math import log, log2

import numpy as np
import pytest
from scipy.optimize import linprog
from tests.unit.utility.traces.drawn import REGION, drawn

from sfumato.table.traces import Traces, pieces
from sfumato.utility.traces import boxes, flows, heat, order, trips, visits
from sfumato.utility.traces.cover import coverage

SEEDS = range(4)


def cells_of(traces):
    return REGION.codes_of(traces.latitude, traces.longitude).tolist()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("seconds", [None, 1800.0])
def test_covered_cells_are_those_of_sets(seed, seconds):
    def visited(traces, who):
        times = traces.time.tolist() if seconds else [0] * len(traces)
        rows = zip(traces.person.tolist(), cells_of(traces), times, strict=True)
        return {(cell, time // round((seconds or 1) * 1000)) for p, cell, time in rows if p == who}

    original, published = drawn(seed), drawn(seed + 100, least=0)
    rates = []
    for who in range(3):
        before, after = visited(original, who), visited(published, who)
        hit = len(before & after)
        rates.append((hit / len(after) if after else 0, hit / len(before), 2 * hit / (len(before) + len(after))))
    found = coverage(published, original, REGION, seconds=seconds)
    assert (found.precision, found.recall, found.f1) == pytest.approx(np.mean(rates, axis=0))


@pytest.mark.parametrize("seed", SEEDS)
def test_persons_in_boxes_are_counted_one_by_one(seed):
    traces, rng = drawn(seed, persons=5, fixes=60), np.random.default_rng(seed)
    place = np.stack((rng.uniform(45, 45.018, 50), rng.uniform(4, 4.025, 50), rng.uniform(100, 2000, 50)), axis=1)
    begin = rng.integers(0, 2_880, 50) * 60_000
    time = np.stack((begin, begin + rng.integers(0, 600, 50) * 60_000), axis=1)
    wanted = []
    for (lat, lon, side), (first, last) in zip(place.tolist(), time.tolist(), strict=True):
        half = side / 2 / 111_195.0797
        rows = zip(*(getattr(traces, n).tolist() for n in ("person", "time", "latitude", "longitude")), strict=True)
        inside = {
            who for who, t, y, x in rows
            if first <= t <= last and abs(y - lat) <= half and abs(x - lon) * np.cos(np.radians(lat)) <= half
        }  # fmt: skip
        wanted.append(len(inside))
    assert boxes.persons_in(traces, place, time).tolist() == wanted
    assert sum(wanted) > 0


def test_boxes_of_the_same_seed_are_the_same_and_hold_who_is_in_the_middle():
    one, other = drawn(1), drawn(2)
    twice = [boxes.box_errors(other, one, boxes.Boxes(40), rng=np.random.default_rng(7)) for _ in range(2)]
    assert twice[0].tolist() == twice[1].tolist()
    assert boxes.box_errors(one, one, boxes.Boxes(40), rng=np.random.default_rng(7)).max() == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_maps_and_their_distances_are_those_of_counters(seed):
    original, published = drawn(seed), drawn(seed + 100)
    maps = [Counter(cells_of(one)) for one in (original, published)]
    found = [heat.heat(one, REGION) for one in (original, published)]
    for counted, one, traces in zip(maps, found, (original, published), strict=True):
        assert dict(zip(one.cell.tolist(), one.fixes.tolist(), strict=True)) == dict(counted)
        who = {(cell, p) for cell, p in zip(cells_of(traces), traces.person.tolist(), strict=True)}
        assert dict(zip(one.cell.tolist(), one.persons.tolist(), strict=True)) == dict(Counter(c for c, _ in who))
    cells, p, q = heat.side_by_side(*found)
    shares = [[counted[cell] / sum(counted.values()) for cell in cells.tolist()] for counted in maps]
    assert p.tolist() == pytest.approx(shares[0])
    pairs = list(zip(*shares, strict=True))
    wanted = sum(a * log(2 * a / (a + b)) if a else 0 for a, b in pairs)
    wanted += sum(b * log(2 * b / (a + b)) if b else 0 for a, b in pairs)
    assert heat.topsoe(p, q) == pytest.approx(wanted)
    assert heat.total_variation(p, q) == pytest.approx(sum(abs(a - b) for a, b in pairs) / 2)


def test_known_distances_of_maps():
    """(1/2, 1/2) and (1/4, 3/4): KL ½ ln 2 + ½ ln ⅔, cosine ½ / √(½ · ⅝)."""
    p, q = np.array([0.5, 0.5]), np.array([0.25, 0.75])
    assert heat.kullback_leibler(p, q) == pytest.approx(0.5 * log(2) + 0.5 * log(2 / 3))
    assert heat.cosine(p, q) == pytest.approx(0.5 / (0.5 * 0.625) ** 0.5)
    assert heat.topsoe(p, p) == heat.kullback_leibler(p, p) == heat.total_variation(p, p) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_mass_is_moved_as_cheaply_as_by_the_whole_transport_problem(seed):
    """The linear program over all pairs of cells, with their distance along rows and columns."""
    rng = np.random.default_rng(seed)
    cells = np.sort(rng.choice(400, 12, replace=False))
    p, q = (one / one.sum() for one in rng.integers(0, 5, (2, 12)) + 1e-9)
    at = np.stack(np.divmod(cells, 20), axis=1)
    cost = np.abs(at[:, None] - at[None]).sum(axis=2) * 100.0
    rows = np.kron(np.eye(12), np.ones(12)), np.kron(np.ones(12), np.eye(12))
    whole = linprog(cost.ravel(), A_eq=np.concatenate(rows), b_eq=np.concatenate((p, q)), method="highs").fun
    moved, side = heat.earth_movers(cells, p, q, REGION)
    assert (moved, side) == (pytest.approx(whole), 100.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_flows_and_lengths_are_those_of_trips_one_by_one(seed):
    traces = drawn(seed, persons=5, fixes=60)
    piece = pieces(traces, 3600).tolist()
    cells, place = cells_of(traces), list(zip(traces.latitude.tolist(), traces.longitude.tolist(), strict=True))
    found, who, lengths = Counter(), defaultdict(set), []
    for _, group in groupby(range(len(traces)), key=piece.__getitem__):
        rows = list(group)
        first, last = rows[0], rows[-1]
        assert traces.person[first] == traces.person[last]
        if cells[first] != cells[last]:
            found[cells[first], cells[last]] += 1
            who[cells[first], cells[last]].add(int(traces.person[first]))
        if len(rows) > 1:
            steps = traces.kept(np.isin(np.arange(len(traces)), rows)).steps()[0]
            lengths.append(float(steps.sum()))
        assert all(len(place[i]) == 2 for i in rows)
    out = flows.flows(traces, REGION, gap=3600)
    pairs = list(zip(out.origin.tolist(), out.target.tolist(), strict=True))
    assert pairs == sorted(found)
    assert dict(zip(pairs, out.trips.tolist(), strict=True)) == dict(found)
    assert dict(zip(pairs, out.persons.tolist(), strict=True)) == {pair: len(p) for pair, p in who.items()}
    assert trips.trip_lengths(traces, gap=3600).tolist() == pytest.approx(lengths)


def test_no_flow_goes_from_one_person_to_the_next():
    two = Traces("UTC", ("a", "b"), np.array([0, 1]), np.array([0, 1]), np.array([45.0, 45.01]), np.full(2, 4.0))
    assert len(flows.flows(two, REGION, gap=np.inf).trips) == 0
    assert flows.common(*[flows.flows(two, REGION, gap=np.inf)] * 2) == (None, None, None)


@pytest.mark.parametrize("seed", SEEDS)
def test_entropy_and_gyration_are_those_of_each_person(seed):
    traces = drawn(seed)
    cells = np.array(cells_of(traces))
    for who in range(3):
        counted = Counter(cells[traces.person == who].tolist()).values()
        bits = -sum(n / sum(counted) * log2(n / sum(counted)) for n in counted)
        assert trips.entropy(traces, REGION)[who] == pytest.approx(bits)
        east, north = REGION.plane.metres_of(*(x[traces.person == who] for x in (traces.latitude, traces.longitude)))
        flat = np.sqrt(((east - east.mean()) ** 2 + (north - north.mean()) ** 2).mean())
        assert trips.gyration(traces)[who] == pytest.approx(flat, rel=1e-3)
    nobody = traces.kept(traces.person != 1)
    assert np.isnan(trips.gyration(nobody)[1])
    assert np.isnan(trips.entropy(nobody, REGION)[1])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("seconds", [0.0, 600.0])
def test_visits_are_runs_of_fixes_in_a_cell(seed, seconds):
    coarse = REGION.coarser(10)
    traces = drawn(seed, fixes=300)
    cells = coarse.codes_of(traces.latitude, traces.longitude).tolist()
    count, dwell, run = Counter(), Counter(), []
    rows = list(zip(traces.person.tolist(), cells, traces.time.tolist(), strict=True))
    for row in [*rows, (-1, -1, 0)]:
        if run and (row[:2] != run[-1][:2] or row[2] - run[-1][2] > 1_800_000):
            long = (run[-1][2] - run[0][2]) / 1000
            if long >= seconds:
                count[run[0][1]] += 1
                dwell[run[0][1]] += long
            run = []
        run.append(row)
    found = visits.visits(traces, coarse, gap=1800, seconds=seconds)
    assert dict(zip(found.cell.tolist(), found.visits.tolist(), strict=True)) == dict(count)
    assert dict(zip(found.cell.tolist(), found.seconds.tolist(), strict=True)) == pytest.approx(dict(dwell))


def slow_lengths(places):
    """By trying every stretch from every place."""
    out = []
    for i in range(len(places)):
        for length in range(1, len(places) - i + 1):
            piece = places[i : i + length]
            if not any(places[j : j + length] == piece for j in range(i - length + 1)):
                out.append(length)
                break
        else:
            out.append(len(places) - i + 1)
    return out


@pytest.mark.parametrize("seed", range(8))
def test_new_stretches_are_those_that_no_search_finds(seed):
    rng = np.random.default_rng(seed)
    places = rng.integers(0, 2 + seed, 60)
    assert order.new_lengths(places) == slow_lengths(places.tolist())


def test_the_entropy_of_the_order_is_that_of_visits_of_each_person():
    traces = drawn(3, fixes=200)
    coarse = REGION.coarser(10)
    cells = coarse.codes_of(traces.latitude, traces.longitude)
    found = order.order_entropy(traces, coarse)
    for who in range(3):
        own = [cell for cell, _ in groupby(cells[traces.person == who].tolist())]
        assert found[who] == pytest.approx(len(own) * log2(len(own)) / sum(slow_lengths(own)))
    assert np.isnan(order.order_entropy(traces.kept(traces.person != 1), coarse)[1])


def test_cells_beyond_the_surrogates_are_told_apart():
    """More distinct cells than characters below the surrogates: each is new."""
    assert set(order.new_lengths(np.arange(60_000))) == {1}
