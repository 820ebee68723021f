"""Sfumato: publish tables about persons, with the promise, the price, the worth and the attack measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.release.front import Release, assess_risk, compare, draft_of, hierarchy_of, reapply, run
    from sfumato.release.plan import Plan
    from sfumato.release.plan_reader import plan_from, read_plan
    from sfumato.report.html import render_html

__version__ = "0.1.0"

__all__ = [
    "Plan",
    "Release",
    "assess_risk",
    "compare",
    "draft_of",
    "hierarchy_of",
    "plan_from",
    "read_plan",
    "reapply",
    "render_html",
    "run",
]

_HOME = {
    "Plan": "release.plan",
    "plan_from": "release.plan_reader",
    "read_plan": "release.plan_reader",
    "render_html": "report.html",
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
