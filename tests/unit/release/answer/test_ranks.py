"""What a person's rows cost in a question about quantiles: as many as the engine leaves, no more and no fewer."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from sfumato.account.event import PureDP
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.release.answer.prepared import prepared_query
from sfumato.release.answer.query import Query
from sfumato.release.answer.ranks import QUANTILES
from sfumato.summary.bounded import Comparison, Condition, Places
from sfumato.table.domain import Categories, Range
from sfumato.table.source import FrameSource
from sfumato.table.unit import OF_TABLES, Neighbors, Unit

COLUMNS = {"v": Range(0, 9, step=1), "g": Categories(("a", "b", "c"))}
HALF = (Fraction(1, 2),)
WHERE = {
    "": (),
    "one group": (Condition("g", Comparison.EQUAL, ("a",)),),
    "v": (Condition("v", Comparison.MORE, ("3",)),),
}
ENGINE = DuckDBEngine(threads=1)


def work(unit, where=()):
    """A median, ready to be paid."""
    query = Query(QUANTILES, ("v",), quantiles=HALF, where=where)
    return prepared_query(query, COLUMNS, unit, PureDP(Fraction(1)), join=None)


def rows_of(rng, person):
    """Between 0 and 8 rows of one person in all groups, numbers missing now and then."""
    n = int(rng.integers(0, 9))
    numbers = rng.integers(-2, 12, n).astype(float)
    numbers[rng.random(n) < 0.2] = np.nan
    return pd.DataFrame({"who": [person] * n, "v": numbers, "g": rng.choice(["a", "b", "c"], n)})


def places(one, frame):
    """What the mechanism is given."""
    return Counter(ENGINE.summarize(ENGINE.scan(FrameSource(frame)), Places(one.ask, "v")).places.tolist())


@pytest.mark.parametrize("neighbors", OF_TABLES)
@pytest.mark.parametrize("where", WHERE.values(), ids=WHERE)
def test_a_neighbor_is_as_many_rows_away_as_are_paid_for(neighbors, where):
    """Tables that differ in a person with up to 8 rows in 3 groups; some pair is as far away as the price says."""
    one, rng, farthest = work(Unit(neighbors, "who", rows=3, keys=5), where), np.random.default_rng(1), 0
    for _ in range(20):
        others = [rows_of(rng, "other"), rows_of(rng, "another")]
        person, replaced = rows_of(rng, "who"), rows_of(rng, "new")
        table = places(one, pd.concat([others[0], person, others[1]]))
        gone = [others[0], *([replaced] if neighbors is Neighbors.REPLACE else []), others[1]]
        neighbor = places(one, pd.concat(gone))
        farthest = max(farthest, (table - neighbor).total(), (neighbor - table).total())
    assert farthest == one.mechanism.rows == 3


def test_groups_that_are_not_asked_for_cost_nothing():
    """The same mechanism whatever `keys` is; with more rows a person it is another."""
    few, many, more = (work(Unit(Neighbors.ADD_REMOVE, "who", r, k)).mechanism for r, k in ((2, 1), (2, 20), (3, 1)))
    assert few == many != more
