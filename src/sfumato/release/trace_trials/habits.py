"""What persons do: where they live and work, where they stay, where they go next, and whom they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.traces.background import Visits
from sfumato.attack.traces.clusters import places_found
from sfumato.attack.traces.habits import HomeAndWork, found_near, presence_at
from sfumato.attack.traces.heat import cells_of_earth
from sfumato.attack.traces.meetings import Acquaintance, fixes_at_a_time, meetings
from sfumato.attack.traces.next_place import Asked, NextPlace, moves, steps_of
from sfumato.attack.traces.places import Places, PlacesLink
from sfumato.attack.traces.portraits import visited
from sfumato.attack.traces.repeated_positions import RepeatedPositions
from sfumato.frozen import dataclass
from sfumato.release.trace_trials.case import has_fixes
from sfumato.table.hours import NIGHT, WORK
from sfumato.table.plane import on_sphere
from sfumato.table.traces import pieces

if TYPE_CHECKING:
    from sfumato.attack.scoring import Trial
    from sfumato.attack.traces.habits import Presence
    from sfumato.release.trace_trials.case import TraceCase
    from sfumato.table.traces import Traces
    from sfumato.types import BoolArray, FloatArray, IntArray

_AT_HOME = 200.0
_FOUND = 100.0
_BLOCK = 500.0
_MEETING = (100.0, 60.0)
_MOST_PAIRS = 20_000_000
"""Pairs of fixes at one time that are looked at, at most."""


@dataclass(frozen=True, slots=True)
class HomeJudge:
    """Homes and places of work by the hours of the zone, as the original shows them."""

    attack: ClassVar[type[HomeAndWork]] = HomeAndWork
    place: ClassVar[int] = 10

    def trials(self, case: TraceCase) -> list[Trial]:
        """By stays or cells, and homes by averages of all fixes at night."""
        true, said = (HomeAndWork().guess(_presence(case, t), None, case.rng) for t in (case.original, case.release))
        out = []
        for name, guess, truth in zip(("home", "work"), said, true, strict=True):
            out.append(_near(case, name, guess, truth, _AT_HOME))
        night = NIGHT.inside(case.release.clock)
        codes, who = np.unique(case.release.person[night], return_inverse=True)
        spots = on_sphere(case.release.latitude[night], case.release.longitude[night])
        average = np.full_like(true[0], np.nan)
        if len(codes):
            average[codes] = RepeatedPositions().guess(Places(who.ravel().astype(np.int64), spots), None, case.rng)
        return [*out, _near(case, "home, from the average of nights", average, true[0], _AT_HOME)]


def _near(case: TraceCase, name: str, guess: FloatArray, truth: FloatArray, metres: float) -> Trial:
    """Whether a place is found near where the original has it."""
    who = case.targets(np.isfinite(truth[:, 0]) & has_fixes(case.release))
    others = who[case.strangers(len(who))]
    told = (
        f"The place that the release suggests lies within {metres:g} m of the one that the original suggests, by the same "
        "rule on stays. Control: the guesses about other persons, shuffled."
    )
    hits = (found_near(guess[who], truth[who], metres), found_near(guess[others], truth[who], metres))
    return case.trial(("home and work", name), told, hits, persons=len(who))


def _presence(case: TraceCase, traces: Traces) -> Presence:
    """Times at places by night and day: stays, or fixes in cells where visits do not last."""
    if case.sight.search is None:
        visits, point = visited(traces, case.sight)
        at = np.arange(len(traces))
        return presence_at(traces, (at, at), visits.place, point, (NIGHT, WORK))
    found = places_found(traces, case.sight.search, pieces(traces, case.sight.gap, by_day=False))
    return presence_at(traces, (found.stays.first, found.stays.last), found.place, found.point, (NIGHT, WORK))


@dataclass(frozen=True, slots=True)
class PlacesJudge:
    """Places of interest of the original that the release still shows."""

    attack: ClassVar[type[PlacesLink]] = PlacesLink
    place: ClassVar[int] = 11

    def trials(self, case: TraceCase) -> list[Trial]:
        """Each place of the original is looked for."""
        one, other = (visited(traces, case.sight) for traces in (case.original, case.release))
        owner, theirs = (_owners(*pair) for pair in (one, other))
        who = case.targets(has_fixes(case.release) & np.isin(np.arange(len(case.original.persons)), owner))
        told = (
            f"A place of a person in the original has one of the same person in the release within {_FOUND:g} m. Control: "
            "one of another person, shuffled. Places of one person are not independent: the interval is too narrow."
        )
        others = who[case.strangers(len(who))]
        both = tuple(
            np.concatenate(
                [
                    _is_near(one[1][owner == person], other[1][theirs == shown])
                    for person, shown in zip(who.tolist(), whose.tolist(), strict=True)
                ]
            )
            if len(who)
            else np.zeros(0, bool)
            for whose in (who, others)
        )
        return [case.trial(("places", "places of interest"), told, (both[0], both[1]), persons=len(who))]


def _is_near(true: FloatArray, shown: FloatArray) -> BoolArray:
    """(n,) bool: whether some shown place is near each true one."""
    apart = np.linalg.norm(true[:, None] - shown[None], axis=2)
    return np.asarray(apart.min(axis=1, initial=np.inf) <= _FOUND)


def _owners(visits: Visits, point: FloatArray) -> IntArray:
    """(places,) int64: whose each place is."""
    out = np.full(len(point), -1, np.int64)
    out[visits.place] = visits.person
    return out


@dataclass(frozen=True, slots=True)
class NextPlaceJudge:
    """Where persons go in the second half of the days, by the release of the first."""

    attack: ClassVar[type[NextPlace]] = NextPlace
    place: ClassVar[int] = 12

    def trials(self, case: TraceCase) -> list[Trial]:
        """Chains of order 1 and 2, one step of each person."""
        half = case.view.clock.min(initial=2**62)
        learned = _blocks(case, case.release.kept(case.release.clock < half))
        later = _blocks(case, case.original.kept(case.original.clock >= half))
        asked, led = steps_of(later, 2)
        order = case.rng.permutation(len(led))
        _, first = np.unique(asked.person[order], return_index=True)
        at = order[first]
        at = at[np.isin(asked.person[at], case.targets(has_fixes(case.release)))]
        one = Asked(asked.person[at], asked.past[at])
        said = [NextPlace(k).guess(learned, one, case.rng) == led[at] for k in (0, 1, 2)]
        told = (
            f"One step of each person in the second half of the days, drawn, leads to the block of {_BLOCK:g} m that the "
            "person's chain, learned from the release of the first half, says. Control: the person's most frequent block."
        )
        return [case.trial(("next place", f"order {k}"), told, (said[k], said[0]), persons=len(at)) for k in (1, 2)]


def _blocks(case: TraceCase, traces: Traces) -> Visits:
    """Visits as blocks that are the same for everybody, one after another at the same one as one."""
    visits, point = visited(traces, case.sight)
    lat = np.degrees(np.arcsin(np.clip(point[:, 2] / np.linalg.norm(point, axis=1), -1, 1)))
    block = cells_of_earth(lat, np.degrees(np.arctan2(point[:, 1], point[:, 0])), _BLOCK)
    seen = Visits(visits.person, block[visits.place], visits.time)
    keep = moves(seen)
    return Visits(seen.person[keep], seen.place[keep], seen.time[keep])


@dataclass(frozen=True, slots=True)
class MeetingJudge:
    """Whom persons meet most, as the original shows it."""

    attack: ClassVar[type[Acquaintance]] = Acquaintance
    place: ClassVar[int] = 13

    def trials(self, case: TraceCase) -> list[Trial]:
        """The person met most, meetings at rare places counting more."""
        metres, seconds = _MEETING
        told = (
            f"The person whom the release suggests is known best, by meetings within {metres:g} m and {seconds:g} s at rare "
            "places, is the one whom the original suggests: what is true of friendship is not known. Control: the persons "
            "shuffled."
        )
        named, none = ("acquaintance", "met most"), np.zeros(0, bool)
        if max(fixes_at_a_time(t, seconds) for t in (case.original, case.release)) > _MOST_PAIRS:
            return [case.trial(named, f"{told} Not tried: too many fixes at one time.", (none, none), persons=0)]
        met = [meetings(traces, metres=metres, seconds=seconds) for traces in (case.original, case.release)]
        everybody = np.arange(len(case.original.persons))
        true, said = (Acquaintance().guess(one, everybody, case.rng) for one in met)
        who = case.targets((true >= 0) & has_fixes(case.release))
        others = who[case.strangers(len(who))]
        hits = (said[who] == true[who], said[others] == true[who])
        return [case.trial(named, told, hits, persons=len(who))]
