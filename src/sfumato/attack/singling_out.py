"""Descriptions made of published labels that exactly one person fits.

The intruder reads the rarest descriptions off the release: one label, a whole class, or a class and a sensitive value.
A description singles out if exactly one person of the original table satisfies it. Some descriptions single out by
luck, in any table: the control is that luck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.cover import cover_blocks, held_by_labels
from sfumato.attack.pairs import rarest_first
from sfumato.frozen import dataclass
from sfumato.summary.histogram import distribution_of

if TYPE_CHECKING:
    from sfumato.summary.histogram import Distribution
    from sfumato.summary.published import Published
    from sfumato.types import BoolArray, FloatArray, IntArray

ANY = -1
"""A column or value that a predicate does not ask about."""


@dataclass(frozen=True, slots=True, eq=False)
class Predicates:
    """Descriptions of a person.

    Args:
        rows: (q, m) int64, label code of each quasi-identifier, or ANY.
        value: (q,) int64, leaf code of the sensitive value, or ANY.
        count: (q,) int64, persons of the release that satisfy it, as the intruder counts them.
    """

    rows: IntArray
    value: IntArray
    count: IntArray

    def rarest(self, most: int, *, rng: np.random.Generator) -> Predicates:
        """At most so many of them, the rarest, drawn at random among equals."""
        chosen = np.lexsort((rng.random(len(self.count)), self.count))[:most]
        return self.at(chosen)

    def at(self, chosen: IntArray | BoolArray) -> Predicates:
        """Those at some places."""
        return Predicates(self.rows[chosen], self.value[chosen], self.count[chosen])


@dataclass(frozen=True, slots=True, eq=False)
class Persons:
    """Persons of a table as the judge knows them, equal ones together.

    Args:
        codes: (n, m) int64, leaf codes of the quasi-identifiers.
        value: (n,) int64, leaf code of the sensitive value, or ANY.
        count: (n,) int64, persons.
    """

    codes: IntArray
    value: IntArray
    count: IntArray


@dataclass(frozen=True, slots=True)
class SinglingOut:
    """The rarest descriptions that a release shows; knows nothing beside it.

    Args:
        most: descriptions, >= 1.
        column: the sensitive column that descriptions also ask about; None: quasi-identifiers alone.
        one_label: whether a description asks about one quasi-identifier only, instead of all.
    """

    attack: ClassVar[str] = "singling out"
    most: int
    column: str | None = None
    one_label: bool = False

    def guess(self, view: Published, _knowledge: None, rng: np.random.Generator, /) -> Predicates:
        """The descriptions of which the intruder says that exactly one person fits."""
        every = of_labels(view) if self.one_label else released_rows(view, self.column)
        return every.rarest(self.most, rng=rng)


def released_rows(published: Published, column: str | None = None) -> Predicates:
    """The distinct released rows: by quasi-identifiers, and with a sensitive column by its values too."""
    if column is None:
        return of_classes(published)
    return of_values(published, distribution_of(published.classes, column))


def of_labels(published: Published) -> Predicates:
    """One predicate for each label of each quasi-identifier: "some column is such".

    Example:
        >>> from sfumato.testing.examples import release_by_age
        >>> found = of_labels(release_by_age(["17", "[20, 37]"], [1, 2]))
        >>> found.rows.tolist(), found.count.tolist()
        ([[0], [1]], [1, 2])
    """
    codes, persons = published.classes.codes, published.classes.persons
    parts = []
    for j in range(codes.shape[1]):
        used, of = np.unique(codes[:, j], return_inverse=True)
        rows = np.full((len(used), codes.shape[1]), ANY, np.int64)
        rows[:, j] = used
        parts.append((rows, np.bincount(of, weights=persons).astype(np.int64)))
    rows = np.concatenate([part[0] for part in parts])
    return Predicates(rows, np.full(len(rows), ANY), np.concatenate([part[1] for part in parts]))


def of_classes(published: Published) -> Predicates:
    """One predicate for each class: all its labels together."""
    return Predicates(
        published.classes.codes, np.full(published.classes.n_classes, ANY), np.asarray(published.classes.persons)
    )


def of_values(published: Published, d: Distribution) -> Predicates:
    """One predicate for each class and sensitive value in it.

    Source:
        A. Cohen and K. Nissim, "Towards Formalizing the GDPR's Notion of Singling Out", PNAS 117(15), 2020: k-anonymity
        does not prevent it, because published values single out within a class.
    """
    return Predicates(published.classes.codes[d.owner], d.value, d.count)


def satisfied_by(published: Published, predicates: Predicates, persons: Persons) -> IntArray:
    """(q,) int64: persons who satisfy each predicate.

    Args:
        published: the release whose labels the predicates are made of.
        predicates: the descriptions.
        persons: the table in which they are looked for.

    Example:
        >>> from sfumato.testing.examples import release_by_age
        >>> table = release_by_age(["17", "[20, 37]"], [1, 2])
        >>> three = Persons(np.array([[0], [1], [2]]), np.full(3, ANY), np.ones(3, np.int64))
        >>> satisfied_by(table, of_classes(table), three).tolist()
        [1, 2]
    """
    out = np.zeros(len(predicates.rows), np.int64)
    is_short = (predicates.value == ANY) & (np.count_nonzero(predicates.rows != ANY, axis=1) <= 1)
    everybody = int(persons.count.sum())
    held = _held_by_label(published, predicates.rows[is_short], persons)
    out[is_short] = np.min(held, axis=0, initial=everybody)
    if not is_short.all():
        out[~is_short] = _satisfied_together(published, predicates.at(~is_short), persons)
    return out


def _held_by_label(published: Published, rows: IntArray, persons: Persons) -> IntArray:
    """(m, q) int64: persons whom the label of each column and row holds; all of them where nothing is asked."""
    n = int(persons.count.sum())
    out = np.empty((rows.shape[1], len(rows)), np.int64)
    for j, spans in enumerate(published.spans):
        held = held_by_labels(spans, persons.codes[:, j], persons.count)
        out[j] = np.append(held, n)[rows[:, j]]  # the last for ANY
    return out


def _satisfied_together(published: Published, predicates: Predicates, persons: Persons) -> IntArray:
    """The same, where several labels, or a label and a value, must hold of one person."""
    few = rarest_first(published, predicates.rows, persons.codes)
    if few is None:
        return _satisfied_by(published, predicates, persons)
    out = np.zeros(len(predicates.rows))
    for row, person in few:
        asked = predicates.value[row]
        fits = (asked == ANY) | (asked == persons.value[person])
        out += np.bincount(row[fits], weights=persons.count[person[fits]], minlength=len(out))
    return out.astype(np.int64)


def _satisfied_by(published: Published, predicates: Predicates, persons: Persons) -> IntArray:
    """The same, every predicate compared with every person."""
    out = np.zeros(len(predicates.rows))
    asked = predicates.value[:, None]
    for start, block in cover_blocks(published, predicates.rows, persons.codes, range(persons.codes.shape[1])):
        part = slice(start, start + block.shape[1])
        fits = block & ((asked == ANY) | (asked == persons.value[part]))
        out += fits @ persons.count[part].astype(np.float64)
    return out.astype(np.int64)


def weight_if_independent(published: Published, predicates: Predicates, persons: Persons) -> FloatArray:
    """(q,) float64: share of persons that would satisfy each predicate if the columns were independent.

    The product of the shares of its labels and its value, each counted by itself.

    Example:
        >>> from sfumato.testing.examples import release_of_pairs
        >>> table = release_of_pairs([("a", "x"), ("b", "y")], [1, 1])
        >>> two = Persons(np.array([[0, 0], [1, 1]]), np.full(2, ANY), np.ones(2, np.int64))
        >>> weight_if_independent(table, of_classes(table), two).tolist()
        [0.25, 0.25]
    """
    n = int(persons.count.sum())
    out = np.ones(len(predicates.rows))
    for held in _held_by_label(published, predicates.rows, persons):
        out *= held / n
    asked = predicates.value != ANY
    if asked.any():
        shares = np.bincount(persons.value, weights=persons.count) / n
        out[asked] *= shares[predicates.value[asked]]
    return out


def luck(weight: FloatArray, n: int) -> FloatArray:
    """Chance that a predicate of weight w singles out in a fresh table of n persons: n w (1 - w)^(n-1).

    Args:
        weight: float64 in [0, 1], share of the population that satisfies the predicate.
        n: persons in the table, >= 1.

    Returns:
        float64 of the same shape; at most about 1/e, at w = 1/n.

    Source:
        A. Cohen and K. Nissim, PNAS 117(15), 2020, "isolation" and its baseline.

    Example:
        >>> luck(np.array([0.0, 0.5, 1.0]), 2).tolist()
        [0.0, 0.5, 0.0]
    """
    w = np.asarray(weight, np.float64)
    return np.asarray(n * w * np.power(1 - w, n - 1))
