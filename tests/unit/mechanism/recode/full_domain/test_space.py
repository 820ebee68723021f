"""The solution space against direct recoding of every node: what was judged, what follows, and that it decides nothing."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.mechanism.recode.full_domain.test_method import CRITERIA, kept_by_hand, some_table, tables

from sfumato.errors import NoSolution
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.decision import Limits
from sfumato.mechanism.recode.full_domain import FullDomain
from sfumato.mechanism.recode.full_domain.method import Lattice
from sfumato.mechanism.recode.full_domain.space import FAILS, HOLDS, MUST_FAIL, MUST_HOLD, OPEN, explore, known
from sfumato.summary.classes import roll_up
from sfumato.utility.loss.arx import ArxLoss
from sfumato.utility.loss.height import HeightLoss

SHARES = st.sampled_from(["0", "0.1", "0.35", "1"])


def every_node(small):
    return list(product(*(range(a.hierarchy.height + 1) for a in small.attributes)))


def by_hand(small, method, levels):
    """Suppressed rows and loss of a node, recoded directly; None: no solution."""
    classes, _ = roll_up(small.finest, small.attributes, levels)
    kept = kept_by_hand(classes, method.criteria, method.suppression_limit * small.finest.n_rows)
    if kept is None:
        return None
    value = method.loss.prepare(small.finest, small.attributes).value(np.array(levels), classes, kept)
    return int(classes.rows[~kept].sum()), value


@pytest.mark.parametrize("criteria", CRITERIA, ids=repr)
@given(small=tables(), share=SHARES, everything=st.booleans())
@settings(max_examples=25)
def test_every_node_is_what_direct_recoding_says(criteria, small, share, everything):
    """Judged ones with rows and loss, and no solution at the levels loses less than the bound of one that is refused."""
    method = FullDomain(criteria, Fraction(share), HeightLoss())
    space = explore(method, small.finest, small.attributes, every_node(small) if everything else ())
    for one in space.judged:
        found = by_hand(small, method, one.levels)
        assert (one.suppressed, one.loss) == (found or (None, None))
    told = known(space.heights, [
        (one.levels, one.loss is not None, one.passes_coarser if one.loss is not None else one.refuses_finer)
        for one in space.judged
    ])  # fmt: skip
    assert len(told) == len(every_node(small))
    for state, levels in zip(told.tolist(), every_node(small), strict=True):
        if state != OPEN:
            assert (state in (HOLDS, MUST_HOLD)) == (by_hand(small, method, levels) is not None), (levels, state)
    assert not everything or set(told.tolist()) <= {HOLDS, FAILS}


@given(small=tables(), share=SHARES)
@settings(max_examples=25)
def test_the_loss_of_a_node_is_that_of_its_recoding(small, share):
    """For a loss that reads the classes; without suppression no bound is above the loss of a release there."""
    method = FullDomain((KAnonymity(2),), Fraction(share), ArxLoss())
    for one in explore(method, small.finest, small.attributes, every_node(small)).judged:
        found = by_hand(small, method, one.levels)
        assert one.loss == (None if found is None else pytest.approx(found[1], rel=1e-9, abs=1e-9))
        whole = by_hand(small, replace(method, suppression_limit=Fraction(1)), one.levels)
        assert whole is None or one.at_least <= whole[1] + 1e-9


@pytest.mark.parametrize("criteria", CRITERIA, ids=repr)
@pytest.mark.parametrize("most", [None, 3])
def test_looking_changes_no_decision(criteria, most):
    """The same best node, statement and proof with and without the recorder, also where a limit stops the search."""
    small = some_table()
    for share in ("0", "0.1", "0.5"):
        method = FullDomain(criteria, Fraction(share), ArxLoss(), Limits(nodes=most))
        space = explore(method, small.finest, small.attributes, every_node(small))
        if space.best is None:
            with pytest.raises(NoSolution) as caught:
                method.decide(small.finest, small.attributes)
            assert caught.value.problem == space.statement
            continue
        decision = method.decide(small.finest, small.attributes)
        found = (decision.levels, decision.search.optimal, decision.search.statement)
        assert (space.best, space.optimal, space.statement) == found


def test_a_lattice_of_one_node():
    assert known((0, 0), []).tolist() == [OPEN]
    assert known((0, 0), [((0, 0), False, True)]).tolist() == [FAILS]


def test_ten_thousand_nodes_are_told_by_a_few():
    """Slices, not nodes, are walked."""
    heights = (4, 3, 2, 2, 2, 1, 1, 2, 2, 2)
    lattice, middle = Lattice(heights), (2, 2, 1, 1, 1, 1, 0, 1, 1, 1)
    told = known(heights, [(middle, True, True)])
    above = (lattice.levels() >= np.array(middle)).all(axis=1)
    assert np.array_equal(told == MUST_HOLD, above & (np.arange(lattice.size) != lattice.index(middle)))
    assert not (told == MUST_FAIL).any()
