"""Vertices by declared groups: a public label of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import whole
from sfumato.table.graph import MOST_VERTICES

if TYPE_CHECKING:
    from sfumato.types import IntArray


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
