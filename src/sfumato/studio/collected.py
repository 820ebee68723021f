"""What the page of a collection prints: protocols that could be used, and shares with their intervals, rounded to their bad side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.language.words import words
from sfumato.release.collect.advice import advice
from sfumato.report.chart.intervals import Span, intervals
from sfumato.report.number import Toward, number, p_value, percent_of
from sfumato.report.panels import MOST
from sfumato.studio.shelf import whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.result.collected import (
        AnswerShare,
        EstimatesResult,
        QuestionShares,
        RecommendationResult,
        StringsResult,
    )
    from sfumato.language.words import Words

CHART = ("Estimated shares with their intervals.", "share of persons")
"""What the picture of shares says of itself, and its axis."""
_DIGITS = 9
"""Decimals of a mark of an axis, which is computed."""
_MOST_PERSONS, _MOST_VALUES, _MOST_ADVISED = 10**9, 10**6, 20


@dataclass(frozen=True, slots=True)
class ShownProtocol:
    """One protocol that could be used.

    Args:
        name: of it.
        of: how many values its question has, or in what neighboring persons differ.
        deviation: of an estimated share, about; of schemes the worst.
        bytes: of a report; "": it is not said of schemes.
        epsilon: true one of the whole record.
    """

    name: str
    of: str
    deviation: str
    bytes: str
    epsilon: str


@dataclass(frozen=True, slots=True)
class ShownShare:
    """One answer with its interval, as text."""

    value: str
    estimate: str
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """The answers to one question.

    Args:
        column: what was asked.
        answers: each that could be given.
        chart: the first of them as a picture.
    """

    column: str
    answers: tuple[ShownShare, ...]
    chart: str


def recommended(epsilon: str, values: str, persons: str) -> RecommendationResult:
    """What `sfumato collect recommend` answers.

    Raises:
        PlanError: a text is no number, or one beyond what a page computes.
    """
    sizes, n = [whole(one.strip()) for one in values.split(",")], whole(persons.strip())
    if (
        n is None
        or n > _MOST_PERSONS
        or len(sizes) > _MOST_ADVISED
        or any(one is None or one > _MOST_VALUES for one in sizes)
    ):
        raise PlanError(
            "Protocols are compared for at most {persons} persons and {questions} questions of at most {values} values, as whole numbers.",
            "correct the numbers, or compare with `sfumato collect recommend`.",
            persons=_MOST_PERSONS, questions=_MOST_ADVISED, values=_MOST_VALUES,
        )  # fmt: skip
    try:
        return advice(float(epsilon.strip().replace(",", ".")), [size for size in sizes if size is not None], n)
    except ValueError:
        raise PlanError("Epsilon must be a number above 0.", "give such as 1.") from None


def protocols(found: RecommendationResult) -> tuple[ShownProtocol, ...]:
    """The oracles for one question; for several the schemes, by what neighbors differ in."""
    if found.schemes:
        return tuple(
            ShownProtocol(one.name, neighbors, _deviation(one.worst_variance), "", number(one.tuple_level, Toward.UP))
            for neighbors, schemes in found.schemes.items()
            for one in schemes
        )
    return tuple(
        ShownProtocol(
            one.name, str(choice.values), _deviation(one.mean_variance), str(one.bytes_per_report), number(one.epsilon, Toward.UP)
        )
        for choice in found.attributes
        for one in choice.oracles
    )  # fmt: skip


def _deviation(variance: float) -> str:
    return number(variance**0.5, Toward.UP)


def shown(question: QuestionShares, say: Words) -> ShownQuestion:
    """As text and as a picture, in which an estimate that no share can be stands at the end of its interval."""
    spans = [
        Span(one.value, min(max(one.estimate, one.low), one.high), one.low, one.high) for one in question.answers[:MOST]
    ]
    return ShownQuestion(question.column, tuple(map(_share, question.answers)), _chart(spans, say))


def _chart(spans: Sequence[Span], say: Words) -> str:
    alt, axis = map(say.gettext, CHART)
    return intervals(spans, alt, axis, lambda x: percent_of(round(x, _DIGITS), Toward.NEAREST), words(say.language))


def _share(answer: AnswerShare) -> ShownShare:
    """The interval is rounded outward."""
    ends = percent_of(answer.low, Toward.DOWN), percent_of(answer.high, Toward.UP)
    return ShownShare(answer.value, percent_of(answer.estimate, Toward.NEAREST), *ends)


@dataclass(frozen=True, slots=True)
class ShownString:
    """One string that was looked for.

    Args:
        name: the string, or several that share all bits.
        estimate, low, high: its share and the ends of its interval; "": the counts cannot tell.
        p: its adjusted p-value.
        is_found: whether it is a discovery.
    """

    name: str
    estimate: str
    low: str
    high: str
    p: str
    is_found: bool


def strings_shown(found: StringsResult) -> tuple[ShownString, ...]:
    """Strings with shares; each interval and p-value is rounded to its bad side."""
    return tuple(
        ShownString(
            " / ".join(one.names), percent_of(one.share, Toward.NEAREST),
            "" if one.low is None else percent_of(one.low, Toward.DOWN), "" if one.high is None else percent_of(one.high, Toward.UP),
            p_value(one.adjusted), one.found,
        )
        for one in found.candidates
    )  # fmt: skip


def strings_chart(found: StringsResult, say: Words) -> str:
    """The discoveries as a picture; "": there are none."""
    spans = [Span(" / ".join(one.names), one.share, one.low, one.high) for one in found.candidates if one.found][:MOST]
    return _chart(spans, say) if spans else ""


def epsilons(found: EstimatesResult) -> tuple[str, ...]:
    """The epsilon that was asked, that of the whole record, and that of one answer, each rounded up."""
    kept = found.epsilon
    return tuple(number(value, Toward.UP) for value in (kept.asked, kept.tuple_level, kept.one_attribute))
