"""SafePub: choose levels with noise, sample rows, recode, and publish the classes of at least k sampled rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.recode.decision import Decision, Search
from sfumato.mechanism.recode.full_domain.table import Table
from sfumato.mechanism.recode.safepub.scores import PreparedScore, Score
from sfumato.noise.bernoulli import bernoulli
from sfumato.recipe.steps import Assign, Splits
from sfumato.summary.classes import Classes
from sfumato.summary.places import places

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.mechanism.recode.decision import Progress
    from sfumato.mechanism.recode.safepub.search import NodeSearch
    from sfumato.noise.bits import Bits
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

Levels = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GivenLevels:
    """Levels that were chosen without the table.

    Args:
        levels: level of every attribute, by name.
    """

    levels: Mapping[str, int]

    def run(self, attributes: Sequence[Attribute]) -> tuple[Levels, Search]:
        """The levels in the order of the attributes.

        Raises:
            ParameterError: an attribute has no level, or none that high. Remedy: correct the levels.
        """
        found = tuple(self.levels.get(a.name, -1) for a in attributes)
        for attribute, level in zip(attributes, found, strict=True):
            if not 0 <= level <= attribute.hierarchy.height:
                raise ParameterError(
                    "`levels` must give {name!r} a level from 0 to {height}.",
                    "correct the levels.",
                    name=attribute.name,
                    height=attribute.hierarchy.height,
                )
        return found, Search(None, 1, optimal=False, statement="The levels were given; nothing was searched.")


@dataclass(frozen=True, slots=True)
class Searched:
    """Levels chosen from the table, with noise.

    Args:
        search: how.
        score: the name of what is good.
        target: column that the score `classification` predicts; None otherwise.
    """

    search: NodeSearch
    score: str
    target: str | None


@dataclass(frozen=True, slots=True)
class SafePubMethod:
    """Sample each row with probability β, recode to fixed levels, leave out classes of fewer than k sampled rows.

    The rows of a tuple are exchangeable, since everything that is published of a row is a function of its tuple; so
    the number of sampled rows of each tuple is drawn, and any so many of its rows are published. Rows that are not
    published must be left out without a trace, and the others shuffled: their number and order would tell.

    The search scores the whole table, where a class needs about k/β rows to keep k sampled ones.

    Args:
        k: sampled rows that a published class must hold.
        beta: β in (0, 1), exact.
        choice: levels that are given, or how to search for them.
        bits: chance of the sample and the search.
        progress: told of the search.

    Source:
        R. Bild, K. Kuhn, F. Prasser, PoPETs 2018(1), section 4; N. Li, W. Qardaji, D. Su, ASIACCS 2012, section 4.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.mechanism.recode.decision import silent
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([1000, 3]), alone=np.array([1000, 3]))
        >>> method = SafePubMethod(60, Fraction(1, 2), GivenLevels({"sex": 0}), SystemBits(), silent)
        >>> decision = method.decide(finest, [sex])
        >>> decision.published.codes.tolist(), 350 < decision.published.n_rows < 650
        ([[0]], True)
    """

    k: int
    beta: Fraction
    choice: GivenLevels | Searched
    bits: Bits
    progress: Progress

    def decide(self, finest: Classes, attributes: Sequence[Attribute]) -> Decision:
        """Choose levels, sample, and keep large classes.

        Args:
            finest: classes of leaf codes of the whole table.
            attributes: the m quasi-identifiers.

        Raises:
            ParameterError: levels, search or target that do not fit the attributes.
        """
        levels, search = self._levels(finest, tuple(attributes))
        sampled = sampled_rows(finest.rows, self.beta, bits=self.bits)
        published, small = large_classes(finest, attributes, levels, sampled, self.k)
        n_sampled = int(sampled.sum())
        text = (
            f"{n_sampled} rows were sampled; {n_sampled - published.n_rows} of them lie in {small} classes of fewer "
            f"than {self.k}."
        )
        return Decision(
            columns=(),
            step=_step(finest, attributes, levels, published, sampled),
            published=published,
            suppressed_rows=finest.n_rows - published.n_rows,
            levels=levels,
            loss=None,
            search=replace(search, statement=f"{search.statement} {text}"),
        )

    def _levels(self, finest: Classes, attributes: tuple[Attribute, ...]) -> tuple[Levels, Search]:
        choice = self.choice
        if isinstance(choice, GivenLevels):
            return choice.run(attributes)
        names = [a.name for a in attributes]
        if choice.target is not None and choice.target not in names:
            raise ParameterError(
                "The target must be one of the quasi-identifiers {names}; got {target!r}.",
                "name one of them.",
                names=names,
                target=choice.target,
            )
        target = None if choice.target is None else names.index(choice.target)
        needed = max(2, -(-self.k * self.beta.denominator // self.beta.numerator))
        score = PreparedScore(Score(choice.score, needed, target), attributes, finest.n_rows)
        return choice.search.run(_bare(finest), score, bits=self.bits, progress=self.progress)


def large_classes(
    finest: Classes, attributes: Sequence[Attribute], levels: Levels, sampled: IntArray, k: int
) -> tuple[Classes, int]:
    """The classes of at least k sampled rows at some levels, and the number of smaller ones that are not empty.

    Args:
        finest: classes of leaf codes.
        attributes: the m attributes.
        levels: level of each.
        sampled: (n_classes,) int64, sampled rows of each class of `finest`.
        k: least number of sampled rows.
    """
    leaves = Classes(finest.codes, sampled, sampled)
    node = Table(leaves, (0,) * len(levels), attributes).at(levels)
    rows = node.sizes.rows
    kept = rows >= k
    return Classes(node.codes[kept], rows[kept], rows[kept]), int(np.count_nonzero((rows > 0) & ~kept))


def sampled_rows(rows: IntArray, chance: Fraction, *, bits: Bits) -> IntArray:
    """How many rows of each tuple stay if every row stays with the same chance, by a coin of its own.

    Args:
        rows: (n,) int64, rows of each tuple.
        chance: in [0, 1], exact.
        bits: source of chance.

    Returns:
        (n,) int64, binomial with `rows` trials each.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.noise.bits import SystemBits
        >>> sampled_rows(np.array([3, 2]), Fraction(1), bits=SystemBits()).tolist()
        [3, 2]
    """
    coins = bernoulli(int(rows.sum()), chance, bits=bits)
    before = np.concatenate(([0], np.cumsum(coins, dtype=np.int64)))
    ends = np.cumsum(rows)
    return np.asarray(before[ends] - before[ends - rows], np.int64)


def _bare(finest: Classes) -> Classes:
    """Rows only: each row is a person, and nothing else is read."""
    return Classes(finest.codes, finest.rows, finest.rows)


def _step(
    finest: Classes, attributes: Sequence[Attribute], levels: Levels, published: Classes, sampled: IntArray
) -> Assign:
    """So many rows of each tuple go to its class; the others are left out."""
    trees = [a.hierarchy for a in attributes]
    codes = [tree.ancestors[x][finest.codes[:, j]] for j, (tree, x) in enumerate(zip(trees, levels, strict=True))]
    member = places(np.stack(codes, axis=1), published.codes)
    stay = np.where(member >= 0, sampled, 0)
    tuples = np.repeat(np.arange(finest.n_classes), 2)
    rows = np.stack((stay, finest.rows - stay), axis=1).ravel()
    to = np.stack((member, np.full(len(member), -1)), axis=1).ravel()
    some = rows > 0
    labels = tuple(
        tuple(tree.labels[x][code] for code in published.codes[:, j].tolist())
        for j, (tree, x) in enumerate(zip(trees, levels, strict=True))
    )
    splits = Splits(tuples[some], rows[some], to[some])
    return Assign(tuple(attributes), finest.codes, np.full(len(member), -1), labels, splits)
