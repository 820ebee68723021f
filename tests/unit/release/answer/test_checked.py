"""Questions whose answers cannot be bounded are refused before anything is read."""

from fractions import Fraction

import pytest

from sfumato.errors import QueryError
from sfumato.release.answer.checked import check_query
from sfumato.release.answer.counts import COUNT, PERSONS
from sfumato.release.answer.moments import COVARIANCE, MEAN, SUM
from sfumato.release.answer.query import Query
from sfumato.release.answer.ranks import QUANTILES
from sfumato.summary.bounded import Comparison, Condition, Keyed
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.unit import OF_TABLES, Neighbors, Unit

AGE, SEX = Range(0, 120, step=1), Categories(("F", "M"))
COLUMNS = {"age": AGE, "sex": SEX, "town": UnlistedText()}
ROWS = Unit.row(Neighbors.ADD_REMOVE)
HALF = (Fraction(1, 2),)


@pytest.mark.parametrize(
    "query",
    [
        Query(COUNT),
        Query(COUNT, ("sex",)),
        Query(MEAN, ("age",), (Keyed("sex", SEX),), (Condition("age", Comparison.AT_LEAST, ("18",)),)),
        Query(COUNT, by=(Keyed("age", AGE, (0, 60, 121)),)),
        Query(COUNT, by=(Keyed("town", None),)),
        Query(QUANTILES, ("age",), quantiles=HALF),
    ],
)
def test_bounded_questions_pass(query):
    check_query(query, COLUMNS, ROWS)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(SUM, ("pay",)), "no declared domain"),
        (Query(SUM, ("sex",)), "needs declared bounds"),
        (Query(SUM), "takes 1 to 1"),
        (Query(COVARIANCE, ("age",)), "takes 2"),
        (Query(COUNT, by=(Keyed("age", AGE),)), "need declared bins"),
        (Query(COUNT, by=(Keyed("age", AGE, (0, 130)),)), "increase from its low to its high"),
        (Query(COUNT, by=(Keyed("age", AGE, (0, 60, 60, 121)),)), "increase"),
        (Query(COUNT, by=(Keyed("sex", SEX, (0, 1)),)), "Only numbers have bins"),
        (Query(COUNT, by=(Keyed("sex", SEX), Keyed("sex", SEX))), "groups once"),
        (Query(MEAN, ("age",), (Keyed("town", None),)), "select the keys first"),
        (Query(COUNT, where=(Condition("sex", Comparison.LESS, ("F",)),)), "no declared number"),
        (Query(COUNT, where=(Condition("age", Comparison.EQUAL, ("x",)),)), "no number"),
        (Query(COUNT, where=(Condition("sex", Comparison.NOT_EQUAL, ("male",)),)), "not among its declared"),
        (Query(COUNT, where=(Condition("sex", Comparison.IN, ("F", "f")),)), r"\['f'\], which are not among"),
        (Query(COUNT, where=(Condition("age", Comparison.EQUAL, ("1", "2")),)), "wrong number"),
        (Query(COUNT, where=(Condition("age", Comparison.IN, ()),)), "wrong number"),
        (Query(QUANTILES, ("age",)), "take a list"),
        (Query(COUNT, quantiles=HALF), "take a list"),
        (Query(QUANTILES, ("age",), quantiles=(Fraction(0),)), r"strictly inside"),
        (Query(QUANTILES, ("age",), quantiles=(*HALF, *HALF)), r"strictly inside"),
        (Query(QUANTILES, ("age",), (Keyed("sex", SEX),), quantiles=HALF), "one group at a time"),
        (Query(PERSONS), "person column"),
    ],
)
def test_others_are_refused_with_the_reason(query, reason):
    with pytest.raises(QueryError, match=reason):
        check_query(query, COLUMNS, ROWS)


@pytest.mark.parametrize("neighbors", OF_TABLES)
def test_keys_read_from_the_table_come_with_what_was_asked_for(neighbors):
    """Their number is one of persons: who asks for rows, of which a person has several, gets no other number."""
    visits, by = Unit(neighbors, "who", 3, 2), (Keyed("town", None),)
    check_query(Query(PERSONS, by=by), COLUMNS, visits)
    with pytest.raises(QueryError, match=r"of persons, not of rows.*COUNT\(DISTINCT who\)"):
        check_query(Query(COUNT, by=by), COLUMNS, visits)
    with pytest.raises(QueryError, match="person column"):
        check_query(Query(PERSONS, by=by), COLUMNS, Unit.row(neighbors))
