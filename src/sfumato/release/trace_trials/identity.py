"""Who is who: by portraits of persons, by some known points, and from week to week."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.traces.heat import cells_of_earth
from sfumato.attack.traces.places import nearest_person
from sfumato.attack.traces.portraits import PortraitLink, added_odds, added_ranks, apart, learned_odds, portraits_of
from sfumato.attack.traces.unicity import KnownPoints, points_of
from sfumato.attack.traces.weeks import PseudonymLink
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct
from sfumato.release.trace_trials.case import has_fixes

if TYPE_CHECKING:
    from sfumato.attack.scoring import Trial
    from sfumato.attack.traces.unicity import Points
    from sfumato.release.trace_trials.case import TraceCase
    from sfumato.table.traces import Traces
    from sfumato.types import BoolArray, IntArray

_HOUR = 3_600_000
_MOST_POINTS = 4
_MOST_WEEKS = 9


@dataclass(frozen=True, slots=True)
class IdentityJudge:
    """Persons of the second half of the days, found by the first half."""

    attack: ClassVar[type[PortraitLink]] = PortraitLink
    place: ClassVar[int] = 0

    def trials(self, case: TraceCase) -> list[Trial]:
        """By each portrait, by one name of all, and by any of the three."""
        who = case.targets(has_fixes(case.view) & has_fixes(case.knowledge))
        distances = apart(portraits_of(case.view.only(who), case.sight), case.known())
        said = {name: nearest_person(found, case.rng) for name, found in distances.items()}
        said["all three, by ranks"] = nearest_person(added_ranks(distances), case.rng)
        halves = case.halves()
        some = case.targets(has_fixes(halves[0]) & has_fixes(halves[1]))
        earlier, later = (portraits_of(half.only(some), case.sight) for half in halves)
        learned = learned_odds(apart(later, earlier))
        said["all three, by what they tell"] = nearest_person(added_odds(distances, learned), case.rng)
        others = who[case.strangers(len(who))]
        told = (
            "A person of the second half of the days is found by what is known of the first half. Control: the same "
            "names, and the persons shuffled."
        )
        out = [
            case.trial(("re-identification", f"by {name}"), told, (names == who, names == others), persons=len(who))
            for name, names in said.items()
        ]
        three = [said[name] for name in distances]  # not their combinations
        hits = [np.any([names == truth for names in three], axis=0) for truth in (who, others)]
        worst = f"{told} Found if any of the three names is right: the defender's worst case, not one guess."
        named = ("re-identification", "by any of the three")
        return [*out, case.trial(named, worst, (hits[0], hits[1]), persons=len(who))]


@dataclass(frozen=True, slots=True)
class KnownPointsJudge:
    """Persons of the release, found by a few points of their original trace."""

    attack: ClassVar[type[KnownPoints]] = KnownPoints
    place: ClassVar[int] = 1

    def trials(self, case: TraceCase) -> list[Trial]:
        """With 1 to 4 points, each a cell and an hour."""
        view, known = (_points(traces, case.sight.cell) for traces in (case.release, case.original))
        sizes = np.bincount(known.person, minlength=len(case.original.persons))
        inside = has_fixes(case.release)
        out = []
        for p in range(1, _MOST_POINTS + 1):
            who = case.targets(inside & (sizes >= p))
            points = _drawn(known, who, p, case.rng)
            said = KnownPoints().guess(view, points, case.rng)
            others = who[case.strangers(len(who))]
            told = (
                f"Random points of the original, each a cell of {case.sight.cell:g} m and an hour, are known of a person, "
                "and one of those who have them all in the release is named. Control: the persons shuffled."
            )
            named = ("known points", f"{p} point{'s' * (p > 1)}")
            out.append(case.trial(named, told, (said == who, said == others), persons=len(who)))
        return out


def _points(traces: Traces, metres: float) -> Points:
    """Different points of persons."""
    cell, hour = cells_of_earth(traces.latitude, traces.longitude, metres), traces.clock // _HOUR
    return points_of(traces.person, cell, hour)


def _drawn(known: Points, who: IntArray, p: int, rng: np.random.Generator) -> IntArray:
    """(n, p, 2) int64 different points of each person."""
    starts = np.searchsorted(known.person, who)
    sizes = np.searchsorted(known.person, who, "right") - starts
    at = [start + rng.choice(n, p, replace=False) for start, n in zip(starts.tolist(), sizes.tolist(), strict=True)]
    chosen = np.array(at, np.int64).reshape(-1, p)
    return np.stack([known.cell[chosen], known.hour[chosen]], axis=2)


@dataclass(frozen=True, slots=True)
class PseudonymJudge:
    """Persons of a week, matched with those of the week before, if each week had pseudonyms of its own."""

    attack: ClassVar[type[PseudonymLink]] = PseudonymLink
    place: ClassVar[int] = 2

    def trials(self, case: TraceCase) -> list[Trial]:
        """By heat maps and by places."""
        week = case.release.week
        weeks, fixes = np.unique(week, return_counts=True)
        first = max(0, int(fixes.argmax()) - _MOST_WEEKS // 2) if len(weeks) else 0
        weeks = weeks[first : first + _MOST_WEEKS]
        kept = np.isin(case.release.person, case.targets(has_fixes(case.release))) & np.isin(week, weeks)
        parts = [portraits_of(case.release.kept(kept & (week == w)), case.sight) for w in weeks.tolist()]
        told = (
            f"If every week had other pseudonyms, each person is matched with one of the week before, all at once: "
            f"{_MOST_WEEKS} weeks around the one with most fixes. "
            "Control: the persons shuffled. Weeks of one person are not independent: the interval is too narrow."
        )
        out = []
        for by in ("heat map", "places"):
            hits: list[tuple[BoolArray, BoolArray]] = [(np.zeros(0, bool), np.zeros(0, bool))]
            for before, now in pairwise(parts):
                said = PseudonymLink(by).guess(now, before, case.rng)
                who = np.intersect1d(before.heat.person, now.heat.person)
                hits.append((said[who] == who, said[who] == who[case.strangers(len(who))]))
            right, shuffled = (np.concatenate([pair[i] for pair in hits]) for i in (0, 1))
            persons = len(distinct(case.release.person[kept]))
            out.append(case.trial(("pseudonyms of weeks", f"by {by}"), told, (right, shuffled), persons=persons))
        return out
