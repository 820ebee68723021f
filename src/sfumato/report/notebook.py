"""What a notebook shows of a release, an answer, a risk or a comparison: the report's parts in a frame of their own.

The frame is a page in the page: its style reaches no other cell, no other cell's style reaches it, it runs no script and
asks for nothing from elsewhere.
"""

from __future__ import annotations

from html import escape
from math import isfinite
from typing import TYPE_CHECKING

from sfumato.document.result.judged import ComparisonResult, RiskResult
from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH
from sfumato.release.answer.answer import Answer
from sfumato.release.publish import Release
from sfumato.report.chart.intervals import Span, intervals
from sfumato.report.html import environment, render_html
from sfumato.report.number import (
    ABSENT,
    ShownFigure,
    Toward,
    answered,
    count,
    figure,
    number,
    sentence,
    toward_worse,
)
from sfumato.report.panels import MOST, class_size_chart
from sfumato.report.section.breaks import ShownQuestion, ShownRisk, ShownSubset, questions, risks, subsets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.result.release import SizeCounts
    from sfumato.language.words import Words
    from sfumato.summary.figure import Figure


def shown(found: object) -> str | None:
    """What a notebook shows of an object; None: it has no page, and its text is shown.

    Args:
        found: a release, an answer, a risk or a comparison, or anything else.

    Example:
        >>> one = ((3.0,),)
        >>> answer = Answer("<b>", (), ((),), ("count",), one, one, one, 0.95, "", {}, "", "", "", False)
        >>> html = shown(answer)
        >>> html.startswith("<iframe"), html.count("<"), shown("else")
        (True, 2, None)
    """
    page = _page(found)
    if page is None:
        return None
    style = "width:100%;height:36em;border:1px solid #d3d9dd;resize:vertical;background:#fff"
    return f'<iframe title="Sfumato" sandbox="" style="{style}" srcdoc="{escape(page)}"></iframe>'


def _page(found: object) -> str | None:
    if isinstance(found, Release):
        return render_html(found.result)
    if isinstance(found, (RiskResult, ComparisonResult)):
        view: Judged | ShownAnswer = _of_table(found) if isinstance(found, RiskResult) else of_pair(found)
        return environment().get_template("judged.html").render(view=view, title=view.title)
    if isinstance(found, Answer):
        view = _of_answer(found)
        return environment().get_template("answer.html").render(view=view, title=view.title)
    return None


@dataclass(frozen=True, slots=True)
class Judged:
    """What was measured of one table, or of a release beside its original.

    Args:
        kicker, title, meta: the head of the page.
        worth: what the release is worth.
        risks: by formula; before alone where there is one table.
        is_pair: whether there are two tables.
        size_chart: picture of class sizes.
        questions, subsets, n_subsets: as in the report.
        notes: what a reader should know.
    """

    kicker: str
    title: str
    meta: str
    worth: Sequence[ShownFigure]
    risks: Sequence[ShownRisk]
    is_pair: bool
    size_chart: str | None
    questions: Sequence[ShownQuestion]
    subsets: Sequence[ShownSubset]
    n_subsets: int
    notes: Sequence[str]


def _of_table(found: RiskResult) -> Judged:
    return Judged(
        kicker="Risk",
        title="Risk of a table",
        meta=f"{count(found.source.rows)} rows, {count(found.persons)} persons, {count(found.classes)} classes of "
        f"{', '.join(found.quasi_identifiers)}; {count(found.suppressed_rows)} rows suppressed",
        worth=(),
        risks=risks(found.risk, ()),
        is_pair=False,
        size_chart=_sizes(found.class_sizes),
        questions=questions(found.wp216),
        subsets=subsets(found.subsets),
        n_subsets=len(found.subsets),
        notes=(found.statement, *found.source.notes),
    )


def _sizes(sizes: SizeCounts) -> str | None:
    from sfumato.document.result.release import SizesOfClasses

    return class_size_chart(SizesOfClasses(before=sizes), None)


def of_pair(found: ComparisonResult, say: Words = ENGLISH) -> Judged:
    """What a page shows of a release beside its original: the parts of the report that need no plan.

    Args:
        found: what was measured.
        say: the language of figures, questions and notes; the head of the page is in English.
    """
    return Judged(
        kicker="Comparison",
        title="A release beside its original",
        meta=f"{count(found.release.rows)} of {count(found.original.rows)} rows, known: "
        f"{', '.join(found.quasi_identifiers)}; {count(found.suppressed.rows)} rows suppressed",
        worth=[_worth(one, say) for one in found.worth],
        risks=risks(found.risk.before, found.risk.after, say),
        is_pair=True,
        size_chart=None,
        questions=questions(found.wp216, say),
        subsets=(),
        n_subsets=0,
        notes=tuple(map(say.say, (*found.notes, *found.original.notes, *found.release.notes))),
    )


def _worth(one: Figure, say: Words) -> ShownFigure:
    value = say.spelled(number(one.value, toward_worse(one.better)))
    return ShownFigure(say.say(one.label), value, say.say(one.definition), sentence(say.say(one.source)))


@dataclass(frozen=True, slots=True)
class ShownNumber:
    """One number of an answer with its interval."""

    label: str
    value: str
    interval: str


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """A private answer.

    Args:
        title: the question.
        numbers: by group.
        chart: the same as a picture, of the first groups; None: no number has a meaning.
        confidence: of each interval; "": none is proven.
        facts: what was done, paid and promised.
        notes: what a reader should know.
        seeded: whether the noise protects nobody.
    """

    title: str
    numbers: Sequence[ShownNumber]
    chart: str | None
    confidence: str
    facts: Sequence[tuple[str, str]]
    notes: Sequence[str]
    seeded: bool


def _of_answer(found: Answer) -> ShownAnswer:
    flat = [
        (" · ".join((*key, cell)), value, low, high)
        for key, *rows in zip(found.keys, found.values, found.low, found.high, strict=True)
        for cell, value, low, high in zip(found.cells, *rows, strict=True)
    ]
    spans = [
        Span(name, value, *((low, high) if isfinite(low) and isfinite(high) else ()))
        for name, value, low, high in flat[:MOST]
        if isfinite(value)
    ]
    facts = (
        ("Mechanism", found.mechanism),
        ("Price", found.price),
        ("Protects", found.unit),
        ("Why", found.sensitivity),
    )
    return ShownAnswer(
        title=found.question,
        numbers=[
            ShownNumber(name, answered(value), ABSENT if low != low else f"{answered(low)} … {answered(high)}")  # noqa: PLR0124
            for name, value, low, high in flat
        ],
        chart=intervals(spans, "Noisy answers with their intervals.", "answer", answered) if spans else None,
        confidence="" if found.confidence is None else figure(found.confidence, "share", Toward.DOWN),
        facts=facts,
        notes=found.notes,
        seeded=found.seeded,
    )
