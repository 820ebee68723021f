"""What a release is worth and risks as its plan's parameters move: `sfumato.sweep/1`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.table.values import Item, Table

from collections.abc import Mapping
from typing import ClassVar, Literal

from sfumato.document.result.codec import Document
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """What one axis measures.

    Args:
        name: stable identifier.
        label: for people.
        better: the direction in which it improves.
        definition: one sentence with formula and denominator.
        source: paper and section.
    """

    name: str
    label: str
    better: Literal["lower", "higher"]
    definition: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SweptPoint:
    """One point, run or not.

    Args:
        values: by varied key, its value.
        state: done, no solution, refused or not run.
        why: the reason of any but the first.
        worth: its figure of worth; null: it has none.
        risk: its figure of risk; null: it has none.
        front: whether no other point has at most its risk and at least its worth, and more of one.
        seconds: how long it took.
        figures: every figure that it has, by name.
    """

    values: Table
    state: str
    why: str | None
    worth: float | None
    risk: float | None
    front: bool
    seconds: float
    figures: Mapping[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepResult(Document):
    """Every combination of values, with the Pareto front of risk and worth.

    Args:
        sfumato: version of the program that wrote it.
        plan: the plan as it was read.
        vary: by varied key, its values.
        worth: what worth is; null: no point was run.
        risk: what risk is; null: no point was run.
        also: what further named figures are.
        points: every point, in order.
        interrupted: whether somebody stopped the work before the last point.
    """

    tag: ClassVar = ("format", "sfumato.sweep/1")
    sfumato: str
    plan: Table
    vary: Mapping[str, tuple[Item, ...]]
    worth: Axis | None
    risk: Axis | None
    also: tuple[Axis, ...] = ()
    points: tuple[SweptPoint, ...]
    interrupted: bool
