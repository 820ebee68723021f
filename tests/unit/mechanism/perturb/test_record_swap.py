"""Record swapping: what stays, who moves."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.perturb.record_swap import RecordSwapping, partners, pool_of
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Role
from sfumato.testing.seeded_bits import SeededBits


def decided(cells, swap, seed=1):
    """Rows (region, size, age) as a decision, and their tuples."""
    columns = list(zip(*cells, strict=True))
    attributes = tuple(
        bind(Column(name, Role.QUASI_IDENTIFYING), sorted(set(column), key=lambda v: (v is None, v or "")))
        for name, column in zip(("region", "size", "age"), columns, strict=True)
    )
    coded = np.array([[a.hierarchy.labels[0].index(v) for a, v in zip(attributes, row, strict=True)] for row in cells])
    codes, rows = np.unique(coded, axis=0, return_counts=True)
    return swap.decide_tuples(attributes, Classes(codes, rows=rows, alone=rows), bits=SeededBits(seed)), attributes


def published(decision, attributes):
    """Rows that the step publishes, with the original region, by walking through it row by row."""
    step, out = decision.step, []
    for tuple_, rows, member in zip(step.splits.tuple_, step.splits.rows, step.splits.member, strict=True):
        before = attributes[0].hierarchy.labels[0][step.codes[tuple_, 0]]
        out += [(before, *(labels[member] for labels in step.labels))] * int(rows)
    return out


RNG = np.random.default_rng(3)
CELLS = [(str(a), str(b), str(c)) for a, b, c in zip(
    RNG.integers(0, 4, 400), RNG.integers(1, 4, 400), RNG.integers(20, 60, 400), strict=True)]  # fmt: skip


def test_every_count_by_region_and_match_columns_stays_and_rare_rows_move():
    decision, attributes = decided(CELLS, RecordSwapping(("size",), ("age",), 2, Fraction(0)))
    rows = published(decision, attributes)
    assert Counter((r, s) for r, s, _ in CELLS) == Counter((new, s) for _, new, s, _ in rows)
    assert Counter(CELLS) == Counter((old, s, a) for old, _, s, a in rows)
    rare = {cell for cell, count in Counter(CELLS).items() if count == 1}
    kept = sum(old == new for old, new, s, a in rows if (old, s, a) in rare) / len(rare)
    assert decision.risk[0].value == pytest.approx(kept)
    assert kept < 0.05
    moved = sum(old != new for old, new, *_ in rows) / len(rows)
    assert decision.worth[0].value == pytest.approx(moved)


def test_the_share_is_reached_with_partners():
    decision, attributes = decided(CELLS, RecordSwapping(("size",), (), 1, Fraction(1, 4)))
    moved = sum(old != new for old, new, *_ in published(decision, attributes))
    assert 100 <= moved + 3
    assert moved <= 110


def test_rows_without_a_region_or_without_a_partner_elsewhere_stay():
    cells = [("a", "1", "x"), ("a", "1", "y"), (None, "1", "z"), ("b", "2", "x")]
    decision, attributes = decided(cells, RecordSwapping(("size",), ("age",), 9, Fraction(0)))
    assert all(old == new for old, new, *_ in published(decision, attributes))
    assert decision.risk[0].value == 1.0


def test_partners_are_mutual_in_one_group_and_of_different_regions_where_that_is_possible():
    group, region = RNG.integers(0, 5, 300), RNG.integers(0, 6, 300)
    pool = pool_of(group, RNG.random(300) < 0.3, 0)
    found = partners(group, region, pool, bits=SeededBits(2))
    assert np.array_equal(found[found], np.arange(300))
    assert np.array_equal(group[found], group)
    assert np.array_equal(found[~pool], np.flatnonzero(~pool))
    assert (region[found] != region)[pool].all()


def test_a_broken_twin_that_keeps_the_order_of_regions_would_be_seen():
    """Without the random order of regions, two regions always face each other in the same way."""
    region = np.array([0, 0, 1, 1, 2, 2])
    seen = {tuple(region[partners(np.zeros(6, int), region, np.ones(6, bool), bits=SeededBits(i))]) for i in range(40)}
    assert len(seen) > 3


@pytest.mark.parametrize("wrong", [{"match": ()}, {"at_risk": 0}, {"share": Fraction(1)}, {"key": ("size",)}])
def test_options_are_checked(wrong):
    with pytest.raises(ParameterError, match="match"):
        RecordSwapping(**({"match": ("size",), "key": (), "at_risk": 2, "share": Fraction(0)} | wrong))
