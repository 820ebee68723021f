"""What a release of group centers is worth: numbers are taken at face value, what they cover is not measured."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.recipe.steps import Assign
from sfumato.summary.centers import center_positions
from sfumato.utility import sse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.recode.decision import Decision
    from sfumato.summary.classes import Classes
    from sfumato.summary.figure import Figure
    from sfumato.table.attribute import Attribute
    from sfumato.utility.sse import Replaced

_OF_COVERS = frozenset({"gcp", "gcp_leaves", "gcp_node", "arx_loss", "precision", "non_uniform_entropy"})
"""Figures that measure what labels leave open."""


def with_centers(
    figures: Sequence[Figure], decision: Decision, finest: Classes, attributes: Sequence[Attribute]
) -> tuple[Figure, ...]:
    """The figures of a release of centers: the information loss first, and no measure of what labels cover.

    Args:
        figures: of the release with centers at face value.
        decision: what was decided, with centers.
        finest: the distinct tuples of the original.
        attributes: the quasi-identifiers.
    """
    names = ", ".join(decision.centers)
    why = f"Not computed: {names} hold centers of groups, which cover no range of values. "
    kept = (replace(f, value=None, definition=why + f.definition) if f.name in _OF_COVERS else f for f in figures)
    return (*sse.figures(_replaced(decision, finest, attributes)), *kept)


def _replaced(decision: Decision, finest: Classes, attributes: Sequence[Attribute]) -> list[Replaced]:
    """The numbers of each column of centers before and after, row for row."""
    step = decision.step
    if not isinstance(step, Assign):
        return []
    tuples, rows, member = np.arange(finest.n_classes), finest.rows, step.member
    if step.splits is not None:
        whole = ~np.isin(tuples, step.splits.tuple_)
        tuples = np.concatenate((tuples[whole], step.splits.tuple_))
        rows = np.concatenate((rows[whole], step.splits.rows))
        member = np.concatenate((member[whole], step.splits.member))
    out = []
    for j, (attribute, labels) in enumerate(zip(attributes, step.labels, strict=True)):
        if attribute.name in decision.centers and attribute.positions is not None:
            after = center_positions(attribute, labels)[member]
            out.append(sse.Replaced(attribute.name, attribute.positions[finest.codes[tuples, j]], after, rows))
    return out
