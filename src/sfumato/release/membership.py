"""The class of the written release that each original tuple belongs to, and what a release of group centers is worth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.recipe.steps import Assign
from sfumato.summary.centers import center_positions
from sfumato.summary.classes import distinct_rows
from sfumato.utility import sse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.recode.decision import Decision
    from sfumato.summary.classes import Classes
    from sfumato.summary.figure import Figure
    from sfumato.summary.published import Published
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray
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


def membership(decision: Decision, finest: Classes, published: Published) -> IntArray | None:
    """(n_fine,) int64: class in `published` of each finest tuple, -1 for suppressed ones.

    None where rows of one tuple go to different classes (relaxed Mondrian).

    Args:
        decision: what the mechanism decided.
        finest: the distinct tuples of the original.
        published: the release as read again.
    """
    if isinstance(decision.step, Assign):
        if decision.step.splits is not None:
            return None
        codes = _assigned(decision.step, published)
    elif decision.levels is not None:
        codes = _generalized(decision.levels, finest, published)
    else:
        return None
    return _match(codes, published.classes.codes)


def _assigned(step: Assign, published: Published) -> IntArray:
    """(n_fine, m) codes of the labels that each tuple was given; -1 for suppressed tuples."""
    columns = []
    for labels, known in zip(step.labels, published.labels, strict=True):
        code = _codes(labels, known)
        columns.append(np.where(step.member < 0, -1, code[np.maximum(step.member, 0)]) if len(code) else step.member)
    return np.stack(columns, axis=1)


def _generalized(levels: Sequence[int], finest: Classes, published: Published) -> IntArray:
    """(n_fine, m) codes of the labels at one level per attribute; -1 where no row publishes the label."""
    columns = []
    for j, (attribute, level) in enumerate(zip(published.attributes, levels, strict=True)):
        code = _codes(attribute.hierarchy.labels[level], published.labels[j])
        columns.append(code[attribute.hierarchy.ancestors[level][finest.codes[:, j]]])
    return np.stack(columns, axis=1)


def _codes(labels: Sequence[str | None], known: Sequence[str | None]) -> IntArray:
    """Index in `known` of each label, -1 for others."""
    index = {label: code for code, label in enumerate(known)}
    return np.fromiter((index.get(label, -1) for label in labels), np.int64, len(labels))


def _match(codes: IntArray, classes: IntArray) -> IntArray:
    """Index in `classes` (n_classes, m) of each row of `codes` (n, m), -1 for rows that are not there."""
    both = np.concatenate((classes, np.where((codes < 0).any(axis=1, keepdims=True), -1, codes))) + 1
    distinct, inverse = distinct_rows(both)
    of = np.full(len(distinct), -1, np.int64)
    of[inverse[: len(classes)]] = np.arange(len(classes))
    return of[inverse[len(classes) :]]
