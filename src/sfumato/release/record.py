"""What is kept of a run: `sfumato.release/1`, built from what was planned, decided, written and measured.

It holds no time, so a plan run again on the same data gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypedDict, cast

import numpy as np

from sfumato.document.result.release import (
    CellPromise,
    ClassSizes,
    ColumnEntry,
    Distributed,
    Done,
    Person,
    PerturbedEntry,
    Promise,
    RecodedColumn,
    ReleaseResult,
    Risks,
    Sample,
    SizesOfClasses,
    SourceTable,
    Suppressed,
    Worth,
    WrittenFile,
)
from sfumato.guarantee.base import Criterion
from sfumato.release.reread import as_declared, checked_on
from sfumato.risk.profile import class_size_histogram
from sfumato.table.schema import describe

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.document.result.release import SizeCounts
    from sfumato.engine.base import Header, Receipt
    from sfumato.guarantee.base import Guarantee, TableCriterion
    from sfumato.release.measure import Measured
    from sfumato.release.perturbing import PerturbedColumn
    from sfumato.release.plan import Plan
    from sfumato.release.recoding.run import RecodedOutcome
    from sfumato.summary.classes import Classes
    from sfumato.summary.figure import Figure
    from sfumato.table.attribute import Attribute
    from sfumato.table.schema import Column
    from sfumato.table.source import Source
    from sfumato.table.values import Table
    from sfumato.types import IntArray

_EXAMPLES = 8
"""Published labels shown per attribute: the most frequent ones."""


class Envelope(TypedDict):
    """What every result of a run holds beside its findings."""

    sfumato: str
    plan: Table
    plan_sha256: str
    replay: str
    versions: Mapping[str, str]


def result_of(outcome: RecodedOutcome, measured: Measured) -> ReleaseResult:
    """The documented result of a run that recoded."""
    plan, counted, decided = outcome.plan, outcome.counted, outcome.decided
    return ReleaseResult(
        **envelope(plan),
        source=source_table(outcome.header, plan.source),
        unit=Person(person=plan.schema.person, persons=measured.n_persons),
        columns=column_entries(plan, (*counted.attributes, *counted.sensitive)),
        done=_done(outcome, measured),
        sample=_sample(outcome),
        paid=outcome.paid,
        perturbed=tuple(_perturbed(one) for one in decided.perturbed),
        promise=tuple(promise_of(promise, decided.recoding.published, plan=plan) for promise in plan.promises),
        worth=tuple(worth_of(figure, measured.worth_before.get(figure.name)) for figure in measured.worth),
        risk=Risks(before=finite(measured.risk_before), after=finite(measured.risk_after)),
        wp216=measured.wp216,
        class_sizes=SizesOfClasses(
            before=size_counts(counted.finest.rows), after=size_counts(outcome.published.classes.rows)
        ),
        distributions={
            name: Distributed(before=bars.before, after=bars.after) for name, bars in measured.distributions.items()
        },
        subsets=measured.subsets,
        loss_by_k=measured.loss_by_k,
        loss_by_wish=measured.loss_by_wish,
        notes=tuple(measured.notes),
        files=written_files(outcome.receipts),
    )


def envelope(plan: Plan) -> Envelope:
    """Versions, the plan, and how to run it again."""
    order = {"order": [column.name for column in plan.schema.columns]} if "columns" in plan.document else {}
    document = plain({**plan.document, **order})
    return {
        "sfumato": version("sfumato"),
        "plan": document,
        "plan_sha256": hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest(),
        "replay": "sfumato run plan.toml",
        "versions": {
            "python": platform.python_version(),
            **{package: version(package) for package in ("sfumato", "duckdb", "numpy")},
        },
    }


def finite(figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """Measured numbers; infinities and NaN become null."""
    return tuple(replace(figure, value=_finite(figure.value)) for figure in figures)


def worth_of(figure: Figure, before: float | None = None) -> Worth:
    """A utility figure, with its value on the original where that means something."""
    return Worth(**asdict(figure) | {"value": _finite(figure.value), "before": plain(before)})


def _finite(value: float | None) -> float | None:
    return value if value is not None and np.isfinite(value) else None


def size_counts(sizes: IntArray) -> SizeCounts:
    """Class sizes, each with the number of classes."""
    return tuple(tuple(pair) for pair in plain(class_size_histogram(sizes)))


def plain(value: object) -> Any:
    """Any nested value as what JSON can hold."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, str) or value is None or isinstance(value, bool):
        return value
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, (int, float)):
        return value if isinstance(value, int) or np.isfinite(value) else None
    if isinstance(value, (Sequence, np.ndarray)):
        return [plain(item) for item in value]
    return str(value)


def source_table(header: Header, source: Source | None) -> SourceTable:
    """What was read."""
    path = getattr(source, "path", None)
    return SourceTable(
        kind=header.source_kind,
        path=None if path is None else path.name,
        rows=header.n_rows,
        columns=tuple(header.names),
        sha256=header.sha256,
        dialect=None if header.dialect is None else asdict(header.dialect),
    )


def column_entries(plan: Plan, attributes: Sequence[Attribute]) -> tuple[ColumnEntry, ...]:
    """Every column as declared, and as bound if it is among the attributes."""
    return tuple(_column(column, attributes) for column in plan.schema.columns)


def _column(column: Column, attributes: Sequence[Attribute]) -> ColumnEntry:
    bound = next((a for a in attributes if a.name == column.name), None)
    return ColumnEntry(
        name=column.name,
        role=column.role.value,
        kind=column.kind.value,
        hierarchy=None if column.hierarchy is None else describe(column.hierarchy),
        height=None if bound is None else bound.hierarchy.height,
        leaves=None if bound is None else bound.hierarchy.n_leaves,
    )


def _done(outcome: RecodedOutcome, measured: Measured) -> Done:
    """What was done and why."""
    decision, method = outcome.decided.recoding, outcome.run.method
    return Done(
        method=method.name,
        summary=method.done,
        why=method.why,
        loss=decision.loss,
        loss_at_least=decision.loss_at_least,
        attributes=tuple(_recoded(outcome, j, attribute) for j, attribute in enumerate(outcome.counted.attributes)),
        search=decision.search,
        suppressed=_suppressed(outcome, measured.cells),
        classes=class_sizes(outcome.published.classes.rows),
    )


def _recoded(outcome: RecodedOutcome, j: int, attribute: Attribute) -> RecodedColumn:
    """How one quasi-identifier was recoded."""
    levels, base = outcome.decided.recoding.levels, outcome.counted.base[j]
    labels, n_labels = shown_labels(outcome.published.labels[j], outcome.published.rows_by_label(j))
    return RecodedColumn(
        name=attribute.name,
        level=None if levels is None else base + levels[j],
        height=base + attribute.hierarchy.height,
        labels=labels,
        n_labels=n_labels,
    )


def shown_labels(labels: Sequence[str | None], rows: npt.NDArray[Any]) -> tuple[tuple[str | None, ...], int]:
    """The published labels that most rows have, and how many are published.

    Args:
        labels: n labels.
        rows: (n,) rows of each.
    """
    used = [int(code) for code in np.argsort(-rows, kind="stable") if rows[code] > 0]
    return tuple(labels[code] for code in used[:_EXAMPLES]), len(used)


def _suppressed(outcome: RecodedOutcome, cells: Mapping[str, int]) -> Suppressed:
    """Rows that lost all their quasi-identifiers, and single cells that were starred."""
    rows, n = outcome.decided.recoding.suppressed_rows, outcome.counted.finest.n_rows
    limit = outcome.plan.method.options.get("suppression_limit")
    return Suppressed(
        rows=rows, share=rows / n if n else 0.0, limit=cast("float | None", limit), cells_by_column=dict(cells)
    )


def class_sizes(sizes: IntArray) -> ClassSizes:
    """Number and sizes of the published classes, in rows."""
    rows = sizes[sizes > 0]
    if not len(rows):
        return ClassSizes(n=0)
    return ClassSizes(n=len(rows), min=int(rows.min()), max=int(rows.max()), average=float(rows.mean()))


def promise_of(promise: Criterion | TableCriterion, published: Classes, *, plan: Plan | None = None) -> Promise:
    """One promise, what was measured of it, and that it holds; with a plan of recoding, of whom and where it was checked."""
    guarantee = promise.guarantee() if plan is None else as_declared(promise.guarantee(), plan.schema.person)
    holds = (
        bool(promise.holds(published).all()) if isinstance(promise, Criterion) else promise.holds_together(published)
    )
    return Promise(
        **told(guarantee),
        measured=plain(promise.measure(published)),
        holds=holds,
        checked=None if plan is None else checked_on(plan, promise),
    )


def told(guarantee: Guarantee) -> dict[str, Any]:
    """A promise as the keys of a result."""
    return asdict(guarantee) | {"parameters": plain(guarantee.parameters)}


def _sample(outcome: RecodedOutcome) -> Sample | None:
    """How many rows stayed by a coin, of how many; None where all stayed."""
    if outcome.plan.sample is None:
        return None
    share = outcome.plan.sample
    return Sample(probability=str(share), rows=outcome.counted.finest.n_rows, of=outcome.header.n_rows)


def _perturbed(one: PerturbedColumn) -> PerturbedEntry:
    """What was done to one column beside recoding."""
    return PerturbedEntry(
        column=one.column,
        method=one.method,
        parameters=plain(one.parameters),
        promise=None if one.guarantee is None else CellPromise(**told(one.guarantee)),
        worth=finite(one.worth),
        risk=finite(one.risk),
    )


def written_files(receipts: Sequence[Receipt]) -> tuple[WrittenFile, ...]:
    """What was written; nothing for tables in memory."""
    return tuple(
        WrittenFile(
            path=receipt.table if receipt.path is None else receipt.path.name,
            kind=receipt.kind,
            rows=receipt.n_rows,
            bytes=receipt.n_bytes,
            sha256=receipt.sha256,
        )
        for receipt in receipts
        if receipt.path is not None or receipt.table is not None
    )
