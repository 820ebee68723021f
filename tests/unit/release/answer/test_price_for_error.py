"""A price for an accuracy is that of the mechanism which answers, for every question that can be priced."""

from fractions import Fraction

import pytest

from sfumato.account.event import PureDP, ZeroConcentratedDP
from sfumato.mechanism.central.accuracy import Accuracy
from sfumato.release.answer.counts import COUNT
from sfumato.release.answer.moments import MEAN, SUM
from sfumato.release.answer.prepared import prepared_query
from sfumato.release.answer.price_for_error import price_for
from sfumato.release.answer.query import Query
from sfumato.summary.bounded import Comparison, Condition, Keyed
from sfumato.table.domain import Categories, Range
from sfumato.table.unit import OF_TABLES, Unit

SEX = Categories(("F", "M"))
COLUMNS = {"age": Range(0, 120, 1), "sex": SEX}
UNITS = [*map(Unit.row, OF_TABLES), *(Unit(neighbors, "who", 3, 2) for neighbors in OF_TABLES)]
QUESTIONS = {
    COUNT: ((), Accuracy(50, 0.95)), SUM: (("age",), Accuracy(5000, 0.95)),
    MEAN: (("age",), Accuracy("0.5", 0.95)),
}  # fmt: skip


@pytest.mark.parametrize("kind", [PureDP, ZeroConcentratedDP])
@pytest.mark.parametrize("unit", UNITS, ids=str)
@pytest.mark.parametrize("aggregate", QUESTIONS)
def test_the_price_is_the_least_with_which_the_answer_is_as_right_as_wanted(aggregate, unit, kind):
    """Neither groups nor a condition, or both, for every other unit; for the others one of them."""
    columns, wanted = QUESTIONS[aggregate]
    rows = (1000,) if aggregate is MEAN else ()
    groups, women = (Keyed("sex", SEX),), (Condition("sex", Comparison.EQUAL, ("F",)),)
    for by, where in (((), ()), (groups, women)) if UNITS.index(unit) % 2 else ((groups, ()), ((), women)):
        query = Query(aggregate, columns, by, where, expected=rows[0] if rows else None)
        price = price_for(query, COLUMNS, unit, wanted, kind=kind)
        number = price.epsilon if kind is PureDP else price.rho
        errors = [
            prepared_query(query, COLUMNS, unit, kind(number * share), join=None).mechanism.error(
                wanted.confidence, *rows
            )
            for share in (1, Fraction(997, 1000))
        ]
        assert errors[0] <= wanted.exact_error < errors[1]
