"""Worth and risks of a release of traces: a further one is a function in a list below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.traces.places import Places, PlacesLink
from sfumato.attack.traces.stays import retrieved, stays
from sfumato.attack.traces.unicity import unicity
from sfumato.document.result.traces import Bounded, TriedRisk
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct
from sfumato.release.measure import SEED
from sfumato.release.record import worth_of
from sfumato.summary.interval import wilson
from sfumato.table.clock import DAY
from sfumato.table.plane import on_sphere
from sfumato.utility.traces.boxes import Boxes
from sfumato.utility.traces.keys import joined
from sfumato.utility.traces.measure import Lens, measure

if TYPE_CHECKING:
    from sfumato.document.result.release import Worth
    from sfumato.document.traces import TraceMeasures
    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray, IntArray

_MOST_LINKED = 300
"""Persons among whom somebody is looked for by places, at most: each is compared with each."""
_MOST_PAIRS = 200_000_000
"""Pairs of places that are compared then, about."""


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What is measured.

    Args:
        before: the original that was protected.
        after: the release, by persons of the original, which only the judge knows.
        seen: the release as an intruder sees it: by released numbers; None: no person is told.
        truth: (numbers,) int64 person of the original of each number of `seen`.
        region: the declared cells.
        said: [measure].
        gap: seconds without a fix after which a new piece of a trace begins.
        by_day: whether one begins with each local day.
        rng: chance of the trials.
    """

    before: Traces
    after: Traces
    seen: Traces | None
    truth: IntArray
    region: Region
    said: TraceMeasures
    gap: float
    by_day: bool
    rng: np.random.Generator


def worth(case: Case) -> Sequence[Worth]:
    """Every figure of `utility.traces.measure`; the random ones from the seed of all measures."""
    said, side = case.said, float(case.region.side)
    cells = case.region.coarser(max(1, round(said.cell / side)))
    lens = Lens(
        cells,
        coarse=max(1, round(said.place / float(cells.side))),
        gap=case.gap,
        by_day=case.by_day,
        bucket=said.hours * 3600.0,
        boxes=Boxes(said.boxes),
    )
    found = measure(case.after, case.before, lens, rng=np.random.default_rng(SEED))
    return [worth_of(one.figure, one.before) for one in found]


MEASURES: tuple[Callable[[Case], Sequence[Worth]], ...] = (worth,)
"""What a release of traces is worth. A further measure is one more function here."""


def stays_retrieved(case: Case) -> TriedRisk:
    """Places where somebody stays, found again."""
    said = case.said
    true = _places(case.before, said)
    n = len(true.person)
    found = 0
    if case.seen is not None:
        shown = _places(case.after, said)
        for one in np.intersect1d(true.person, shown.person).tolist():
            own, theirs = true.of(one), shown.of(one)
            found += round(retrieved(theirs, own, said.found_within).recall * len(own))
    return TriedRisk(
        name="stays_retrieved",
        label="Stays found again",
        definition=(
            f"Stays of {said.stay_seconds:g} seconds within {said.stay_metres:g} m in the original that are the nearest to a "
            f"stay in the release of the same person, and within {said.found_within:g} m of it, over all stays."
        ),
        source="Hariharan and Toyama 2004; Accio, PoisRetrieval (Primault 2018)",
        before=_bounded(n, n),
        after=None if case.seen is None else _bounded(found, n),
        control=0.0,
    )


def persons_found(case: Case) -> TriedRisk:
    """Persons found again by where they stay: the first half of the days has names, the second half has none."""
    known, limit = _by_halves(case.before, case.before)
    before = _linked(known, limit, np.arange(len(case.before.persons)), case)
    after = None
    if case.seen is not None:
        known, seen = _by_halves(case.before, case.seen)
        after = _linked(known, seen, case.truth, case)
    persons = min(_MOST_LINKED, len(distinct(known.person)))
    return TriedRisk(
        name="persons_found",
        label="Persons found by their places",
        definition=(
            f"An intruder knows where at most {_MOST_LINKED} persons stayed in the first half of the days, and names the "
            "nearest one for each released number of the second half: right guesses over all."
        ),
        source="Primault, Ben Mokhtar, Lauradoux and Brunie, MOST 2014",
        before=before,
        after=after,
        control=1 / persons if persons else None,
    )


def alone_with_points(case: Case) -> TriedRisk:
    """Unicity: who is alone with a few points."""
    said = case.said
    return TriedRisk(
        name="unicity",
        label=f"Persons alone with {said.points} points",
        definition=(
            f"Share of trials in which {said.points} random points of one person's rows (a cell of the region and "
            f"{said.hours} hours) are those of no other person."
        ),
        source="de Montjoye, Hidalgo, Verleysen and Blondel, Scientific Reports 2013",
        before=_unicity(case.before, case),
        after=None if case.seen is None else _unicity(case.seen, case),
    )


RISKS: tuple[Callable[[Case], TriedRisk], ...] = (stays_retrieved, persons_found, alone_with_points)
"""What is tried on a release of traces. A further attack is one more function here."""


@dataclass(frozen=True, slots=True, eq=False)
class _Stayed:
    """Where persons stay.

    Args:
        person: (s,) int64 codes, rising, with holes where somebody stays nowhere.
        point: (s, 3) float64 metres.
    """

    person: IntArray
    point: FloatArray

    def of(self, one: int) -> FloatArray:
        """Where one person stays."""
        begin, end = np.searchsorted(self.person, (one, one + 1))
        return self.point[begin:end]


def _places(traces: Traces, said: TraceMeasures) -> _Stayed:
    """Where the persons of a table stay."""
    found = stays(traces, seconds=said.stay_seconds, metres=said.stay_metres)
    return _Stayed(found.person, on_sphere(found.latitude, found.longitude))


def _by_halves(known: Traces, seen: Traces) -> tuple[Traces, Traces]:
    """The fixes of the first half of the days of one table, those of the second half of another."""
    days = known.clock // DAY
    middle = (days.min() + days.max() + 1) // 2
    return known.kept(days < middle), seen.kept(seen.clock // DAY >= middle)


def _linked(known: Traces, seen: Traces, truth: IntArray, case: Case) -> Bounded | None:
    """How many persons of `seen` are named rightly; whoever stays nowhere there is not.

    None: nobody is known, or nobody is seen.
    """
    named, shown = _places(known, case.said), _places(seen, case.said)
    most = _most_linked(named, shown)
    persons = np.sort(case.rng.permutation(distinct(named.person))[:most])
    there = distinct(seen.person)
    numbers = np.sort(case.rng.permutation(there[np.isin(truth[there], persons)])[:most])
    staying = numbers[np.isin(numbers, shown.person)]
    if not len(numbers) or not len(staying):
        return _bounded(0, len(numbers))
    guesses = PlacesLink().guess(_numbered(shown, staying), _numbered(named, persons), case.rng)
    return _bounded(int((persons[guesses] == truth[staying]).sum()), len(numbers))


def _most_linked(named: _Stayed, shown: _Stayed) -> int:
    """How many persons are compared with each other, so that not too many pairs of places are."""
    places = [len(one.person) / max(len(distinct(one.person)), 1) for one in (named, shown)]
    return max(2, min(_MOST_LINKED, int(np.sqrt(_MOST_PAIRS / max(places[0] * places[1], 1.0)))))


def _numbered(places: _Stayed, chosen: IntArray) -> Places:
    """The places of some persons, who are numbered from 0."""
    at = np.isin(places.person, chosen)
    return Places(np.searchsorted(chosen, places.person[at]), places.point[at])


def _unicity(traces: Traces, case: Case) -> Bounded | None:
    """Of the persons of a table; None where nobody has that many points."""
    place = case.region.codes_of(traces.latitude, traces.longitude)
    hour = traces.clock // (case.said.hours * 3_600_000)
    point = joined(place, hour).key
    try:
        found = unicity(traces.person, point, case.said.points, trials=case.said.trials, rng=case.rng)
    except ParameterError:
        return None
    return Bounded(value=found.share, low=found.low, high=found.high, trials=found.trials)


def _bounded(successes: int, n: int) -> Bounded | None:
    """A share with Wilson's interval; None of nothing."""
    if not n:
        return None
    ends = wilson(successes, n, 0.95)
    return Bounded(value=successes / n, low=ends.low, high=ends.high, trials=n)
