"""What the public type of a column, or a declared domain, rules out is refused before the charge, not answered with noise."""

import datetime as dt

import pyarrow as pa
import pytest

import sfumato
from sfumato.errors import SfumatoError
from sfumato.table.domain import Categories, Range
from sfumato.table.unit import Neighbors, Unit

TABLE = pa.table({"sex": ["F"] * 4, "truth": [True] * 4, "day": [dt.date(2020, 1, 31)] * 4})
SCHEMA = {"sex": Categories(("F", "M")), "truth": Range(0, 1, 1), "day": Categories(("31/01/2020",))}
REFUSED = {
    "a sum of truth values": lambda s: s.sum("truth", epsilon=1),
    "bins of truth values": lambda s: s.histogram("truth", 2, epsilon=1),
    "quantiles of truth values": lambda s: s.quantiles("truth", ["1/2"], epsilon=1),
    "categories that no date is": lambda s: s.count(by="day", epsilon=1),
    "a condition that no date meets": lambda s: s.count(where=[("day", "=", "31/01/2020")], epsilon=1),
    "the same in SQL": lambda s: s.sql("SELECT day, COUNT(*) FROM t GROUP BY day", epsilon=1),
    "a value that is not declared": lambda s: s.count(where=[("sex", "!=", "male")], epsilon=1),
}


@pytest.fixture(params=["duckdb", "spark"])
def data(request):
    return TABLE if request.param == "duckdb" else request.getfixturevalue("sail").createDataFrame(TABLE)


def test_what_types_and_domains_rule_out_is_never_charged(data):
    unit = Unit.row(Neighbors.ADD_REMOVE)
    with sfumato.Session(data, SCHEMA, unit=unit, budget=sfumato.Budget.pure(10)) as s:
        for name, ask in REFUSED.items():
            with pytest.raises(SfumatoError):
                ask(s)
            assert s.statement.charges == (), name
        assert s.count(where=[("sex", "=", "F")], epsilon=5).value > -20
