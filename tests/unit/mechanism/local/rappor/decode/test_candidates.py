"""The design has the bits of each candidate; candidates with the same bits are one column."""

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor.decode import candidates as module
from sfumato.mechanism.local.rappor.decode.candidates import candidates_from

DESIGN = np.random.default_rng(4).integers(0, 8, (30, 5, 3))
NAMES = [f"v{i}" for i in range(30)]


def dense():
    """(40, 30) zeros and ones, one at a time."""
    out = np.zeros((40, 30))
    for j, rows in enumerate(DESIGN):
        for cohort, bits in enumerate(rows):
            for bit in bits:
                out[8 * cohort + bit, j] = 1
    return out


def test_columns_sums_and_shared_weight_equal_the_dense_matrix(monkeypatch):
    found, matrix, rows = candidates_from(NAMES, DESIGN, 8), dense(), np.random.default_rng(5).normal(0, 1, 40)
    assert [found.column(j).tolist() for j in range(30)] == matrix.T.tolist()
    assert found.sums(rows) == pytest.approx(matrix.T @ rows)
    for j in range(30):
        assert found.shared(j, rows) == pytest.approx(matrix.T @ (rows * matrix[:, j]))
    monkeypatch.setattr(module, "CHUNK", 40)
    assert found.sums(rows) == pytest.approx(matrix.T @ rows)


def test_candidates_with_the_same_set_of_bits_are_named_together_whatever_their_order():
    design = np.array([[[1, 2], [0, 0]], [[3, 3], [1, 2]], [[2, 1], [0, 0]], [[1, 2], [0, 1]]])
    found = candidates_from(["a", "b", "c", "d"], design, bits=4)
    assert found.names == (("a", "c"), ("b",), ("d",))


def test_a_repeated_bit_is_no_other_bit():
    """{1, 1, 2} and {1, 2, 2} are one set; {1, 1, 1} is another."""
    found = candidates_from(["a", "b", "c"], np.array([[[1, 1, 2]], [[1, 2, 2]], [[1, 1, 1]]]), bits=4)
    assert found.names == (("a", "b"), ("c",))


def test_no_candidate_is_an_empty_design():
    found = candidates_from([], np.zeros((0, 5, 3), np.int64), 8)
    assert len(found) == 0
    assert found.sums(np.ones(40)).shape == (0,)


@pytest.mark.parametrize(
    ("names", "design"),
    [
        (["a", "a"], np.zeros((2, 1, 1), np.int64)),
        (["a"], np.zeros((2, 1, 1), np.int64)),
        (["a"], np.zeros((1, 1), np.int64)),
        (["a"], np.full((1, 1, 1), 8)),
        (["a"], np.full((1, 1, 1), -1)),
    ],
)
def test_what_does_not_fit_is_refused(names, design):
    with pytest.raises(ParameterError):
        candidates_from(names, design, 8)
