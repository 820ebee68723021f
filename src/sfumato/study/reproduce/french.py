"""What an experiment shows, in French: titles, meanings, notes and pictures; numbers and names stay as they are."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.language.words import Words

if TYPE_CHECKING:
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


def _figure(one: Experiment, figure: Figure) -> Figure:
    """A picture in French."""
    lines = tuple(
        replace(line, name=in_french(one, line.name), like=in_french(one, line.like)) for line in figure.lines
    )
    axes = (in_french(one, figure.axes[0]), in_french(one, figure.axes[1]))
    return replace(figure, title=in_french(one, figure.title), axes=axes, lines=lines)
