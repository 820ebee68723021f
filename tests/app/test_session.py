"""A session as its user meets it: answers, prices, refusals, and the pitfalls that other libraries met."""

import json
import math
import pickle
from fractions import Fraction

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import sfumato
from sfumato.account.ledger.ledger import Ledger
from sfumato.errors import BudgetExceeded, LedgerError, ParameterError, QueryError, SfumatoError
from sfumato.noise.bits import SystemBits
from sfumato.release.answer.answer import Answer
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.unit import OF_TABLES, Neighbors, Unit
from sfumato.testing.seeded_bits import SeededBits

ROWS = Unit.row(Neighbors.ADD_REMOVE)
SCHEMA = {
    "age": Range(0, 120, step=1),
    "pay": Range("-1", "10", step="0.5"),
    "sex": Categories(("F", "M")),
    "town": UnlistedText(),
}
BUDGET = sfumato.Budget.approx(1000, "0.01")
SURE = 10**5
"""At this epsilon the noise is zero but for a chance below e^-90, so answers are the exact bounded ones."""


def table(n=3000):
    """Ages 20, 40, 60 in turn; every third person is M."""
    return pa.table({
        "age": [20, 40, 60] * (n // 3), "pay": [0.0, 1.5, 9.0] * (n // 3), "sex": ["F", "F", "M"] * (n // 3),
        "town": ["A", "B", "B"] * (n // 3),
    })  # fmt: skip


def session(data=None, schema=None, **more):
    """A session with a large budget, unless more is said."""
    arguments = {"unit": ROWS, "budget": BUDGET, "bits": SeededBits(7)} | more
    return sfumato.Session(table() if data is None else data, schema or SCHEMA, **arguments)


def exact(data, schema, ask, **more):
    """An answer without visible noise."""
    with session(data, schema, budget=sfumato.Budget.pure(10 * SURE), **more) as open_session:
        return ask(open_session)


def test_every_kind_of_answer_is_right_where_noise_vanishes():
    with session(budget=sfumato.Budget.pure(100 * SURE)) as s:
        assert s.count(epsilon=SURE).value == 3000
        assert s.count("pay", by="sex", epsilon=SURE).table()["count of pay"] == [2000, 1000]
        assert s.sum("pay", epsilon=SURE).value == pytest.approx(10500, abs=1e-6)
        assert s.mean("age", epsilon=SURE).value == pytest.approx(40, abs=0.01)
        assert s.mean("age", by="sex", epsilon=SURE).values == pytest.approx(np.array([[30], [60]]), abs=0.01)
        assert s.variance("age", epsilon=SURE).value == pytest.approx(800 / 3, abs=0.1)
        assert s.deviation("age", epsilon=SURE).value == pytest.approx(math.sqrt(800 / 3), abs=0.01)
        covariance = s.covariance(["age", "pay"], epsilon=SURE)
        assert covariance.cells == (
            "covariance of age and age",
            "covariance of age and pay",
            "covariance of pay and pay",
        )
        true = np.cov([20, 40, 60], [0, 1.5, 9], bias=True)
        assert covariance.values[0] == pytest.approx((true[0, 0], true[0, 1], true[1, 1]), abs=0.1)
        assert s.histogram("age", [0, 30, 50, 120], epsilon=SURE).values == ((1000,), (1000,), (1000,))
        assert s.quantiles("age", [0.1, 0.5, 0.9], epsilon=1).values == ((20, 40, 60),)
        contingency = s.count(by={"sex": None, "age": [0, 50, 120]}, epsilon=SURE)
        assert dict(zip(contingency.keys, contingency.values, strict=True)) == {
            ("F", "[0, 50)"): (2000,), ("F", "[50, 120]"): (0,), ("M", "[0, 50)"): (0,), ("M", "[50, 120]"): (1000,),
        }  # fmt: skip


def test_an_answer_says_what_was_done_promised_and_paid():
    with session() as s:
        answer = s.mean("age", by="sex", epsilon="1/2", confidence=0.9)
    assert answer.mechanism == "discrete Laplace mechanism"
    assert answer.price == "epsilon 1/2"
    assert answer.confidence == 0.9
    assert "L1 sensitivity 120" in answer.sensitivity
    assert answer.unit == "adding or removing a row"
    assert answer.seeded
    assert Answer.from_json(answer.to_json()) == answer
    low, high = answer.low[0][0], answer.high[0][0]
    assert low < 30 < high


def test_a_covariance_alone_has_the_whole_price_and_a_matrix_shares_it():
    with session(budget=sfumato.Budget.pure(100 * SURE)) as s:
        (pair,) = s.sql("SELECT COVAR_POP(age, pay) FROM t", epsilon=SURE)
        assert pair.cells == ("covariance of age and pay",)
        assert pair.value == pytest.approx(np.cov([20, 40, 60], [0, 1.5, 9], bias=True)[0, 1], abs=0.1)
        (priced,) = s.sql("SELECT COVAR_POP(pay, age) FROM t", epsilon=1)
        assert (priced.cost["event"], priced.cost["scale"], priced.cost["sensitivity"]) == (
            "DiscreteLaplaceNoise",
            "2640",
            "2640",
        )
        matrix = s.covariance(["age", "pay"], epsilon=1)
        assert [part["scale"] for part in matrix.cost["events"]] == [str(3 * n) for n in (120**2, 22**2, 2640)]
        by = s.sql("SELECT sex, COVAR_POP(age, pay) FROM t GROUP BY sex", epsilon=SURE)[0]
        assert by.values == pytest.approx(np.array([[7.5], [0]]), abs=0.1)
        with pytest.raises(QueryError, match="different columns"):
            s.sql("SELECT COVAR_POP(age, age) FROM t", epsilon=1)


def test_an_answer_has_intervals_or_says_that_it_has_none():
    with session() as s:
        every = [
            s.count(by="sex", epsilon=1), s.mean("age", epsilon=1), s.covariance(["age", "pay"], epsilon=1),
            s.quantiles("age", ["1/4", "1/2"], epsilon=1), s.count(by="town", epsilon=1, delta="1e-6"),
        ]  # fmt: skip
    for answer in every:
        ends = [*zip(*answer.low, *answer.high, strict=True)]
        is_covered = answer.confidence is not None
        assert all(math.isfinite(end) is is_covered for group in ends for end in group)
        assert is_covered is not any("without an interval" in note for note in answer.notes)


def test_public_tables_are_joined():
    regions = pa.table({"town": ["A", "C"], "region": ["north", "south"]})
    with session(budget=sfumato.Budget.pure(10 * SURE)) as s:
        s.join("regions", regions, on="town", columns={"region": Categories(("north", "south"))})
        answer = s.count(by="region", join="regions", epsilon=SURE)
        (by_sql,) = s.sql("SELECT region, COUNT(*) FROM t LEFT JOIN regions USING (town) GROUP BY region", epsilon=SURE)
        (left,) = s.sql("SELECT COUNT(*) FROM t LEFT JOIN regions USING (town)", epsilon=SURE)
        (inner,) = s.sql("SELECT COUNT(*) FROM t JOIN regions USING (town)", epsilon=SURE)
        with pytest.raises(QueryError, match="declared already"):
            s.join("again", regions, on="town", columns={"sex": Categories(("F",))})
        with pytest.raises(QueryError, match="Public tables"):
            s.count(join="nothing", epsilon=1)
    assert answer.values == ((1000,), (0,))
    assert by_sql == answer
    assert (left.value, inner.value) == (3000, 1000)


def test_missing_cells_of_a_public_table_are_missing_as_in_sql():
    """Neither an empty text nor a key that fits the empty texts of the private table."""
    private = pa.table({"town": ["A", "", None, "B"] * 100})
    public = pa.table({"town": ["A", "B", None, None], "region": ["x", None, "y", "y"], "size": [1, None, 3, 4]})
    domains = {"region": Categories(("x", "y", "")), "size": Range(0, 9, 1)}
    with session(private, {"town": Categories(("A", "B", ""))}, budget=sfumato.Budget.pure(10**3 * SURE)) as s:
        s.join("public", public, on="town", columns=domains)
        for asked in ("COUNT(*)", "COUNT(region)", "COUNT(size)", "SUM(size)"):
            for kind in ("INNER", "LEFT"):
                text = f"SELECT {asked} FROM private {kind} JOIN public USING (town)"
                assert s.sql(text, epsilon=SURE)[0].value == duckdb.sql(text).fetchall()[0][0], text


def test_keys_read_from_the_table_need_a_delta_and_a_crowd():
    data = pa.table({"town": ["A"] * 500 + ["alone"]})
    with session(data, {"town": UnlistedText()}) as s:
        with pytest.raises(QueryError, match="delta"):
            s.count(by="town", epsilon=1)
        answer = s.count(by="town", epsilon=1, delta="1e-6")
    assert answer.keys == (("A",),)
    assert "not named" in answer.notes[0]


def test_no_key_at_all_is_an_answer():
    """Whether a group passes the threshold must not decide between an answer and an error."""
    for data in (pa.table({"town": ["A", "B"]}), pa.table({"town": pa.array([None, None], pa.string())})):
        with session(data, {"town": UnlistedText()}) as s:
            answer = s.count(by="town", epsilon=1, delta="1e-9")
        assert answer.keys == answer.values == answer.low == ()
        assert Answer.from_json(answer.to_json()) == answer


@pytest.mark.parametrize("unit", [*map(Unit.row, OF_TABLES), *(Unit(n, "who", 2, 2) for n in OF_TABLES)], ids=str)
def test_a_mean_is_that_of_the_values_that_are_there(unit):
    """Whoever is protected, in one group or several, under a condition or none; half of the ages are missing."""
    data = pa.table({
        "who": [f"p{i // 2}" for i in range(1000)], "age": [20.0, None, 80.0, None, None] * 200, "sex": ["F", "F", "M", "M", "F"] * 200,
    })  # fmt: skip
    with session(data, SCHEMA, unit=unit, budget=sfumato.Budget.pure(100 * SURE)) as s:
        assert s.mean("age", epsilon=SURE).value == pytest.approx(50, abs=0.01)
        assert s.sql("SELECT AVG(age) FROM t", epsilon=SURE)[0].value == pytest.approx(50, abs=0.01)
        assert s.mean("age", where=[("sex", "=", "F")], epsilon=SURE).value == pytest.approx(20, abs=0.01)
        assert s.mean("age", by="sex", epsilon=SURE).values == pytest.approx(np.array([[20], [80]]), abs=0.01)
        low, high = s.mean("age", epsilon=10).interval
        assert 40 < low < 50 < high < 60


def test_rho_buys_gaussian_noise_and_pure_quantiles():
    with session(budget=sfumato.Budget.zcdp(5)) as s:
        assert "Gaussian" in s.count(rho="1/2").mechanism
        assert s.quantiles("age", [0.5], rho="1/2").cost == {"event": "PureDP", "epsilon": "1"}
        assert s.left == (Fraction(4),)


def test_a_statement_of_several_aggregates_is_one_named_request_for_each(tmp_path):
    url = f"sqlite:///{tmp_path}/ledger.db"
    with session(ledger=url, create=True) as s:
        first = s.sql("SELECT COUNT(*), SUM(age) FROM t", epsilon="0.01", request="monthly")
        assert s.sql("SELECT COUNT(*), SUM(age) FROM t", epsilon="0.01", request="monthly") == first
        assert s.left == (Fraction(1000) - Fraction(2, 100), Fraction(1, 100))
    assert [answer.question for answer in first] == ["count()", "sum(age)"]


def test_equal_questions_are_charged_once_and_have_one_answer(tmp_path):
    """Re-runs are free; a request of another name draws anew and pays (pitfalls 6 and 20).

    Two draws at ε are equal with a chance below ε/2.
    """
    url = f"sqlite:///{tmp_path}/ledger.db"
    with session(ledger=url, create=True, bits=SystemBits()) as s:
        first = s.count(epsilon="0.0000001")
        assert s.count(epsilon="0.0000001") == first
        again = s.count(epsilon="0.0000001", request="again")
        left = s.left
    with session(ledger=url, bits=SystemBits()) as s:
        assert s.count(epsilon="0.0000001") == first
        assert s.count(epsilon="0.0000001", request="again") == again
        assert s.left == left == (Fraction(1000) - Fraction(2, 10**7), Fraction(1, 100))
    assert first != again


def test_the_ledger_holds_no_rows(tmp_path):
    """A canary in the table appears in no file of the ledger."""
    data = pa.table({"age": [33] * 50, "town": ["canary7319"] * 50})
    with session(
        data,
        {"age": Range(0, 120, step=1), "town": UnlistedText()},
        ledger=f"sqlite:///{tmp_path}/ledger.db",
        create=True,
    ) as s:
        s.count(epsilon=1)
        s.mean("age", epsilon=1)
    assert all(b"canary7319" not in path.read_bytes() for path in tmp_path.iterdir())


def test_disjoint_keys_share_the_price():
    with session(budget=sfumato.Budget.pure(1), version="v") as s:
        s.count(where=[("sex", "=", "F")], epsilon="1/2")
        s.count(where=[("sex", "=", "M")], epsilon="1/2")
        assert s.left == (Fraction(1, 2),)
        s.count(epsilon="1/2")
        with pytest.raises(BudgetExceeded):
            s.count(where=[("sex", "in", ["F", "M"])], epsilon="1/4")


def test_two_analysts_share_a_data_set(tmp_path):
    ledger = Ledger.open(f"sqlite:///{tmp_path}/ledger.db", create=True)
    half = {
        "ledger": ledger,
        "create": True,
        "budget": sfumato.Budget.pure(1),
        "analyst_budget": sfumato.Budget.pure("3/4"),
    }
    with session(analyst="ada", **half) as ada, session(analyst="bob", **half) as bob:
        ada.count(epsilon="3/4")
        with pytest.raises(BudgetExceeded, match="ada"):
            ada.mean("age", epsilon="1/8")
        bob.count(epsilon="1/4")
        with pytest.raises(BudgetExceeded, match="table"):
            bob.mean("age", epsilon="1/8")
    with pytest.raises(LedgerError, match="another unit"):
        session(ledger=ledger, budget=sfumato.Budget.pure(1), unit=Unit.row(Neighbors.REPLACE))


def test_nothing_is_charged_for_a_question_that_is_refused():
    with session() as s:
        for ask in (
            lambda: s.sum("sex", epsilon=1), s.count, lambda: s.count(epsilon=0), lambda: s.count(epsilon=-1),
            lambda: s.count(epsilon=math.nan), lambda: s.count(epsilon=math.inf), lambda: s.count(epsilon=1, delta=1),
            lambda: s.count(epsilon=1, rho=1), lambda: s.count(epsilon=1, confidence=1.0), lambda: s.mean("town", epsilon=1),
            lambda: s.count(where=[("sex", "~", "F")], epsilon=1), lambda: s.quantiles("age", [0.5, 0.5], epsilon=1),
            lambda: s.quantiles("age", [0.5], method="magic", epsilon=1), lambda: s.histogram("sex", 3, epsilon=1),
            lambda: s.sql("SELECT COUNT(*), MAX(age) FROM t", epsilon=1),
        ):  # fmt: skip
            with pytest.raises(SfumatoError):
                ask()
        assert s.statement.charges == ()


def test_f1_infinite_bounds_are_refused():
    for low, high in ((0, math.inf), (-math.inf, 0), (0, math.nan)):
        with pytest.raises(ParameterError, match="finite"):
            Range(low, high, step=1)


def test_f2_f23_nan_counts_nowhere_and_infinities_are_clamped():
    data = pa.table({"age": [math.nan, math.inf, -math.inf, 1e300, 50.0, None]})
    schema = {"age": Range(0, 120, step=1)}
    assert exact(data, schema, lambda s: s.count(epsilon=SURE)).value == 6
    assert exact(data, schema, lambda s: s.count("age", epsilon=SURE)).value == 4
    assert exact(data, schema, lambda s: s.sum("age", epsilon=SURE)).value == 120 + 0 + 120 + 50


def test_f7_no_keys_and_no_rows():
    with pytest.raises(ParameterError, match="at least one"):
        Categories(())
    empty = table().slice(0, 0)
    with session(empty) as s:
        assert abs(s.count(epsilon=1).value) < 60
        assert len(s.count(by="sex", epsilon=1).values) == 2
        assert len(s.quantiles("age", [0.25, 0.5], epsilon=1).values[0]) == 2
        assert 0 <= s.mean("age", epsilon=1).value <= 120 or math.isnan(s.mean("age", epsilon=1).value)


def test_f8_f22_nothing_is_read_from_the_data():
    with session() as s:
        with pytest.raises(QueryError, match="declared"):
            s.sum("town", epsilon=1)
        with pytest.raises(QueryError, match="no declared domain"):
            s.count(by="sexe", epsilon=1)
    absent = pa.table({"sex": ["X"] * 10})
    assert exact(absent, {"sex": Categories(("F", "M"))}, lambda s: s.count(by="sex", epsilon=SURE)).values == (
        (0,),
        (0,),
    )


def test_f10_f16_the_unit_is_the_person_whatever_is_asked():
    """One person with 1000 rows in every group moves nothing by more than the limits."""
    rows = [("p1", key, 100) for key in ("F", "M") for _ in range(1000)] + [("p2", "F", 1), ("p3", "M", 1)]
    data = pa.table({"id": [r[0] for r in rows], "sex": [r[1] for r in rows], "age": [r[2] for r in rows]})
    unit = Unit(Neighbors.ADD_REMOVE, "id", rows=2, keys=1)
    schema = {"age": Range(0, 120, step=1), "sex": Categories(("F", "M"))}
    counts = exact(data, schema, lambda s: s.count(by="sex", epsilon=SURE), unit=unit).values
    assert sum(row[0] for row in counts) == 4
    assert exact(data, schema, lambda s: s.count(epsilon=SURE), unit=unit).value == 4
    assert exact(data, schema, lambda s: s.persons(epsilon=SURE), unit=unit).value == 3
    assert exact(data, schema, lambda s: s.sum("age", epsilon=SURE), unit=unit).value == 202


def test_f11_a_deviation_of_few_rows_is_no_error():
    data = pa.table({"age": [1, 2, 3]})
    with session(data, {"age": Range(0, 120, step=1)}) as s:
        for i in range(30):
            value = s.deviation("age", epsilon="0.1", request=f"try {i}").value
            assert math.isnan(value) or value >= 0


def test_f14_sums_saturate_instead_of_wrapping():
    """Pitfall 17: a hundred times 2³¹ - 1 in 32-bit integers."""
    data = pa.table({"x": pa.array([2**31 - 1] * 100, pa.int32())})
    answer = exact(data, {"x": Range(0, 2**31 - 1, step=1)}, lambda s: s.sum("x", epsilon=SURE))
    assert answer.value == pytest.approx(100 * (2**31 - 1), rel=1e-6)


def test_f17_an_exhausted_budget_is_an_error_and_never_a_number():
    with session(budget=sfumato.Budget.pure("1/2")) as s:
        s.count(epsilon="1/2")
        for _ in range(2):
            with pytest.raises(BudgetExceeded, match="left 0"):
                s.count(epsilon="1/2", request="second")
        assert len(s.statement.charges) == 1


def test_f25_a_mean_lies_within_its_bounds():
    data = pa.table({"age": [0] * 3})
    with session(data, {"age": Range(0, 120, step=1)}) as s:
        values = [s.mean("age", epsilon="0.1", request=f"try {i}").value for i in range(15)]
    assert all(math.isnan(value) or 0 <= value <= 120 for value in values)


def test_f26_the_relation_is_printed():
    for neighbors, word in ((Neighbors.ADD_REMOVE, "adding or removing"), (Neighbors.REPLACE, "replacing")):
        with session(unit=Unit.row(neighbors)) as s:
            answer = s.count(epsilon=1)
        assert word in answer.unit.lower() + answer.sensitivity.lower()


@pytest.mark.parametrize("extra", [0, 1])
def test_neighbors_have_answers_on_the_same_grid(extra):
    """Mironov 2012: every noisy sum is a whole number of half units, whatever the rows are."""
    data = pa.table({"pay": [0.3] * (100 + extra)})
    with session(data, {"pay": SCHEMA["pay"]}, bits=SystemBits()) as s:
        values = [s.sum("pay", epsilon="1/3", request=f"{extra} {i}").value for i in range(40)]
    assert all((2 * value).is_integer() for value in values)


def test_the_order_of_rows_does_not_change_exact_totals():
    """Pitfall 16: floats added in another order."""
    values = [0.1, 1e16, -1e16, 0.2] * 50
    schema = {"x": Range(-10, 10, step="0.1")}
    forward = exact(pa.table({"x": values}), schema, lambda s: s.sum("x", epsilon=SURE)).value
    backward = exact(pa.table({"x": values[::-1]}), schema, lambda s: s.sum("x", epsilon=SURE)).value
    assert forward == backward


def test_private_totals_are_neither_shown_nor_pickled():
    from sfumato.summary.bounded import BoundedPlaces, BoundedTotals

    for private in (BoundedTotals(np.array([[7919]])), BoundedPlaces(np.array([7919]), 10**4)):
        assert "7919" not in repr(private)
        with pytest.raises(TypeError):
            pickle.dumps(private)


@pytest.mark.parametrize("kind", ["pandas", "polars", "duckdb", "csv", "parquet"])
def test_tables_come_as_they_are(kind, tmp_path):
    data = table()
    if kind == "pandas":
        data = data.to_pandas()
    elif kind == "polars":
        data = pytest.importorskip("polars").from_arrow(data)
    elif kind == "duckdb":
        import duckdb

        data = duckdb.from_arrow(data)
    else:
        path = tmp_path / f"t.{kind}"
        if kind == "csv":
            data.to_pandas().to_csv(path, index=False)
        else:
            import pyarrow.parquet as pq

            pq.write_table(data, path)
        data = path
    assert exact(data, SCHEMA, lambda s: s.mean("age", by="sex", epsilon=SURE)).values == pytest.approx(
        np.array([[30], [60]]), abs=0.01
    )


@pytest.mark.parametrize(
    ("domain", "edges"),
    [
        (Range(0, 10**7, 1), [0, 10**6, 10**6 + 5, 10**6 + 10, 10**7]),
        (Range(0, "0.00001", "0.0000001"), ["0", "0.0000001", "0.0000002", "0.00001"]),
        (Range("1/3", "7/3", "1/3"), ["1/3", "2/3", "1", "7/3"]),
        (Range(10**15, 10**15 + 3, "1/2"), [10**15, 10**15 + 1, 10**15 + 3]),
    ],
    ids=str,
)
def test_bins_are_named_exactly(domain, edges):
    data = pa.table({"x": [float(domain.low)] * 10})
    with session(data, {"x": domain}) as s:
        names = [key for (key,) in s.histogram("x", edges, epsilon=1).keys]
    ends = [name[1:-1].split(", ") for name in names]
    assert [Fraction(end) for end in (ends[0][0], *(high for _, high in ends))] == [Fraction(edge) for edge in edges]
    assert [low for low, _ in ends[1:]] == [high for _, high in ends[:-1]]


@pytest.mark.parametrize("name", ["count", "count low", "noisy count", "noisy count high"])
def test_a_table_of_an_answer_has_every_key_and_every_number(name):
    data = pa.table({name: ["a", "b"] * 100, "count": ["a", "b"] * 100})
    with session(data, dict.fromkeys([name, "count"], Categories(("a", "b")))) as s:
        answer = s.count(by=list(dict.fromkeys([name, "count"])), epsilon=SURE / 1000)
    table = answer.table()
    assert len(table) == len(answer.by) + 3
    assert [*zip(*(table[column] for column in answer.by), strict=True)] == [*answer.keys]
    assert [*table.values()][len(answer.by)] == [value for (value,) in answer.values]


@pytest.mark.parametrize("bins", [0, -1, 10**9, 2.0, True, "3", None, np.float64(3)])
def test_a_number_of_bins_that_cannot_be_is_refused_at_once(bins):
    with session(schema={"age": Range(0, 2**50, 1)}) as s:
        with pytest.raises(QueryError, match=r"[Bb]ins|[Ee]dge"):
            s.histogram("age", bins, epsilon=1)
        assert len(s.histogram("age", np.int64(3), epsilon=np.int64(1)).keys) == 3
        assert len(s.statement.charges) == 1


def test_prices_of_two_questions_may_differ_in_any_digit():
    with session() as s:
        for delta in ("1e-6", "1.0001e-6", "1.00000000000000000001e-6"):
            s.count(epsilon=1, delta=delta)
        assert len({charge.charge.request for charge in s.statement.charges}) == 3


def test_an_answer_is_stable_json():
    with session() as s:
        text = s.count(epsilon=1).to_json()
    assert json.loads(text)["format"] == "sfumato.answer/1"
    with pytest.raises(LedgerError, match="format"):
        Answer.from_json('{"format": "other"}')


DIRTY = (
    "01_french_excel_latin1_decimal_comma.csv", "02_baac_caracteristiques_2013_latin1.csv.gz",
    "03_baac_persons_excel_damaged_ids.csv", "04_istat_communes_multiline_header_latin1.csv.gz", "05_nhs_utf16le.csv",
    "06_german_sparse_latin1.csv", "07_nasa_cr_only_line_ends.csv", "09_header_repeated_json_cells.csv",
    "10_duplicate_column_names.csv",
)  # fmt: skip


@pytest.mark.parametrize("name", DIRTY)
def test_dirty_tables_are_answered_and_no_charge_is_left_without_answer(shared, name):
    """Whatever the cells hold: every column as numbers, and as keys that nobody knows."""
    from sfumato.engine.duckdb.engine import DuckDBEngine
    from sfumato.table.source import FileSource

    path = shared / "data" / "dirty_csv" / name
    columns = DuckDBEngine().scan(FileSource(path)).header.names[:4]
    for domain in (Range(-1000, 10**6, step=1), UnlistedText()):
        with session(path, dict.fromkeys(columns, domain)) as s:
            for column in columns:
                if isinstance(domain, UnlistedText):
                    s.count(by=column, epsilon=1, delta="1e-6")
                else:
                    s.mean(column, epsilon=1)
                    s.quantiles(column, [0.25, 0.5], epsilon=1)
            lines = s.statement.charges
        assert lines
        assert all(line.answered for line in lines)
