"""What a plan that publishes two tables may say, and the names that both tables use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.loading import about
from sfumato.errors import PlanError
from sfumato.guarantee.base import Need
from sfumato.guarantee.bucket_size import BucketSize
from sfumato.release.method.registry import every_method
from sfumato.table.schema import Role
from sfumato.table.source import SqlSink

if TYPE_CHECKING:
    from sfumato.guarantee.base import Criterion, TableCriterion
    from sfumato.release.plan import Plan
    from sfumato.table.schema import Column

BUCKET = "bucket"
"""Name of the column that both tables have."""
COUNT = "count"
"""Name of the column of the second table that counts rows."""


def sensitive_column(plan: Plan) -> Column:
    """The one column of the second table."""
    return plan.schema.with_role(Role.SENSITIVE)[0]


def refuse_bucket_size(plan: Plan) -> None:
    """Refuse a promise of a bucket size; for methods that have no buckets.

    Raises:
        PlanError: the plan promises it. Remedy: a method that publishes two tables, or another promise.
    """
    if bucket_size(plan) is not None:
        having = [method.name for method in every_method() if method.in_buckets]
        raise PlanError(
            'A promise "bucket-size" is for the methods that publish two tables.',
            'promise "k-anonymity", or choose [method] name = {having}.',
            having=" or ".join(f'"{name}"' for name in having),
        ).below("promise", next(i for i, one in enumerate(plan.promises) if isinstance(one, BucketSize)), "model")


def check_two_tables(plan: Plan, *, needs_size: bool) -> None:
    """What a plan that publishes two tables must and may not say.

    Args:
        plan: what is asked.
        needs_size: whether it must promise a bucket size.

    Raises:
        PlanError: the first rule that is broken, with its reason.
    """
    _check_columns(plan)
    for i, promise in enumerate(plan.promises):
        with about("promise", i):
            _check_promise(plan, promise)
    if needs_size and bucket_size(plan) is None:
        raise PlanError(
            "Plain buckets need their size; no promise says it.", 'add [[promise]] model = "bucket-size" with its `k`.'
        )
    _check_rest(plan)


def _check_columns(plan: Plan) -> None:
    """One sensitive column, and names that are free."""
    sensitive = [column.name for column in plan.schema.with_role(Role.SENSITIVE)]
    if len(sensitive) != 1:
        raise PlanError(
            "Two tables publish one sensitive column; the plan has {n_sensitive}: {sensitive}. A second one would stand "
            "beside the quasi-identifiers for all to see, and a second pair of tables could be matched with the first.",
            'give all but one the role "identifying", which leaves them out.',
            n_sensitive=len(sensitive),
            sensitive=sensitive,
        ).below("columns", *sensitive[1:2])
    taken = [name for name in (BUCKET, COUNT) if name in {column.name.lower() for column in plan.schema.columns}]
    if taken:
        raise PlanError(
            "The two tables need the column names {bucket!r} and {count!r}; {taken!r} is taken.",
            "rename that column of the source.",
            bucket=BUCKET,
            count=COUNT,
            taken=taken[0],
        ).below("columns", next(column.name for column in plan.schema.columns if column.name.lower() == taken[0]))


def _check_promise(plan: Plan, promise: Criterion | TableCriterion) -> None:
    """Buckets can only promise something of the sensitive column, or their size."""
    if isinstance(promise, BucketSize):
        return
    if promise.columns != (sensitive_column(plan).name,) or promise.needs != {Need.HISTOGRAM}:
        raise PlanError(
            "Two tables publish quasi-identifiers as they are, so {guarantee} cannot be promised.",
            "promise something of the sensitive column, or choose a method that recodes.",
            guarantee=promise.guarantee().name,
        )


def _check_rest(plan: Plan) -> None:
    """Parts of a plan that bucket methods do not know, each with its reason."""
    output = plan.document.get("output", {})
    rules = (
        (
            isinstance(output, dict) and output.get("row_order") == "kept",
            "Rows of two tables are always shuffled: the order of a sorted table tells which row has which value.",
            'remove `row_order`, or set it to "shuffled".',
            ("output", "row_order"),
        ),
        (
            isinstance(plan.output.sink, SqlSink),
            "Two tables are written as files or handed over in memory, where both or none appear.",
            "give [output] a `path`, and load both files.",
            ("output", "url"),
        ),
        (
            plan.population.subset is not None or plan.sample is not None,
            "Two tables are made of all rows of the source.",
            "write the rows to publish to a table of their own first.",
            ("sample",) if plan.population.subset is None else ("population", "subset"),
        ),
        (
            bool(plan.perturb),
            "Two tables publish the other columns as they are.",
            "remove the `perturb` tables.",
            ("columns", *(one.column for one in plan.perturb[:1]), "perturb"),
        ),
    )
    for is_broken, problem, remedy, path in rules:
        if is_broken:
            raise PlanError(problem, remedy).below(*path)


def bucket_size(plan: Plan) -> int | None:
    """The bucket size that a plan promises; the largest of several."""
    sizes = [promise.k for promise in plan.promises if isinstance(promise, BucketSize)]
    return max(sizes) if sizes else None
