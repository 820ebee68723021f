"""What do attacks answer to the three questions of WP216? The verdicts that a report shows beside the formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sfumato.release.trials.case import trials_by_question
from sfumato.risk.wp216 import Answer, Criterion, question_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.attack.rate import Trial
    from sfumato.release.trials.case import Case

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
        >>> from sfumato.attack.rate import Rate, Trial
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
