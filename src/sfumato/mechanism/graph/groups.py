"""Vertices by declared groups: a public label of each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import whole
from sfumato.table.graph import MOST_VERTICES

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray

Numbers = TypeVar("Numbers", "IntArray", "FloatArray")


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """A group of each vertex: departments, towns, years of birth. Public, as the vertices are.

    Args:
        codes: (n,) int64, the group of each vertex, in [0, many), n >= 1.
        many: number of declared groups, >= 1; some may be empty.

    Raises:
        ParameterError: another shape or type, or a code outside. Remedy: declare all values that the attribute may have.

    Example:
        >>> Groups(np.array([0, 1, 1]), 3).sizes.tolist()
        [1, 2, 0]
    """

    codes: IntArray
    many: int

    def __post_init__(self) -> None:
        whole(self.many, "many", 1, MOST_VERTICES)
        codes = np.asarray(self.codes)
        fits = codes.ndim == 1 and len(codes) and codes.dtype.kind in "iu"
        if not fits or codes.min() < 0 or codes.max() >= self.many:
            raise ParameterError(
                "Groups must be whole numbers from 0 to {most}, one for each vertex.",
                "number the declared groups 0 … g - 1.",
                most=self.many - 1,
            )
        object.__setattr__(self, "codes", codes.astype(np.int64))

    @classmethod
    def one(cls, vertices: int) -> Groups:
        """All vertices together.

        Example:
            >>> Groups.one(4).sizes.tolist()
            [4]
        """
        return cls(np.zeros(whole(vertices, "vertices", 1, MOST_VERTICES), np.int64), 1)

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return len(self.codes)

    @property
    def sizes(self) -> IntArray:
        """(many,) vertices of each group."""
        return np.bincount(self.codes, minlength=self.many)


def between(groups: IntArray, edges: IntArray, many: int) -> IntArray:
    """(many (many + 1) / 2,) edges within each group and between every two, in the order of the upper triangle.

    Args:
        groups: (n,) int64, the group of each vertex.
        edges: (m, 2) int64.
        many: number of groups.

    Example:
        >>> between(np.array([0, 0, 1]), np.array([[0, 1], [0, 2]]), 2).tolist()
        [1, 1, 0]
    """
    ends = np.sort(groups[edges], axis=1)
    cells = np.bincount(ends[:, 0] * many + ends[:, 1], minlength=many**2).reshape(many, many)
    return cells[np.triu_indices(many)]


def pairs_between(sizes: IntArray) -> IntArray:
    """(c (c + 1) / 2,) pairs of different vertices within and between groups of these sizes, in the same order.

    Example:
        >>> square(pairs_between(np.array([2, 3]))).tolist()
        [[1, 6], [6, 3]]
    """
    both = np.multiply.outer(sizes, sizes)
    np.fill_diagonal(both, sizes * (sizes - 1) // 2)
    return both[np.triu_indices(len(sizes))]


def square(upper: Numbers) -> Numbers:
    """(c, c) symmetric, from its upper triangle.

    Example:
        >>> square(np.array([1, 2, 3])).tolist()
        [[1, 2], [2, 3]]
    """
    many = (math.isqrt(8 * len(upper) + 1) - 1) // 2
    out = np.zeros((many, many), upper.dtype)
    at = np.triu_indices(many)
    out[at] = out.T[at] = upper
    return out
