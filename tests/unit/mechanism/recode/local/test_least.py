"""A loss that no partition goes below."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.raw_tables import attributes, few, raws

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.decision import Limits
from sfumato.mechanism.recode.local import least as module
from sfumato.mechanism.recode.local.least import least_by_tuple, least_loss
from sfumato.mechanism.recode.local_recoding import Effort, LocalRecoding
from sfumato.mechanism.recode.partition.axes import Publish, axes_of
from sfumato.mechanism.recode.partition.criteria import Judge
from sfumato.mechanism.recode.partition.splits import Watch, table_of
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role

publishes = st.sampled_from(list(Publish))
MOST_ROWS = 9


def counted(rows):
    """Finest classes of rows of leaf codes."""
    codes, rows = np.unique(rows, axis=0, return_counts=True)
    return Classes(codes, rows=rows, alone=rows)


def seen(finest, k, publish, columns=None):
    """The tuples as a partition sees them."""
    columns = attributes() if columns is None else columns
    return table_of(axes_of(columns, finest.codes, publish), Judge(finest, (KAnonymity(k),)))


def losses_of_sets(table):
    """Row by row: loss of every set of rows, as a bit mask; rows of a tuple follow each other."""
    row = np.repeat(np.arange(table.ranks.shape[1]), table.sizes.rows)
    out = np.zeros(2 ** len(row))
    for mask in range(1, len(out)):
        inside = row[[i for i in range(len(row)) if mask >> i & 1]]
        out[mask] = table.layout.losses(table.covers.take(inside).reduce(np.array([0])))[0]
    return row, out


def optimum(losses, k):
    """The least loss of all partitions of the rows into classes of k rows or more, each of them tried."""
    whole = len(losses) - 1
    best = {0: 0.0}
    for mask in range(1, whole + 1):
        low, found, part = mask & -mask, np.inf, mask
        while part:
            if part & low and part.bit_count() >= k and (mask ^ part) in best:
                found = min(found, part.bit_count() * losses[part] + best[mask ^ part])
            part = (part - 1) & mask
        if found < np.inf:
            best[mask] = found
    return best.get(whole, np.inf)


@few
@given(raws(), st.integers(2, 4), publishes)
def test_no_partition_loses_less(raw, k, publish):
    """Against every partition of the rows: rows of one tuple may even go to different classes."""
    finest = counted(raw.codes[:MOST_ROWS])
    table = seen(finest, k, publish)
    _, losses = losses_of_sets(table)
    cells = finest.rows.sum() * len(table.layout.axes)
    assert least_loss(table, Watch()) * cells <= optimum(losses, k)


@few
@given(raws(), st.integers(2, 4), publishes)
def test_no_class_with_a_tuple_loses_less(raw, k, publish):
    finest = counted(raw.codes[:MOST_ROWS])
    table = seen(finest, k, publish)
    row, losses = losses_of_sets(table)
    fast = least_by_tuple(table, k, Watch())
    for i, bound in enumerate(fast):
        with_it = [
            losses[mask]
            for mask in range(1, len(losses))
            if mask.bit_count() >= k and any(mask >> place & 1 for place in np.flatnonzero(row == i))
        ]
        assert bound <= min(with_it, default=np.inf) + 1e-12


@few
@given(raws(), st.integers(2, 4), publishes)
def test_it_is_the_least_over_what_may_differ_of_the_cheapest_covers(raw, k, publish):
    """A slow twin: for every tuple every set of attributes, and for each attribute every set of values."""
    finest = counted(raw.codes[:12])
    table = seen(finest, k, publish)
    fast = least_by_tuple(table, k, Watch())
    m, n = table.ranks.shape
    for i in range(n):
        found = np.inf
        for size in range(m + 1):
            for differs in combinations(range(m), size):
                same = [j for j in range(m) if j not in differs]
                group = np.flatnonzero((table.ranks[same] == table.ranks[same, i][:, None]).all(axis=0))
                if finest.rows[group].sum() >= k:
                    found = min(found, sum(_cheapest(table, j, group, i, k) for j in differs))
        assert fast[i] == pytest.approx(found, abs=1e-12)


def _cheapest(table, j, group, i, k):
    """The cheapest cover of two values or more that holds the value of tuple i and k rows of the group."""
    found = np.inf
    for size in range(2, 2 + len(set(table.ranks[j][group].tolist()))):
        for values in combinations(sorted(set(table.ranks[j][group].tolist())), size):
            inside = group[np.isin(table.ranks[j][group], values)]
            if table.ranks[j][i] in values and table.sizes.rows[inside].sum() >= k:
                found = min(found, float(table.layout.loss(table.covers.take(inside).reduce(np.array([0])), j)[0]))
    return found


@few
@given(raws(), st.integers(2, 4), publishes, st.integers(0, 3))
def test_what_was_not_looked_at_makes_the_bound_lower_and_no_more(raw, k, publish, most):
    table = seen(counted(raw.codes), k, publish)
    whole = least_by_tuple(table, k, Watch())
    before = module.MOST_SETS
    try:
        module.MOST_SETS = most
        assert (least_by_tuple(table, k, Watch()) <= whole + 1e-12).all()
    finally:
        module.MOST_SETS = before
    assert (least_by_tuple(table, k, Watch(Limits(nodes=0))) <= whole).all()


def test_two_ages_that_stand_apart_are_bounded_exactly():
    """Four persons, k = 2, two years apart in thirty: the bound is the optimum."""
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["20", "22", "48", "50"])
    ones = np.ones(4, np.int64)
    table = seen(Classes(np.arange(4)[:, None], rows=ones, alone=ones), 2, Publish.COVERS, (age,))
    bound = least_loss(table, Watch())
    assert 2 / 30 * (1 - 1e-9) < bound <= 2 / 30


@few
@given(raws(persons=True), st.integers(2, 4), publishes)
def test_a_decision_with_high_effort_says_what_no_release_goes_below(raw, k, publish):
    finest = raw.classes()
    if len(set(raw.person.tolist())) < k:
        return
    decision = LocalRecoding((KAnonymity(k),), publish, effort=Effort.HIGH).decide(finest, attributes())
    assert 0 <= decision.loss_at_least <= decision.loss + 1e-12
    assert LocalRecoding((KAnonymity(k),), publish).decide(finest, attributes()).loss_at_least is None
