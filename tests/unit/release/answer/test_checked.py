"""Questions whose answers cannot be bounded are refused before anything is read."""

from fractions import Fraction

import pytest

from sfumato.errors import QueryError
from sfumato.release.answer.checked import check_query
from sfumato.release.answer.query import Aggregate, Query
from sfumato.summary.bounded import Comparison, Condition, Keyed
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.unit import Neighbors, Unit

AGE, SEX = Range(0, 120, step=1), Categories(("F", "M"))
COLUMNS = {"age": AGE, "sex": SEX, "town": UnlistedText()}
ROWS = Unit.row(Neighbors.ADD_REMOVE)
HALF = (Fraction(1, 2),)


@pytest.mark.parametrize(
    "query",
    [
        Query(Aggregate.COUNT),
        Query(Aggregate.COUNT, ("sex",)),
        Query(Aggregate.MEAN, ("age",), (Keyed("sex", SEX),), (Condition("age", Comparison.AT_LEAST, ("18",)),)),
        Query(Aggregate.COUNT, by=(Keyed("age", AGE, (0, 60, 121)),)),
        Query(Aggregate.COUNT, by=(Keyed("town", None),)),
        Query(Aggregate.QUANTILES, ("age",), quantiles=HALF),
    ],
)
def test_bounded_questions_pass(query):
    check_query(query, COLUMNS, ROWS)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(Aggregate.SUM, ("pay",)), "no declared domain"),
        (Query(Aggregate.SUM, ("sex",)), "needs declared bounds"),
        (Query(Aggregate.SUM), "takes 1 to 1"),
        (Query(Aggregate.COVARIANCE, ("age",)), "takes 2"),
        (Query(Aggregate.COUNT, by=(Keyed("age", AGE),)), "need declared bins"),
        (Query(Aggregate.COUNT, by=(Keyed("age", AGE, (0, 130)),)), "increase from its low to its high"),
        (Query(Aggregate.COUNT, by=(Keyed("age", AGE, (0, 60, 60, 121)),)), "increase"),
        (Query(Aggregate.COUNT, by=(Keyed("sex", SEX, (0, 1)),)), "Only numbers have bins"),
        (Query(Aggregate.COUNT, by=(Keyed("sex", SEX), Keyed("sex", SEX))), "groups once"),
        (Query(Aggregate.MEAN, ("age",), (Keyed("town", None),)), "select the keys first"),
        (Query(Aggregate.COUNT, where=(Condition("sex", Comparison.LESS, ("F",)),)), "no declared number"),
        (Query(Aggregate.COUNT, where=(Condition("age", Comparison.EQUAL, ("x",)),)), "no number"),
        (Query(Aggregate.COUNT, where=(Condition("sex", Comparison.NOT_EQUAL, ("male",)),)), "not among its declared"),
        (Query(Aggregate.COUNT, where=(Condition("sex", Comparison.IN, ("F", "f")),)), r"\['f'\], which are not among"),
        (Query(Aggregate.COUNT, where=(Condition("age", Comparison.EQUAL, ("1", "2")),)), "wrong number"),
        (Query(Aggregate.COUNT, where=(Condition("age", Comparison.IN, ()),)), "wrong number"),
        (Query(Aggregate.QUANTILES, ("age",)), "take a list"),
        (Query(Aggregate.COUNT, quantiles=HALF), "take a list"),
        (Query(Aggregate.QUANTILES, ("age",), quantiles=(Fraction(0),)), r"strictly inside"),
        (Query(Aggregate.QUANTILES, ("age",), quantiles=(*HALF, *HALF)), r"strictly inside"),
        (Query(Aggregate.QUANTILES, ("age",), (Keyed("sex", SEX),), quantiles=HALF), "one group at a time"),
        (Query(Aggregate.PERSONS), "person column"),
    ],
)
def test_others_are_refused_with_the_reason(query, reason):
    with pytest.raises(QueryError, match=reason):
        check_query(query, COLUMNS, ROWS)


@pytest.mark.parametrize("neighbors", Neighbors)
def test_keys_read_from_the_table_come_with_what_was_asked_for(neighbors):
    """Their number is one of persons: who asks for rows, of which a person has several, gets no other number."""
    visits, by = Unit(neighbors, "who", 3, 2), (Keyed("town", None),)
    check_query(Query(Aggregate.PERSONS, by=by), COLUMNS, visits)
    with pytest.raises(QueryError, match=r"of persons, not of rows.*COUNT\(DISTINCT who\)"):
        check_query(Query(Aggregate.COUNT, by=by), COLUMNS, visits)
    with pytest.raises(QueryError, match="person column"):
        check_query(Query(Aggregate.PERSONS, by=by), COLUMNS, Unit.row(neighbors))
