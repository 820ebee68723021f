"""Released traces with what only their judge knows, and every judge there is.

The intruder knows the first half of the days of the original by name, and sees the second half of the release without
names. A control is what the same guesses are worth for somebody else: the truth shuffled among the persons.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

import sfumato.release.trace_trials
from sfumato.attack.assignment import one_to_one
from sfumato.attack.scoring import Judged, Rate, Trial
from sfumato.attack.traces.heat import heat_maps, topsoe
from sfumato.attack.traces.portraits import Sight, portraits_of
from sfumato.errors import SchemaError
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct
from sfumato.table.clock import DAY
from sfumato.table.traces import Traces

if TYPE_CHECKING:
    from sfumato.attack.traces.portraits import Portraits
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class TraceCase:
    """One release of traces, and what the judge knows beside it.

    Args:
        original: all persons.
        release: the persons who are in it, with the codes of the original.
        knowledge: the first half of the days of the original.
        view: the second half of the days of the release.
        sight: what a place is to the intruder.
        guesses: most persons who are looked for by each attack, >= 1.
        confidence: of the intervals, in (0, 1).
        rng: draws the persons, and breaks the intruder's ties.
    """

    original: Traces
    release: Traces
    knowledge: Traces
    view: Traces
    sight: Sight
    guesses: int
    confidence: float
    rng: np.random.Generator

    def known(self) -> Portraits:
        """What the intruder knows."""
        return portraits_of(self.knowledge, self.sight)

    def halves(self) -> tuple[Traces, Traces]:
        """The earlier and the later half of the days that the intruder knows."""
        days = distinct(self.knowledge.clock // DAY)
        middle = days[len(days) // 2] * DAY if len(days) else 0
        before = self.knowledge.clock < middle
        return self.knowledge.kept(before), self.knowledge.kept(~before)

    def targets(self, able: BoolArray) -> IntArray:
        """At most so many of the persons who can be looked for, in order."""
        some = np.flatnonzero(able)
        return np.sort(self.rng.choice(some, min(len(some), self.guesses), replace=False))

    def rate(self, hits: BoolArray) -> Rate | None:
        """The rate of some guesses; None: there are none."""
        return Rate(int(np.count_nonzero(hits)), len(hits), self.confidence) if len(hits) else None

    def strangers(self, n: int) -> IntArray:
        """For each of n persons another one, by a turn of a shuffled circle: nobody is their own stranger."""
        order = self.rng.permutation(n)
        out = np.empty(n, np.int64)
        out[order] = np.roll(order, 1)
        return out

    def trial(self, named: tuple[str, str], told: str, hits: tuple[BoolArray, BoolArray], *, persons: int) -> Trial:
        """An attack with its control, judged on the persons who were looked for.

        Args:
            named: the attack, and what was guessed.
            told: what counts as a success, and against what it is held.
            hits: of the attack and of its control.
            persons: how many were looked for; of fewer than two there is no other for a control.
        """
        main, control = (self.rate(hits[0]), self.rate(hits[1])) if persons > 1 else (None, None)
        judged = Judged(persons, len(self.original.persons) - persons) if main else None
        return Trial(*named, None, told, main, control, judged=judged)


def has_fixes(traces: Traces) -> BoolArray:
    """(persons,) bool: who is in the traces at all."""
    return np.asarray(np.bincount(traces.person, minlength=len(traces.persons)) > 0)


def linked_by_name(release: Traces, original: Traces) -> Traces:
    """The release with the persons' codes of the original; who is not in the original by name is left out.

    Raises:
        SchemaError: nobody of the release is in the original. Remedy: say that persons were renamed.

    Example:
        >>> one = Traces("UTC", ("a", "b"), np.array([0, 1]), np.zeros(2, int), np.array([1.0, 2.0]), np.zeros(2))
        >>> other = Traces("UTC", ("b", "c"), np.array([0, 1]), np.zeros(2, int), np.array([1.0, 2.0]), np.zeros(2))
        >>> linked_by_name(other, one).person.tolist()
        [1]
    """
    code = {name: i for i, name in enumerate(original.persons)}
    of = np.array([code.get(name, -1) for name in release.persons], np.int64)
    if not (of >= 0).any():
        raise SchemaError(
            "The release must name persons as the original does; none of its {n:,} persons is in the original.",
            "say that persons were renamed; the intruder sees no names in either case.",
            n=len(release.persons),
        )
    return _recoded(release, of, original)


def linked_by_days(release: Traces, original: Traces, metres: float) -> Traces:
    """The release with the persons of the original whose heat maps of all days are nearest, one to one.

    The judge needs the truth, and knows every day of the original: a link is nearly always right where the release tells
    anything of the person, and where it does not, every attack on that person fails anyway.

    Args:
        release: under other names.
        original: all persons.
        metres: side of the cells of heat maps.

    Example:
        >>> one = Traces("UTC", ("a", "b"), np.array([0, 1]), np.zeros(2, int), np.array([1.0, 2.0]), np.zeros(2))
        >>> other = Traces("UTC", ("1", "2"), np.array([0, 1]), np.zeros(2, int), np.array([2.0, 1.0]), np.zeros(2))
        >>> linked_by_days(other, one, 800).person.tolist(), linked_by_days(other, one, 800).latitude.tolist()
        ([0, 1], [1.0, 2.0])
    """
    return _recoded(release, one_to_one(topsoe(heat_maps(release, metres), heat_maps(original, metres))), original)


def _recoded(release: Traces, of: IntArray, original: Traces) -> Traces:
    """A release with other codes; -1: left out."""
    who = of[release.person]
    order = np.argsort(who, kind="stable")
    order = order[who[order] >= 0]
    place = release.latitude[order], release.longitude[order]
    return Traces(original.zone, original.persons, who[order], release.time[order], *place)


def case_of(
    original: Traces, release: Traces, sight: Sight, *, guesses: int, confidence: float, seed: int
) -> TraceCase:
    """A case, with days split in halves: as many local days of the original before as after.

    Args:
        original: all persons.
        release: what was made of it, with the codes of the original (`linked_by_name`, `linked_by_days`).
        sight: what a place is to the intruder.
        guesses: most persons looked for.
        confidence: of the intervals.
        seed: of persons drawn, ties and controls.

    Raises:
        SchemaError: fewer than two days. Remedy: in the message.
    """
    days = distinct(original.clock // DAY)
    if len(days) < 2:
        raise SchemaError(
            "Traces that are attacked must span two days at least; these span one.",
            "give more days: an intruder needs some to learn from.",
        )
    half = days[len(days) // 2] * DAY
    knowledge, view = original.kept(original.clock < half), release.kept(release.clock >= half)
    return TraceCase(original, release, knowledge, view, sight, guesses, confidence, np.random.default_rng(seed))


class TraceJudge(Protocol):
    """How one attack on traces is played and scored; a frozen dataclass without parameters that must be given."""

    attack: ClassVar[type[Any]]
    """The attack (`sfumato.attack.base.Attack`)."""
    place: ClassVar[int]
    """Judges are asked from the lowest place on, and draw from the same chance."""

    def trials(self, case: TraceCase) -> list[Trial]:
        """The attack in all its forms."""
        ...


def trace_judges() -> list[TraceJudge]:
    """Every judge of traces, by place: the modules of this folder are searched.

    Example:
        >>> [judge.attack.attack for judge in trace_judges()][:2]
        ['portrait', 'known points']
    """
    found: list[TraceJudge] = []
    for entry in pkgutil.iter_modules(sfumato.release.trace_trials.__path__):
        module = importlib.import_module(f"sfumato.release.trace_trials.{entry.name}")
        kinds: list[type[Any]] = [
            thing for thing in vars(module).values() if isinstance(thing, type) and is_dataclass(thing)
        ]
        found += [kind() for kind in kinds if isinstance(getattr(kind, "place", None), int)]
    return sorted(found, key=lambda judge: judge.place)


def all_trace_trials(case: TraceCase) -> list[Trial]:
    """Every attack on released traces."""
    return [trial for judge in trace_judges() for trial in judge.trials(case)]
