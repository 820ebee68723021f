"""What several releases of the same people leave possible together: what is possible in every one of them.

An intruder who knows a person's quasi-identifiers, and that the person is in every release, looks in each release at the
classes that could hold the person. A sensitive value that one of them lacks is ruled out. Each release alone may keep
k-anonymity and ℓ-diversity; together they may leave one value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.pairs import matches
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.histogram import Histogram
    from sfumato.summary.published import Published
    from sfumato.types import BoolArray, FloatArray, IntArray

_CELLS = 1 << 23
"""Most numbers that are gathered at once."""


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
class Remaining:
    """What is possible of each person in every one of some releases.

    Args:
        rows: (n, n_values) int64, least rows of each value over the releases.
        belief: (n, n_values) float64, product of the shares: the releases held for independent, all values for equally
            likely beforehand; rows of it sum to 1, or to 0 where nothing is possible.
        told: (n,) bool, whether any release says something of the person.
    """

    rows: IntArray
    belief: FloatArray
    told: BoolArray


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
        tables = [
            supports(release, next(h for h in release.classes.histograms if h.attribute.name == self.column), knowledge)
            for release in view
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


def supports(published: Published, histogram: Histogram, codes: IntArray) -> IntArray:
    """Rows with each value in the classes that could hold each person.

    Args:
        published: the release.
        histogram: of the sensitive column over its classes.
        codes: (n, m) int64, leaf codes of the persons' quasi-identifiers.

    Returns:
        (n, n_values) int64. Suppressed rows could hold anyone and nothing is known of them but their value, which is
        in no class: persons who match no class have a row of zeros.
    """
    by_class = histogram.dense(published.classes.n_classes).astype(np.int64)
    found, n_values = matches(published, codes), by_class.shape[1]
    out = np.zeros((len(codes), n_values), np.int64)
    step = max(1, _CELLS // max(1, n_values))
    for start in range(0, len(found.target), step):
        part = slice(start, start + step)
        np.add.at(out, found.target[part], by_class[found.owner[part]])
    return out


def intersect(tables: Sequence[IntArray]) -> Remaining:
    """What is possible in every release, and how likely it is.

    Args:
        tables: `supports` of each release, (n, n_values) each. A person without any row in one was suppressed there:
            that release says nothing of the person.

    Raises:
        ParameterError: no release. Remedy: give one or more.

    Example:
        >>> one, two = np.array([[2, 1, 0]]), np.array([[1, 0, 4]])
        >>> found = intersect([one, two])
        >>> found.rows.tolist(), found.belief.tolist()
        ([[1, 0, 0]], [[1.0, 0.0, 0.0]])
    """
    if not tables:
        raise ParameterError("Releases can be intersected where there are some; got none.", "give one or more.")
    least = np.full(tables[0].shape, np.iinfo(np.int64).max)
    belief = np.ones(tables[0].shape)
    told = np.zeros(len(least), bool)
    for table in tables:
        total = table.sum(axis=1)
        seen = total > 0
        told |= seen
        least[seen] = np.minimum(least[seen], table[seen])
        belief[seen] *= table[seen] / total[seen, None]
    least[~told], belief[~told] = 0, 0.0
    sums = belief.sum(axis=1, keepdims=True)
    return Remaining(least, np.divide(belief, sums, out=np.zeros_like(belief), where=sums > 0), told)


def left(found: Remaining, known: Known) -> Left:
    """What is left of the people's secret after some releases.

    Args:
        found: what they leave possible of `known.codes`.
        known: the people, as the judge knows them.

    Source:
        S. R. Ganta, S. P. Kasiviswanathan, A. Smith, "Composition Attacks and Auxiliary Information in Data Privacy",
        KDD 2008, section 3.

    Example:
        >>> known = Known(np.array([[0]]), np.array([0]), np.array([0]), np.array([3]))
        >>> found = left(intersect([np.array([[2, 1, 0]]), np.array([[1, 0, 4]])]), known)
        >>> found.fewest_values, found.determined
        (1, 1.0)
    """
    weight = known.count / known.count.sum()
    possible = found.rows > 0
    values, all_rows = possible.sum(axis=1)[known.owner], found.rows.sum(axis=1)[known.owner]
    own = possible[known.owner, known.value]
    told = values > 0
    return Left(
        fewest_values=int(values[told].min(initial=np.iinfo(np.int64).max)) if told.any() else 0,
        mean_values=float(weight @ values),
        fewest_rows=int(all_rows[told].min()) if told.any() else 0,
        mean_rows=float(weight @ all_rows),
        determined=float(weight[own & (values == 1)].sum()),
        guessed=float(weight @ _hits(found.belief, known)),
        ruled_out=float(weight[found.told[known.owner] & ~own].sum()),
    )


def _hits(belief: FloatArray, known: Known) -> FloatArray:
    """(nnz,) float64: chance that the likeliest value, ties drawn, is the own one."""
    best = belief.max(axis=1, keepdims=True)
    top = (belief >= best * (1 - 1e-12)) & (best > 0)
    ties = np.maximum(top.sum(axis=1), 1)
    return np.asarray(top[known.owner, known.value] / ties[known.owner])
