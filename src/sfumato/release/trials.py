"""How does each attack fare on a release? Carried out on persons of the release and on a control group, and scored.

The attacks see the release; only this judge knows the original. The control group is a table of persons who are not in
the release or, where there is none, the same persons with their own row taken out of the release before the attack.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack import inference, singling_out
from sfumato.attack.cover import Targets
from sfumato.attack.downcoding import chance_if_drawn, claims, right
from sfumato.attack.linkability import halves, link, link_scores
from sfumato.attack.membership_release import best_threshold, density
from sfumato.attack.pairs import matches
from sfumato.attack.presence import present
from sfumato.attack.rate import Judged, Rate, Trial
from sfumato.attack.singling_out import ANY, Persons
from sfumato.summary.distribution import distribution_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.attack.singling_out import Predicates
    from sfumato.summary.classes import Classes
    from sfumato.summary.published import Published
    from sfumato.types import BoolArray, FloatArray

WITHIN = 0.05
"""A guessed number counts as right within this share of the true one."""
_CELLS = 4_000_000
"""Persons times classes up to which files are linked."""


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
    """

    published: Published
    original: Classes
    control: Classes | None
    guesses: int
    confidence: float
    rng: np.random.Generator
    truthful: bool = True
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


def released_rows(published: Published, column: str | None = None) -> Predicates:
    """The distinct released rows: by quasi-identifiers, and with a sensitive column by its values too."""
    if column is None:
        return singling_out.of_classes(published)
    return singling_out.of_values(published, distribution_of(published.classes, column))


def doubted(trials: Sequence[Trial], published: Published, *, readable: bool) -> list[Trial]:
    """The same trials: none low if not all of the release could be read as true, none applicable if it is of nobody."""
    if not published.classes.n_classes:
        return [replace(trial, main=None, control=None, judged=None, applicable=False) for trial in trials]
    return [replace(trial, complete=readable) for trial in trials]


def singling_out_trials(case: Case, *, with_values: bool = True) -> list[Trial]:
    """By one label, by a whole class and, if asked, by a class and a sensitive value."""
    by_label, by_class = singling_out.of_labels(case.published), released_rows(case.published)
    whole = "all quasi-identifiers"
    out = [
        _singled_out(case, by_label, "one quasi-identifier", None),
        _singled_out(case, by_class, whole, None),
    ]
    for name in case.sensitive if with_values else ():
        found = released_rows(case.published, name)
        out.append(_singled_out(case, found, f"{whole} and {name}", name))
    return out


def _singled_out(case: Case, predicates: Predicates, target: str, column: str | None) -> Trial:
    """One family of predicates."""
    told = (
        "The rarest descriptions that the release shows are looked for in the original; right if exactly one person fits. "
        "Control: how often a description of that weight would fit exactly one by luck"
    )
    weighed = ", its weight taken from the control table." if case.control else ", its parts taken for independent."
    rare = predicates.rarest(case.guesses, rng=case.rng)
    criterion = "singling out" if column is None else None
    if not len(rare.count):
        return Trial("singling out", target, criterion, told + weighed, None)
    persons = case.published_persons(column)
    hits = singling_out.satisfied_by(case.published, rare, persons) == 1
    if case.control is None:
        weight = singling_out.weight_if_independent(case.published, rare, persons)
    else:
        others = persons_of(case.control, column)
        weight = singling_out.satisfied_by(case.published, rare, others) / max(int(others.count.sum()), 1)
    chance = singling_out.luck(weight, int(persons.count.sum()))
    by_luck = case.rng.random(len(chance)) < chance
    rates = case.rate(hits), case.rate(by_luck)
    return Trial("singling out", target, criterion, told + weighed, *rates, judged=case.judged(column))


def linkability_trials(case: Case) -> list[Trial]:
    """Two files with every other quasi-identifier each."""
    names = [a.name for a in case.published.attributes]
    split = halves(len(names))
    told = (
        "Each person of one file is linked with the person of another whose columns go best with it in the release; "
        "right if it is the same person. Without a control table the control is a link at random."
    )
    first, second = (", ".join(names[j] for j in half) for half in split)
    target = f"{first} with {second}" if second else first
    if len(names) < 2:
        return [Trial("linkability", target, "linkability", told, None)]
    pool = case.targets(case.published_persons()).codes
    others = pool if case.control is None else case.targets(persons_of(case.control)).codes
    n = min(len(pool), len(others), max(100, _CELLS // max(case.published.classes.n_classes, 1)))
    if n < 2:
        return [Trial("linkability", target, "linkability", told, None)]
    main, control = (
        case.rate(link(link_scores(case.published, codes[:n], split), rng=case.rng) == np.arange(n))
        for codes in (pool, others)
    )
    rates = main, control if case.control else Rate(1, n, case.confidence)
    return [Trial("linkability", target, "linkability", told, *rates, 1 / n, judged=case.judged())]


def inference_trials(case: Case, *, excluded: Sequence[int] = (0, 1)) -> list[Trial]:
    """For each sensitive column its likeliest value, and whether it is certain.

    Args:
        case: what is attacked.
        excluded: for each number of values that the intruder can exclude, one attack by certainty.
    """
    return [trial for name in case.sensitive for trial in _inference_of(case, name, excluded)]


def _inference_of(case: Case, name: str, excluded: Sequence[int]) -> list[Trial]:
    """The attacks on one sensitive column."""
    d = distribution_of(case.published.classes, name)
    near = inference.windows(d.attribute, WITHIN)
    blind = d.released.astype(np.float64)
    kind = "the value itself" if near.stop[0] == 1 and d.attribute.positions is None else f"within {WITHIN:.0%} of it"
    told = (
        "The likeliest value in the classes that could hold the person, whose quasi-identifiers are known; "
        f"right if it is {kind}. Baseline: the best guess without quasi-identifiers."
    )
    main = case.targets(case.published_persons(name))
    if not main.n or not blind.any():
        return [Trial("inference", name, "inference", told, None)]
    support = inference.beliefs(matches(case.published, main.codes), d)
    if case.control is None:
        other, others = main, inference.beliefs(matches(case.published, main.codes), d, without=main.value)
    else:
        other = case.targets(persons_of(case.control, name))
        others = inference.beliefs(matches(case.published, other.codes), d)
    rates, certain = [], []
    for targets, believed in ((main, support), (other, others)):
        guess = inference.infer(believed, blind, near, rng=case.rng)
        rates.append(case.rate(near.hits(guess, targets.value)) if targets.n else None)
        certain.append([inference.determined(believed, targets.value, j) for j in excluded])
    baseline = float((near.mass(blind[None])[0] / blind.sum()).max())
    out = [Trial("inference", name, "inference", told, rates[0], rates[1], baseline, judged=case.judged(name))]
    told_apart = np.count_nonzero(blind)
    for j, mine, theirs in zip(excluded, certain[0], certain[1], strict=True):
        if told_apart > 1 + j:  # else to exclude the others is to know the value
            out.append(_certain(case, name, j, (mine, theirs)))
    return out


def _certain(case: Case, name: str, excluded: int, hits: tuple[BoolArray, BoolArray]) -> Trial:
    """Homogeneity, or background knowledge."""
    attack = "background knowledge" if excluded else "homogeneity"
    known = f" and who knows {excluded} value{'s' * (excluded > 1)} that the person does not have" * bool(excluded)
    told = (
        f"Certain of the value, and right, is an intruder who knows the quasi-identifiers{known}. "
        "The rate itself is held against what is accepted: certainty harms, whoever else is in the class."
    )
    control = case.rate(hits[1]) if len(hits[1]) else None
    target = f"{name}, {excluded} excluded" if excluded else name
    return Trial(
        attack,
        target,
        None if excluded else "inference",
        told,
        case.rate(hits[0]),
        control,
        None,
        "rate",
        judged=case.judged(name),
    )


def membership_trials(case: Case) -> list[Trial]:
    """Half of the persons, and half of the control group, show where the threshold lies; the others are guessed."""
    told = (
        "Said to be in the release is whoever it covers densely enough; the threshold is learned on one half of the "
        "persons of each group. Guessed are as many persons of the release as of the control table. Control: a coin."
    )
    target = "whether a person is in the table"
    if case.control is None:
        return [Trial("membership", target, None, f"Not tried: it needs a control table. {told}", None)]
    inside, outside = (
        density(matches(case.published, case.targets(of).codes), case.published.classes.rows)
        for of in (case.published_persons(), persons_of(case.control))
    )
    if min(len(inside), len(outside)) < 4:
        return [Trial("membership", target, None, told, None)]
    learn, test = _halved(inside, case.rng), _halved(outside, case.rng)
    cut = best_threshold(learn[0], test[0])
    n = min(len(learn[1]), len(test[1]))
    hits = np.concatenate((learn[1][:n] >= cut, test[1][:n] < cut))
    return [
        Trial(
            "membership",
            target,
            None,
            told,
            case.rate(hits),
            Rate(n, 2 * n, case.confidence),
            0.5,
            judged=case.judged(),
        )
    ]


def _halved(values: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Two halves, at random."""
    mixed = rng.permutation(values)
    return mixed[: len(mixed) // 2], mixed[len(mixed) // 2 :]


def downcoding_trials(case: Case) -> list[Trial]:
    """Finer values behind labels, against values of the same labels at random."""
    told = (
        "That a class holds a person with a certain finer value: the ends of its ranges, two children of its nodes. "
        "Right if some original row of the class has it. Control: how often it would be right if the rows of a class "
        "were any that its label allows."
    )
    target = "finer values of generalized cells"
    made = claims(case.published).some(case.guesses, rng=case.rng)
    if not len(made.owner):
        return [Trial("downcoding", target, None, told, None)]
    persons = case.published_persons()
    hits = right(case.published, made, persons.codes[persons.count > 0])
    others = case.original if case.control is None else case.control
    chance = chance_if_drawn(case.published, made, others.codes, np.asarray(others.persons))
    drawn = case.rng.random(len(chance)) < chance
    return [Trial("downcoding", target, None, told, case.rate(hits), case.rate(drawn), judged=case.judged())]
