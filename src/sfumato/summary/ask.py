"""What is an engine asked to summarize?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.table.attribute import Attribute


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """The counts that a mechanism, a measure or a criterion needs.

    Args:
        quasi_identifiers: attributes whose distinct tuples are counted.
        sensitive: attributes whose values are counted within each tuple.
        person: column that identifies a person; None: a row is a person.
        personal_k: column that holds each person's own k; None: nobody asks.
        subset: boolean column (or 0/1 text) that marks the rows to be published among a larger
            population; None: all rows are published and no population is known.
    """

    quasi_identifiers: tuple[Attribute, ...]
    sensitive: tuple[Attribute, ...] = ()
    person: str | None = None
    personal_k: str | None = None
    subset: str | None = None
