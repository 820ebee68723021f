"""A SELECT about a graph is a statistic and a choice of its rows, or is refused with the name of what tells it."""

import pytest

from sfumato.errors import QueryError
from sfumato.release.graph.sql import selected

PLACES = ("club", "town")
MIXED = 'SELECT club, "other club", COUNT(*) FROM edges'


def kept(found):
    return [(one.column, one.comparison.value, one.values) for one in found.kept]


@pytest.mark.parametrize(
    ("text", "keys", "conditions"),
    [
        ("SELECT COUNT(*) FROM edges", {"name": "edges"}, []),
        ("FROM Edges e SELECT COUNT(1) AS n", {"name": "edges"}, []),
        ("SELECT COUNT(*) FROM triangles", {"name": "triangles"}, []),
        ("SELECT COUNT(*) FROM parts", {"name": "parts"}, []),
        ("SELECT vertex, core FROM vertices", {"name": "cores"}, []),
        (f'{MIXED} GROUP BY club, "other club"', {"name": "mixing", "by": "club"}, []),
        (
            f"{MIXED} WHERE club = 'x' GROUP BY \"other club\"",
            {"name": "mixing", "by": "club"},
            [("club", "=", ("x",))],
        ),
        (
            "SELECT degree, COUNT(*) FROM vertices WHERE degree < 2.5 GROUP BY degree",
            {"name": "degrees", "most": 3},
            [("degree", "<", ("2.5",))],
        ),
        (
            "SELECT COUNT(*) FROM vertices v WHERE v.Degree = 0 AND v.town = 'a'",
            {"name": "degrees", "most": 1, "by": "town"},
            [("degree", "=", ("0",)), ("town", "=", ("a",))],
        ),
        (
            "SELECT degree, COUNT(*) FROM vertices WHERE degree BETWEEN 2 AND 9 AND degree IN (3, 5) GROUP BY degree",
            {"name": "degrees", "most": 6},
            [("degree", ">=", ("2",)), ("degree", "<=", ("9",)), ("degree", "in", ("3", "5"))],
        ),
        (
            "SELECT club, SUM(degree) FROM vertices GROUP BY club",
            {"name": "degrees-of-groups", "by": "club"},
            [],
        ),
    ],
)
def test_a_statement_is_a_statistic(text, keys, conditions):
    found = selected(text, PLACES, None)
    assert (dict(found.keys), kept(found)) == (keys, conditions)


def test_where_a_vertex_is_protected_the_declared_degree_is_the_last():
    found = selected("SELECT degree, COUNT(*) FROM vertices GROUP BY degree", (), 7)
    assert dict(found.keys) == {"name": "degrees"}


def test_rows_are_chosen_by_number_and_by_text():
    found = selected(
        "SELECT degree, COUNT(*) FROM vertices WHERE club <> 'x' AND degree <= 10 GROUP BY club, degree", PLACES, None
    )
    keys = [("x", "1"), ("y", "9"), ("y", "10"), ("y", "11")]
    assert found.rows(("club", "degree"), keys) == [1, 2]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SELECT COUNT(*) FROM friends", "the tables"),
        ("SELECT COUNT(*) FROM edges JOIN vertices USING (vertex)", "not joined"),
        ("SELECT COUNT(*) FROM vertices", "is public"),
        ("SELECT club, COUNT(*) FROM vertices GROUP BY club", "is public"),
        ("SELECT degree, COUNT(*) FROM vertices GROUP BY degree", "chosen without looking"),
        ("SELECT COUNT(*) FROM vertices WHERE degree > 3", "add up the rows"),
        ("SELECT degree, COUNT(*) FROM vertices WHERE degree < 3 AND club IN ('x', 'y') GROUP BY degree", "add up the rows"),
        ("SELECT AVG(degree) FROM vertices GROUP BY club", "degrees-of-groups"),
        ("SELECT SUM(degree) FROM vertices", "twice their number"),
        ("SELECT core, COUNT(*) FROM vertices GROUP BY core", "`cores`"),
        ("SELECT vertex, degree, COUNT(*) FROM vertices GROUP BY vertex, degree", "`degrees, by"),
        ("SELECT degree, COUNT(*) FROM vertices WHERE degree < 3 GROUP BY club, town, degree", "`degrees, by"),
        ("SELECT club, COUNT(*) FROM edges GROUP BY club", "`mixing"),
        ('SELECT COUNT(*) FROM edges GROUP BY club, "other town"', "`mixing"),
        ("SELECT SUM(degree) FROM edges", "degrees"),
        ("SELECT COUNT(club) FROM edges", "degrees"),
        ("SELECT COUNT(*), COUNT(*) FROM edges", "one aggregate"),
        ("SELECT vertex FROM vertices", "must be grouped by"),
        ("SELECT core, vertex FROM vertices GROUP BY core, vertex", "one aggregate"),
        ("SELECT * FROM edges", "single rows"),
        ("SELECT COUNT(*) FROM edges HAVING COUNT(*) > 3", "HAVING"),
        ("SELECT COUNT(*) FROM edges /*! */ GROUP BY DISTINCT club", "not read"),
        ("SELECT COUNT(*) FROM edges WHERE who = 'ann'", "declared"),
        ("SELECT COUNT(*)", "the tables"),
        ("WITH t AS (SELECT 1) SELECT COUNT(*) FROM edges", "[Cc]ommon table"),
    ],
)  # fmt: skip
def test_what_no_statistic_answers_is_refused(text, words):
    with pytest.raises(QueryError, match=words):
        selected(text, PLACES, None)
