"""Quantiles from a tree of noisy counts, which is made once and descended for each of them."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.quantiles.cells import count_cells, edges
from sfumato.mechanism.central.quantiles.method import Asked, adding_epsilon
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.numbers.check import whole
from sfumato.summary.simplex import nearest_shares

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

MOST_LEAVES = 1 << 22
"""So many noisy counts are kept in memory at most."""
_FINE = 1 << 16
"""Leaves that a finer grid gets, unless more are asked for: the rest of the way is interpolated."""


@dataclass(frozen=True, slots=True)
class Tree(Asked):
    """The quantile tree: noisy counts of ever finer cells of the grid, one tree for all quantiles.

    The grid is cut into b cells, each again, h times (`shape`). Every node's count gets discrete Laplace noise of
    scale h/ε (twice that when a person is replaced). For a quantile, the node's children are made possible counts,
    the child is entered in which the wanted share of them lies, and so on; within a leaf, places are interpolated.

    With `consistent`, parents and children are first brought into agreement by least squares: every node's count is
    then the best linear unbiased estimate from the whole tree.

    Args:
        quantiles: strictly increasing in (0, 1).
        epsilon: total, of one person.
        size: grid points.
        neighbors: which tables are neighbors.
        rows: most rows of a person.
        height: levels below the root, >= 1; None: those of the shape with the least noise, for the declared grid.
        branching: children of a node, >= 2; None: as few as reach every point of the grid.
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

    name = "quantile tree"

    height: int | None = None
    branching: int | None = None
    consistent: bool = True

    def __post_init__(self) -> None:
        Asked.__post_init__(self)
        height = None if self.height is None else whole(self.height, "height", 1, 22)
        branching = None if self.branching is None else whole(self.branching, "branching", 2, MOST_LEAVES)
        if branching is not None and branching ** (height or 1) > MOST_LEAVES:
            raise ParameterError(
                "A tree must have at most {most_leaves} leaves; got {branching}^{height}.",
                "lower `height` or `branching`.",
                most_leaves=MOST_LEAVES,
                branching=branching,
                height=height or 1,
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Levels h and children b: those that were given, otherwise those that fit the grid with the least noise.

        The rows before a place are the sum of (b - 1)/2 nodes on average in each of h levels, and every node's noise has
        a variance in proportion to h²: so h³ (b - 1) is made least.

        Example:
            >>> from sfumato.table.unit import Neighbors
            >>> from fractions import Fraction
            >>> half = (Fraction(1, 2),), Fraction(1)
            >>> [Tree(*half, size, Neighbors.REPLACE, 1).shape for size in (21, 121, 1001, 2**40)]
            [(1, 21), (2, 11), (2, 32), (4, 16)]
        """
        leaves = min(self.size, _FINE)
        heights = range(1, 17) if self.height is None else [self.height]
        shapes = [(h, self.branching or fan(leaves, h)) for h in heights]
        if self.branching is not None and self.height is None:
            shapes = [next((h, b) for h, b in shapes if b**h >= leaves)]
        return min(shapes, key=lambda shape: shape[0] ** 3 * (shape[1] - 1))

    @property
    def spread(self) -> int:
        """The variance h³ (b - 1) of the rows before a place in units of (rows/ε)², before levels are brought into agreement."""
        height, branching = self.shape
        return height**3 * (branching - 1)

    @property
    def scale(self) -> Fraction:
        """Of the discrete Laplace noise of each node."""
        return self.shape[0] / adding_epsilon(self)

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        height = self.shape[0]
        return (
            f"A row counts in one node of each of {height} levels, so neighbors differ by at most "
            f"{height * self.rows * self.neighbors.sides} in the sum of the differences of all nodes."
        )

    def decide(self, places: IntArray, *, bits: Bits) -> IntArray:
        """(m,) places, nondecreasing."""
        height, branching = self.shape
        cuts = edges(self.size, branching**height)
        counts = [count_cells(places, cuts)]
        while len(counts) < height:
            counts.append(counts[-1].reshape(-1, branching).sum(1))
        noise = discrete_laplace(sum(map(len, counts)), self.scale, bits=bits)
        parts = np.split(noise, np.cumsum([len(level) for level in counts])[:-1])
        noisy = [(level + part).astype(np.float64) for level, part in zip(counts, parts, strict=True)][::-1]
        levels = agree(noisy, branching) if self.consistent else noisy
        return self._descend(levels, cuts)

    def _descend(self, levels: list[FloatArray], cuts: IntArray) -> IntArray:
        """Places of the quantiles, all at once, from (bᵏ,) counts of the levels k = 1 … height."""
        share = np.array([float(q) for q in self.quantiles])
        node, branching = np.zeros(len(share), np.int64), self.shape[1]
        for level in levels:
            children = level.reshape(-1, branching)[node]
            sums = np.cumsum(nearest_shares(children, np.maximum(children.sum(1), 1.0)), 1)
            child, share = _enter(sums, share)
            node = node * branching + child
        widths = cuts[node + 1] - cuts[node]
        inside = np.clip(np.ceil(share * widths).astype(np.int64) - 1, 0, np.maximum(widths - 1, 0))
        return np.maximum.accumulate(np.minimum(cuts[node] + inside, self.size - 1))


def fan(leaves: int, height: int) -> int:
    """The least b >= 2 with b^height >= leaves.

    Example:
        >>> [fan(65536, h) for h in (1, 2, 3, 4, 16, 20)]
        [65536, 256, 41, 16, 2, 2]
    """
    near = max(2, int(leaves ** (1 / height)) - 1)
    return next(b for b in count(near) if b**height >= leaves)


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
