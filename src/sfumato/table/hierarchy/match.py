"""Whether a declared hierarchy holds every value of the table, and if not, why.

Two ways of writing one value are told apart from a value that is absent: `34` and `34.0`, `34` and
`"34"` (quotes that belong to the text), `Widowed` and ` Widowed`. Which texts count as one value is
the user's decision, declared as a `Match`; nothing is repaired in silence.
"""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import TYPE_CHECKING

from sfumato.errors import AmbiguousHierarchy, ValueFormMismatch, ValueNotInHierarchy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.schema import Column


class Match(Enum):
    """When do a value of the table and a value of the hierarchy mean the same?"""

    EXACT = "exact"
    """Equal texts."""
    TRIMMED = "trimmed"
    """Equal without blanks at either end."""
    NUMBER = "number"
    """Equal numbers, however written; other texts as trimmed."""


def key(text: str, match: Match) -> str | Decimal:
    """What is compared under a rule.

    Example:
        >>> key(" 34.0", Match.TRIMMED), key(" 34.0", Match.NUMBER) == key("34", Match.NUMBER)
        ('34.0', True)
    """
    if match is Match.EXACT:
        return text
    number = _number(text) if match is Match.NUMBER else None
    return text.strip() if number is None else number


def match_values(column: Column, leaves: Sequence[str], values: Sequence[str], match: Match) -> dict[str, list[str]]:
    """The texts of the table that each leaf of a hierarchy stands for.

    Returns:
        For each leaf, in order: the table's own texts, or the leaf itself where the table lacks it.

    Raises:
        ValueNotInHierarchy: a value of the table is no leaf. Remedy: add it, or trim.
        ValueFormMismatch: it is one, written as another form of the same number.
        AmbiguousHierarchy: two leaves mean the same under the rule.
    """
    found: dict[str, list[str]] = {leaf: [] for leaf in leaves}
    by_key = {key(leaf, match): leaf for leaf in found}
    if len(by_key) < len(found):
        raise AmbiguousHierarchy(
            "Each value must stand once in the hierarchy of {name!r}; under the rule "
            "`match = {match!r}` {n_found} are repeated in another form.",
            "keep one form of each, or match exactly.",
            name=column.name,
            match=match.value,
            n_found=len(found) - len(by_key),
        )
    absent = []
    for value in dict.fromkeys(values):
        leaf = by_key.get(key(value, match))
        if leaf is None:
            absent.append(value)
        else:
            found[leaf].append(value)
    if absent:
        _refuse(column.name, absent, found, len(set(values)))
    return {leaf: texts or [leaf] for leaf, texts in found.items()}


def _refuse(column: str, absent: Sequence[str], leaves: dict[str, list[str]], n_values: int) -> None:
    """Say why values are absent: another form of a number, blanks, or really absent."""
    numbers = {number for leaf in leaves if (number := _number(leaf)) is not None}
    trimmed = {leaf.strip() for leaf in leaves}
    n_form = sum(_number(value) in numbers and value.strip() not in trimmed for value in absent)
    n_blank = sum(value.strip() in trimmed for value in absent)
    problem = f"Every value of {column!r} must be in its hierarchy; {len(absent)} of {n_values} distinct values are not"
    if n_form:
        raise ValueFormMismatch(
            "{problem_given}; {n_form} of them are there as the same number in another form (as 34, 34.0 or quoted).",
            'write both in one form, or declare `match = "number"` beside the hierarchy.',
            problem_given=problem,
            n_form=n_form,
        )
    if n_blank:
        raise ValueNotInHierarchy(
            "{problem_given}; {n_blank} of them differ from it only in blanks at the ends.",
            'declare one rule for blanks: `match = "trimmed"` beside the hierarchy, or `trim = true` in [source].',
            problem_given=problem,
            n_blank=n_blank,
        )
    raise ValueNotInHierarchy(
        "{problem_given}.",
        "add them to the hierarchy, or declare the codes that mean `missing` in [source] missing.",
        problem_given=problem,
    )


def _number(text: str) -> Decimal | None:
    """The number that a text means, quotes and blanks around it and a decimal comma allowed."""
    bare = text.strip().strip("\"'").strip().replace(",", ".")
    if not bare or "_" in bare:
        return None
    try:
        number = Decimal(bare)
    except InvalidOperation:
        return None
    return number if math.isfinite(number) else None
