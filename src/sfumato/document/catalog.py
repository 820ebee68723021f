"""Every kind of document by name, with its JSON Schema."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_args

from sfumato.document import header
from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.document.header import Header
    from sfumato.table.values import Table

WRITTEN = {
    "plan": ("plan", "PlanDocument", header.PLAN),
    "traces": ("traces", "TracesDocument", header.PLAN),
    "graph": ("graph", "GraphDocument", header.PLAN),
    "graph-edges": ("graph_release", "GraphReleaseDocument", header.PLAN),
    "graph-synthetic": ("graph_synthetic", "GraphSyntheticDocument", header.PLAN),
    "data": ("data", "WrittenData", header.DATA),
    "graph-data": ("graph", "GraphData", header.DATA),
    "collection": ("collection", "CollectionDocument", header.COLLECTION),
    "survey": ("survey", "SurveyDocument", header.SURVEY),
    "noising": ("collection", "NoisingDocument", header.NOISING),
    "pram": ("collection", "PramDocument", header.PRAM),
    "pseudonyms": ("collection", "PseudonymsDocument", header.PSEUDONYMS),
    "server": ("server", "ServerDocument", header.SERVER),
    "contest": ("contest", "ContestDocument", header.CONTEST),
    "together": ("together", "TogetherDocument", header.TOGETHER),
}
"""Documents that people write: name → module, class, first line."""
_BY_TABLE = {"plan": {"traces": "traces", "graph": "graph"}, "data": {"graph": "graph-data"}}
"""Documents with the same first line, told apart by a table that only they have."""
_OF_GRAPHS = (("protect", "graph-edges"), ("synthetic", "graph-synthetic"))
"""Plans of graphs that publish no statistics, by the table that only they have."""
RESULTS = {
    "result": ("release", "ReleaseResult"),
    "risk": ("judged", "RiskResult"),
    "comparison": ("judged", "ComparisonResult"),
    "attack": ("attack", "AttackResult"),
    "trace-attack": ("trace_attack", "TraceAttackResult"),
    "versions": ("attack", "VersionsResult"),
    "sweep": ("sweep", "SweepResult"),
    "lattice": ("lattice", "LatticeResult"),
    "budget": ("budget", "BudgetResult"),
    "answer": ("answers", "AnswerTold"),
    "answers": ("answers", "AnswersResult"),
    "accuracy": ("answers", "AccuracyResult"),
    "forecast": ("trace_statistics", "ForecastResult"),
    "graph-figures": ("graph", "GraphFigures"),
    "graph-risk": ("graph_risk", "GraphRisks"),
    "graph-nearness": ("graph", "GraphNearness"),
    "cores-recommendation": ("graph", "CoresRecommended"),
    "simulated": ("answers", "SimulatedResult"),
    "draft": ("made", "DraftResult"),
    "copy": ("made", "CopyResult"),
    "hierarchy": ("made", "HierarchyResult"),
    "report": ("made", "ReportResult"),
    "key": ("made", "KeyResult"),
    "pseudonymized": ("made", "PseudonymsResult"),
    "recommendation": ("collected", "RecommendationResult"),
    "design": ("collected", "DesignResult"),
    "parameters": ("collected", "StringParameters"),
    "reports": ("collected", "ReportsResult"),
    "sent": ("collected", "SentResult"),
    "counts": ("collected", "CountsResult"),
    "estimates": ("collected", "EstimatesResult"),
    "survey-design": ("survey", "SurveyDesignResult"),
    "survey-estimates": ("survey", "SurveyEstimatesResult"),
    "survey-simulated": ("survey", "SurveySimulatedResult"),
    "survey-attack": ("survey", "SurveyAttackResult"),
    "audit": ("survey", "AuditResult"),
    "survey-regression": ("survey", "RegressionResult"),
    "strings": ("collected", "StringsResult"),
    "noised": ("collected", "NoisedResult"),
    "randomized": ("collected", "PramResult"),
    "submission": ("contest", "SubmissionResult"),
    "found": ("contest", "FoundResult"),
    "together-result": ("together", "TogetherResult"),
    "experiments": ("experiment", "ExperimentsResult"),
    "experiment": ("experiment", "ExperimentResult"),
}
"""Documents that Sfumato writes: name → module, class."""


def kind_of(document: Table) -> str | None:
    """The kind of a document that people write, by its first line; a plan with [traces] is one of traces, one with [graph] of a
    graph: of its edges where it has [[protect]], of a synthetic one where it has [synthetic].

    Example:
        >>> kind_of({"format": "sfumato.plan/1", "traces": {}}), kind_of({"format": "other"})
        ('traces', None)
    """
    for name, (_, _, first) in WRITTEN.items():
        if first.old in document or document.get(header.FORMAT) == first.format:
            found = next((kind for table, kind in _BY_TABLE.get(name, {}).items() if table in document), name)
            return next((kind for table, kind in _OF_GRAPHS if found == "graph" and table in document), found)
    return None


def class_named(name: str) -> tuple[type[Any], Header]:
    """The class of a document that people write, and what its first line says."""
    module, cls, first = WRITTEN[name]
    return getattr(import_module(f"sfumato.document.{module}"), cls), first


def tables_below(hint: Any) -> list[type[Any]]:
    """The classes of tables inside a type, however deep in lists and names."""
    from sfumato.document.spec import tables_of

    inner = [cls for one in get_args(hint) for cls in tables_below(one)]
    return list(dict.fromkeys([*tables_of(hint), *inner]))


def schema_named(name: str) -> dict[str, Any]:
    """The JSON Schema of a kind of document.

    Raises:
        ParameterError: no such kind.

    Example:
        >>> schema_named("plan")["title"]
        'sfumato.plan/1'
    """
    from sfumato.document.result.keys import properties_of
    from sfumato.document.schema import DRAFT, schema_of

    if name in WRITTEN:
        return schema_of(*class_named(name))
    if name not in RESULTS:
        known = [*WRITTEN, *RESULTS]
        raise ParameterError("A document is one of {known}; got {name!r}.", "choose one.", known=known, name=name)
    module, cls = RESULTS[name]
    whole: type[Any] = getattr(import_module(f"sfumato.document.result.{module}"), cls)
    return {"$schema": DRAFT, "title": whole.tag[1], **properties_of(whole)}


def schema_text(name: str) -> str:
    """The same as a text of JSON."""
    return json.dumps(schema_named(name), indent=2, ensure_ascii=False) + "\n"


def schema_file(name: str) -> str:
    """The file beside a document in which editors find its schema.

    Example:
        >>> schema_file("plan")
        'sfumato-plan.schema.json'
    """
    return f"sfumato-{name}.schema.json"


def pointer_to(name: str) -> str:
    """The first line of a document, which tells editors of TOML where the schema is.

    Example:
        >>> pointer_to("plan")
        '#:schema ./sfumato-plan.schema.json'
    """
    return f"#:schema ./{schema_file(name)}"
