"""What reports and smoothed traces do not promise, shown by whoever looks for it. Draws are seeded: no false alarms."""

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import sfumato
from sfumato import Neighbors, trace_statistics
from sfumato.account.event import PureDP
from sfumato.attack.traces.heat import HeatLink, heat_maps
from sfumato.attack.traces.places import Places
from sfumato.attack.traces.repeated_positions import RepeatedPositions
from sfumato.attack.traces.stays import stays
from sfumato.errors import SfumatoError
from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
from sfumato.mechanism.location.predictive import Predictive
from sfumato.mechanism.location.promesse import Promesse
from sfumato.mechanism.location.remembered import Remembered
from sfumato.mechanism.location.rules import Circle, Rule, apply
from sfumato.release.mobility.how import How
from sfumato.release.mobility.places import Visits
from sfumato.release.mobility.unit import TraceUnit
from sfumato.table.plane import Plane, Region, distance
from sfumato.table.traces import Traces, pieces
from sfumato.testing.seeded_bits import SeededBits

LYON = Region(Plane(45.70, 4.78), metres=50, rows=400, columns=400)
LAW = GeoIndistinguishable(LYON, "0.01")
HOME = np.array([200, 200])
AWAY = np.array([360, 200])
DAY = 86_400_000
COLUMNS = {"person": "who", "time": "at", "latitude": "lat", "longitude": "lon", "zone": "UTC", "written": "seconds"}


def metres_off(reports, true=HOME):
    """How far the likeliest position of a person's reports is from a cell."""
    of_one = Places(np.zeros(len(reports), int), reports * 50.0)
    return float(np.linalg.norm(RepeatedPositions().guess(of_one, None, np.random.default_rng(0))[0] - true * 50))


def test_whoever_stays_is_found_by_averaging_fresh_reports_of_any_number_of_releases():
    """900 reports of 200 m each, as three releases of 300 or as one: the likeliest position misses by some 6 metres."""
    fresh = np.concatenate([LAW.randomize(np.tile(HOME, (300, 1)), bits=SeededBits(i)) for i in range(3)])
    assert np.linalg.norm((fresh - HOME) * 50, axis=1).mean() > 150
    assert metres_off(fresh) < 25
    once, _ = Remembered(LAW).randomize(np.zeros(900, int), np.tile(HOME, (900, 1)), bits=SeededBits(3))
    assert len(np.unique(once, axis=0)) == 1  # what is remembered misses as much after 900 reports as after one


def test_far_positions_are_told_apart_by_one_report():
    """Of 200 reports from each of two towns 8 km apart, every one is nearer to its own: one strays with chance 2e-16."""
    for town, other in ((HOME, AWAY), (AWAY, HOME)):
        reports = LAW.randomize(np.tile(town, (200, 1)), bits=SeededBits(1))
        assert (np.linalg.norm(reports - town, axis=1) < np.linalg.norm(reports - other, axis=1)).all()


PROTECTIONS = [
    {"name": "geo-indistinguishability", "epsilon": "0.0001"},
    {"name": "memoised-reports", "epsilon": "0.0001"},
    {"name": "predictive-reports", "epsilon": "0.0001", "test": "0.0001", "metres": 9000},
]


@pytest.mark.parametrize("protect", PROTECTIONS, ids=lambda one: one["name"])
def test_when_somebody_reports_says_who_it_is(protect):
    """Eight persons at one place under new numbers: nothing but times differs, and times alone are those of one person."""
    hours = [np.sort(np.random.default_rng(i).choice(168, 20, replace=False)) * 3600 for i in range(8)]
    fixes = {
        "who": np.repeat([f"p{i}" for i in range(8)], 20),
        "at": np.concatenate(hours),
        "lat": np.full(160, 45.75),
        "lon": np.full(160, 4.85),
    }
    region = {"latitude": 45.70, "longitude": 4.78, "metres": 500, "rows": 40, "columns": 40}
    document = {"format": "sfumato.plan/1", "traces": COLUMNS, "region": region, "protect": [protect]}
    plan = sfumato.plan_from(document | {"measure": {"trials": 5, "boxes": 2}}, folder=".")
    released = sfumato.run(plan, pa.table(fixes))
    shown = {}
    for who, at in zip(released.frame["who"].to_pylist(), released.frame["at"].to_pylist(), strict=True):
        shown.setdefault(who, set()).add(at)
    assert sorted(map(sorted, shown.values())) == sorted(one.tolist() for one in hours)
    assert any("was out at a time is not hidden" in note for note in released.result.notes)


def test_remembered_reports_show_who_returns_and_when():
    """One is at one cell on the same days, one never twice: both patterns stand in the reports as they are."""
    days = np.array([0, 1, 0, 2, 0, 3, 0, 4])
    returns, never = (HOME + np.stack([20 * way, 0 * way], axis=1) for way in (days, np.arange(8)))
    for way in (returns, never):
        reports, _ = Remembered(LAW).randomize(np.zeros(8, int), way, bits=SeededBits(5))
        same = (reports[:, None] == reports[None]).all(axis=2)
        assert np.array_equal(same, (way[:, None] == way[None]).all(axis=2))


def test_distinct_cells_of_remembered_reports_add_up():
    """400 cells around home, each drawn once: home is found as from 400 reports of it."""
    around = HOME + np.stack(np.divmod(np.arange(400), 20), axis=1) - 10
    reports, _ = Remembered(LAW).randomize(np.zeros(400, int), around, bits=SeededBits(6))
    assert metres_off(reports) < 75  # cells are half a cell off the middle


def test_predictive_reports_show_how_often_a_person_moved_on():
    """Sixty reports: one stays, one is 7 km elsewhere every five; changes of the report tell them apart."""
    stayed = np.tile(HOME, (60, 1))
    moved = HOME + np.stack([140 * (np.arange(60) // 5 % 2), np.zeros(60, int)], axis=1)
    run = Predictive(LAW, "0.01", 700, None).randomize(
        np.repeat([0, 1], 60), np.concatenate([stayed, moved]), bits=SeededBits(7)
    )
    changes = [(np.diff(run.cells[run_of], axis=0) != 0).any(axis=1).sum() for run_of in (slice(60), slice(60, 120))]
    assert changes[0] <= 5
    assert changes[1] >= 11


def ways(n, seed):
    """Persons who walk a street of their own, 15 minutes out and back, on four days, and stay at its end for an hour."""
    chance = np.random.default_rng(seed)
    out = np.concatenate([np.arange(16), np.full(60, 15), np.arange(15, -1, -1)])
    start, turn = chance.uniform(0, 0.08, (n, 2)), chance.uniform(0, 2 * np.pi, n)
    step = 0.002 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    place = (np.array([45.74, 4.82]) + start)[:, None, None] + step[:, None, None] * out[None, None, :, None]
    place = np.broadcast_to(place, (n, 4, len(out), 2)).reshape(-1, 2)
    time = (np.arange(4)[:, None] * DAY + np.arange(len(out)) * 60_000 + 28_800_000).ravel()
    person = np.repeat(np.arange(n), 4 * len(out))
    return Traces("UTC", tuple(map(str, range(n))), person, np.tile(time, n), place[:, 0], place[:, 1])


@pytest.mark.parametrize("how", ["constant speed", "noise of 200 m"])
def test_heat_maps_find_persons_whose_stays_are_gone(how):
    """Twelve persons: no stay is left, and at least ten are found by the way; by chance 1 is, ten with chance 1e-9."""
    traces = ways(12, 1)
    first = traces.time < 2 * DAY
    known, later = traces.kept(first), traces.kept(~first)
    if how == "constant speed":
        shown = Promesse(metres=100, gap=3600).smooth(later)
    else:
        cells = LYON.cells_of(later.latitude, later.longitude)
        reports = LYON.centers_of(LAW.randomize(cells, bits=SeededBits(8)))
        shown = Traces("UTC", later.persons, later.person, later.time, *reports)
    left = [len(stays(one, seconds=900, metres=200, piece=pieces(one, 3600)).person) for one in (later, shown)]
    assert left == [24, 0]
    guess = HeatLink().guess(heat_maps(shown), heat_maps(known), np.random.default_rng(0))
    assert (guess == np.arange(12)).sum() >= 10


def test_constant_speed_keeps_where_a_way_begins():
    """The first point is two steps from home at most, every day."""
    traces = ways(6, 2)
    smooth = Promesse(metres=100, gap=3600).smooth(traces)
    for person in range(6):
        home, shown = traces.kept(traces.person == person), smooth.kept(smooth.person == person)
        for day in range(4):
            at = np.flatnonzero(shown.time // DAY == day)[0]
            far = distance(shown.latitude[[at]], shown.longitude[[at]], home.latitude[:1], home.longitude[:1])
            assert far[0] <= 201


def test_who_hardly_moves_in_a_piece_stays_at_constant_speed_too():
    """450 metres in eight hours are a stay before and after."""
    n = 97
    slow = Traces(
        "UTC", ("a",), np.zeros(n, int), np.arange(n) * 300_000, 45.75 + np.linspace(0, 0.00405, n), np.full(n, 4.85)
    )
    shown = Promesse(metres=100, gap=3600).smooth(slow)
    found = stays(shown, seconds=900, metres=250)
    assert len(shown) == 3
    assert len(found.person) == 1


def test_a_circle_that_is_moved_again_each_day_shows_its_middle():
    """Drawn once, the middle is anywhere in 300 m; the mean of 400 misses by 45 m on an axis with chance 1e-9."""
    bits = SeededBits(9)
    moved = [Circle(45.75, 4.85, 300).moved(bits=bits) for _ in range(400)]
    mean = (np.array([np.mean([m.latitude for m in moved])]), np.array([np.mean([m.longitude for m in moved])]))
    assert distance(*mean, np.array([45.75]), np.array([4.85]))[0] < 64


def test_a_rule_of_hours_shows_when_it_hides():
    """Hidden within a circle alone: the hours without a fix are the hours at home."""
    time = np.arange(48) * 3_600_000
    is_home = (np.arange(48) % 24 < 7) | (np.arange(48) % 24 >= 19)
    traces = Traces("UTC", ("a",), np.zeros(48, int), time, np.where(is_home, 45.75, 45.80), np.full(48, 4.85))
    shown = apply([Rule("nothing", within=Circle(45.75, 4.85, 300))], traces).traces
    assert np.setdiff1d(time, shown.time).tolist() == time[is_home].tolist()


def test_a_person_of_thirty_weeks_is_found_where_one_week_is_protected():
    """Thirty counts beside noise of 1 for a week: 15 lies between both worlds, and each is mistaken with chance 1e-7.

    Where the person is the unit, one count is there or not, and the same attack tells nothing.
    """
    two = Region(Plane(0.0, 0.0), 1000, rows=1, columns=2)
    time = np.arange(30) * 7 * DAY
    there = Traces("UTC", ("a",), np.zeros(30, int), time, np.full(30, 0.004), np.full(30, 0.004))
    elsewhere = Traces("UTC", ("a",), np.zeros(30, int), time, np.full(30, 0.004), np.full(30, 0.013))
    visits = Visits(two, (0, 24), How(PureDP(Fraction(1)), 1, once=True))
    told = {}
    for weekly in (True, False):
        unit = TraceUnit(Neighbors.ADD_REMOVE, weekly=weekly)
        told[weekly] = [trace_statistics(one, [visits], unit)[0].values[0][0] > 15 for one in (there, elsewhere)]
    assert told == {True: [True, False], False: [False, False]}


def test_a_budget_that_is_spent_repeats_the_last_report_wherever_the_person_is():
    """Who knows the budget sees from when on reports say nothing; what was reported before still stands."""
    way = Predictive(LAW, "0.01", 0, "0.04")
    cells = HOME + np.stack([140 * (np.arange(30) % 2), np.zeros(30, int)], axis=1)
    run = way.randomize(np.zeros(30, int), cells, bits=SeededBits(3))
    end = int(np.flatnonzero(run.is_over)[0])
    assert (run.cells[end:] == run.cells[end - 1]).all()
    assert end < 6


def fixes_of(persons, lon=4.0002):
    """Two fixes of each person in the first cell."""
    who = [f"p{i}" for i in range(persons) for _ in range(2)]
    return pa.table(
        {"who": who, "at": list(range(2 * persons)), "lat": [45.0002] * 2 * persons, "lon": [lon] * len(who)}
    )


def test_maps_of_a_report_differ_by_a_cell_where_one_person_more_is_enough():
    """A threshold is no differential privacy: who knows three of a cell learns whether the fourth was there."""
    shown = []
    for persons in (3, 4):
        there = pa.concat_tables([fixes_of(persons), fixes_of(6, lon=4.003).set_column(0, "who", pa.array(["q"] * 12))])
        document = {"format": "sfumato.plan/1", "traces": COLUMNS, "measure": {"trials": 5, "boxes": 2, "fewest": 4}}
        document["region"] = {"latitude": 45.0, "longitude": 4.0, "metres": 50, "rows": 4, "columns": 8}
        document["protect"] = [{"name": "geo-indistinguishability", "epsilon": "50"}]
        shown.append(sfumato.run(sfumato.plan_from(document, folder="."), there).result.traces.map.before[0])
    assert shown == [0, 4]


def test_a_refusal_tells_that_nobody_is_in_a_table():
    count = {"most": 1, "of": "persons"}
    document = {"format": "sfumato.plan/1", "traces": COLUMNS}
    document["region"] = {"latitude": 45.0, "longitude": 4.0, "metres": 50, "rows": 4, "columns": 8}
    document["statistics"] = [{"name": "visits", "hours": [0, 24], "count": count, "price": {"epsilon": "1"}}]
    plan = sfumato.plan_from(document, folder=".")
    assert sfumato.run(plan, fixes_of(1)).result.statistics.tables
    with pytest.raises(SfumatoError, match="row"):
        sfumato.run(plan, fixes_of(0))
