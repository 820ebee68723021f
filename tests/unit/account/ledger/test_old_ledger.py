"""A ledger that version 0.1.0 wrote: it opens, its charges count, its answers are not given again."""

import shutil
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pytest

import sfumato
from sfumato.account.budget import Budget
from sfumato.account.event import PureDP
from sfumato.account.ledger.chain import Head, seal
from sfumato.account.ledger.entry import Charged
from sfumato.account.ledger.ledger import Ledger, Scope
from sfumato.account.ledger.state import LedgerState
from sfumato.errors import BudgetExceeded, LedgerError
from sfumato.table.unit import Neighbors, Unit

FILE = Path(__file__).parents[3] / "data" / "ledger" / "version-0.1.0.db"
HEAD = Head(24, "a022c151dc2dc604b1b9833388a10904f6996c815c5f5d4cca255e1779ad3f72")
HALF = PureDP(Fraction(1, 2))


@pytest.fixture
def ledger(tmp_path):
    shutil.copy(FILE, tmp_path / "old.db")
    with Ledger.open(f"sqlite:///{tmp_path}/old.db") as opened:
        yield opened


def test_it_opens_as_it_was_sealed_and_its_charges_count_in_full(ledger):
    """Three regions at 1/2 shared one price between versions that nobody had named; they cost 3/2."""
    assert ledger.verify(HEAD) == HEAD
    census = ledger.statement("census")
    assert census.dataset.spent == (Fraction(3, 2) + Fraction(1, 3) + Fraction(1, 4),)
    assert census.dataset.left == (3 - census.dataset.spent[0],)
    assert [line.charge.question for line in census.charges] == [None] * 5
    assert ledger.statement("visits").dataset.spent == (1, Fraction(1, 10**7))
    assert ledger.statement("people").dataset.left == (Fraction(1, 4),)  # 0.1.0 showed 1/2


@pytest.mark.parametrize("request_name", ["north", "all", "unanswered"])
def test_its_requests_are_not_used_again(ledger, request_name):
    event = {"north": HALF, "all": PureDP(Fraction(1, 3)), "unanswered": PureDP(Fraction(1, 4))}[request_name]
    scope = Scope("region", ("north",)) if request_name == "north" else None
    with pytest.raises(LedgerError, match=r"version 0\.1\.0"):
        ledger.charge("census", "bob" if request_name == "all" else "ada", request_name, event, scope=scope)
    assert ledger.head() == HEAD


def test_it_goes_on_and_new_charges_follow_the_new_rule(ledger):
    for i, key in enumerate(("north", "south")):
        ledger.charge("census", "bob", f"new {i}", HALF, scope=Scope("region", (key,)), version="2")
    assert ledger.statement("census").dataset.left == (Fraction(5, 12),)
    with pytest.raises(BudgetExceeded):
        ledger.charge("census", "bob", "more", HALF)
    ledger.verify(HEAD)


def test_no_charge_of_the_old_kind_may_follow_one_of_today(ledger):
    """Else a forger could write a charge whose sums are not checked."""
    state = LedgerState()
    with ledger._transactions.reading() as transaction:
        links = [*transaction.pages.since(1)]
    for link in links:
        state.read(link)
    zero = PureDP(Fraction(0))
    old = Charged(
        "people", "analyst", "o", zero, None, ((0,), (0,)), ((Fraction(1, 2),), (Fraction(1, 2),)), "", "", None, None
    )
    new = Charged("people", "analyst", "n", zero, None, ((0,), (0,)), ((Fraction(1, 4),), (Fraction(1, 4),)), "", "")
    state.read(seal(state.head, old.data()))
    state.read(seal(state.head, new.data()))
    assert state.is_renewed
    with pytest.raises(LedgerError, match="as it was written"):
        state.read(seal(state.head, {**old.data(), "request": "o2"}))


def test_a_session_pays_anew_for_what_was_answered_then(ledger):
    table = pa.table({"age": [30, 40, 50] * 1000, "sex": ["F", "M", "F"] * 1000})
    schema = {"age": sfumato.Range(0, 120, step=1), "sex": sfumato.Categories(("F", "M"))}
    with sfumato.Session(
        table, schema, unit=Unit.row(Neighbors.ADD_REMOVE), budget=Budget.pure(1), ledger=ledger, dataset="people"
    ) as session:
        with pytest.raises(LedgerError, match=r"version 0\.1\.0"):
            session.mean("age", where=[("sex", "=", "F")], epsilon="1/4", request="mean")
        assert session.left == (Fraction(1, 4),)
        session.count(epsilon="1/4")
        assert session.left == (0,)
