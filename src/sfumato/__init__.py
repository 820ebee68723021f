"""Sfumato: publish tables about persons, with the promise, the price, the worth and the attack measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.account.budget import Budget
    from sfumato.release.answer.session import Session
    from sfumato.release.front import assess_risk, attack_release, compare, draft_of, hierarchy_of, reapply
    from sfumato.release.plan import Plan
    from sfumato.release.plan_reader import plan_from, read_plan
    from sfumato.release.publish import Release
    from sfumato.release.sweep.sweep import sweep
    from sfumato.release.two_tables.read import read_pair
    from sfumato.report.html import render_html
    from sfumato.report.run import run
    from sfumato.table.domain import Categories, Open, Range
    from sfumato.table.unit import Neighbors, Unit

__version__ = "0.1.0"

__all__ = [
    "Budget",
    "Categories",
    "Neighbors",
    "Open",
    "Plan",
    "Range",
    "Release",
    "Session",
    "Unit",
    "assess_risk",
    "attack_release",
    "compare",
    "draft_of",
    "hierarchy_of",
    "plan_from",
    "read_pair",
    "read_plan",
    "reapply",
    "render_html",
    "run",
    "sweep",
]

_HOME = {
    "Budget": "account.budget",
    "Categories": "table.domain",
    "Neighbors": "table.unit",
    "Open": "table.domain",
    "Plan": "release.plan",
    "Range": "table.domain",
    "Release": "release.publish",
    "Session": "release.answer.session",
    "Unit": "table.unit",
    "plan_from": "release.plan_reader",
    "read_pair": "release.two_tables.read",
    "read_plan": "release.plan_reader",
    "render_html": "report.html",
    "run": "report.run",
    "sweep": "release.sweep.sweep",
}
"""Modules of the public names that are not in `release.front`."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import sfumato` stays light."""
    if name not in __all__:
        raise AttributeError(f"module 'sfumato' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"sfumato.{_HOME.get(name, 'release.front')}"), name)


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
