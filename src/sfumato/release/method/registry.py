"""The methods that a plan can name, each loaded when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from sfumato.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.release.method.method import Method

METHODS = {
    "full-domain": "sfumato.release.method.full_domain",
    "local-recoding": "sfumato.release.method.local_recoding",
    "mondrian": "sfumato.release.method.mondrian",
    "cell-suppression": "sfumato.release.method.cell_suppression",
    "fixed": "sfumato.release.method.fixed",
    "microaggregation": "sfumato.release.method.microaggregation",
    "none": "sfumato.release.method.none",
    "anatomy": "sfumato.release.method.anatomy",
    "bucketization": "sfumato.release.method.bucketization",
    "safepub": "sfumato.release.method.safepub",
    "tuple-insertion": "sfumato.release.method.tuple_insertion",
}
"""Name in a plan → the module whose `METHOD` declares it. A new method is a new line here."""

UNNAMED = {
    "traces": "sfumato.release.method.traces",
    "trace-statistics": "sfumato.release.method.trace_statistics",
    "graph-statistics": "sfumato.release.method.graph_statistics",
    "graph-edges": "sfumato.release.method.graph_edges",
    "graph-synthetic": "sfumato.release.method.graph_synthetic",
}
"""The same of plans with [traces] or [graph], in which no method is named: what they hold tells which it is."""


def method_named(name: str) -> Method[Any, Any]:
    """The method of that name.

    Raises:
        PlanError: an unknown name. Remedy: one of those that the message lists.

    Example:
        >>> method_named("mondrian").title
        'Mondrian partition'
    """
    place = (METHODS | UNNAMED).get(name)
    if place is None:
        raise PlanError(
            "`name` in [method] must be one of {known}; got {name!r}.",
            "choose one of them.",
            known=list(METHODS),
            name=name,
        )
    return cast("Method[Any, Any]", import_module(place).METHOD)


def every_method() -> Iterator[Method[Any, Any]]:
    """All that a plan of a table can name; each is loaded."""
    return map(method_named, METHODS)


def title_of(name: str) -> str:
    """What a report calls the method of a stored result; a name that is not known stays as it is.

    Example:
        >>> title_of("fixed"), title_of("of a later version")
        ('Fixed levels', 'of a later version')
    """
    return method_named(name).title if name in METHODS | UNNAMED else name
