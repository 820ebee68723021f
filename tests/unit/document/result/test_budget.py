"""What a ledger says is the same as a typed document, also of charges by version 0.1.0."""

import json
from fractions import Fraction
from pathlib import Path
from shutil import copy

import pytest

from sfumato.account.budget import Budget
from sfumato.account.event import PureDP
from sfumato.account.ledger.ledger import Ledger, Scope
from sfumato.document.result.budget import BudgetResult
from sfumato.document.result.codec import document_from
from sfumato.release.answer.opening import told_of
from sfumato.table.unit import Neighbors, Unit


@pytest.fixture
def told(tmp_path):
    """A statement with charges, a change and a declaration, as plain data."""
    ledger = Ledger.open(f"sqlite:///{tmp_path}/ledger.db", create=True)
    ledger.open_dataset("census", Unit.row(Neighbors.ADD_REMOVE), Budget.approx(1, "1e-6"), create=True)
    ledger.open_analyst("census", "ada", Budget.pure("1/2"))
    ledger.charge("census", "ada", "mean(age)", PureDP(Fraction(1, 3)), scope=Scope("sex", ("M", "F")))
    ledger.change_budget("census", "ada", Budget.pure("3/4"), reason="asked for it")
    ledger.store_answer("mean(age)", "40")
    ledger.declare_immutable("census", ["sex"], reason="by law")
    return told_of(ledger.statement("census"), [], None).to_dict()


def test_a_statement_is_a_typed_document(told):
    result = document_from(BudgetResult, told, "sfumato budget")
    assert result.charges[0].costs == (("1/3", "0"), ("1/3",))
    assert result.changes[0].budget.limit == ("3/4",)
    assert result.to_dict() == told
    data = json.loads(result.to_json())
    assert data["format"] == "sfumato.budget/1"
    assert data["dataset"] == {"name": "census", "spent": ["1/3", "0"], "left": ["2/3", "1/1000000"],
                               "budget": {"measure": "approx", "limit": ["1", "1/1000000"], "order": None}}  # fmt: skip
    assert data["charges"][0]["scope"] == {"column": "sex", "keys": ["F", "M"]}
    assert data["charges"][0]["answered"] is True
    assert data["changes"][0]["reason"] == "asked for it"
    assert data["declared"][0]["columns"] == data["immutable"] == ["sex"]


@pytest.mark.parametrize("missing", [(), ("version", "question")])
def test_charges_of_version_0_1_0_say_neither_version_nor_question(told, missing):
    charge = told["charges"][0]
    assert (charge["version"], charge["question"]) == (None, "")
    for name in missing:
        del charge[name]
    assert document_from(BudgetResult, told, "sfumato budget").to_dict() == told


def test_a_ledger_of_version_0_1_0_is_told_without_what_it_did_not_record(tmp_path):
    copy(Path(__file__).parents[3] / "data" / "ledger" / "version-0.1.0.db", tmp_path / "old.db")
    with Ledger.open(f"sqlite:///{tmp_path}/old.db") as ledger:
        told = told_of(ledger.statement("census"), [], None).to_dict()
    assert len(told["charges"]) == 5
    assert not any({"version", "question"} & set(charge) for charge in told["charges"])
    assert document_from(BudgetResult, told, "sfumato budget").to_dict() == told
