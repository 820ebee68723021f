"""Why no release keeps some promises, in the words of the plan, with the numbers that stand against them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import NoSolution, ParameterError
from sfumato.guarantee.base import Criterion, TableCriterion
from sfumato.guarantee.registry import criterion_to
from sfumato.summary.classes import merge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes

REMEDY = "ask for less (a smaller k or ℓ, a larger t), or publish fewer columns."


def spelled(*criteria: Criterion | TableCriterion) -> str:
    """Promises as users write them.

    Example:
        >>> from sfumato.guarantee.k_anonymity import KAnonymity
        >>> from sfumato.guarantee.l_diversity import DistinctLDiversity
        >>> spelled(KAnonymity(5), DistinctLDiversity("illness", 2))
        'k-anonymity (k = 5) and l-diversity (kind = distinct, column = illness, l = 2)'
    """
    return " and ".join(_spelled(criterion) for criterion in criteria) or "no promise"


def _spelled(criterion: Criterion | TableCriterion) -> str:
    try:
        table = criterion_to(criterion)
    except ParameterError:  # a criterion of the caller's own
        return type(criterion).__name__
    model = table.pop("model")
    return f"{model} ({', '.join(f'{key} = {value}' for key, value in table.items())})" if table else str(model)


def shortfall(criteria: Sequence[Criterion | TableCriterion], classes: Classes) -> str:
    """A sentence on the promises that not even the whole table as one class keeps, "" if it keeps all.

    Args:
        criteria: the promises.
        classes: any classes of the table; suppressed rows left out.

    Example:
        >>> from sfumato.guarantee.k_anonymity import KAnonymity
        >>> from sfumato.testing.examples import classes_with_illness
        >>> shortfall([KAnonymity(5)], classes_with_illness([[3, 1]]))
        ' Not even the whole table as one class keeps k-anonymity (k = 5): it holds 4 persons.'
    """
    here = classes.select(classes.rows > 0)
    one = merge(here, np.zeros(here.n_classes, np.int64), np.zeros((1, 0), np.int64)) if here.n_classes else here
    persons = int(one.persons.sum())
    failing = [criterion for criterion in criteria if not _holds(criterion, one)]
    if not failing:
        return ""
    short = any(getattr(criterion, "k", 0) > persons for criterion in failing)
    return (
        f" Not even the whole table as one class keeps {spelled(*failing)}{f': it holds {persons:,} persons' * short}."
    )


def no_solution(criteria: Sequence[Criterion | TableCriterion], classes: Classes) -> NoSolution:
    """The refusal of a method that ends where everything is one class."""
    why = shortfall(criteria, classes)
    return NoSolution(
        "The published classes must keep {spelled}; none do.{why}", REMEDY, spelled=spelled(*criteria), why=why
    )


def _holds(criterion: Criterion | TableCriterion, one: Classes) -> bool:
    """Whether one class keeps a promise."""
    if isinstance(criterion, TableCriterion):
        return bool(criterion.holds_together(one))
    return bool(one.n_classes) and bool(criterion.holds(one).all())
