import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.mechanism.local.grr import GRR
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.laplace import BoundedLaplace
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.mechanism.local.numeric.staircase import NaiveStaircase
from sfumato.mechanism.local.oue import OUE
from sfumato.mechanism.local.sanitize import sanitize, total_epsilon
from sfumato.testing.seeded_bits import SeededBits

TABLE = {"age": np.array([18, 40, 99]), "pay": np.array([0.0, 0.5, 1.0]), "ill": np.array([0, 1, 1])}
MECHANISMS = {
    "age": BoundedLaplace(Grid.integers(18, 99), 1.0),
    "pay": Piecewise(Grid(0.0, 1.0, steps=16), 2.0),
    "ill": GRR(0.5, 2),
}


def test_nine_columns_at_one_spend_nine():
    table = {f"c{i}": np.array([0.25, 0.75]) for i in range(9)}
    mechanism = BoundedLaplace(Grid(0.0, 1.0, steps=16), 1.0)
    spent = sanitize(table, dict.fromkeys(table, mechanism), bits=SeededBits(1)).epsilon
    assert 9 * (1 - 1e-9) < spent <= 9


def test_a_naive_staircase_spends_what_it_truly_leaks():
    grid = Grid(0.0, 1.0, steps=512)
    out = sanitize({"x": np.array([0.5])}, {"x": NaiveStaircase(grid, 1.0)}, bits=SeededBits(1))
    assert out.epsilon == pytest.approx(1.349, abs=5e-3)


def test_columns_keep_their_names_order_and_length():
    out = sanitize(TABLE, MECHANISMS, bits=SeededBits(1))
    assert [(name, len(column)) for name, column in out.columns.items()] == [("age", 3), ("pay", 3), ("ill", 3)]


def test_numbers_come_out_as_outputs_and_categories_as_codes():
    out = sanitize(TABLE, MECHANISMS, bits=SeededBits(1))
    assert set(out.columns["age"].tolist()) <= set(range(18, 100))
    assert set(out.columns["pay"].tolist()) <= set(MECHANISMS["pay"].outputs().tolist())
    assert set(out.columns["ill"].tolist()) <= {0, 1}


def test_the_given_table_is_not_changed():
    before = {name: column.copy() for name, column in TABLE.items()}
    sanitize(TABLE, MECHANISMS, bits=SeededBits(1))
    assert all(np.array_equal(TABLE[name], before[name]) for name in TABLE)


def test_the_promise_is_for_the_whole_record():
    out = sanitize(TABLE, MECHANISMS, bits=SeededBits(1))
    assert out.guarantee().parameters["unit"] == "the whole record of a person"
    assert out.epsilon == total_epsilon(list(out.by_column.values()))


@given(st.lists(st.floats(1e-9, 700), min_size=1, max_size=12))
def test_the_sum_is_never_below_the_exact_one(epsilons):
    from fractions import Fraction

    exact, found = sum(map(Fraction, epsilons)), total_epsilon(epsilons)
    assert Fraction(found) >= exact > Fraction(np.nextafter(found, 0))


@pytest.mark.parametrize(
    ("columns", "mechanisms"),
    [
        ({}, {}),
        ({"age": TABLE["age"]}, {}),
        ({"age": TABLE["age"]}, {"age": MECHANISMS["age"], "pay": MECHANISMS["pay"]}),
        ({"age": np.array([20]), "ill": np.array([0, 1])}, {"age": MECHANISMS["age"], "ill": MECHANISMS["ill"]}),
        ({"ill": TABLE["ill"]}, {"ill": OUE(1.0, 2)}),
    ],
)
def test_tables_and_mechanisms_that_do_not_fit_are_refused(columns, mechanisms):
    with pytest.raises(ParameterError):
        sanitize(columns, mechanisms, bits=SeededBits(1))


@pytest.mark.parametrize(("name", "bad"), [("age", np.nan), ("age", 100), ("ill", 2), ("ill", -1)])
def test_a_value_outside_its_domain_is_refused_and_not_named(name, bad):
    table = {**TABLE, name: np.array([TABLE[name][0], TABLE[name][1], bad])}
    with pytest.raises(ParameterError) as caught:
        sanitize(table, MECHANISMS, bits=SeededBits(1))
    assert str(bad) not in str(caught.value)
