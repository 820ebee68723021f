"""From rows to answers: the engine's totals are the ones that the mechanisms mean, missing values and all."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests.unit.mechanism.central.tiny_persons import watched

from sfumato.account.event import ApproxDP, PureDP
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.covariance import Covariance
from sfumato.mechanism.central.mean import Mean
from sfumato.mechanism.central.partition_selection import ThresholdSelection
from sfumato.mechanism.central.sums import Sum
from sfumato.mechanism.central.variance import Variance
from sfumato.summary.bounded import BoundedAsk, Keyed, Term
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.source import FrameSource
from sfumato.table.unit import Neighbors, Unit
from sfumato.testing.seeded_bits import SeededBits

ENGINE = DuckDBEngine(threads=1)
ROW, ONE = Unit.row(Neighbors.ADD_REMOVE), PureDP(Fraction(1))
FRAME = pd.DataFrame(
    {
        "g": ["a", "a", "a", "b", "a", "a"],
        "x": [1.5, 2.5, float("nan"), 0.5, float("inf"), -7.0],  # inf and -7 are clamped to 3.5 and 0.5
        "y": [0.0, 1.0, 1.0, 1.0, 0.0, 1.0],
    }
)
HALVES = Range("0.5", "3.5", 1)
KEPT = np.array([1.5, 2.5, 3.5, 0.5])
BY = (Keyed("g", Categories(("a", "b", "c"))),)


def answered(monkeypatch, mechanism, ranges):
    watched(monkeypatch)
    table = ENGINE.scan(FrameSource(FRAME))
    columns = tuple(column for column, _ in ranges)
    ask = BoundedAsk(ROW, mechanism.terms, BY, ranges=ranges, complete=columns)
    return mechanism.decide(ENGINE.summarize(table, ask).totals, confidence=0.9, bits=None).values


@pytest.mark.parametrize(("kind", "slow"), [(Sum, np.sum), (Mean, np.mean), (Variance, np.var)])
def test_f2_f23_missing_values_add_nothing_and_infinities_are_clamped(monkeypatch, kind, slow):
    found = answered(monkeypatch, kind("x", HALVES, ROW, ONE, 3), (("x", HALVES),))
    assert found[:2] == pytest.approx([slow(KEPT), slow(np.array([0.5]))])
    assert found[2] == 0 if kind is Sum else np.isnan(found[2])


def test_covariances_are_over_rows_that_have_both(monkeypatch):
    ranges = (("x", HALVES), ("y", Range(0, 1, 1)))
    found = answered(monkeypatch, Covariance(("x", "y"), (HALVES, Range(0, 1, 1)), ROW, ONE, 3), ranges)
    assert found[0] == pytest.approx(np.cov(KEPT, [0, 1, 0, 1], bias=True))


def test_counts_have_noise_from_declared_groups_only():
    table = ENGINE.scan(FrameSource(FRAME))
    count = Count(ROW, PureDP(Fraction(700)), 3)
    found = ENGINE.summarize(table, BoundedAsk(ROW, count.terms, BY))
    assert count.decide(found.totals, confidence=0.9, bits=SeededBits(1)).values.tolist() == [5, 1, 0]


def test_keys_from_the_table_are_thresholded():
    frame = pd.DataFrame({"g": ["many"] * 500 + ["one"]})
    found = ENGINE.summarize(ENGINE.scan(FrameSource(frame)), BoundedAsk(ROW, (Term(),), (Keyed("g", UnlistedText()),)))
    selection = ThresholdSelection(ROW, ApproxDP(Fraction(1), Fraction(1, 10**6)))
    kept = selection.decide(found.persons, confidence=0.9, bits=SeededBits(2))
    assert [found.keys[place] for place in kept.places] == [("many",)]
