"""Nothing passes that the grammar does not list: every argument and every kind of node that the parser knows is tried."""

import pytest

pytest.importorskip("sqlglot")

import sqlglot
from sqlglot import exp

from sfumato.errors import QueryError
from sfumato.release.answer.sql_grammar import ALLOWED, admit

WHOLE = """
    SELECT sex AS s, COUNT(*), COUNT(age), COUNT(DISTINCT id), SUM(t.pay), AVG(age), VAR_POP(age), STDDEV_POP(age), COVAR_POP(age, pay),
        MEDIAN(age), QUANTILE(age, 0.5), QUANTILE_CONT(age, 0.5), QUANTILE_DISC(age, 0.5), APPROX_QUANTILE(age, 0.5),
        PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY age)
    FROM t AS p LEFT OUTER JOIN regions AS r ON p.town = r.town
    WHERE age BETWEEN 1 AND 2 AND (age > -1 AND 3 >= pay AND pay < 1 AND pay <= 1) AND sex = 'F' AND sex <> 'M' AND NOT sex IN ('F')
        AND flag = TRUE
    GROUP BY sex, town
"""


def parsed():
    return sqlglot.parse_one(WHOLE, read="duckdb")


def test_the_statement_has_every_kind_of_node_that_is_listed():
    admit(parsed())
    assert {type(node).__name__ for node in parsed().walk()} == {*ALLOWED}


def test_every_argument_that_is_not_listed_is_refused():
    tree, tried = parsed(), 0
    for node in list(tree.walk()):
        listed = ALLOWED[type(node).__name__]
        for name in {*node.arg_types, "unheard_of"} - {*listed}:
            for value in (True, "TEXT", exp.Literal.number(1), [exp.Star()]):
                node.set(name, value)
                with pytest.raises(QueryError):
                    admit(tree)
                node.args.pop(name)
                tried += 1
    admit(tree)
    assert tried > 500


def test_every_kind_of_node_that_is_not_listed_is_refused():
    """Each kind is tried in every fifth place, each place with every fifth kind."""
    tree, tried = parsed(), 0
    kinds = [kind for kind in vars(exp).values() if isinstance(kind, type) and issubclass(kind, exp.Expression)]
    places = {}
    for node in list(tree.walk()):
        for name, value in node.args.items():
            if isinstance(value, exp.Expression):
                places[type(node).__name__, name] = (node, name, value)
    for i, (node, name, value) in enumerate(places.values()):
        rule = ALLOWED[type(node).__name__][name]
        for kind in [kind for kind in kinds[i % 5 :: 5] if kind.__name__ not in rule]:
            node.args[name] = kind()
            with pytest.raises(QueryError):
                admit(tree)
            tried += 1
        node.args[name] = value
    admit(tree)
    assert tried > 5_000
