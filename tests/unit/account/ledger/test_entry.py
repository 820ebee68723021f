"""Entries are read as they were written, and others not at all."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.account.budget import Budget
from sfumato.account.event import (
    ApproxDP,
    Composed,
    DiscreteGaussianNoise,
    DiscreteLaplaceNoise,
    PureDP,
    ZeroConcentratedDP,
)
from sfumato.account.ledger.account import Scope
from sfumato.account.ledger.chain import canonical
from sfumato.account.ledger.entry import AnalystOpened, Answered, BudgetChanged, Charged, DatasetOpened, entry_from
from sfumato.errors import LedgerError
from sfumato.table.unit import Neighbors, Unit

NUMBERS = st.fractions(min_value=0, max_value=10**30)
POSITIVE = st.fractions(min_value=Fraction(1, 10**30), max_value=10**30)
SIMPLE = st.one_of(
    st.builds(PureDP, NUMBERS), st.builds(ZeroConcentratedDP, NUMBERS),
    st.builds(ApproxDP, NUMBERS, st.fractions(0, Fraction(99, 100))),
    st.builds(DiscreteLaplaceNoise, POSITIVE, NUMBERS, st.integers(1, 9)),
    st.builds(DiscreteGaussianNoise, POSITIVE, NUMBERS, st.integers(1, 9)),
)  # fmt: skip
EVENTS = st.recursive(SIMPLE, lambda inner: st.builds(Composed, st.lists(inner, max_size=3).map(tuple)), max_leaves=5)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
BUDGETS = st.one_of(
    st.builds(Budget.pure, NUMBERS), st.builds(Budget.zcdp, NUMBERS),
    st.builds(Budget.approx, NUMBERS, st.fractions(0, Fraction(99, 100))),
    st.builds(Budget.renyi, st.fractions(Fraction(11, 10), 99), NUMBERS),
)  # fmt: skip
SCOPES = st.none() | st.builds(Scope, TEXTS.filter(bool), st.lists(TEXTS, min_size=1, unique=True).map(tuple))
UNITS = st.sampled_from(
    [Unit.row(Neighbors.REPLACE), Unit.row(Neighbors.ADD_REMOVE), Unit(Neighbors.ADD_REMOVE, "patiënt", 3, 2)]
)
PAIRS = st.tuples(st.tuples(NUMBERS), st.tuples(NUMBERS, NUMBERS))
ENTRIES = st.one_of(
    st.builds(DatasetOpened, TEXTS, UNITS, BUDGETS, TEXTS), st.builds(AnalystOpened, TEXTS, TEXTS, BUDGETS, TEXTS),
    st.builds(BudgetChanged, TEXTS, st.none() | TEXTS, BUDGETS, TEXTS, TEXTS), st.builds(Answered, TEXTS, TEXTS),
    st.builds(Charged, TEXTS, TEXTS, TEXTS, EVENTS, SCOPES, PAIRS, PAIRS, TEXTS, TEXTS),
)  # fmt: skip


@given(ENTRIES)
def test_what_is_read_is_what_was_written(entry):
    assert entry_from(canonical(entry.data())) == entry


@pytest.mark.parametrize(
    "body",
    ["", "{}", "[]", "null", '{"kind":"refund"}', '{"kind":"answer","request":"q"}', "{", '"x"',
     '{"kind":"answer","request":"q","text":"t","more":1}',
     '{"kind":"analyst","dataset":"d","analyst":"a","at":"","budget":{"measure":"pure","limit":["1/0"],"order":null}}',
     '{"kind":"analyst","dataset":"d","analyst":"a","at":"","budget":{"measure":"other","limit":["1"],"order":null}}'],
)  # fmt: skip
def test_unknown_entries_are_refused(body):
    with pytest.raises(LedgerError, match="version"):
        entry_from(body)
