"""Which charges share a price: those that no one person can have met twice. Versions, immutable columns, keys."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.account.budget import Budget
from sfumato.account.event import PureDP
from sfumato.account.ledger.account import Account, Asked
from sfumato.account.ledger.ledger import Ledger, Order, Scope
from sfumato.errors import BudgetExceeded, LedgerError, ParameterError
from sfumato.table.unit import OF_TABLES, Neighbors, Unit

PERSONS = Unit.row(Neighbors.ADD_REMOVE)
ONE = PureDP(Fraction(1))


def opened(url, immutable=None, unit=PERSONS, budget=10):
    ledger = Ledger.open(url, create=True)
    ledger.open_dataset("d", unit, Budget.pure(budget), immutable=immutable, create=True)
    ledger.open_analyst("d", "a", Budget.pure(budget))
    return ledger


def left(ledger):
    return ledger.statement("d").dataset.left[0]


def ask(ledger, key, version=None, column="state"):
    ledger.charge("d", "a", f"{column} {key} {version}", ONE, scope=Scope(column, (key,)), version=version)


def test_persons_who_change_category_between_versions_pay_in_each(url):
    """Eight states of one person in eight months are eight answers about that person."""
    with opened(url, budget=8) as ledger:
        for month, state in enumerate("abcdefgh"):
            ask(ledger, state, f"month {month}")
        assert left(ledger) == 0
        with pytest.raises(BudgetExceeded):
            ask(ledger, "a", "month 9")
        ask(ledger, "z", "month 1")  # in one version all states are one price
        assert left(ledger) == 0
        ledger.verify()


def test_without_a_version_nothing_is_shared(url):
    with opened(url) as ledger:
        for key in "abc":
            ask(ledger, key)
        assert left(ledger) == 7


def test_immutable_columns_share_across_versions_and_stand_in_the_ledger(url):
    with opened(url, immutable=["born"]) as ledger:
        for version, key in product(("1", "2", None), "ab"):
            ask(ledger, key, version, "born")
        assert left(ledger) == 7  # each key thrice
        ask(ledger, "a", "1")
        assert left(ledger) == 6
    with Ledger.open(url) as again:
        assert (again.statement("d").immutable, left(again)) == (("born",), 6)
        with pytest.raises(LedgerError, match=r"\['born'\] in this ledger; it was opened with \[\]"):
            again.open_dataset("d", PERSONS, Budget.pure(10), immutable=[])
        again.open_dataset("d", PERSONS, Budget.pure(10))
        again.open_dataset("d", PERSONS, Budget.pure(10), immutable=["born"])


def test_a_declaration_is_changed_with_a_reason_and_everything_is_counted_again(url):
    with opened(url) as ledger:
        for version, key in product("12", "ab"):
            ask(ledger, key, version)
        assert left(ledger) == 8
        with pytest.raises(ParameterError, match="reason"):
            ledger.declare_immutable("d", ["state"], reason=" ")
        ledger.declare_immutable("d", ["state"], reason="states are of birth")
        assert left(ledger) == 8  # a person met two answers either way
        ask(ledger, "c", "3")
        assert left(ledger) == 8
        ledger.declare_immutable("d", [], reason="no, they are not")
        assert left(ledger) == 7
        assert [one.reason for one in ledger.statement("d").declared] == ["states are of birth", "no, they are not"]
        assert "no, they are not" in ledger.statement("d").text()
        ledger.verify()


@pytest.mark.parametrize("key", ["5", "5.0", "05", " 5", "+5", "5e0", "5.00"])
def test_one_number_is_one_key_however_it_is_written(sqlite_url, key):
    with opened(sqlite_url) as ledger:
        ask(ledger, "5", "v")
        ledger.charge("d", "a", "again", ONE, scope=Scope("state", (key,)), version="v")
        assert left(ledger) == 8


@pytest.mark.parametrize("version", ["", "x" * 201, "a\nb", 3])
def test_a_version_is_a_short_public_name(sqlite_url, version):
    with opened(sqlite_url) as ledger, pytest.raises(ParameterError, match="version of the data"):
        ask(ledger, "a", version)


def test_a_charge_is_for_one_version_and_one_question(url):
    """A name used again for another version, or another meaning, is refused before a charge."""
    with opened(url) as ledger:
        ledger.charge("d", "a", "q", ONE, version="1", question="meaning")
        for other in ({"version": "2", "question": "meaning"}, {"version": "1", "question": "other"}, {"version": "1"}):
            with pytest.raises(LedgerError, match="must name one question"):
                ledger.charge("d", "a", "q", ONE, **other)
        assert left(ledger) == 9


def test_several_orders_are_charged_all_or_none(url):
    with opened(url, budget=2) as ledger:
        before = ledger.head()
        with pytest.raises(BudgetExceeded):
            ledger.charge_all("d", "a", [Order(name, ONE) for name in "abc"])
        assert ledger.head() == before
        receipts = ledger.charge_all("d", "a", [Order(name, ONE) for name in "aba"])
        assert [receipt.sequence for receipt in receipts] == [3, 4, 3]
        assert left(ledger) == 0
        with pytest.raises(LedgerError, match="one question"):
            ledger.charge_all("d", "a", [Order("a", ONE), Order("b", ONE, question="another")])
        assert ledger.verify().entries == 4


KEYS, VERSIONS, COLUMNS = "abc", ("1", "2", None), ("state", "born")
CHARGES = st.lists(
    st.tuples(
        st.sampled_from(VERSIONS),
        st.none() | st.tuples(st.sampled_from(COLUMNS), st.sets(st.sampled_from(KEYS), min_size=1).map(tuple)),
        st.integers(1, 4).map(Fraction),
    ),
    max_size=7,
)


def worst_life(charges, immutable, sides):
    """Try every life (a key of each column in each version; one key for good where it cannot change), or every two."""
    places = [(column, version) for column in COLUMNS for version in VERSIONS[:2]]
    lives = []
    for keys in product(KEYS, repeat=len(places)):
        life = dict(zip(places, keys, strict=True))
        if all(life[column, "1"] == life[column, "2"] for column in immutable):
            lives.append(life)

    def met(life):
        out = set()
        for i, (version, scope, _) in enumerate(charges):
            column, keys = scope or (None, ())
            if scope is None or (version is None and column not in immutable) or life[column, version or "1"] in keys:
                out.add(i)
        return frozenset(out)

    kinds = {met(life) for life in lives}
    return max((sum(charges[i][2] for i in set().union(*pair)) for pair in product(kinds, repeat=sides)), default=0)


@given(charges=CHARGES, immutable=st.sets(st.sampled_from(COLUMNS)), neighbors=st.sampled_from(OF_TABLES))
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_no_life_of_a_person_meets_more_than_is_counted(charges, immutable, neighbors):
    """And where each person stays what it was, no less is counted than the worst life: the sum is not above it."""
    account = Account.start(Unit.row(neighbors), Budget.pure(10**6), immutable)
    for version, scope, price in charges:
        asked = Asked(None if scope is None else Scope(*scope), version)
        account.pay(PureDP(price), asked, account.trial((price,), asked))
    assert account.spent[0] >= worst_life(charges, immutable, neighbors.sides)
    if neighbors is Neighbors.ADD_REMOVE:
        assert account.spent[0] == worst_life(charges, immutable, 1)
    assert account.spent[0] <= sum(price for _, _, price in charges)
    again = account.recounted(account.budget, set(COLUMNS) - immutable).recounted(account.budget, immutable)
    assert again.spent == account.spent
