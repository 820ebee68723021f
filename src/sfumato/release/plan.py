"""The plan: what was asked, as frozen data."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sfumato.document.fault import must_say
from sfumato.document.plan import MOST_TUPLES, Measures, Population
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import columns_beside
from sfumato.recipe.recipe import RowOrder, Suppressed

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.account.budget import Budget
    from sfumato.document.graph import GraphDocument
    from sfumato.document.graph_release import GraphReleaseDocument
    from sfumato.document.graph_synthetic import GraphSyntheticDocument
    from sfumato.document.method import Method
    from sfumato.document.perturb import Perturb
    from sfumato.document.traces import TracesDocument
    from sfumato.guarantee.base import Criterion, TableCriterion
    from sfumato.recipe.steps import Round, TopBottom
    from sfumato.table.schema import Schema
    from sfumato.table.source import Sink, Source
    from sfumato.table.values import Table

T = TypeVar("T")

MOST_TRIALS = 100_000
"""Questions or guesses of a measurement at most: each is put to the whole table."""


@dataclass(frozen=True, slots=True)
class MethodChoice:
    """The method and its options, as written; the method itself reads them (`release.method`).

    Args:
        name: which one.
        options: the other keys of [method].
        said: the same as an object of the method's class, or the plan of traces or of a graph; None: the plan was made in
            memory.
    """

    name: str
    options: Table = field(default_factory=dict)
    said: Method | TracesDocument | GraphDocument | GraphReleaseDocument | GraphSyntheticDocument | None = None


@dataclass(frozen=True, slots=True)
class PerturbChoice:
    """How one column is perturbed, as written; `perturbing` builds the method from it.

    Args:
        column: its name.
        said: the method and its options.
        options: the keys of [columns.NAME.perturb] beside `method`, as written.
        folder: what paths in the options are relative to.
    """

    column: str
    said: Perturb
    options: Table
    folder: Path = Path()

    @property
    def method(self) -> str:
        """Name of the method."""
        return self.said.tag[1]

    @property
    def where(self) -> str:
        """The table of the plan, as messages call it."""
        return f"[columns.{self.column}.perturb]"

    def needed(self, key: str, value: T | None, kind: type) -> T:
        """The value of a key that other keys, or the kind of the column, make necessary.

        Raises:
            PlanError: it is absent.
        """
        if value is None:
            raise must_say(key, kind).below("perturb").below(self.column).below("columns").error("the plan")
        return value

    def check_only(self, *known: str) -> None:
        """Refuse keys of the method that say nothing beside its other keys.

        Raises:
            PlanError: one was written.
        """
        if unknown := sorted(set(self.options) - set(known)):
            raise PlanError(
                "{where} must hold known keys only; unknown: {unknown}; known here: {known}.",
                "correct or remove them.",
                where=self.where,
                unknown=unknown,
                known=sorted(known),
            )


@dataclass(frozen=True, slots=True)
class AccountChoice:
    """Who pays for a release under differential privacy.

    Args:
        ledger: URL of the ledger.
        dataset: name of the data set in it.
        analyst: who asks.
        request: name of this release: charged once, released once.
        budget: what all analysts together may spend on the data set.
        analyst_budget: what this analyst may spend.
        password: of the server of the ledger, as somebody typed it; in no document. "": its client looks for it.
    """

    ledger: str
    dataset: str
    analyst: str
    request: str
    budget: Budget
    analyst_budget: Budget
    password: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Output:
    """Where everything goes; None: not written."""

    sink: Sink | None = None
    suppressed: Suppressed = Suppressed.STAR
    row_order: RowOrder = RowOrder.KEPT
    report: Path | None = None
    result: Path | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """One release, from source to sink.

    Args:
        document: the plan as it was written, for the record.
        source: the table; None: it is handed over in memory.
        schema: every column.
        first: steps on single columns before anything is counted (top and bottom coding, rounding).
        promises: the criteria, all of which must hold.
        method: how to reach them.
        population, measures, output: see there.
        engine: "duckdb", "spark" or the URL of a Spark cluster; None: not said.
        most_tuples: columns are generalized before they are counted where there are more distinct tuples.
        personal_k: column in which persons say their own k; None: nobody asks.
        personal_l: column in which persons say their own l; None: nobody asks.
        perturb: columns that are perturbed, each once, after everything else was decided.
        sample: probability with which each row stays, before anything is decided; None: all rows stay.
        account: who pays; None: nobody, or nothing is to be paid.
        file: where it was read from; None: it was made in memory.
        vertices: of a plan of a graph: the public table of vertices; None: there is none.
    """

    document: Table
    source: Source | None
    schema: Schema
    first: tuple[TopBottom | Round, ...]
    promises: tuple[Criterion | TableCriterion, ...]
    method: MethodChoice
    population: Population = field(default_factory=Population)
    measures: Measures = field(default_factory=Measures)
    output: Output = field(default_factory=Output)
    personal_k: str | None = None
    personal_l: str | None = None
    engine: str | None = None
    most_tuples: int = MOST_TUPLES
    perturb: tuple[PerturbChoice, ...] = ()
    sample: Fraction | None = None
    account: AccountChoice | None = None
    file: Path | None = None
    vertices: Source | None = None

    @property
    def perturbed(self) -> frozenset[str]:
        """Names of the columns that are perturbed."""
        return frozenset(choice.column for choice in self.perturb)

    @property
    def perturbs_quasi_identifiers(self) -> bool:
        """Whether class sizes of the release mean nothing, because some quasi-identifier is perturbed."""
        return any(column.name in self.perturbed for column in self.schema.quasi_identifiers)

    @property
    def counts_beside(self) -> bool:
        """Whether columns are counted that are not published: wishes of persons, or what criteria read."""
        return bool(self.personal_k or self.personal_l or columns_beside(self.promises))
