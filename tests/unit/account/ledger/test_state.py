"""The state refuses a list that says what cannot be, even if its chain is whole."""

from dataclasses import replace
from fractions import Fraction

import pytest

from sfumato.account.budget import Budget
from sfumato.account.event import PureDP, ZeroConcentratedDP
from sfumato.account.ledger.chain import seal
from sfumato.account.ledger.entry import AnalystOpened, Answered, BudgetChanged, Charged, DatasetOpened
from sfumato.account.ledger.state import LedgerState
from sfumato.errors import LedgerError
from sfumato.table.unit import Neighbors, Unit

HALF, WHOLE = (Fraction(1, 2),), (Fraction(1),)
OPENED = DatasetOpened("d", Unit.row(Neighbors.ADD_REMOVE), Budget.pure(1), "")
ANALYST = AnalystOpened("d", "a", Budget.pure(1), "")
CHARGED = Charged("d", "a", "q", PureDP(HALF[0]), None, (HALF, HALF), (HALF, HALF), "", "")
START = [OPENED, ANALYST, CHARGED]
FREE = replace(CHARGED, request="free", event=PureDP(Fraction(0)), costs=((Fraction(0),),) * 2)


def read(entries):
    state = LedgerState()
    for entry in entries:
        state.read(seal(state.head, entry.data()))
    return state


def test_a_list_as_the_ledger_writes_it_is_read():
    state = read([*START, Answered("q", "5"), FREE])
    assert (state.account("d").left, state.account("d", "a").spent) == (HALF, HALF)
    assert state.charges["q"].entries == 3
    assert state.answers["q"].entries == 4


FORGED = {
    "charged twice": replace(CHARGED, left=((Fraction(0),),) * 2),
    "answered without a charge": Answered("other", "5"),
    "another data set": replace(FREE, dataset="e"),
    "another analyst": replace(FREE, analyst="b"),
    "opened twice": OPENED,
    "analyst opened twice": ANALYST,
    "analyst of nothing": AnalystOpened("e", "a", Budget.pure(1), ""),
    "changed without an account": BudgetChanged("d", "b", Budget.pure(1), "why", ""),
    "too cheap for the data set": replace(FREE, event=PureDP(HALF[0])),
    "too cheap for the analyst": replace(CHARGED, request="r", costs=(HALF, (Fraction(0),)), left=((Fraction(0),), HALF)),
    "beyond the budget": replace(CHARGED, request="r", event=PureDP(WHOLE[0]), costs=(WHOLE, WHOLE), left=((Fraction(0),),) * 2),
    "more left than there is": replace(FREE, left=(WHOLE, HALF)),
    "a cost of another measure": replace(FREE, costs=((Fraction(0), Fraction(0)), (Fraction(0),))),
    "an event without a cost here": replace(FREE, event=ZeroConcentratedDP(Fraction(0))),
    "a measure in which charges have no cost": None,
}  # fmt: skip


@pytest.mark.parametrize("what", FORGED)
def test_what_cannot_be_is_refused_and_changes_nothing(what):
    start, forged = list(START), FORGED[what]
    if forged is None:
        zcdp = Budget.zcdp(1)
        start = [replace(OPENED, budget=zcdp), replace(ANALYST, budget=zcdp),
                 replace(CHARGED, event=ZeroConcentratedDP(HALF[0]))]  # fmt: skip
        forged = BudgetChanged("d", None, Budget.pure(1), "why", "")
    state, twin = read(start), read(start)
    with pytest.raises(LedgerError, match="as it was written"):
        state.read(seal(state.head, forged.data()))
    assert state == twin


def test_a_cost_that_was_rounded_up_on_another_machine_is_believed():
    """Only the last digits of an irrational cost may differ."""
    budget = Budget.renyi(8, 1)
    event = PureDP(Fraction(1, 10))
    account = read([replace(OPENED, budget=budget), replace(ANALYST, budget=budget)]).account("d")
    cost = account.price(event)[0]
    assert account.covers((cost * (1 - Fraction(1, 10**12)),), event)
    assert not account.covers((cost * (1 - Fraction(1, 10**6)),), event)
    exact = read(START).account("d")
    assert not exact.covers((HALF[0] * (1 - Fraction(1, 10**15)),), PureDP(HALF[0]))
