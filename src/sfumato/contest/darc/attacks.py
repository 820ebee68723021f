"""Attacks that come with DARC: lines that agree in some columns, and sets of items that overlap, within each month."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.contest.darc.table import written_table
from sfumato.contest.darc.worth import renumbered
from sfumato.contest.game import Attack
from sfumato.contest.periods import periods_of
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.contest.game import Rules
    from sfumato.table.lines import Lines
    from sfumato.types import FloatArray, IntArray

MOST = 3
JOINS = {
    "s1": ("date", "qty"),
    "s2": ("id_item", "price"),
    "s3": ("id_item", "qty"),
    "s4": ("date", "id_item"),
    "s5": ("id_item", "price", "qty"),
    "s6": ("id_item", "date", "price"),
}
"""Columns in which lines agree, by the contest's names of its attacks."""


@dataclass(frozen=True, slots=True, eq=False)
class Months:
    """Lines of both tables in the same months.

    Args:
        periods: names of the months of the original.
        person: (n,) customer * months + month of each line of the original.
        alias: (m,) pseudonym * months + month of each published line that counts.
        lines: rows of the published table that count.
    """

    periods: tuple[str, ...]
    person: IntArray
    alias: IntArray
    lines: IntArray


def months_of(reference: Lines, published: Lines, rules: Rules) -> Months:
    """Lines by name and month; published months that the original has not are left out."""
    known, seen = (periods_of(one.whole("date"), rules.period) for one in (reference, published))
    n = len(known.names)
    place = np.array([known.names.index(one) if one in known.names else -1 for one in seen.names] + [-1])
    month, names = place[seen.codes], published.labels("id_user")
    rows = np.nonzero((month >= 0) & ~names.is_named("DEL"))[0]
    return Months(
        known.names, reference.labels("id_user").codes * n + known.codes, names.codes[rows] * n + month[rows], rows
    )


def _joined(columns: tuple[str, ...]) -> Callable[[Lines, Lines, Months], tuple[IntArray, IntArray, FloatArray]]:
    """How many lines of a customer's month agree with one line at least of a pseudonym's, in some columns."""

    def agree(reference: Lines, published: Lines, months: Months) -> tuple[IntArray, IntArray, FloatArray]:
        one, other = _keys(reference, published, months, columns)
        seen = np.unique(np.stack((other, months.alias)), axis=1)
        mine = np.unique(np.stack((one, months.person)), axis=1)
        return _common(mine, seen, len(months.periods))

    return agree


def _keys(reference: Lines, published: Lines, months: Months, columns: tuple[str, ...]) -> tuple[IntArray, IntArray]:
    """Numbers of what both tables have in some columns and the month: equal where all are."""
    n = len(months.periods)
    parts: list[tuple[FloatArray | IntArray, FloatArray | IntArray]] = []
    for name in columns:
        if name == "id_item":
            labels = reference.labels(name)
            parts.append((labels.codes, renumbered(published.labels(name), labels)[months.lines]))
        elif name == "price":
            parts.append((reference.numbers(name), published.numbers(name)[months.lines]))
        else:
            parts.append((reference.whole(name), published.whole(name)[months.lines]))
    parts.append((months.person % n, months.alias % n))
    found = np.zeros(reference.rows + len(months.lines), np.int64)
    for one, other in parts:
        _, place = np.unique(np.concatenate((one, other)), return_inverse=True)
        _, found = np.unique(found * (int(place.max(initial=0)) + 1) + place.ravel(), return_inverse=True)
        found = found.ravel()
    return found[: reference.rows], found[reference.rows :]


def _common(mine: IntArray, seen: IntArray, months: int) -> tuple[IntArray, IntArray, FloatArray]:
    """Pairs of a customer's and a pseudonym's month that share a key, with how many they share.

    Args:
        mine: (2, m) distinct keys and customers' months.
        seen: (2, n) distinct keys and pseudonyms' months, sorted by key.
        months: how many there are.
    """
    low, high = (np.searchsorted(seen[0], mine[0], side) for side in ("left", "right"))
    sizes = high - low
    at = np.repeat(low - np.cumsum(sizes) + sizes, sizes) + np.arange(int(sizes.sum()))
    person, alias = np.repeat(mine[1], sizes), seen[1][at]
    same = person % months == alias % months
    width = int(seen[1].max(initial=0)) + 1
    pairs, count = np.unique(person[same] * width + alias[same], return_counts=True)
    return *np.divmod(pairs, width), count.astype(np.float64)


def _overlap(reference: Lines, published: Lines, months: Months) -> tuple[IntArray, IntArray, FloatArray]:
    """The share of a customer's items of a month that a pseudonym bought in it too."""
    person, alias, count = _joined(("id_item",))(reference, published, months)
    own = np.unique(np.stack((months.person, reference.labels("id_item").codes)), axis=1)[0]
    items = np.bincount(own, minlength=int(months.person.max(initial=0)) + 1)
    return person, alias, count / items[person]


def _attack(score: Callable[[Lines, Lines, Months], tuple[IntArray, IntArray, FloatArray]]) -> Callable[[Lines, Lines, Rules], bytes]:  # fmt: skip
    """An attack that names for each customer and month the three pseudonyms with the greatest score."""

    def guess(reference: Lines, published: Lines, rules: Rules) -> bytes:
        months = months_of(reference, published, rules)
        n, names = len(months.periods), (reference.labels("id_user"), published.labels("id_user"))
        found: dict[str, dict[str, tuple[str, ...]]] = {}
        for person, aliases in _best(*score(reference, published, months)):
            who = found.setdefault(names[0].names[person // n], {})
            who[months.periods[person % n]] = tuple(names[1].names[alias // n] for alias in aliases)
        return written_table(found, names[0].names, months.periods)

    return guess


def _best(person: IntArray, alias: IntArray, score: FloatArray) -> list[tuple[int, list[int]]]:
    """For each person the aliases with the greatest score, of equal ones the first, at most `MOST`."""
    order = np.lexsort((alias, -score, person))
    person, alias = person[order], alias[order]
    starts = np.nonzero(np.diff(person, prepend=-1))[0]
    ends = np.append(starts[1:], len(person))
    return [
        (int(person[a]), alias[a : min(b, a + MOST)].tolist())
        for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
    ]


def _said(columns: tuple[str, ...]) -> str:
    return f"Names the pseudonyms with the most lines that agree with the customer's in {', '.join(columns)} and month."


ATTACKS = {
    **{name: Attack(name, _said(columns), _attack(_joined(columns))) for name, columns in JOINS.items()},
    "s7": Attack("s7", "Names the pseudonyms that bought the largest share of the customer's items of the month.", _attack(_overlap)),
}  # fmt: skip
"""By the contest's names. As published the first six named the pseudonym of the last line that agreed in any month."""
