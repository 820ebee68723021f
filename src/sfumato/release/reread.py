"""What does the written release really say? Read again from where it was written."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, TypeVar

from sfumato.errors import InternalError
from sfumato.recipe.recipe import Suppressed
from sfumato.summary.ask import Ask
from sfumato.summary.published import SuppressedMark, read_published
from sfumato.table.attribute import Attribute
from sfumato.table.dialect import Dialect
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Kind
from sfumato.table.source import FileSource, FrameSource, SqlSink, SqlSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine, Header, Receipt
    from sfumato.release.plan import Plan
    from sfumato.summary.classes import Classes
    from sfumato.summary.published import Published
    from sfumato.table.source import Source

T = TypeVar("T")


def published_of(
    engine: Engine[T],
    table: T,
    attributes: Sequence[Attribute],
    sensitive: Sequence[Attribute],
    *,
    person: str | None = None,
    suppressed: SuppressedMark = SuppressedMark.STAR,
) -> Published:
    """The classes of any released table, label by label, against the original attributes."""
    flat = tuple(_flat(engine, table, attribute) for attribute in attributes)
    classes = engine.summarize(table, Ask(flat, tuple(sensitive), person=person))
    return read_published(attributes, [a.hierarchy.labels[0] for a in flat], classes, suppressed=suppressed)


def with_totals(classes: Classes, original: Classes) -> Classes:
    """The classes with the original table's sensitive distributions as the reference."""
    pairs = zip(classes.histograms, original.histograms, strict=True)
    return replace(classes, histograms=tuple(replace(mine, total=theirs.total) for mine, theirs in pairs))


def _flat(engine: Engine[T], table: T, attribute: Attribute) -> Attribute:
    """The published labels of one column, without any meaning yet."""
    labels = engine.marginal(table, attribute.name).values
    ordered = sorted((label for label in labels if label is not None), key=str)
    column = replace(attribute.column, kind=Kind.TEXT, hierarchy=None)
    leaves: list[str | None] = [*ordered, *([None] if None in labels else [])]
    return Attribute(column, Hierarchy.flat(attribute.name, leaves or [None]), None)


def mark_of(plan: Plan, suppressed_rows: int) -> SuppressedMark:
    """How suppressed rows are told; where none is written, a row of `*` is a class like any other."""
    if not suppressed_rows or plan.output.suppressed is Suppressed.DROP:
        return SuppressedMark.NONE
    return SuppressedMark.NULL if plan.output.suppressed is Suppressed.NULL else SuppressedMark.STAR


def written_as(plan: Plan, header: Header, receipt: Receipt) -> Source:
    """The release as a source: a CSV in the dialect it was written in, which is known and never sniffed; missing
    codes as planned.

    Args:
        plan: what was asked.
        header: what the original is.
        receipt: what was written.
    """
    codes = () if plan.source is None else plan.source.missing
    by_column = {} if plan.source is None else plan.source.missing_in
    if receipt.path is not None:
        dialect = asdict(replace(header.dialect or Dialect(), skip=0, footer=0)) if receipt.kind == "csv" else {}
        return FileSource(receipt.path, dialect=dialect, missing=codes, missing_in=by_column, names=receipt.names)
    if receipt.frame is not None:
        return FrameSource(receipt.frame, codes, by_column)
    if receipt.table is not None and isinstance(plan.output.sink, SqlSink):
        return SqlSource(plan.output.sink.url, receipt.table, codes, by_column)
    raise InternalError("A receipt must say where the release is.")
