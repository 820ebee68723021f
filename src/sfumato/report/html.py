"""The result as one HTML file that needs no network, no script and no other file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.report import panels, record_view, risk_view, view
from sfumato.report.document import stable
from sfumato.report.number import count
from sfumato.report.plan import ordered_plan, plan_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment


def render_html(result: Mapping[str, Any]) -> str:
    """The report for a data protection officer.

    Everything that comes from the table or the plan is escaped; the page forbids scripts and
    requests by its own content security policy. The same result gives the same bytes.

    Args:
        result: a document of format `sfumato.release/1`; absent optional parts are left out.

    Returns:
        The whole HTML document.

    Example:
        >>> page = render_html({"columns": [{"name": "<script>", "role": "insensitive"}]})
        >>> "<script" in page, "&lt;script&gt;" in page
        (False, True)
    """
    return _environment().get_template("report.html").render(_context(stable(dict(result))))


def css_text(content: str) -> str:
    r"""A text as a CSS string that cannot end early, for the page header on paper.

    Example:
        >>> css_text("a</style>")
        '"a\\00003c \\00002f style\\00003e "'
    """
    letters = (c if c.isalnum() or c in " .-_" else f"\\{ord(c):06x} " for c in content)
    return f'"{"".join(letters)}"'


def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("sfumato.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def _context(result: Mapping[str, Any]) -> dict[str, Any]:
    """All that the template prints."""
    done, risks = result.get("done", {}), risk_view.risks(result)
    cells = view.in_order(done.get("suppressed", {}).get("cells_by_column", {}), result)
    return {
        "title": view.title(result),
        "source": result.get("source", {}),
        "unit": result.get("unit", {}),
        "method": view.method(result),
        "done": done,
        "facts": view.facts(result),
        "attributes": view.attributes(result),
        "promises": view.promises(result),
        "perturbed": view.perturbed(result),
        "risks": risks,
        "headline": risk_view.headline_risk(risks),
        "worth": view.worth(result),
        "questions": risk_view.questions(result),
        "losses": view.losses(result),
        "wishes": view.wishes(result),
        "subsets": risk_view.subsets(result),
        "n_subsets": len(result.get("subsets", ())),
        "distributions": view.distributions(result),
        "assumptions": view.assumptions(result),
        "provenance": record_view.provenance(result),
        "versions": record_view.versions(result),
        "files": record_view.files(result),
        "plan": plan_text(ordered_plan(result)),
        "charts": {
            "risk": panels.risk_chart(risks),
            "sizes": panels.class_size_chart(result.get("class_sizes", {}), risk_view.promised_k(result)),
            "loss": panels.loss_chart(result.get("loss_by_k", ())),
            "suppression": panels.suppression_chart(cells, result.get("source", {}).get("rows", 0)),
        },
        "count": count,
        "css_text": css_text,
    }
