"""Schemes for several attributes, audited on whole records: the calibrated pass, the published are refuted.

Bounds hold with confidence 1 - 1e-6 each, so a right scheme is refuted with probability below 1e-6.
"""

import numpy as np
import pytest

from sfumato.attack.audit import audit
from sfumato.mechanism.local.several.catalog import LABELS, scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.mechanism.local.several.faked import Variant
from sfumato.mechanism.local.several.rs_fd import RSFD
from sfumato.testing.seeded_bits import SeededBits


def run(sampler, inputs, views=None):
    bits = SeededBits(72)
    return audit(lambda values: sampler(values, bits), inputs, n=40_000, confidence=1 - 1e-6, views=views)


SIZES = (3, 4)
PRIORS = ((0.5, 0.25, 0.25), (0.25,) * 4)


def rows(reports):
    """Reports of one scheme as one row for each person: the sampled attribute, if it is public, and its report."""
    if not hasattr(reports, "sampled"):
        return reports
    width = max(column.reshape(len(column), -1).shape[1] for column in reports.columns)
    out = np.zeros((len(reports.sampled), 1 + width), np.int64)
    out[:, 0] = reports.sampled
    for j, column in enumerate(reports.columns):
        flat = column.reshape(len(column), -1)
        out[reports.sampled == j, 1 : 1 + flat.shape[1]] = flat
    return out


@pytest.mark.parametrize("label", LABELS)
def test_schemes_keep_their_epsilon_of_the_whole_record_and_come_near_it(label):
    scheme = scheme_by_label(label, 1.0, SIZES, calibration=Calibration.TUPLE_LEVEL, priors=PRIORS)
    found = run(lambda v, bits: rows(scheme.randomize(v, bits=bits)), [(0, 0), (1, 1)])
    assert 0.5 * scheme.epsilons.tuple_level < found.epsilon_lower <= scheme.epsilons.tuple_level


@pytest.mark.parametrize("variant", [Variant.GRR, Variant.OUE_Z], ids=lambda v: v.name)
def test_the_published_epsilon_of_fake_data_is_refuted_for_whole_records(variant):
    """RS+FD at ε = 1 as published, two attributes that both differ."""
    scheme = RSFD(1.0, (3, 3), variant, Calibration.AS_PUBLISHED)
    found = run(lambda v, bits: scheme.randomize(v, bits=bits), [(0, 0), (1, 1)])
    assert found.refutes(1.0)
