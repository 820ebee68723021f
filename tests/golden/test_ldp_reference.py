"""The papers' experiment on Adult and Nursery, and the attack on ACSEmployment, against measured reference values.

The reference holds 200 runs of each cell, with a standard error. Ours are simulated with as many; a cell may
differ by five standard errors of the difference (false alarm below 1e-6 a cell, for near-normal means).
"""

import math

import numpy as np
import pytest
from tests.golden.ldp_tables import FILES, employment_of, histograms_of, reference_of

from sfumato.attack.sampled_attribute import guess, score
from sfumato.attack.sampled_boosting import Booster, guess_by_boosting
from sfumato.mechanism.local.projections import project_simplex
from sfumato.mechanism.local.several.catalog import scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.mechanism.local.several.faked import randomize_marked, view
from sfumato.study.reproduce.mse import EPSILONS, expected_mse, mse_cell
from sfumato.testing.seeded_bits import SeededBits

CELLS = [
    ("SPL[ADP]", 0),
    ("SMP[ADP]", 2),
    ("RS+FD[GRR]", 0),
    ("RS+FD[GRR]", 5),
    ("RS+FD[OUE-z]", 1),
    ("RS+FD[OUE-r]", 3),
    ("RS+FD[ADP]", 4),
]
ATTACK = {
    "RS+FD[GRR]": {1: 0.205, 6: 0.245},
    "RS+FD[SUE-z]": {1: 0.265, 6: 0.832, 10: 0.966},
    "RS+FD[OUE-z]": {1: 0.355, 6: 0.527},
    "RS+FD[SUE-r]": {6: 0.235},
    "RS+FD[OUE-r]": {6: 0.182},
}
BOOSTING_AT_6 = {"RS+FD[GRR]": 0.175, "RS+FD[SUE-z]": 0.811, "RS+FD[OUE-z]": 0.513}


@pytest.fixture(scope="module")
def reference(shared):
    return reference_of(shared)


@pytest.fixture(scope="module")
def histograms(shared):
    return histograms_of(shared)


@pytest.mark.parametrize("name", FILES)
def test_exact_expected_errors_are_the_references(name, reference, histograms):
    held = histograms[name]
    for label, cells in reference["results"][name].items():
        for at, epsilon in enumerate(EPSILONS):
            scheme = scheme_by_label(label, epsilon, [len(h) for h in held], calibration=Calibration.AS_PUBLISHED)
            expected = cells[f"ln({at + 2})"]["theory_raw"]
            precision = 2e-3 if label.startswith("SMP") else 1e-9
            assert expected_mse(scheme, held) == pytest.approx(expected, rel=precision), (label, at)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(("label", "at"), CELLS)
def test_simulated_errors_are_within_the_references_own_error(name, label, at, reference, histograms):
    held = histograms[name]
    scheme = scheme_by_label(label, EPSILONS[at], [len(h) for h in held], calibration=Calibration.AS_PUBLISHED)
    found = mse_cell(scheme, held, 200, rng=np.random.default_rng(11))
    cell = reference["results"][name][label][f"ln({at + 2})"]
    for mean, prefix in ((found.clipped, "sim200"), (found.clipped, "peer")):
        assert abs(mean.value - cell[f"{prefix}_mse"]) < 5 * math.hypot(mean.error, cell[f"{prefix}_sem"])
    assert found.simplex.value == pytest.approx(cell["sim200_simplex"], rel=0.25)


def test_reporting_every_attribute_is_many_times_more_accurate_at_equal_one_attribute_epsilon(histograms, reference):
    held = histograms["adult"]
    sizes = [len(h) for h in held]
    every = scheme_by_label("every attribute[ADP]", math.log(2), sizes, calibration=Calibration.ONE_ATTRIBUTE)
    found = mse_cell(every, held, 200, rng=np.random.default_rng(12))
    mean, error = reference["extra_60runs"]["rows"]["adult|ln2"][
        "attribute-level: every attribute with full eps, ADP clip"
    ]
    assert abs(found.clipped.value - mean) < 5 * math.hypot(found.clipped.error, error)


def test_at_equal_tuple_level_epsilon_fake_data_are_many_times_worse_than_sampling(histograms, reference):
    held = histograms["adult"]
    sizes = [len(h) for h in held]
    faked = scheme_by_label("RS+FD[GRR]", math.log(2), sizes, calibration=Calibration.TUPLE_LEVEL)
    found = mse_cell(faked, held, 200, rng=np.random.default_rng(13))
    rows = reference["extra_60runs"]["rows"]["adult|ln2"]
    mean, error = rows["RS+FD[GRR] tuple-eps (no amplification) clip"]
    assert abs(found.clipped.value - mean) < 5 * math.hypot(found.clipped.error, error)
    assert found.clipped.value > 5 * rows["SMP[ADP] clip"][0]


@pytest.mark.parametrize(("choice", "epsilon", "one"), [("GRR", math.log(2), 2.301), ("GRR", math.log(7), 4.0)])
def test_true_shares_as_priors_leave_no_amplification_on_adult(histograms, choice, epsilon, one):
    held = histograms["adult"]
    priors = [(h / h.sum()).tolist() for h in held]
    scheme = scheme_by_label(
        f"RS+RFD[{choice}]", epsilon, [len(h) for h in held], calibration=Calibration.AS_PUBLISHED, priors=priors
    )
    assert scheme.epsilons.one_attribute == pytest.approx(one, abs=0.01)


@pytest.fixture(scope="module")
def employment(shared):
    return employment_of(shared)


def attacked(label, epsilon, persons):
    """Score of the best guess with estimated shares."""
    sizes = (persons.max(axis=0) + 1).tolist()
    scheme = scheme_by_label(label, epsilon, sizes, calibration=Calibration.AS_PUBLISHED)
    reports, sampled = randomize_marked(scheme.attributes, persons, bits=SeededBits(int(epsilon)))
    shares = [project_simplex(raw) for raw in scheme.estimate(scheme.count_support(reports))]
    seen, coordinates = view(scheme.attributes, reports), [a.coordinate for a in scheme.attributes]
    return score(guess(seen, coordinates, shares), sampled, len(sizes), confidence=0.95)


@pytest.mark.parametrize("label", ATTACK)
def test_the_best_guess_of_the_sampled_attribute_reaches_the_reference(label, employment):
    for epsilon, accuracy in ATTACK[label].items():
        found = attacked(label, float(epsilon), employment)
        assert found.accuracy == pytest.approx(accuracy, abs=0.02)
        assert found.baseline == pytest.approx(1 / 18)


@pytest.mark.parametrize("label", BOOSTING_AT_6)
def test_the_best_guess_beats_the_boosting_that_was_measured(label, employment):
    found = attacked(label, 6.0, employment)
    assert found.accuracy > BOOSTING_AT_6[label]


@pytest.mark.slow
def test_boosting_on_as_many_profiles_as_persons_is_near_the_reference_and_below_the_best_guess(employment):
    sizes = (employment.max(axis=0) + 1).tolist()
    scheme = scheme_by_label("RS+FD[GRR]", 6.0, sizes, calibration=Calibration.AS_PUBLISHED)
    reports, sampled = randomize_marked(scheme.attributes, employment, bits=SeededBits(6))
    shares = [project_simplex(raw) for raw in scheme.estimate(scheme.count_support(reports))]
    seen, laws = view(scheme.attributes, reports), [a.coordinate for a in scheme.attributes]
    rng = np.random.default_rng(1)
    learned = guess_by_boosting(seen, laws, shares, n_profiles=10_336, booster=Booster.HISTOGRAM, rng=rng)
    found = score(learned, sampled, 18, confidence=0.95)
    best = score(guess(seen, laws, shares), sampled, 18, confidence=0.95)
    assert found.accuracy == pytest.approx(BOOSTING_AT_6["RS+FD[GRR]"], abs=0.025)
    assert found.interval.high < best.interval.low
