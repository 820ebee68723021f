"""Nothing is recoded: the table is published as it is, apart from what single columns have done to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import NoSolution
from sfumato.guarantee.base import Criterion, TableCriterion
from sfumato.guarantee.shortfall import spelled
from sfumato.mechanism.recode.decision import Decision, Search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Publish every quasi-identifier as it is, if the table keeps the promises already.

    Args:
        criteria: class and table criteria, all of which must hold; () for none.

    Source:
        none: it is the identity.
    """

    criteria: tuple[Criterion | TableCriterion, ...]

    def decide(self, finest: Classes, attributes: Sequence[Attribute]) -> Decision:
        """The table as it is.

        Raises:
            NoSolution: a promise does not hold of the table. Remedy: choose a method that recodes.
        """
        published = finest.select(finest.rows > 0)
        for criterion in self.criteria:
            ok = criterion.holds(published).all() if isinstance(criterion, Criterion) else None
            if not (criterion.holds_together(published) if isinstance(criterion, TableCriterion) else ok):
                raise NoSolution(
                    "The table as it is must keep {spelled}; it does not.",
                    "choose a method that recodes, such as full-domain.",
                    spelled=spelled(criterion),
                )
        levels = (0,) * len(attributes)
        search = Search(None, 1, optimal=False, statement="Nothing was recoded, so nothing was searched.")
        return Decision((), None, published, finest.n_rows - published.n_rows, levels, None, search)
