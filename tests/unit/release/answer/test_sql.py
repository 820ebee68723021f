"""SELECTs become questions, or are refused with the reason."""

import pytest

from sfumato.errors import QueryError
from sfumato.release.answer.sql import queries_of
from sfumato.table.domain import Categories, Open, Range

pytest.importorskip("sqlglot")

COLUMNS = {"age": Range(0, 120, step=1), "pay": Range(0, 100, step=1), "sex": Categories(("F", "M")), "town": Open()}


def asked(text):
    """The canonical lines of a statement's questions."""
    return [query.sentence for query in queries_of(text, COLUMNS, "id", {"regions": "town"})]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("SELECT COUNT(*) FROM t", ["count()"]),
        ("select count(1) from t", ["count()"]),
        ("SELECT COUNT(age) FROM t", ["count(age)"]),
        ("SELECT COUNT(DISTINCT id) FROM t", ["persons()"]),
        ("SELECT SUM(pay), AVG(age) AS mean FROM t", ["sum(pay)", "mean(age)"]),
        ("SELECT VAR_POP(pay), STDDEV_POP(pay) FROM t", ["variance(pay)", "deviation(pay)"]),
        ("SELECT COVAR_POP(age, pay) FROM t", ["covariance(age, pay)"]),
        ("SELECT MEDIAN(age) FROM t", ["quantiles(age, 1/2)"]),
        ("SELECT QUANTILE(age, 0.25) FROM t", ["quantiles(age, 1/4)"]),
        ("SELECT APPROX_QUANTILE(age, 0.9) FROM t", ["quantiles(age, 9/10)"]),
        ("SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY age) FROM t", ["quantiles(age, 1/2)"]),
        ("SELECT sex, COUNT(*) FROM t GROUP BY sex", ["count() by sex in ['F', 'M']"]),
        ("SELECT town, COUNT(*) FROM t GROUP BY town", ["count() by town (keys from the table)"]),
        ("SELECT COUNT(*) FROM t WHERE age BETWEEN 18 AND 65", ["count() where age >= '18' and age <= '65'"]),
        ("SELECT COUNT(*) FROM t WHERE 30 < age AND (sex = 'F')", ["count() where age > '30' and sex = 'F'"]),
        ("SELECT COUNT(*) FROM t WHERE age > -1.5", ["count() where age > '-1.5'"]),
        ("SELECT COUNT(*) FROM t WHERE NOT (sex IN ('F', 'M'))", ["count() where sex not in ('F', 'M')"]),
        ("SELECT COUNT(*) FROM t WHERE sex <> 'F'", ["count() where sex != 'F'"]),
        ("SELECT COUNT(*) FROM t JOIN regions USING (town)", ["count() join regions"]),
        ("SELECT COUNT(*) FROM t LEFT JOIN regions ON t.town = regions.town", ["count() join regions"]),
    ],
)
def test_a_select_is_read(text, sentences):
    assert asked(text) == sentences


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT MAX(age) FROM t", "one person's value"),
        ("SELECT MIN(age) FROM t", "one person's value"),
        ("SELECT * FROM t", "single rows"),
        ("SELECT age FROM t", "never shown"),
        ("SELECT sex FROM t GROUP BY sex", "at least one aggregate"),
        ("SELECT DISTINCT age FROM t", "single person can add one"),
        ("SELECT COUNT(*) FROM t WHERE age > 3 OR sex = 'F'", "OR is not read"),
        ("SELECT SUM(age * 2) FROM t", "no declared bounds"),
        ("SELECT COUNT(*) + 1 FROM t", "no known bound"),
        ("SELECT EXP(SUM(age)) FROM t", "no known bound"),
        ("SELECT sex, COUNT(*) FROM t GROUP BY sex HAVING COUNT(*) > 3", "exact totals"),
        ("SELECT COUNT(*) FROM t ORDER BY 1", "Order the noisy answers"),
        ("SELECT COUNT(*) FROM t LIMIT 3", "LIMIT"),
        ("SELECT COUNT(*) FROM (SELECT * FROM t)", "Subqueries"),
        ("SELECT COUNT(*) FROM t WHERE age IN (SELECT age FROM t)", "Subqueries"),
        ("SELECT SUM(age) OVER () FROM t", "window"),
        ("WITH a AS (SELECT 1) SELECT COUNT(*) FROM a", "Common table"),
        ("SELECT COUNT(*) FROM t, t AS b", "public tables"),
        ("SELECT COUNT(*) FROM t JOIN t AS b USING (town)", "public tables"),
        ("SELECT COUNT(*) FROM t JOIN regions USING (sex)", "joined on 'town'"),
        ("SELECT COUNT(*) FROM t CROSS JOIN regions", "repeat rows"),
        ("SELECT COUNT(*) FROM t JOIN regions USING (town) JOIN regions USING (town)", "One public table"),
        ("SELECT COUNT(*) FROM t WHERE age IS NULL", "meets no condition"),
        ("SELECT COUNT(*) FROM t WHERE age = pay", "public value"),
        ("SELECT COUNT(*) FROM t WHERE LENGTH(sex) = 1", "plain columns"),
        ("SELECT COUNT(*) FROM t WHERE sex LIKE 'F%'", "comparisons"),
        ("SELECT COUNT(DISTINCT age) FROM t", "person column only"),
        ("SELECT VARIANCE(age) FROM t", "VAR_POP"),
        ("SELECT sex, COUNT(*) FROM t GROUP BY ROLLUP (sex)", "several questions|computed key"),
        ("SELECT COUNT(*) FROM t GROUP BY age + 1", "computed key"),
        ("DELETE FROM t", "Only one SELECT"),
        ("SELECT 1; SELECT 2", "Only one SELECT"),
        ("SELECT COUNT(*) FROM t UNION SELECT COUNT(*) FROM t", "Only one SELECT"),
        ("selec t from", "one SQL statement|Only one SELECT"),
        ("", "Only one SELECT"),
    ],
)
def test_what_cannot_be_bounded_is_refused_with_its_reason(text, reason):
    with pytest.raises(QueryError, match=reason):
        asked(text)
