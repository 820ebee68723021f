"""Does a ledger stay quick, however many charges it has and whatever their numbers and scopes are? Counted, not timed."""

from fractions import Fraction

import pytest

from sfumato.account.budget import Budget
from sfumato.account.event import PureDP
from sfumato.account.ledger.account import Account, Asked
from sfumato.account.ledger.ledger import Ledger, Order, Scope
from sfumato.account.ledger.transactions import charged
from sfumato.errors import ParameterError
from sfumato.numbers.enclosure import kept
from sfumato.table.unit import OF_TABLES, Neighbors, Unit

KEYS = [f"k{i}" for i in range(12)]


def operations(monkeypatch, charges, neighbors):
    """Additions, subtractions and comparisons of fractions for so many charges with overlapping scopes."""
    n = [0]
    account = Account.start(Unit.row(neighbors), Budget.pure(10**9), ["k"])
    with monkeypatch.context() as patch:
        for name in ("__add__", "__radd__", "__sub__", "__lt__", "__gt__", "__le__", "__ge__"):
            real = getattr(Fraction, name)

            def counted(a, b, real=real):
                n[0] += 1
                return real(a, b)

            patch.setattr(Fraction, name, counted)
        for i in range(charges):
            scope = Scope("k", tuple({KEYS[i % 12], KEYS[(5 * i + 1) % 12], KEYS[(i // 12) % 12]}))
            price, asked = (Fraction(1, 1 + i % 7),), Asked(scope, None)
            account.pay(PureDP(price[0]), asked, account.trial(price, asked))
    return n[0]


@pytest.mark.parametrize("neighbors", OF_TABLES)
def test_charges_with_overlapping_scopes_take_as_many_steps_late_as_early(monkeypatch, neighbors):
    """Twice the charges are about twice the steps (quadratic: four times); pairs of parts are bounded by the parts."""
    few, many = (operations(monkeypatch, n, neighbors) for n in (600, 1200))
    assert 1.9 < many / few < 2.7
    assert many < 1200 * 3 * len(KEYS) * 12


def test_opening_reads_each_entry_once_and_copies_no_sums(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path}/ledger.db"
    counts = {}
    for n in (40, 160):
        ledger = Ledger.open(url, create=True)
        ledger.open_dataset("d", Unit.row(Neighbors.ADD_REMOVE), Budget.pure(10**6), create=True)
        ledger.open_analyst("d", "a", Budget.pure(10**6))
        with ledger._transactions.writing() as transaction:
            for i in range(n):
                scope = Scope("k", (KEYS[i % 12], KEYS[(i + 1) % 12]))
                charged(transaction, "d", "a", Order(f"q{i}", PureDP(Fraction(1, 7)), scope, version="v"), "")
        seen = []
        real = Account.trial
        with monkeypatch.context() as patch:
            patch.setattr(Account, "trial", lambda self, *a, seen=seen, real=real: (seen.append(1), real(self, *a))[1])
            Ledger.open(url)
            counts[n] = len(seen)
            seen.clear()
            ledger.verify()
        counts[-n] = len(seen)
    assert counts == {40: 2 * 40, -40: 2 * 40, 160: 0, -160: 2 * 160}  # the longer one begins at its checkpoint


def test_coprime_denominators_do_not_make_sums_longer(tmp_path):
    """Each is short; their exact sum would have thousands of digits."""
    primes = [p for p in range(10**6, 10**6 + 1500) if all(p % d for d in range(2, 1010))]
    account = Account.start(Unit.row(Neighbors.ADD_REMOVE), Budget.pure(1))
    exact = Fraction(0)
    for p in primes:
        price = (Fraction(1, p),)
        account.pay(PureDP(price[0]), Asked(), account.trial(price, Asked()))
        exact += price[0]
    assert len(primes) > 80
    assert exact.denominator > 10**480
    assert account.spent[0].denominator <= 10**60
    assert 0 <= account.spent[0] - exact < Fraction(len(primes), 10**60)


def test_thirds_still_fill_one_and_nothing_is_rounded_down():
    assert kept(kept(Fraction(1, 3) + Fraction(1, 3)) + Fraction(1, 3)) == 1
    fine = Fraction(1, 7**90)
    assert kept(fine) >= fine
    account = Account.start(Unit.row(Neighbors.ADD_REMOVE), Budget.pure(1))
    for _ in range(3):
        price = (Fraction(1, 3),)
        account.pay(PureDP(price[0]), Asked(), account.trial(price, Asked()))
    assert account.left == (0,)


LONG = Fraction(10**4287 + 1, 9 * 10**4297 + 7)


@pytest.mark.parametrize(
    "given", [LONG, "0." + "0" * 70 + "1", f"1/{10**61}", "1e999999999", "1e-999999999", 1e-70, 10**61]
)
def test_a_price_of_endless_digits_is_refused_at_once(given):
    for make in (Budget.pure, Budget.zcdp, lambda x: Budget.approx(1, x), lambda x: Budget.renyi(2, x)):
        with pytest.raises(ParameterError, match="60 digits"):
            make(given)


def test_an_event_of_endless_digits_is_no_charge(tmp_path):
    """One analyst's long number cannot make the data set slow for all."""
    with Ledger.open(f"sqlite:///{tmp_path}/ledger.db", create=True) as ledger:
        ledger.open_dataset("d", Unit.row(Neighbors.ADD_REMOVE), Budget.pure(1), create=True)
        ledger.open_analyst("d", "mallory", Budget.pure(1))
        with pytest.raises(ParameterError, match="digits"):
            ledger.charge("d", "mallory", "q", PureDP(LONG))
        assert ledger.head().entries == 2
