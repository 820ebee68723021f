"""Attacks that come with INSAnonym: who is who in each week, for attackers who have the whole original."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.assignment import one_to_one
from sfumato.attack.traces.heat import cells_of_earth, maps_of, topsoe
from sfumato.contest.game import Attack
from sfumato.contest.guesses import written
from sfumato.contest.insanonym.squares import hundredths
from sfumato.contest.periods import DAY, periods_of
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.attack.traces.heat import HeatMaps
    from sfumato.contest.game import Rules
    from sfumato.table.lines import Lines
    from sfumato.types import FloatArray, IntArray

METRES = 800.0
"""Side of the cells of heat maps."""


@dataclass(frozen=True, slots=True, eq=False)
class Weeks:
    """Lines of names by week.

    Args:
        names: of persons, or pseudonyms.
        periods: names of the weeks.
        of: (m,) int64 distinct name * weeks + week, rising: what is compared.
        line: (n,) int64 place in `of` of each line that counts.
        latitude: (n,) float64.
        longitude: (n,) float64.
    """

    names: tuple[str, ...]
    periods: tuple[str, ...]
    of: IntArray
    line: IntArray
    latitude: FloatArray
    longitude: FloatArray

    def in_week(self, week: int) -> IntArray:
        """Places in `of` of those seen in a week."""
        return np.nonzero(self.of % len(self.periods) == week)[0]


def weeks_of(lines: Lines, rules: Rules, periods: tuple[str, ...] | None = None) -> Weeks:
    """Lines by name and week; weeks that are not among `periods` are left out."""
    labels = lines.labels("id")
    found = periods_of(lines.whole("date") // DAY, rules.period, calendar_years=not rules.is_fixed)
    named = found.names if periods is None else periods
    place = np.array([named.index(one) if one in named else -1 for one in found.names] + [-1])
    week = place[found.codes]
    those = (week >= 0) & ~labels.is_named("DEL")
    code = labels.codes[those] * len(named) + week[those]
    of, line = np.unique(code, return_inverse=True)
    return Weeks(
        labels.names, named, of, line.ravel(), lines.numbers("latitude")[those], lines.numbers("longitude")[those]
    )


def _attack(nearest: Callable[[Weeks, Weeks], Callable[[IntArray, IntArray], FloatArray]], most: int) -> Callable[[Lines, Lines, Rules], bytes]:  # fmt: skip
    """An attack that names, for each person and week, the pseudonyms at the least distance."""

    def guess(reference: Lines, published: Lines, rules: Rules) -> bytes:
        known = weeks_of(reference, rules)
        seen = weeks_of(published, rules, known.periods)
        apart = nearest(known, seen)
        found: dict[str, dict[str, tuple[str, ...]]] = {}
        for week, period in enumerate(known.periods):
            persons, others = known.in_week(week), seen.in_week(week)
            for row, line in zip(persons.tolist(), _chosen(apart(persons, others), most), strict=True):
                names = tuple(seen.names[seen.of[others[i]] // len(known.periods)] for i in line)
                found.setdefault(known.names[known.of[row] // len(known.periods)], {})[period] = names
        return written(found)

    return guess


def _chosen(apart: FloatArray, most: int) -> list[list[int]]:
    """For each row the columns at its least distance, if it is finite, at most so many."""
    found: list[list[int]] = []
    for row in apart:
        best = row.min(initial=np.inf)
        found.append(np.nonzero(row == best)[0][:most].tolist() if np.isfinite(best) else [])
    return found


def _counts(known: Weeks, seen: Weeks) -> Callable[[IntArray, IntArray], FloatArray]:
    """0 where a person and a pseudonym have as many lines in the week, else infinite."""
    one, other = (np.bincount(weeks.line, minlength=len(weeks.of)) for weeks in (known, seen))
    return lambda a, b: np.where(one[a][:, None] == other[b][None, :], 0.0, np.inf)


def _sums(known: Weeks, seen: Weeks) -> Callable[[IntArray, IntArray], FloatArray]:
    """How far the sums of latitudes and of longitudes are apart, each position rounded to hundredths."""

    def sums(weeks: Weeks) -> FloatArray:
        return np.stack([np.bincount(weeks.line, hundredths(part), len(weeks.of)) for part in (weeks.latitude, weeks.longitude)])  # fmt: skip

    one, other = sums(known), sums(seen)
    return lambda a, b: np.abs(one[:, a, None] - other[:, None, b]).sum(axis=0)


def _heat(known: Weeks, seen: Weeks) -> Callable[[IntArray, IntArray], FloatArray]:
    """How far the heat maps of the week diverge (Topsoe), matched so that no pseudonym is named twice."""

    def apart(a: IntArray, b: IntArray) -> FloatArray:
        maps = [_maps(weeks, rows) for weeks, rows in ((known, a), (seen, b))]
        out = np.full((len(a), len(b)), np.inf)
        if len(a) and len(b):
            chosen = one_to_one(topsoe(*maps))
            out[np.nonzero(chosen >= 0)[0], chosen[chosen >= 0]] = 0
        return out

    return apart


def _maps(weeks: Weeks, rows: IntArray) -> HeatMaps:
    """Heat maps of some names of a week."""
    place = np.full(len(weeks.of), -1)
    place[rows] = np.arange(len(rows))
    those = place[weeks.line] >= 0
    near = [np.clip(part[those], -limit, limit) for part, limit in ((weeks.latitude, 90), (weeks.longitude, 180))]
    return maps_of(place[weeks.line][those], cells_of_earth(near[0], near[1], METRES), len(rows))


ATTACKS = {
    one.name: one
    for one in (
        Attack("counts", "Names the pseudonyms that have as many lines in a week as the person.", _attack(_counts, 3)),
        Attack(
            "sums",
            "Names the pseudonym whose sums of latitudes and of longitudes in a week are nearest.",
            _attack(_sums, 1),
        ),
        Attack(
            "heat-map",
            "Matches persons and pseudonyms of a week so that their heat maps diverge least in sum.",
            _attack(_heat, 1),
        ),
    )
}
"""By name. The first two are those of INSAnonym's platform and of its participants' tools, within each week."""
