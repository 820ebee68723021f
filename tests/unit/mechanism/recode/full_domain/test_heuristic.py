"""Lattices too large to hold: fast, honest, and exact where the proof succeeds."""

import time
from fractions import Fraction

import numpy as np
import pytest

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.decision import Limits
from sfumato.mechanism.recode.full_domain import FullDomain, method
from sfumato.mechanism.recode.full_domain.method import lattice_size
from sfumato.summary.classes import Classes, distinct_rows
from sfumato.table.attribute import Attribute
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Role
from sfumato.utility.loss.arx import ArxLoss


def table(n_attributes, n_rows, *, n_leaves=16, seed=1):
    """Random rows over trees of `n_leaves` leaves that halve at each level."""
    rng = np.random.default_rng(seed)
    height = n_leaves.bit_length() - 1
    paths = [(str(v), *(f"{level}:{v >> level}" for level in range(1, height)), "*") for v in range(n_leaves)]
    attributes = [
        Attribute(Column(f"q{j}", Role.QUASI_IDENTIFYING), Hierarchy.from_paths(f"q{j}", paths), None)
        for j in range(n_attributes)
    ]
    codes = rng.integers(0, n_leaves, (n_rows, n_attributes)) // rng.integers(1, 4, n_attributes)
    distinct, member = distinct_rows(codes)
    rows = np.bincount(member)
    return Classes(distinct, rows, rows), attributes


@pytest.mark.parametrize("share", ["0", "0.2", "1"])
def test_it_agrees_with_the_exact_search_where_both_can_run(monkeypatch, share):
    finest, attributes = table(5, 200)
    search = FullDomain((KAnonymity(3),), Fraction(share), ArxLoss())
    exact = search.decide(finest, attributes)
    monkeypatch.setattr(method, "LARGEST", 0)
    walked = search.decide(finest, attributes)
    assert walked.search.optimal
    assert (walked.loss, walked.levels) == (exact.loss, exact.levels)


def test_eleven_attributes_on_ten_rows_are_fast():
    """A case that users reported as slow elsewhere."""
    finest, attributes = table(11, 10)
    assert lattice_size(attributes) > method.LARGEST
    start = time.process_time()
    decision = FullDomain((KAnonymity(2),), Fraction(0), ArxLoss(), Limits(nodes=2000)).decide(finest, attributes)
    assert time.process_time() - start < 10
    assert decision.published.rows.min() >= 2


def test_a_lattice_beyond_64_bits_is_searched_in_part_and_says_so():
    finest, attributes = table(50, 300, n_leaves=4)
    decision = FullDomain((KAnonymity(2),), Fraction("0.1"), ArxLoss(), Limits(nodes=400)).decide(finest, attributes)
    assert decision.search.lattice_size == 3**50
    assert not decision.search.optimal
    assert "no node can lose less than" in decision.search.statement
    assert decision.published.rows.min() >= 2


def test_the_same_limit_of_nodes_gives_the_same_answer():
    finest, attributes = table(12, 100)
    search = FullDomain((KAnonymity(3),), Fraction("0.1"), ArxLoss(), Limits(nodes=300))
    assert search.decide(finest, attributes).levels == search.decide(finest, attributes).levels


def test_the_stated_bound_lies_below_the_loss_found():
    finest, attributes = table(12, 100)
    decision = FullDomain((KAnonymity(3),), Fraction("0.1"), ArxLoss(), Limits(nodes=300)).decide(finest, attributes)
    bound = float(decision.search.statement.split("no node can lose less than ")[1].split(",")[0])
    assert bound <= decision.loss
