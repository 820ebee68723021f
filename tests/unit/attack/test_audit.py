"""The audit's bound: true as often as it says, near the truth, and careful with what it has not seen."""

from math import log

import numpy as np
import pytest

from sfumato.attack.audit import as_table, audit, default_views
from sfumato.errors import ParameterError


def response(epsilon, rng):
    keep = np.exp(epsilon) / (1 + np.exp(epsilon))
    return lambda values: np.where(rng.random(len(values)) < keep, values, 1 - values)


def test_the_bound_fails_no_more_often_than_it_says():
    """300 audits at confidence 0.8: more than 20 % + 6 standard deviations (13.9 %) has probability < 1e-6."""
    rng = np.random.default_rng(8)
    wrong = sum(audit(response(1.0, rng), [0, 1], n=400, confidence=0.8).refutes(1.0) for _ in range(300))
    assert wrong <= 300 * (0.2 + 0.139)


def test_many_reports_bring_the_bound_near_the_truth():
    found = audit(response(1.0, np.random.default_rng(1)), [0, 1], n=1_000_000, confidence=0.999999)
    assert 0.97 < found.epsilon_lower <= 1.0
    assert (found.pair, found.n) in (((0, 1), 500_000), ((1, 0), 500_000))


def test_a_report_that_excludes_a_value_is_bounded_by_the_number_of_reports():
    """Never seen under one input: the bound is ln of low/high, finite, and grows with n."""
    bounds = [audit(lambda v: v, [0, 1], n=n, confidence=0.999).epsilon_lower for n in (400, 4000, 40_000)]
    assert bounds == sorted(bounds)
    assert bounds[0] <= log(200) < bounds[2] < log(20_000)


def test_reports_that_are_all_different_prove_nothing():
    """Independent of the value, continuous, in many parts: the ranking is not believed on its own reports."""
    rng = np.random.default_rng(3)
    found = audit(lambda v: rng.random((len(v), 3)), [0, 1], n=4000, confidence=0.999999)
    assert found.epsilon_lower < 0.1


def test_the_worst_pair_of_several_inputs_is_found():
    def leaks(values):
        return (values == 3).astype(int)

    found = audit(leaks, [0, 1, 2, 3], n=2000, confidence=0.999)
    assert 3 in found.pair
    assert found.epsilon_lower > 4


def test_a_view_of_the_caller_is_looked_at():
    rng = np.random.default_rng(4)

    def hides(values):
        key = rng.integers(0, 2**62, len(values))
        return np.stack([key, key ^ values], axis=1)

    blind = audit(hides, [0, 1], n=2000, confidence=0.999)
    seeing = audit(hides, [0, 1], n=2000, confidence=0.999, views={"difference": lambda r: r[:, 0] ^ r[:, 1]})
    assert blind.epsilon_lower < 1
    assert seeing.epsilon_lower > 4
    assert seeing.view == "difference"


@pytest.mark.parametrize("given", [([0], 1000, 0.9), ([0, 1], 100, 0.9), ([0, 1], 1000, 1.0), ([0, 1], 1000, 0.0)])
def test_numbers_outside_their_range_are_refused(given):
    inputs, n, confidence = given
    with pytest.raises(ParameterError, match="Remedy"):
        audit(lambda v: v, inputs, n=n, confidence=confidence)


def test_every_form_of_reports_becomes_one_row_each():
    records = np.array([(1, 2), (3, 4)], dtype=[("a", np.int64), ("b", np.int64)])
    assert as_table(np.array([1, 2])).tolist() == [[1], [2]]
    assert as_table(records).tolist() == [[1, 2], [3, 4]]
    assert as_table((np.array([9, 8]), records)).tolist() == [[9, 1, 2], [8, 3, 4]]


def test_bits_of_two_values_are_read_together():
    bits = np.array([[True, False, True], [False, True, True]])
    seen = default_views([bits, bits], [0, 1])["bits of inputs 0 and 1"][0]
    assert seen.tolist() == [2, 1]


def test_places_of_codes_in_a_row_are_read():
    rows = np.array([[4, 7], [7, 2], [1, 2]])
    seen = default_views([rows, rows], [7, 9])
    assert seen["place of input 0"][0].tolist() == [1, 0, -1]
    assert seen["place of input 1"][0].tolist() == [-1, -1, -1]


def test_different_rows_are_different_symbols():
    """Rows that end in zeros stay apart from each other."""
    rows = np.array([[1, 0], [0, 1], [0, 0], [256, 0]])
    assert len(np.unique(default_views([rows, rows], [(0, 0), (1, 1)])["whole report"][0])) == 4


def test_numbers_are_put_into_bins_of_the_first_quarter():
    values = np.linspace(0, 1, 4000)
    seen = default_views([values, values], [0.0, 1.0])["bins of part 0"][0]
    assert seen.min() == 0
    assert seen.max() == 63
    assert np.all(seen[1000:] == 63)
