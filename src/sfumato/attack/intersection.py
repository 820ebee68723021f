"""What several releases of the same people leave possible together: what is possible in every one of them.

An intruder who knows a person's quasi-identifiers, and that the person is in every release, looks in each release at the
classes that could hold the person. A sensitive value that one of them lacks is ruled out. Each release alone may keep
k-anonymity and ℓ-diversity; together they may leave one value.
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.pairs import matches
from sfumato.attack.possible import intersect, placed, supports
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.attack.pairs import Matches
    from sfumato.attack.possible import Remaining
    from sfumato.summary.published import Published
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """The people, as the judge knows them, each with a value that does not change.

    Args:
        codes: (n, m) int64, leaf codes of their distinct quasi-identifiers: what the intruder knows.
        owner: (nnz,) int64, which of them an entry is about.
        value: (nnz,) int64, leaf code of the sensitive value.
        count: (nnz,) int64, persons with both; >= 1.
    """

    codes: IntArray
    owner: IntArray
    value: IntArray
    count: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Intersected:
    """What each release leaves possible alone, and all of them together."""

    alone: tuple[Remaining, ...]
    together: Remaining


@dataclass(frozen=True, slots=True)
class Intersection:
    """What several releases of the same people leave possible of one sensitive column.

    Args:
        column: the sensitive column.
    """

    attack: ClassVar[str] = "intersection"
    column: str

    def guess(self, view: Sequence[Published], knowledge: IntArray, _rng: np.random.Generator, /) -> Intersected:
        """For persons who are in every release; `knowledge` holds their quasi-identifiers, (n, m) int64 leaf codes."""
        return self.among(view, [matches(release, knowledge) for release in view])

    def among(self, view: Sequence[Published], found: Sequence[Matches]) -> Intersected:
        """The same where the classes that could hold each person are found already: they are those of every column."""
        tables = [
            supports(one, next(h for h in release.classes.histograms if h.attribute.name == self.column))
            for release, one in zip(view, found, strict=True)
        ]
        return Intersected(tuple(intersect([table]) for table in tables), intersect(tables))


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of the people's secret.

    Args:
        fewest_values: values that are possible for the person with the fewest.
        mean_values: the same, on average over persons.
        fewest_rows: rows that could be the person's: in one release, those of its classes; in several, for each value
            the least number of rows that it has in one of them. Of the person with the fewest.
        mean_rows: the same, on average.
        determined: share of persons of whom one value is left, and it is theirs.
        guessed: expected share of persons whose likeliest value is theirs; ties are drawn.
        ruled_out: share of persons whose own value is not possible: they are not in every release, or it has changed.
    """

    fewest_values: int
    mean_values: float
    fewest_rows: int
    mean_rows: float
    determined: float
    guessed: float
    ruled_out: float


def left(found: Remaining, known: Known) -> Left:
    """What is left of the people's secret after some releases.

    Args:
        found: what they leave possible of `known.codes`.
        known: the people, as the judge knows them.

    Source:
        S. R. Ganta, S. P. Kasiviswanathan, A. Smith, "Composition Attacks and Auxiliary Information in Data Privacy",
        KDD 2008, section 3.

    Example:
        >>> from sfumato.attack.possible import Support
        >>> known = Known(np.array([[0]]), np.array([0]), np.array([0]), np.array([3]))
        >>> found = left(intersect([Support.of_table(np.array(rows)) for rows in ([[2, 1, 0]], [[1, 0, 4]])]), known)
        >>> found.fewest_values, found.determined
        (1, 1.0)
    """
    count, n, kind = known.count, int(known.count.sum()), found.kind[known.owner]
    of, n_kinds = found.key // found.n_values, len(found.told)
    values = np.bincount(of, minlength=n_kinds)[kind]
    all_rows = np.bincount(of, weights=found.rows, minlength=n_kinds).astype(np.int64)[kind]
    place = placed(found.key, kind * found.n_values + known.value)
    own = place >= 0
    told = values > 0
    return Left(
        fewest_values=int(values[told].min(initial=np.iinfo(np.int64).max)) if told.any() else 0,
        mean_values=int((count * values).sum()) / n,
        fewest_rows=int(all_rows[told].min()) if told.any() else 0,
        mean_rows=int((count * all_rows).sum()) / n,
        determined=int(count[own & (values == 1)].sum()) / n,
        guessed=fsum((count * _hits(found, place)).tolist()) / n,
        ruled_out=int(count[found.told[kind] & ~own].sum()) / n,
    )


def _hits(found: Remaining, place: IntArray) -> FloatArray:
    """(nnz,) float64: chance that the likeliest value, ties drawn, is the own one, which is the entry at `place`."""
    of = found.key // found.n_values
    best = np.zeros(len(found.told))
    np.maximum.at(best, of, found.belief)
    top = (found.belief >= best[of] * (1 - 1e-12)) & (best[of] > 0)
    ties = np.bincount(of[top], minlength=len(best))
    chance = np.append(np.where(top, 1 / np.maximum(ties[of], 1), 0.0), 0.0)
    return chance[place]
