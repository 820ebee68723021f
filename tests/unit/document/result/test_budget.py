"""What a ledger says is the same as a typed document, also of charges by version 0.1.0."""

from fractions import Fraction

import pytest

from sfumato.account.budget import Budget
from sfumato.account.event import PureDP
from sfumato.account.ledger.ledger import Ledger, Scope
from sfumato.document.result.budget import BudgetResult
from sfumato.document.result.codec import document_from
from sfumato.table.unit import Neighbors, Unit


@pytest.fixture
def told(tmp_path):
    """A statement with charges, a change and a declaration, as plain data."""
    ledger = Ledger.open(f"sqlite:///{tmp_path}/ledger.db", create=True)
    ledger.open_dataset("census", Unit.row(Neighbors.ADD_REMOVE), Budget.approx(1, "1e-6"), create=True)
    ledger.open_analyst("census", "ada", Budget.pure("1/2"))
    ledger.charge("census", "ada", "mean(age)", PureDP(Fraction(1, 3)), scope=Scope("sex", ("M", "F")))
    ledger.change_budget("census", "ada", Budget.pure("3/4"), reason="asked for it")
    return ledger.statement("census").to_dict() | {"readings": [], "at_delta": None}


def test_a_statement_is_a_typed_document(told):
    result = document_from(BudgetResult, told, "sfumato budget")
    assert result.charges[0].costs == (("1/3", "0"), ("1/3",))
    assert result.changes[0].budget.limit == ("3/4",)
    assert result.to_dict() == told


@pytest.mark.parametrize("missing", [(), ("version", "question")])
def test_charges_of_version_0_1_0_say_neither_version_nor_question(told, missing):
    charge = told["charges"][0]
    assert (charge["version"], charge["question"]) == (None, "")
    for name in missing:
        del charge[name]
    assert document_from(BudgetResult, told, "sfumato budget").to_dict() == told
