"""What a program does with tables in memory, by public Python names; each function returns a text."""

import json
import sqlite3
from inspect import signature
from pathlib import Path

import sfumato
import sfumato.errors

N = 300


def name(*known):
    """The first of some public names that the package has."""
    return next(getattr(sfumato, one) for one in known if hasattr(sfumato, one))


def rows():
    """Persons by a rule."""
    return {
        "zip": [f"{'0123'[i % 4]}{i % 3}000" for i in range(60)],
        "age": [20 + i * 7 % 12 for i in range(60)],
        "illness": ["flu", "gout", "acne"] * 20,
        "note": [f"n{i}" for i in range(60)],
    }


def frame(kind):
    """The persons in a library's own form."""
    if kind == "pandas":
        import pandas as pd

        return pd.DataFrame(rows())
    if kind == "polars":
        import polars as pl

        return pl.DataFrame(rows())
    import pyarrow as pa

    table = pa.table(rows())
    if kind == "arrow":
        return table
    import duckdb

    connection = duckdb.connect()
    connection.register("people", table)
    return connection.sql("SELECT * FROM people")


def back(table):
    """A frame that came back: its type and its rows."""
    kind = type(table).__name__
    if kind == "DuckDBPyRelation":
        return kind, [str(row) for row in table.fetchall()]
    if hasattr(table, "to_pylist"):
        return kind, [str(tuple(row.values())) for row in table.to_pylist()]
    data = table.to_dict("list") if hasattr(table, "iloc") else table.to_dict(as_series=False)
    return kind, [f"{key}: {values}" for key, values in data.items()]


def plan(method="full-domain", **more):
    """Postcodes masked, ages in fives, k = 3."""
    document = {
        "sfumato": 1,
        "columns": {
            "zip": {"role": "quasi-identifying", "hierarchy": {"mask": "right"}},
            "age": {"role": "quasi-identifying", "kind": "integer", "hierarchy": {"width": 5, "then": [10]}},
            "illness": {"role": "sensitive"},
            "note": {"role": "insensitive"},
        },
        "promise": [{"model": "k-anonymity", "k": 3}],
        "method": {"name": method},
        "measure": {"queries": 5, "guesses": 5},
        **more,
    }
    return sfumato.plan_from(document, folder=Path())


def release(kind, method):
    """A frame in, a release out."""
    done = sfumato.run(plan(method), frame(kind))
    return "\n".join([*_lines(back(done.frame)), _document(done.result)])


def two_tables(kind):
    """Rows and values of buckets come back as two frames, and are read as a pair."""
    promise = {"model": "l-diversity", "kind": "frequency", "column": "illness", "l": 2}
    done = sfumato.run(plan("anatomy", promise=[promise]), frame(kind))
    pair = sfumato.read_pair(done.frame, done.values_frame)
    read = [pair.n_rows, pair.n_buckets] if hasattr(pair, "n_buckets") else []
    return "\n".join([*_lines(back(done.frame)), *_lines(back(done.values_frame)), str(read), _document(done.result)])


def measured(kind):
    """Risk, comparison, attack, versions, sweep, hierarchy and draft of frames."""
    table = frame(kind)
    done = sfumato.run(plan(), frame(kind))
    asked = {"quasi_identifiers": ["zip", "age"], "sensitive": ["illness"]}
    above = "risk_threshold" if "risk_threshold" in signature(sfumato.assess_risk).parameters else "threshold"
    found = [
        sfumato.assess_risk(table, **asked, population=5000, **{above: 0.3}),
        sfumato.compare(original=frame(kind), release=done.frame, plan=plan(), target="illness"),
    ]
    if kind != "duckdb":
        found.append(sfumato.attack_release(release=done.frame, original=table, plan=plan(), guesses=20))
        found.append(sfumato.sweep(plan(), {"k": [2, 4]}, table))
    made = name("hierarchy", "hierarchy_of")(table, "age")
    draft = name("draft", "draft_of")(table)
    guesses = [(one.column.name, one.column.role.value, one.column.kind.value, one.reason) for one in draft.guesses]
    return "\n".join([*map(_document, found), str(made.labels), str(guesses)])


def session(ledger, *how):
    """Every kind of answer of a session, and what a ledger then says."""
    import pyarrow as pa

    unlisted = name("UnlistedText", "Open")
    schema = {
        "age": sfumato.Range(0, 120, step=1),
        "pay": sfumato.Range("0", "500", step="0.5"),
        "sex": sfumato.Categories(("f", "m")),
        "town": unlisted(),
    }
    table = pa.table({
        "age": [20 + i * 7 % 60 for i in range(N)],
        "pay": [float(i * 37 % 900) / 2 for i in range(N)],
        "sex": ["fm"[i * 5 % 7 % 2] for i in range(N)],
        "town": ["abc"[i * 11 % 13 % 3] for i in range(N)],
    })  # fmt: skip
    unit = sfumato.Unit.row(sfumato.Neighbors.ADD_REMOVE if "rows" in how else sfumato.Neighbors.REPLACE)
    budget = sfumato.Budget.zcdp("9") if "rho" in how else sfumato.Budget.approx(60, "0.01")
    price = {"rho": "1/8"} if "rho" in how else {"epsilon": "1/2"}
    more = {"ledger": ledger, "dataset": "people", "create": True} if ledger != "memory" else {}
    said = []
    with sfumato.Session(table, schema, unit=unit, budget=budget, **more) as opened:
        for ask in _asks(price):
            try:
                answer = ask(opened)
            except Exception as error:  # noqa: BLE001
                said.append(f"{type(error).__name__}: {error}")
                continue
            said += [_answer(one) for one in (answer if isinstance(answer, list | tuple) else [answer])]
        said += map(_answer, opened.sql("SELECT sex, AVG(age), COUNT(*) FROM t GROUP BY sex", **price))
    return "\n".join(said)


def _asks(price):
    """Questions of every kind."""
    return (
        lambda s: s.count(**price),
        lambda s: s.count(**price),
        lambda s: s.count("pay", by="sex", **price),
        lambda s: s.count(by={"sex": None, "age": [0, 50, 120]}, where=[("pay", ">", 7)], **price),
        lambda s: s.sum("pay", **price),
        lambda s: s.mean("age", by="sex", **price),
        lambda s: s.variance("age", **price),
        lambda s: s.deviation("age", **price),
        lambda s: s.covariance(["age", "pay"], **price),
        lambda s: s.histogram("age", [0, 30, 50, 120], **price),
        lambda s: s.quantiles("age", [0.1, 0.5, 0.9], epsilon=1),
        lambda s: s.count(by="town", epsilon=1, delta="1e-6"),
        lambda s: s.mean("nothing", **price),
        lambda s: s.count(epsilon=10**6),
    )


def _answer(answer):
    """An answer as a document."""
    return answer.to_json()


def sqlite():
    """A table of an SQLite file is published into another table of it."""
    with sqlite3.connect("people.db") as base:
        base.execute("CREATE TABLE people (zip TEXT, age INTEGER, illness TEXT, note TEXT)")
        base.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", list(zip(*rows().values(), strict=True)))
    base.close()
    url = "sqlite:///people.db"
    output = {"url": url, "table": "released", "result": "result.json"}
    return _document(sfumato.run(plan(source={"url": url, "query": "people"}, output=output)).result)


def spark():
    """The same plans on a Spark session (Sail), and questions about a Spark table."""
    from tests.spark_sessions import sail_session

    said = []
    with sail_session() as opened:
        for method in ("full-domain", "mondrian", "local-recoding", "microaggregation", "cell-suppression"):
            done = sfumato.run(plan(method), opened.createDataFrame(frame("arrow")))
            said += [*_lines(back(done.frame.toArrow())), _document(done.result)]
        schema = {"age": sfumato.Range(0, 120, step=1), "illness": sfumato.Categories(("flu", "gout", "acne"))}
        unit, budget = sfumato.Unit.row(sfumato.Neighbors.ADD_REMOVE), sfumato.Budget.pure(20)
        with sfumato.Session(opened.createDataFrame(frame("arrow")), schema, unit=unit, budget=budget) as asked:
            said += [_answer(asked.count(by="illness", epsilon=1)), _answer(asked.mean("age", epsilon=1))]
            said += [_answer(asked.quantiles("age", [0.5], epsilon=1))]
    return "\n".join(said)


def settings(path):
    """A server's document is read, not obeyed."""
    from sfumato.collect.settings import read_settings

    try:
        read_settings(Path(path))
    except sfumato.errors.SfumatoError as error:
        return f"{error.exit_code}: {error}"
    return "read"


def _lines(told):
    """A frame that came back as lines."""
    return [told[0], *told[1]]


def _document(found):
    """A document in one line."""
    return json.dumps(
        json.loads(found.to_json()) if hasattr(found, "to_json") else found, ensure_ascii=False, default=str
    )
