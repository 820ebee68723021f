"""A release as text, HTML and PDF; no mathematics, only wording and layout.

Files: `section/` (the parts of a report: what each shows, in which words), `templates/` (how the page prints them),
`panels`, `maps` and `chart/` (pictures as pure functions), `paths` (a page for the owner of traces alone), `number` (how
figures are spelled, rounded against us; lines of a terminal), `document` (a stored result), `html` and `text` (the two
faces), `paper` (the page as a PDF, through its `outline`), `notebook` (what a notebook shows), `sweep` (a sweep as a
picture), `progress` (what long work shows on a terminal).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.report.document import check_result, read_result
from sfumato.report.html import render_html
from sfumato.report.text import render_text

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.document.result.release import ReleaseResult

__all__ = ["PDF", "check_page", "check_result", "page", "read_result", "render_html", "render_text"]

PDF = ".pdf"
"""How the name of a report ends that is a PDF; all others are HTML."""


def page(result: ReleaseResult, path: Path, stored: str | None = None, language: str = "en") -> str | bytes:
    """The report as its name says: HTML as text, or the bytes of a PDF.

    Args:
        result: what was kept of a run.
        path: where it shall be; it is not written.
        stored: the text of the result as it lies on disk; None: as Sfumato writes it.
        language: "en" or "fr".

    Raises:
        ParameterError: a PDF is asked for, and the extra `pdf` is missing.
    """
    if path.suffix.lower() != PDF:
        return render_html(result, language)
    from sfumato.report.paper import render_pdf

    return render_pdf(result, stored, language)


def check_page(path: Path | None) -> None:
    """Refuse a report that could not be made, before anything is read.

    Args:
        path: where it shall be; None: nowhere.

    Raises:
        ParameterError: it is a PDF, and the extra `pdf` is missing.
    """
    if path is not None and path.suffix.lower() == PDF:
        from sfumato.report.paper import check_pdf

        check_pdf()
