"""The household survey that ships with sdcMicro: how many records violate k-anonymity?"""

import csv
import gzip

import numpy as np
import pytest

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.summary.classes import Classes, distinct_rows

KEYS = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")


@pytest.mark.parametrize(("k", "violating"), [(2, 157), (3, 281)])
def test_records_that_violate_k_anonymity_are_those_that_sdcmicro_counts(shared, k, violating):
    with gzip.open(shared / "data" / "sdcmicro" / "testdata.csv.gz", "rt", newline="") as file:
        rows = list(csv.DictReader(file))
    codes = np.stack([np.unique([row[key] for row in rows], return_inverse=True)[1] for key in KEYS], axis=1)
    distinct, member = distinct_rows(codes)
    size = np.bincount(member)
    classes = Classes(distinct, size, size)
    assert violating == classes.rows[~KAnonymity(k).holds(classes)].sum()
