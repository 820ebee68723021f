"""The likeliest sensitive value of a person whose quasi-identifiers are known, among those of the person's classes.

The same beliefs answer two questions: which value to guess, and whether only one is left (the homogeneity attack, or,
where the intruder can exclude some values, background knowledge).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.pairs import matches
from sfumato.frozen import dataclass
from sfumato.summary.histogram import distribution_of
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from sfumato.attack.base import Seen
    from sfumato.attack.pairs import Matches
    from sfumato.summary.histogram import Distribution
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


_CELLS = 1 << 22
"""Most beliefs, of a person about a value, that are held at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Inferred:
    """What is said of each person's sensitive value.

    Args:
        value: (n,) int64, the guessed leaf.
        possible: (n, V) bool, the leaves that the release leaves possible.
    """

    value: IntArray
    possible: BoolArray


@dataclass(frozen=True, slots=True)
class Inference:
    """The likeliest value in the classes that could hold a person whose quasi-identifiers are known.

    Args:
        column: the sensitive column.
        within: a guessed number is meant to be right within this share of the true one, in [0, 1).
    """

    attack: ClassVar[str] = "inference"
    column: str
    within: float

    def guess(self, view: Seen, knowledge: IntArray, rng: np.random.Generator, /) -> Inferred:
        """One guess for each row of `knowledge`, (n, m) int64 leaf codes of quasi-identifiers."""
        d = distribution_of(view.published.classes, self.column)
        near, blind = windows(d.attribute, self.within), d.released.astype(np.float64)
        value, possible = np.zeros(len(knowledge), np.int64), np.zeros((len(knowledge), len(blind)), np.bool_)
        for some, found in matches(view.published, knowledge).parts(max(_CELLS // len(blind), 1)):
            support = beliefs(found, d, without=None if view.without is None else view.without[some])
            value[some], possible[some] = infer(support, blind, near, rng=rng), support > 0
        return Inferred(value, possible)


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """For each guess the true values that count as hit: a run of one order of the values.

    Args:
        order: (V,) int64, leaf codes in order.
        rank: (V,) int64, place of each leaf.
        start: (V,) int64, by guessed leaf: first place that counts as hit.
        stop: (V,) int64, place after the last.
    """

    order: IntArray
    rank: IntArray
    start: IntArray
    stop: IntArray

    def mass(self, beliefs: FloatArray) -> FloatArray:
        """(n, V) float64: belief (n, V) that each guess hits."""
        running = np.zeros((len(beliefs), len(self.order) + 1))
        np.cumsum(beliefs.take(self.order, axis=1), axis=1, out=running[:, 1:])
        found = running.take(self.stop, axis=1)
        found -= running.take(self.start, axis=1)
        return found

    def hits(self, guess: IntArray, truth: IntArray) -> BoolArray:
        """(n,) bool: whether each guess hits the truth."""
        place = self.rank[truth]
        return np.asarray((self.start[guess] <= place) & (place < self.stop[guess]))


def windows(attribute: Attribute, within: float) -> Windows:
    """When does a guess count as right? The same text; for numbers, within a share of the true value.

    A guess g hits a truth t if |g - t| <= within · |t|.

    Args:
        attribute: the sensitive column.
        within: in [0, 1); 0: the value itself.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> pay = bind(Column("pay", Role.SENSITIVE, Kind.INTEGER), ["-100", "96", "100", "200"])
        >>> near = windows(pay, 0.05)
        >>> near.hits(np.array([1, 1, 0]), np.array([2, 3, 0])).tolist()
        [True, False, True]
    """
    n, where = attribute.hierarchy.n_leaves, attribute.positions
    if where is None or attribute.column.kind is Kind.DATE:
        order = np.arange(n)
        return Windows(order, order, order, order + 1)
    order = np.argsort(where, kind="stable")  # NaN, the missing value, comes last
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    line, ends = where[order], np.sort(np.stack((where / (1 + within), where / (1 - within))), axis=0)
    start = np.minimum(np.searchsorted(line, ends[0], "left"), rank)
    stop = np.maximum(np.searchsorted(line, ends[1], "right"), rank + 1)
    return Windows(order, rank, start, stop)


def beliefs(found: Matches, d: Distribution, *, without: IntArray | None = None) -> FloatArray:
    """(n, V) float64: how much each sensitive value is supported, in persons times chance; rows need not sum to 1.

    A class supports a value by its persons who have it, times the chance that such a row has the known values.

    Args:
        found: which classes could hold each person.
        d: the sensitive column in the release, by class.
        without: (n,) int64, the true values; each person's own row is then taken out of the release before the
            intruder looks, spread over the classes that could hold it. None: the release as it is.

    Source:
        A. Machanavajjhala, D. Kifer, J. Gehrke and M. Venkitasubramaniam, "l-Diversity", ACM TKDD 1(1), 2007,
        section 2, for the inference from a class.

    Example:
        >>> from sfumato.attack.pairs import Matches
        >>> from sfumato.testing.examples import illness
        >>> one = Matches(1, np.array([0]), np.array([0]), np.array([1.0]))
        >>> beliefs(one, illness([[3, 1], [0, 5]])).tolist()
        [[3.0, 1.0]]
        >>> beliefs(one, illness([[3, 1], [0, 5]]), without=np.array([1])).tolist()
        [[3.0, 0.0]]
    """
    n_values = len(d.total)
    pair, entry = _entries(found, d)
    person = found.target[pair]
    weight = found.chance[pair] * d.count[entry]
    if without is not None:
        mine = d.value[entry] == without[person]
        whole = np.bincount(person, weights=weight * mine, minlength=found.n)[person]
        own = np.divide(weight * mine, whole, out=np.zeros_like(weight), where=whole > 0)
        weight = np.where(own >= d.count[entry], 0.0, weight - found.chance[pair] * own)
    flat = np.bincount(person * n_values + d.value[entry], weights=weight, minlength=found.n * n_values)
    return np.asarray(flat.reshape(found.n, n_values), np.float64)


def infer(support: FloatArray, blind: FloatArray, near: Windows, *, rng: np.random.Generator) -> IntArray:
    """(n,) int64: the guess for each person that most likely hits; without support, the best blind guess.

    Args:
        support: (n, V) float64, from `beliefs`.
        blind: (V,) float64, the values of the whole release, for persons of whom it says nothing.
        near: when a guess hits.
        rng: breaks ties.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> exact = windows(bind(Column("illness", Role.SENSITIVE), ["flu", "gout"]), 0.0)
        >>> rng = np.random.default_rng(0)
        >>> infer(np.array([[1.0, 2.0], [0.0, 0.0]]), np.array([5.0, 1.0]), exact, rng=rng).tolist()
        [1, 0]
    """
    told = support.sum(axis=1, keepdims=True) > 0
    return most_probable(near.mass(np.where(told, support, blind)), rng=rng)


def most_probable(beliefs: FloatArray, *, rng: np.random.Generator) -> IntArray:
    """(n,) int64: a value of highest posterior, drawn at random among equals.

    Args:
        beliefs: (n, k) float64.
        rng: breaks ties.

    Example:
        >>> most_probable(np.array([[0.2, 0.8], [0.6, 0.4]]), rng=np.random.default_rng(0)).tolist()
        [1, 0]
    """
    best = beliefs >= beliefs.max(axis=1, keepdims=True)
    return np.asarray(np.argmax(best * rng.random(beliefs.shape), axis=1), np.int64)


def determined(support: FloatArray | BoolArray, truth: IntArray, excluded: int) -> BoolArray:
    """(n,) bool: whether an intruder who can exclude some values is certain of the value, and right.

    So it is if at most `excluded` values beside the true one are possible: the intruder is taken to know just those.

    Args:
        support: (n, V), from `beliefs`: above 0 where a value is possible.
        truth: (n,) int64.
        excluded: values that the intruder knows the person does not have; 0: the homogeneity attack.

    Source:
        A. Machanavajjhala et al., "l-Diversity", ACM TKDD 1(1), 2007, section 2: homogeneity and background knowledge.

    Example:
        >>> support = np.array([[2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, 1.0, 1.0]])
        >>> [determined(support, np.zeros(3, np.int64), j).tolist() for j in (0, 1)]
        [[True, False, False], [True, True, False]]
    """
    possible = support > 0
    own = possible[np.arange(len(truth)), truth]
    return np.asarray(own & (possible.sum(axis=1) <= 1 + excluded))


def _entries(found: Matches, d: Distribution) -> tuple[IntArray, IntArray]:
    """Every (pair, entry of the pair's class), as two index arrays."""
    edges = np.searchsorted(d.owner, np.arange(d.n_classes + 1))
    sizes = np.diff(edges)[found.owner]
    pair = np.repeat(np.arange(len(found.owner)), sizes)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return pair, edges[found.owner][pair] + within
