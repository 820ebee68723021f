"""Units of rows, persons, edges and nodes; who is refused, and what ledgers hold of them."""

import json
from fractions import Fraction

import pyarrow as pa
import pytest

import sfumato
from sfumato.account.budget import Budget
from sfumato.account.event import ApproxDP, PureDP
from sfumato.account.ledger.account import Account, Asked, Scope
from sfumato.account.ledger.entry import DatasetOpened, entry_from
from sfumato.errors import ParameterError
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.mean import Mean
from sfumato.mechanism.central.mean_of_replaced import MeanOfReplaced, mean_for
from sfumato.mechanism.central.optimal_selection import OptimalSelection
from sfumato.mechanism.central.partition_selection import ThresholdSelection
from sfumato.mechanism.central.quantiles.tree import Tree
from sfumato.mechanism.central.sums import Sum
from sfumato.mechanism.central.variance import Variance
from sfumato.table.domain import Categories, Range
from sfumato.table.unit import Neighbors, Unit

EDGE, NODE = Unit.edge(), Unit.node(edges=3, groups=2)
ONE, DELTA, DOMAIN = PureDP(Fraction(1)), ApproxDP(Fraction(1), Fraction(1, 10**6)), Range(0, 4, 1)
MAKERS = {
    "count": lambda unit: Count(unit, ONE, 2), "sum": lambda unit: Sum("x", DOMAIN, unit, ONE, 2),
    "mean": lambda unit: Mean("x", DOMAIN, unit, ONE, 2), "best mean": lambda unit: mean_for("x", DOMAIN, unit, ONE, 1),
    "mean of replaced": lambda unit: MeanOfReplaced("x", DOMAIN, unit, ONE),
    "variance": lambda unit: Variance("x", DOMAIN, unit, ONE, 2), "selection": lambda unit: ThresholdSelection(unit, DELTA),
    "optimal selection": lambda unit: OptimalSelection(unit, DELTA),
    "quantiles": lambda unit: Tree((Fraction(1, 2),), Fraction(1), DOMAIN.size, unit.neighbors, unit.rows),
}  # fmt: skip


def test_each_says_whom_it_protects():
    assert {unit.sentence for unit in (EDGE, NODE)} == {
        "adding or removing an edge", "adding or removing a node with its edges, at most 3 in each of at most 2 groups"
    }  # fmt: skip
    assert [unit.neighbors.sides for unit in (EDGE, NODE)] == [1, 1]
    assert [unit.is_one_row for unit in (EDGE, NODE, Unit.row(Neighbors.REPLACE))] == [True, False, True]


@pytest.mark.parametrize(("person", "rows"), [("who", 1), (None, 2)])
def test_an_edge_is_one_row_and_no_person(person, rows):
    with pytest.raises(ParameterError):
        Unit(Neighbors.EDGE, person, rows, 1)


@pytest.mark.parametrize("unit", [EDGE, NODE], ids=["edge", "node"])
@pytest.mark.parametrize("name", MAKERS)
def test_mechanisms_of_rows_refuse_graphs(unit, name):
    with pytest.raises(ParameterError, match=r"graphs|replaced"):
        MAKERS[name](unit)


@pytest.mark.parametrize("unit", [EDGE, NODE], ids=["edge", "node"])
def test_a_question_is_refused_before_any_charge(unit):
    table = pa.table({"from": ["a", "b"], "to": ["b", "c"], "x": [1, 2]})
    schema = {"x": DOMAIN, "from": Categories(("a", "b"))}
    with sfumato.Session(table, schema, unit=unit, budget=Budget.pure(1)) as session:
        for ask in (
            session.count,
            lambda **offer: session.mean("x", **offer),
            lambda **offer: session.count(by="from", **offer),
        ):
            with pytest.raises(ParameterError, match="graphs that differ in one"):
                ask(epsilon=1)
        assert session.statement.charges == ()


@pytest.mark.parametrize(("unit", "spent"), [(EDGE, 1), (NODE, 2)], ids=["edge", "node"])
def test_an_edge_lies_in_one_part_and_the_edges_of_a_node_do_not(unit, spent):
    account = Account.start(unit, Budget.pure(4), ["kind"])
    for key in ("a", "b"):
        asked = Asked(Scope("kind", (key,)))
        account.pay(ONE, asked, account.trial((Fraction(1),), asked))
    assert account.spent == (spent,)


STORED = {
    '{"keys":1,"neighbors":"add or remove","person":null,"rows":1}': Unit.row(Neighbors.ADD_REMOVE),
    '{"keys":1,"neighbors":"replace","person":null,"rows":1}': Unit.row(Neighbors.REPLACE),
    '{"keys":2,"neighbors":"add or remove","person":"patient","rows":3}': Unit(Neighbors.ADD_REMOVE, "patient", 3, 2),
    '{"keys":1,"neighbors":"edge","person":null,"rows":1}': EDGE,
    '{"keys":2,"neighbors":"node","person":null,"rows":3}': NODE,
}
"""The first three as version 0.1.0 wrote them."""


@pytest.mark.parametrize("text", STORED, ids=lambda text: json.loads(text)["neighbors"])
def test_ledgers_hold_units_as_version_0_1_0_did(text):
    opened = {"kind": "dataset", "dataset": "d", "unit": json.loads(text), "at": ""}
    opened["budget"] = {"measure": "pure", "limit": ["1"], "order": None}
    entry = entry_from(json.dumps(opened))
    assert entry == DatasetOpened("d", STORED[text], Budget.pure(1), "")
    assert json.loads(text) == entry.data()["unit"]
