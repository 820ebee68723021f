"""The result as plain text for a terminal, at most 100 columns wide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.language.words import words
from sfumato.report.number import NBSP, WIDTH, title_of
from sfumato.report.section.base import sections_of

if TYPE_CHECKING:
    from sfumato.document.result.release import ReleaseResult


def render_text(result: ReleaseResult, language: str = "en") -> str:
    """The four answers, the risks, the worth and the files, as lines of at most 100 characters.

    Control characters are shown as �, so that a column name cannot steer a terminal.

    Args:
        result: what was kept of a run; absent parts are left out.
        language: "en" or "fr".

    Returns:
        Text with a final line end.

    Example:
        >>> from sfumato.document.result.release import Done, ReleaseResult, SourceTable
        >>> done = Done(method="mondrian", summary="Boxes.")
        >>> print(render_text(ReleaseResult(sfumato="1", source=SourceTable(rows=9), columns=(), done=done, promise=())))
        Release of a table
        ==================
        <BLANKLINE>
        What was done: Mondrian partition
          Boxes.
        <BLANKLINE>
    """
    say = words(language)
    title = title_of(result, say)
    lines = [title[:WIDTH], "=" * min(len(title), WIDTH)]
    for section in sections_of(result):
        shown = section.shown(result, say)
        lines += [] if shown is None else section.lines(shown, say)
    return "".join(f"{_clean(line).rstrip()}\n" for line in lines)


def _clean(line: str) -> str:
    """Printable characters only, with plain spaces."""
    return "".join(c if c.isprintable() else "�" for c in line.replace(NBSP, " ").replace("\u202f", " "))
