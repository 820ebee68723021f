"""Batches come back as they were sent; anything else is refused without showing a report."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ReportError
from sfumato.mechanism.local.rappor.batch import Batch, from_json, to_json
from sfumato.mechanism.local.rappor.params import RapporParams

PARAMS = RapporParams("home", bits=13, hashes=2, cohorts=4, f="1/2", p="1/2", q="3/4")
ONE = Batch("b", np.array([3]), np.zeros((1, 13), bool))


@given(st.integers(1, 20), st.integers(1, 40), st.integers(0, 2**32))
def test_a_batch_comes_back(n, k, seed):
    params = RapporParams("home", bits=k, hashes=1, cohorts=4, f="1/2", p="1/2", q="3/4")
    rng = np.random.default_rng(seed)
    batch = Batch("b", rng.integers(0, 4, n), rng.random((n, k)) < 0.5)
    back = from_json(params, to_json(params, batch))
    assert back.batch == "b"
    assert back.cohorts.tolist() == batch.cohorts.tolist()
    assert back.reports.tolist() == batch.reports.tolist()


def test_bit_j_stands_in_byte_j_div_8():
    reports = np.zeros((1, 13), bool)
    reports[0, [0, 9]] = True
    assert json.loads(to_json(PARAMS, Batch("b", np.array([0]), reports)))["reports"] == "AQI="


def changed(**parts):
    """A batch with some parts replaced."""
    return json.dumps(json.loads(to_json(PARAMS, ONE)) | parts)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "JSON"),
        (b"\xff\xfe", "JSON"),
        ("[" * 100_000, "JSON"),
        ("[]", "exactly its keys"),
        ("null", "exactly its keys"),
        (changed(format="x"), "exactly its keys"),
        (changed(more=1), "exactly its keys"),
        (changed(collection="0" * 64), "others"),
        (changed(collection=None), "others"),
        (changed(batch=""), "batch id"),
        (changed(batch="x" * 129), "batch id"),
        (changed(batch=3), "batch id"),
        (changed(cohorts=[]), "reports"),
        (changed(cohorts="0"), "reports"),
        (changed(cohorts=[4]), "cohort"),
        (changed(cohorts=[-1]), "cohort"),
        (changed(cohorts=[True]), "cohort"),
        (changed(cohorts=[1.0]), "cohort"),
        (changed(cohorts=[10**30]), "cohort"),
        (changed(cohorts=[1, 2]), "bytes"),
        (changed(reports="AQIDBA=="), "bytes"),
        (changed(reports=None), "bytes"),
        (changed(reports="A(I="), "base64"),
        (changed(reports="éAA="), "base64"),
        (changed(reports="AAAA"), "bytes"),
        (changed(reports="ACA="), "beyond"),
    ],
)
def test_anything_else_is_refused(text, message):
    with pytest.raises(ReportError, match=message):
        from_json(PARAMS, text)
