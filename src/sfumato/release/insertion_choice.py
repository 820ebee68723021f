"""Which tuples a plan may publish, and with which chances: the declared domain, read before any data are."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.guarantee.inserted_tuples import InsertedTuples
from sfumato.mechanism.central.tuple_insertion import TupleInsertion
from sfumato.release.method.recoding import check_names
from sfumato.table.hierarchy.csv_file import CsvFile
from sfumato.table.hierarchy.groups import Groups
from sfumato.table.hierarchy.match import Match

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.method import TupleInsertion as Options
    from sfumato.release.plan import Plan
    from sfumato.table.schema import Column
    from sfumato.types import IntArray

MOST_INSERTED = 1_000_000
"""Insertions that are expected at most, where the plan does not say."""


@dataclass(frozen=True, slots=True)
class ColumnDomain:
    """The declared values of one column, and the labels under which they are published.

    Args:
        column: its name.
        labels: the labels, in order.
        code: number of the label of each declared value.
    """

    column: str
    labels: tuple[str, ...]
    code: Mapping[str, int]

    def codes_of(self, texts: Sequence[str | None], *, is_published: bool) -> IntArray:
        """(n,) int64: number of the label of each text, a value or itself a label; -1: it was not declared."""
        code = {label: i for i, label in enumerate(self.labels)} if is_published else self.code
        return np.array([-1 if text is None else code.get(text, -1) for text in texts], np.int64)


@dataclass(frozen=True, slots=True)
class Insertion:
    """What may be published, and with which chances.

    Args:
        domains: the declared domain of each published column.
        mechanism: keeps and inserts tuples.
    """

    domains: tuple[ColumnDomain, ...]
    mechanism: TupleInsertion


def promise_of(plan: Plan) -> InsertedTuples:
    """The promise from which both chances follow.

    Raises:
        PlanError: another promise, or several. Remedy: give this one alone.
    """
    promise = plan.promises[0] if len(plan.promises) == 1 else None
    if not isinstance(promise, InsertedTuples):
        raise PlanError(
            'The method "tuple-insertion" keeps one promise: `differential-privacy` of kind `tuple-insertion`.',
            "give it as the only [[promise]], with `epsilon`.",
        )
    return promise


def insertion_of(plan: Plan, options: Options) -> Insertion:
    """The domain of each published column, and the mechanism.

    Options of [method]: `values.COLUMN = […]` declares values; `levels.COLUMN` publishes labels of a declared hierarchy
    (0: values); `most_inserted` bounds the expected insertions.

    Raises:
        PlanError: a column without a declared domain, another promise, or an unknown option.
        ParameterError: a domain of more than 2⁵⁰ tuples.
    """
    epsilon = Fraction(promise_of(plan).epsilon)
    columns = plan.schema.quasi_identifiers
    domains = tuple(_domain(c, options.values.get(c.name), options.levels.get(c.name, 0)) for c in columns)
    check_names("values", options.values, plan)
    check_names("levels", options.levels, plan)
    most = MOST_INSERTED if options.most_inserted is None else options.most_inserted
    sizes = tuple(len(domain.labels) for domain in domains)
    return Insertion(domains, TupleInsertion.for_epsilon(sizes, epsilon, most_inserted=most))


def _domain(column: Column, values: Sequence[object] | None, level: int) -> ColumnDomain:
    if values is not None:
        labels = tuple(str(value) for value in values)
        if not labels or len(set(labels)) < len(labels) or level:
            raise PlanError(
                "`values` of {name!r} must list one or more different values, without a level.",
                "correct them.",
                name=column.name,
            ).below("method", "values", column.name)
        return ColumnDomain(column.name, labels, {label: i for i, label in enumerate(labels)})
    spec = column.hierarchy
    if not isinstance(spec, CsvFile | Groups) or spec.match is not Match.EXACT:
        raise PlanError(
            "Tuples are inserted from a declared domain; {name!r} has none.",
            "list `values.{name}` in [method], or declare a hierarchy by `file`, `groups` or `tree`.",
            name=column.name,
        ).below("columns", column.name)
    tree = spec.build(column, [])
    if not 0 <= level <= tree.height:
        raise PlanError(
            "`levels.{name}` must lie in 0 to {height}; got {level}.",
            "correct it.",
            name=column.name,
            height=tree.height,
            level=level,
        )
    labels = tuple(str(label) for label in tree.labels[level])
    ancestors = tree.ancestors[level].tolist()
    return ColumnDomain(column.name, labels, dict(zip(map(str, tree.labels[0]), ancestors, strict=True)))
