"""What it betrays that a method generalizes no more than it must: that the finer groups did not keep the promise.

Two groups are published as one class. Had both kept the bound on the sensitive value, a minimal method would have
published them apart. So at least one did not, and an intruder who knows the groups can compute with that.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.inference import beliefs, infer, windows
from sfumato.attack.pairs import matches
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct
from sfumato.summary.histogram import distribution_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.histogram import Distribution
    from sfumato.summary.published import Published
    from sfumato.types import FloatArray, IntArray

_LARGEST = 400
"""Persons of a class up to which the ways of giving a value to its groups are counted."""
_NEGLIGIBLE = Fraction(1, 10**6)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbors:
    """Who lives where, from a public register.

    Args:
        targets: (n, m) int64, leaf codes of the persons about whom is guessed.
        people: (r, m) int64, distinct leaf codes of everybody in the table.
        persons: (r,) int64, how many of each.
    """

    targets: IntArray
    people: IntArray
    persons: IntArray


@dataclass(frozen=True, slots=True)
class Minimality:
    """The likeliest value of a person, for who knows the finer groups of each class and that they were joined for a reason.

    Args:
        column: the sensitive column.
        bound: ℓ: at most 1/ℓ of a group may have one value.
        together: whether the method judges all classes together, as full-domain generalization does.
    """

    attack: ClassVar[str] = "minimality"
    column: str
    bound: Fraction
    together: bool

    def guess(self, view: Published, knowledge: Neighbors, rng: np.random.Generator, /) -> IntArray:
        """(n,) int64: the leaf that is guessed of each target."""
        d = distribution_of(view.classes, self.column)
        blind, near = d.released.astype(np.float64), windows(d.attribute, 0.0)
        return infer(self.believed(view, knowledge), blind, near, rng=rng)

    def believed(self, view: Published, knowledge: Neighbors) -> FloatArray:
        """(n, V): beliefs where the commonest value of a class counts as much as minimality says; others share the rest."""
        d, found = distribution_of(view.classes, self.column), matches(view, knowledge.targets)
        plain = beliefs(found, d)
        out, starts = plain.copy(), found.starts
        single = np.flatnonzero(np.diff(starts) == 1)
        owner = found.owner[starts[single]]
        groups = _Groups.of(view, knowledge, d, distinct(owner))
        rest = groups.rest(d, self.bound) if self.together else dict.fromkeys(groups.sizes, Fraction(1))
        for c, sizes in groups.sizes.items():
            value, holders = _commonest(d, c)
            shares = credibility(list(sizes.values()), holders, self.bound, rest=rest[c])
            share = dict(zip(sizes, map(float, shares), strict=True))
            mine = single[owner == c]
            nodes = groups.node_of(view, c, groups.column[c], knowledge.targets[mine])
            known = np.array([share.get(int(node), holders / int(d.sizes[c])) for node in nodes])
            out[mine] = _with_share(plain[mine], value, known)
        return out


def credibility(sizes: Sequence[int], holders: int, l: Fraction, *, rest: Fraction) -> tuple[Fraction, ...]:  # noqa: E741
    """Probability that a person of each group has the value, knowing that the class was generalized for a reason.

    All ways of giving the value to `holders` of the persons are equally likely before. A group of n persons is fine if at
    most n/ℓ have it. With E_i the expected share in group i, F_i that share where all groups are fine, and P the
    probability that all are fine in whatever the method judged together,

        (E_i - P F_i) / (1 - P).

    Args:
        sizes: persons of each group of the class, >= 1; an intruder reads them off a public register.
        holders: persons of the class with the value, as published, 0 … Σ sizes.
        l: the bound: at most 1/ℓ of a group may have the value, ℓ >= 1.
        rest: probability that all groups outside the class are fine; 1 where the method judges each class alone, as
            local recoding does. With full-domain generalization it is the product of `fine_chance` of the other classes.

    Returns:
        One exact probability for each group; the published share for all of them where nothing is betrayed.

    Raises:
        ParameterError: a number outside its range.

    Source:
        R. C.-W. Wong, A. W.-C. Fu, K. Wang and J. Pei, "Minimality Attack in Privacy Preserving Data Publishing", VLDB
        2007, section 4; counted here by generating polynomials, and extended to a table that is judged as a whole.

    Example:
        >>> [str(p) for p in credibility([2, 4], 2, Fraction(2), rest=Fraction(1))]
        ['1', '0']
        >>> [str(p) for p in credibility([2, 4], 2, Fraction(2), rest=Fraction(0))]
        ['1/3', '1/3']
    """
    _check(sizes, holders, l)
    total = sum(sizes)
    fine, inside = _fine(sizes, holders, l)
    share = Fraction(holders, total)
    all_fine = rest * Fraction(fine, comb(total, holders))
    if all_fine == 1:
        return (share,) * len(sizes)
    where_fine = [Fraction(count, size * fine) if fine else share for count, size in zip(inside, sizes, strict=True)]
    return tuple((share - all_fine * f) / (1 - all_fine) for f in where_fine)


def fine_chance(sizes: Sequence[int], holders: int, l: Fraction) -> Fraction:  # noqa: E741
    """Probability that every group of a class is fine, if all ways of giving the value are equally likely.

    Example:
        >>> fine_chance([2, 4], 2, Fraction(2))
        Fraction(14, 15)
    """
    _check(sizes, holders, l)
    return Fraction(_fine(sizes, holders, l)[0], comb(sum(sizes), holders))


def _fine(sizes: Sequence[int], holders: int, l: Fraction) -> tuple[int, list[int]]:  # noqa: E741
    """Ways in which all groups are fine, and for each group the sum of its holders over those ways."""
    groups = [[comb(size, x) for x in range(min(holders, int(size / l)) + 1)] for size in sizes]
    before = [[1]]
    for group in groups[:-1]:
        before.append(_times(before[-1], group, holders))
    after, inside = [1], []
    for i in range(len(groups) - 1, -1, -1):
        others = _times(before[i], after, holders)
        inside.append(sum(x * ways * _at(others, holders - x) for x, ways in enumerate(groups[i])))
        after = _times(after, groups[i], holders)
    return _at(after, holders), inside[::-1]


def _times(a: Sequence[int], b: Sequence[int], most: int) -> list[int]:
    """Product of two polynomials, up to one degree."""
    out = [0] * min(len(a) + len(b) - 1, most + 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b[: len(out) - i]):
            out[i + j] += x * y
    return out


def _at(polynomial: Sequence[int], degree: int) -> int:
    return polynomial[degree] if 0 <= degree < len(polynomial) else 0


def _check(sizes: Sequence[int] | IntArray, holders: int, l: Fraction) -> None:  # noqa: E741
    if not len(sizes) or min(sizes) < 1 or not 0 <= holders <= sum(sizes) or l < 1:
        raise ParameterError(
            "A class needs groups of at least one person, holders among them and a bound of at least 1.",
            "count the persons of each group from a register, and take the published count of the value.",
        )


def _with_share(plain: FloatArray, value: int, share: FloatArray) -> FloatArray:
    """(n, V): beliefs in which one value has the share (n,) and the others keep their proportions."""
    others = plain.sum(axis=1) - plain[:, value]
    out = plain * np.divide(1 - share, others, out=np.zeros_like(share), where=others > 0)[:, None]
    out[:, value] = share
    return np.asarray(out, np.float64)


def _commonest(d: Distribution, c: int) -> tuple[int, int]:
    """Value and holders of the most frequent value of one class."""
    entries = np.flatnonzero(d.owner == c)
    best = entries[np.argmax(d.count[entries])]
    return int(d.value[best]), int(d.count[best])


@dataclass(frozen=True, slots=True)
class _Groups:
    """The finer groups of some classes: children of the label of one generalized column.

    Args:
        column: by class, the column that is split.
        sizes: by class, persons by child node.
    """

    column: dict[int, int]
    sizes: dict[int, dict[int, int]]

    @classmethod
    def of(cls, published: Published, known: Neighbors, d: Distribution, classes: IntArray) -> _Groups:
        """The groups of the classes of which all persons are placed, and few enough to be counted."""
        column = {}
        for c in classes.tolist():
            wide = [j for j, s in enumerate(published.spans) if s.n_leaves[published.classes.codes[c, j]] > 1]
            if wide and published.classes.persons[c] <= _LARGEST:
                column[c] = wide[0]
        found = matches(published, known.people)
        alone = np.bincount(found.target, minlength=found.n)[found.target] == 1
        sizes = {}
        for c, j in column.items():
            members = found.target[(found.owner == c) & alone]
            nodes = cls.node_of(published, c, j, known.people[members])
            counts = np.bincount(nodes, weights=known.persons[members]).astype(int)
            if counts.sum() == d.sizes[c] and np.count_nonzero(counts) > 1:
                sizes[c] = {node: int(counts[node]) for node in np.flatnonzero(counts).tolist()}
        return cls(column, sizes)

    @staticmethod
    def node_of(published: Published, c: int, j: int, codes: IntArray) -> IntArray:
        """(n,) int64: the child node in which each tuple lies."""
        spans = published.spans[j]
        level = max(int(spans.level[published.classes.codes[c, j]]) - 1, 0)
        return published.attributes[j].hierarchy.ancestors[level][codes[:, j]]

    def rest(self, d: Distribution, l: Fraction) -> dict[int, Fraction]:  # noqa: E741
        """By class, the probability that all the other classes are fine."""
        fine = {c: fine_chance(list(sizes.values()), _commonest(d, c)[1], l) for c, sizes in self.sizes.items()}
        return {c: _product([p for other, p in fine.items() if other != c]) for c in self.sizes}


def _product(chances: Sequence[Fraction]) -> Fraction:
    """Their product; 0 once it is negligible."""
    out = Fraction(1)
    for chance in chances:
        out *= chance
        if out < _NEGLIGIBLE:
            return Fraction(0)
    return out
