"""What the document of a survey must say so that a phone can ask it: names, texts in every language, answers, groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.loading import under
from sfumato.document.survey import NumberTable, OneOfTable, ScaleTable, SomeOfTable, YesNoTable
from sfumato.errors import PlanError
from sfumato.release.collect.spoken import check_labels, check_spoken
from sfumato.release.collect.survey.mechanisms import remembers, values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.survey import CrossTable, ExperimentTable, QuestionOfSurvey, SurveyDocument

MOST_TIMES = 400
"""Times at most that a question is asked."""
MOST_GROUPS = 8
"""Groups of an experiment at most."""
MOST_VALUES = 4096
"""Answers of a question at most; a phone shows them all."""


def check(said: SurveyDocument) -> None:
    """Refuse a survey that phones cannot ask.

    Raises:
        PlanError: what is wrong, with its key.
    """
    _distinct([one.name for one in said.question], "question", least=1)
    _distinct(said.languages, "languages", least=1)
    with under("consent"):
        check_spoken(said.consent, said.languages, needed=True)
    with under("title"):
        check_spoken(said.title, said.languages, needed=False)
    for i, one in enumerate(said.question):
        with under("question", i):
            _question(one, said.languages)
    if said.asks is not None and not 1 <= said.asks <= len(said.question):
        raise PlanError(
            "`asks` must be from 1 to the {n} questions; got {asks}.", "correct it.", n=len(said.question), asks=said.asks
        ).below("asks")  # fmt: skip
    if said.cross and said.asks == 1:
        raise PlanError(
            "Two questions are counted together where a phone asks both; it asks one.", "let it ask at least 2."
        ).below("asks")
    if said.experiment is not None:
        with under("experiment"):
            _experiment(said.experiment, said.languages)
    for i, pair in enumerate(said.cross):
        with under("cross", i):
            _cross(pair, said.question)
    _stop(said)


def _question(said: QuestionOfSurvey, languages: Sequence[str]) -> None:
    """One question."""
    with under("text"):
        check_spoken(said.text, languages, needed=True)
    _answers(said)
    if isinstance(said, OneOfTable | SomeOfTable | ScaleTable):
        check_labels(said.labels, languages, len(values_of(said)))
    if said.difference is not None and not 0 < said.difference <= 1:
        raise PlanError("`difference` must lie in (0, 1].", "say a share, such as 0.1.").below("difference")
    _repeat(said)


def _answers(said: QuestionOfSurvey) -> None:
    """What can be answered."""
    if isinstance(said, ScaleTable | NumberTable):
        if len(said.bounds) != 2 or not said.bounds[0] < said.bounds[1]:
            raise PlanError("`bounds` must be [lowest, highest].", "declare what is possible.").below("bounds")
    elif len(set(said.values)) < max(2, len(said.values)):
        raise PlanError("A question needs at least two different values.", "declare every answer once.").below("values")
    if isinstance(said, YesNoTable) and len(said.values) != 2:
        raise PlanError("A yes-no question has two values: no, then yes.", "ask for one of several.").below("values")
    if isinstance(said, ScaleTable) and said.bounds[1] - said.bounds[0] >= MOST_VALUES:
        raise PlanError("A scale has at most {most} values.", "ask for a number.", most=MOST_VALUES).below("bounds")
    if isinstance(said, SomeOfTable):
        if len(set(said.words)) != 2 or len(said.words) != 2:
            raise PlanError("`words` must be two different words: for no, then for yes.", "correct it.").below("words")
        if not 1 <= said.most <= len(said.values):
            raise PlanError("`most` must be from 1 to the {n} values.", "correct it.", n=len(said.values)).below("most")


def _repeat(said: QuestionOfSurvey) -> None:
    """How a question is asked again."""
    if said.repeat is None:
        return
    with under("repeat"):
        if not 2 <= said.repeat.times <= MOST_TIMES:
            raise PlanError(
                "A question is asked again 2 to {most} times in all; got {times}.", "leave `repeat` out for one time.",
                most=MOST_TIMES, times=said.repeat.times,
            ).below("times")  # fmt: skip
        if said.repeat.first is not None and said.mechanism is not None and not remembers(said):
            raise PlanError(
                "`first` is of protocols that remember; {mechanism!r} draws anew each time.", "leave it out.",
                mechanism=said.mechanism,
            ).below("first")  # fmt: skip


def _experiment(said: ExperimentTable, languages: Sequence[str]) -> None:
    """Groups."""
    _distinct([one.name for one in said.arm], "arm", least=2, most=MOST_GROUPS)
    for i, one in enumerate(said.arm):
        with under("arm", i, "text"):
            check_spoken(one.text, languages, needed=False)


def _cross(said: CrossTable, questions: Sequence[QuestionOfSurvey]) -> None:
    """Two questions that are counted together."""
    by_name = {one.name: one for one in questions}
    if len(set(said.questions)) != 2 or len(said.questions) != 2 or not set(said.questions) <= set(by_name):
        raise PlanError("`questions` must name two different questions.", "correct the names.").below("questions")
    if any(by_name[name].repeat is not None for name in said.questions):
        raise PlanError(
            "Two questions are counted together only where both are asked once.", "leave out `repeat`."
        ).below("questions")


def _stop(said: SurveyDocument) -> None:
    """When enough have answered."""
    if said.stop is None:
        return
    with under("stop"):
        if said.stop.respondents is None and said.stop.half_width is None:
            raise PlanError("[stop] must say `respondents` or `half_width`.", "say one, or leave it out.")
        if said.stop.respondents is not None and said.stop.respondents < 1:
            raise PlanError("`respondents` must be at least 1.", "correct it.").below("respondents")
        if said.stop.half_width is not None and not 0 < said.stop.half_width < 1:
            raise PlanError("`half_width` must lie in (0, 1).", "say a share, such as 0.03.").below("half_width")


def _distinct(names: Sequence[str], where: str, *, least: int, most: int | None = None) -> None:
    """Names that differ, and are not empty."""
    if len(names) < least or (most is not None and len(names) > most):
        raise PlanError(
            "There must be from {least} to {most} of `{where}`; got {n}.",
            "add or remove some.",
            least=least,
            most=most or MOST_VALUES,
            where=where,
            n=len(names),
        ).below(where)
    if len(set(names)) < len(names) or not all(name.strip() and name.isprintable() for name in names):
        raise PlanError("Names of `{where}` must differ and be printable.", "rename one.", where=where).below(where)
