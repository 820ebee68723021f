"""SELECTs become questions, or are refused with the reason."""

import pytest

from sfumato.errors import QueryError
from sfumato.release.answer.sql import queries_of
from sfumato.release.answer.sql_names import Joinable
from sfumato.table.domain import Categories, Range, UnlistedText

pytest.importorskip("sqlglot")

COLUMNS = {
    "age": Range(0, 120, step=1), "pay": Range(0, 100, step=1), "sex": Categories(("F", "M")), "town": UnlistedText(),
    "flag": Categories(("true", "false")),
}  # fmt: skip
REGIONS = {"regions": Joinable("town", {"region": Categories(("n", "s")), "size": Range(0, 9, step=1)})}


def asked(text):
    """The canonical lines of a statement's questions."""
    return [query.sentence for query in queries_of(text, COLUMNS, "id", REGIONS)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("SELECT COUNT(*) FROM t", ["count()"]),
        ("select count(1) from t", ["count()"]),
        ("SELECT COUNT(age) FROM t", ["count(age)"]),
        ("SELECT COUNT(DISTINCT id) FROM t", ["persons()"]),
        ("SELECT COUNT(DISTINCT T.ID) FROM t", ["persons()"]),
        ("SELECT SUM(pay), AVG(age) AS mean FROM t", ["sum(pay)", "mean(age)"]),
        ("SELECT VAR_POP(pay), STDDEV_POP(pay) FROM t", ["variance(pay)", "deviation(pay)"]),
        ("SELECT COVAR_POP(age, pay) FROM t", ["pair covariance(age, pay)"]),
        ("SELECT MEDIAN(age) FROM t", ["quantiles(age, 1/2)"]),
        ("SELECT QUANTILE(age, 0.25) FROM t", ["quantiles(age, 1/4)"]),
        ("SELECT QUANTILE_CONT(age, .25) FROM t", ["quantiles(age, 1/4)"]),
        ("SELECT QUANTILE_DISC(age, 25e-2) FROM t", ["quantiles(age, 1/4)"]),
        ("SELECT APPROX_QUANTILE(age, 0.9) FROM t", ["quantiles(age, 9/10)"]),
        ("SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY age) FROM t", ["quantiles(age, 1/2)"]),
        ("SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY t.age ASC) FROM t", ["quantiles(age, 1/2)"]),
        ("SELECT sex, COUNT(*) FROM t GROUP BY sex", ["count() by sex in ['F', 'M']"]),
        ("SELECT town, COUNT(*) FROM t GROUP BY town", ["count() by town (keys from the table)"]),
        ("SELECT COUNT(*) FROM t WHERE age BETWEEN 18 AND 65", ["count() where age >= '18' and age <= '65'"]),
        ("SELECT COUNT(*) FROM t WHERE 30 < age AND (sex = 'F')", ["count() where age > '30' and sex = 'F'"]),
        ("SELECT COUNT(*) FROM t WHERE age > -1.5", ["count() where age > '-1.5'"]),
        ("SELECT COUNT(*) FROM t WHERE age > +1e1", ["count() where age > '1e1'"]),
        ("SELECT COUNT(*) FROM t WHERE NOT (sex IN ('F', 'M'))", ["count() where sex not in ('F', 'M')"]),
        ("SELECT COUNT(*) FROM t WHERE sex <> 'F'", ["count() where sex != 'F'"]),
        ("SELECT COUNT(*) FROM t WHERE town = 'F''; DROP TABLE t; --'", ["count() where town = 'F''; DROP TABLE t; --'"]),
        ("SELECT COUNT(*) FROM t WHERE flag = TRUE AND flag IN (false)", ["count() where flag = 'true' and flag in 'false'"]),
        ("SELECT COUNT(*) FROM t AS p WHERE P.Age > 3", ["count() where age > '3'"]),
        ('SELECT COUNT("age") FROM "t" -- all of them\n;', ["count(age)"]),
        ('FROM t SELECT /* plainly */ COUNT(*) AS "how many"', ["count()"]),
        ("SELECT COUNT(*) FROM t JOIN regions USING (town)", ["count() inner join regions"]),
        ("SELECT COUNT(*) FROM t INNER JOIN regions r ON r.town = t.town", ["count() inner join regions"]),
        ("SELECT COUNT(*) FROM t LEFT JOIN regions ON t.town = regions.town", ["count() join regions"]),
        ("SELECT AVG(r.size) FROM t LEFT OUTER JOIN Regions AS r USING (TOWN) WHERE region = 'n'", ["mean(size) join regions where region = 'n'"]),
    ],
)  # fmt: skip
def test_a_select_is_read(text, sentences):
    assert asked(text) == sentences


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT MAX(age) FROM t", "one person's value"),
        ("SELECT MIN(age) FROM t", "one person's value"),
        ("SELECT COUNT(*) FROM t GROUP BY sex WHERE age > 3", "in this order"),
        ("SELECT COUNT(*) FROM t WHERE age > 3 JOIN regions USING (town)", "in this order"),
        ("FROM t SELECT COUNT(*) JOIN regions USING (town)", "in this order"),
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
        ("SELECT COUNT(*) FROM t JOIN regions", "joined on 'town'"),
        ("SELECT COUNT(*) FROM t JOIN regions ON t.town = t.town", "joined on 'town'"),
        ("SELECT COUNT(*) FROM t JOIN regions ON town = regions.town", "joined on 'town'"),
        ("SELECT COUNT(*) FROM t JOIN regions ON t.town = 'A'", "joined on 'town'"),
        ("SELECT COUNT(*) FROM t CROSS JOIN regions", "inner or left join"),
        ("SELECT COUNT(*) FROM t RIGHT JOIN regions USING (town)", "inner or left join"),
        ("SELECT COUNT(*) FROM t JOIN regions USING (town) JOIN regions USING (town)", "One public table"),
        ("SELECT COUNT(town) FROM t JOIN regions ON t.town = regions.town", "both tables; write t.town"),
        ("SELECT COUNT(regions.town) FROM t LEFT JOIN regions USING (town)", "write t.town"),
        ("SELECT COUNT(*) FROM t AS regions", "is public"),
        ("SELECT COUNT(*) FROM t AS r JOIN regions AS R USING (town)", "Both tables are called"),
        ("SELECT COUNT(*) FROM t AS p WHERE t.age > 3", "no table of this statement"),
        ("SELECT COUNT(region) FROM t", "no declared domain"),
        ("SELECT COUNT(*) FROM 'x.csv'", "plain name"),
        ("SELECT COUNT(*) FROM t WHERE age IS NULL", "meets no condition"),
        ("SELECT COUNT(*) FROM t WHERE age = pay", "public value"),
        ("SELECT COUNT(*) FROM t WHERE 1 = 1", "two values"),
        ("SELECT COUNT(*) FROM t WHERE LENGTH(sex) = 1", "LENGTH is none"),
        ("SELECT COUNT(*) FROM t WHERE sex LIKE 'F%'", "LIKE is no condition here"),
        ("SELECT COUNT(*) FROM t WHERE sex = 1", "compared with a text"),
        ("SELECT COUNT(*) FROM t WHERE sex = TRUE", "compared with a text"),
        ("SELECT COUNT(*) FROM t WHERE age = '1'", "compared with a number"),
        ("SELECT COUNT(*) FROM t WHERE age = TRUE", "compared with a number"),
        ("SELECT COUNT(*) FROM t WHERE age > 9007199254740992", "below 2\\^53"),
        ("SELECT COUNT(*) FROM t WHERE age > 1e999999999", "decimal digits"),
        (f"SELECT COUNT(*) FROM t WHERE age > 0.{'1' * 80}", "at most 60 digits"),
        ("SELECT COUNT(DISTINCT age) FROM t", "person column only"),
        ("SELECT COUNT(DISTINCT id, age) FROM t", "person column only"),
        ("SELECT COUNT() FROM t", "COUNT takes"),
        ("SELECT COUNT(*) n FROM t", "write AS n"),
        ("SELECT SUM(age) EXPORT_STATE FROM t", "EXPORT_STATE is not read"),
        ("SELECT COUNT(*) FROM t WHERE (age > 3 AND sex IN ('M') AS)", "AS is not read here"),
        ("SELECT AS COUNT(*) AS n, SUM(age) FROM t", "AS is not read|structure"),
        ("SELECT COUNT(*) FROM t {# WHERE age > 3 #}", "'{' is not read"),
        ("SELECT COUNT(*) FROM t WHERE age > 3 GROUP BY", "names none|cannot be parsed"),
        ("SELECT COUNT(*) FROM t WHERE age IN (1, , 2)", ", is not read here"),
        ("SELECT QUANTILE(age, 0.5, 3) FROM t", "is not read here"),
        ("SELECT QUANTILE(age, 0.5 FROM t", "missing|cannot be parsed"),
        ("SELECT COUNT(*) FROM some t", "SOME is a word of SQL"),
        ("SELECT COUNT(*) AS 'n' FROM t", "double quotes or in none"),
        ("SELECT COUNT(*) FROM t WHERE sex = 'f'", "no declared category"),
        ("SELECT VARIANCE(age) FROM t", "VAR_POP"),
        ("SELECT VARIANCE_POP(age) FROM t", "VARIANCE_POP is not read"),
        ("SELECT PERCENTILE_CONT(age, 0.5) FROM t", "WITHIN GROUP"),
        ("SELECT QUANTILE(0.5) FROM t", "QUANTILE"),
        ("SELECT QUANTILE(age, '0.5') FROM t", "decimal digits"),
        ("SELECT QUANTILE(age, pay) FROM t", "only a number"),
        ("SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY age NULLS FIRST) FROM t", "no rank"),
        ("SELECT sex, COUNT(*) FROM t GROUP BY ROLLUP (sex)", "several questions|computed key"),
        ("SELECT COUNT(*) FROM t GROUP BY age + 1", "computed key"),
        ("DELETE FROM t", "Only one SELECT"),
        ("SELECT 1; SELECT 2", "Only one SELECT"),
        ("SELECT COUNT(*) FROM t UNION SELECT COUNT(*) FROM t", "Only one SELECT"),
        ("selec t from", "one SQL statement|Only one SELECT"),
        ("SELECT COUNT(*) FROM t WHERE " + "(" * 3000 + "age > 1" + ")" * 3000, "cannot be parsed"),
        ("SELECT COUNT(*) FROM t" + " " * 100_000, "at most 100,000 letters"),
        ("", "Only one SELECT"),
    ],
)
def test_what_cannot_be_bounded_is_refused_with_its_reason(text, reason):
    with pytest.raises(QueryError, match=reason):
        asked(text)


def test_columns_that_differ_in_case_alone_are_told_apart_by_their_spelling():
    columns = {"Pay": Range(0, 9, step=1), "PAY": Range(0, 9, step=1)}
    (query,) = queries_of("SELECT SUM(Pay) FROM t", columns, None, {})
    assert query.columns == ("Pay",)
    with pytest.raises(QueryError, match="no declared domain"):
        queries_of("SELECT SUM(pay) FROM t", columns, None, {})
