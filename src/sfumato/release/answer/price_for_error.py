"""What must be offered so that an answer is right enough? Answered from the question alone; no data are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import QueryError
from sfumato.mechanism.central.accuracy import price_for_count, price_for_mean, price_for_sum
from sfumato.release.answer.checked import check_query
from sfumato.release.answer.query import Aggregate
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.account.event import PureDP, ZeroConcentratedDP
    from sfumato.mechanism.central.accuracy import Accuracy
    from sfumato.mechanism.central.price import Price
    from sfumato.release.answer.query import Query
    from sfumato.table.domain import Domain
    from sfumato.table.unit import Unit


def price_for(
    query: Query,
    columns: Mapping[str, Domain],
    unit: Unit,
    wanted: Accuracy,
    *,
    kind: type[PureDP | ZeroConcentratedDP],
) -> Price:
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
        >>> from sfumato.release.answer.query import Query
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> row = Unit.row(Neighbors.ADD_REMOVE)
        >>> float(price_for(Query(Aggregate.COUNT), {}, row, Accuracy(50, 0.95), kind=PureDP).epsilon)
        0.05932
    """
    check_query(query, columns, unit)
    groups = 1
    for keyed in query.by:
        groups *= keyed.domain.size if isinstance(keyed.domain, Categories) else len(keyed.edges or ((),)) - 1
    if query.aggregate in {Aggregate.COUNT, Aggregate.PERSONS}:
        return price_for_count(wanted, unit=unit, groups=groups, kind=kind)
    domain = columns[query.columns[0]]
    if query.aggregate is Aggregate.SUM and isinstance(domain, Range):
        return price_for_sum(wanted, domain, unit=unit, groups=groups, kind=kind)
    if query.aggregate is Aggregate.MEAN and isinstance(domain, Range):
        if query.expected is None:
            raise QueryError(
                "The error of a mean depends on the number of rows.", "say how many rows a group has, about."
            )
        return price_for_mean(wanted, domain, query.expected, unit=unit, groups=groups, kind=kind)
    raise QueryError(
        "The error of a {aggregate} depends on the values, so no price can be computed.",
        "simulate the question at some prices.",
        aggregate=query.aggregate.value,
    )
