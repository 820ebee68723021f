"""Pictures of estimates: a dot, and a line between the ends of its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.language.words import words
from sfumato.report.chart.intervals import Span, intervals
from sfumato.report.chart.svg import shorten
from sfumato.report.number import Toward, number, percent_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


_MOST_LETTERS, _BETWEEN = 20, " · "
"""Letters of a label that a picture has room for, and what stands between its parts."""


def fitted(parts: Sequence[str]) -> str:
    """What a number is, in parts: the longest are shortened, so that labels that differ in a short part stay apart.

    Example:
        >>> fitted(["an answer of many words", "group a"]), fitted(["yes", "all", "time 2"])
        ('an answer… · group a', 'yes · all · time 2')
    """
    room = _MOST_LETTERS - len(_BETWEEN) * (len(parts) - 1)
    most = max(map(len, parts), default=0)
    while most > 2 and sum(min(len(part), most) for part in parts) > room:
        most -= 1
    return _BETWEEN.join(shorten(part, most) for part in parts)


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
