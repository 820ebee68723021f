"""What must be so for differential privacy of a whole release, and who refuses to promise it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import PlanError
from sfumato.recipe.recipe import RowOrder, Suppressed
from sfumato.release.method.registry import every_method
from sfumato.table.schema import Role

if TYPE_CHECKING:
    from sfumato.release.plan import Plan

MODEL = "differential-privacy"
"""The model of every promise that is paid for."""


def refuse_private(plan: Plan) -> None:
    """Refuse a promise of differential privacy; for methods that do not keep it.

    Raises:
        PlanError: the plan promises it. Remedy: a method that does.
    """
    if any(getattr(promise, "model", "") == MODEL for promise in plan.promises):
        keeping = [method.name for method in every_method() if method.private]
        raise PlanError(
            "The method {method!r} does not keep differential privacy.",
            "use {keeping}.",
            method=plan.method.name,
            keeping=" or ".join(f'`name = "{name}"`' for name in keeping),
        )


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


def _check_all(conditions: list[tuple[bool, str, str]]) -> None:
    """Refuse the first condition that does not hold."""
    for holds, problem, remedy in conditions:
        if not holds:
            raise PlanError("Under differential privacy, {condition}.", "{cure}", condition=problem, cure=remedy)


def _conditions(plan: Plan) -> list[tuple[bool, str, str]]:
    """What must hold, what to say if it does not, and what to do."""
    published = [c.name for c in plan.schema.columns if c.role in (Role.SENSITIVE, Role.INSENSITIVE)]
    return [
        (not published, f"every published column must be recoded; these are not: {published}",
         'set `role = "quasi-identifying"`, or "identifying" to leave them out.'),
        (plan.schema.person is None, "a row must be a person; this plan has a person column",
         "leave one row for each person, or publish noisy numbers."),
        (not plan.perturb and plan.sample is None and plan.population.subset is None,
         "rows are chosen and recoded by the method alone", "remove `perturb`, [sample] and `subset`."),
    ]  # fmt: skip


def _conditions_on_rows(plan: Plan) -> list[tuple[bool, str, str]]:
    """The same, where rows of the table themselves are published."""
    spelled = _spellings(plan)
    return [
        (plan.output.suppressed is Suppressed.DROP, "rows that are not published must leave no trace",
         'set `suppressed = "drop"` in [output].'),
        (plan.output.row_order is RowOrder.SHUFFLED, "the order of rows must tell nothing",
         'set `row_order = "shuffled"` in [output].'),
        (not spelled, f"missing cells must all be written alike; these columns know several codes: {spelled}",
         "declare one code for each column."),
    ]  # fmt: skip


def _spellings(plan: Plan) -> list[str]:
    """Quasi-identifiers whose missing cells may be written in several ways."""
    if plan.source is None:
        return []
    every, own = plan.source.missing, plan.source.missing_in
    return [c.name for c in plan.schema.quasi_identifiers if len({*every, *own.get(c.name, ())}) > 1]
