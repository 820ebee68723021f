"""What is kept of a run? One dictionary, the same for people's reports and for scripts.

The format is `sfumato.release/1`; docs/reference/result.md describes every key. It holds no time, so
a plan run again on the same data gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, cast

import numpy as np

from sfumato.guarantee.base import Criterion
from sfumato.release.promised import as_declared, checked_on
from sfumato.risk.profile import class_size_histogram
from sfumato.table.hierarchy.describe import describe

if TYPE_CHECKING:
    from sfumato.document.result.release import SizeCounts
    from sfumato.engine.base import Header, Receipt
    from sfumato.guarantee.base import TableCriterion
    from sfumato.release.measure import Measured
    from sfumato.release.perturbing import PerturbedColumn
    from sfumato.release.plan import Plan
    from sfumato.release.recoding.run import RecodedOutcome
    from sfumato.summary.classes import Classes
    from sfumato.summary.figure import Figure
    from sfumato.table.attribute import Attribute
    from sfumato.table.schema import Column
    from sfumato.table.source import Source
    from sfumato.types import IntArray

FORMAT = "sfumato.release/1"
_EXAMPLES = 8
"""Published labels shown per attribute: the most frequent ones."""


def result_of(outcome: RecodedOutcome, measured: Measured) -> dict[str, object]:
    """The documented result of a run (see docs/reference/result.md)."""
    bound = (*outcome.counted.attributes, *outcome.counted.sensitive)
    return {
        **envelope(outcome.plan),
        "source": source_dict(outcome.header, outcome.plan.source),
        "unit": {"person": outcome.plan.schema.person, "persons": measured.n_persons},
        "columns": [column_dict(column, bound) for column in outcome.plan.schema.columns],
        "done": _done(outcome, measured),
        "sample": _sample(outcome),
        "paid": None if outcome.paid is None else asdict(outcome.paid),
        "perturbed": [_perturbed(one) for one in outcome.decided.perturbed],
        "promise": [
            promise_dict(promise, outcome.decided.recoding.published, plan=outcome.plan)
            for promise in outcome.plan.promises
        ],
        "worth": [_worth(figure, measured.worth_before) for figure in measured.worth],
        "risk": {
            "before": [figure_dict(f) for f in measured.risk_before],
            "after": [figure_dict(f) for f in measured.risk_after],
        },
        "wp216": [asdict(answer) for answer in measured.wp216],
        "class_sizes": {
            "before": plain(class_size_histogram(outcome.counted.finest.rows)),
            "after": plain(class_size_histogram(outcome.published.classes.rows)),
        },
        "distributions": {name: plain(asdict(bars)) for name, bars in measured.distributions.items()},
        "subsets": plain(measured.subsets),
        "loss_by_k": plain(measured.loss_by_k),
        "loss_by_wish": plain(measured.loss_by_wish),
        "notes": list(measured.notes),
        "files": file_dicts(outcome.receipts[0]),
    }


def envelope(plan: Plan) -> dict[str, object]:
    """What every result of a run holds beside its findings: format, plan, replay, versions."""
    document = plain({**plan.document, "order": [column.name for column in plan.schema.columns]})
    return {
        "format": FORMAT,
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


def _finite(value: float | None) -> float | None:
    return value if value is not None and np.isfinite(value) else None


def size_counts(sizes: IntArray) -> SizeCounts:
    """Class sizes, each with the number of classes."""
    return tuple(tuple(pair) for pair in cast("list[list[int]]", plain(class_size_histogram(sizes))))


def figure_dict(figure: Figure) -> dict[str, object]:
    """A measured number as plain data; infinities and NaN become null."""
    value = figure.value
    return asdict(figure) | {"value": value if value is not None and np.isfinite(value) else None}


def plain(value: object) -> object:
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


def source_dict(header: Header, source: Source | None) -> dict[str, object]:
    """What was read."""
    path = getattr(source, "path", None)
    return {
        "kind": header.source_kind,
        "path": None if path is None else path.name,
        "rows": header.n_rows,
        "columns": list(header.names),
        "sha256": header.sha256,
        "dialect": None if header.dialect is None else asdict(header.dialect),
    }


def column_dict(column: Column, attributes: Sequence[Attribute]) -> dict[str, object]:
    """One column as declared, and as bound if it is among the attributes."""
    bound = next((a for a in attributes if a.name == column.name), None)
    return {
        "name": column.name,
        "role": column.role.value,
        "kind": column.kind.value,
        "hierarchy": None if column.hierarchy is None else describe(column.hierarchy),
        "height": None if bound is None else bound.hierarchy.height,
        "leaves": None if bound is None else bound.hierarchy.n_leaves,
    }


def _done(outcome: RecodedOutcome, measured: Measured) -> dict[str, object]:
    """What was done and why."""
    decision, method = outcome.decided.recoding, outcome.run.method
    return {
        "method": method.name,
        "summary": method.done,
        "why": method.why,
        "loss": decision.loss,
        "attributes": [_attribute(outcome, j, attribute) for j, attribute in enumerate(outcome.counted.attributes)],
        "search": asdict(decision.search),
        "suppressed": _suppressed(outcome, measured.cells),
        "classes": sizes_dict(outcome.published.classes.rows),
    }


def _attribute(outcome: RecodedOutcome, j: int, attribute: Attribute) -> dict[str, object]:
    """How one quasi-identifier was recoded."""
    levels, base = outcome.decided.recoding.levels, outcome.counted.base[j]
    labels = outcome.published.labels[j]
    counts = outcome.published.rows_by_label(j)
    used = [int(code) for code in np.argsort(-counts, kind="stable") if counts[code] > 0]
    return {
        "name": attribute.name,
        "level": None if levels is None else base + levels[j],
        "height": base + attribute.hierarchy.height,
        "labels": [labels[code] for code in used[:_EXAMPLES]],
        "n_labels": len(used),
    }


def _suppressed(outcome: RecodedOutcome, cells: Mapping[str, int]) -> dict[str, object]:
    """Rows that lost all their quasi-identifiers, and single cells that were starred."""
    rows = outcome.decided.recoding.suppressed_rows
    n = outcome.counted.finest.n_rows
    limit = outcome.plan.method.options.get("suppression_limit")
    return {
        "rows": rows,
        "share": rows / n if n else 0.0,
        "limit": limit,
        "cells_by_column": dict(cells),
    }


def sizes_dict(sizes: IntArray) -> dict[str, object]:
    """Number and sizes of the published classes, in rows."""
    rows = sizes[sizes > 0]
    if not len(rows):
        return {"n": 0, "min": None, "max": None, "average": None}
    return {"n": len(rows), "min": int(rows.min()), "max": int(rows.max()), "average": float(rows.mean())}


def promise_dict(
    promise: Criterion | TableCriterion, published: Classes, *, plan: Plan | None = None
) -> dict[str, object]:
    """One promise, what was measured of it, and that it holds; with a plan of recoding, of whom and where it was checked."""
    guarantee = promise.guarantee() if plan is None else as_declared(promise.guarantee(), plan.schema.person)
    holds = (
        bool(promise.holds(published).all()) if isinstance(promise, Criterion) else promise.holds_together(published)
    )
    return asdict(guarantee) | {
        "parameters": plain(guarantee.parameters),
        "measured": plain(promise.measure(published)),
        "holds": holds,
        **({} if plan is None else {"checked": checked_on(plan, promise)}),
    }


def _sample(outcome: RecodedOutcome) -> dict[str, object] | None:
    """How many rows stayed by a coin, of how many; None where all stayed."""
    if outcome.plan.sample is None:
        return None
    share = outcome.plan.sample
    return {"probability": str(share), "rows": outcome.counted.finest.n_rows, "of": outcome.header.n_rows}


def _perturbed(one: PerturbedColumn) -> dict[str, object]:
    """What was done to one column beside recoding."""
    promise = one.guarantee
    return {
        "column": one.column,
        "method": one.method,
        "parameters": plain(one.parameters),
        "promise": None if promise is None else asdict(promise) | {"parameters": plain(promise.parameters)},
        "worth": [figure_dict(figure) for figure in one.worth],
        "risk": [figure_dict(figure) for figure in one.risk],
    }


def _worth(figure: Figure, before: Mapping[str, float | None]) -> dict[str, object]:
    """A utility figure, with its value on the original where that means something."""
    return figure_dict(figure) | {"before": plain(before.get(figure.name))}


def file_dicts(receipt: Receipt) -> list[dict[str, object]]:
    """What was written; [] for a table in memory."""
    if receipt.path is None and receipt.table is None:
        return []
    name = receipt.table if receipt.path is None else receipt.path.name
    return [
        {"path": name, "kind": receipt.kind, "rows": receipt.n_rows, "bytes": receipt.n_bytes, "sha256": receipt.sha256}
    ]
