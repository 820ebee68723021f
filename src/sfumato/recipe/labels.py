"""The labels of millions of classes as numbers of a few texts; who reads them sees texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Labels(Sequence["str | None"]):
    """One text for each class; equal to the tuple of these texts, and read like it.

    Args:
        codes: (n_classes,) int64, number of the text of each class.
        texts: the texts, None where missing is published.

    Example:
        >>> import numpy as np
        >>> Labels(np.array([1, 0, 1]), ("a", "b"))
        ('b', 'a', 'b')
    """

    codes: IntArray
    texts: tuple[str | None, ...]

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[str | None]:
        return map(self.texts.__getitem__, self.codes.tolist())

    @overload
    def __getitem__(self, place: int) -> str | None: ...
    @overload
    def __getitem__(self, place: slice) -> Labels: ...
    def __getitem__(self, place: int | slice) -> str | Labels | None:
        if isinstance(place, slice):
            return Labels(self.codes[place], self.texts)
        return self.texts[int(self.codes[place])]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, (Labels, tuple)) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
