"""The compiled halving makes the same partition as the one in numpy."""

import numpy as np
import pytest
from tests.unit.mechanism.recode.raw_tables import AGES, JOBS, TOWNS, attributes

from sfumato.compiled import compiled
from sfumato.errors import Interrupted
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.mechanism.recode.decision import Limits
from sfumato.mechanism.recode.mondrian.compiled import _halve_stack, halve_compiled, is_able
from sfumato.mechanism.recode.mondrian.strict import halve
from sfumato.mechanism.recode.partition.axes import Publish, axes_of
from sfumato.mechanism.recode.partition.criteria import Judge
from sfumato.mechanism.recode.partition.splits import Watch, table_of
from sfumato.summary.classes import Classes


def random_table(seed, k=2, publish=Publish.COVERS, criteria=None):
    """Up to 200 rows of age, town and job."""
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, len(v), 200) for v in (AGES, TOWNS, JOBS)], axis=1)
    distinct, counts = np.unique(codes, axis=0, return_counts=True)
    finest = Classes(distinct, rows=counts, alone=counts)
    return table_of(axes_of(attributes(), distinct, publish), Judge(finest, criteria or (KAnonymity(k),)))


def same_partition(a, b):
    """Whether two memberships are the same sets."""
    return len(np.unique(np.stack((a, b)), axis=1).T) == int(a.max()) + 1 == int(b.max()) + 1


@pytest.mark.parametrize("seed", range(8))
def test_the_loop_makes_the_same_partition(seed, monkeypatch):
    monkeypatch.setattr("sfumato.mechanism.recode.mondrian.compiled.compiled", lambda loop: loop)
    table = random_table(seed, k=1 + seed)
    assert same_partition(halve_compiled(table, Watch()), halve(table, Watch()))


def test_so_does_the_loop_when_it_is_compiled():
    pytest.importorskip("numba")
    table = random_table(1)
    assert compiled(_halve_stack) is not _halve_stack
    assert same_partition(halve_compiled(table, Watch()), halve(table, Watch()))


def test_it_serves_only_a_least_number_of_persons_and_covers():
    pytest.importorskip("numba")
    assert is_able(random_table(1))
    assert not is_able(random_table(1, publish=Publish.NODES))
    assert not is_able(random_table(1, criteria=(DistinctLDiversity("illness", 2),)))


def test_limits_and_the_listener_are_heard(monkeypatch):
    monkeypatch.setattr("sfumato.mechanism.recode.mondrian.compiled.compiled", lambda loop: loop)
    assert set(halve_compiled(random_table(1), Watch(Limits(nodes=0))).tolist()) == {0}

    def stop(done, total, message):
        raise Interrupted("The user stopped the work.", "run it again.")

    with pytest.raises(Interrupted):
        halve_compiled(random_table(1), Watch(progress=stop))
