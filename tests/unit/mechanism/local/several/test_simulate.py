import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.several.catalog import LABELS, scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.mechanism.local.several.simulate import simulate, simulate_counts
from sfumato.testing.seeded_bits import SeededBits

SIZES = (2, 3)
PRIORS = ((0.3, 0.7), (0.5, 0.25, 0.25))
HELD = [np.array([60, 40]), np.array([50, 30, 20])]
RUNS = 3000


@pytest.mark.parametrize("label", [label for label in LABELS if "ADP" not in label])
def test_simulated_counts_have_the_moments_of_counted_reports(label):
    """Means and covariances of 3,000 simulated and 3,000 reported collections, within six standard errors."""
    scheme = scheme_by_label(label, 1.5, SIZES, calibration=Calibration.AS_PUBLISHED, priors=PRIORS)
    simulated, _ = simulate_counts(scheme, 1, HELD[1], RUNS, rng=np.random.default_rng(6))
    persons = np.column_stack([np.repeat(np.arange(len(held)), held) for held in HELD])
    reported = np.array(
        [
            scheme.count_support(scheme.randomize(persons, bits=bits)).support[1]
            for bits in [SeededBits(8)]
            for _ in range(300)
        ]
    )
    spread = np.cov(simulated.T)
    error = np.sqrt(np.diag(spread) * (1 / RUNS + 1 / 300))
    assert np.all(np.abs(simulated.mean(axis=0) - reported.mean(axis=0)) < 6 * error)
    scale = np.sqrt(np.outer(np.diag(spread), np.diag(spread)))
    assert np.all(np.abs(spread - np.cov(reported.T)) < 6 * scale * np.sqrt(2 / 299) + 1e-9)


def test_the_number_of_reports_is_of_those_who_were_asked():
    scheme = scheme_by_label("SMP[GRR]", 1.0, SIZES, calibration=Calibration.TUPLE_LEVEL)
    counts, reports = simulate_counts(scheme, 1, HELD[1], 50, rng=np.random.default_rng(1))
    assert counts.sum(axis=1).tolist() == reports.tolist()
    assert 20 < reports.mean() < 80


def test_one_seed_gives_one_experiment():
    scheme = scheme_by_label("RS+FD[GRR]", 1.0, SIZES, calibration=Calibration.TUPLE_LEVEL)
    first, again = (simulate(scheme, HELD, 3, rng=np.random.default_rng(4)) for _ in range(2))
    assert [c.support[0].tolist() for c in first] == [c.support[0].tolist() for c in again]


@pytest.mark.parametrize("held", [np.array([1, 2, 3]), np.array([-1, 2])])
def test_a_histogram_of_another_domain_is_refused(held):
    scheme = scheme_by_label("SPL[GRR]", 1.0, SIZES, calibration=Calibration.TUPLE_LEVEL)
    with pytest.raises(ParameterError):
        simulate_counts(scheme, 0, held, 1, rng=np.random.default_rng(1))
