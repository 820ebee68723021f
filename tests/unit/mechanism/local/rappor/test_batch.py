"""Reports come back from their bytes as they were sent; anything else is refused without showing a report."""

import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ReportError
from sfumato.mechanism.local.rappor.batch import NAME, from_bytes, from_former, packed, to_bytes
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.mechanism.local.wire import seal

PARAMS = RapporParams("home", bits=13, hashes=2, cohorts=5, f="1/2", p="1/2", q="3/4")
ONE = {"cohorts": [3], "reports": base64.b64encode(bytes(2)).decode()}


@given(st.integers(0, 20), st.integers(1, 40), st.sampled_from([1, 2, 4, 5, 256]), st.integers(0, 2**32))
def test_reports_come_back(n, k, m, seed):
    params = RapporParams("home", bits=k, hashes=1, cohorts=m, f="1/2", p="1/2", q="3/4")
    rng = np.random.default_rng(seed)
    sent = packed(rng.integers(0, m, n), rng.random((n, k)) < 0.5)
    back = from_bytes(params, to_bytes(params, sent))
    assert len(back) == n
    assert back.cohorts.tolist() == sent.cohorts.tolist()
    assert back.packed.tolist() == sent.packed.tolist()


def test_bit_j_stands_in_byte_j_div_8_behind_the_cohort():
    reports = np.zeros((1, 13), bool)
    reports[0, [0, 9]] = True
    assert to_bytes(PARAMS, packed(np.array([3]), reports))[-3:] == bytes([3, 1, 2])


def sealed(payload, n=1, parameters=PARAMS):
    """Bytes behind the right header."""
    return seal(NAME, bytes.fromhex(parameters.digest)[:8], n, bytes(payload))


OTHER = RapporParams("other", bits=13, hashes=2, cohorts=5, f="1/2", p="1/2", q="3/4")


@pytest.mark.parametrize(
    ("wire", "message"),
    [
        (b"", "version"),
        (b"\x02" + sealed([0, 0, 0])[1:], "version"),
        (seal("GRR", bytes(8), 1, bytes(3)), "another oracle"),
        (sealed([0, 0, 0], parameters=OTHER), "parameters"),
        (sealed([0, 0]), "too few"),
        (sealed([0, 0, 0, 0]), "too many"),
        (sealed([5, 0, 0]), "cohort"),
        (sealed([8, 0, 0]), "Bits beyond"),
        (sealed([0, 0, 32]), "beyond"),
    ],
)
def test_any_other_bytes_are_refused(wire, message):
    with pytest.raises(ReportError, match=message):
        from_bytes(PARAMS, wire)


def test_a_former_batch_is_read():
    assert from_former(PARAMS, ONE).cohorts.tolist() == [3]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"cohorts": []}, "reports"),
        ({"cohorts": "0"}, "reports"),
        ({"cohorts": [5]}, "cohort"),
        ({"cohorts": [-1]}, "cohort"),
        ({"cohorts": [True]}, "cohort"),
        ({"cohorts": [1.0]}, "cohort"),
        ({"cohorts": [10**30]}, "cohort"),
        ({"cohorts": [1, 2]}, "bytes"),
        ({"reports": "AQIDBA=="}, "bytes"),
        ({"reports": None}, "bytes"),
        ({"reports": "A(I="}, "base64"),
        ({"reports": "éAA="}, "base64"),
        ({"reports": "AAAA"}, "bytes"),
        ({"reports": "ACA="}, "beyond"),
    ],
)
def test_any_other_former_batch_is_refused(parts, message):
    with pytest.raises(ReportError, match=message):
        from_former(PARAMS, ONE | parts)
