"""Columns whose cells were changed: how, what is promised of a cell, what it is worth, what breaks it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.report.lines import columns, paragraph
from sfumato.report.number import ShownFigure, Toward, number, parameters_of, sentence, share, toward_worse
from sfumato.report.section.base import Section

if TYPE_CHECKING:
    from sfumato.document.result.release import PerturbedEntry, ReleaseResult
    from sfumato.summary.figure import Figure


@dataclass(frozen=True, slots=True)
class ShownPerturbed:
    """One column whose cells were changed."""

    column: str
    method: str
    parameters: Sequence[tuple[str, str]]
    promise: str
    worth: Sequence[ShownFigure]
    risk: Sequence[ShownFigure]


View = Sequence[ShownPerturbed]


def view(result: ReleaseResult) -> View | None:
    """Each column whose cells were changed; None where none was."""
    return [_shown(entry) for entry in result.perturbed] or None


def _shown(entry: PerturbedEntry) -> ShownPerturbed:
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


def lines(shown: View) -> list[str]:
    """The same on a terminal."""
    out = []
    for p in shown:
        out += ["", f"Perturbed: {p.column} by {p.method}", *paragraph(p.promise)]
        out += columns([(figure.label, figure.value) for figure in (*p.worth, *p.risk)])
    return out


SECTION = Section(name="perturbed", place=30, view=view, lines=lines)
