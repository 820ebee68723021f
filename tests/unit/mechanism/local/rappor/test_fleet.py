"""First reports of many persons have the law of the two responses after each other."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sfumato.mechanism.local.rappor import fleet
from sfumato.mechanism.local.rappor.fleet import first_reports
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.testing.seeded_bits import SeededBits

TINY = RapporParams("tiny", bits=3, hashes=2, cohorts=1, f="1/3", p="1/5", q="7/10")


def composed(params, bloom):
    """Law of a first report by summing over all permanent responses."""
    f, out = params.f, {}
    for kept in product((0, 1), repeat=params.bits):
        permanent = Fraction(1)
        for bit, stays in zip(bloom, kept, strict=True):
            permanent *= f / 2 + (1 - f) * (bit == stays)
        for report in product((0, 1), repeat=params.bits):
            chance = permanent
            for bit, told in zip(kept, report, strict=True):
                one = params.q if bit else params.p
                chance *= one if told else 1 - one
            out[report] = out.get(report, 0) + chance
    return out


@pytest.mark.parametrize("places", [(0, 2), (1, 1)])
def test_reports_follow_the_composed_law(places):
    """χ² of 8 reports over 80 000 persons above 44: 3e-7; coinciding hashes set one bit, and q* is drawn once."""
    bloom = [int(i in places) for i in range(3)]
    law = composed(TINY, bloom)
    for report, chance in law.items():
        stars = [TINY.q_star if bit else TINY.p_star for bit in bloom]
        assert chance == np.prod([s if told else 1 - s for s, told in zip(stars, report, strict=True)])
    found = first_reports(TINY, np.tile(places, (80_000, 1)), bits=SeededBits(4)) @ np.array([4, 2, 1])
    expected = 80_000 * np.array([float(law[report]) for report in product((0, 1), repeat=3)])
    assert ((np.bincount(found, minlength=8) - expected) ** 2 / expected).sum() < 44


def test_chunks_do_not_matter_for_shape_or_rate(monkeypatch):
    monkeypatch.setattr(fleet, "_CHUNK", 30)
    found = first_reports(TINY, np.zeros((5_000, 2), np.int64), bits=SeededBits(5))
    rate = float(TINY.q_star)
    assert abs(found[:, 0].mean() - rate) < 5.1 * np.sqrt(rate * (1 - rate) / 5_000)
    assert first_reports(TINY, np.zeros((0, 2), np.int64), bits=SeededBits(5)).shape == (0, 3)
