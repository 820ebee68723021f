"""What `sfumato budget` shows."""

from fractions import Fraction

from sfumato.account.budget import Budget
from sfumato.account.event import ApproxDP, Composed, DiscreteGaussianNoise, PureDP, ZeroConcentratedDP
from sfumato.account.ledger.ledger import Ledger, Scope
from sfumato.account.ledger.statement import event_words
from sfumato.language.words import words
from sfumato.table.unit import Neighbors, Unit


def filled(url):
    ledger = Ledger.open(url, create=True)
    for dataset in ("census", "other"):
        ledger.open_dataset(dataset, Unit.row(Neighbors.ADD_REMOVE), Budget.pure(1), at="2031-05-03", create=True)
        ledger.open_analyst(dataset, "ada", Budget.pure("1/2"))
    ledger.charge("other", "ada", "hidden", PureDP(Fraction(1, 4)))
    ledger.charge("census", "ada", "count()", PureDP(Fraction(1, 10)), note="first", at="Monday")
    ledger.store_answer("count()", "41")
    ledger.charge("census", "ada", "mean(age)", PureDP(Fraction(1, 3)), scope=Scope("sex", ("M", "F")))
    ledger.change_budget("census", "ada", Budget.pure("3/4"), reason="asked for it")
    return ledger


def test_the_text_has_budgets_charges_and_changes(sqlite_url):
    ledger = filled(sqlite_url)
    assert (
        ledger.statement("census").text()
        == f"""\
Data set census: budget epsilon 1; spent 0.433333 (13/30); left 0.566667 (17/30)
Protected: adding or removing a row.

Analysts:
  ada: budget epsilon 0.75 (3/4); spent 0.433333 (13/30); left 0.316667 (19/60)

Charges:
  6. ada: count(): epsilon 0.1 (1/10); cost 0.1 (1/10); first; Monday
  8. ada: mean(age): epsilon 0.333333 (1/3); cost 0.333333 (1/3); only sex in F, M; answer not stored

Changes of budgets:
  ada: now epsilon 0.75 (3/4) (asked for it)

Head: {ledger.head()}"""
    )


def test_no_text_can_pass_for_another_line(sqlite_url):
    ledger = filled(sqlite_url)
    ledger.charge("census", "ada", "q\nHead: 0:forged\x1b[2J", PureDP(Fraction(1, 100)), note="a\rb")
    text = ledger.statement("census").text()
    assert "q\\nHead: 0:forged\\x1b[2J" in text
    assert text.count("\nHead:") == 1
    assert "\r" not in text


def test_events_in_words():
    assert event_words(Composed((ZeroConcentratedDP(Fraction(1, 2)), ApproxDP(Fraction(1), Fraction(1, 10))))) == (
        "rho 0.5 (1/2) + epsilon 1, delta 0.1 (1/10)"
    )
    assert "squared scale 50" in event_words(DiscreteGaussianNoise(Fraction(50), Fraction(1)))


def test_the_text_is_french_where_the_terminal_is(sqlite_url):
    ledger = filled(sqlite_url)
    note = "mean(age) where sex = 'F' for epsilon 1/10"
    ledger.charge("census", "ada", "again", PureDP(Fraction(1, 10)), note=note)
    text = ledger.statement("census").text(words("fr")).replace("\u00a0", " ")
    assert text.startswith(
        "Jeu de données census : budget epsilon 1 ; dépensé 0,533333 (8/15) ; reste 0,466667 (7/15)\n"
    )
    assert "Protégé : l'ajout ou le retrait d'une ligne." in text
    assert "coût 0,333333 (1/3) ; seulement sex dans F, M ; réponse non conservée" in text
    assert "mean(age) où sex = 'F' pour epsilon 1/10 ; réponse non conservée" in text
    assert "désormais epsilon 0,75 (3/4) (asked for it)" in text
