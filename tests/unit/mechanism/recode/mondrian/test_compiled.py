"""The compiled halving is the one in NumPy: the same classes by the same numbers, and as many cuts tried."""

import numpy as np
import pytest
from tests.unit.mechanism.recode.raw_tables import AGES, JOBS, TOWNS, attributes

from sfumato.compiled import compiled, is_loaded
from sfumato.errors import Interrupted
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.mechanism.recode.decision import Limits
from sfumato.mechanism.recode.mondrian import compiled as module
from sfumato.mechanism.recode.mondrian.compiled import _cut_cells, halve_compiled, is_able
from sfumato.mechanism.recode.mondrian.mondrian import Mondrian
from sfumato.mechanism.recode.mondrian.strict import halve
from sfumato.mechanism.recode.partition.axes import Publish, axes_of
from sfumato.mechanism.recode.partition.criteria import Judge
from sfumato.mechanism.recode.partition.publish import loss_of
from sfumato.mechanism.recode.partition.splits import Watch, table_of
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Role

CODE = bind(Column("code", Role.QUASI_IDENTIFYING, weight=2.5), [f"{i:03}" for i in range(80)])
"""More values than one number has bits."""


def random_table(seed, k=2, publish=Publish.COVERS, criteria=None):
    """Up to 300 rows of age, town, job and a code of 80 values."""
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, n, 300) for n in (len(AGES), len(TOWNS), len(JOBS), 80)], axis=1)
    codes[:, 3] //= 1 + 40 * (seed % 2)
    distinct, counts = np.unique(codes, axis=0, return_counts=True)
    finest = Classes(distinct, rows=counts, alone=counts)
    axes = axes_of((*attributes(), CODE), distinct, publish)
    return table_of(axes, Judge(finest, criteria or (KAnonymity(k),)))


def both(table, limits=None):
    """Classes, cuts tried and whether a limit struck, of each form."""
    out = []
    for form in (lambda table, watch: halve_compiled(table, watch)[0], halve):
        told = []
        watch = Watch(limits or Limits(), progress=lambda *said, told=told: told.append(said))
        out.append((form(table, watch).tolist(), watch.checked, watch.stopped, told))
    return out


@pytest.fixture
def plain(monkeypatch):
    """The loop as Python runs it."""
    monkeypatch.setattr(module, "compiled", lambda loop: loop)


@pytest.mark.parametrize("seed", range(6))
def test_the_loop_makes_the_same_classes_with_as_many_cuts(seed, plain):
    made, twin = both(random_table(seed, k=1 + seed))
    assert made == twin
    assert max(made[0]) > 3


def test_two_threads_and_several_words_make_no_difference(plain, monkeypatch):
    monkeypatch.setattr(module, "SHARED_FROM", 0)
    monkeypatch.setattr(module, "WORD_BITS", 8)
    for seed in (0, 1):
        table = random_table(seed)
        made, twin = both(table)
        assert made == twin
        member, runs = halve_compiled(table, Watch())
        of_run = np.split(runs.order, runs.starts[1:])
        assert [set(member[part]) for part in of_run] == [{i} for i in range(len(runs.starts))]
        assert sorted(runs.order.tolist()) == list(range(len(member)))


def test_so_does_the_loop_when_it_is_compiled():
    pytest.importorskip("numba")
    assert compiled(_cut_cells) is not _cut_cells
    for seed in (0, 1):
        made, twin = both(random_table(seed))
        assert made == twin
    assert is_loaded(_cut_cells, np.int32)
    assert not is_loaded(_cut_cells, np.int64)


def test_limits_strike_at_the_same_places_and_the_listener_is_heard(plain):
    for nodes in (0, 1, 5, 20, 10_000):
        made, twin = both(random_table(1), Limits(nodes=nodes))
        assert made == twin

    def stop(done, total, message):
        raise Interrupted("The user stopped the work.", "run it again.")

    with pytest.raises(Interrupted):
        halve_compiled(random_table(1), Watch(progress=stop))


def test_it_serves_only_a_least_number_of_persons_and_covers(monkeypatch):
    monkeypatch.setattr(module, "is_loaded", lambda loop, kind: True)
    assert is_able(random_table(1))
    assert not is_able(random_table(1, publish=Publish.NODES))
    assert not is_able(random_table(1, criteria=(DistinctLDiversity("illness", 2),)))
    monkeypatch.setattr(module, "is_loaded", lambda loop, kind: False)
    assert not is_able(random_table(1))


def test_a_decision_does_not_tell_which_form_made_it(monkeypatch):
    pytest.importorskip("numba")
    finest, columns = random_table(3).judge.finest, (*attributes(), CODE)
    told = []
    for has_it in (False, True):
        monkeypatch.setattr(module, "is_loaded", lambda loop, kind, has_it=has_it: has_it)
        made = Mondrian((KAnonymity(4),)).decide(finest, columns)
        told.append((made.step.labels, made.step.member.tolist(), made.loss, made.search))
        assert made.loss == loss_of(random_table(3), made.step.member)
    assert told[0] == told[1]
