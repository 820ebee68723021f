"""Sfumato: publish tables about persons, with the promise, the price, the worth and the attack measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.account.budget import Budget
    from sfumato.engine.positions.gpx import gpx
    from sfumato.front.graphs import EdgeColumns, graph_numbers, graph_statistics, read_graph
    from sfumato.front.mobility import trace_statistics
    from sfumato.front.pair import read_pair
    from sfumato.front.run import run
    from sfumato.front.tables import apply, assess_risk, attack_release, compare, convert, draft, hierarchy, versions
    from sfumato.front.traces import TraceColumns, read_traces
    from sfumato.front.writing import write_plan
    from sfumato.release.answer.session import Session
    from sfumato.release.plan import Plan
    from sfumato.release.plan_reader import plan_from, read_plan
    from sfumato.release.publish import Release
    from sfumato.release.sweep.sweep import sweep
    from sfumato.report.html import render_html
    from sfumato.report.paper import render_pdf
    from sfumato.report.paths import render_paths
    from sfumato.table.domain import Categories, Range, UnlistedText
    from sfumato.table.unit import Neighbors, Unit

__version__ = "0.1.0"

__all__ = [
    "Budget",
    "Categories",
    "EdgeColumns",
    "Neighbors",
    "Plan",
    "Range",
    "Release",
    "Session",
    "TraceColumns",
    "Unit",
    "UnlistedText",
    "apply",
    "assess_risk",
    "attack_release",
    "attack_traces",
    "compare",
    "convert",
    "draft",
    "gpx",
    "graph_numbers",
    "graph_statistics",
    "hierarchy",
    "plan_from",
    "read_graph",
    "read_pair",
    "read_plan",
    "read_traces",
    "render_html",
    "render_paths",
    "render_pdf",
    "run",
    "sweep",
    "trace_statistics",
    "versions",
    "write_plan",
]

_HOME = {
    "Budget": "account.budget",
    "Categories": "table.domain",
    "EdgeColumns": "front.graphs",
    "Neighbors": "table.unit",
    "UnlistedText": "table.domain",
    "Plan": "release.plan",
    "Range": "table.domain",
    "Release": "release.publish",
    "Session": "release.answer.session",
    "TraceColumns": "front.traces",
    "Unit": "table.unit",
    "attack_traces": "front.trace_attacks",
    "gpx": "engine.positions.gpx",
    "graph_numbers": "front.graphs",
    "graph_statistics": "front.graphs",
    "plan_from": "release.plan_reader",
    "read_graph": "front.graphs",
    "read_pair": "front.pair",
    "read_plan": "release.plan_reader",
    "read_traces": "front.traces",
    "render_html": "report.html",
    "render_paths": "report.paths",
    "render_pdf": "report.paper",
    "run": "front.run",
    "sweep": "release.sweep.sweep",
    "trace_statistics": "front.mobility",
    "write_plan": "front.writing",
}
"""Modules of the public names that are not in `front.tables`."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import sfumato` stays light."""
    if name not in __all__:
        raise AttributeError(f"module 'sfumato' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"sfumato.{_HOME.get(name, 'front.tables')}"), name)


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
