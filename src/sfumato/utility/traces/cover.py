"""Cells that persons visit: how many of them are still visited in the release, and how many are new."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.utility.traces.apart import check_pair
from sfumato.utility.traces.keys import distinct, joined

if TYPE_CHECKING:
    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces
    from sfumato.types import IntArray

SOURCE = "V. Primault, Accio, 2018: AreaCoverage"


@dataclass(frozen=True, slots=True)
class Coverage:
    """Cells visited before and after; means over the persons of the original.

    Args:
        precision: published cells of a person that are original ones / published cells; 0 if none is published.
        recall: the same cells / original cells.
        f1: their harmonic mean, person by person.
    """

    precision: float
    recall: float
    f1: float


def coverage(published: Traces, original: Traces, region: Region, *, seconds: float | None = None) -> Coverage:
    """How many cells each person visits before and after, and how many of them are the same.

    Args:
        published: fixes that are measured.
        original: of the same persons; at least one fix.
        region: the cells.
        seconds: a cell counts once for each stretch of time of this length (since 1970 UTC); None: once.

    Raises:
        ParameterError: other persons.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.traces import Traces
        >>> there = lambda *at: Traces("UTC", ("a",), np.zeros(len(at), int), np.arange(len(at)), np.array(at), np.zeros(len(at)))
        >>> coverage(there(0.0, 0.02), there(0.0, 0.01, 0.03, 0.03), Region(Plane(0, 0), 1000, 9, 9))
        Coverage(precision=0.5, recall=0.3333333333333333, f1=0.4)
    """
    check_pair(published, original)
    both = [_visited(one, region, seconds) for one in (original, published)]
    rows = joined(*(np.concatenate(columns) for columns in zip(*both, strict=True)))
    before, after = distinct(rows.key[: len(original)]), distinct(rows.key[len(original) :])
    shared = np.intersect1d(before, after, assume_unique=True)
    n = len(original.persons)
    true, said, hit = (np.bincount(rows.first(keys), minlength=n) for keys in (before, after, shared))
    here = true > 0
    true, said, hit = true[here], said[here], hit[here]
    return Coverage(
        precision=float((hit / np.maximum(said, 1)).mean()),
        recall=float((hit / true).mean()),
        f1=float((2 * hit / (said + true)).mean()),
    )


def _visited(traces: Traces, region: Region, seconds: float | None) -> tuple[IntArray, IntArray, IntArray]:
    """Person, cell and stretch of time of each fix."""
    cell = region.codes_of(traces.latitude, traces.longitude)
    when = np.zeros(len(traces), np.int64) if seconds is None else traces.time // round(seconds * 1000)
    return traces.person, cell, when
