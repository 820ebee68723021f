"""What can be refused without a private value is refused before the charge, wherever the table is."""

import inspect
from decimal import Decimal
from fractions import Fraction
from uuid import uuid4

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato
from sfumato.errors import SfumatoError
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.source import SqlSource
from sfumato.table.unit import OF_TABLES, Neighbors, Unit

ROWS = Unit.row(Neighbors.ADD_REMOVE)
TABLE = pa.table({"age": [20.0, 40.0, None] * 4, "sex": ["F", "M", "F"] * 4})
SCHEMA = {"age": Range(0, 120, 1), "sex": Categories(("F", "M")), "gone": Range(0, 1, 1), "open": UnlistedText()}
REFUSED = {
    "a column that the table lacks": lambda s: s.mean("gone", epsilon=1),
    "a key that the table lacks": lambda s: s.count(by="open", epsilon=1, delta="1e-6"),
    "a counted column that the table lacks": lambda s: s.count("open", epsilon=1),
    "a condition on a column that the table lacks": lambda s: s.count(where=[("open", "=", "a")], epsilon=1),
    "quantiles of a column that the table lacks": lambda s: s.quantiles("gone", ["1/2"], epsilon=1),
    "a number beyond doubles": lambda s: s.count(where=[("age", "<", "1e400")], epsilon=1),
    "a number of a thousand million digits": lambda s: s.count(where=[("age", "<", "1e999999999")], epsilon=1),
    "an edge of as many": lambda s: s.histogram("age", [0, "1e999999999"], epsilon=1),
    "the same in SQL": lambda s: s.sql("SELECT COUNT(*), AVG(age) FROM t WHERE age < 1e400", epsilon=1),
    "a NUL": lambda s: s.count(where=[("sex", "=", "F\0")], epsilon=1),
    "half a character": lambda s: s.count(where=[("sex", "in", ["F", "\ud800"])], epsilon=1),
    "the second of two": lambda s: s.sql("SELECT COUNT(*), AVG(gone) FROM t", epsilon=1),
    "a confidence that rounds to 1": lambda s: s.count(epsilon=1, confidence="0." + "9" * 40),
}
SCHEMAS = {
    "a range too fine for doubles": {"age": Range("1e300", Fraction(10**300 + 10**280), "1e280")},
    "a range beyond doubles": {"age": Range(0, "1e400", "1e399")},
}


def session(data, schema=SCHEMA, unit=ROWS, budget=None):
    return sfumato.Session(data, schema, unit=unit, budget=budget or sfumato.Budget.approx(10, "0.1"))


@pytest.fixture(scope="module")
def hostile():
    """A session with a column of no declared values and a public table."""
    table = TABLE.append_column("note", pa.array(["CANARY"] * 12)).append_column("zip", pa.array(["1", "2"] * 6))
    schema = {**SCHEMA, "note": UnlistedText(), "zip": Categories(("1", "2"))}
    with sfumato.Session(table, schema, unit=ROWS, budget=sfumato.Budget.approx(10**6, "0.9")) as opened:
        opened.join(
            "areas", pa.table({"zip": ["1"], "area": ["x"]}), on="zip", columns={"area": Categories(("x", "y"))}
        )
        yield opened


@pytest.fixture(params=["duckdb", "spark", pytest.param("postgresql", marks=pytest.mark.postgres)])
def data(request):
    """The same table, wherever it is."""
    if request.param == "duckdb":
        return TABLE
    if request.param == "spark":
        return request.getfixturevalue("sail").createDataFrame(TABLE)
    psycopg, server, name = pytest.importorskip("psycopg"), request.getfixturevalue("postgres"), f"t_{uuid4().hex}"
    with psycopg.connect(server) as base:
        base.execute(f"CREATE TABLE {name} (age double precision, sex text)")
        with base.cursor() as cursor:
            rows = list(zip(*TABLE.to_pydict().values(), strict=True))
            cursor.executemany(f"INSERT INTO {name} VALUES (%s, %s)", rows)
    return SqlSource(server, name)


def test_a_mean_is_that_of_the_values_that_are_there_wherever_they_are(data):
    for neighbors in OF_TABLES:
        with session(data, unit=Unit.row(neighbors), budget=sfumato.Budget.pure(10**9)) as s:
            assert s.mean("age", epsilon=10**6).value == pytest.approx(30, abs=0.01)
            assert s.mean("age", where=[("sex", "=", "M")], epsilon=10**6).value == pytest.approx(40, abs=0.01)
            with pytest.raises(TypeError, match="takes no keyword"):
                s.mean("age", group="sex", epsilon=1)


def test_a_question_that_cannot_be_answered_is_never_charged(data):
    with session(data) as s:
        for name, ask in REFUSED.items():
            with pytest.raises(SfumatoError):
                ask(s)
            assert s.statement.charges == (), name
        s.count(epsilon=1)
        assert len(s.statement.charges) == 1


def test_a_declaration_that_cannot_be_read_is_never_charged(data):
    for name, schema in SCHEMAS.items():
        with session(data, schema) as s:
            for ask in (s.mean, s.sum, lambda column, epsilon: s.quantiles(column, ["1/2"], epsilon=epsilon)):
                with pytest.raises(SfumatoError):
                    ask("age", epsilon=1)
                assert s.statement.charges == (), name
    with session(data, unit=Unit(Neighbors.ADD_REMOVE, "who", 1, 1)) as s:
        with pytest.raises(SfumatoError):
            s.count(epsilon=1)
        assert s.statement.charges == ()


def test_a_public_table_that_cannot_be_joined_is_refused_when_it_is_declared(data):
    public = {
        "several rows for one key": ({"sex": ["F", "F"], "area": ["x", "y"]}, "sex", "area"),
        "a column of the private table": ({"sex": ["F", "M"], "age": ["x", "y"]}, "sex", "age"),
        "no common column": ({"zip": ["F", "M"], "area": ["x", "y"]}, "zip", "area"),
        "a NUL": ({"sex": ["F\0", "M"], "area": ["x", "y"]}, "sex", "area"),
    }
    with session(data, {"sex": Categories(("F", "M"))}) as s:
        for table, on, added in public.values():
            with pytest.raises(SfumatoError):
                s.join("areas", pa.table(table), on=on, columns={added: Categories(("x", "y"))})


def test_a_missing_cell_of_a_public_table_is_missing_wherever_the_private_one_is(data):
    public = pa.table({"sex": ["F", None, None], "area": pa.array([None, "x", "y"], pa.string())})
    with session(data, {"sex": Categories(("F", "M"))}, budget=sfumato.Budget.pure(10**9)) as s:
        s.join("areas", public, on="sex", columns={"area": Categories(("x", ""))})
        asked = ("COUNT(*) FROM t JOIN", "COUNT(*) FROM t LEFT JOIN", "COUNT(area) FROM t JOIN")
        answers = [s.sql(f"SELECT {what} areas USING (sex)", epsilon=10**6)[0].value for what in asked]
    assert answers == [8, 12, 0]


def test_a_confidence_is_a_number_however_it_is_written():
    with session(TABLE) as s:
        found = [s.count(epsilon=1, confidence=c) for c in ("0.9", 0.9, Fraction(9, 10))]
        assert [answer.confidence for answer in found] == [0.9] * 3
        assert len(s.statement.charges) == 1


def test_every_method_of_a_session_refuses_keywords_that_it_does_not_know():
    asked = {
        "covariance": (["age", "age"],), "histogram": ("age", 2), "quantiles": ("age", ["1/2"]),
        "sql": ("SELECT COUNT(*) FROM t",), "count": (), "persons": (),
    }  # fmt: skip
    with session(TABLE) as s:
        methods = {
            name: method
            for name, method in inspect.getmembers(s, inspect.ismethod)
            if not name.startswith("_")
            and any(p.kind is p.VAR_KEYWORD for p in inspect.signature(method).parameters.values())
        }
        assert {"count", "sum", "mean", "sql", *asked} <= set(methods)
        for name, method in methods.items():
            for word in ("wher", "groupby", "confidance", "epsilonn", "left"):
                with pytest.raises(TypeError, match=rf"{name}\(\) takes no keyword '{word}'"):
                    method(*asked.get(name, ("age",)), epsilon=1, **{word: 1})
        for name in ("quantiles", "histogram", "sql"):
            with pytest.raises(TypeError, match=rf"{name}\(\) takes no keyword 'by': .*epsilon"):
                methods[name](*asked[name], by="sex", epsilon=1)
        with pytest.raises(TypeError, match="did you mean 'where'"):
            s.count(wher=[("sex", "=", "F")], epsilon=1)
        assert s.statement.charges == ()


TEXTS = st.sampled_from(["F", "M", "20", "1e400", "-0", "", "a\0", "\ud800", "nan", "1/3", "x" * 2000])
NAMES = st.sampled_from([*["age"] * 9, "sex", "zip", "open", "note", "area", "gone"])
GROUPS = st.sampled_from(["sex", "zip", "area", "note", "open", "age", "gone"])
BY = st.one_of(
    st.just([]), st.lists(GROUPS, max_size=2), st.sampled_from([{"age": [0, 60, 120]}, {"age": [0, "1/3", 120]}])
)
GOOD = st.sampled_from([("sex", "=", "F"), ("age", ">=", "1/3"), ("age", "in", [1, "2.5"]), ("zip", "not in", ["1"])])
ODD = st.tuples(NAMES | GROUPS, st.sampled_from(["=", "!=", "<", "in", "not in", "~"]), TEXTS | st.lists(TEXTS))
WHERE = st.one_of(st.just([]), st.lists(GOOD, max_size=2), st.lists(ODD, max_size=2))
PRICES = st.sampled_from(
    [*[{"epsilon": 1}] * 3, *[{"epsilon": 1, "delta": "1e-9"}] * 3, {"epsilon": "1e-40"}, {"rho": 1}, {}]
)
CONFIDENCES = st.sampled_from(
    [{}, {"confidence": Fraction(1, 3)}, {"confidence": Decimal("0.9")}, {"confidence": "1e-200"}]
)


@settings(max_examples=60)
@given(data=st.data())
def test_whatever_is_asked_is_answered_or_costs_nothing(hostile, data):
    """Hostile names, numbers, texts, prices and confidences in every method: each charge has its answer."""
    terms = {**data.draw(PRICES), **data.draw(CONFIDENCES), "where": data.draw(WHERE)}
    if data.draw(st.integers(0, 3)) == 0:
        terms["join"] = "areas"
    method = data.draw(
        st.sampled_from(["count", "persons", "sum", "mean", "deviation", "covariance", "quantiles", "histogram"])
    )
    given_ = {
        "count": lambda: (data.draw(st.none() | NAMES),), "persons": tuple,
        "covariance": lambda: (data.draw(st.lists(NAMES, max_size=3)),),
        "quantiles": lambda: (data.draw(NAMES), data.draw(st.lists(st.sampled_from(["1/4", "1/2", "1", "1e-50"]), max_size=2))),
        "histogram": lambda: (data.draw(NAMES), data.draw(st.sampled_from([0, 3, 10**9, [0, 120], ["0", "1e400"], []]))),
    }.get(method, lambda: (data.draw(NAMES),))()  # fmt: skip
    if method not in {"quantiles", "histogram"}:
        terms["by"] = data.draw(BY)
    before = len(hostile.statement.charges)
    try:
        getattr(hostile, method)(*given_, **terms)
    except SfumatoError:
        assert len(hostile.statement.charges) == before
    assert all(line.answered for line in hostile.statement.charges)
