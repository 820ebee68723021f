"""What a ledger noted of a question is told in French where its grammar has words, and nowhere else."""

import pytest

from sfumato.language.asked import asked, parts_of
from sfumato.language.words import words
from sfumato.release.answer.query import Query


@pytest.mark.parametrize(
    ("noted", "french"),
    [
        ("count()", "count()"),
        ("mean(age) where sex = 'F'", "mean(age) où sex = 'F'"),
        ("mean(age) by age at 0, 30, 60", "mean(age) par age aux bornes 0, 30, 60"),
        ("sum(pay) by town (keys from the table), sex in ['F', 'M']",
         "sum(pay) par town (clés de la table), sex dans ['F', 'M']"),
        ("quantiles(pay, 1/2) method tree expecting 500 rows inner join visits by sex in ['F'] where a = '1' and b in ('x', 'y')",
         "quantiles(pay, 1/2) méthode tree pour 500 lignes attendues jointure interne visits par sex dans ['F'] où a = '1' et b dans ('x', 'y')"),
        ("count() where job = 'in and out where by' and town not in ('a and b', 'it''s by')",
         "count() où job = 'in and out where by' et town hors de ('a and b', 'it''s by')"),
        ("statistics of a graph", "statistiques d'un graphe"),
        ("by hand", "by hand"),
    ],
)  # fmt: skip
def test_words_of_the_grammar_are_told_and_values_stay(noted, french):
    assert asked(noted, words("fr")) == french
    assert asked(noted, words("en")) == noted


def test_a_price_is_told_apart():
    assert parts_of("count() where a = ' for epsilon 1' for rho 1/2") == (
        "count() where a = ' for epsilon 1'",
        "rho 1/2",
    )
    assert parts_of("a table by mondrian") == ("a table by mondrian", "")


def test_a_question_of_a_session_is_one_that_is_known():
    """The line is made elsewhere: a change of its words would be found here."""
    from sfumato.release.answer.moments import MEAN
    from sfumato.summary.bounded import Comparison, Condition

    query = Query(
        MEAN, ("age",), where=(Condition("sex", Comparison.EQUAL, ("F",)), Condition("a", Comparison.IN, ("x", "y")))
    )
    assert asked(query.sentence, words("fr")) == "mean(age) où sex = 'F' et a dans ('x', 'y')"
