"""What can be counted over rows that no group-by can? Support counts of reports, batch by batch, merged by addition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import IntArray


class Counting(Protocol):
    """A function from rows to counts with count(a and b) = count(a) + count(b).

    It is pickled and sent to other machines: a frozen dataclass of plain data.
    """

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads, as text."""
        ...

    @property
    def size(self) -> int:
        """Number of counts."""
        ...

    def count(self, cells: Sequence[Sequence[str | None]]) -> IntArray:
        """(size,) int64 counts of some rows; one list of texts for each column, None for null.

        Raises:
            ReportError: rows that cannot be counted. The message shows no cell.
        """
        ...
