"""What does a run say of its promises: of persons or of rows, and what was looked at in the written file?"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.errors import NoSolution
from sfumato.guarantee.base import Criterion, Need

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee, TableCriterion
    from sfumato.release.plan import Plan
    from sfumato.summary.classes import Classes

READABLE = frozenset({Need.HISTOGRAM})
"""What can be read off the written release itself; the rest was checked on the decision."""
ONE_ROW = "One row is one person: no [unit] is declared, and of a person with several rows nothing is promised."
_ROWS_OF = re.compile(r"the rows of at least (.+?) persons\b")
_PERSONS = re.compile(r"\b([Pp])ersons\b(?! (?:of|in) the population)")


def check(classes: Classes, promises: tuple[Criterion | TableCriterion, ...]) -> None:
    """Refuse classes that break a promise.

    Raises:
        NoSolution: some published class (or all together) does not satisfy a criterion.
    """
    for promise in promises:
        good = bool(promise.holds(classes).all()) if isinstance(promise, Criterion) else promise.holds_together(classes)
        if not good:
            raise NoSolution(
                "The release must satisfy {guarantee}; the method found none that does.",
                "allow more suppression, ask for less, or choose another method.",
                guarantee=promise.guarantee().name,
            )


def as_declared(guarantee: Guarantee, person: str | None) -> Guarantee:
    """The promise as it is made: where no column names the person, of rows.

    Promises by theorem say themselves whom they protect, and stay.

    Args:
        guarantee: a promise about persons.
        person: the column that names them; None: rows were counted.

    Example:
        >>> from sfumato.guarantee.k_anonymity import KAnonymity
        >>> as_declared(KAnonymity(5).guarantee(), None).statement
        'Each published row stands in a class of its quasi-identifiers that holds at least 5 rows.'
    """
    if person is not None or guarantee.kind != "checked":
        return guarantee
    return replace(
        guarantee,
        statement=_of_rows(guarantee.statement),
        definition=_of_rows(guarantee.definition),
        assumptions=(ONE_ROW, *guarantee.assumptions),
    )


def checked_on(plan: Plan, promise: Criterion | TableCriterion) -> str:
    """What of a promise was checked on the written release, and what before it was written."""
    if plan.perturbs_quasi_identifiers:
        return (
            "on the classes decided, before quasi-identifiers were perturbed; in the written release rows were counted"
        )
    if plan.schema.person is None and not promise.needs - READABLE:
        return "on the written release, read again, and on the classes decided"
    return (
        "on the classes decided, from the original table; in the written release, read again, the rows of every class "
        "were counted and agree"
    )


def _of_rows(text: str) -> str:
    """The sentence with rows for persons; persons of a population stay."""
    return _PERSONS.sub(lambda match: "Rows" if match[1] == "P" else "rows", _ROWS_OF.sub(r"at least \1 rows", text))
