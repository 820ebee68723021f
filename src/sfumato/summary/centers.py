"""A released column of group centers: a mean is no range of values, and says nothing about what it covers.

Two readings. `unread`: the numbers are not understood, so that whatever reads what labels cover says that it cannot.
`at_face_value`: a center stands for the value nearest to it, as for somebody who computes with the release.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.span import Spans, spans_of_runs
from sfumato.table.hierarchy.tree import ROOT
from sfumato.table.number import positions
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sfumato.summary.published import Published
    from sfumato.table.attribute import Attribute
    from sfumato.types import FloatArray


def unread(published: Published, columns: Collection[str]) -> Published:
    """The same release with the centers of some columns not understood; `*` and missing cells stay what they are.

    Args:
        published: the released table.
        columns: names of the columns whose cells are centers.
    """
    return replace(
        published,
        spans=tuple(
            _without(spans, labels) if attribute.name in columns else spans
            for attribute, spans, labels in zip(published.attributes, published.spans, published.labels, strict=True)
        ),
    )


def at_face_value(published: Published, columns: Collection[str]) -> Published:
    """The same release with each center of some ordered columns read as the value of the table nearest to it.

    Args:
        published: the released table.
        columns: names of the columns whose cells are centers.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.summary.published import read_published
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["17", "20", "37"])
        >>> classes = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> release = read_published([age], [["18.2", "*"]], classes)
        >>> at_face_value(release, ["age"]).spans[0].low.tolist()
        [17.0, 17.0]
    """
    return replace(
        published,
        spans=tuple(
            _nearest(spans, labels) if attribute.name in columns else spans
            for attribute, spans, labels in zip(published.attributes, published.spans, published.labels, strict=True)
        ),
    )


def center_positions(attribute: Attribute, labels: Sequence[str | None]) -> FloatArray:
    """(n,) float64: where centers lie on the number line; NaN for `*` and for a missing cell.

    Args:
        attribute: the original column, ordered.
        labels: published texts.
    """
    kind = Kind.DATE if attribute.column.kind is Kind.DATE else Kind.DECIMAL
    return positions(replace(attribute.column, kind=kind), [None if text == ROOT else text for text in labels])


def _without(spans: Spans, labels: Sequence[str | None]) -> Spans:
    """The runs of `*` and of missing cells only."""
    told = np.array([text is None or text == ROOT for text in labels], np.bool_)
    kept = told[spans.owner] if len(spans.owner) else np.zeros(0, np.bool_)
    return spans_of_runs(spans.domain, spans.owner[kept], spans.start[kept], spans.stop[kept], spans.n_labels)


def _nearest(spans: Spans, labels: Sequence[str | None]) -> Spans:
    """One value for each number; other labels as they were read."""
    domain = spans.domain
    where = np.zeros(0) if domain.positions is None else domain.positions[: domain.n_numbers]
    centers = center_positions(domain.attribute, labels)
    numbers = np.flatnonzero(~np.isnan(centers)) if len(where) else np.zeros(0, np.int64)
    place = np.clip(np.searchsorted((where[1:] + where[:-1]) / 2, centers[numbers]), 0, max(len(where) - 1, 0))
    kept = ~np.isin(spans.owner, numbers)
    return spans_of_runs(
        domain,
        np.concatenate((spans.owner[kept], numbers)),
        np.concatenate((spans.start[kept], place)),
        np.concatenate((spans.stop[kept], place + 1)),
        spans.n_labels,
    )
