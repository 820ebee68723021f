"""Where do quantiles lie? A tree of noisy counts is made once and descended for each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.mechanism.central.quantiles.cells import count_cells, edges
from sfumato.mechanism.central.quantiles.method import checked
from sfumato.mechanism.central.quantiles.steps import adding_epsilon
from sfumato.noise.check import whole
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.summary.simplex import nearest_shares

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.noise.bits import Bits
    from sfumato.table.unit import Neighbors
    from sfumato.types import FloatArray, IntArray

MOST_LEAVES = 1 << 22
"""So many noisy counts are kept in memory at most."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The quantile tree: noisy counts of ever finer cells of the grid, one tree for all quantiles.

    The grid is cut into `branching` cells, each again, `height` times. Every node's count gets discrete Laplace noise of
    scale height/ε (twice that when a person is replaced). For a quantile, the node's children are made possible counts,
    the child is entered in which the wanted share of them lies, and so on; within a leaf, places are interpolated.

    With `consistent`, parents and children are first brought into agreement by least squares: every node's count is
    then the best linear unbiased estimate from the whole tree.

    Args:
        quantiles: strictly increasing in (0, 1).
        epsilon: total, of one person.
        size: grid points.
        neighbors: which tables are neighbors.
        rows: most rows of a person.
        height: levels below the root, >= 1.
        branching: children of a node, >= 2.
        consistent: whether levels are brought into agreement.

    Raises:
        ParameterError: as `method.checked`; a tree that is too large. Remedy: in the message.

    Source:
        Google's differential privacy library, "Quantile trees" (the tree and its descent); M. Hay, V. Rastogi, G. Miklau,
        D. Suciu, "Boosting the accuracy of differentially private histograms through consistency", VLDB 2010,
        section 4 (agreement).

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.unit import Neighbors
        >>> half = Tree((Fraction(1, 2),), Fraction(1), 1000, Neighbors.REPLACE, rows=1)
        >>> 450 < int(half.decide(np.arange(100_000) % 1000, bits=SystemBits())[0]) < 550
        True
    """

    quantiles: tuple[Fraction, ...]
    epsilon: Fraction
    size: int
    neighbors: Neighbors
    rows: int
    height: int = 4
    branching: int = 16
    consistent: bool = True

    def __post_init__(self) -> None:
        checked(self)
        whole(self.height, "height", 1, 22)
        whole(self.branching, "branching", 2, MOST_LEAVES)
        if self.branching**self.height > MOST_LEAVES:
            raise ParameterError(
                f"A tree must have at most {MOST_LEAVES} leaves; got {self.branching}^{self.height}.",
                "lower `height` or `branching`.",
            )

    @property
    def name(self) -> str:
        """In the field's words."""
        return "quantile tree"

    @property
    def event(self) -> PureDP:
        """The price."""
        return PureDP(self.epsilon)

    @property
    def scale(self) -> Fraction:
        """Of the discrete Laplace noise of each node."""
        return self.height / adding_epsilon(self)

    @property
    def sensitivity(self) -> str:
        """Why the noise suffices."""
        return (
            f"A row counts in one node of each of {self.height} levels, so neighbors differ by at most "
            f"{self.height * self.rows * self.neighbors.sides} in the sum of the differences of all nodes."
        )

    def decide(self, places: IntArray, *, bits: Bits) -> IntArray:
        """(m,) places, nondecreasing."""
        cuts = edges(self.size, self.branching**self.height)
        counts = [count_cells(places, cuts)]
        while len(counts) < self.height:
            counts.append(counts[-1].reshape(-1, self.branching).sum(1))
        noise = discrete_laplace(sum(map(len, counts)), self.scale, bits=bits)
        parts = np.split(noise, np.cumsum([len(level) for level in counts])[:-1])
        noisy = [(level + part).astype(np.float64) for level, part in zip(counts, parts, strict=True)][::-1]
        levels = agree(noisy, self.branching) if self.consistent else noisy
        return self._descend(levels, cuts)

    def _descend(self, levels: list[FloatArray], cuts: IntArray) -> IntArray:
        """Places of the quantiles, all at once, from (bᵏ,) counts of the levels k = 1 … height."""
        share = np.array([float(q) for q in self.quantiles])
        node = np.zeros(len(share), np.int64)
        for level in levels:
            children = level.reshape(-1, self.branching)[node]
            sums = np.cumsum(nearest_shares(children, np.maximum(children.sum(1), 1.0)), 1)
            child, share = _enter(sums, share)
            node = node * self.branching + child
        widths = cuts[node + 1] - cuts[node]
        inside = np.clip(np.ceil(share * widths).astype(np.int64) - 1, 0, np.maximum(widths - 1, 0))
        return np.maximum.accumulate(np.minimum(cuts[node] + inside, self.size - 1))


def agree(levels: list[FloatArray], branching: int) -> list[FloatArray]:
    """The least-squares counts of a tree whose nodes were all measured with the same variance.

    Upwards, a node of k levels (itself and those below) is averaged with the sum of its children, weights
    (bᵏ - bᵏ⁻¹)/(bᵏ - 1) and the rest; downwards, what a parent has more than its children is shared evenly among them.

    Args:
        levels: (bʲ,) noisy counts of level j = 1 … height.
        branching: b.

    Returns:
        (bʲ,) float64 counts; the children of a node add up to it.

    Source:
        M. Hay et al., 2010, theorem 3.

    Example:
        >>> [level.tolist() for level in agree([np.array([4.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0])], 2)]
        [[3.0, 0.0], [2.0, 1.0, 0.0, 0.0]]
    """
    best = [levels[-1]]
    for k, level in enumerate(levels[-2::-1], 2):
        weight = branching ** (k - 1) * (branching - 1) / (branching**k - 1)
        best.append(weight * level + (1 - weight) * best[-1].reshape(-1, branching).sum(1))
    best.reverse()
    out: list[FloatArray] = []
    for level in best:
        groups = level.reshape(-1, branching)
        have = groups.sum(1)
        above = out[-1] if out else have
        out.append((groups + ((above - have) / branching)[:, None]).reshape(-1))
    return out


def _enter(sums: FloatArray, share: FloatArray) -> tuple[IntArray, FloatArray]:
    """The child in which a share of the whole lies, and the share of the child below that point."""
    wanted = share * sums[:, -1]
    child = np.minimum((sums < wanted[:, None]).sum(1), sums.shape[1] - 1)
    at = np.arange(len(share))
    before = np.where(child > 0, sums[at, child - 1], 0.0)
    inside = sums[at, child] - before
    return child, np.clip((wanted - before) / np.where(inside > 0, inside, 1.0), 0.0, 1.0)
