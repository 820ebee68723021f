"""The plan as it is written: every table and key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date

from sfumato.document.account import AccountTable
from sfumato.document.hierarchy import HierarchyTable
from sfumato.document.method import Method
from sfumato.document.perturb import Perturb
from sfumato.document.source import FileOutput, OutputTable, SourceTable
from sfumato.document.spec import Promise, key
from sfumato.frozen import dataclass
from sfumato.table.schema import Kind, Role

MOST_TUPLES = 10_000_000
"""Distinct tuples that are counted as they are, whatever the machine, so that a plan gives one release everywhere."""

_TWO = "give two numbers in order; for dates two dates, such as [2009-01-01, 2013-12-31]."


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnTable:
    """One column. Every column of the table is declared.

    Args:
        role: how the column could harm.
        kind: how its text is understood.
        hierarchy: how its values generalize; absent: only to `*`.
        bounds: lowest and highest value, for loss measures; absent: as observed.
        format: of dates, as for strptime; absent: ISO 8601.
        weight: how much its loss counts.
        pivot: the latest year that two digits (`%y`) can mean.
        bottom: what lies below becomes this, which then means this or less.
        top: what lies above becomes this, which then means this or more.
        round: to a multiple of this.
        perturb: changes single cells by chance, after everything else was decided.
    """

    role: Role
    hierarchy: HierarchyTable | None = None
    bounds: tuple[int | float | str | date, ...] | None = field(
        default=None, metadata=key(must="[lowest, highest]", remedy=_TWO)
    )
    kind: Kind = Kind.TEXT
    format: str | None = None
    weight: float = 1.0
    pivot: int | None = None
    bottom: float | None = None
    top: float | None = None
    round: float | None = None
    perturb: Perturb | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitTable:
    """Who counts as one person.

    Args:
        person: column that names a person; absent: a row is a person.
    """

    person: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTable:
    """Each row stays with a probability.

    Args:
        probability: as a number or a text such as "1/3".
    """

    probability: int | float | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """What is known of the population.

    Args:
        size: persons in it.
        subset: column that marks the rows to publish, where the table is the population.
    """

    size: int | None = None
    subset: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What is measured beside what always is.

    Args:
        risk_threshold: a record is at risk above this.
        posterior: accepted certainty about a sensitive value.
        distance: accepted distance of a class from the table.
        loss_by_k: values of k for the picture of loss against k.
        queries: random COUNT queries; 0: none.
        guesses: most guesses of each attack for the three questions; 0: by formula alone.
        target: column that a model learns to predict.
    """

    risk_threshold: float = 0.2
    posterior: float = 0.9
    distance: float = 0.5
    loss_by_k: tuple[int, ...] = ()
    queries: int = 1000
    guesses: int = 500
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDocument:
    """A plan: one release, from source to sink. Paths are relative to the folder of the document.

    Args:
        source: where the table is; absent: it is handed over in memory.
        columns: every column, by its name.
        unit: who counts as one person.
        order: columns as methods take them; absent: as they are written.
        method: how the promises are reached.
        promise: what is promised; all must hold.
        population: what is known of it.
        measure: what is measured beside what always is.
        output: where everything goes.
        engine: duckdb, spark, or the URL of a Spark cluster.
        most_tuples: with more distinct tuples, columns go up a level before they are counted.
        sample: each row stays with a probability.
        account: who pays for differential privacy.
    """

    source: SourceTable | None = None
    columns: Mapping[str, ColumnTable]
    unit: UnitTable = UnitTable()
    order: tuple[str, ...] | None = None
    method: Method
    promise: tuple[Promise, ...] | None = None
    population: Population = Population()
    measure: Measures = Measures()
    output: OutputTable = field(default_factory=FileOutput)
    engine: str | None = None
    most_tuples: int = MOST_TUPLES
    sample: SampleTable | None = None
    account: AccountTable | None = None
