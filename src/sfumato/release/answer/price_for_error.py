"""Prices of wanted errors, from the question alone; no data are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import QueryError
from sfumato.release.answer.checked import check_query
from sfumato.release.answer.prepared import setting_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.account.event import Price
    from sfumato.mechanism.central.accuracy import Accuracy
    from sfumato.release.answer.query import Kind, Query
    from sfumato.table.domain import Domain
    from sfumato.table.unit import Unit


def price_for(query: Query, columns: Mapping[str, Domain], unit: Unit, wanted: Accuracy, *, kind: Kind) -> Price:
    """The least price with which every group's answer is as right as wanted.

    Args:
        query: a count, sum or mean; for a mean `expected` rows in a group.
        columns: declared domains.
        unit: persons and their limits.
        wanted: largest error, and the confidence with which it is kept.
        kind: PureDP for an epsilon, ZeroConcentratedDP for a rho.

    Raises:
        QueryError: another aggregate. Remedy: simulate it at some prices.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.mechanism.central.accuracy import Accuracy
        >>> from sfumato.release.answer.counts import COUNT
        >>> from sfumato.release.answer.query import Query
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> row = Unit.row(Neighbors.ADD_REMOVE)
        >>> float(price_for(Query(COUNT), {}, row, Accuracy(50, 0.95), kind=PureDP).epsilon)
        0.05932
    """
    check_query(query, columns, unit)
    if query.aggregate.least_price is None:
        raise QueryError(
            "The error of a {aggregate} depends on the values, so no price can be computed.",
            "simulate the question at some prices.",
            aggregate=query.aggregate.name,
        )
    return query.aggregate.least_price(setting_of(query, columns, unit), wanted, kind)
