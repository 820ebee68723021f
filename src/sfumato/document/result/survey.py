"""What a survey tells: the design that was chosen, estimates of every question, and of what belongs together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.document.result.collected import AnswerShare
from sfumato.document.result.keys import OMITTED
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentTold:
    """What a person spends, in nats, rounded up.

    Args:
        report: on one report.
        steady: on all reports, while the answer stays the same.
        lifetime: on all reports, of at most as many different answers as are declared, between histories that change and
            return at the same moments.
        any_history: on all reports, between any two histories; null: there is no bound.
    """

    report: float
    steady: float
    lifetime: float
    any_history: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanTold:
    """The mean of a number.

    Args:
        estimate: unbiased; noise can carry it beyond the bounds.
        low: lower end of its interval.
        high: upper end.
        error: standard error.
    """

    estimate: float
    low: float
    high: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTold:
    """What is known of a question at one time, in one group or in all.

    Args:
        time: which of the times at which it is asked, from 1.
        group: name of the group; null: all groups together.
        reports: that were counted.
        answers: the share of each answer; empty: a number, or no report yet.
        mean: of a number or a scale; null: none.
    """

    time: int
    group: str | None
    reports: int
    answers: tuple[AnswerShare, ...]
    mean: MeanTold | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTold:
    """One question.

    Args:
        name: of the question.
        kind: of the question.
        mechanism: that randomizes it.
        spent: on it.
        parts: by time; with groups, all of them together come first.
    """

    name: str
    kind: str
    mechanism: str
    spent: SpentTold
    parts: tuple[PartTold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceTold:
    """How a group differs from the control, which is the first.

    Args:
        question: name of the question.
        time: which of its times, from 1.
        group: the group that is compared.
        value: the answer whose share is compared; null: the mean of a number.
        estimate: the group's minus the control's.
        low: lower end of its interval, of the population that the persons come from.
        high: upper end.
        p_value: two-sided, of "no difference".
        adjusted: the same, corrected for all differences that are told (Holm).
    """

    question: str
    time: int
    group: str
    value: str | None
    estimate: float
    low: float
    high: float
    p_value: float
    adjusted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTold:
    """Two answers that one person gave.

    Args:
        first: answer to the first question.
        second: answer to the second.
        estimate: share of the persons with both, unbiased; it may be negative.
        low: lower end of its interval.
        high: upper end.
        deviation: standard error.
    """

    first: str
    second: str
    estimate: float
    low: float
    high: float
    deviation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTold:
    """Two questions together.

    Args:
        questions: their names.
        persons: who answered both.
        pairs: each pair of answers; empty: nobody did.
    """

    questions: tuple[str, ...]
    persons: int
    pairs: tuple[PairTold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyEstimatesResult(Document):
    """What the counts of a survey tell.

    Args:
        collection: digest of what was asked.
        survey: its name.
        epsilon: of everything that a person ever sends, in nats.
        persons: who have answered at least at the time at which most did.
        reports: that were counted, of all times.
        stop: persons after whom nobody is asked any more; null: only the end counts.
        confidence: of each interval.
        groups: persons in each group, by its name; empty: nothing is compared.
        questions: each question.
        differences: between groups.
        crosses: questions that were counted together.
    """

    tag: ClassVar = ("format", "sfumato.survey-estimates/1")
    collection: str
    survey: str
    epsilon: float
    persons: int
    reports: int
    stop: int | None
    confidence: float
    groups: Mapping[str, int]
    questions: tuple[QuestionTold, ...]
    differences: tuple[DifferenceTold, ...]
    crosses: tuple[CrossTold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedAnswer:
    """One number beside the truth.

    Args:
        question: name of the question.
        time: which of its times, from 1.
        value: the answer whose share it is; null: the mean of a number.
        truth: of these persons.
        estimate: mean of the estimates of all runs.
        error: root of the mean squared error.
        covered: share of the runs whose interval holds the truth.
    """

    question: str
    time: int
    value: str | None
    truth: float
    estimate: float
    error: float
    covered: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveySimulatedResult(Document):
    """A survey that simulated phones answered.

    Args:
        survey: its name.
        epsilon: of everything that a person ever sends, in nats.
        persons: who answered in each run.
        runs: surveys that were simulated.
        answers: every number, of all groups together.
    """

    tag: ClassVar = ("format", "sfumato.survey-simulated/1")
    survey: str
    epsilon: float
    persons: int
    runs: int
    answers: tuple[SimulatedAnswer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientTold:
    """What one column adds to the log-odds of a true yes.

    Args:
        name: of the column.
        estimate: the coefficient.
        low: lower end of its interval.
        high: upper end.
        error: standard error.
        p_value: two-sided, of "nothing".
    """

    name: str
    estimate: float
    low: float
    high: float
    error: float
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressionResult(Document):
    """A logistic regression on randomized answers.

    Args:
        survey: its name.
        question: the yes-no question.
        reports: that were read.
        confidence: of each interval.
        repeated: whether persons answered several times; standard errors take reports as independent, and are then too small
            where answers hardly change.
        coefficients: of each column.
    """

    tag: ClassVar = ("format", "sfumato.survey-regression/1")
    survey: str
    question: str
    reports: int
    confidence: float
    repeated: bool
    coefficients: tuple[CoefficientTold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessedQuestion:
    """How often an intruder guesses an answer.

    Args:
        question: its name.
        mechanism: that randomizes it.
        reports: of each person who is asked.
        right: share of the persons whose answer is guessed rightly.
        low: lower end of its interval.
        high: upper end.
        baseline: the same for whoever has no report: the share of the most frequent answer.
        expected: what the best guess from all reports reaches on average, exactly, over all that chance can do; null where that
            is not computed.
        unknown: why it is not; null where it is.
    """

    question: str
    mechanism: str
    reports: int
    right: float
    low: float
    high: float
    baseline: float
    expected: float | None
    unknown: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyAttackResult(Document):
    """A survey whose reports an intruder holds, with the true answers of all persons to say who is who.

    Args:
        survey: its name.
        persons: who answered.
        confidence: of each interval.
        questions: what is guessed of each.
        left_out: questions that are not attacked.
        named: share of the persons who are among the first so many that the intruder names, by that number.
        by_chance: the same for whoever names persons at random.
    """

    tag: ClassVar = ("format", "sfumato.survey-attack/1")
    survey: str
    persons: int
    confidence: float
    questions: tuple[GuessedQuestion, ...]
    left_out: tuple[str, ...]
    named: Mapping[str, float]
    by_chance: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedQuestion:
    """What the reports of a question prove.

    Args:
        question: its name; of a scheme those of all; of RAPPOR the stage.
        mechanism: that was called.
        stated: epsilon of one report that it states, in nats.
        lower: the true epsilon is at least this, with the confidence.
        seen: what was looked at in the reports.
        refuted: whether that contradicts what is stated.
    """

    question: str
    mechanism: str
    stated: float
    lower: float
    seen: str
    refuted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditResult(Document):
    """A collection audited from outside.

    Args:
        collection: digest of what is asked.
        reports: drawn for each answer that was compared.
        confidence: of each bound.
        questions: each question.
    """

    tag: ClassVar = ("format", "sfumato.audit/1")
    collection: str
    reports: int
    confidence: float
    questions: tuple[AuditedQuestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDesigned:
    """What a survey will see of one question.

    Args:
        name: of the question.
        kind: of the question.
        mechanism: chosen, or as it was named.
        epsilon: of all reports about it, in nats.
        spent: exactly.
        respondents: who will answer it, expected.
        half_width: of a 95 % interval at most, as a share of the persons or of the range.
        difference: the smallest that is seen between two groups, likewise.
        matters: the smallest difference that matters, as declared or a half.
        compared: how wide the intervals would be with each mechanism that the question can have, the best first.
    """

    name: str
    kind: str
    mechanism: str
    epsilon: float
    spent: SpentTold
    respondents: float
    half_width: float
    difference: float
    matters: float
    compared: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyDesignResult(Document):
    """A survey whose mechanisms were chosen.

    Args:
        survey: its name.
        respondents: who will answer.
        epsilon: of everything that a person ever sends, exactly, in nats.
        asks: questions that each phone draws and asks.
        groups: that are compared; two halves of the respondents where there is no experiment.
        significance: chance to see a difference where there is none.
        power: chance to see one of the smallest size.
        questions: each question.
        path: where the document was written; absent: nowhere.
    """

    tag: ClassVar = ("format", "sfumato.survey-design/1")
    survey: str
    respondents: int
    epsilon: float
    asks: int
    groups: int
    significance: float
    power: float
    questions: tuple[QuestionDesigned, ...]
    path: str | None = field(default=None, metadata=OMITTED)
