"""Named values of a sweep: each changes several keys of a plan at once, such as what is done to traces one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.document.loading import load_toml
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.release.sweep.points import pareto_front

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.document.result.sweep import Axis, SweepResult
    from sfumato.table.values import Item, Table


@dataclass(frozen=True, slots=True)
class Named:
    """A value with a name, which stands for changes of a plan.

    Args:
        name: as it is shown.
        changes: by key of the plan: a table, whose keys are laid over the plan's own, or anything else, which takes its place.

    Example:
        >>> plain = Named("as it is", {"protect": [{"name": "rule", "show": "as it is"}]})
        >>> str(plain), list(plain.over({"region": {"rows": 4}}))
        ('as it is', ['region', 'protect'])
    """

    name: str
    changes: Table

    def __str__(self) -> str:
        return self.name

    def over(self, document: Table) -> dict[str, Item]:
        """A plan's document with the changes."""
        out = dict(document)
        for key, item in self.changes.items():
            before = out.get(key)
            both = isinstance(item, Mapping) and isinstance(before, Mapping)
            out[key] = {**before, **item} if both else item  # type: ignore[dict-item]
        return out


def named_in(path: Path) -> list[Named]:
    """The named values of a TOML file: each table of the file is one.

    Args:
        path: such as a file with `["Promesse, 100 m"]` above `protect = [{ name = "promesse", metres = 100 }]`.

    Raises:
        PlanError: the file cannot be read.
        ParameterError: something else than tables, or none.
    """
    tables = load_toml(path, "file")
    if not tables or not all(isinstance(item, Mapping) for item in tables.values()):
        raise ParameterError(
            "{name!r} must hold one table for each value; its keys are those of the plan that are changed.",
            'write such as ["Promesse, 100 m"] above protect = [{{ name = "promesse", metres = 100 }}].',
            name=path.name,
        )
    return [Named(name, changes) for name, changes in tables.items() if isinstance(changes, Mapping)]


def against(found: SweepResult, axis: Axis) -> SweepResult:
    """The same sweep with another figure of risk, and the points that none beats by it.

    Args:
        found: a sweep.
        axis: one of `found.also`.
    """
    risks = [point.figures.get(axis.name) for point in found.points]
    sign = [1.0 if one is not None and one.better == "lower" else -1.0 for one in (axis, found.worth)]
    able = [i for i, point in enumerate(found.points) if risks[i] is not None and point.worth is not None]
    costs = [(sign[0] * (risks[i] or 0.0), sign[1] * (found.points[i].worth or 0.0)) for i in able]
    best = dict(zip(able, pareto_front(costs), strict=True))
    points = [
        replace(point, risk=risk, front=best.get(i, False))
        for i, (point, risk) in enumerate(zip(found.points, risks, strict=True))
    ]
    return replace(found, risk=axis, points=tuple(points))
