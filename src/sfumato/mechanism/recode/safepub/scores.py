"""How good a node of the lattice is, and how much one row can change that.

Each score is a whole number over a public denominator, or over the number of rows n; its sensitivity is the most by
which adding or removing one row changes it. Proofs: page "SafePub".
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.recode.safepub.public import UNITS, declared_shares

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, IntArray


class NodeCounts(Protocol):
    """What a score reads of a node of the lattice."""

    @property
    def sizes(self) -> Classes:
        """Its classes, with their counts."""
        ...

    @property
    def codes(self) -> IntArray:
        """(n_classes, m) int64, at the levels of the node; read only where a score needs them."""
        ...


@dataclass(frozen=True, slots=True)
class Score:
    """A score by its name, for one threshold.

    A class with at least k rows counts as published, the rows of others as suppressed: f are the rows of a class, s the
    suppressed rows, n all rows, m the attributes.

    - `classes`: published classes, and 1 more where rows are suppressed. Sensitivity 1.
    - `loss`: -(Σ f Σ_j share_j + m s), share_j the declared values below the class's node over all declared values.
      Sensitivity (k - 1) m.
    - `precision`: the same with level_j / height_j for share_j. Sensitivity (k - 1) m.
    - `discernibility`: -(Σ f² / n + s). Sensitivity k.
    - `entropy`: -Σ_j (Σ_v g² / n + s), g the published rows with value v of attribute j: the rational relative of
      non-uniform entropy. Sensitivity k m.
    - `classification`: rows of the most frequent value of the target among published rows that agree in all other
      attributes, summed. Sensitivity k.

    Args:
        name: one of these.
        k: >= 2.
        target: place of the target among the attributes, for `classification`; None otherwise.

    Raises:
        ParameterError: an unknown name, k < 2, or a target that is absent or not wanted. Remedy: in the message.

    Source:
        R. Bild, K. Kuhn, F. Prasser, PoPETs 2018(1), section 6 and appendix, for the functions. Sensitivities derived
        again: theirs are k²/(k - 1) + 1 where k suffices.

    Example:
        >>> Score("discernibility", 10, None).sensitivity(3)
        10
    """

    name: str
    k: int
    target: int | None

    def __post_init__(self) -> None:
        if self.name not in SCORES:
            raise ParameterError(
                "`score` must be one of {scores}; got {name!r}.",
                "choose one of them.",
                scores=list(SCORES),
                name=self.name,
            )
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 2:
            raise ParameterError("The `k` of a score must be a whole number from 2; got {k!r}.", "raise it.", k=self.k)
        if (self.target is None) is (self.name == "classification"):
            raise ParameterError("The score `classification`, and no other, has a target.", "name a target column.")

    def sensitivity(self, m: int) -> int:
        """The most by which one row changes the score of m attributes."""
        match self.name:
            case "classes":
                return 1
            case "loss" | "precision":
                return (self.k - 1) * m
            case "entropy":
                return self.k * m
            case _:
                return self.k


@dataclass(frozen=True)
class PreparedScore:
    """A score bound to attributes and a number of rows.

    Args:
        score: which one.
        attributes: the m attributes.
        n_rows: n; read only where the score is over n.
    """

    score: Score
    attributes: tuple[Attribute, ...]
    n_rows: int

    @property
    def denominator(self) -> int:
        """What `value` is to be divided by."""
        name = self.score.name
        return {"loss": UNITS, "precision": self.common}.get(name, max(1, self.n_rows) if name in _OVER_N else 1)

    def rate(self, epsilon: Fraction) -> Fraction:
        """ε/(2Δ) for `value`: the factor of the exponential mechanism."""
        return epsilon / (2 * self.score.sensitivity(len(self.attributes)) * self.denominator)

    def value(self, levels: Sequence[int], node: NodeCounts) -> int:
        """The score of a node times `denominator`, exactly; higher is better."""
        rows = node.sizes.rows
        published = rows >= self.score.k
        suppressed = int(rows[~published].sum())
        return SCORES[self.score.name](self, levels, node, published, suppressed)

    @cached_property
    def common(self) -> int:
        """A common multiple of the heights."""
        return lcm(*(max(1, a.hierarchy.height) for a in self.attributes))

    @cached_property
    def shares(self) -> list[list[IntArray]]:
        """Declared shares by attribute and level."""
        return [[declared_shares(a, level) for level in range(a.hierarchy.height + 1)] for a in self.attributes]


def _classes(
    score: PreparedScore, levels: Sequence[int], node: NodeCounts, published: BoolArray, suppressed: int
) -> int:
    del score, levels, node
    return int(published.sum()) + (suppressed > 0)


def _loss(score: PreparedScore, levels: Sequence[int], node: NodeCounts, published: BoolArray, suppressed: int) -> int:
    rows, codes = node.sizes.rows[published], node.codes[published]
    parts = (int(rows @ score.shares[j][level][codes[:, j]]) for j, level in enumerate(levels))
    return -sum(parts) - len(levels) * suppressed * UNITS


def _precision(
    score: PreparedScore, levels: Sequence[int], node: NodeCounts, published: BoolArray, suppressed: int
) -> int:
    rows, common = int(node.sizes.rows[published].sum()), score.common
    heights = [max(1, a.hierarchy.height) for a in score.attributes]
    climbed = sum(level * (common // height) for level, height in zip(levels, heights, strict=True))
    return -rows * climbed - len(levels) * suppressed * common


def _discernibility(
    score: PreparedScore, levels: Sequence[int], node: NodeCounts, published: BoolArray, suppressed: int
) -> int:
    """Squares of class sizes."""
    del levels
    rows = node.sizes.rows[published]
    return -int(rows @ rows) - score.n_rows * suppressed


def _entropy(
    score: PreparedScore, levels: Sequence[int], node: NodeCounts, published: BoolArray, suppressed: int
) -> int:
    """Squares of the frequencies of published values."""
    rows, codes = node.sizes.rows[published], node.codes[published]
    total = 0
    for j in range(len(levels)):
        counts = np.bincount(codes[:, j], weights=rows).astype(np.int64)
        total += int(counts @ counts)
    return -total - len(levels) * score.n_rows * suppressed


def _classification(
    score: PreparedScore, levels: Sequence[int], node: NodeCounts, published: BoolArray, suppressed: int
) -> int:
    del suppressed
    rows, codes = node.sizes.rows[published], node.codes[published]
    if not len(rows):
        return 0
    others = [j for j in range(len(levels)) if j != score.score.target]
    order = np.lexsort(codes[:, others].T) if others else np.arange(len(rows))
    sorted_codes = codes[order][:, others]
    starts = np.flatnonzero(np.r_[True, np.any(sorted_codes[1:] != sorted_codes[:-1], axis=1)])
    return int(np.maximum.reduceat(rows[order], starts).sum())


_OVER_N = frozenset({"discernibility", "entropy"})

SCORES: dict[str, Callable[[PreparedScore, Sequence[int], NodeCounts, BoolArray, int], int]] = {
    "classes": _classes,
    "loss": _loss,
    "precision": _precision,
    "discernibility": _discernibility,
    "entropy": _entropy,
    "classification": _classification,
}
"""The scores by name."""
