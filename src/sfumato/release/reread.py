"""A release that is read again from where it was written, and whether what it promises holds there."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, TypeVar

from sfumato.errors import InternalError, NoSolution
from sfumato.guarantee.base import Criterion, Need
from sfumato.language.sentence import of_rows
from sfumato.recipe.recipe import Recipe, Suppressed
from sfumato.recipe.steps import Rewrite
from sfumato.summary.ask import Marginals, Tuples
from sfumato.summary.published import SuppressedMark, read_published
from sfumato.table.attribute import Attribute
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Kind
from sfumato.table.source import Dialect, FileSink, FileSource, FrameSource, SqlSink, SqlSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine, Header, Receipt
    from sfumato.guarantee.base import Guarantee, TableCriterion
    from sfumato.noise.bits import Bits
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
    found = engine.summarize(table, Marginals(tuple(attribute.name for attribute in attributes)))
    flat = tuple(_flat(attribute, found[attribute.name].values) for attribute in attributes)
    classes = engine.summarize(table, Tuples(flat, tuple(sensitive), person=person))
    return read_published(attributes, [a.hierarchy.labels[0] for a in flat], classes, suppressed=suppressed)


def with_totals(classes: Classes, original: Classes) -> Classes:
    """The classes with the original table's sensitive distributions as the reference."""
    pairs = zip(classes.histograms, original.histograms, strict=True)
    return replace(classes, histograms=tuple(replace(mine, total=theirs.total) for mine, theirs in pairs))


def _flat(attribute: Attribute, labels: Sequence[str | None]) -> Attribute:
    """The published labels of one column, without any meaning yet."""
    ordered = sorted((label for label in labels if label is not None), key=str)
    column = replace(attribute.column, kind=Kind.TEXT, hierarchy=None)
    leaves: list[str | None] = [*ordered, *([None] if None in labels else [])]
    return Attribute(column, Hierarchy.flat(attribute.name, leaves or [None]), None)


def mark_of(plan: Plan, suppressed_rows: int) -> SuppressedMark:
    """How suppressed rows are told; where none is written, a row of `*` is a class like any other."""
    if not suppressed_rows or plan.output.suppressed is Suppressed.DROP:
        return SuppressedMark.NONE
    return SuppressedMark.NULL if plan.output.suppressed is Suppressed.NULL else SuppressedMark.STAR


def read_again(
    engine: Engine[T], plan: Plan, header: Header, receipt: Receipt, *, bits: Bits, is_unordered: bool = False
) -> T:
    """The release as it was written, cells that were quoted for spreadsheets read as what they stand for.

    Args:
        engine: where data live.
        plan: what was asked.
        header: what the original is.
        receipt: what was written.
        bits: chance; none is drawn.
        is_unordered: whether the order of its rows does not matter.

    Raises:
        InternalError: the bytes that were read are not those that the receipt names.
    """
    source = written_as(plan, header, receipt)
    table = engine.scan(replace(source, is_unordered=is_unordered) if isinstance(source, FileSource) else source)
    if receipt.sha256 is not None and engine.header(table).sha256 not in {None, receipt.sha256}:
        raise InternalError("The release on the disk is not the one that was written; it must not be used.")
    if not isinstance(plan.output.sink, FileSink) or plan.output.sink.formulas == "kept" or not receipt.formulas:
        return table
    from sfumato.engine.duckdb.write_csv import Unquoted

    return engine.apply(table, Recipe(columns=tuple(Rewrite(name, Unquoted()) for name in receipt.formulas)), bits=bits)


def formula_notes(plan: Plan, receipts: Sequence[Receipt]) -> list[str]:
    """What a reader with a spreadsheet should know."""
    out, sink = [], plan.output.sink
    quoted = isinstance(sink, FileSink) and sink.formulas == "quoted"
    for receipt in receipts:
        found = {name: n for name, n in receipt.formulas.items() if n}
        if found:
            start = f"{sum(found.values()):,} cells of {', '.join(map(repr, found))} begin with = + - @ or a tab"
            what = (
                "each was published with an apostrophe before it"
                if quoted
                else 'a spreadsheet may run them as formulas. [output] formulas = "quoted" puts an apostrophe before each'
            )
            out.append(f"{start}; {what}.")
    return out


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
        sink = plan.output.sink
        return SqlSource(sink.url, receipt.table, codes, by_column, password=sink.password)
    raise InternalError("A receipt must say where the release is.")


READABLE = frozenset({Need.HISTOGRAM})
"""What can be read off the written release itself; the rest was checked on the decision."""
ONE_ROW = "One row is one person: no [unit] is declared, and of a person with several rows nothing is promised."


def check(classes: Classes, promises: tuple[Criterion | TableCriterion, ...]) -> None:
    """Refuse classes that break a promise.

    Raises:
        NoSolution: some published class (or all together) does not satisfy a criterion.
    """
    for promise in promises:
        good = bool(promise.holds(classes).all()) if isinstance(promise, Criterion) else promise.holds_together(classes)
        if not good:
            raise NoSolution(
                "The release must satisfy {guarantee}; the method found none that does.",
                "allow more suppression, ask for less, or choose another method.",
                guarantee=promise.guarantee().name,
            )


def as_declared(guarantee: Guarantee, person: str | None) -> Guarantee:
    """The promise as it is made: where no column names the person, of rows.

    Promises by theorem say themselves whom they protect, and stay.

    Args:
        guarantee: a promise about persons.
        person: the column that names them; None: rows were counted.

    Example:
        >>> from sfumato.guarantee.k_anonymity import KAnonymity
        >>> as_declared(KAnonymity(5).guarantee(), None).statement
        'Each published row stands in a class of its quasi-identifiers that holds at least 5 rows.'
    """
    if person is not None or guarantee.kind != "checked":
        return guarantee
    return replace(
        guarantee,
        statement=of_rows(guarantee.statement),
        definition=of_rows(guarantee.definition),
        assumptions=(ONE_ROW, *guarantee.assumptions),
    )


def checked_on(plan: Plan, promise: Criterion | TableCriterion) -> str:
    """What of a promise was checked on the written release, and what before it was written."""
    if plan.perturbs_quasi_identifiers:
        return (
            "on the classes decided, before quasi-identifiers were perturbed; in the written release rows were counted"
        )
    if plan.schema.person is None and not promise.needs - READABLE:
        return "on the written release, read again, and on the classes decided"
    return (
        "on the classes decided, from the original table; in the written release, read again, the rows of every class "
        "were counted and agree"
    )
