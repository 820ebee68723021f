"""Pictures of estimates: a dot, and a line between the ends of its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.language.words import words
from sfumato.report.chart.intervals import Span, intervals
from sfumato.report.number import Toward, number, percent_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.language.words import Words

MOST = 40
"""Numbers in a picture; the table has all."""
_DIGITS = 9
"""Decimals of a mark of an axis, which is computed."""
ALT = {
    "shares": "Estimated shares with their intervals.",
    "means": "Estimated means with their intervals.",
    "differences": "Differences of shares with their intervals.",
}
"""What a picture says of itself."""
AXES = {
    "shares": "share of persons",
    "means": "mean",
    "differences": "difference of shares",
}
"""What its axis measures."""


def picture(what: str, rows: Iterable[tuple[str, float, float, float]], say: Words) -> str:
    """Numbers as a picture; "": there are none.

    Args:
        what: "shares", "means" or "differences".
        rows: (what it is, estimate, low, high); an estimate that no share can be stands at the end of its interval.
        say: the language.
    """
    spans = [Span(label, min(max(value, low), high), low, high) for label, value, low, high in rows][:MOST]
    if not spans:
        return ""
    spell = number if what == "means" else percent_of
    alt, axis = say.gettext(ALT[what]), say.gettext(AXES[what])
    return intervals(spans, alt, axis, lambda value: spell(round(value, _DIGITS), Toward.NEAREST), words(say.language))
