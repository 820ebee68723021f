"""What the page shows of a result: each number as text, rounded to its bad side, beside the number itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sfumato.collect.research.drawn import fitted, picture
from sfumato.document.survey import NumberTable, YesNoTable
from sfumato.errors import SfumatoError
from sfumato.frozen import dataclass
from sfumato.language.words import in_language
from sfumato.release.collect.survey.mechanisms import values_of
from sfumato.release.collect.survey.regress import regressions
from sfumato.report.number import Toward, number, p_value, percent_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sfumato.document.result.survey import (
        CrossTold,
        PairTold,
        PartTold,
        QuestionTold,
        SurveyEstimatesResult,
    )
    from sfumato.document.survey import QuestionOfSurvey
    from sfumato.language.words import Words
    from sfumato.release.collect.base import Counts
    from sfumato.release.collect.survey.survey import Survey

    _Spell: TypeAlias = Callable[[float, Toward], str]


@dataclass(frozen=True, slots=True)
class Shown:
    """A number.

    Args:
        value: as the result has it.
        text: as it is read.
    """

    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate between the ends of its interval, which are rounded outward."""

    estimate: Shown
    low: Shown
    high: Shown


@dataclass(frozen=True, slots=True)
class Line:
    """One estimate of a question.

    Args:
        time: which of its times.
        group: name of the group; None: all together.
        reports: that were counted.
        value: the answer; None: it is the mean.
        label: what persons read for it, where that is something else; "": nothing else.
        found: the estimate.
    """

    time: int
    group: str | None
    reports: int
    value: str | None
    label: str
    found: Interval


@dataclass(frozen=True, slots=True)
class QuestionShown:
    """One question.

    Args:
        told: what the result says of it.
        text: what persons are asked.
        unit: of a number; "": none.
        report, lifetime: epsilon of one report and of all, rounded up.
        lines: its estimates.
        pictures: the same drawn.
        has_times, has_groups: whether there are several of them.
    """

    told: QuestionTold
    text: str
    unit: str
    report: str
    lifetime: str
    lines: tuple[Line, ...]
    pictures: tuple[str, ...]
    has_times: bool
    has_groups: bool


@dataclass(frozen=True, slots=True)
class DifferenceShown:
    """A difference between a group and the control."""

    question: str
    time: int
    group: str
    value: str | None
    found: Interval
    p: Shown
    adjusted: Shown


@dataclass(frozen=True, slots=True)
class CrossShown:
    """Two questions together: a row for each answer to the first, a column for each to the second."""

    told: CrossTold
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Interval, ...]], ...]


@dataclass(frozen=True, slots=True)
class RegressionShown:
    """A regression; without coefficients where there is an error that says why."""

    question: str
    reports: int
    is_repeated: bool
    lines: tuple[tuple[str, Interval, Shown], ...]
    error: SfumatoError | None


def share(estimate: float, low: float, high: float) -> Interval:
    r"""A share, or a difference of shares.

    Example:
        >>> share(0.25, 0.20004, 0.29996).low
        Shown(value=0.20004, text='20.00\xa0%')
    """
    return _interval(estimate, low, high, percent_of)


def plain(estimate: float, low: float, high: float) -> Interval:
    """A mean, a difference of means, or a coefficient."""
    return _interval(estimate, low, high, number)


def _interval(estimate: float, low: float, high: float, spell: _Spell) -> Interval:
    towards = (Toward.NEAREST, Toward.DOWN, Toward.UP)
    return Interval(
        *(Shown(one, spell(one, toward)) for one, toward in zip((estimate, low, high), towards, strict=True))
    )


def rounded_up(value: float) -> Shown:
    """A number that is rounded up: an epsilon."""
    return Shown(value, number(value, Toward.UP))


def p_shown(value: float) -> Shown:
    r"""A p-value, rounded up; of a tiny one that it is tiny.

    Example:
        >>> p_shown(1e-60)
        Shown(value=1e-60, text='<\u202f0.0001')
    """
    return Shown(value, p_value(value))


def question_shown(said: QuestionOfSurvey, told: QuestionTold, say: Words) -> QuestionShown:
    """One question.

    Args:
        said: what the document says of it.
        told: what the result says.
        say: the language.
    """
    labels = _labels(said, say.language)
    lines = tuple(line for part in told.parts if part.reports for line in _lines(part, labels))
    has_times, has_groups = any(part.time > 1 for part in told.parts), any(part.group for part in told.parts)
    unit = said.unit if isinstance(said, NumberTable) else {}
    report, lifetime = (number(one, Toward.UP) for one in (told.spent.report, told.spent.lifetime))
    return QuestionShown(
        told, in_language(said.text, say.language, ""), in_language(unit, say.language, ""), report, lifetime, lines,
        tuple(_pictures(lines, say, has_groups=has_groups, has_times=has_times)), has_times, has_groups,
    )  # fmt: skip


def _labels(said: QuestionOfSurvey, language: str) -> dict[str, str]:
    """What persons read for an answer, where that is not the answer itself."""
    given = {} if isinstance(said, (YesNoTable, NumberTable)) else said.labels
    read = in_language(given, language, ())
    return {value: label for value, label in zip(values_of(said), read, strict=False) if value != label}


def _lines(part: PartTold, labels: Mapping[str, str]) -> Iterator[Line]:
    """The mean first, then each share."""
    at = (part.time, part.group, part.reports)
    if part.mean is not None:
        yield Line(*at, None, "", plain(part.mean.estimate, part.mean.low, part.mean.high))
    for a in part.answers:
        yield Line(*at, a.value, labels.get(a.value, ""), share(a.estimate, a.low, a.high))


def _pictures(lines: Sequence[Line], say: Words, *, has_groups: bool, has_times: bool) -> Iterator[str]:
    """Shares, then means; answers of one kind beside each other."""
    for what in ("means", "shares"):
        rows = [line for line in lines if (line.value is None) is (what == "means")]
        values = {line.value: i for i, line in reversed(list(enumerate(rows)))}
        rows.sort(key=lambda line: (line.time, values[line.value]))
        spans = [(_named(line, say, has_groups=has_groups, has_times=has_times), *_floats(line.found)) for line in rows]
        if drawn := picture(what, spans, say):
            yield drawn


def _named(line: Line, say: Words, *, has_groups: bool, has_times: bool) -> str:
    """What a number of a picture is."""
    parts = [line.value or ("" if has_groups or has_times else say.gettext("mean"))]
    parts += [line.group or say.gettext("all")] if has_groups else []
    parts += [_at(line.time, say)] if has_times else []
    return fitted([part for part in parts if part])


def _at(time: int, say: Words) -> str:
    return f"{say.gettext('time')} {time}"


def _floats(found: Interval) -> tuple[float, float, float]:
    return found.estimate.value, found.low.value, found.high.value


def differences_shown(found: SurveyEstimatesResult, say: Words) -> tuple[tuple[DifferenceShown, ...], str]:
    """Each group beside the control, and the differences of shares as a picture."""
    lines = tuple(
        DifferenceShown(
            d.question, d.time, d.group, d.value, (plain if d.value is None else share)(d.estimate, d.low, d.high),
            p_shown(d.p_value), p_shown(d.adjusted),
        )
        for d in found.differences
    )  # fmt: skip
    several = len({d.group for d in lines}) > 1
    spans = [
        (fitted([d.question, d.value, *([d.group] if several else []), *([_at(d.time, say)] if d.time > 1 else [])]), *_floats(d.found))
        for d in lines
        if d.value is not None
    ]  # fmt: skip
    return lines, picture("differences", spans, say)


def cross_shown(told: CrossTold) -> CrossShown:
    """Two questions together."""
    by_first: dict[str, list[PairTold]] = {}
    for pair in told.pairs:
        by_first.setdefault(pair.first, []).append(pair)
    rows = tuple((name, tuple(share(p.estimate, p.low, p.high) for p in row)) for name, row in by_first.items())
    columns = tuple(p.second for p in next(iter(by_first.values()), ()))
    return CrossShown(told, columns, rows)


def regressions_shown(survey: Survey, counts: Counts) -> Iterator[RegressionShown]:
    """Every regression."""
    for name, times, found in regressions(survey, counts):
        if isinstance(found, SfumatoError):
            yield RegressionShown(name, 0, times > 1, (), found)
            continue
        lines = tuple((c.name, plain(c.estimate, c.low, c.high), p_shown(c.p_value)) for c in found.coefficients)
        yield RegressionShown(name, found.reports, times > 1, lines, None)
