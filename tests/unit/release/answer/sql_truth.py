"""What does a statement mean? DuckDB reads it with its own parser and answers it exactly; a session must say the same."""

import json
import math
import re
from bisect import bisect_left, bisect_right
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import duckdb
import pyarrow as pa
import sqlglot
from sqlglot import exp

import sfumato
from sfumato.errors import QueryError
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.unit import Neighbors, Unit
from sfumato.testing.seeded_bits import SeededBits

SURE = 2**40
"""At this epsilon the noise is 0 but for a chance below e^-10000, so answers are the exact ones."""
TOWNS = ("A", "B", "C", "o'Z")
SCHEMA = {
    "age": Range(0, 120, step=1),
    "pay": Range("-5", "10", step="0.5"),
    "sex": Categories(("F", "M")),
    "town": Categories(TOWNS),
    "flag": Categories(("true", "false")),
    "free": UnlistedText(),
}
PUBLIC = {"region": Categories(("n", "s")), "size": Range(0, 9, step=1)}
REGIONS = pa.table({"town": TOWNS[:3], "region": ["n", "n", "s"], "size": [1, 5, 9]})
UNITS = (Unit.row(Neighbors.ADD_REMOVE), Unit(Neighbors.ADD_REMOVE, person="id", rows=50, keys=50))


def table_of(rng, n=80):
    """A random table within the declared domains; every column but `id` has missing cells."""

    def column(draw, missing=0.1):
        return [None if rng.random() < missing else draw() for _ in range(n)]

    return pa.table({
        "id": pa.array(column(lambda: rng.randrange(n // 2), 0), pa.int32()),
        "age": pa.array(column(lambda: rng.randint(0, 120)), pa.int32()),
        "pay": pa.array(column(lambda: rng.randint(-10, 20) / 2), pa.float64()),
        "sex": pa.array(column(lambda: rng.choice("FM")), pa.string()),
        "town": pa.array(column(lambda: rng.choice(TOWNS)), pa.string()),
        "flag": pa.array(column(lambda: rng.random() < 0.5), pa.bool_()),
        "free": pa.array(column(lambda: rng.choice("xyz")), pa.string()),
    })  # fmt: skip


@dataclass
class Judge:
    """A session beside DuckDB."""

    session: sfumato.Session
    exact: duckdb.DuckDBPyConnection
    questions: set[str] = field(default_factory=set)

    def __call__(self, statement):
        """None: refused by name. Otherwise what is wrong: "" if nothing is."""
        try:
            answers = self.session.sql(statement, epsilon=SURE)
        except QueryError:
            return None
        self.questions |= {answer.question for answer in answers}
        return _difference(statement, answers, self.exact)


@contextmanager
def judge(table, unit, engine=None, source=None):
    """A session of a table beside DuckDB.

    Args:
        table: the rows, for DuckDB.
        unit: of the session.
        engine: of the session.
        source: what the session reads; None: the table.
    """
    budget = sfumato.Budget.pure(2**60)
    with (
        duckdb.connect(config={"threads": 1}) as exact,
        sfumato.Session(
            table if source is None else source, SCHEMA, unit=unit, budget=budget, bits=SeededBits(1), engine=engine
        ) as session,
    ):
        exact.register("t", table)
        exact.register("regions", REGIONS)
        session.join("regions", REGIONS, on="town", columns=PUBLIC)
        yield Judge(session, exact)


def _difference(statement, answers, exact):
    """How the answers differ from DuckDB's; "" if they do not."""
    try:
        read = json.loads(exact.execute("SELECT json_serialize_sql(?)", [statement]).fetchone()[0])
        rows = _rows(statement, exact)
    except duckdb.Error as error:
        return f"DuckDB refuses it: {error}"
    if read["error"]:
        return f"DuckDB cannot read it: {read['error_message']}"
    select = read["statements"][0]["node"]
    items = select["select_list"]
    keys = {item["column_names"][-1].lower(): i for i, item in enumerate(items) if item["class"] == "COLUMN_REF"}
    asked = [i for i, item in enumerate(items) if item["class"] != "COLUMN_REF"]
    if len(asked) != len(answers):
        return f"DuckDB answers {len(asked)} questions, the session {len(answers)}"
    if any(column.lower() not in keys for column in answers[0].by):
        rows = _rows(_selecting(statement, answers[0].by, append=True), exact)
        keys = {column.lower(): len(items) + i for i, column in enumerate(answers[0].by)}
    for i, answer in zip(asked, answers, strict=True):
        name, column = items[i]["function_name"].lower(), [row[i] for row in rows]
        told = _one(answer, name, column, keys, rows, partial(_ranked, answer.question, statement, exact))
        if told:
            return f"{answer.question}: {told}"
    return ""


def _rows(statement, exact):
    """DuckDB's rows; the private table is called as the statement calls it."""
    try:
        return exact.execute(statement).fetchall()
    except duckdb.CatalogException as error:
        named = re.search(r"Table with name (\w+) does not exist", str(error))
        if named is None:
            raise
        exact.execute(f'CREATE VIEW "{named[1]}" AS FROM t')
        return exact.execute(statement).fetchall()


def _one(answer, name, column, keys, rows, ask_rows):
    """How one answer differs from its column of DuckDB's rows."""
    if len(answer.cells) != 1:
        return f"{len(answer.cells)} numbers instead of one"
    values = {key: cells[0] for key, cells in zip(answer.keys, answer.values, strict=True)}
    if "quantile" in name or name in {"median", "percentile_cont", "percentile_disc"}:
        return "" if column[0] is None else ask_rows(values[()], column[0])
    is_total = name in {"count", "count_star", "sum"}
    places = [keys[key.lower()] for key in answer.by]
    true = {tuple(_text(row[place]) for place in places): value for row, value in zip(rows, column, strict=True)}
    for key, value in values.items():
        told = true.get(key)
        told = 0 if told is None and is_total else told
        if told is not None and not _close(value, told):
            return f"{value} instead of {told} for {key}"
    return ""


def _ranked(question, statement, exact, value, true):
    """Whether a value lies within one rank and one step of DuckDB's quantile, which may lie between two rows."""
    column = question.split("(")[1].split(",")[0]
    rows = _rows(_selecting(statement, [column], append=False), exact)
    there = sorted(float(x) for (x,) in rows if x is not None)
    step = float((SCHEMA | PUBLIC)[column].step)
    first, last = bisect_left(there, value - step), bisect_right(there, value + step)
    fits = first <= bisect_right(there, float(true)) + 1 and last >= bisect_left(there, float(true)) - 1
    return "" if fits else f"{value} instead of {true}, far from it among {len(there)} values"


def _selecting(statement, columns, *, append):
    """The statement with more columns, or with others; the common one is the private table's."""
    (select,) = (one for one in sqlglot.parse(statement, read="duckdb") if isinstance(one, exp.Select))
    table = select.find(exp.From).this.alias_or_name
    named = [f'"{table}"."{column}"' if column in SCHEMA else f'"{column}"' for column in columns]
    return select.select(*named, append=append).sql(dialect="duckdb")


def _close(one, other):
    try:
        return math.isclose(float(one), float(other), rel_tol=1e-9, abs_tol=1e-6)
    except TypeError:
        return False


def _text(key):
    """A key as a session shows it."""
    return str(key).lower() if isinstance(key, bool) else str(key)
