"""The attacks that answer none of the three questions: membership, downcoding, minimality, and matching of all rows."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.assignment import RecordMatching, expected_hits
from sfumato.attack.base import Seen
from sfumato.attack.downcoding import Downcoding, chance_if_drawn, right
from sfumato.attack.inference import Inference, windows
from sfumato.attack.membership import Acquaintances, Membership
from sfumato.attack.minimality import Minimality, Neighbors
from sfumato.attack.scoring import Rate, Trial, likely_places
from sfumato.attack.singling_out import released_rows
from sfumato.frozen import dataclass
from sfumato.release.trials.case import persons_of
from sfumato.summary.histogram import distribution_of

if TYPE_CHECKING:
    from sfumato.document.result.attack import KnownMatch
    from sfumato.release.trials.case import Case
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class MembershipJudge:
    """Half of the persons, and half of the control group, show where the threshold lies; the others are guessed."""

    attack: ClassVar[type[Membership]] = Membership
    criterion: ClassVar[str | None] = None
    place: ClassVar[int] = 40

    def trials(self, case: Case, *, brief: bool) -> list[Trial]:  # noqa: ARG002
        """One trial."""
        told = (
            "Said to be in the release is whoever it covers densely enough; the threshold is learned on one half of the "
            "persons of each group. Guessed are as many persons of the release as of the control table. Control: a coin."
        )
        target = "whether a person is in the table"
        if case.control is None:
            return [Trial("membership", target, None, f"Not tried: it needs a control table. {told}", None)]
        inside, outside = (case.targets(of).codes for of in (case.published_persons(), persons_of(case.control)))
        if min(len(inside), len(outside)) < 4:
            return [Trial("membership", target, None, told, None)]
        (members, known), (others, strangers) = _halved(inside, case.rng), _halved(outside, case.rng)
        n = min(len(known), len(strangers))
        knowledge = Acquaintances(members, others, np.concatenate((known[:n], strangers[:n])))
        said = Membership().guess(case.published, knowledge, case.rng)
        rates = case.rate(np.concatenate((said[:n], ~said[n:]))), Rate(n, 2 * n, case.confidence)
        return [Trial("membership", target, None, told, *rates, 0.5, judged=case.judged())]


def _halved(codes: IntArray, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Two halves of some persons, at random."""
    mixed = codes[rng.permutation(len(codes))]
    return mixed[: len(mixed) // 2], mixed[len(mixed) // 2 :]


@dataclass(frozen=True, slots=True)
class DowncodingJudge:
    """Finer values behind labels, against values of the same labels at random."""

    attack: ClassVar[type[Downcoding]] = Downcoding
    criterion: ClassVar[str | None] = None
    place: ClassVar[int] = 50

    def trials(self, case: Case, *, brief: bool) -> list[Trial]:  # noqa: ARG002
        """One trial."""
        told = (
            "That a class holds a person with a certain finer value: the ends of its ranges, two children of its nodes. "
            "Right if some original row of the class has it. Control: how often it would be right if the rows of a class "
            "were any that its label allows."
        )
        target = "finer values of generalized cells"
        made = Downcoding(case.guesses).guess(case.published, None, case.rng)
        if not len(made.owner):
            return [Trial("downcoding", target, None, told, None)]
        persons = case.published_persons()
        hits = right(case.published, made, persons.codes[persons.count > 0])
        others = case.original if case.control is None else case.control
        chance = chance_if_drawn(case.published, made, others.codes, np.asarray(others.persons))
        drawn = case.rng.random(len(chance)) < chance
        return [Trial("downcoding", target, None, told, case.rate(hits), case.rate(drawn), judged=case.judged())]


@dataclass(frozen=True, slots=True)
class MinimalityJudge:
    """For each sensitive column with a promise of ℓ: what the intruder gains who knows that the method is minimal."""

    attack: ClassVar[type[Minimality]] = Minimality
    criterion: ClassVar[str | None] = None
    place: ClassVar[int] = 60

    def trials(self, case: Case, *, brief: bool) -> list[Trial]:  # noqa: ARG002
        """One trial for each promise."""
        promised = [(name, bound) for name, bound in case.bounds.items() if name in case.sensitive]
        return [_minimality(case, Minimality(name, bound, case.together)) for name, bound in promised]


def _minimality(case: Case, attack: Minimality) -> Trial:
    """The same guesses about the same persons, with and without that knowledge."""
    name = attack.column
    told = (
        "The likeliest value of a person, as in inference, by an intruder who also knows the finer groups of each class "
        f"from a register, and that they were joined because one value had more than 1/{attack.bound} of one of them. "
        "Control: the same persons by an intruder who does not know the method."
    )
    d = distribution_of(case.published.classes, name)
    targets = case.targets(case.published_persons(name))
    if not targets.n or not d.released.any():
        return Trial("minimality", name, None, told, None)
    near = windows(d.attribute, 0.0)
    register = Neighbors(targets.codes, case.original.codes, np.asarray(case.original.persons))
    main = attack.guess(case.published, register, case.rng)
    control = Inference(name, 0.0).guess(Seen(case.published), targets.codes, case.rng).value
    rates = case.rate(near.hits(main, targets.value)), case.rate(near.hits(control, targets.value))
    return Trial("minimality", name, None, told, *rates, judged=case.judged(name))


def known_matches(case: Case) -> list[KnownMatch]:
    """By the quasi-identifiers, and with each sensitive column beside them."""
    names = tuple(a.name for a in case.published.attributes)
    return [_match(case, names, None)] + [_match(case, names, name) for name in case.sensitive]


def _match(case: Case, names: tuple[str, ...], column: str | None) -> KnownMatch:
    from sfumato.document.result.attack import KnownMatch

    persons, published = persons_of(case.original, column), case.published
    found = RecordMatching(column).guess(published, persons, case.rng)
    groups = released_rows(published, column)
    own = likely_places(published, persons, groups)
    distance = found.distance / max(int(found.flow.sum()), 1)
    return KnownMatch(
        known=names if column is None else (*names, column),
        persons=int(persons.count.sum()),
        published=int(case.published_persons(column).count.sum()),
        expected=expected_hits(found, persons, groups, own=own),
        distance=distance if isfinite(distance) else None,
        nearest=found.is_nearest,
        unmatched=found.unmatched,
    )
