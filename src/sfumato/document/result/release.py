"""What is kept of a run, `sfumato.release/1`: one document for reports and for scripts.

Keys are never removed and never change meaning within a version; a reader ignores keys that it does not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.table.values import Table

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar, Literal, TypeAlias

from sfumato.document.result.codec import Document
from sfumato.document.result.graph import GraphDrawn, GraphFound
from sfumato.document.result.graph_release import GraphReleased
from sfumato.document.result.keys import OMITTED
from sfumato.document.result.trace_statistics import StatisticsFound
from sfumato.document.result.traces import TracesFound
from sfumato.frozen import dataclass
from sfumato.mechanism.recode.decision import Search
from sfumato.risk.subsets import SubsetRisk
from sfumato.risk.wp216 import Answer
from sfumato.summary.figure import Figure
from sfumato.types import Share

Shares: TypeAlias = tuple[tuple[str | None, float], ...]
"""Labels with the share of rows; a label that is None is a missing value."""
SizeCounts: TypeAlias = tuple[tuple[int, ...], ...]
"""Class sizes, each with the number of classes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTable:
    """The table that a run read.

    Args:
        kind: csv, parquet, excel, arrow, pandas, polars, duckdb or sql.
        path: the file, as the plan names it.
        rows: rows of the table; null: their number is private.
        columns: column names, in order.
        sha256: SHA-256 of the bytes, in hexadecimal.
        dialect: how the CSV file is written.
    """

    kind: str | None = field(default=None, metadata=OMITTED)
    path: str | None = None
    rows: int | None
    columns: tuple[str, ...] = ()
    sha256: str | None = None
    dialect: Table | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Who counts as one person.

    Args:
        person: column that names a person; null: a row is a person.
        persons: persons in the table.
    """

    person: str | None = None
    persons: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnEntry:
    """One column as declared, and as bound to its values.

    Args:
        name: name of the column.
        role: identifying, quasi-identifying, sensitive or insensitive.
        kind: text, integer, decimal or date.
        hierarchy: short description of its hierarchy.
        height: levels above the values.
        leaves: values at the bottom of the hierarchy.
    """

    name: str
    role: str
    kind: str | None = field(default=None, metadata=OMITTED)
    hierarchy: str | None = None
    height: int | None = None
    leaves: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecodedColumn:
    """What happened to one quasi-identifier.

    Args:
        name: name of the column.
        level: published level; null where classes differ.
        height: highest level.
        labels: up to eight published labels.
        n_labels: distinct published labels.
    """

    name: str
    level: int | None = None
    height: int | None = None
    labels: tuple[str | None, ...] = ()
    n_labels: int | None = field(default=None, metadata=OMITTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppressed:
    """Rows and cells that were suppressed.

    Args:
        rows: suppressed rows.
        share: suppressed rows over all rows.
        limit: largest share that the plan allows.
        cells_by_column: suppressed cells of each column.
    """

    rows: int
    share: Share | None = None
    limit: Share | None = None
    cells_by_column: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSizes:
    """The published equivalence classes.

    Args:
        n: number of classes.
        min: size of the smallest.
        max: size of the largest.
        average: mean size.
    """

    n: int | None = field(default=None, metadata=OMITTED)
    min: int | None = None
    max: int | None = None
    average: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What was done and why.

    Args:
        method: full-domain, local-recoding, mondrian, cell-suppression, fixed, none …
        summary: what was done, as one sentence.
        why: why it was chosen, as one sentence.
        loss: the loss that was minimized; null where none was.
        loss_at_least: what no classes with as many persons can lose less than, proved; absent where nothing was proved.
        attributes: what happened to each quasi-identifier.
        search: what was looked at.
        suppressed: rows and cells that were suppressed.
        classes: the published equivalence classes; absent where classes mean nothing.
    """

    method: str
    summary: str
    why: str | None = field(default=None, metadata=OMITTED)
    loss: float | None = None
    loss_at_least: float | None = field(default=None, metadata=OMITTED)
    attributes: tuple[RecodedColumn, ...] = ()
    search: Search | None = field(default=None, metadata=OMITTED)
    suppressed: Suppressed | None = field(default=None, metadata=OMITTED)
    classes: ClassSizes | None = field(default=None, metadata=OMITTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The rows that stayed, each by a coin of its own.

    Args:
        probability: probability with which each row stayed, exactly.
        rows: rows that stayed.
        of: rows of the table.
    """

    probability: str
    rows: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Paid:
    """What was charged to a ledger.

    Args:
        dataset: data set in the ledger.
        analyst: who paid.
        request: name of the release in the ledger.
        cost: the event.
        left: what the data set's budget still holds, exactly.
    """

    dataset: str
    analyst: str
    request: str
    cost: Table
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Distinct tuples of the table with one value.

    Args:
        column: the column; empty: all tuples.
        value: its value.
        published: published tuples with it.
        domain: tuples of the domain with it.
        estimate: estimated tuples of the table with it.
        deviation: standard deviation of the estimate.
    """

    column: str
    value: str
    published: int
    domain: int
    estimate: float
    deviation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertedTuples:
    """How tuples were inserted and left out, and counts estimated from the published set.

    Args:
        alpha: chance of a tuple of the table beyond beta, exactly.
        beta: chance of any other tuple of the domain, exactly.
        domain: tuples of the declared domain.
        published: published tuples.
        estimates: distinct tuples of the table with one value.
    """

    alpha: str
    beta: str
    domain: int
    published: int
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellPromise:
    """What is promised of one cell.

    Args:
        name: name of the model.
        statement: the promise as one sentence with its numbers.
        definition: what the model means, as one sentence.
        parameters: the numbers that were asked for.
        kind: how it is known.
        source: paper and section.
        assumptions: what must be true outside the table.
    """

    name: str
    statement: str
    definition: str
    parameters: Table = field(default_factory=dict)
    kind: Literal["checked", "proved", "idealized"] | None = field(default=None, metadata=OMITTED)
    source: str | None = field(default=None, metadata=OMITTED)
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise(CellPromise):
    """What is promised of a release.

    Args:
        measured: the strongest parameter that holds, rounded against us.
        holds: whether the published table satisfies it.
        checked: what was checked on the written release, and what before.
    """

    measured: float | None = None
    holds: bool | None = field(default=None, metadata=OMITTED)
    checked: str | None = field(default=None, metadata=OMITTED)


@dataclass(frozen=True, slots=True)
class Worth(Figure):
    """What a release is worth.

    Args:
        before: the same figure of the original table; null where it means nothing.
    """

    before: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PerturbedEntry:
    """One column whose cells were changed beside recoding.

    Args:
        column: name of the column.
        method: how its cells were changed.
        parameters: the options of the method, as written.
        promise: what is promised of one cell; null: nothing.
        worth: what the column is still worth.
        risk: what an intruder gains from the column.
    """

    column: str
    method: str
    parameters: Table = field(default_factory=dict)
    promise: CellPromise | None = None
    worth: tuple[Figure, ...] = ()
    risk: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Risks:
    """What an intruder gains, by formula.

    Args:
        before: of the original.
        after: of the release.
    """

    before: tuple[Figure, ...] = ()
    after: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SizesOfClasses:
    """How large the classes are.

    Args:
        before: [class size, number of classes] pairs.
        after: [class size, number of classes] pairs.
    """

    before: SizeCounts = ()
    after: SizeCounts = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Distributed:
    """Values of one column.

    Args:
        before: [label, share] pairs; a null label is a missing value.
        after: [label, share] pairs; a null label is a missing value.
    """

    before: Shares = ()
    after: Shares = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LossAtK:
    """What another value of k would cost.

    Args:
        k: k.
        loss: loss.
        suppressed: suppressed share of rows.
    """

    k: int
    loss: float | None = None
    suppressed: Share | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LossOfWish:
    """What persons lost, by the k or l that they asked for themselves.

    Args:
        model: personal-k or personal-l.
        column: column that holds the wishes.
        asked: lowest and highest wish of the group; 0: none.
        persons: persons who asked for it.
        suppressed: share of them whose rows were suppressed; null: not known.
        loss: mean certainty penalty of their cells, 1 for suppressed ones; null: not computed.
    """

    model: str
    column: str
    asked: tuple[int, ...] = ()
    persons: int | None = field(default=None, metadata=OMITTED)
    suppressed: Share | None = None
    loss: Share | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFile:
    """A file that was written.

    Args:
        path: the file.
        kind: csv, parquet, …
        rows: rows.
        bytes: size.
        sha256: SHA-256 of the bytes, in hexadecimal.
    """

    path: str | None = None
    kind: str | None = field(default=None, metadata=OMITTED)
    rows: int | None = None
    bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseResult(Document):
    """What was done, what is promised, what it is worth and what breaks it.

    Args:
        sfumato: version of the program that wrote it.
        plan: the plan as it was read.
        plan_sha256: SHA-256 of the plan.
        replay: the command that makes it again.
        versions: versions of what computed it.
        source: the table that was read.
        unit: who counts as one person.
        columns: every column and its role.
        done: what was done.
        sample: the rows that stayed, each by a coin of its own; null: all.
        paid: what was charged to a ledger; null: nothing.
        perturbed: columns whose cells were changed beside recoding.
        promise: what is promised.
        insertion: how tuples were inserted and left out, and counts estimated from the published set.
        traces: what is kept of a release of traces; absent: it is one of a table.
        statistics: noisy numbers of traces; absent: the release is another.
        graph: noisy numbers of a graph; absent: the release is another.
        graph_release: a graph that was changed and published; absent: the release is another.
        graph_drawn: a synthetic graph; absent: the release is another.
        worth: what the release is worth.
        risk: what an intruder gains, by formula.
        wp216: the three questions of the Article 29 Working Party, opinion 05/2014.
        class_sizes: how large the classes are.
        distributions: values of each column.
        subsets: how identifying the combinations of quasi-identifiers of the original are.
        loss_by_k: what other values of k would cost.
        loss_by_wish: what persons lost, by the k or l that they asked for themselves; rare wishes are told together.
        notes: what a reader should know about this run.
        files: files that were written.
    """

    tag: ClassVar = ("format", "sfumato.release/1")
    sfumato: str
    plan: Table = field(default_factory=dict)
    plan_sha256: str | None = field(default=None, metadata=OMITTED)
    replay: str | None = field(default=None, metadata=OMITTED)
    versions: Mapping[str, str] = field(default_factory=dict)
    source: SourceTable
    unit: Person = field(default_factory=Person)
    columns: tuple[ColumnEntry, ...]
    done: Done
    sample: Sample | None = None
    paid: Paid | None = None
    perturbed: tuple[PerturbedEntry, ...] = ()
    promise: tuple[Promise, ...]
    insertion: InsertedTuples | None = field(default=None, metadata=OMITTED)
    traces: TracesFound | None = field(default=None, metadata=OMITTED)
    statistics: StatisticsFound | None = field(default=None, metadata=OMITTED)
    graph: GraphFound | None = field(default=None, metadata=OMITTED)
    graph_release: GraphReleased | None = field(default=None, metadata=OMITTED)
    graph_drawn: GraphDrawn | None = field(default=None, metadata=OMITTED)
    worth: tuple[Worth, ...] = ()
    risk: Risks = field(default_factory=Risks)
    wp216: tuple[Answer, ...] = ()
    class_sizes: SizesOfClasses = field(default_factory=SizesOfClasses)
    distributions: Mapping[str, Distributed] = field(default_factory=dict)
    subsets: tuple[SubsetRisk, ...] = ()
    loss_by_k: tuple[LossAtK, ...] = ()
    loss_by_wish: tuple[LossOfWish, ...] = ()
    notes: tuple[str, ...] = ()
    files: tuple[WrittenFile, ...] = ()
