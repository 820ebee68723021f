"""A release as text and HTML; no mathematics, only wording and layout.

Files: `section/` (the parts of a report: what each shows, in which words), `templates/` (how the page prints them),
`panels` and `chart/` (pictures as pure functions), `number` (how figures are spelled, rounded against us; lines of a
terminal), `document` (a stored result), `html` and `text` (the two faces), `sweep` (a sweep as a picture).
"""

from sfumato.report.document import check_result, read_result
from sfumato.report.html import render_html
from sfumato.report.text import render_text

__all__ = ["check_result", "read_result", "render_html", "render_text"]
