"""What a submission of DARC is worth: 1 less its six errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.contest import renaming
from sfumato.contest.darc.baskets import Baskets, apart, baskets_of, cosines

if TYPE_CHECKING:
    from sfumato.contest.game import Case
    from sfumato.table.lines import Labels
    from sfumato.types import BoolArray, FloatArray, IntArray

TOP = 0.05
"""Share of items that count as the most bought."""
MONTH = 31


def kept(case: Case) -> BoolArray:
    """(n,) which lines of the submission are not deleted."""
    return renaming.kept(case, "id_user")


def together(case: Case) -> float:
    """e1: which items the same customers buy."""
    given, made = case.once(_baskets)
    return 1 - apart(cosines(given), cosines(made))


def rarely_together(case: Case) -> float:
    """e2: the same where a customer bought less of an item than the median; the contest had it switched off."""
    if not case.rules.is_fixed:
        return 1.0
    given, made = case.once(_baskets)
    if not len(given.quantity):
        return 1.0
    median = float(np.median(given.quantity))
    few = [cosines(one.where(one.quantity < median)) for one in (given, made)]
    return 1 - apart(*few)


def most_bought(case: Case) -> float:
    """e3: the same among the twentieth of items that stand on most lines, and which items those are: the worse of both."""
    given, made = case.once(_baskets)
    items = given.items
    before, after = _items(case)
    lines = [before, after[kept(case)]]
    tops = [_top(np.bincount(one, minlength=items)) for one in lines]
    both = [cosines(one.where(np.isin(one.item, top))) for one, top in zip((given, made), tops, strict=True)]
    union = len(np.union1d(tops[0], tops[1]))
    other = 1 - len(np.intersect1d(tops[0], tops[1])) / union if union else 0.0
    return 1 - max(apart(*both), other)


def dates(case: Case) -> float:
    """e4: days between the dates over 31, on average over lines; `compat` counts deleted lines as unchanged."""
    those = kept(case)
    moved = np.abs(case.original.whole("date")[those] - case.submission.whole("date")[those])
    return 1 - min(1.0, _mean(case, moved / MONTH, those))


def prices(case: Case) -> float:
    """e5: 1 less the lesser price over the greater one; `compat` has no number where a price is 0 twice, and 0 is said."""
    those = kept(case)
    given, made = case.original.numbers("price")[those], case.submission.numbers("price")[those]
    low, high = np.minimum(given, made), np.maximum(given, made)
    if not case.rules.is_fixed and (high == 0).any():
        return 0.0
    ratio = np.divide(low, high, out=np.ones(len(low)), where=high != 0)
    return 1 - min(1.0, _mean(case, 1 - ratio, those))


def lines_kept(case: Case) -> float:
    """e6: the share of lines that are not deleted."""
    return float(kept(case).mean()) if case.original.rows else 1.0


def _mean(case: Case, loss: FloatArray, those: BoolArray) -> float:
    """On average over kept lines; over all in `compat`."""
    n = int(those.sum()) if case.rules.is_fixed else case.original.rows
    return float(loss.sum() / n) if n else 0.0


def _items(case: Case) -> tuple[IntArray, IntArray]:
    """Items of both sides by the numbers of the original; those that it has not are none (-1)."""
    given, made = case.original.labels("id_item"), case.submission.labels("id_item")
    return given.codes, renumbered(made, given)


def renumbered(labels: Labels, by: Labels) -> IntArray:
    """(n,) codes of texts by another column's names; -1: not among them."""
    place = {name: i for i, name in enumerate(by.names)}
    return np.array([place.get(name, -1) for name in labels.names] + [-1], np.int64)[labels.codes]


def _baskets(case: Case) -> tuple[Baskets, Baskets]:
    """What customers bought: those of the original, and the pseudonyms of the submission."""
    those, (given, made) = kept(case), _items(case)
    n = len(case.original.labels("id_item").names)
    known = those & (made >= 0)
    return (
        baskets_of(case.original.labels("id_user").codes, given, case.original.whole("qty"), n),
        baskets_of(case.submission.labels("id_user").codes[known], made[known], case.submission.whole("qty")[known], n),
    )


def _top(lines: IntArray) -> IntArray:
    """The items on most lines; of equal ones those that are named first."""
    most = max(1, int((lines > 0).sum() * TOP))
    order = np.argsort(-lines, kind="stable")[:most]
    return order[lines[order] > 0]
