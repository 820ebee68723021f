"""The joint of methods that perturb one column, and what they decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.guarantee.base import Guarantee
    from sfumato.noise.bits import Bits
    from sfumato.recipe.steps import Assign, ColumnStep
    from sfumato.summary.blur import Blur
    from sfumato.summary.classes import Classes
    from sfumato.summary.figure import Figure
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class ColumnDecision:
    """The outcome of a column method, before any row is touched.

    Args:
        step: what the engine does to the column; `Assign` where it is decided beside other columns, which stay.
        guarantee: what is promised about one cell; None: nothing is.
        worth: figures that only the method can give; those that follow from `blur` are added by whoever asks.
        risk: likewise.
        blur: where published values lie, from which intervals, ranks, links and guesses are measured; None:
            they mean nothing for this method (pseudonyms).
    """

    step: ColumnStep | Assign
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


@runtime_checkable
class TupleMethod(Protocol):
    """A method that changes one column and reads others beside it: counts of their tuples in, a decision out."""

    @property
    def beside(self) -> tuple[str, ...]:
        """Names of the columns that it reads and leaves as they are."""
        ...

    def decide_tuples(self, attributes: Sequence[Attribute], classes: Classes, *, bits: Bits) -> ColumnDecision:
        """Choose what is published.

        Args:
            attributes: the column to change, then those of `beside`, bound to the values that the table holds.
            classes: rows of each of their distinct tuples.
            bits: secure chance.

        Returns:
            A decision whose step is an `Assign` of all these attributes.

        Raises:
            ParameterError: values that do not suit the method. None is shown.
        """
        ...
