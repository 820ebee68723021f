"""Unions of classes say no more than the classes themselves, and a search that reads them finds the same."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.mechanism.recode.full_domain.test_method import best_by_hand, tables
from tests.unit.mechanism.recode.full_domain.test_space import by_hand, every_node

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.mechanism.recode.full_domain import FullDomain, table
from sfumato.mechanism.recode.full_domain.judge import Judge
from sfumato.mechanism.recode.full_domain.space import explore
from sfumato.mechanism.recode.full_domain.table import Table
from sfumato.utility.loss.arx import ArxLoss


class _AtMost(KAnonymity):
    """Says that it absorbs, which is false."""

    def holds(self, classes):
        return classes.persons <= self.k


def without_population(small):
    """All rows are published, and one row is one person."""
    population = small.finest.population
    return replace(small, finest=replace(small.finest, rows=population, alone=population, population=None))


def promises_too_much(small, criterion):
    """Whether unions ask for more rows to go than a node has in violating classes."""
    judge = Judge((criterion,), small.finest.n_rows, counts_are_enough=True)
    finest, found = Table(small.finest, (0, 0, 0), small.attributes), False
    for levels in every_node(small):
        node = finest.at(levels)
        if node.unions is not None:
            assert node.unions.n_rows == small.finest.n_rows
            exact = int(node.sizes.rows[~criterion.holds(node.sizes)].sum())
            found |= judge.must_go(node.unions) > exact
    return found


@pytest.mark.parametrize("cells", [0, 1])
def test_unions_lose_no_rows_and_never_ask_for_too_many_to_go(monkeypatch, cells):
    monkeypatch.setattr(table, "CELLS", cells)
    caught = []

    @given(tables())
    @settings(max_examples=40)
    def check(small):
        small = without_population(small)
        assert not promises_too_much(small, KAnonymity(2))
        caught.append(promises_too_much(small, _AtMost(2)))

    check()
    assert any(caught)  # what does not absorb would be found out


@pytest.mark.parametrize("cells", [0, 1])
@pytest.mark.parametrize("criteria", [(KAnonymity(3),), (KAnonymity(2), DistinctLDiversity("s", 2))], ids=repr)
def test_the_best_node_is_found_and_every_judged_one_told_exactly(monkeypatch, cells, criteria):
    monkeypatch.setattr(table, "CELLS", cells)

    @given(tables(), st.sampled_from(["0", "0.2", "0.5", "1"]))
    @settings(max_examples=25)
    def check(small, share):
        small = without_population(small)
        method = FullDomain(criteria, Fraction(share), ArxLoss())
        best, space = best_by_hand(small, method), explore(method, small.finest, small.attributes)
        assert space.best == (None if best is None else best[2])
        for one in space.judged:
            found = by_hand(small, method, one.levels)
            assert one.suppressed == (None if found is None else found[0])
            assert one.loss == (None if found is None else pytest.approx(found[1], rel=1e-9, abs=1e-9))
        if best is not None:
            decision = method.decide(small.finest, small.attributes)
            assert (decision.levels, decision.search.statement) == (space.best, space.statement)

    check()
