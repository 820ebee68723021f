"""Reports are counted alike whether their bits are packed or not, and as one report after the other would be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.mechanism.local.rappor.counts import count_packed, count_reports
from sfumato.mechanism.local.rappor.params import RapporParams


def one_by_one(params, cohorts, reports):
    """The slow obvious twin."""
    n, ones = [0] * params.cohorts, [[0] * params.bits for _ in range(params.cohorts)]
    for cohort, report in zip(cohorts.tolist(), reports.tolist(), strict=True):
        n[cohort] += 1
        for j, bit in enumerate(report):
            ones[cohort][j] += bit
    return n, ones


def drawn(n, bits, cohorts, seed):
    """Parameters and reports of some cohorts."""
    rng = np.random.default_rng(seed)
    params = RapporParams("home", bits=bits, hashes=1, cohorts=cohorts, f="1/2", p="1/2", q="3/4")
    return params, rng.integers(0, cohorts, n), rng.random((n, bits)) < 0.7


@given(st.integers(0, 60), st.integers(1, 30), st.sampled_from([1, 2, 8]), st.integers(0, 2**32))
def test_packed_and_unpacked_reports_are_counted_as_one_by_one(n, bits, cohorts, seed):
    params, of, reports = drawn(n, bits, cohorts, seed)
    whole = count_reports(params, of, reports)
    packed = count_packed(params, of, np.packbits(reports, axis=1, bitorder="little"))
    assert (whole.n.tolist(), whole.ones.tolist()) == one_by_one(params, of, reports)
    assert (packed.n.tolist(), packed.ones.tolist()) == one_by_one(params, of, reports)


@pytest.mark.parametrize("n", [254, 255, 256, 510, 511, 1100])
def test_bytes_do_not_overflow(n):
    params, of, _ = drawn(n, 3, 1, n)
    reports = np.ones((n, 3), bool)
    assert count_reports(params, of, reports).ones.tolist() == [[n, n, n]]
    assert count_packed(params, of, np.packbits(reports, axis=1, bitorder="little")).ones.tolist() == [[n, n, n]]
