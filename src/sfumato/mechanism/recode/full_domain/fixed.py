"""Nothing is searched: levels that are given, or the table as it is."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from sfumato.errors import NoSolution, ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Criterion, TableCriterion
from sfumato.guarantee.shortfall import shortfall, spelled
from sfumato.mechanism.recode.decision import Decision, Search
from sfumato.mechanism.recode.full_domain.candidate import Evaluator
from sfumato.mechanism.recode.full_domain.judge import Judge
from sfumato.mechanism.recode.full_domain.method import decision_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.summary.loss import Loss
    from sfumato.table.attribute import Attribute


@dataclass(frozen=True, slots=True)
class FixedLevels:
    """Generalize each attribute to a given level and suppress the rows that stay exposed.

    Args:
        criteria: class and table criteria, all of which must hold.
        suppression_limit: most rows that may be suppressed, as a share in [0, 1]; exact.
        loss: the measure that is stated of the result.
        levels: level of every attribute, by name.

    Source:
        P. Samarati, "Protecting respondents' identities in microdata release", IEEE TKDE 13(6), 2001.
    """

    criteria: tuple[Criterion | TableCriterion, ...]
    suppression_limit: Fraction
    loss: Loss
    levels: Mapping[str, int]

    def decide(self, finest: Classes, attributes: Sequence[Attribute]) -> Decision:
        """Check the given levels.

        Raises:
            ParameterError: an attribute has no level, or none that high.
            NoSolution: a criterion fails there within the suppression limit.
        """
        levels = tuple(self._level(attribute) for attribute in attributes)
        limit = floor(self.suppression_limit * finest.n_rows)
        judge = Judge(self.criteria, limit, counts_are_enough=finest.spread is None)
        evaluator = Evaluator(finest, attributes, judge, self.loss)
        evaluator.check(levels)
        if evaluator.best is None:
            raise NoSolution(
                "The given levels must keep {spelled} with at most {suppression_limit:g} of "
                "the rows suppressed; they do not.{shortfall}",
                "allow more suppression, or choose coarser levels.",
                spelled=spelled(*self.criteria),
                suppression_limit=float(self.suppression_limit),
                shortfall=shortfall(self.criteria, finest),
            )
        search = Search(None, 1, optimal=False, statement="The levels were given; nothing was searched.")
        return decision_at(evaluator.best, attributes, finest.n_rows, search)

    def _level(self, attribute: Attribute) -> int:
        level = self.levels.get(attribute.name)
        if level is None or not 0 <= level <= attribute.hierarchy.height:
            raise ParameterError(
                "`levels` must give {name!r} a level from 0 to {height}; got {level}.",
                "correct the levels.",
                name=attribute.name,
                height=attribute.hierarchy.height,
                level=level,
            )
        return level


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
