"""What the commands of surveys print and draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.report.columns import aligned

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.result.survey import (
        AuditResult,
        PartTold,
        QuestionTold,
        RegressionResult,
        SpentTold,
        SurveyAttackResult,
        SurveyDesignResult,
        SurveyEstimatesResult,
        SurveySimulatedResult,
    )

MOST_DRAWN = 60
"""Numbers of a picture at most."""


def design_text(found: SurveyDesignResult) -> str:
    """What the survey will see, as lines."""
    rows = [["question", "mechanism", "epsilon", "one report", "± at most", "sees from", "matters"]]
    rows += [
        [one.name, one.mechanism, f"{one.epsilon:.4g}", f"{one.spent.report:.4g}", _percent(one.half_width),
         _percent(one.difference), _percent(one.matters)]
        for one in found.questions
    ]  # fmt: skip
    asked = found.questions[0].respondents
    halves = "two halves" if found.groups == 2 else f"two of {found.groups} groups"
    lines = [
        f"{found.survey}: {found.respondents:,} respondents; each phone asks {found.asks} of {len(found.questions)} questions",
        f"{asked:,.0f} answers to each, epsilon {found.epsilon:.6g} of everything that a person ever sends",
        *aligned(rows, {0, 1}),
        f"Differences between {halves} of the persons at significance {found.significance:g} and power {found.power:g}.",
        "Shares of the persons, or of the range of a number.",
    ]
    return "\n".join(lines if found.path is None else [*lines, f"  survey: {found.path}"])


def design_picture(found: SurveyDesignResult) -> str:
    """How wide the interval of each question is with each mechanism that it can have."""
    from sfumato.report.chart.bars import bars
    from sfumato.report.chart.standalone import standalone
    from sfumato.report.chart.svg import Series

    labels, widths = [], []
    for one in found.questions:
        for mechanism, width in one.compared.items():
            labels.append(f"{one.name}: {mechanism}")
            widths.append(100 * width)
    return standalone(bars(
        labels, [Series("half of an interval", "after", widths)], "Half of an interval at most, under each mechanism",
        "half of an interval at most, %", lambda value: f"{value:.3g}",
    ))  # fmt: skip


def estimates_text(found: SurveyEstimatesResult) -> str:
    """All questions, differences and pairs, as lines."""
    stop = "" if found.stop is None else f", of {found.stop:,} that are enough"
    groups = "".join(f", {n:,} in {name!r}" for name, n in found.groups.items())
    lines = [
        f"{found.survey}: {found.persons:,} persons{stop}{groups}; epsilon {found.epsilon:.6g} of all answers of a person",
        f"estimates with {found.confidence:.0%} intervals",
    ]
    for question in found.questions:
        lines += ["", f"{question.name} ({question.kind}, {question.mechanism}; {_spent(question.spent)})"]
        for part in question.parts:
            lines += _part(question, part)
    if found.differences:
        lines += [
            "",
            f"differences from {next(iter(found.groups))!r}; p corrected for {len(found.differences)} of them",
        ]
        lines += [
            f"  {_signed(one.estimate, one.value)}  [{_signed(one.low, one.value)}, {_signed(one.high, one.value)}]  "
            f"p {one.adjusted:.2g}  {_told(one.question, one.time, one.value)} in {one.group!r}"
            for one in found.differences
        ]
    for cross in found.crosses:
        lines += ["", f"{cross.questions[0]} and {cross.questions[1]} together, {cross.persons:,} persons"]
        lines += [
            f"  {_percent(one.estimate):>8}  [{_percent(one.low)}, {_percent(one.high)}]  {one.first} and {one.second}"
            for one in cross.pairs
        ]
    return "\n".join(lines)


def estimates_picture(found: SurveyEstimatesResult, bounds: Mapping[str, tuple[float, float]]) -> str:
    """Every question: shares of answers, and means as a share of the range of their number.

    Args:
        found: the estimates.
        bounds: of each number, by the name of its question.
    """
    spans = []
    for question in found.questions:
        for part in question.parts:
            if part.group is not None:
                continue
            time = part.time if _many(question) else 1
            spans += [(_told(question.name, time, a.value), a.estimate, a.low, a.high) for a in part.answers]
            if part.mean is not None and not part.answers:
                ends = (part.mean.estimate, part.mean.low, part.mean.high)
                spans.append((_told(question.name, time, None), *_within(bounds[question.name], ends)))
    return _drawn(spans, "Estimated share of each answer, and mean of each number, with its interval")


def _within(bounds: tuple[float, float], numbers: Sequence[float]) -> tuple[float, float, float]:
    """Numbers as shares of the way from the lower to the upper bound."""
    low, high = bounds
    value, least, most = ((number - low) / (high - low) for number in numbers)
    return value, least, most


def simulated_text(found: SurveySimulatedResult) -> str:
    """Estimates beside the truth, as lines."""
    rows = [["question", "answer", "truth", "mean estimate", "typical error", "covered"]]
    rows += [
        [one.question if one.time == 1 else f"{one.question}, time {one.time}", one.value or "mean", f"{one.truth:.4f}",
         f"{one.estimate:.4f}", f"{one.error:.4f}", f"{one.covered:.0%}"]
        for one in found.answers
    ]  # fmt: skip
    head = f"{found.survey}: {found.persons:,} persons, {found.runs} runs, epsilon {found.epsilon:.6g} of all answers of a person"
    return "\n".join([head, *aligned(rows, {0, 1})])


def simulated_picture(found: SurveySimulatedResult, bounds: Mapping[str, tuple[float, float]]) -> str:
    """The truth of each share, and of each mean as a share of its range, between the typical errors of its estimate."""
    spans = []
    for one in found.answers:
        ends = (one.truth, one.truth - one.error, one.truth + one.error)
        placed = ends if one.value is not None else _within(bounds[one.question], ends)
        spans.append((_told(one.question, one.time, one.value), *placed))
    return _drawn(
        spans, "True share of each answer and mean of each number, and how far estimates typically are from it"
    )


def regression_text(found: RegressionResult) -> str:
    """The coefficients as lines."""
    lines = [f"{found.question}: log-odds of a true yes, from {found.reports:,} randomized reports"]
    lines += [
        f"  {one.estimate:>+9.4f}  [{one.low:+.4f}, {one.high:+.4f}]  p {one.p_value:.2g}  {one.name}"
        for one in found.coefficients
    ]
    again = "Persons answered several times: where answers hardly change, the intervals are too short."
    return "\n".join([*lines, *([again] if found.repeated else [])])


def attack_text(found: SurveyAttackResult) -> str:
    """What is guessed, as lines."""
    rows = [["question", "mechanism", "reports", "guessed", "from", "to", "expected", "without"]]
    rows += [
        [
            one.question, one.mechanism, str(one.reports), *map(_percent, (one.right, one.low, one.high)),
            "" if one.expected is None else _percent(one.expected), _percent(one.baseline),
        ]
        for one in found.questions
    ]  # fmt: skip
    lines = [f"{found.survey}: {found.persons:,} persons, all of whose reports are held", *aligned(rows, {0, 1})]
    lines += [
        f"among the first {top} that are named: {_percent(share)} of the persons, {_percent(found.by_chance[top])} by chance"
        for top, share in found.named.items()
    ]
    lines += [
        f"{one.question}: the best guess is not computed: {one.unknown}" for one in found.questions if one.unknown
    ]
    return "\n".join([*lines, *([f"not attacked: {', '.join(found.left_out)}"] if found.left_out else [])])


def audit_text(found: AuditResult) -> str:
    """What the reports prove, as lines."""
    rows = [["question", "mechanism", "stated", "at least", "seen in", ""]]
    rows += [
        [
            one.question,
            one.mechanism,
            f"{one.stated:.4g}",
            f"{one.lower:.4g}",
            one.seen,
            "REFUTED" if one.refuted else "",
        ]
        for one in found.questions
    ]
    head = f"{found.reports:,} reports of each answer, confidence {found.confidence:g}: an audit refutes, it does not prove"
    return "\n".join([head, *aligned(rows, {0, 1, 4})])


def _part(question: QuestionTold, part: PartTold) -> list[str]:
    """One question at one time."""
    where = [f"time {part.time}"] if _many(question) else []
    head = ", ".join([*where, *([part.group] if part.group else []), f"{part.reports:,} reports"])
    lines = [f"  {head}"]
    lines += [
        f"    {_percent(a.estimate):>8}  [{_percent(a.low)}, {_percent(a.high)}]  {a.value}" for a in part.answers
    ]
    if part.mean is not None:
        lines.append(f"    {part.mean.estimate:>8.4g}  [{part.mean.low:.4g}, {part.mean.high:.4g}]  mean")
    return lines


def _many(question: QuestionTold) -> bool:
    """Whether a question was asked several times."""
    return any(part.time > 1 for part in question.parts)


def _spent(spent: SpentTold) -> str:
    """What a person spends on a question."""
    if spent.any_history == spent.report:
        return f"epsilon {spent.report:.4g}"
    bound = "without a bound" if spent.any_history is None else f"at most {spent.any_history:.4g}"
    return (
        f"epsilon {spent.report:.4g} of one report, {spent.steady:.4g} while the answer stays the same, "
        f"{spent.lifetime:.4g} in all; {bound} if when it changes must be hidden too"
    )


def _told(question: str, time: int, value: str | None) -> str:
    """A number by its question."""
    return f"{question}{f', time {time}' if time > 1 else ''}: {'mean' if value is None else value}"


def _drawn(spans: Sequence[tuple[str, float, float, float]], alt: str) -> str:
    """Shares with intervals, in percent."""
    from sfumato.report.chart.intervals import Span, intervals
    from sfumato.report.chart.standalone import standalone

    drawn = [Span(name, *(100 * number for number in numbers)) for name, *numbers in spans[:MOST_DRAWN]]
    return standalone(
        intervals(
            drawn or [Span("no share", 0.0)],
            alt,
            "share of persons, or of the range of a number, %",
            lambda value: f"{value:.3g}",
        )
    )


def _percent(share: float) -> str:
    """A share as a percentage with three digits."""
    return f"{100 * share:.3g} %"


def _signed(value: float, of: str | None) -> str:
    """A difference of shares, or of means."""
    return f"{value:+.4g}" if of is None else f"{100 * value:+.3g} %"
