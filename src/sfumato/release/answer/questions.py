"""How is a question asked in Python? One method for each aggregate, all with one offer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from sfumato.release.answer.asking import bins_of, columns_of, conditions_of, expected_of, groups_of, quantiles_of
from sfumato.release.answer.keywords import known_only
from sfumato.release.answer.query import Aggregate, Query

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction
    from typing import Unpack

    from sfumato.release.answer.answer import Answer
    from sfumato.release.answer.asking import Conditions, Groups
    from sfumato.release.answer.terms import Offer
    from sfumato.table.domain import Domain


class Questions(ABC):
    """The questions of a `Session`, in Python's words.

    Every method takes conditions (`where`), the name of a public table (`join`) and an offer: its price (`epsilon`,
    `epsilon` and `delta`, or `rho`), `confidence` and `request`.
    """

    @known_only
    def count(
        self, column: str | None = None, *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Number of rows, by groups; with a column, of rows where it is not missing."""
        return self._asked(Aggregate.COUNT, () if column is None else (column,), by, where, join, offer)

    @known_only
    def persons(
        self, *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:
        """Number of distinct persons, by groups."""
        return self._asked(Aggregate.PERSONS, (), by, where, join, offer)

    @known_only
    def sum(
        self, column: str, *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Sum of a number's clamped values."""
        return self._asked(Aggregate.SUM, (column,), by, where, join, offer)

    @known_only
    def mean(
        self, column: str, *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Mean of a number's clamped values."""
        return self._asked(Aggregate.MEAN, (column,), by, where, join, offer)

    @known_only
    def variance(
        self, column: str, *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Mean squared distance from the mean (divisor n)."""
        return self._asked(Aggregate.VARIANCE, (column,), by, where, join, offer)

    @known_only
    def deviation(
        self, column: str, *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Standard deviation, the square root of the variance."""
        return self._asked(Aggregate.DEVIATION, (column,), by, where, join, offer)

    @known_only
    def covariance(
        self, columns: Sequence[str], *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Covariance matrix of several numbers (divisor n): its upper half, row by row.

        The price is divided among its cells. Where one of them is wanted, `COVAR_POP(x, y)` in SQL spends all on it.
        """
        return self._asked(Aggregate.COVARIANCE, columns, by, where, join, offer)

    @known_only
    def histogram(
        self, column: str, bins: int | Sequence[object], *, where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Number of rows in each bin of a number: so many bins of nearly equal width, or bins between the given edges."""
        (column,) = columns_of((column,))
        keyed = bins_of(column, bins, self._domains(join).get(column))
        return self._offered(Query(Aggregate.COUNT, (), (keyed,), conditions_of(where), join=join), offer)

    @known_only
    def quantiles(
        self,
        column: str,
        quantiles: Sequence[str | float | Fraction],
        *,
        where: Conditions = (),
        method: str = "",
        expected: int | None = None,
        join: str | None = None,
        **offer: Unpack[Offer],
    ) -> Answer:
        """Several quantiles of a number at one price, in order.

        Args:
            column: a declared Range.
            quantiles: increasing, in (0, 1).
            where: conditions.
            method: "": chosen by a rule that reads only public numbers; or a name of `quantiles.METHODS`.
            expected: a public guess of the number of rows, for that rule.
            join: a public table.
            offer: price, confidence, request.
        """
        wanted, guess = quantiles_of(quantiles), expected_of(expected)
        query = Query(Aggregate.QUANTILES, columns_of((column,)), (), conditions_of(where), wanted, method, guess, join)
        return self._offered(query, offer)

    def _asked(
        self,
        aggregate: Aggregate,
        columns: Sequence[str],
        by: Groups,
        where: Conditions,
        join: str | None,
        offer: Offer,
    ) -> Answer:
        """A question in Python's words."""
        keyed = groups_of(by, self._domains(join))
        return self._offered(Query(aggregate, columns_of(columns), keyed, conditions_of(where), join=join), offer)

    @abstractmethod
    def _offered(self, query: Query, offer: Offer) -> Answer:
        """A question with what is offered for it."""

    @abstractmethod
    def _domains(self, join: str | None) -> Mapping[str, Domain]:
        """Declared domains, with those of a joined table."""
