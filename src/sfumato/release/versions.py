"""What several releases of the same people tell together: intersected and judged, as one document.

The format is `sfumato.versions/1`; docs/how-to/several-versions.md describes it.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.attack.intersection import Intersection, Known, left
from sfumato.attack.pairs import matches
from sfumato.document.result.attack import Secret, VersionOfTable, VersionsResult
from sfumato.errors import PlanError
from sfumato.guarantee.m_invariance import Version, changed, invariance
from sfumato.release.attacking import bound_over, prepared
from sfumato.release.reread import mark_of, published_of
from sfumato.summary.ask import Tuples
from sfumato.table.schema import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.attack.pairs import Matches
    from sfumato.engine.base import Engine
    from sfumato.noise.bits import Bits
    from sfumato.release.plan import Plan
    from sfumato.summary.classes import Classes
    from sfumato.summary.histogram import Histogram
    from sfumato.summary.published import Published
    from sfumato.table.source import Source

T = TypeVar("T")


def versions_of(
    engine: Engine[T], original: Source, releases: Sequence[Source], plan: Plan, *, bits: Bits
) -> VersionsResult:
    """What releases of the same people tell alone and together: `sfumato.versions/1`.

    Args:
        engine: where data live.
        original: the people, one row each, with the values that an intruder wants; known to the judge alone.
        releases: two or more releases, ours or not, of any coding.
        plan: roles, kinds and hierarchies of the columns.
        bits: for the plan's steps before anything is counted, which draw nothing.

    Raises:
        PlanError: fewer than two releases, or no sensitive column. Remedy: in the message.
        SourceError: a table cannot be read, or has no row.
    """
    if len(releases) < 2 or not plan.schema.with_role(Role.SENSITIVE):
        raise PlanError(
            "Releases are intersected where there are two or more, and a sensitive column; there are not.",
            "name the releases, and give a plan (or --sensitive) that says what must stay secret.",
        )
    people = prepared(engine, original, plan, bits)
    tables = [engine.scan(release) for release in releases]
    attributes = bound_over(engine, [people], plan, Role.QUASI_IDENTIFYING)
    sensitive = bound_over(engine, [people, *tables], plan, Role.SENSITIVE)
    finest = engine.summarize(people, Tuples(attributes, sensitive))
    read = [published_of(engine, table, attributes, sensitive, suppressed=mark_of(plan, 1)) for table in tables]
    found = [matches(one, finest.codes) for one in read]
    return VersionsResult(
        sfumato=version("sfumato"),
        persons=finest.n_rows,
        quasi_identifiers=tuple(a.name for a in attributes),
        releases=tuple(_release(engine, table, one) for table, one in zip(tables, read, strict=True)),
        secrets=tuple(_secret(j, finest, read, found) for j in range(len(sensitive))),
    )


def _release(engine: Engine[T], table: T, read: Published) -> VersionOfTable:
    header = engine.header(table)
    return VersionOfTable(
        kind=header.source_kind,
        rows=header.n_rows,
        sha256=header.sha256,
        suppressed_rows=read.suppressed_rows,
        labels_not_understood=sum(read.not_understood),
    )


def _secret(j: int, finest: Classes, read: Sequence[Published], found: Sequence[Matches]) -> Secret:
    """What is left of one sensitive column, after each release alone and after all."""
    histogram = finest.histograms[j]
    known = Known(finest.codes, histogram.owner, histogram.value, histogram.count)
    possible = Intersection(histogram.attribute.name).among(read, found)
    hosted = [_version(one.classes.histograms[j], pairs) for one, pairs in zip(read, found, strict=True)]
    series = [one for one in hosted if one is not None]
    whole = len(series) == len(read)
    return Secret(
        column=histogram.attribute.name,
        values=int(np.count_nonzero(histogram.total)),
        most_frequent=float(histogram.total.max() / max(1, histogram.total.sum())),
        alone=tuple(left(one, known) for one in possible.alone),
        together=left(possible.together, known),
        m=invariance(series) if whole else None,
        signature_changed=float(finest.rows @ changed(series) / finest.n_rows) if whole else None,
    )


def _version(rows: Histogram, found: Matches) -> Version | None:
    """The class of each person; None where classes overlap, so that a person could be in several."""
    if np.bincount(found.target, minlength=found.n).max(initial=0) > 1:
        return None
    host = np.full(found.n, -1)
    host[found.target] = found.owner
    return Version(rows.owner, rows.value, rows.count, host)
