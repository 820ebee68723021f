"""What any table is worth and what breaks it, ours or not; nothing is published here."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.document.result.judged import ComparisonResult, MeasuredTable, RiskResult, SuppressedCells
from sfumato.document.result.release import Risks
from sfumato.recipe.recipe import Suppressed
from sfumato.release.binding import bind_role
from sfumato.release.measure import SEED, n_persons, promised_k, strongest, tolerance_of
from sfumato.release.record import finite, size_counts
from sfumato.release.reread import published_of, with_totals
from sfumato.risk.profile import risk_profile
from sfumato.risk.subsets import subset_risks
from sfumato.risk.wp216 import wp216
from sfumato.summary.ask import Tuples
from sfumato.summary.published import SuppressedMark
from sfumato.table.schema import Role
from sfumato.utility.compare import suppressed_cells
from sfumato.utility.measure import Learning
from sfumato.utility.measure import measure as measure_utility

if TYPE_CHECKING:
    from sfumato.engine.base import Engine, Header
    from sfumato.release.plan import Plan
    from sfumato.table.attribute import Attribute
    from sfumato.table.source import Source

T = TypeVar("T")


def table_risk(
    engine: Engine[T], source: Source, plan: Plan, *, risk_threshold: float, population: int | None
) -> RiskResult:
    """What an intruder gains from a table.

    Args:
        engine: where data live.
        source: the table.
        plan: which columns are quasi-identifying and sensitive; columns it does not name are ignored.
        risk_threshold: a record is at risk above this probability, in (0, 1].
        population: persons in the population; None: not known.
    """
    table = engine.scan(source)
    header = engine.header(table)
    attributes = bind_role(engine, table, plan, Role.QUASI_IDENTIFYING)
    sensitive = bind_role(engine, table, plan, Role.SENSITIVE)
    whole = published_of(engine, table, attributes, sensitive, person=plan.schema.person)
    classes, subsets = whole.classes, subset_risks(whole.classes, attributes)
    return RiskResult(
        source=_measured(header),
        quasi_identifiers=tuple(a.name for a in attributes),
        persons=n_persons(classes),
        suppressed_rows=whole.suppressed_rows,
        classes=classes.n_classes,
        class_sizes=size_counts(classes.rows),
        risk=finite(risk_profile(classes, threshold=risk_threshold, population_size=population)),
        subsets=tuple(strongest(subsets.subsets)) if classes.n_classes else (),
        statement=subsets.statement,
        wp216=wp216(classes, tolerance=tolerance_of(plan), population_size=population),
    )


def compare_tables(
    engine: Engine[T], before: Source, after: Source, plan: Plan, *, risk_threshold: float, target: str | None
) -> ComparisonResult:
    """What a release is worth and what it risks, beside its original.

    Args:
        engine: where data live.
        before: the original.
        after: the release, ours or not.
        plan: roles, kinds and hierarchies of the columns.
        risk_threshold: a record is at risk above this probability, in (0, 1].
        target: column that a model shall predict; None: no model.
    """
    original, released = engine.scan(before), engine.scan(after)
    attributes = bind_role(engine, original, plan, Role.QUASI_IDENTIFYING)
    sensitive = bind_role(engine, original, plan, Role.SENSITIVE)
    finest = engine.summarize(original, Tuples(attributes, sensitive, person=plan.schema.person))
    mark = SuppressedMark.STAR_OR_NULL if plan.output.suppressed is Suppressed.NULL else SuppressedMark.STAR
    published = published_of(engine, released, attributes, sensitive, suppressed=mark)
    judged = with_totals(published.classes, finest)
    worth = measure_utility(
        published,
        finest,
        k=promised_k(plan),
        rng=np.random.default_rng(SEED),
        learning=None if target is None else Learning(target),
    )
    size = plan.population.size
    return ComparisonResult(
        original=_measured(engine.header(original)),
        release=_measured(engine.header(released)),
        quasi_identifiers=tuple(a.name for a in attributes),
        suppressed=SuppressedCells(rows=published.suppressed_rows, cells_by_column=suppressed_cells(published)),
        worth=finite(worth),
        risk=Risks(
            before=finite(risk_profile(finest, threshold=risk_threshold, population_size=size)),
            after=finite(risk_profile(judged, threshold=risk_threshold, population_size=size)),
        ),
        wp216=wp216(judged, tolerance=tolerance_of(plan), population_size=size),
        notes=_notes(attributes, published.not_understood),
    )


def _measured(header: Header) -> MeasuredTable:
    """What was read."""
    return MeasuredTable(
        kind=header.source_kind,
        rows=header.n_rows,
        columns=tuple(header.names),
        sha256=header.sha256,
        notes=tuple(header.notes),
    )


def _notes(attributes: tuple[Attribute, ...], not_understood: tuple[int, ...]) -> tuple[str, ...]:
    """Which columns of the release could not be read against the original."""
    return tuple(
        f"{count} labels of {attribute.name!r} could not be understood: what depends on them was not computed."
        for attribute, count in zip(attributes, not_understood, strict=True)
        if count
    )
