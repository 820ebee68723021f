"""The result as one HTML file that needs no network, no script and no other file."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sfumato.language.words import words
from sfumato.report.number import count, title_of
from sfumato.report.section.base import all_sections

if TYPE_CHECKING:
    from jinja2 import Environment

    from sfumato.document.result.release import ReleaseResult
    from sfumato.language.words import Words


def render_html(result: ReleaseResult, language: str = "en") -> str:
    """The report for a data protection officer.

    Everything that comes from the table or the plan is escaped; the page forbids scripts and
    requests by its own content security policy. The same result gives the same bytes.

    Args:
        result: what was kept of a run; absent parts are left out.
        language: "en" or "fr"; values, names and the plan stay as they are.

    Returns:
        The whole HTML document.

    Example:
        >>> from sfumato.document.result.release import ColumnEntry, Done, ReleaseResult, SourceTable
        >>> column, done = ColumnEntry(name="<script>", role="insensitive"), Done(method="none", summary="Nothing.")
        >>> result = ReleaseResult(sfumato="1", source=SourceTable(rows=9), columns=(column,), done=done, promise=())
        >>> page = render_html(result)
        >>> "<script" in page, "&lt;script&gt;" in page
        (False, True)
    """
    say = words(language)
    return environment(language).get_template("report.html").render(_context(result, say))


def css_text(content: str) -> str:
    r"""A text as a CSS string that cannot end early, for the page header on paper.

    Example:
        >>> css_text("a</style>")
        '"a\\00003c \\00002f style\\00003e "'
    """
    letters = (c if c.isalnum() or c in " .-_" else f"\\{ord(c):06x} " for c in content)
    return f'"{"".join(letters)}"'


@cache
def environment(language: str = "en") -> Environment:
    """The templates in a language, compiled when they are first used; every text that is handed to them is escaped."""
    from jinja2 import PackageLoader

    from sfumato.report.kept_templates import templates_of

    return templates_of(PackageLoader("sfumato.report", "templates"), words(language))


def _context(result: ReleaseResult, say: Words) -> dict[str, Any]:
    """All that the templates print: of each part its view, under its name."""
    views = {section: section.shown(result, say) for section in all_sections()}
    sections = [(section, view) for section, view in views.items() if view is not None]
    return {
        "title": title_of(result, say),
        "source": result.source,
        "unit": result.unit,
        "parts": {section.name: view for section, view in views.items()},
        "sections": sections,
        "contents": [section for section, _ in sections if section.heading],
        "count": lambda value: say.spelled(count(value)),
        "css_text": css_text,
    }
