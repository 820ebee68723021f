"""What must be so for differential privacy of a whole release, and who refuses to promise it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import PlanError
from sfumato.recipe.recipe import RowOrder, Suppressed
from sfumato.release.method.registry import every_method
from sfumato.table.schema import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.release.plan import Plan
    from sfumato.table.values import Path

MODEL = "differential-privacy"
"""The model of every promise that is paid for."""


def refuse_private(plan: Plan) -> None:
    """Refuse a promise of differential privacy; for methods that do not keep it.

    Raises:
        PlanError: the plan promises it. Remedy: a method that does.
    """
    asked = [i for i, promise in enumerate(plan.promises) if getattr(promise, "model", "") == MODEL]
    if asked:
        keeping = [method.name for method in every_method() if method.private]
        raise PlanError(
            "The method {method!r} does not keep differential privacy.",
            "use {keeping}.",
            method=plan.method.name,
            keeping=" or ".join(f'`name = "{name}"`' for name in keeping),
        ).below("promise", asked[0], "model")


def check_columns(plan: Plan) -> None:
    """Refuse a plan that publishes something of a row beside what a method of differential privacy decides.

    Raises:
        PlanError: a column that is published as it is, persons with several rows, or rows chosen before. Remedy: in the
            message.
    """
    _check_all(_conditions(plan))


def check_rows(plan: Plan) -> None:
    """Refuse a plan whose rows left out, or their order, tell something; where rows of the table are published.

    Raises:
        PlanError: rows that leave a trace, an order, or missing cells that differ. Remedy: in the message.
    """
    _check_all(_conditions_on_rows(plan))


_Condition: TypeAlias = "tuple[bool, str, str, Path]"
"""What must hold, what to say if it does not, what to do, and the key of the plan that it is about."""


def _check_all(conditions: Sequence[_Condition]) -> None:
    """Refuse the first condition that does not hold."""
    for holds, problem, remedy, path in conditions:
        if not holds:
            raise PlanError("Under differential privacy, {condition}.", "{cure}", condition=problem, cure=remedy).below(
                *path
            )


def _conditions(plan: Plan) -> list[_Condition]:
    """What must hold of columns and rows."""
    chosen: list[tuple[object, Path]] = [
        *((True, ("columns", one.column, "perturb")) for one in plan.perturb),
        (plan.sample, ("sample",)), (plan.population.subset, ("population", "subset")),
    ]  # fmt: skip
    published = [c.name for c in plan.schema.columns if c.role in (Role.SENSITIVE, Role.INSENSITIVE)]
    return [
        (not published, f"every published column must be recoded; these are not: {published}",
         'set `role = "quasi-identifying"`, or "identifying" to leave them out.', ("columns", *published[:1], "role")),
        (plan.schema.person is None, "a row must be a person; this plan has a person column",
         "leave one row for each person, or publish noisy numbers.", ("unit", "person")),
        (all(value is None for value, _ in chosen), "rows are chosen and recoded by the method alone",
         "remove `perturb`, [sample] and `subset`.", next((path for value, path in chosen if value is not None), ())),
    ]  # fmt: skip


def _conditions_on_rows(plan: Plan) -> list[_Condition]:
    """The same, where rows of the table themselves are published."""
    spelled = _spellings(plan)
    return [
        (plan.output.suppressed is Suppressed.DROP, "rows that are not published must leave no trace",
         'set `suppressed = "drop"` in [output].', ("output", "suppressed")),
        (plan.output.row_order is RowOrder.SHUFFLED, "the order of rows must tell nothing",
         'set `row_order = "shuffled"` in [output].', ("output", "row_order")),
        (not spelled, f"missing cells must all be written alike; these columns know several codes: {spelled}",
         "declare one code for each column.", ("source",)),
    ]  # fmt: skip


def _spellings(plan: Plan) -> list[str]:
    """Quasi-identifiers whose missing cells may be written in several ways."""
    if plan.source is None:
        return []
    every, own = plan.source.missing, plan.source.missing_in
    return [c.name for c in plan.schema.quasi_identifiers if len({*every, *own.get(c.name, ())}) > 1]
