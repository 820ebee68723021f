"""One release with what only its judge knows, the protocol of judges, and every judge there is.

A judge hands an attack its view and its knowledge, and scores what it guesses about persons of the release beside a
control group: persons who are not in the release or, where there is no table of them, the same persons with their own
row taken out of the release before the attack.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import field, is_dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

import sfumato.release.trials
from sfumato.attack.cover import Targets
from sfumato.attack.scoring import Judged, Rate, present
from sfumato.attack.singling_out import ANY, Persons, released_rows
from sfumato.frozen import dataclass
from sfumato.summary.histogram import distribution_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from sfumato.attack.scoring import Trial
    from sfumato.summary.classes import Classes
    from sfumato.summary.published import Published
    from sfumato.types import BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One release, and what the judge knows beside it.

    Args:
        published: the release as read.
        original: finest classes of the table that it was made from.
        control: finest classes of persons who are not in it, over the same leaves; None: not given.
        guesses: most guesses of each attack, >= 1.
        confidence: of the intervals, in (0, 1).
        rng: draws the targets, and breaks the intruder's ties.
        truthful: whether released labels are true of their persons; False: quasi-identifiers were perturbed.
        bounds: the ℓ that was promised, by sensitive column.
        together: whether the method judges all classes together, as full-domain generalization does.
    """

    published: Published
    original: Classes
    control: Classes | None
    guesses: int
    confidence: float
    rng: np.random.Generator
    truthful: bool = True
    bounds: Mapping[str, Fraction] = field(default_factory=dict)
    together: bool = False
    _present: dict[str | None, Persons] = field(default_factory=dict, init=False, repr=False)

    @property
    def sensitive(self) -> list[str]:
        """The sensitive columns."""
        return [h.attribute.name for h in self.original.histograms]

    def rate(self, hits: BoolArray) -> Rate:
        """The rate of some guesses."""
        return Rate(int(np.count_nonzero(hits)), len(hits), self.confidence)

    def published_persons(self, column: str | None = None) -> Persons:
        """Persons of the original who are in the release; with a value of the column, if one is named."""
        if column not in self._present:
            found = persons_of(self.original, column)
            if self.truthful:
                found = present(self.published, found, released_rows(self.published, column))
            self._present[column] = found
        return self._present[column]

    def judged(self, column: str | None = None) -> Judged:
        """How many persons an attack is judged on, and how many are left out since they are not in the release."""
        inside = int(self.published_persons(column).count.sum())
        return Judged(inside, int(persons_of(self.original, column).count.sum()) - inside)

    def targets(self, persons: Persons) -> Targets:
        """Persons drawn without replacement, at most as many as guesses."""
        ends = np.cumsum(persons.count)
        n = int(ends[-1]) if len(ends) else 0
        drawn = self.rng.choice(n, min(n, self.guesses), replace=False, shuffle=False)
        at = np.searchsorted(ends, np.sort(drawn), "right")
        return Targets(persons.codes[at], persons.value[at])


def persons_of(classes: Classes, column: str | None = None) -> Persons:
    """The persons of a table, equal ones together; with a sensitive column those who have a value there."""
    if column is None:
        persons = np.asarray(classes.persons)
        return Persons(classes.codes, np.full(classes.n_classes, ANY), persons)
    d = distribution_of(classes, column)
    return Persons(classes.codes[d.owner], d.value, d.count)


def doubted(trials: Sequence[Trial], published: Published, *, readable: bool) -> list[Trial]:
    """The same trials: none low if not all of the release could be read as true, none applicable if it is of nobody."""
    if not published.classes.n_classes:
        return [replace(trial, main=None, control=None, judged=None, applicable=False) for trial in trials]
    return [replace(trial, complete=readable) for trial in trials]


class Judge(Protocol):
    """How one attack is played and scored; a frozen dataclass without parameters that must be given."""

    attack: ClassVar[type[Any]]
    """The attack (`sfumato.attack.base.Attack`)."""
    criterion: ClassVar[str | None]
    """Which of the three questions of WP216 it answers; None: none of them."""
    place: ClassVar[int]
    """Judges are asked from the lowest place on, and draw from the same chance."""

    def trials(self, case: Case, *, brief: bool) -> list[Trial]:
        """The attack in all its forms; in brief only those that answer its question."""
        ...


def judges() -> list[Judge]:
    """Every judge, by place: the modules of this folder are searched, so that a new one needs no other change.

    Example:
        >>> [judge.attack.attack for judge in judges()][:3]
        ['singling out', 'linkability', 'inference']
    """
    found: list[Judge] = []
    for entry in pkgutil.iter_modules(sfumato.release.trials.__path__):
        module = importlib.import_module(f"sfumato.release.trials.{entry.name}")
        kinds: list[type[Any]] = [
            thing for thing in vars(module).values() if isinstance(thing, type) and is_dataclass(thing)
        ]
        found += [kind() for kind in kinds if hasattr(kind, "place")]
    return sorted(found, key=lambda judge: judge.place)


def all_trials(case: Case, *, readable: bool) -> list[Trial]:
    """Every attack on a release; none is called low unless all of it could be read as true."""
    trials = [trial for judge in judges() for trial in judge.trials(case, brief=False)]
    return doubted(trials, case.published, readable=readable)


def trials_by_question(case: Case) -> list[Trial]:
    """The attacks that answer one of the three questions of WP216, as `all_trials`."""
    asked = [judge for judge in judges() if judge.criterion is not None]
    trials = [trial for judge in asked for trial in judge.trials(case, brief=True)]
    return doubted(trials, case.published, readable=case.published.is_understood)
