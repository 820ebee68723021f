"""A statement means the same wherever the table lies: on a cluster and in PostgreSQL as in DuckDB."""

from random import Random
from uuid import uuid4

import pytest

pytest.importorskip("sqlglot")

from tests.unit.release.answer.sql_truth import UNITS, judge, table_of

from sfumato.errors import QueryError
from sfumato.table.source import SqlSource

TABLE = table_of(Random(3), n=120)  # noqa: S311
ANSWERED = (
    "SELECT COUNT(*), COUNT(DISTINCT id), COUNT(pay), SUM(T.Age), AVG(pay) FROM t WHERE age BETWEEN 18 AND 1e2 AND town <> 'o''Z'",
    "SELECT sex, VAR_POP(age), STDDEV_POP(pay), COVAR_POP(age, pay) FROM t WHERE flag = TRUE GROUP BY sex",
    "SELECT MEDIAN(age), PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY pay) FROM t WHERE pay > -2.5 AND free IN ('x', 'y')",
    "SELECT flag, region, COUNT(*) FROM t JOIN regions USING (town) WHERE NOT sex IN ('F') GROUP BY region, flag",
    "SELECT COUNT(*), AVG(r.size) FROM t LEFT JOIN regions r ON r.town = t.town WHERE 60 >= age",
    "SELECT COUNT(*) FROM t INNER JOIN regions ON t.town = regions.town",
)
REFUSED = (
    "SELECT COUNT(*) FROM t TABLESAMPLE 10%",
    "SELECT SUM(age) FILTER (WHERE age > 3) FROM t",
    "SELECT COUNT(*) FROM t WHERE age > 5 LIMIT 1",
)


@pytest.fixture(
    params=["sail", pytest.param("spark", marks=pytest.mark.slow), pytest.param("postgres", marks=pytest.mark.postgres)]
)
def source(request):
    """The table, where it lies."""
    place = request.getfixturevalue(request.param)
    if request.param != "postgres":
        yield place.createDataFrame(TABLE)
        return
    psycopg = pytest.importorskip("psycopg")
    name = f"t_{uuid4().hex}"
    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute(
            f"CREATE TABLE {name} (id int, age int, pay float8, sex text, town text, flag boolean, free text)"
        )
        rows = [tuple(row.values()) for row in TABLE.to_pylist()]
        connection.cursor().executemany(f"INSERT INTO {name} VALUES (%s, %s, %s, %s, %s, %s, %s)", rows)
        yield SqlSource(place, f"SELECT * FROM {name} ORDER BY id")
        connection.execute(f"DROP TABLE {name}")


def test_answers_are_duckdbs_and_refusals_cost_nothing(source):
    with judge(TABLE, UNITS[1], source=source) as told:
        assert [told(statement) for statement in ANSWERED] == [""] * len(ANSWERED)
        before = told.session.left
        for statement in REFUSED:
            with pytest.raises(QueryError):
                told.session.sql(statement, epsilon=1)
        assert told.session.left == before
