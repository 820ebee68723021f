"""How is a plan with a bucket method carried out? Scan, count, deal, write both, read both again, name both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from sfumato.errors import SourceError
from sfumato.recipe.recipe import Recipe, RowOrder
from sfumato.recipe.steps import Bucket, Drop
from sfumato.release.anatomy.choice import BUCKET, COUNT, bucket_method_of, second_sink, sensitive_column
from sfumato.release.anatomy.reread import check_same, pair_from
from sfumato.release.binding import bind_role
from sfumato.release.reread import read_again
from sfumato.release.run import check, ends
from sfumato.summary.ask import Tuples
from sfumato.table.dialect import Dialect
from sfumato.table.schema import Role
from sfumato.table.source import FileSink, in_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine, Header, Receipt
    from sfumato.mechanism.bucket.decision import BucketDecision
    from sfumato.noise.bits import Bits
    from sfumato.release.methods import Tools
    from sfumato.release.plan import Plan
    from sfumato.summary.classes import Classes
    from sfumato.summary.pair import Pair
    from sfumato.table.attribute import Attribute
    from sfumato.table.source import Sink

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class TwoTables(Generic[T]):
    """Everything that is known after a run that published two tables.

    Args:
        plan: what was asked.
        header: what the source is.
        table: the source as the engine holds it, single-column steps done.
        attributes: the quasi-identifiers, bound to their values.
        sensitive: the sensitive column, bound.
        joint: the distinct tuples of the source with the sensitive column as the last.
        finest: the distinct tuples of the quasi-identifiers, with the histogram of the sensitive column.
        decision: what the mechanism decided.
        pair: the two tables as read again from where they were written.
        receipts: what was written: the table of rows, the table of values.
    """

    plan: Plan
    header: Header
    table: T
    attributes: tuple[Attribute, ...]
    sensitive: Attribute
    joint: Classes
    finest: Classes
    decision: BucketDecision
    pair: Pair
    receipts: tuple[Receipt, Receipt]


def publish_two(
    plan: Plan, *, engine: Engine[T], tools: Tools, frame: object = None, draft: Sink | None = None
) -> TwoTables[T]:
    """Run a plan from source to verified drafts of two tables.

    Args:
        plan: what to do; its method is one of `choice.TWO_TABLES`.
        engine: where data live.
        tools: secure chance, and who is told of progress.
        frame: the table, when the plan names no source.
        draft: where the first table is written until both are verified, the second beside it; None: at its place.

    Raises:
        SfumatoError: of every kind; whoever named the draft removes both.
    """
    source, sink = ends(plan, frame)
    sink = draft or sink
    method, progress = bucket_method_of(plan), tools.progress
    progress(0, 5, "reading")
    table = engine.scan(source)
    header = engine.header(table)
    sink = in_kind(sink, header.source_kind)
    plan.schema.check_covers(header.names)
    if header.n_rows == 0:
        raise SourceError("A table must hold at least one row; this one has none.", "check the source.")
    for step in plan.first:
        table = engine.apply(table, Recipe(columns=(step,)), bits=tools.bits)
    progress(1, 5, "counting")
    attributes = bind_role(engine, table, plan, Role.QUASI_IDENTIFYING)
    (sensitive,) = bind_role(engine, table, plan, Role.SENSITIVE)
    both = (*attributes, sensitive)
    joint = engine.summarize(table, Tuples(both, person=plan.schema.person))
    finest = engine.summarize(table, Tuples(attributes, (sensitive,), person=plan.schema.person))
    progress(2, 5, "dealing rows into buckets")
    decision = method.decide(joint, both, bits=tools.bits)
    check(decision.pair.classes(), plan.promises)
    progress(3, 5, "writing two tables")
    released = engine.apply(table, _recipe(plan, joint, both, decision), bits=tools.bits)
    values = engine.make(value_columns(decision.pair, _missing_text(plan, sink)))
    receipts = engine.write(released, sink), engine.write(values, second_sink(sink))
    progress(4, 5, "verifying and measuring")
    pair = _read(engine, plan, header, receipts, both, tools.bits)
    check_same(decision.pair, pair)
    check(pair.classes(), plan.promises)
    return TwoTables(plan, header, table, attributes, sensitive, joint, finest, decision, pair, receipts)


def value_columns(pair: Pair, missing: str | None) -> dict[str, Sequence[object]]:
    """The second table, sorted by bucket and value: bucket, value, rows that have it.

    Args:
        pair: the two tables.
        missing: how a missing value is written; None: as null.

    Example:
        >>> from sfumato.testing.buckets import six_persons
        >>> value_columns(six_persons(), None)
        {'bucket': [0, 0, 0, 1, 1], 'use': ['50', '60', '90', '70', '75'], 'count': [1, 1, 1, 2, 1]}
    """
    labels = [missing if label is None else label for label in pair.sensitive.hierarchy.labels[0]]
    return {
        BUCKET: pair.values.owner.tolist(),
        pair.sensitive.name: [labels[value] for value in pair.values.value.tolist()],
        COUNT: pair.values.count.tolist(),
    }


def _recipe(plan: Plan, joint: Classes, attributes: Sequence[Attribute], decision: BucketDecision) -> Recipe:
    """The first table: identifiers and the sensitive column left out, a bucket number in front, rows shuffled."""
    gone = (*plan.schema.with_role(Role.IDENTIFYING), sensitive_column(plan))
    return Recipe(
        columns=tuple(Drop(column.name) for column in gone),
        classes=Bucket(BUCKET, tuple(attributes), joint.codes, decision.splits),
        row_order=RowOrder.SHUFFLED,
    )


def _read(
    engine: Engine[T],
    plan: Plan,
    header: Header,
    receipts: tuple[Receipt, Receipt],
    both: Sequence[Attribute],
    bits: Bits,
) -> Pair:
    """Both tables as written."""
    plainly = replace(header, dialect=Dialect())
    first, second = (
        read_again(engine, plan, one, receipt, bits=bits)
        for one, receipt in zip((header, plainly), receipts, strict=True)
    )  # fmt: skip
    return pair_from(engine, first, second, both[:-1], both[-1])


def _missing_text(plan: Plan, sink: Sink) -> str | None:
    """How a missing sensitive value is written: by its first declared code, in files of text."""
    if plan.source is None or not isinstance(sink, FileSink):
        return None
    codes = (*plan.source.missing_in.get(sensitive_column(plan).name, ()), *plan.source.missing)
    return codes[0] if codes else None
