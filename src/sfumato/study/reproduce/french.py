"""What an experiment shows, in French: titles, meanings, notes and pictures; numbers and names stay as they are."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.language.words import Words

if TYPE_CHECKING:
    from sfumato.document.result.experiment import ExperimentResult
    from sfumato.study.reproduce.experiment import Experiment, Figure, Outcome

NUMBERS = Words("fr")
"""Spells numbers; it knows no sentence."""
_MARK = re.compile(r" (?=[;:?!%])")


def typeset(text: str) -> str:
    r"""A French text with spaces that do not break before its marks.

    Example:
        >>> typeset("p = 3/4 : 12 %")
        'p = 3/4\xa0: 12\xa0%'
    """
    return _MARK.sub("\u00a0", text)


def in_french(one: Experiment, text: str) -> str:
    """A text of an experiment in French; as it is where it has none."""
    return typeset(one.french[text]) if text in one.french else text


def outcome_in_french(one: Experiment, outcome: Outcome) -> Outcome:
    """What an experiment measured, told in French; as it is where the experiment speaks English only."""
    if not one.french:
        return outcome
    columns = tuple(
        replace(column, title=in_french(one, column.title), meaning=in_french(one, column.meaning))
        for column in outcome.columns
    )
    figures = tuple(_figure(one, figure) for figure in outcome.figures)
    return replace(outcome, columns=columns, figures=figures, notes=tuple(map(typeset, outcome.french)))


def document_in_french(one: Experiment, document: ExperimentResult, told: Outcome) -> ExperimentResult:
    """Its document with labels, meanings and notes in French; keys and numbers stay, so programs read it alike.

    Args:
        one: the experiment.
        document: in English.
        told: from `outcome_in_french`.
    """
    columns = tuple(
        replace(column, label=said.title, meaning=said.meaning)
        for column, said in zip(document.columns, told.columns, strict=True)
    )
    return replace(document, what=in_french(one, document.what), columns=columns, notes=told.notes)


def number_in_french(text: str) -> str:
    r"""A number as English writes it, in French.

    Example:
        >>> number_in_french("1,234.5 %")
        '1\u202f234,5\xa0%'
    """
    return typeset(text.replace(",", "\u202f").replace(".", ","))


def _figure(one: Experiment, figure: Figure) -> Figure:
    """A picture in French."""
    lines = tuple(
        replace(line, name=in_french(one, line.name), like=in_french(one, line.like)) for line in figure.lines
    )
    axes = (in_french(one, figure.axes[0]), in_french(one, figure.axes[1]))
    return replace(figure, title=in_french(one, figure.title), axes=axes, lines=lines)
