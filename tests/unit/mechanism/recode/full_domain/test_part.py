"""Parts refuse what a count of the whole table refuses, and change no search."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.full_domain import part as module
from sfumato.mechanism.recode.full_domain.judge import Judge
from sfumato.mechanism.recode.full_domain.method import FullDomain
from sfumato.mechanism.recode.full_domain.part import Parts
from sfumato.mechanism.recode.full_domain.table import Table
from sfumato.summary.classes import Classes, distinct_rows, roll_up
from sfumato.table.attribute import Attribute
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Role
from sfumato.utility.loss.arx import ArxLoss

K = 4


@pytest.fixture(params=range(2))
def table(request):
    """600 rows of four attributes, one without a choice; low labels are rare, and tuples have several rows."""
    rng = np.random.default_rng(request.param)
    paths = [(str(v), f"a{v // 2}", f"b{v // 4}", "*") for v in range(8)]
    trees = [*(Hierarchy.from_paths(f"q{j}", paths) for j in range(3)), Hierarchy.flat("one", ["*"])]
    attributes = [Attribute(Column(tree.column, Role.QUASI_IDENTIFYING), tree, None) for tree in trees]
    drawn = np.minimum(rng.geometric(0.5, (600, 3)) - 1, 7)
    drawn[:, 0] = 7 - drawn[:, 0]
    codes, member = distinct_rows(np.column_stack((drawn, np.zeros(600, np.int64))))
    rows = np.bincount(member)
    return Classes(codes, rows, rows), attributes


@pytest.mark.parametrize("limit", [0, 5, 20])
def test_a_part_refuses_only_what_the_whole_table_refuses(table, limit, monkeypatch):
    """At each node: what a part says must go is no more than the rows of all small classes."""
    monkeypatch.setattr(module, "FROM", 0)
    finest, attributes = table
    judge = Judge((KAnonymity(K),), limit, counts_are_enough=True)
    whole = Table(finest, (0,) * 4, attributes)
    refused = 0
    for levels in product(range(4), range(4), range(4), (0,)):
        sizes = roll_up(finest, attributes, levels)[0].rows
        small = int(sizes[sizes < K].sum())
        gone = Parts(whole, limit).refuse(whole.at(levels), judge.must_go)
        assert gone is None or limit < gone <= small
        refused += gone is not None
        if max(levels) == 3:
            continue
        for part in (module.Part(whole, j, which) for _, j, which in Parts(whole, limit)._rare()):
            mine = part.table.at(levels).sizes.rows
            assert int(mine[mine < K].sum()) <= small
    assert refused > 0


def test_after_counts_in_vain_nodes_are_passed_over(table):
    finest, attributes = table
    whole = Table(finest, (0,) * 4, attributes)
    part, asked = module.Part(whole, 0, np.arange(10)), []
    answers = iter([0, 0, 9, 0])
    for i in range(8):
        part.must_go(whole.at((0, 0, 0, 0)), 5, lambda sizes, i=i: asked.append(i) or next(answers))
    assert asked == [0, 2, 5, 6]
    assert part.must_go(whole.at((3, 0, 0, 0)), 5, lambda sizes: 1 / 0) == 0


@pytest.mark.parametrize("limit", ["0", "0.02", "0.1"])
def test_searches_find_the_same_with_parts_and_without(table, limit, monkeypatch):
    found = []
    for fewest in (0, 10**9):
        monkeypatch.setattr(module, "FROM", fewest)
        decision = FullDomain((KAnonymity(K),), Fraction(limit), ArxLoss()).decide(*table)
        found.append((decision.levels, decision.published.codes.tolist(), decision.search.optimal))
    assert found[0] == found[1]
