"""Whose pseudonym is whose: the key that the judge keeps, guesses of it, and what they are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from sfumato.errors import SourceError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.contest.periods import Periods
    from sfumato.table.lines import Labels
    from sfumato.types import IntArray

Credit: TypeAlias = Literal["share", "rank"]
"""What a right guess among several is worth: 1/N of them, or less by its place in the list."""
NOBODY = -1
DELETED = -2


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """The pseudonym of each person in each period.

    Args:
        who: persons of the original.
        periods: in the order of time.
        pseudonyms: of the submission.
        truth: (persons, periods) int64 place in `pseudonyms`; `NOBODY`: the person has no line then; `DELETED`: all of
            them are deleted.
    """

    who: tuple[str, ...]
    periods: tuple[str, ...]
    pseudonyms: tuple[str, ...]
    truth: IntArray

    @property
    def cells(self) -> int:
        """How many persons and periods there are to find."""
        return int((self.truth >= 0).sum())

    def written(self) -> dict[str, object]:
        """The key as a document, as the judge keeps it."""
        return {"periods": list(self.periods), "pseudonyms": list(self.pseudonyms), "key": self.by_name()}

    def by_name(self) -> dict[str, dict[str, str]]:
        """Pseudonyms by person and period."""
        return {
            name: {self.periods[p]: self.pseudonyms[row[p]] for p in np.nonzero(row >= 0)[0]}
            for name, row in zip(self.who, self.truth, strict=True)
        }


def key_from(said: Any) -> Key:
    """A key from its document.

    Args:
        said: what `Key.written` gave.

    Raises:
        SourceError: it is not written so.

    Example:
        >>> key = key_from({"periods": ["2015-9"], "pseudonyms": ["x"], "key": {"ada": {"2015-9": "x"}, "bob": {}}})
        >>> key.truth.tolist()
        [[0], [-1]]
    """
    try:
        periods, names, rows = tuple(said["periods"]), tuple(said["pseudonyms"]), dict(said["key"])
        place = {name: i for i, name in enumerate(names)}
        truth = [[place[one[period]] if period in one else NOBODY for period in periods] for one in rows.values()]
    except (KeyError, TypeError, ValueError):
        raise SourceError(
            "A key must hold a pseudonym for each person and period.", "take the file that the judge wrote."
        ) from None
    return Key(tuple(rows), periods, names, np.array(truth, np.int64).reshape(len(rows), len(periods)))


Guesses: TypeAlias = "Mapping[str, Mapping[str, tuple[str, ...]]]"
"""By person and period: pseudonyms that are guessed, the likeliest first."""


def key_of(who: Labels, periods: Periods, given: Labels, deleted: str | None) -> tuple[Key, IntArray]:
    """The key of a submission whose lines are in the order of the original.

    Args:
        who: (n,) the person of each line.
        periods: (n,) the period of each line of the original.
        given: (n,) the pseudonym of each line of the submission.
        deleted: the pseudonym of deleted lines.

    Returns:
        The key, where the first pseudonym of a person and period counts, and the rows that have another one.

    Example:
        >>> from sfumato.contest.periods import Periods
        >>> from sfumato.table.lines import Labels
        >>> ada, bob = Labels(("ada", "bob"), np.array([0, 0, 1])), Labels(("x", "y"), np.array([0, 1, 0]))
        >>> key, others = key_of(ada, Periods(("all",), np.zeros(3, int)), bob, None)
        >>> key.by_name(), others.tolist()
        ({'ada': {'all': 'x'}, 'bob': {'all': 'x'}}, [1])
    """
    shape = (len(who.names), len(periods.names))
    cell = who.codes * shape[1] + periods.codes
    gone = np.zeros(len(cell), bool) if deleted is None else given.is_named(deleted)
    truth = np.full(shape[0] * shape[1], NOBODY)
    truth[cell] = DELETED
    kept = np.nonzero(~gone)[0]
    truth[cell[kept][::-1]] = given.codes[kept][::-1]  # the first line of a cell is written last
    others = kept[given.codes[kept] != truth[cell[kept]]]
    return Key(who.names, periods.names, given.names, truth.reshape(shape)), others


def worth_of(guesses: Guesses, key: Key, *, credit: Credit, most: int) -> float:
    """Share of the key that guesses find.

    A person and period with N distinct guesses of which one is right counts 1/N ("share"), or (most - its place)/most
    ("rank", the first place is 0). Guesses beyond `most` do not count; pairs that do not exist neither.

    Returns:
        In [0, 1]; 0 where there is nothing to find.

    Example:
        >>> key = Key(("ada", "bob"), ("all",), ("x", "y"), np.array([[0], [1]]))
        >>> worth_of({"ada": {"all": ("x",)}, "bob": {"all": ("x", "y")}}, key, credit="share", most=3)
        0.75
    """
    found = 0.0
    for i, name in enumerate(key.who):
        said = guesses.get(name, {})
        for p in np.nonzero(key.truth[i] >= 0)[0].tolist():
            named = tuple(dict.fromkeys(said.get(key.periods[p], ())))[:most]
            right = key.pseudonyms[key.truth[i, p]]
            if right in named:
                found += 1 / len(named) if credit == "share" else (most - named.index(right)) / most
    return found / key.cells if key.cells else 0.0
