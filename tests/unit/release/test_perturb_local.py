"""A plan's column under local privacy: draws are those of the mechanism, the promise is its exact epsilon."""

import tracemalloc

import numpy as np
import pytest

from sfumato.document.codec import read
from sfumato.document.perturb import Local
from sfumato.errors import ParameterError, PlanError, SchemaError
from sfumato.mechanism.local.grr import GRR
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.release.perturb_local import NUMERIC, LocalNumbers, LocalValues, local
from sfumato.release.plan import PerturbChoice
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.seeded_bits import SeededBits


def bound(cells, kind=Kind.DECIMAL):
    """A column of these texts, each once."""
    return bind(Column("x", Role.SENSITIVE, kind, bounds=(0.0, 10.0)), cells)


def method(options, kind=Kind.DECIMAL, bounds=(0.0, 10.0)):
    """The method of some options."""
    said = read(Local, options, "the plan")
    return local(Column("x", Role.SENSITIVE, kind, bounds=bounds), said, PerturbChoice("x", said, options), None)


@pytest.mark.parametrize("name", NUMERIC)
def test_numbers_are_drawn_as_the_mechanism_draws_them(name):
    made = method({"mechanism": name, "epsilon": 1.0, "steps": 20})
    decision = made.decide(bound(["2.5", "3", "10"]), np.array([5, 1, 2]), bits=SeededBits(1))
    leaves = np.repeat([0, 1, 2], 200)
    drawn = decision.step.draw.draw(leaves, bits=SeededBits(2))
    values = np.array([2.5, 3.0, 10.0])[leaves]
    assert drawn.tolist() == made.mechanism.randomize(values, bits=SeededBits(2)).tolist()
    texts = decision.step.draw.texts(drawn.tolist())
    assert [float(text) for text in texts] == made.mechanism.outputs()[drawn].tolist()
    assert decision.guarantee.parameters["epsilon"] == made.mechanism.epsilon


@pytest.mark.parametrize("name", NUMERIC)
def test_what_is_left_is_the_law_of_the_mechanism(name):
    """Expected pairs against the shares of many draws; 2.5 lies between two points, so its law is a mixture.

    Each share of 20,000 draws deviates by less than 0.03 except with probability 2 exp(-2 n 0.03²) < 1e-15.
    """
    made = method({"mechanism": name, "epsilon": 1.0, "steps": 4}, bounds=(0.0, 8.0))
    decision = made.decide(bound(["2.5", "8"]), np.array([3, 1]), bits=SeededBits(1))
    blur, n = decision.blur, 20_000
    law = np.zeros((2, made.mechanism.n_outputs))
    np.add.at(law, (blur.leaf, blur.value), blur.cells)
    assert law.sum(axis=1) == pytest.approx([3, 1])
    for leaf, cells in ((0, 3), (1, 1)):
        drawn = decision.step.draw.draw(np.full(n, leaf), bits=SeededBits(7))
        found = np.bincount(drawn, minlength=law.shape[1]) / n
        assert np.abs(found - law[leaf] / cells).max() < 0.03


def test_whole_numbers_are_published_as_such():
    made = method({"mechanism": "laplace", "epsilon": 1.0}, Kind.INTEGER)
    decision = made.decide(bound(["2", "3"], Kind.INTEGER), np.array([1, 1]), bits=SeededBits(1))
    assert made.mechanism.grid == Grid.integers(0, 10)
    assert set(decision.step.draw.texts(range(11))) == {str(i) for i in range(11)}


def test_categories_are_reported_by_an_oracle_that_reports_values():
    made = method({"mechanism": "grr", "epsilon": 1.0, "values": ["a", "b", "c"]})
    assert made == LocalValues(GRR(1.0, 3), ("a", "b", "c"))
    column = bind(Column("x", Role.SENSITIVE), ["a", "c"])
    decision = made.decide(column, np.array([4, 6]), bits=SeededBits(1))
    drawn = decision.step.draw.draw(np.array([0, 1] * 50), bits=SeededBits(2))
    assert drawn.tolist() == made.oracle.randomize(np.array([0, 2] * 50), bits=SeededBits(2)).tolist()
    p, q = (float(one) for one in made.oracle.exact_support)
    law = np.zeros((2, 3))
    np.add.at(law, (decision.blur.leaf, decision.blur.value), decision.blur.cells)
    assert law == pytest.approx(np.array([[4 * p, 4 * q, 4 * q], [6 * q, 6 * q, 6 * p]]))
    with pytest.raises(SchemaError, match="1 do not"):
        made.decide(bind(Column("x", Role.SENSITIVE), ["a", "d"]), np.array([4, 1]), bits=SeededBits(1))


def test_what_does_not_suit_is_refused_before_any_chance():
    made = method({"mechanism": "laplace", "epsilon": 1.0})
    assert isinstance(made, LocalNumbers)
    with pytest.raises(ParameterError, match="between"):
        made.decide(bound(["2", "11"]), np.array([1, 1]), bits=SeededBits(1))
    with pytest.raises(SchemaError, match="missing"):
        made.decide(bound(["2", None]), np.array([1, 1]), bits=SeededBits(1))
    with pytest.raises(SchemaError, match="number"):
        made.decide(bind(Column("x", Role.SENSITIVE), ["a"]), np.array([1]), bits=SeededBits(1))
    for options, bounds in (({"mechanism": "OLH"}, (0.0, 1.0)), ({"mechanism": "laplace"}, None)):
        with pytest.raises(PlanError):
            method(options | {"epsilon": 1.0}, bounds=bounds)


@pytest.mark.parametrize("seed", range(20))
def test_many_categories_leave_what_the_table_of_all_pairs_says(seed, monkeypatch):
    """Beyond the limit no pairs are made; chance to stay and best guess are those of the pairs, to the last rounding."""
    rng = np.random.default_rng(seed)
    values = [f"v{i}" for i in range(6)]
    here = sorted(rng.choice(6, rng.integers(2, 7), replace=False).tolist())
    counts = rng.integers(0, 4, len(here)) + (np.arange(len(here)) == 0)
    made = method({"mechanism": "grr", "epsilon": float(rng.choice([0.1, 1, 5])), "values": values})
    column = bind(Column("x", Role.SENSITIVE), [values[place] for place in here])
    pairs = made.decide(column, counts, bits=SeededBits(1)).blur
    monkeypatch.setattr("sfumato.release.perturb_local._MOST_PAIRS", 0)
    alike = made.decide(column, counts, bits=SeededBits(1)).blur
    assert type(alike) is not type(pairs)
    assert alike.same(len(here)) == pytest.approx(pairs.same(len(here)), rel=1e-12)
    assert alike.best() == pytest.approx(pairs.best(), rel=1e-12)
    nowhere = np.zeros(len(here)), np.ones(len(here))
    assert alike.within(*nowhere).tolist() == pairs.within(*nowhere).tolist() == [0.0] * len(here)


def test_what_many_categories_leave_takes_no_table_of_all_pairs():
    """The square of 20,000 categories would be 3.2 GB of numbers."""
    values = [f"v{i}" for i in range(20_000)]
    made = method({"mechanism": "grr", "epsilon": 1.0, "values": values})
    column = bind(Column("x", Role.SENSITIVE), values)
    tracemalloc.start()
    try:
        made.decide(column, np.ones(20_000, np.int64), bits=SeededBits(1)).blur.best()
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
