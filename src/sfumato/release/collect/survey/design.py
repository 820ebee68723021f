"""Mechanisms of a survey, chosen by expected error; what it will see, and why it is hopeless if it is.

Every question that names no epsilon gets an equal part of what a person may spend. How many of the questions each phone
asks is chosen too, unless the document says it: fewer questions leave more epsilon for each, and fewer answers.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.document.loading import under
from sfumato.document.result.survey import QuestionDesigned, SurveyDesignResult
from sfumato.document.survey import ScaleTable
from sfumato.errors import NoSolution, ParameterError, PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.survey.cross import ABLE
from sfumato.mechanism.local.survey.power import Aim, deviation, half_width, smallest_difference
from sfumato.mechanism.local.survey.spent import whole
from sfumato.release.collect.survey.estimates import told_spent
from sfumato.release.collect.survey.mechanisms import DESIGNS, REMEMBERING, allowed, made, spent, values_of
from sfumato.release.collect.survey.survey import survey_of
from sfumato.release.perturb_local import NUMERIC

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.document.survey import QuestionOfSurvey, SurveyDocument

MATTERS = 0.5
"""The smallest difference that matters where a question does not say: half of the persons, or of the range."""
_FIRST = (0.5, 0.7, 0.9)
"""Shares of the epsilon of a lifetime that a single report may spend, where answers are remembered."""
_STEPS = 50
"""Halvings of the search for the epsilon of a question."""
_MOST = 64.0
"""Times the declared epsilon up to which a remedy is looked for."""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """One question with its mechanism.

    Args:
        said: the question, complete.
        spread: standard deviation of one report.
        compared: the same of every mechanism that it can have, the best first.
    """

    said: QuestionOfSurvey
    spread: float
    compared: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class _Plan:
    """One number of questions that each phone asks.

    Args:
        asks: that number.
        chosen: the questions.
        worst: the largest smallest difference, in units of what matters.
    """

    asks: int
    chosen: tuple[_Chosen, ...]
    worst: float


def design(said: SurveyDocument, respondents: int, aim: Aim) -> tuple[SurveyDocument, SurveyDesignResult]:
    """The complete document, and what the survey will see.

    Args:
        said: the document, in which mechanisms and epsilons may be absent.
        respondents: who will answer, >= 1.
        aim: what counts as seen.

    Returns:
        The document with every mechanism and epsilon, and what is expected of it.

    Raises:
        ParameterError: fewer than one respondent.
        NoSolution: a question whose smallest visible difference is above what matters. Remedy: so many respondents, such
            an epsilon, or fewer questions.
    """
    if respondents < 1:
        raise ParameterError("A survey needs at least 1 respondent; got {n}.", "expect some.", n=respondents)
    plan = _best(said, respondents, aim, said.epsilon)
    if plan.worst > 1:
        raise _hopeless(said, respondents, aim, plan)
    complete = replace(said, asks=plan.asks if plan.asks < len(said.question) else said.asks,
                       question=tuple(one.said for one in plan.chosen))  # fmt: skip
    survey = survey_of(complete)
    n = respondents * plan.asks / len(said.question)
    questions = tuple(
        QuestionDesigned(
            name=one.said.name, kind=one.said.tag[1], mechanism=asked.reports.name,
            epsilon=one.said.epsilon or asked.spent.lifetime, spent=told_spent(asked.spent), respondents=n,
            half_width=half_width(one.spread, n), difference=smallest_difference(one.spread, n, _groups(said), aim),
            matters=one.said.difference or MATTERS,
            compared={name: half_width(spread, n) for name, spread in one.compared},
        )
        for one, asked in zip(plan.chosen, survey.asked, strict=True)
    )  # fmt: skip
    return complete, SurveyDesignResult(
        survey=said.name, respondents=respondents, epsilon=survey.spent, asks=plan.asks, groups=_groups(said),
        significance=aim.significance, power=aim.power, questions=questions,
    )  # fmt: skip


def _groups(said: SurveyDocument) -> int:
    """Groups that are compared; any two halves where there is no experiment."""
    return 2 if said.experiment is None else len(said.experiment.arm)


def _best(said: SurveyDocument, respondents: int, aim: Aim, epsilon: float) -> _Plan:
    """The number of questions with the least worst difference; of equal ones the most questions."""
    d, least = len(said.question), 2 if said.cross else 1  # two that are counted together must both be asked
    counts = range(d, least - 1, -1) if said.asks is None else [said.asks]
    known: dict[str, _Chosen] = {}
    plans = [_plan(said, asks, respondents, aim, epsilon, known) for asks in counts]
    able = [plan for plan in plans if plan is not None]
    if not able:
        raise PlanError(
            "The epsilons of the questions leave nothing of the {epsilon} that a person may spend.",
            "lower them, ask fewer questions (`asks`), or raise `epsilon`.",
            epsilon=epsilon,
        ).below("epsilon")
    return min(able, key=lambda plan: plan.worst)


def _plan(
    said: SurveyDocument, asks: int, respondents: int, aim: Aim, epsilon: float, known_choices: dict[str, _Chosen]
) -> _Plan | None:
    """Mechanisms of all questions where each phone asks so many; None: nothing is left to spend."""
    d = len(said.question)
    fixed = [_fixed(i, one) for i, one in enumerate(said.question)]
    known = [value for value in fixed if value is not None]
    if whole(known, min(asks, len(known))) > epsilon * (1 + 1e-12):
        return None
    each = _share(known, d - len(known), asks, epsilon) if len(known) < d else 0.0
    if len(known) < d and each < epsilon / (1000 * d):
        return None
    crossed = {name for pair in said.cross for name in pair.questions}
    chosen = []
    for i, one in enumerate(said.question):
        with under("question", i):
            asked = one if fixed[i] is not None else replace(one, epsilon=each)
            chosen.append(_chosen(asked, one.name in crossed, known_choices))
    n = respondents * asks / d
    seen = [smallest_difference(one.spread, n, _groups(said), aim) / (one.said.difference or MATTERS) for one in chosen]
    return _Plan(asks, tuple(chosen), max(seen))


def _fixed(place: int, said: QuestionOfSurvey) -> float | None:
    """What a question spends that says it itself; None: it does not."""
    if said.mechanism in DESIGNS:
        with under("question", place):
            return spent(said, made(said)).lifetime
    return said.epsilon


def _share(known: Sequence[float], n: int, asks: int, epsilon: float) -> float:
    """The largest epsilon that n questions can have alike, beside those that say theirs."""
    low, high = 0.0, epsilon
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if whole([*known, *[middle] * n], asks) <= epsilon else (low, middle)
    equal = epsilon / asks
    return equal if not known and whole([equal] * n, asks) <= epsilon else low


def _chosen(said: QuestionOfSurvey, crossed: bool, known: dict[str, _Chosen]) -> _Chosen:
    """What `_choose` gives, chosen once for questions that differ in name and wording alone."""
    key = f"{crossed} {replace(said, name='', text={})!r}"
    if key not in known:
        known[key] = _choose(said, crossed)
    found = known[key]
    return replace(found, said=replace(found.said, name=said.name, text=said.text))


def _choose(said: QuestionOfSurvey, crossed: bool) -> _Chosen:
    """The mechanism with the least error, of those that the question can have.

    Not chosen, only taken when named: classical designs, whose chances are somebody's; dBitFlipPM, which shows when an answer
    changes; and of a scale mechanisms of numbers, which tell its mean and no shares to speak of.
    """
    found: list[tuple[float, QuestionOfSurvey]] = []
    for one in _candidates(said, crossed=crossed):
        try:
            found.append((deviation(made(one)), one))
        except ParameterError:
            if said.mechanism is not None and (said.repeat is None or said.repeat.first is not None):
                raise
    if not found:
        raise NoSolution(
            "No mechanism of the question {name!r} keeps its epsilon of {epsilon:.6g}.",
            "raise it, or declare another kind of question.",
            name=said.name,
            epsilon=said.epsilon,
        )
    found.sort(key=lambda pair: pair[0])
    best: dict[str, float] = {}
    for spread, one in found:
        best.setdefault(str(one.mechanism), spread)
    return _Chosen(found[0][1], found[0][0], tuple(best.items()))


def _candidates(said: QuestionOfSurvey, *, crossed: bool) -> Iterator[QuestionOfSurvey]:
    """The question with each mechanism that it can have."""
    left_out = {*DESIGNS, "dBitFlipPM", *(NUMERIC if isinstance(said, ScaleTable) else ())}  # see `_choose`
    names = [said.mechanism] if said.mechanism is not None else [one for one in allowed(said) if one not in left_out]
    for name in names:
        if crossed and name not in ABLE and name not in DESIGNS:
            continue
        one = replace(said, mechanism=name)
        if name not in REMEMBERING or said.repeat is None:
            yield one
        elif said.repeat.distinct is not None:
            yield from _remembering(one)


def _remembering(said: QuestionOfSurvey) -> Iterator[QuestionOfSurvey]:
    """The question with what a protocol that remembers needs, where it does not say it."""
    repeat, k = said.repeat, len(values_of(said))
    if repeat is None or repeat.distinct is None or said.epsilon is None:
        return
    if said.mechanism == "dBitFlipPM":
        for bits in [repeat.bits] if repeat.bits is not None else sorted({1, 2, k}):
            yield replace(said, repeat=replace(repeat, bits=bits, first=None))
        return
    answers = min(repeat.distinct, k)
    for first in [repeat.first] if repeat.first is not None else [said.epsilon / answers * share for share in _FIRST]:
        yield replace(said, repeat=replace(repeat, first=first, bits=None))


def _hopeless(said: SurveyDocument, respondents: int, aim: Aim, plan: _Plan) -> NoSolution:
    """Why a survey is hopeless, and what would help."""
    n = respondents * plan.asks / len(said.question)
    groups = _groups(said)
    seen = {
        one.said.name: (smallest_difference(one.spread, n, groups, aim), one.said.difference or MATTERS)
        for one in plan.chosen
    }
    name, (difference, matters) = max(seen.items(), key=lambda item: item[1][0] / item[1][1])
    enough = math.ceil(respondents * plan.worst**2)
    free = any(one.epsilon is None for one in said.question)
    epsilon = _enough(_with_mechanisms(said, plan), respondents, aim) if free else None
    return NoSolution(
        "With {respondents} respondents the question {name!r} shows differences of {difference:.2g} at least; {matters:.2g} matters.",
        "ask {enough} persons, ask fewer questions, or look for larger differences (`difference`)."
        if epsilon is None
        else "ask {enough} persons, raise `epsilon` to {epsilon:.3g}, ask fewer questions, or look for larger differences (`difference`).",
        respondents=respondents,
        name=name,
        difference=difference,
        matters=matters,
        enough=enough,
        epsilon=epsilon,
    ).below("question", [one.name for one in said.question].index(name))


def _with_mechanisms(said: SurveyDocument, plan: _Plan) -> SurveyDocument:
    """The document with the mechanisms of a plan, which serve as well at a slightly larger epsilon: a quick search."""
    named = tuple(replace(one, mechanism=c.said.mechanism) for one, c in zip(said.question, plan.chosen, strict=True))
    return replace(said, asks=plan.asks, question=named)


def _enough(said: SurveyDocument, respondents: int, aim: Aim) -> float | None:
    """The epsilon of a person with which the survey is not hopeless; None: none up to 64 times the declared one is."""
    low, high = said.epsilon, said.epsilon * _MOST
    if _best(said, respondents, aim, high).worst > 1:
        return None
    while high / low > 1.03:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if _best(said, respondents, aim, middle).worst <= 1 else (middle, high)
    return high
