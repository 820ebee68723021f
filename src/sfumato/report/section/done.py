"""What was done: the method, its numbers, every column with its role, what was suppressed; and cells that were changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.release.method.registry import title_of
from sfumato.report import panels
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


@dataclass(frozen=True, slots=True)
class View:
    """What was done.

    Args:
        method: its name.
        summary, why: one sentence each.
        facts: what was done, in numbers.
        search: what was looked at.
        attributes: every column.
        recodes: whether quasi-identifiers were published.
        suppression: picture of suppressed cells.
    """

    method: str
    summary: str
    why: str
    facts: Sequence[tuple[str, str]]
    search: str
    attributes: Sequence[ShownColumn]
    recodes: bool
    suppression: str | None


def view(result: ReleaseResult) -> View:
    """What was done."""
    done = result.done
    cells = done.suppressed.cells_by_column if done.suppressed else {}
    return View(
        method=title_of(done.method),
        summary=done.summary,
        why=done.why or "",
        facts=facts(result),
        search=_search(result),
        attributes=attributes(result),
        recodes=bool(done.attributes),
        suppression=panels.suppression_chart(in_table_order(cells, result), result.source.rows),
    )


def facts(result: ReleaseResult) -> list[tuple[str, str]]:
    """What was done, in numbers."""
    gone, classes = result.done.suppressed, result.done.classes
    rows = result.source.rows if result.sample is None else result.sample.rows
    out = [*_sampled(result), *_paid(result)]
    if gone is not None:
        limit = "" if gone.limit is None else f", limit {share(gone.limit, Toward.DOWN)}"
        told = f"{count(gone.rows)} of {count(rows)} ({share(gone.share, Toward.UP)}{limit})"
        out.append(("Suppressed rows", told))
    if classes is not None and classes.n is not None:
        out.append(("Classes", count(classes.n)))
        out.append(("Smallest class", count(classes.min)))
        out.append(("Mean class", number(classes.average, Toward.DOWN)))
        out.append(("Largest class", count(classes.max)))
    if result.done.loss_at_least:
        least = number(result.done.loss_at_least, Toward.DOWN)
        told = f"{number(result.done.loss, Toward.UP)}; proved: no classes with as many persons lose less than {least}"
        out.append(("Loss of the cells", told))
    return out


def _sampled(result: ReleaseResult) -> list[tuple[str, str]]:
    """How many rows stayed, where not all did."""
    sample = result.sample
    if sample is None:
        return []
    told = f"{count(sample.rows)} of {count(sample.of)}, each with probability {sample.probability}"
    return [("Sampled rows", told)]


def _paid(result: ReleaseResult) -> list[tuple[str, str]]:
    """What was charged, where something was."""
    paid = result.paid
    if paid is None:
        return []
    told = f"{paid.dataset} by {paid.analyst}, as {paid.request}; left: {' and '.join(paid.left)}"
    return [("Charged to", told)]


def _search(result: ReleaseResult) -> str:
    search = result.done.search
    if search is None:
        return ""
    return f"{search.statement} {'No solution loses less.' if search.optimal else 'A better solution may exist.'}"


def attributes(result: ReleaseResult) -> list[ShownColumn]:
    """Every column."""
    done = {column.name: column for column in result.done.attributes}
    cells = result.done.suppressed.cells_by_column if result.done.suppressed else {}
    return [_attribute(column, done.get(column.name), cells) for column in result.columns]


def _attribute(column: ColumnEntry, done: RecodedColumn | None, cells: Mapping[str, int]) -> ShownColumn:
    labels = [] if done is None else ["(missing)" if label is None else label for label in done.labels]
    n_labels = None if done is None else done.n_labels
    hidden = (n_labels or len(labels)) - len(labels)
    return ShownColumn(
        name=column.name,
        role=column.role,
        kind=column.kind or ABSENT,
        hierarchy=column.hierarchy or ABSENT,
        leaves=count(column.leaves),
        level=ABSENT if done is None else _level(done),
        labels=", ".join(labels) + (f" … and {count(hidden)} more" if hidden > 0 else "") if labels else ABSENT,
        n_labels=count(n_labels),
        cells=count(cells.get(column.name)),
    )


def _level(done: RecodedColumn) -> str:
    return "by class" if done.level is None else f"{count(done.level)} of {count(done.height)}"


def lines(shown: View) -> list[str]:
    """The same on a terminal."""
    levels = [(a.name, f"level {a.level}") for a in shown.attributes if a.level != ABSENT]
    out = ["", f"What was done: {shown.method}", *paragraph(shown.summary), *paragraph(shown.why)]
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


def perturbed(result: ReleaseResult) -> Sequence[ShownPerturbed] | None:
    """Each column whose cells were changed; None where none was."""
    return [_shown_column(entry) for entry in result.perturbed] or None


def _shown_column(entry: PerturbedEntry) -> ShownPerturbed:
    return ShownPerturbed(
        column=entry.column,
        method=entry.method,
        parameters=parameters_of(entry.parameters),
        promise="Nothing is promised of a single cell." if entry.promise is None else entry.promise.statement,
        worth=[_figure(figure, toward_worse(figure.better)) for figure in entry.worth],
        risk=[_figure(figure, Toward.UP) for figure in entry.risk],
    )


def _figure(figure: Figure, toward: Toward) -> ShownFigure:
    """A figure; shares of risk as percent."""
    value, is_risk = figure.value, toward is Toward.UP and figure.better == "lower"
    is_share = is_risk and isinstance(value, float) and 0 <= value <= 1 and "cells" in figure.definition.lower()
    spelled = share(value, toward) if is_share else number(value, toward)
    return ShownFigure(figure.label, spelled, figure.definition, sentence(figure.source))


def perturbed_lines(shown: Sequence[ShownPerturbed]) -> list[str]:
    """The same on a terminal."""
    out = []
    for p in shown:
        out += ["", f"Perturbed: {p.column} by {p.method}", *paragraph(p.promise)]
        out += columns([(figure.label, figure.value) for figure in (*p.worth, *p.risk)])
    return out


SECTION = Section(name="done", place=10, heading="What was done", view=view, lines=lines)
PERTURBED = Section(name="perturbed", place=30, view=perturbed, lines=perturbed_lines)
