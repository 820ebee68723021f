"""Statistics of traces audited from their answers: the right one passes, its broken twin is caught.

Neighbors are a crowd, and the crowd with one person more, who does more than may count. Bounds hold with confidence
1 - 1e-6 each, so a right mechanism is refuted with probability below 1e-6.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from sfumato.account.event import PureDP
from sfumato.attack.audit import audit
from sfumato.mechanism.central.additive import AdditiveNoise, LaplaceLaw
from sfumato.mechanism.central.contributions import Kept, PersonTotals
from sfumato.release.mobility.how import How
from sfumato.release.mobility.movement import ByGap, Flows, TripLengths
from sfumato.release.mobility.places import StaysByCell, Visits, added, places_in
from sfumato.release.mobility.top import TopPlaces
from sfumato.release.mobility.unit import TraceUnit, seen_of, weighed
from sfumato.summary.contributions import Contributions
from sfumato.table.plane import Plane, Region
from sfumato.table.traces import Traces
from sfumato.table.unit import Neighbors
from sfumato.testing.seeded_bits import SeededBits

N, CONFIDENCE, ONE = 40_000, 1 - 1e-6, PureDP(Fraction(1))
TWO = Region(Plane(0.0, 0.0), 1000, rows=1, columns=2)
PERSON = TraceUnit(Neighbors.ADD_REMOVE, weekly=False)
HEAVY = 40
"""The weight of the person in question; the declared bound is 10."""
HOW = How(ONE, most=2, once=False)

STATISTICS = {
    "visits": Visits(TWO, (0, 24), HOW),
    "visits once": Visits(TWO, (0, 24), replace(HOW, most=1, once=True)),
    "flows": Flows(TWO, ByGap(300), HOW),
    "weighted flows": Flows(TWO, ByGap(300), replace(HOW, weight=10)),
    "stays": StaysByCell(TWO, 300, 200, None, HOW),
    "minutes": StaysByCell(TWO, 300, 200, 10, HOW),
    "lengths": TripLengths((0, 500, 2000), ByGap(300), HOW),
}


def two_traces():
    """A crowd of one, who goes from the first cell to the second; and with somebody who does it eight times, and stays."""
    few = [(0, 0, 0.004), (0, 60, 0.013)]
    busy = [
        (1, day * 86_400 + at, place)
        for day in range(8)
        for at, place in ((0, 0.004), (60, 0.013), (3600, 0.004), (7000, 0.004))
    ]
    for rows in (few, few + busy):
        person, time, lon = (np.array(x) for x in zip(*rows, strict=True))
        yield Traces("UTC", ("a", "b"), person.astype(int), time.astype(int) * 1000, np.full(len(rows), 0.004), lon)


def copies(given, n):
    """The same contributions so many times, of other persons in other groups."""
    shift = np.repeat(np.arange(n), len(given))
    return Contributions(
        np.tile(given.person, n) + 2 * shift, np.tile(given.group, n) + given.groups * shift, np.tile(given.amount, n), given.groups * n
    )  # fmt: skip


def found(statistic, *, twin=None):
    """What the audit proves of the statistic, or of a twin of it."""
    ready, bits = statistic.prepared(PERSON), SeededBits(75)
    limit = ready.limit
    if twin == "no weights cut":
        limit = replace(limit, amount=2**30)
    if twin == "no limit":
        limit = replace(limit, most=2**30, once=False)
    worlds = [statistic.contributions(seen_of(traces, PERSON, None)) for traces in two_traces()]
    most = 2**30 if twin == "no weights cut" else statistic.how.weight
    worlds = [weighed(one, np.array([1, HEAVY]), most if statistic.how.weight else None) for one in worlds]
    noise = PersonTotals(ready.limit, ONE, None)
    if twin == "a quarter of the noise":
        object.__setattr__(noise, "noise", AdditiveNoise(LaplaceLaw(noise.noise.law.scale / 4), noise.noise.event))

    def answered(which):
        given = copies(worlds[int(which[0])], len(which))
        totals = limit.bounded(given, bits=bits).totals().reshape(1, -1)
        values = noise.decide(totals, confidence=0.9, bits=bits).values
        return np.rint(values).astype(np.int64).reshape(len(which), -1)

    views = {"sum": lambda reports: reports.sum(axis=1)}
    return audit(answered, [0, 1], n=N, confidence=CONFIDENCE, views=views)


@pytest.mark.parametrize("name", sorted(STATISTICS))
def test_statistics_pass_and_without_their_limit_or_with_a_quarter_of_the_noise_are_caught(name):
    statistic = STATISTICS[name]
    assert found(statistic).epsilon_lower <= 1
    assert found(statistic, twin="no limit").refutes(1.0)
    assert found(statistic, twin="a quarter of the noise").refutes(1.0)


def test_a_bound_of_weights_that_is_forgotten_is_caught():
    assert found(STATISTICS["weighted flows"], twin="no weights cut").refutes(1.0)


def test_a_right_limit_is_nearly_reached():
    """The first two of eight trips move one total by two: the whole ε is there to be found."""
    first = replace(STATISTICS["flows"], how=replace(HOW, kept=Kept.FIRST))
    assert 0.8 < found(first).epsilon_lower <= 1


def test_top_places_pass_and_are_caught_where_visits_are_counted_instead_of_persons():
    ready, bits = TopPlaces(TWO, 1, PureDP(Fraction(2))).prepared(PERSON), SeededBits(76)
    worlds = []
    for traces in two_traces():
        kept = traces.kept(
            (traces.person == 0) | (traces.longitude > 0.01)
        )  # the busy one goes to the second cell only
        worlds.append(added(kept.person, places_in(TWO, kept.latitude, kept.longitude), 2))

    def chosen(which, scores_of):
        scores = scores_of(worlds[int(which[0])]).totals()
        return np.array([ready.selection.decide(scores, bits=bits)[0] for _ in which])

    right = audit(lambda which: chosen(which, Contributions.once), [0, 1], n=4000, confidence=CONFIDENCE)
    twin = audit(lambda which: chosen(which, lambda one: one), [0, 1], n=4000, confidence=CONFIDENCE)
    assert right.epsilon_lower <= 1 < twin.epsilon_lower
