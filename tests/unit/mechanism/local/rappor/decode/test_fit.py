"""The fit equals dense least squares, one candidate at a time, and says where the data cannot tell."""

import numpy as np
import pytest

from sfumato.mechanism.local.rappor.decode.candidates import candidates_from
from sfumato.mechanism.local.rappor.decode.corrected import Corrected
from sfumato.mechanism.local.rappor.decode.fit import fit

COHORTS, BITS = 6, 12


def problem(seed, n=15):
    """Candidates, and shares with weights of which some are silent."""
    rng = np.random.default_rng(seed)
    design = rng.integers(0, BITS, (n, COHORTS, 2))
    weight = rng.uniform(0.5, 3, COHORTS * BITS)
    weight[BITS : 2 * BITS] = 0
    return Corrected(rng.normal(0, 1, COHORTS * BITS), weight), candidates_from(list(map(str, range(n))), design, BITS)


def dense(data, candidates, columns, *, background):
    """Weighted least squares by the textbook: coefficients, their variances without φ, and φ."""
    matrix = np.column_stack([candidates.column(j) for j in columns] + [np.ones(candidates.n_rows)] * background)
    gram = matrix.T @ np.diag(data.weight) @ matrix
    b = np.linalg.solve(gram, matrix.T @ (data.weight * data.share))
    free = np.count_nonzero(data.weight) - matrix.shape[1]
    residual = data.share - matrix @ b
    return b, np.diag(np.linalg.inv(gram)), max(1.0, np.sum(data.weight * residual**2) / free)


@pytest.mark.parametrize("background", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_selected_columns_equal_dense_least_squares(seed, background):
    data, candidates = problem(seed)
    found = fit(data, candidates, (3, 1, 7), background=background)
    b, variance, scatter = dense(data, candidates, (3, 1, 7), background=background)
    assert found.scatter == pytest.approx(scatter if background else 1.0)
    assert found.estimate[[3, 1, 7]] == pytest.approx(b[:3])
    assert found.variance[[3, 1, 7]] == pytest.approx(found.scatter * variance[:3])


@pytest.mark.parametrize("background", [True, False])
@pytest.mark.parametrize("selected", [(), (3, 1, 7)])
def test_every_other_column_equals_the_fit_that_adds_it_alone(selected, background):
    data, candidates = problem(9)
    found = fit(data, candidates, selected, background=background)
    for j in set(range(len(candidates))) - set(selected):
        b, variance, _ = dense(data, candidates, (j, *selected), background=background)
        assert found.estimate[j] == pytest.approx(b[0])
        assert found.variance[j] == pytest.approx(found.scatter * variance[0])
    assert found.z == pytest.approx(found.estimate / np.sqrt(found.variance))


def test_without_a_background_no_string_scatters_the_residuals():
    """Declared values have a bit each: a large share is a signal, not noise."""
    candidates = candidates_from(["no", "yes"], np.array([[[0]], [[1]]]), bits=2)
    found = fit(Corrected(np.array([0.9, 0.1]), np.full(2, 400.0)), candidates, (), background=False)
    assert found.z == pytest.approx([18.0, 2.0])


def test_a_column_that_the_adjusted_ones_contain_cannot_be_told():
    """{0, 1} and {2, 3} add up to the background: beside one of them the other has no estimate."""
    candidates = candidates_from(["a", "b"], np.array([[[0, 1]], [[2, 3]]]), bits=4)
    data = Corrected(np.array([0.6, 0.5, 0.4, 0.5]), np.ones(4))
    found = fit(data, candidates, (0,), background=True)
    assert (found.estimate[1], found.variance[1], found.z[1]) == (0, np.inf, 0)
    assert np.isfinite(found.variance[0])


def test_selected_columns_that_depend_on_each_other_cannot_be_told():
    candidates = candidates_from(["a", "b"], np.array([[[0, 1]], [[2, 3]]]), bits=4)
    data = Corrected(np.array([0.6, 0.5, 0.4, 0.5]), np.ones(4))
    assert fit(data, candidates, (0, 1), background=True).variance.tolist() == [np.inf, np.inf]


def test_without_any_report_nothing_can_be_told():
    _, candidates = problem(1)
    found = fit(Corrected(np.zeros(72), np.zeros(72)), candidates, (), background=False)
    assert not found.z.any()
    assert np.isinf(found.variance).all()
