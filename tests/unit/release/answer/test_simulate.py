"""The exact answers that simulated ones are compared with are exact, whatever is asked and however wide a column is."""

from fractions import Fraction

import numpy as np
import pytest

import sfumato.release.answer.simulate as module
from sfumato.account.event import PureDP
from sfumato.release.answer.moments import COVARIANCE, MEAN, PAIR, SUM, VARIANCE
from sfumato.release.answer.query import Query
from sfumato.release.answer.ranks import METHODS, QUANTILES
from sfumato.release.answer.simulate import simulate
from sfumato.table.domain import Range
from sfumato.table.unit import OF_TABLES, Neighbors, Unit

WIDE = {"wide": Range(0, 10**9, step=1), "fine": Range(0, 1, step="0.000001")}
UNITS = [Unit.row(Neighbors.ADD_REMOVE), Unit.row(Neighbors.REPLACE), Unit(Neighbors.ADD_REMOVE, "id", 50, 10)]


def simulated(query, unit, epsilon, columns=WIDE, rows=101, runs=1):
    """A simulation with fixed chance."""
    return simulate(
        query, columns, unit, PureDP(epsilon), rows=rows, runs=runs, confidence=0.95, rng=np.random.default_rng(1)
    )


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.sentence[:20])
@pytest.mark.parametrize("aggregate", [SUM, MEAN, VARIANCE, COVARIANCE, PAIR])
def test_a_total_of_large_numbers_is_exact(unit, aggregate):
    """Noise at a price that no total outgrows is none: the errors of such answers are 0, not a person's part of it."""
    columns = ("wide", "fine") if aggregate in {COVARIANCE, PAIR} else ("wide",)
    found = simulated(Query(aggregate, columns), unit, Fraction(2**200))
    assert set(found.typical) == {0.0}


@pytest.mark.parametrize("rows", [1, 4, 101])
def test_quantiles_are_compared_with_the_rows_themselves(rows, monkeypatch):
    """Errors are those to the row in place ⌈q·n⌉, be it far from the next one: no draw stands in for it."""
    quantiles = (Fraction(1, 3), Fraction(1, 2), Fraction(3, 4))
    column = [float(x) for x in np.random.default_rng(2).integers(0, 10**9, rows)]
    monkeypatch.setattr(module, "_synthetic", lambda *_: {"wide": column})
    found = simulated(Query(QUANTILES, ("wide",), quantiles=quantiles), UNITS[0], Fraction(1), WIDE, rows)
    monkeypatch.setattr(module.PreparedPlaces, "run", lambda ready, *_, **__: ready._numbers(np.zeros(3, np.int64)))
    errors = simulated(Query(QUANTILES, ("wide",), quantiles=quantiles), UNITS[0], Fraction(1), WIDE, rows)
    assert errors.typical == tuple(sorted(column)[(q * rows).__ceil__() - 1] for q in quantiles)
    assert found.cells == errors.cells


@pytest.mark.parametrize("neighbors", OF_TABLES)
@pytest.mark.parametrize("method", ["", *METHODS])
def test_no_method_errs_where_the_price_is_huge_and_the_answer_certain(method, neighbors):
    """1,000 rows on 3 values at ε = 2⁴⁰: each method finds the quantiles, and the simulation says so."""
    query = Query(QUANTILES, ("x",), quantiles=(Fraction(1, 6), Fraction(1, 2)), method=method)
    found = simulated(query, Unit.row(neighbors), Fraction(2**40), {"x": Range(0, 2, step=1)}, 1000)
    assert found.typical == (0.0, 0.0)
