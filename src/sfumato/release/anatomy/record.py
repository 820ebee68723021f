"""What is kept of a run that published two tables? The same document as of any release, `sfumato.release/1`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from sfumato.release.record import (
    column_dict,
    envelope,
    figure_dict,
    file_dicts,
    plain,
    promise_dict,
    sizes_dict,
    source_dict,
)
from sfumato.risk.profile import class_size_histogram

if TYPE_CHECKING:
    from sfumato.release.anatomy.measure import MeasuredTwo, Two
    from sfumato.table.attribute import Attribute

_EXAMPLES = 8
"""Published labels shown per attribute: the most frequent ones."""
_OPEN = (
    "A class is a bucket here: the quasi-identifiers of its rows are published as they are, and who is in the table is told.",
    "Columns that go together in the world can be learned from the two tables and tell more than the buckets do: see risk.",
)


def result_of_two(outcome: Two, measured: MeasuredTwo) -> dict[str, object]:
    """The documented result of a run (see docs/reference/result.md); classes are buckets."""
    buckets = outcome.published.classes()
    return {
        **envelope(outcome.plan),
        "source": source_dict(outcome.header, outcome.plan.source),
        "unit": {"person": outcome.plan.schema.person, "persons": outcome.counted.joint.n_rows},
        "columns": [column_dict(column, outcome.counted.both) for column in outcome.plan.schema.columns],
        "done": _done(outcome),
        "perturbed": [],
        "promise": [_promise(promise_dict(promise, buckets)) for promise in outcome.plan.promises],
        "worth": [figure_dict(figure) | {"before": None} for figure in measured.worth],
        "risk": {
            "before": [figure_dict(figure) for figure in measured.risk_before],
            "after": [figure_dict(figure) for figure in measured.risk_after],
        },
        "wp216": [asdict(answer) for answer in measured.wp216],
        "class_sizes": {
            "before": plain(class_size_histogram(outcome.counted.finest.rows)),
            "after": plain(class_size_histogram(buckets.rows)),
        },
        "distributions": {},
        "subsets": plain(measured.subsets),
        "loss_by_k": [],
        "notes": list(measured.notes),
        "files": [file for receipt in outcome.receipts for file in file_dicts(receipt)],
    }


def _done(outcome: Two) -> dict[str, object]:
    """What was done and why."""
    method, decision = outcome.run.method, outcome.decided
    return {
        "method": method.name,
        "summary": method.done,
        "why": method.why,
        "loss": None,
        "attributes": [_attribute(outcome, j, attribute) for j, attribute in enumerate(outcome.counted.attributes)],
        "search": {
            "lattice_size": None,
            "checked": decision.tried,
            "optimal": False,
            "statement": decision.statement,
        },
        "suppressed": {"rows": 0, "share": 0.0, "limit": None, "cells_by_column": {}},
        "classes": sizes_dict(outcome.published.sizes),
    }


def _attribute(outcome: Two, j: int, attribute: Attribute) -> dict[str, object]:
    """A quasi-identifier, published as it is."""
    labels = attribute.hierarchy.labels[0]
    counts = np.bincount(outcome.published.codes[:, j], weights=outcome.published.rows, minlength=len(labels))
    used = [int(code) for code in np.argsort(-counts, kind="stable") if counts[code] > 0]
    return {
        "name": attribute.name,
        "level": 0,
        "height": attribute.hierarchy.height,
        "labels": [labels[code] for code in used[:_EXAMPLES]],
        "n_labels": len(used),
    }


def _promise(promise: dict[str, object]) -> dict[str, object]:
    """A promise on buckets, with what that means."""
    assumptions = promise["assumptions"]
    return promise | {"assumptions": [*(assumptions if isinstance(assumptions, (list, tuple)) else ()), *_OPEN]}
