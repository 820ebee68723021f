"""Codes whose characters are hidden one after the other: 01000, 0100*, 010**, …, then `*`.

Values shorter than the longest are filled to its width, so that a hidden character and an absent one
look the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sfumato.errors import HierarchyError, ParameterError
from sfumato.frozen import dataclass
from sfumato.table.hierarchy.tree import Hierarchy, check_height
from sfumato.table.number import in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.hierarchy.tree import Step
    from sfumato.table.schema import Column

Side = Literal["right", "left"]

MOST_WIDTH = 10_000
"""Characters of a code at most."""


@dataclass(frozen=True, slots=True)
class Masking:
    """Hide characters from one side, one more at each level (or as many as `steps` says).

    Args:
        side: "right" hides the last characters first, "left" the first ones.
        width: characters of a full code; None: those of the longest value.
        pad: one character put before shorter values until they are full (`0`: numbers); None: the mask
            is put at the hidden side instead.
        mask: the character that hides.
        steps: characters hidden at each level; None: 1, 2, …, width - 1.

    Example:
        >>> from sfumato.table.schema import Column, Role
        >>> town = Column("town", Role.QUASI_IDENTIFYING)
        >>> Masking("right").build(town, ["010", "02"]).labels
        (('010', '02'), ('01*', '02*'), ('0**',), ('*',))
    """

    side: Side
    width: int | None = None
    pad: str | None = None
    mask: str = "*"
    steps: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        for name, text in (("mask", self.mask), ("pad", self.pad)):
            if text is not None and len(text) != 1:
                raise ParameterError(
                    "`{name}` must be one character; got {text!r}.", "give one character.", name=name, text=text
                )
        if self.width is not None and not 1 <= self.width <= MOST_WIDTH:
            raise ParameterError(
                "`width` must lie in 1 … {most_width}; got {width}.",
                "give the length of a full code.",
                most_width=MOST_WIDTH,
                width=self.width,
            )
        increasing = self.steps is None or all(a < b for a, b in zip((0, *self.steps), self.steps, strict=False))
        if not increasing or self.steps == ():
            raise ParameterError(
                "`steps` must be strictly increasing and at least 1; got {steps}.",
                "say how many characters are hidden at each level, such as [1, 2, 4].",
                steps=list(self.steps or ()),
            )

    @property
    def words(self) -> str:
        """It in a few words, without values of the table."""
        return f"characters hidden from the {self.side}"

    def build(self, column: Column, values: Sequence[str | None]) -> Hierarchy:
        """Mask each value.

        Raises:
            HierarchyError: a value is longer than `width` or `MOST_WIDTH`, there are too many levels, or `steps` hide more than there is.
        """
        leaves = in_order(column, list(dict.fromkeys(value for value in values if value is not None)))
        longest = max(map(len, leaves), default=0)
        width = longest if self.width is None else self.width
        n_long = sum(len(leaf) > width for leaf in leaves)
        if n_long:
            raise HierarchyError(
                "Every value of {name!r} must have at most `width` = {width} characters; "
                "{n_long} of {n_leaves} are longer.",
                "declare a width of at least {longest}.",
                name=column.name,
                width=width,
                n_long=n_long,
                n_leaves=len(leaves),
                longest=longest,
            )
        if width > MOST_WIDTH:
            raise HierarchyError(
                "A mask needs codes of at most {most_width} characters; {name!r} has one of {width}.",
                "group its values by `groups` or `tree`, or leave the column out.",
                most_width=MOST_WIDTH,
                name=column.name,
                width=width,
            )
        hidden = range(1, width) if self.steps is None else self.steps
        check_height(column.name, len(hidden) + 1, "declare `steps`, such as [1, 2, 4, 8].")
        if self.steps is not None and self.steps[-1] >= width:
            raise HierarchyError(
                "The steps of {name!r} must hide less than all of its {width} characters; the last hides {steps}.",
                "leave that step out: the root `*` follows by itself.",
                name=column.name,
                width=width,
                steps=self.steps[-1],
            )
        return Hierarchy.from_steps(column.name, leaves, [self._step(width, n) for n in hidden])

    def _step(self, width: int, n_hidden: int) -> Step:
        """Hide characters of the names of the level below, which are full or as long as the values."""
        n_kept = width - n_hidden
        fill = self.mask if self.pad is None else self.pad

        def hide(names: Sequence[str | None]) -> list[str]:
            texts = [name or "" for name in names]
            if self.pad is not None:
                texts = [text.rjust(width, fill) for text in texts]
            if self.side == "right":
                return [text[:n_kept].ljust(width, self.mask) for text in texts]
            full = [text.rjust(width, self.mask) for text in texts]
            return [self.mask * n_hidden + text[width - n_kept :] for text in full]

        return hide
