"""The role that an undescribed column could have, by what its name and its values speak of; a person decides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.table.band import are_bands
from sfumato.table.identifier import is_unique, names_a_unit
from sfumato.table.schema import Kind, Role
from sfumato.table.share import mostly
from sfumato.table.words import phrase_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.table.words import Subject, Words
    from sfumato.types import IntArray

_SMALL = 20
"""Rows below which one value in all of them says little about an identifier."""
_NO = frozenset({"*", "0", "no", "non", "none", "aucun", "n", "false", "faux", ""})
"""Values that say nothing secret even where every row has them."""
_WEIGHT = re.compile(r"\b(?:weights?|poids)\b")
_KILOGRAMS = (30, 160)
_PERIOD = re.compile(r"(?:19|20)\d\d[-/ ]?(?:[QqTtSsHh][1-4]|[Ww]\d\d)?|[QqTt][1-4][-/ ]?(?:19|20)\d\d")
_FINE = re.compile(r"-?\d{1,3}[.,]\d{4,}")
"""A coordinate in degrees, to about ten metres."""
_MOSTLY = 0.9


@dataclass(frozen=True, slots=True)
class Finding:
    """What is found about one column.

    Args:
        role: the role it seems to have.
        reason: why, in one sentence without any value.
        subject: what it speaks of; "" where nothing tells.
        is_sure: whether something tells; if not, the columns beside it may.
    """

    role: Role
    reason: str
    subject: str = ""
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class Look:
    """What is seen of a column.

    Args:
        name: its name.
        values: distinct values, codes for `missing` left out.
        counts: (n,) int64 rows of each value.
        n_rows: rows of the table.
        n_distinct: distinct values, `missing` among them.
        kind: how its cells read.
    """

    name: str
    values: Sequence[str]
    counts: IntArray
    n_rows: int
    n_distinct: int
    kind: Kind


def find_role(look: Look, words: Words) -> Finding:
    """The role that name and values of one column speak for.

    Tried in this order: the user's own words; a single value; what identifies; weights; names of secrets; names of what
    others know; values; and where nothing tells, others may know it: it is taken as quasi-identifying.

    Example:
        >>> from sfumato.table.words import known_words
        >>> one = np.ones(3, np.int64)
        >>> find_role(Look("salaire", ["1", "2", "3"], one, 90, 3, Kind.INTEGER), known_words()).reason
        'its name speaks of money'
    """
    phrase = phrase_of(look.name)
    tried: tuple[Callable[[], Finding | None], ...] = (
        lambda: _named(phrase, words.own),
        lambda: _constant(look, phrase, words),
        lambda: _identifying(look),
        lambda: _named(phrase, words.with_role(Role.INSENSITIVE)),
        lambda: _weight(look, phrase),
        lambda: _named(phrase, words.with_role(Role.SENSITIVE)),
        lambda: _unique(look),
        lambda: _named(phrase, words.with_role(Role.QUASI_IDENTIFYING)),
        lambda: _by_time_or_band(look),
        lambda: _named(phrase, words.with_role(Role.SENSITIVE), weakly=True),
        lambda: _told(look, (*words.own, *words.subjects)),
        lambda: _measured(look),
    )
    for find in tried:
        found = find()
        if found is not None:
            return found
    return Finding(Role.QUASI_IDENTIFYING, "nothing tells what it is: others may know it", is_sure=False)


def _named(phrase: str, subjects: Sequence[Subject], *, weakly: bool = False) -> Finding | None:
    """The first subject that the name speaks of."""
    for subject in subjects:
        if subject.is_named_in(phrase, weakly=weakly):
            return Finding(subject.role, f"its name speaks of {subject.says}", subject.name)
    return None


def _constant(look: Look, phrase: str, words: Words) -> Finding | None:
    """One value in every row tells nothing about anybody, unless it says a secret of all."""
    if look.n_distinct != 1 or look.n_rows < 2 or (look.n_rows < _SMALL and _identifying(look)):
        return None
    secret = _named(phrase, words.with_role(Role.SENSITIVE))
    if secret is not None and not _NO.issuperset(value.strip().lower() for value in look.values):
        return secret
    return Finding(Role.INSENSITIVE, "every row has the same value", "constant")


def _identifying(look: Look) -> Finding | None:
    reason = names_a_unit(look.name, look.values, look.n_rows)
    return None if reason is None else Finding(Role.IDENTIFYING, reason, "identifier")


def _unique(look: Look) -> Finding | None:
    reason = is_unique(look.values, look.counts, look.n_rows)
    return None if reason is None else Finding(Role.IDENTIFYING, reason, "identifier")


def _weight(look: Look, phrase: str) -> Finding | None:
    """A weight of a body is health, a weight of a survey is harmless: told by the numbers, the secret where in doubt."""
    if not _WEIGHT.search(phrase) and phrase != "w":
        return None
    if look.kind.is_ordered and look.kind is not Kind.DATE and phrase != "w" and _could_be_kilograms(look):
        return Finding(Role.SENSITIVE, "it may be the weight of a body", "weight")
    if look.kind is Kind.TEXT:
        return Finding(Role.SENSITIVE, "it may be the weight of a body", "weight")
    return Finding(Role.INSENSITIVE, "its name and its numbers speak of a weight of a survey", "weight")


def _could_be_kilograms(look: Look) -> bool:
    """Whether the middle half lies where bodies do, each side of the middle."""
    numbers = np.array([float(value.replace(",", ".")) for value in look.values])
    order = np.argsort(numbers)
    below = np.cumsum(look.counts[order])
    at = np.searchsorted(below, [below[-1] // 4, below[-1] // 2, 3 * below[-1] // 4])
    low, _, high = numbers[order][np.minimum(at, len(order) - 1)].tolist()
    return bool(_KILOGRAMS[0] <= low < high <= _KILOGRAMS[1])


def _by_time_or_band(look: Look) -> Finding | None:
    """Days, quarters, positions and bands can be known without a name that says so."""
    if look.kind is Kind.DATE or (look.kind is Kind.TEXT and _mostly(_PERIOD, look.values)):
        return Finding(Role.QUASI_IDENTIFYING, "its values are times", "time")
    if look.kind is not Kind.INTEGER and _mostly(_FINE, look.values) and _are_degrees(look.values):
        return Finding(Role.QUASI_IDENTIFYING, "its values may be positions", "place")
    if look.kind is Kind.TEXT and are_bands(look.values):
        return Finding(Role.QUASI_IDENTIFYING, "bands of numbers that others may know", is_sure=False)
    return None


def _are_degrees(values: Sequence[str]) -> bool:
    """Within ±180, and near each other: a position of somebody who stays in one part of the world."""
    numbers = [float(value.replace(",", ".")) for value in values if _FINE.fullmatch(value)]
    low, high = min(numbers), max(numbers)
    return low >= -180 and high <= 180 and min(abs(low), abs(high)) > 1 and high - low < max(abs(low), abs(high))


def _mostly(pattern: re.Pattern[str], values: Sequence[str]) -> bool:
    return bool(values) and mostly(pattern.fullmatch, values, _MOSTLY)


def _told(look: Look, subjects: Sequence[Subject]) -> Finding | None:
    """The first subject that the values speak of."""
    for subject in subjects:
        if subject.is_told_by(look.values):
            return Finding(subject.role, f"its values speak of {subject.says}", subject.name)
    return None


def _measured(look: Look) -> Finding | None:
    """Decimals that are nearly unique."""
    if look.kind is not Kind.DECIMAL or len(look.values) <= look.n_rows / 2:
        return None
    reason = "measured so finely that it is nearly unique; round it if it must be published"
    return Finding(Role.IDENTIFYING, reason, "measured")
