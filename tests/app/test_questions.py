"""A stored answer is given for the same question only, by every engine: bounds, domains, joins, versions, values, names."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import sfumato
from sfumato.account.ledger.ledger import Ledger
from sfumato.errors import BudgetExceeded, LedgerError, SchemaError, SfumatoError
from sfumato.table.domain import Categories, Range
from sfumato.table.unit import Neighbors, Unit

ROWS = Unit.row(Neighbors.ADD_REMOVE)
TABLE = pa.table({"age": [100.0] * 60, "sex": ["F", "M"] * 30, "town": ["A", "B"] * 30})
SCHEMA = {"age": Range(0, 120, 1), "sex": Categories(("F", "M")), "town": Categories(("A", "B"))}
SURE = 10**5
"""At this epsilon the noise is zero but for a chance below e^-90."""
TERMS = {"unit": ROWS, "budget": sfumato.Budget.pure(100 * SURE)}


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(f"sqlite:///{tmp_path}/ledger.db", create=True) as opened:
        yield opened


@pytest.fixture(params=["duckdb", "spark"])
def read(request):
    """A table of either engine."""
    if request.param == "duckdb":
        return lambda table: table
    return request.getfixturevalue("sail").createDataFrame


def session(data, schema=SCHEMA, **more):
    return sfumato.Session(data, schema, **(TERMS | {"create": isinstance(more.get("ledger"), Ledger)} | more))


def regions(*names):
    return pd.DataFrame({"town": ["A", "B"], "region": names})


CHANGES = {
    "wider bounds": (lambda s: s.mean("age", epsilon=SURE), {}, {"schema": SCHEMA | {"age": Range(0, 1000, 1)}}),
    "a finer grid": (lambda s: s.sum("age", epsilon=SURE), {}, {"schema": SCHEMA | {"age": Range(0, 120, "1/2")}}),
    "bounds in a condition": (lambda s: s.count(where=[("age", ">", 7)], epsilon=SURE), {}, {"schema": SCHEMA | {"age": Range(0, 200, 1)}}),
    "more categories": (lambda s: s.count(where=[("sex", "!=", "F")], epsilon=SURE), {}, {"schema": SCHEMA | {"sex": Categories(("F", "M", "X"))}}),
    "categories in another order": (lambda s: s.count(by="sex", epsilon=SURE), {}, {"schema": SCHEMA | {"sex": Categories(("M", "F"))}}),
    "another version": (lambda s: s.count(epsilon=SURE), {"version": "1"}, {"version": "2"}),
    "a version where there was none": (lambda s: s.count(epsilon=SURE), {}, {"version": "2"}),
    "another unit's data set": (lambda s: s.count(epsilon=SURE), {}, {"dataset": "other"}),
    "another analyst": (lambda s: s.count(epsilon=SURE), {}, {"analyst": "bob"}),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_decides_the_answer_makes_another_question(ledger, what):
    ask, first, second = CHANGES[what]
    for terms in (first, second):
        schema = terms.get("schema", SCHEMA)
        with session(TABLE, schema, ledger=ledger, **{k: v for k, v in terms.items() if k != "schema"}) as s:
            ask(s)
    lines = [
        line for name in ("table", "other") if name in _datasets(ledger) for line in ledger.statement(name).charges
    ]
    assert len({line.charge.request for line in lines}) == 2


def _datasets(ledger):
    with ledger._transactions.reading() as transaction:
        return {dataset for dataset, _ in transaction.state.accounts}


def test_an_answer_under_other_bounds_is_not_the_stored_one(ledger, read):
    """The mean of hundreds is 10 in [0, 10] and 100 in [0, 1000]; quantiles, whose event is the same, too."""
    shown = []
    for high in (10, 1000):
        with session(read(TABLE), {"age": Range(0, high, 1)}, ledger=ledger) as s:
            shown.append((s.mean("age", epsilon=SURE).value, s.quantiles("age", ["1/2"], epsilon=SURE).value))
    assert np.array(shown) == pytest.approx(np.array([[10, 10], [100, 100]]), abs=1)


def test_a_public_table_that_was_mended_is_another_table(ledger, read):
    counts = []
    for names in (("n", "s"), ("s", "s"), ("n", "s")):
        with session(read(TABLE), ledger=ledger) as s:
            s.join("r", regions(*names), on="town", columns={"region": Categories(("n", "s"))})
            counts.append(s.count(by="region", join="r", epsilon=SURE).values)
    assert counts == [((30,), (30,)), ((0,), (60,)), ((30,), (30,))]
    assert len(ledger.statement("table").charges) == 2


def test_a_value_that_reads_like_a_condition_is_a_value(ledger):
    with session(TABLE, ledger=ledger) as s:
        for where in ([("sex", "!=", "F' and sex != 'M")], [("sex", "!=", "F"), ("sex", "!=", "M")],
                      [("sex", "in", ["F", "M"])], [("sex", "in", ["F', 'M"])]):  # fmt: skip
            try:
                s.count(where=where, epsilon=SURE)
            except SfumatoError:  # a value outside the declared categories may be refused
                continue
    charges = ledger.statement("table").charges
    assert len({line.charge.question for line in charges}) == len(charges) >= 2


def test_a_request_used_again_for_another_question_is_refused_before_a_charge(ledger, read):
    with session(read(TABLE), ledger=ledger) as s:
        first = s.count(epsilon=SURE, request="q1")
        for other in (
            lambda: s.count(where=[("age", "<", 5)], epsilon=SURE, request="q1"),
            lambda: s.count(by="sex", epsilon=SURE, request="q1"),
            lambda: s.count(epsilon=SURE, request="q1", confidence=0.9),
            lambda: s.sql("SELECT COUNT(*) FROM t WHERE age < 5", epsilon=SURE, request="q1"),
        ):
            with pytest.raises(LedgerError, match="one question"):
                other()
        assert s.count(epsilon=SURE, request="q1") == first
        assert len(s.statement.charges) == 1


def test_a_statement_of_several_answers_is_charged_all_or_none(read):
    with session(read(TABLE), budget=sfumato.Budget.pure(1)) as s:
        with pytest.raises(BudgetExceeded):
            s.sql("SELECT COUNT(*), SUM(age), AVG(age) FROM t", epsilon="0.4")
        assert (s.left, s.statement.charges) == ((1,), ())
        assert len(s.sql("SELECT COUNT(*), SUM(age) FROM t", epsilon="0.4")) == 2
        s.sql("SELECT COUNT(*) FROM t", epsilon="0.1", request="one (2 of 2)")
        with pytest.raises(LedgerError, match="one question"):
            s.sql("SELECT SUM(age), COUNT(*) FROM t", epsilon="0.05", request="one")
        assert s.left == (Fraction(1, 10),)


def test_a_person_who_moves_between_versions_pays_in_each(ledger, read):
    terms = {"budget": sfumato.Budget.pure(8), "ledger": ledger}
    schema = {"state": Categories(tuple("abcdefghi"))}
    for month, state in enumerate("abcdefgh"):
        with session(read(pa.table({"state": [state]})), schema, version=f"month {month}", **terms) as s:
            s.count(where=[("state", "=", state)], epsilon=1)
            s.sql("SELECT COUNT(*) FROM t WHERE state = 'i'", epsilon=1)
    assert s.left == (0,)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pa.array([5.0, None] * 30), ("5", "5.0")),
        (pa.array([5.0, 6.5] * 30), ("6.5", "6.50")),
        (pa.array([5, 6] * 30), ("5", "05")),
        (pa.array([5, 6] * 30, pa.int8()), ("5", "5e0")),
        (pa.array([5.0] * 60, pa.float32()), ("5", " 5")),
        (pa.array([5] * 60, pa.decimal128(9, 2)), ("5", "5.00")),
    ],
)
def test_categories_that_are_one_cell_are_refused(read, ledger, column, values):
    """Else one person could be counted once for each way of writing the same number."""
    with pytest.raises(SchemaError, match="are one in a column"):
        session(read(pa.table({"g": column})), {"g": Categories(values)}, ledger=ledger)
    assert ledger.head().entries == 0


def test_texts_that_look_like_one_number_are_two_categories_at_one_price(read):
    """A text column holds `01000` and `1000` apart; their scopes are one key all the same, which can only cost more."""
    codes = pa.table({"g": ["01000", "1000"] * 30})
    with session(read(codes), {"g": Categories(("01000", "1000"))}, version="v") as s:
        assert s.count(where=[("g", "=", "01000")], epsilon=SURE).value == 30
        s.count(where=[("g", "=", "1000")], epsilon=SURE)
        assert s.left == (98 * SURE,)


def test_a_misspelt_data_set_is_no_new_budget(tmp_path):
    url = f"sqlite:///{tmp_path}/ledger.db"
    with session(TABLE, ledger=url, create=True, dataset="patients") as s:
        s.count(epsilon=SURE)
    with pytest.raises(LedgerError, match="it knows 1, the nearest name is 'patients'"):
        session(TABLE, ledger=url, dataset="patient")
    with session(TABLE, ledger=url, create=True, dataset="patient") as s:
        assert s.left == (100 * SURE,)
    with session(TABLE, ledger=url, dataset="patients") as s:
        assert s.left == (99 * SURE,)


def test_a_session_makes_no_ledger_unless_it_is_told_to(tmp_path):
    url = f"sqlite:///{tmp_path}/ledger.db"
    with pytest.raises(LedgerError, match="not a full budget"):
        session(TABLE, ledger=url)
    assert [*tmp_path.iterdir()] == []
    with session(TABLE, ledger=url, create=True) as s:
        s.count(epsilon=SURE)
    with session(TABLE, ledger=url) as s:
        assert s.left == (99 * SURE,)
    (tmp_path / "ledger.db").write_bytes(b"")
    with pytest.raises(LedgerError, match="not a full budget"):
        session(TABLE, ledger=url)


def test_keys_of_a_public_table_that_are_one_cell_are_refused(read):
    """Else one of two public rows would win without a word."""
    public = pa.table({"g": ["1", "1.0"], "region": ["x", "y"]})
    kinds = {"region": Categories(("x", "y"))}
    numbers = session(read(pa.table({"g": [1.0] * 60})), {"g": Categories(("1",))})
    with numbers as s, pytest.raises(SchemaError, match=r"'1' and '1\.0' are one in a column"):
        s.join("p", public, on="g", columns=kinds)
    with session(read(pa.table({"g": ["1"] * 60})), {"g": Categories(("1",))}) as s:
        s.join("p", public, on="g", columns=kinds)
        assert s.count(where=[("region", "=", "x")], join="p", epsilon=SURE).value == 60
