"""How is a plan with α-β insertion carried out? Charge, count, draw the published tuples, write, read again, estimate."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from sfumato.errors import InternalError, SourceError
from sfumato.recipe.recipe import Recipe
from sfumato.release.accounted import charge
from sfumato.release.insertion_choice import insertion_of
from sfumato.release.measure import SEED
from sfumato.release.method_text import DONE, WHY
from sfumato.release.recoded import flat
from sfumato.release.record import column_dict, envelope, figure_dict, file_dicts, plain, promise_dict, source_dict
from sfumato.release.reread import read_again
from sfumato.release.run import ends
from sfumato.risk.profile import class_size_histogram, risk_profile
from sfumato.summary.ask import MarginalOf, Tuples
from sfumato.summary.classes import Classes
from sfumato.table.dialect import Dialect
from sfumato.table.source import in_kind
from sfumato.utility.inserted import count_query_error, true_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine, Header, Receipt
    from sfumato.mechanism.central.tuple_insertion import TupleInsertion
    from sfumato.release.accounted import Charge
    from sfumato.release.insertion_choice import ColumnDomain
    from sfumato.release.methods import Tools
    from sfumato.release.plan import Plan
    from sfumato.summary.figure import Figure
    from sfumato.table.attribute import Attribute
    from sfumato.table.source import Sink
    from sfumato.types import IntArray

T = TypeVar("T")

_SHOWN = 8
"""Values of each column whose count is estimated in the result: the most frequent published ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Inserted(Generic[T]):
    """Everything that is known after a run that published a set of tuples.

    Args:
        plan: what was asked.
        header: what the source is.
        attributes: the columns, bound to the values of the source.
        finest: the distinct tuples of the source.
        domains: the declared domain of each column.
        method: the mechanism.
        true: (n, m) int64, distinct tuples of the source inside the domain, as labels of it; only for the judge.
        published: (n, m) int64, the published tuples.
        receipt: what was written.
        paid: what was charged; None: nothing.
    """

    plan: Plan
    header: Header
    attributes: tuple[Attribute, ...]
    finest: Classes
    domains: tuple[ColumnDomain, ...]
    method: TupleInsertion
    true: IntArray
    published: IntArray
    receipt: Receipt
    paid: Charge | None


def publish_tuples(
    plan: Plan, *, engine: Engine[T], tools: Tools, frame: object = None, draft: Sink | None = None
) -> Inserted[T]:
    """Run a plan from source to a verified draft of a set of tuples.

    Args:
        plan: what to do; its method is `tuple-insertion`.
        engine: where data live.
        tools: secure chance, and who is told of progress.
        frame: the table, when the plan names no source.
        draft: where it is written until it is verified; None: at its place.

    Raises:
        SfumatoError: of every kind; whoever named the draft removes it.
    """
    source, sink = ends(plan, frame)
    sink = draft or sink
    (domains, method), progress = insertion_of(plan), tools.progress
    paid = charge(plan)
    progress(0, 3, "reading")
    table = engine.scan(source)
    header = engine.header(table)
    sink = in_kind(sink, header.source_kind)
    plan.schema.check_covers(header.names)
    if header.n_rows == 0:
        raise SourceError("A table must hold at least one row; this one has none.", "check the source.")
    for step in plan.first:
        table = engine.apply(table, Recipe(columns=(step,)), bits=tools.bits)
    attributes, finest = _counted(engine, table, domains)
    true = _inside(attributes, finest, domains)
    progress(1, 3, "drawing and writing")
    published = method.decide(true, bits=tools.bits)
    receipt = engine.write(engine.make(_columns(domains, published)), sink)
    progress(2, 3, "verifying and measuring")
    written = read_again(engine, plan, replace(header, dialect=Dialect()), receipt, bits=tools.bits)
    again = _inside(*_counted(engine, written, domains), domains, is_published=True)
    if receipt.n_rows != len(published) or not np.array_equal(again, published):
        raise InternalError("The written tuples differ from those drawn; they must not be used.")
    return Inserted(plan, header, attributes, finest, domains, method, true, published, receipt, paid)


def _counted(engine: Engine[T], table: T, domains: Sequence[ColumnDomain]) -> tuple[tuple[Attribute, ...], Classes]:
    """The columns as texts without meaning, and their distinct tuples."""
    bound = tuple(flat(domain.column, engine.summarize(table, MarginalOf(domain.column)).values) for domain in domains)
    return bound, engine.summarize(table, Tuples(bound))


def _inside(
    attributes: Sequence[Attribute], finest: Classes, domains: Sequence[ColumnDomain], *, is_published: bool = False
) -> IntArray:
    """(n, m) int64: the distinct tuples inside the domain, sorted; others are left out without a word."""
    columns = [
        domain.codes_of(attribute.hierarchy.labels[0], is_published=is_published)[finest.codes[:, j]]
        for j, (attribute, domain) in enumerate(zip(attributes, domains, strict=True))
    ]
    codes = np.stack(columns, axis=1)
    return np.unique(codes[(codes >= 0).all(axis=1)], axis=0)


def _columns(domains: Sequence[ColumnDomain], tuples: IntArray) -> dict[str, Sequence[object]]:
    """The published tuples as columns of text."""
    return {domain.column: [domain.labels[code] for code in tuples[:, j]] for j, domain in enumerate(domains)}


def result_of_tuples(outcome: Inserted[T]) -> dict[str, object]:
    """The documented result of a run (see docs/reference/result.md)."""
    plan, finest, published = outcome.plan, outcome.finest, outcome.published
    ones = np.ones(len(published), np.int64)
    profile = risk_profile(finest, threshold=plan.measures.risk_threshold, population_size=plan.population.size)
    classes = Classes(published, ones, ones)
    return {
        **envelope(plan),
        "source": source_dict(outcome.header, plan.source),
        "unit": {"person": None, "persons": finest.n_rows},
        "columns": [column_dict(column, outcome.attributes) for column in plan.schema.columns],
        "done": _done(outcome),
        "sample": None,
        "paid": None if outcome.paid is None else asdict(outcome.paid),
        "perturbed": [],
        "promise": [promise_dict(promise, classes) for promise in plan.promises],
        "insertion": _insertion(outcome),
        "worth": [figure_dict(figure) | {"before": None} for figure in _worth(outcome)],
        "risk": {"before": [figure_dict(figure) for figure in profile], "after": []},
        "wp216": [],
        "class_sizes": {"before": plain(class_size_histogram(finest.rows)), "after": []},
        "distributions": {},
        "subsets": [],
        "loss_by_k": [],
        "notes": [*outcome.header.notes, _NOTE],
        "files": file_dicts(outcome.receipt),
    }


_NOTE = (
    "Published tuples are a set in the order of the domain: some are of the table, others were inserted, and nobody can "
    "tell which. A unique tuple means nothing, so no risk was read off class sizes. Count with the estimator."
)


def _worth(outcome: Inserted[T]) -> tuple[Figure, ...]:
    """What the set is worth, measured against the table."""
    n, method = outcome.plan.measures.queries, outcome.method
    share = true_share(outcome.true, outcome.published)
    if not n:
        return (share,)

    def estimate(published: int, domain: int) -> float:
        return method.estimate(published, domain).value

    rng = np.random.default_rng(SEED)
    return (share, *count_query_error(estimate, method.sizes, outcome.true, outcome.published, n, rng=rng))


def _done(outcome: Inserted[T]) -> dict[str, object]:
    """What was done and why."""
    name, method = outcome.plan.method.name, outcome.method
    text = (
        f"A tuple of the table was published with probability {float(method.alpha + method.beta):.6g}, any other of the "
        f"{method.domain_size} tuples of the domain with {float(method.beta):.6g}."
    )
    return {
        "method": name.value,
        "summary": DONE[name],
        "why": WHY[name],
        "loss": None,
        "attributes": [],
        "search": {"lattice_size": None, "checked": 1, "optimal": False, "statement": text},
        "suppressed": {"rows": 0, "share": 0.0},
        "classes": {},
    }


def _insertion(outcome: Inserted[T]) -> dict[str, object]:
    """Both chances, exactly, and estimated counts: all from the published set."""
    method, published = outcome.method, outcome.published
    every = [_estimate(method, "", "", len(published), method.domain_size)]
    for j, domain in enumerate(outcome.domains):
        counts = np.bincount(published[:, j], minlength=len(domain.labels))
        share = method.domain_size // len(domain.labels)
        best = np.argsort(-counts, kind="stable")[:_SHOWN].tolist()
        every += [_estimate(method, domain.column, domain.labels[i], int(counts[i]), share) for i in best]
    return {
        "alpha": str(method.alpha),
        "beta": str(method.beta),
        "domain": method.domain_size,
        "published": len(published),
        "estimates": every,
    }


def _estimate(method: TupleInsertion, column: str, value: str, published: int, domain: int) -> dict[str, object]:
    """The estimated number of distinct tuples of the table with one value; of all of them where none is named."""
    found = method.estimate(published, domain)
    return {
        "column": column, "value": value, "published": published, "domain": domain,
        "estimate": found.value, "deviation": found.variance**0.5,
    }  # fmt: skip
