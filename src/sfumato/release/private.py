"""When does a plan keep differential privacy? The methods that can, and all that must be so beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import PlanError
from sfumato.guarantee.safepub import SafePub
from sfumato.recipe.recipe import RowOrder, Suppressed
from sfumato.release.accounted import event_of
from sfumato.release.plan import MethodName
from sfumato.table.schema import Role

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.mechanism.recode.safepub.method import GivenLevels, Searched
    from sfumato.release.document import Section
    from sfumato.release.plan import Plan


def safepub_promise(plan: Plan) -> SafePub:
    """The promise from which k and β of a SafePub plan follow.

    Raises:
        PlanError: another promise, or several. Remedy: give this one alone.
    """
    promise = plan.promises[0] if len(plan.promises) == 1 else None
    if not isinstance(promise, SafePub):
        raise PlanError(
            'The method "safepub" keeps one promise: `differential-privacy` of kind `safepub`.',
            "give it as the only [[promise]], with `epsilon`, `delta` and `search_epsilon`.",
        )
    return promise


def choice_of(plan: Plan, section: Section) -> GivenLevels | Searched:
    """How a SafePub plan chooses its levels: `levels`, or `search` with `score`, `steps` and `target`.

    Raises:
        PlanError: both, neither, or an epsilon of the search that does not fit.
    """
    from sfumato.mechanism.recode.safepub.method import GivenLevels, Searched
    from sfumato.mechanism.recode.safepub.public import check_public
    from sfumato.mechanism.recode.safepub.search import NodeSearch, Walk

    epsilon: Fraction = safepub_promise(plan).search_epsilon  # type: ignore[assignment]
    levels = section.optional("levels", dict)
    if levels is not None:
        if epsilon:
            raise PlanError(
                "Given levels cost nothing, so `search_epsilon` must be 0.", "set it to 0, or give `search`."
            )
        return GivenLevels(levels)
    walk, score = section.choice("search", Walk), section.required("score", str)
    if not epsilon:
        raise PlanError(
            "A search reads the table, so `search_epsilon` of the promise must be above 0.",
            "give it a part of epsilon.",
        )
    search = NodeSearch(walk, epsilon, section.optional("steps", int))
    chosen = Searched(search, score, section.optional("target", str))
    _check_score(plan, chosen)
    check_public(plan.schema.quasi_identifiers, with_shares=chosen.score == "loss")
    return chosen


def _check_score(plan: Plan, chosen: Searched) -> None:
    """Refuse a score or a target that would only be refused after the charge."""
    from sfumato.mechanism.recode.safepub.scores import Score

    Score(chosen.score, 2, None if chosen.target is None else 0)
    names = [column.name for column in plan.schema.quasi_identifiers]
    if chosen.target is not None and chosen.target not in names:
        raise PlanError(
            "`target` must be one of {names}; got {target!r}.", "name one of them.", names=names, target=chosen.target
        )


def check_private(plan: Plan) -> None:
    """Refuse a plan that promises differential privacy and would not keep it.

    Raises:
        PlanError: a method that cannot, a column that is published as it is, or rows left out or ordered in a way that
            tells. Remedy: in the message.
    """
    if plan.method.name is MethodName.SAFEPUB:
        from sfumato.mechanism.recode.safepub.public import check_public

        safepub_promise(plan)
        check_public(plan.schema.quasi_identifiers, with_shares=False)
        _check_all([*_conditions(plan), *_conditions_on_rows(plan)])
    elif plan.method.name is MethodName.TUPLE_INSERTION:
        from sfumato.release.insertion_choice import insertion_of

        insertion_of(plan)
        _check_all(_conditions(plan))
    elif any(event_of(promise) is not None for promise in plan.promises):
        raise PlanError(
            "The method {method!r} does not keep differential privacy.",
            'use `name = "safepub"` or `name = "tuple-insertion"`.',
            method=plan.method.name.value,
        )


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
