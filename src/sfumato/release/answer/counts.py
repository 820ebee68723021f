"""Counts of rows and of persons: their declarations, and how Python asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.mechanism.central.accuracy import price_for_count
from sfumato.mechanism.central.count import Count
from sfumato.release.answer.asking import Asking, bins_of, columns_of, conditions_of
from sfumato.release.answer.price import known_only
from sfumato.release.answer.query import Aggregate, Query, SqlFunction

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from sfumato.account.event import Price
    from sfumato.mechanism.central.accuracy import Accuracy
    from sfumato.release.answer.answer import Answer
    from sfumato.release.answer.asking import Conditions, Groups
    from sfumato.release.answer.price import Offer
    from sfumato.release.answer.query import Kind, Setting


def _count(setting: Setting, price: Price) -> Count:
    return Count(setting.unit, price, setting.groups, distinct=setting.query.aggregate.counts_persons)


def _price_of_count(setting: Setting, wanted: Accuracy, kind: Kind) -> Price:
    return price_for_count(wanted, unit=setting.unit, groups=setting.groups, kind=kind)


COUNT = Aggregate(
    "COUNT", "count", (0, 1), (SqlFunction(("COUNT",), "Count", ()),), totals=_count, least_price=_price_of_count,
    needs_bounds=False, selects_keys=True,
)  # fmt: skip
"""Rows, each person's rows bounded."""
PERSONS = Aggregate(
    "PERSONS", "persons", (0, 0), totals=_count, least_price=_price_of_count, counts_persons=True, selects_keys=True
)
"""Distinct persons."""

AGGREGATES = (COUNT, PERSONS)


class Counts(Asking):
    """How Python asks for counts."""

    @known_only
    def count(
        self, column: str | None = None, *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Number of rows, by groups; with a column, of rows where it is not missing."""
        return self._asked(COUNT, () if column is None else (column,), by, where, join, offer)

    @known_only
    def persons(
        self, *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:
        """Number of distinct persons, by groups."""
        return self._asked(PERSONS, (), by, where, join, offer)

    @known_only
    def histogram(
        self, column: str, bins: int | Sequence[object], *, where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Number of rows in each bin of a number: so many bins of nearly equal width, or bins between the given edges."""
        (column,) = columns_of((column,))
        keyed = bins_of(column, bins, self._domains(join).get(column))
        return self._offered(Query(COUNT, (), (keyed,), conditions_of(where), join=join), offer)
