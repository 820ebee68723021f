"""What does a method that perturbs one column decide, and how is it asked?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
    from sfumato.noise.bits import Bits
    from sfumato.recipe.steps import ColumnStep
    from sfumato.summary.blur import Blur
    from sfumato.summary.figure import Figure
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class ColumnDecision:
    """The outcome of a column method, before any row is touched.

    Args:
        step: what the engine does to the column.
        guarantee: what is promised about one cell; None: nothing is.
        worth: figures that only the method can give; those that follow from `blur` are added by whoever asks.
        risk: likewise.
        blur: where published values lie, from which intervals, ranks, links and guesses are measured; None:
            they mean nothing for this method (pseudonyms).
    """

    step: ColumnStep
    guarantee: Guarantee | None
    worth: tuple[Figure, ...]
    risk: tuple[Figure, ...]
    blur: Blur | None = None


class ColumnMethod(Protocol):
    """A method that perturbs one column: its marginal counts in, a decision out."""

    def decide(self, attribute: Attribute, counts: IntArray, *, bits: Bits) -> ColumnDecision:
        """Choose what is published.

        Args:
            attribute: the column, bound to the values that the table holds.
            counts: (n_leaves,) int64, cells of each leaf; the missing leaf, if there is one, is the last.
            bits: secure chance, read only by methods that deal out values themselves.

        Raises:
            ParameterError: the column's values do not suit the method. No value is shown.
        """
        ...
