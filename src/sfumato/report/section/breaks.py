"""What breaks a release: risks before and after, the regulator's three questions, identifying combinations."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH, Words
from sfumato.report.number import Toward, columns, figure, sentence, share
from sfumato.report.section.base import Section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.result.release import ReleaseResult
    from sfumato.risk.subsets import SubsetRisk
    from sfumato.risk.wp216 import Answer
    from sfumato.summary.figure import Figure

_MOST_SUBSETS = 20


@dataclass(frozen=True, slots=True)
class ShownRisk:
    """A risk before and after, rounded up.

    Args:
        name, label, definition, source: of the figure.
        before, after: its values.
        before_text, after_text: the same, spelled.
        is_known: whether either could be computed.
        is_share: whether they are known and shares.
    """

    name: str
    label: str
    definition: str
    source: str
    before: float | None
    after: float | None
    before_text: str
    after_text: str
    is_known: bool
    is_share: bool


@dataclass(frozen=True, slots=True)
class ShownTest:
    """One test of a question: `verdict` is a key, `told` its words."""

    test: str
    value: str
    threshold: str
    verdict: str
    told: str
    definition: str


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """One of the three questions; it is low only if every test is."""

    criterion: str
    question: str
    verdict: str
    told: str
    tests: Sequence[ShownTest]


@dataclass(frozen=True, slots=True)
class ShownSubset:
    """A combination of columns that identifies."""

    columns: str
    distinction: str
    separation: str
    bar: float


@dataclass(frozen=True)
class View:
    """What breaks a release; pictures are drawn when a page shows them.

    Args:
        result: the release.
        say: in which words pictures are drawn.
        risks: by formula.
        headline: the one that stands on top; None: no share was measured.
        questions: the three questions.
        subsets: the most identifying combinations of columns.
        n_subsets: how many combinations the result tells.
    """

    result: ReleaseResult
    say: Words
    risks: Sequence[ShownRisk]
    headline: ShownRisk | None
    questions: Sequence[ShownQuestion]
    subsets: Sequence[ShownSubset]
    n_subsets: int

    @cached_property
    def risk_chart(self) -> str | None:
        """Risks before and after."""
        from sfumato.report.panels import risk_chart

        return risk_chart([(r.label, r.before, r.after) for r in self.risks if r.is_share], self.say)

    @cached_property
    def size_chart(self) -> str | None:
        """Class sizes."""
        from sfumato.report.panels import class_size_chart

        return class_size_chart(self.result.class_sizes, promised_k(self.result), self.say)


def view(result: ReleaseResult, say: Words = ENGLISH) -> View:
    """What breaks a release."""
    shown = risks(result.risk.before, result.risk.after, say)
    return View(
        result,
        say,
        risks=shown,
        headline=headline_risk(shown),
        questions=questions(result.wp216, say),
        subsets=subsets(result.subsets, say),
        n_subsets=len(result.subsets),
    )


def risks(of_original: Sequence[Figure], of_release: Sequence[Figure], say: Words = ENGLISH) -> list[ShownRisk]:
    """Each risk before and after, rounded up."""
    before, after = ({f.name: f for f in figures} for figures in (of_original, of_release))
    out = []
    for name, known in (before | after).items():
        values = [one[name].value if name in one else None for one in (before, after)]
        found = [value for value in values if value is not None]
        is_share = all(isinstance(value, float) and 0 <= value <= 1 for value in found)
        first, last = (say.spelled(figure(one, "share" if is_share else "number", Toward.UP)) for one in values)
        label, definition, source = (say.say(text) for text in (known.label, known.definition, known.source))
        told = (name, label, definition, sentence(source), values[0], values[1], first, last)
        out.append(ShownRisk(*told, is_known=bool(found), is_share=is_share and bool(found)))
    return out


def headline_risk(shown: Sequence[ShownRisk]) -> ShownRisk | None:
    """The highest prosecutor risk, or else the first share among the risks."""
    shares = [risk for risk in shown if risk.is_share]
    return next((risk for risk in shares if risk.name == "prosecutor_highest"), shares[0] if shares else None)


def questions(answers: Sequence[Answer], say: Words = ENGLISH) -> list[ShownQuestion]:
    """The three questions, each with its tests."""
    asked: dict[str, list[Answer]] = {}
    for answer in answers:
        asked.setdefault(answer.criterion, []).append(answer)
    return [_question(name, tests, say) for name, tests in asked.items()]


def _question(name: str, tests: Sequence[Answer], say: Words) -> ShownQuestion:
    verdict = worst([t.verdict for t in tests])
    shown = [_test(answer, say) for answer in tests]
    return ShownQuestion(say.gettext(name), say.say(tests[0].question), verdict, say.gettext(verdict), shown)


def worst(verdicts: Sequence[str]) -> str:
    """The verdict on a question from those on its tests.

    Example:
        >>> worst(["low", "inconclusive"]), worst(["inconclusive", "elevated"]), worst(["low", "low"])
        ('inconclusive', 'elevated', 'low')
        >>> worst(["not applicable", "low"]), worst(["not applicable"])
        ('low', 'not applicable')
    """
    return next((verdict for verdict in ("elevated", "inconclusive", "low") if verdict in verdicts), "not applicable")


def _test(answer: Answer, say: Words) -> ShownTest:
    return ShownTest(
        test=sentence(say.say(answer.test)),
        value=say.spelled(figure(answer.value, None, Toward.UP)) + _interval(answer, say),
        threshold=say.spelled(figure(answer.threshold, None, Toward.DOWN)),
        verdict=answer.verdict,
        told=say.gettext(answer.verdict),
        definition=say.say(answer.definition),
    )


def _interval(answer: Answer, say: Words) -> str:
    """The interval of an attack's figure."""
    if answer.low is None or answer.high is None:
        return ""
    low, high = figure(answer.low, None, Toward.DOWN), figure(answer.high, None, Toward.UP)
    return f" ({say.spelled(low)} … {say.spelled(high)})"


def subsets(found: Sequence[SubsetRisk], say: Words = ENGLISH) -> list[ShownSubset]:
    """The most identifying combinations of columns, as the result orders them."""
    return [
        ShownSubset(
            columns=", ".join(subset.columns),
            distinction=say.spelled(share(subset.distinction, Toward.UP)),
            separation=say.spelled(share(subset.separation, Toward.UP)),
            bar=subset.distinction,
        )
        for subset in found[:_MOST_SUBSETS]
    ]


def promised_k(result: ReleaseResult) -> int | None:
    """The k of a promise of k-anonymity."""
    found = [promise.parameters.get("k") for promise in result.promise if promise.name == "k-anonymity"]
    return max((k for k in found if isinstance(k, int)), default=None)


def lines(shown: View, say: Words = ENGLISH) -> list[str]:
    """The same on a terminal."""
    both, tested = (
        say.gettext("{before} before, {after} after"),
        say.gettext("{value}, threshold {threshold}: {verdict}"),
    )
    rows = [(r.label, both.format(before=r.before_text, after=r.after_text)) for r in shown.risks if r.is_known]
    tests = [
        (t.test, tested.format(value=t.value, threshold=t.threshold, verdict=t.told))
        for q in shown.questions
        for t in q.tests
    ]
    out = ["", say.gettext("What breaks it"), *columns(rows)] if rows else []
    return [*out, *columns([(q.criterion, q.told) for q in shown.questions]), *columns(tests)]


SECTION = Section(name="breaks", place=50, heading="What breaks it", view=view, lines=lines)
