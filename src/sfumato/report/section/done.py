"""What was done: the method, its numbers, every column with its role, what was suppressed; and cells that were changed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH, Words
from sfumato.release.method.registry import title_of
from sfumato.report.number import (
    ABSENT,
    ShownFigure,
    Toward,
    columns,
    count,
    in_table_order,
    number,
    paragraph,
    parameters_of,
    sentence,
    share,
    toward_worse,
)
from sfumato.report.section.base import Section

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.document.result.release import ColumnEntry, PerturbedEntry, RecodedColumn, ReleaseResult
    from sfumato.summary.figure import Figure


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """One column: role, hierarchy, published level and examples of what was published."""

    name: str
    role: str
    kind: str
    hierarchy: str
    leaves: str
    level: str
    labels: str
    n_labels: str
    cells: str


@dataclass(frozen=True)
class View:
    """What was done; the picture is drawn when a page shows it.

    Args:
        result: the release.
        say: in which words the picture is drawn.
        method: its name.
        summary, why: one sentence each.
        facts: what was done, in numbers.
        search: what was looked at.
        attributes: every column.
        recodes: whether quasi-identifiers were published.
    """

    result: ReleaseResult
    say: Words
    method: str
    summary: str
    why: str
    facts: Sequence[tuple[str, str]]
    search: str
    attributes: Sequence[ShownColumn]
    recodes: bool

    @cached_property
    def suppression(self) -> str | None:
        """Suppressed cells."""
        from sfumato.report.panels import suppression_chart

        gone = self.result.done.suppressed
        cells = in_table_order(gone.cells_by_column if gone else {}, self.result)
        return suppression_chart(cells, self.result.source.rows or 0, self.say)


def view(result: ReleaseResult, say: Words = ENGLISH) -> View:
    """What was done."""
    done = result.done
    return View(
        result,
        say,
        method=say.say(title_of(done.method)),
        summary=say.say(done.summary),
        why=say.say(done.why or ""),
        facts=facts(result, say),
        search=_search(result, say),
        attributes=attributes(result, say),
        recodes=bool(done.attributes),
    )


def facts(result: ReleaseResult, say: Words = ENGLISH) -> list[tuple[str, str]]:
    """What was done, in numbers."""
    gone, classes = result.done.suppressed, result.done.classes
    rows = result.source.rows if result.sample is None else result.sample.rows
    n, _ = say.spelled, say.gettext
    out = [*_sampled(result, say), *_paid(result, say)]
    if gone is not None:
        shares = {"share": n(share(gone.share, Toward.UP)), "limit": n(share(gone.limit, Toward.DOWN))}
        text = _("{n} of {rows} ({share})" if gone.limit is None else "{n} of {rows} ({share}, limit {limit})")
        told = text.format(n=n(count(gone.rows)), rows=n(count(rows)), **shares)
        out.append((_("Suppressed rows"), told))
    if classes is not None and classes.n is not None:
        out.append((_("Classes"), n(count(classes.n))))
        out.append((_("Smallest class"), n(count(classes.min))))
        out.append((_("Mean class"), n(number(classes.average, Toward.DOWN))))
        out.append((_("Largest class"), n(count(classes.max))))
    if result.done.loss_at_least:
        least = n(number(result.done.loss_at_least, Toward.DOWN))
        text = _("{loss}; proved: no classes with as many persons lose less than {least}")
        out.append((_("Loss of the cells"), text.format(loss=n(number(result.done.loss, Toward.UP)), least=least)))
    return out


def _sampled(result: ReleaseResult, say: Words) -> list[tuple[str, str]]:
    """How many rows stayed, where not all did."""
    sample = result.sample
    if sample is None:
        return []
    rows, of = say.spelled(count(sample.rows)), say.spelled(count(sample.of))
    text = say.gettext("{rows} of {of}, each with probability {probability}")
    told = text.format(rows=rows, of=of, probability=say.spelled(str(sample.probability)))
    return [(say.gettext("Sampled rows"), told)]


def _paid(result: ReleaseResult, say: Words) -> list[tuple[str, str]]:
    """What was charged, where something was."""
    paid = result.paid
    if paid is None:
        return []
    left = say.gettext(" and ").join(paid.left)
    text = say.gettext("{dataset} by {analyst}, as {request}; left: {left}")
    told = text.format(dataset=paid.dataset, analyst=paid.analyst, request=paid.request, left=left)
    return [(say.gettext("Charged to"), told)]


def _search(result: ReleaseResult, say: Words) -> str:
    search = result.done.search
    if search is None:
        return ""
    end = "No solution loses less." if search.optimal else "A better solution may exist."
    return f"{say.say(search.statement)} {say.gettext(end)}"


def attributes(result: ReleaseResult, say: Words = ENGLISH) -> list[ShownColumn]:
    """Every column."""
    done = {column.name: column for column in result.done.attributes}
    cells = result.done.suppressed.cells_by_column if result.done.suppressed else {}
    return [_attribute(column, done.get(column.name), cells, say) for column in result.columns]


def _attribute(column: ColumnEntry, done: RecodedColumn | None, cells: Mapping[str, int], say: Words) -> ShownColumn:
    labels = [] if done is None else [say.gettext("(missing)") if label is None else label for label in done.labels]
    n_labels = None if done is None else done.n_labels
    hidden = (n_labels or len(labels)) - len(labels)
    more = say.gettext(" … and {n} more").format(n=say.spelled(count(hidden))) if hidden > 0 else ""
    return ShownColumn(
        name=column.name,
        role=say.gettext(column.role),
        kind=say.gettext(column.kind or ABSENT),
        hierarchy=say.say(column.hierarchy or ABSENT),
        leaves=say.spelled(count(column.leaves)),
        level=ABSENT if done is None else _level(done, say),
        labels=", ".join(labels) + more if labels else ABSENT,
        n_labels=say.spelled(count(n_labels)),
        cells=say.spelled(count(cells.get(column.name))),
    )


def _level(done: RecodedColumn, say: Words) -> str:
    if done.level is None:
        return say.gettext("by class")
    return say.gettext("{level} of {height}").format(level=count(done.level), height=count(done.height))


def lines(shown: View, say: Words = ENGLISH) -> list[str]:
    """The same on a terminal."""
    level = say.gettext("level {level}")
    levels = [(a.name, level.format(level=a.level)) for a in shown.attributes if a.level != ABSENT]
    out = [
        "",
        say.gettext("What was done: {method}").format(method=shown.method),
        *paragraph(shown.summary),
        *paragraph(shown.why),
    ]
    return [*out, *columns(shown.facts), *columns(levels)]


@dataclass(frozen=True, slots=True)
class ShownPerturbed:
    """One column whose cells were changed."""

    column: str
    method: str
    parameters: Sequence[tuple[str, str]]
    promise: str
    worth: Sequence[ShownFigure]
    risk: Sequence[ShownFigure]


def perturbed(result: ReleaseResult, say: Words = ENGLISH) -> Sequence[ShownPerturbed] | None:
    """Each column whose cells were changed; None where none was."""
    return [_shown_column(entry, say) for entry in result.perturbed] or None


def _shown_column(entry: PerturbedEntry, say: Words) -> ShownPerturbed:
    return ShownPerturbed(
        column=entry.column,
        method=entry.method,
        parameters=parameters_of(entry.parameters, say),
        promise=say.say("Nothing is promised of a single cell." if entry.promise is None else entry.promise.statement),
        worth=[_figure(figure, toward_worse(figure.better), say) for figure in entry.worth],
        risk=[_figure(figure, Toward.UP, say) for figure in entry.risk],
    )


def _figure(figure: Figure, toward: Toward, say: Words) -> ShownFigure:
    """A figure; shares of risk as percent."""
    value, is_risk = figure.value, toward is Toward.UP and figure.better == "lower"
    is_share = is_risk and isinstance(value, float) and 0 <= value <= 1 and "cells" in figure.definition.lower()
    spelled = share(value, toward) if is_share else number(value, toward)
    label, definition, source = (say.say(text) for text in (figure.label, figure.definition, figure.source))
    return ShownFigure(label, say.spelled(spelled), definition, sentence(source))


def perturbed_lines(shown: Sequence[ShownPerturbed], say: Words = ENGLISH) -> list[str]:
    """The same on a terminal."""
    out = []
    for p in shown:
        out += [
            "",
            say.gettext("Perturbed: {column} by {method}").format(column=p.column, method=p.method),
            *paragraph(p.promise),
        ]
        out += columns([(figure.label, figure.value) for figure in (*p.worth, *p.risk)])
    return out


SECTION = Section(name="done", place=10, heading="What was done", view=view, lines=lines)
PERTURBED = Section(name="perturbed", place=30, view=perturbed, lines=perturbed_lines)
