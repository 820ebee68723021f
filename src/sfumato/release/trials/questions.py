"""The attacks that answer the three questions of WP216 (singling out, linkability, inference), and their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np

from sfumato.attack import singling_out
from sfumato.attack.base import Seen
from sfumato.attack.inference import Inference, determined, windows
from sfumato.attack.linkability import Files, Linkability, halves
from sfumato.attack.scoring import Rate, Trial
from sfumato.attack.singling_out import SinglingOut
from sfumato.frozen import dataclass
from sfumato.release.trials.case import persons_of, trials_by_question
from sfumato.risk.wp216 import Answer, Criterion, question_of
from sfumato.summary.histogram import distribution_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.attack.cover import Targets
    from sfumato.attack.inference import Inferred
    from sfumato.release.trials.case import Case
    from sfumato.types import BoolArray

WITHIN = 0.05
"""A guessed number counts as right within this share of the true one."""
_CELLS = 4_000_000
"""Persons times classes up to which files are linked."""


@dataclass(frozen=True, slots=True)
class SinglingOutJudge:
    """By one label and by a whole class; not in brief, also by a class and a sensitive value."""

    attack: ClassVar[type[SinglingOut]] = SinglingOut
    criterion: ClassVar[str | None] = "singling out"
    place: ClassVar[int] = 10

    def trials(self, case: Case, *, brief: bool) -> list[Trial]:
        """One trial for each family of descriptions."""
        whole = "all quasi-identifiers"
        out = [
            _singled_out(case, SinglingOut(case.guesses, one_label=True), "one quasi-identifier"),
            _singled_out(case, SinglingOut(case.guesses), whole),
        ]
        for name in () if brief else case.sensitive:
            out.append(_singled_out(case, SinglingOut(case.guesses, name), f"{whole} and {name}"))
        return out


def _singled_out(case: Case, attack: SinglingOut, target: str) -> Trial:
    told = (
        "The rarest descriptions that the release shows are looked for in the original; right if exactly one person fits. "
        "Control: how often a description of that weight would fit exactly one by luck"
    )
    weighed = ", its weight taken from the control table." if case.control else ", its parts taken for independent."
    rare = attack.guess(case.published, None, case.rng)
    column = attack.column
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


@dataclass(frozen=True, slots=True)
class LinkabilityJudge:
    """Two files with every other quasi-identifier each."""

    attack: ClassVar[type[Linkability]] = Linkability
    criterion: ClassVar[str | None] = "linkability"
    place: ClassVar[int] = 20

    def trials(self, case: Case, *, brief: bool) -> list[Trial]:  # noqa: ARG002
        """One trial."""
        names = [a.name for a in case.published.attributes]
        split = halves(len(names))
        told = (
            "Each person of one file is linked with the person of another whose columns go best with it in the release; "
            "right if it is the same person. Without a control table the control is a link at random."
        )
        first, second = (", ".join(names[j] for j in half) for half in split)
        target = f"{first} with {second}" if second else first
        none = [Trial("linkability", target, "linkability", told, None)]
        if len(names) < 2:
            return none
        pool = case.targets(case.published_persons()).codes
        others = pool if case.control is None else case.targets(persons_of(case.control)).codes
        n = min(len(pool), len(others), max(100, _CELLS // max(case.published.classes.n_classes, 1)))
        if n < 2:
            return none
        main, control = (
            case.rate(Linkability().guess(case.published, Files(codes[:n], split), case.rng) == np.arange(n))
            for codes in (pool, others)
        )
        rates = main, control if case.control else Rate(1, n, case.confidence)
        return [Trial("linkability", target, "linkability", told, *rates, 1 / n, judged=case.judged())]


@dataclass(frozen=True, slots=True)
class InferenceJudge:
    """For each sensitive column its likeliest value, and whether it is certain.

    Args:
        excluded: for each number of values that the intruder can exclude, one attack by certainty; in brief only the first.
    """

    attack: ClassVar[type[Inference]] = Inference
    criterion: ClassVar[str | None] = "inference"
    place: ClassVar[int] = 30
    excluded: tuple[int, ...] = (0, 1, 2)

    def trials(self, case: Case, *, brief: bool) -> list[Trial]:
        """The attacks on all sensitive columns."""
        excluded = self.excluded[:1] if brief else self.excluded
        return [trial for name in case.sensitive for trial in _inference_of(case, name, excluded)]


def _inference_of(case: Case, name: str, excluded: tuple[int, ...]) -> list[Trial]:
    """The attacks on one sensitive column."""
    d = distribution_of(case.published.classes, name)
    near = windows(d.attribute, WITHIN)
    blind = d.released.astype(np.float64)
    kind = "the value itself" if near.stop[0] == 1 and d.attribute.positions is None else f"within {WITHIN:.0%} of it"
    told = (
        "The likeliest value in the classes that could hold the person, whose quasi-identifiers are known; "
        f"right if it is {kind}. Baseline: the best guess without quasi-identifiers."
    )
    main = case.targets(case.published_persons(name))
    if not main.n or not blind.any():
        return [Trial("inference", name, "inference", told, None)]
    said = _said(case, name, main)
    rates = [case.rate(near.hits(one.value, who.value)) if who.n else None for who, one in said]
    baseline = float((near.mass(blind[None])[0] / blind.sum()).max())
    out = [Trial("inference", name, "inference", told, rates[0], rates[1], baseline, judged=case.judged(name))]
    told_apart = np.count_nonzero(blind)
    for j in excluded:
        if told_apart > 1 + j:  # else to exclude the others is to know the value
            mine, theirs = (determined(one.possible, who.value, j) for who, one in said)
            out.append(_certain(case, name, j, (mine, theirs)))
    return out


def _said(case: Case, name: str, main: Targets) -> list[tuple[Targets, Inferred]]:
    """What is guessed about persons of the release, and about the control group."""
    attack, plain = Inference(name, WITHIN), Seen(case.published)
    if case.control is None:
        asked = [(plain, main), (Seen(case.published, main.value), main)]
    else:
        asked = [(plain, main), (plain, case.targets(persons_of(case.control, name)))]
    return [(who, attack.guess(view, who.codes, case.rng)) for view, who in asked]


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


CONFIDENCE = 0.95
"""Of the intervals in the result of a run."""

_TESTS = {
    "singling out": "attack: singled out by {}",
    "linkability": "attack: files linked by {}",
    "inference": "attack: {} guessed",
    "homogeneity": "attack: {} certain",
}


def answers_by_attack(case: Case, *, tolerance: float) -> tuple[Answer, ...]:
    """The three questions, answered by attacks on a release.

    Args:
        case: the release and what the judge knows.
        tolerance: largest accepted risk, in [0, 1].

    Returns:
        By question; each the risk, its interval and the verdict: low if the whole interval is tolerated.
    """
    found = [answer_of(trial, tolerance) for trial in trials_by_question(case)]
    if not case.sensitive:
        found.append(_no_inference(tolerance))
    return tuple(found)


def answer_of(trial: Trial, tolerance: float) -> Answer:
    """One attack as an answer."""
    risk, criterion = trial.risk, cast("Criterion", trial.criterion)
    return Answer(
        criterion=criterion,
        question=question_of(criterion),
        test=_TESTS[trial.attack].format(trial.target),
        value=None if risk is None else risk.value,
        threshold=tolerance,
        verdict=trial.verdict(tolerance),
        definition=f"{trial.definition} {told(trial)}",
        by="attack",
        low=None if risk is None else risk.low,
        high=None if risk is None else risk.high,
    )


def told(trial: Trial) -> str:
    """The rates of an attack and its control as a sentence.

    Example:
        >>> from sfumato.attack.scoring import Rate, Trial
        >>> told(Trial("", "", None, "", Rate(30, 100, 0.95), Rate(20, 100, 0.95)))
        'Right: 30 of 100; control: 20 of 100.'
        >>> told(Trial("", "", None, "", None))
        'The attack could not be carried out.'
    """
    if trial.main is None:
        return "The attack could not be carried out."
    beside = "" if trial.control is None else f"; control: {trial.control.successes} of {trial.control.n}"
    doubt = "" if trial.complete else " Labels that could not be read were passed over, so it is not called low."
    out = trial.judged.left_out if trial.judged is not None else 0
    left = f" Left out: {out} persons who are not in the release." if out else ""
    return f"Right: {trial.main.successes} of {trial.main.n}{beside}.{left}{doubt}"


def in_turn(*groups: Sequence[Answer]) -> tuple[Answer, ...]:
    """Answers by question; within a question in the order of the groups."""
    both = [answer for group in groups for answer in group]
    asked = list(dict.fromkeys(answer.criterion for answer in both))
    return tuple(sorted(both, key=lambda answer: asked.index(answer.criterion)))


def _no_inference(tolerance: float) -> Answer:
    """Nothing can be inferred where nothing is declared sensitive; nobody looked."""
    why = "The attack could not be carried out: no sensitive column was declared."
    question = question_of("inference")
    return Answer(
        "inference", question, _TESTS["inference"].format("a value"), None, tolerance, "inconclusive", why, "attack"
    )
