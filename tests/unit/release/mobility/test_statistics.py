"""Statistics of traces: what persons contribute, on all tiny traces; what is shown; what it costs."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sfumato import Budget, Neighbors, trace_statistics
from sfumato.account.event import ApproxDP, PureDP, ZeroConcentratedDP
from sfumato.account.ledger.ledger import Ledger
from sfumato.errors import BudgetExceeded, LedgerError, ParameterError
from sfumato.mechanism.central.contributions import Kept
from sfumato.release.mobility.answering import answers, event_of, forecast, readings_of
from sfumato.release.mobility.how import How
from sfumato.release.mobility.lengths import LengthQuantiles, MeanLength
from sfumato.release.mobility.movement import ByGap, ByStays, Flows, Gyration, TripLengths
from sfumato.release.mobility.places import StaysByCell, Visits
from sfumato.release.mobility.top import TopPlaces
from sfumato.release.mobility.unit import TraceUnit, seen_of, weighed
from sfumato.release.plan import AccountChoice
from sfumato.table.plane import Plane, Region
from sfumato.table.traces import Traces
from sfumato.testing.seeded_bits import SeededBits

MINUTE, HOUR = 60_000, 3_600_000
TWO = Region(Plane(0.0, 0.0), 1000, rows=1, columns=2)
PERSON, WEEK = TraceUnit(Neighbors.ADD_REMOVE, weekly=False), TraceUnit(Neighbors.ADD_REMOVE, weekly=True)
CLOSE = PureDP(Fraction(10_000))
"""So little noise that whole numbers are exact but with chance below 1e-300."""
ONE = PureDP(Fraction(1))
PLACES = [None, 0.004, 0.013, 0.5]
"""Absent, in the first cell, in the second, outside."""
TIMES = [0, 10, 40, 50]
"""Minutes: two trips, where a gap is 15 minutes; a stay needs 5."""


def traces_of(persons, zone="UTC", start=0):
    """One row of places for each person, one column for each of the times."""
    rows = [
        (i, start + TIMES[j] * MINUTE, lon)
        for i, row in enumerate(persons)
        for j, lon in enumerate(row)
        if lon is not None
    ]
    person, time, lon = (np.array(x) for x in zip(*rows, strict=True))
    names = tuple(f"p{i}" for i in range(len(persons)))
    return Traces(zone, names, person.astype(int), time.astype(int), np.full(len(rows), 0.004), lon)


def how(price=CLOSE, most=9, *, once=False, **more):
    return How(price, most, once, **more)


COUNTED = {
    "visits": lambda h: Visits(TWO, (0, 1, 24), h),
    "flows by gaps": lambda h: Flows(TWO, ByGap(15 * 60), h),
    "flows by stays": lambda h: Flows(TWO, ByStays(300, 200), h),
    "stays": lambda h: StaysByCell(TWO, 300, 200, None, h),
    "minutes": lambda h: StaysByCell(TWO, 300, 200, 8, replace(h, once=False)),
    "lengths": lambda h: TripLengths((0, 500, 2000), ByGap(15 * 60), h),
    "gyration": lambda h: Gyration((0, 300, 2000), TWO.plane, h),
}


@pytest.mark.parametrize("name", sorted(COUNTED))
def test_what_a_person_contributes_follows_from_that_person_alone_and_keeps_the_limits(name):
    """All 255 traces of four times: each alone, and all together in two orders."""
    every = [row for row in product(PLACES, repeat=4) if any(x is not None for x in row)]
    statistic = COUNTED[name](how(once=True))
    size = int(np.prod(statistic.shape))

    def vectors(persons):
        given = statistic.contributions(seen_of(traces_of(persons), PERSON, None))
        return [
            (given.group[given.person == i].tolist(), given.amount[given.person == i].tolist())
            for i in range(len(persons))
        ]

    alone = [vectors([row])[0] for row in every]
    assert vectors(every) == alone
    assert vectors(every[::-1]) == alone[::-1]
    assert any(groups for groups, _ in alone)
    for once, most, kept in product((True, False), (1, 2), Kept):
        if once and statistic.cut > 1:
            continue
        ready = COUNTED[name](how(most=most, once=once, kept=kept)).prepared(PERSON)
        given = statistic.contributions(seen_of(traces_of(every), PERSON, None))
        bounded = ready.limit.bounded(given, bits=SeededBits(3))
        moved = np.zeros((len(every), size), np.int64)
        np.add.at(moved, (bounded.person, bounded.group), bounded.amount)
        stated = ready.limit.sensitivity(size)
        assert moved.sum(axis=1).max() <= stated.l1
        assert (moved**2).sum(axis=1).max() <= stated.squared_l2


def exact(statistic, persons, unit=PERSON, **more):
    """An answer without noise worth speaking of, as {key: numbers}."""
    first = answers(traces_of(persons), [statistic], unit, bits=SeededBits(4), **more)[0]
    return dict(zip(first.keys, first.values, strict=True))


def test_visits_stays_flows_and_lengths_of_a_walk():
    walk = [[0.004, 0.004, 0.013, 0.013]]
    visits = exact(Visits(TWO, (0, 24), how()), walk)
    assert visits == {("0:0", "00-24"): (1.0,), ("0:1", "00-24"): (1.0,)}
    assert exact(StaysByCell(TWO, 300, 200, None, how()), walk) == {("0:0",): (1.0,), ("0:1",): (1.0,)}
    assert exact(StaysByCell(TWO, 300, 200, 7, how()), walk) == {("0:0",): (7.0,), ("0:1",): (7.0,)}
    flows = exact(Flows(TWO, ByStays(300, 200), how()), walk)
    assert flows[("0:0", "0:1")] == (1.0,)
    assert sum(v[0] for v in flows.values()) == 1
    assert exact(TripLengths((0, 500, 2000), ByGap(np.inf), how()), walk) == {("0-500",): (0.0,), ("500-2000",): (1.0,)}
    assert exact(Gyration((0, 300, 2000), TWO.plane, how()), walk)[("300-2000",)] == (1.0,)


def test_hours_are_those_of_the_declared_zone():
    """23:00 UTC is 8 in the morning in Tokyo."""
    early = traces_of([[0.004, None, None, None]], zone="Asia/Tokyo", start=23 * HOUR)
    first = answers(early, [Visits(TWO, (0, 8, 9, 24), how())], PERSON, bits=SeededBits(4))[0]
    assert [key for key, value in zip(first.keys, first.values, strict=True) if value[0]] == [("0:0", "08-09")]


def test_no_flow_goes_from_one_person_to_another():
    flows = exact(Flows(TWO, ByGap(np.inf), how()), [[0.004, None, None, None], [None, 0.013, None, None]])
    assert set(flows.values()) == {(0.0,)}


def test_a_threshold_counts_persons_and_the_sum_counts_weights():
    """Two persons of weight 500 are two; ten of weight 1 are ten."""
    heavy, light = [[0.004, None, None, None]] * 2, [[0.013, None, None, None]] * 10
    weights = {"p0": 500, "p1": 500}
    everywhere = Visits(TWO, (0, 24), how(weight=500, once=True))
    assert exact(everywhere, heavy + light, weights=weights) == {("0:0", "00-24"): (1000.0,), ("0:1", "00-24"): (10.0,)}
    shown = exact(Visits(TWO, (0, 24), how(weight=500, once=True, least=10)), heavy + light, weights=weights)
    assert shown == {("0:1", "00-24"): (10.0, 10.0)}
    cut = exact(Visits(TWO, (0, 24), how(weight=100, once=True)), heavy, weights=weights)
    assert cut[("0:0", "00-24")] == (200.0,)
    odd = seen_of(traces_of(heavy), PERSON, {"p0": float("nan"), "p1": -3})
    assert odd.weights.tolist() == [0, 0]


def test_the_bound_of_weights_enters_the_sensitivity():
    ready = Visits(TWO, (0, 24), how(ONE, most=2, once=True, weight=50)).prepared(PERSON)
    assert ready.limit.sensitivity(2).l1 == 100
    assert ready.limit.sensitivity(2).squared_l2 == 2 * 50**2
    given = Visits(TWO, (0, 24), how()).contributions(seen_of(traces_of([[0.004, 0.013, None, None]]), PERSON, None))
    assert weighed(given, np.array([999]), 50).amount.tolist() == [50, 50]


def test_a_week_is_protected_by_itself():
    """One person in two weeks counts twice where weeks are protected, once where persons are."""
    time = np.array([0, 8 * 24 * HOUR])
    two = Traces("UTC", ("a",), np.zeros(2, int), time, np.full(2, 0.004), np.full(2, 0.004))
    for unit, count in ((PERSON, 1.0), (WEEK, 2.0)):
        found = answers(two, [Visits(TWO, (0, 24), how(most=1, once=True))], unit, bits=SeededBits(4))[0]
        assert found.values[0] == (count,)
        assert found.unit == unit.sentence


def test_groups_that_are_found_in_the_traces_have_enough_persons():
    """A cell of one person is named with chance at most δ = 1e-9."""
    crowd = [[0.004, None, None, None]] * 300 + [[0.013, None, None, None]]
    price = ApproxDP(Fraction(1), Fraction(1, 10**9))
    for one, cells in ((how(price, 1, once=True, selected=True), 1), (how(price, 1, selected=True), 2)):
        found = answers(traces_of(crowd), [Visits(TWO, (0, 24), one)], PERSON, bits=SeededBits(4))[0]
        assert found.keys == (("0:0", "00-24"),)
        assert len(found.cells) == cells
        assert all(low <= 300 <= high for low, high in zip(found.low[0], found.high[0], strict=True))
    nobody = answers(
        traces_of(crowd[-1:]), [Visits(TWO, (0, 24), how(price, 1, selected=True))], PERSON, bits=SeededBits(4)
    )
    assert nobody[0].keys == ()
    wide = Region(Plane(0.0, 0.0), 1000, rows=1, columns=2000)
    with pytest.raises(ParameterError, match="2\\^20"):
        Flows(wide, ByGap(900), how()).prepared(PERSON)
    assert Flows(wide, ByGap(900), how(price, selected=True)).prepared(PERSON).events


def test_fitted_flows_agree_and_are_nearer_to_their_margins():
    persons = [[0.004, 0.013, None, None]] * 50 + [[0.013, 0.004, None, None]] * 20
    flows, out, into = answers(
        traces_of(persons), [Flows(TWO, ByGap(900), how(ONE, most=1, margins=True, nonnegative=True))], PERSON, bits=SeededBits(4)
    )  # fmt: skip
    assert flows.cells == ("trips", "fitted trips")
    assert out.by == ("origin",)
    assert into.by == ("destination",)
    exactly, *sums = answers(
        traces_of(persons), [Flows(TWO, ByGap(900), how(most=1, margins=True))], PERSON, bits=SeededBits(4)
    )
    fitted = np.array([row[1] for row in exactly.values]).reshape(2, 2)
    assert np.allclose(fitted, [[0, 50], [20, 0]])
    for axis, one in enumerate(sums):
        assert np.allclose(fitted.sum(axis=1 - axis), [row[0] for row in one.values])


def test_fitted_numbers_add_up_to_a_noisy_total_and_are_no_less_than_0():
    """Of 3,600 flows between 60 cells, most empty: cut at 0 they add up to far too much, fitted to the total they do not."""
    wide = Region(Plane(0.0, 0.0), 1000, rows=1, columns=60)
    persons = traces_of([[0.004, 0.013, None, None]] * 200)
    flows, total = answers(persons, [Flows(wide, ByGap(900), how(ONE, most=1, total=True))], PERSON, bits=SeededBits(4))
    fitted = [row[1] for row in flows.values]
    assert total.by == ()
    assert total.cells == ("trips",)
    assert total.keys == ((),)
    assert sum(fitted) == total.value
    assert min(fitted) == 0
    assert total.low[0][0] <= 200 <= total.high[0][0]
    cut = sum(max(row[0], 0) for row in flows.values)
    assert cut > 1000
    assert sum(fitted) < 300


def test_top_places_mean_and_quantiles():
    persons = [[0.004, 0.013, None, None]] * 40 + [[None, None, 0.013, None]] * 60
    sure = PureDP(Fraction(2000))
    top = answers(traces_of(persons), [TopPlaces(TWO, 2, sure)], PERSON, bits=SeededBits(4))[0]
    assert top.keys == (("0:1",), ("0:0",))
    assert top.values == ((100.0,), (40.0,))
    split = ByGap(900)
    (mean,) = answers(traces_of(persons), [MeanLength(5000, 10, split, sure, 3)], PERSON, bits=SeededBits(4))
    assert mean.low[0][0] <= 1000 <= mean.high[0][0]
    assert abs(mean.value - 1000) < 10
    halves = LengthQuantiles((Fraction(1, 2),), 5000, 10, split, sure, 3)
    (half,) = answers(traces_of(persons), [halves], PERSON, bits=SeededBits(4))
    assert abs(half.values[0][0] - 1000) <= 10
    assert half.confidence is None


EVERY = [
    Visits(TWO, (0, 24), how(ONE, 2, once=True)), Flows(TWO, ByGap(900), how(ZeroConcentratedDP(Fraction(1, 8)), least=5)),
    TopPlaces(TWO, 1, ONE), MeanLength(5000, 10, ByGap(900), ONE, 3),
    LengthQuantiles((Fraction(1, 2),), 5000, 10, ByGap(900), ONE, 3),
]  # fmt: skip


def test_errors_are_told_before_and_kept_afterwards():
    """200 answers of two cells: the stated mean error is met within 25 %, and at most 95 % + 5 standard errors lie inside."""
    statistic, n = Visits(TWO, (0, 24), how(ONE, 2, once=True)), 200
    (line,) = forecast([statistic], PERSON)
    bits, there = SeededBits(6), traces_of([[0.004, 0.013, None, None]] * 30)
    errors = np.array([np.array(answers(there, [statistic], PERSON, bits=bits)[0].values) - 30 for _ in range(n)])
    assert abs(np.abs(errors).mean() / line.mean_error - 1) < 0.35
    assert (np.abs(errors) <= line.bad_error).mean() > 0.95 - 6 * np.sqrt(0.05 * 0.95 / errors.size)
    lines = forecast(EVERY, PERSON, expected=500)
    assert all(one.bad_error is not None for one in lines)
    assert [one.threshold for one in lines if one.statistic == "flows between cells"] == [5, 5]


def test_one_price_is_charged_and_buys_one_answer(tmp_path):
    persons = traces_of([[0.004, 0.013, None, None]] * 30)
    url, budget = f"sqlite:///{tmp_path / 'ledger.db'}", Budget.zcdp(3)
    with Ledger.open(url, create=True) as ledger:
        ledger.open_dataset("taxis", PERSON.of_ledger, budget, create=True)
        ledger.open_analyst("taxis", "ann", budget)
    account = AccountChoice(url, "taxis", "ann", "week 1", budget, budget)
    assert len(trace_statistics(persons, EVERY, PERSON, account=account)) == len(EVERY)
    with pytest.raises(LedgerError, match="released before"):
        trace_statistics(persons, EVERY, PERSON, account=account)
    with pytest.raises(LedgerError):
        trace_statistics(persons, EVERY, WEEK, account=replace(account, request="week 2"))
    small = replace(account, request="all of it")
    with pytest.raises(BudgetExceeded):
        trace_statistics(persons, [Visits(TWO, (0, 24), how(PureDP(Fraction(1000)), once=True))], PERSON, account=small)


def test_the_whole_costs_what_the_accountants_say():
    pure = [one for one in EVERY if not isinstance(one, Flows)]
    assert [event for one in pure for event in one.prepared(PERSON).events]
    by_name = {one.accountant: one.epsilon for one in readings_of(pure, PERSON, "1e-6")}
    assert by_name["basic"] == 4
    assert min(x for x in by_name.values() if x is not None) <= 4
    assert len(event_of(EVERY, PERSON).events) == 7


def test_what_cannot_be_private_or_makes_no_sense_is_refused():
    refused = [
        lambda: how(selected=True), lambda: how(most=0), lambda: how(weight=0), lambda: how(PureDP(Fraction(0))),
        lambda: how(ApproxDP(Fraction(1), Fraction(1, 10)), selected=True, margins=True),
        lambda: how(margins=True, total=True), lambda: Visits(TWO, (0, 25), how()), lambda: Visits(TWO, (5, 5), how()),
        lambda: StaysByCell(TWO, 300, 200, 7, how(once=True)), lambda: TripLengths((0.5, 1), ByGap(9), how()),
        lambda: TopPlaces(TWO, 1, ZeroConcentratedDP(Fraction(1))), lambda: MeanLength(5, 10, ByGap(9), ONE, 1),
        lambda: LengthQuantiles((Fraction(1, 2),), 50, 10, ByGap(9), ZeroConcentratedDP(Fraction(1)), 1),
        lambda: answers(traces_of([[0.004] * 4]), [], PERSON, bits=SeededBits(1)),
        lambda: seen_of(traces_of([[0.004] * 4]), PERSON, [1]), lambda: TraceUnit(Neighbors.EDGE, weekly=False),
    ]  # fmt: skip
    for wrong in refused:
        with pytest.raises(ParameterError):
            wrong()
