"""A release as text, HTML and JSON; no mathematics, only wording and layout.

Files: `shape` (every key of the result document), `document` (read, check and write it), `number`
(how figures are spelled, rounded against us), `chart/` (SVG pictures as pure functions), `panels`
(which picture shows which part of a result), `plan` (the plan as TOML again), `view`, `risk_view` and `record_view` (what
the page shows, in which words), `html` and `text` (the two faces).
"""

from sfumato.report.document import check_result, read_result, to_json
from sfumato.report.html import render_html
from sfumato.report.text import render_text

__all__ = ["check_result", "read_result", "render_html", "render_text", "to_json"]
