"""ARX's output statistics agree at every recorded run of k-anonymity."""

import numpy as np
import pytest
from tests.golden import adult, arx

from sfumato.mechanism.recode.full_domain.table import Table
from sfumato.utility.loss.arx import arx_quality

NAMES = {
    "granularity": "granularity_mean",
    "non_uniform_entropy_quality": "nonUniformEntropy_mean",
    "generalization_intensity": "generalizationIntensity_mean",
    "missings": "missings_mean",
    "discernibility_quality": "discernibility",
    "class_size_quality": "aecs",
    "ambiguity_quality": "ambiguity",
}

RUNS = arx.group("k_anonymity_9qi") + arx.group("k_anonymity_8qi_without_occupation")


@pytest.mark.parametrize("run", RUNS, ids=arx.label)
def test_the_recorded_statistics_are_reproduced(shared, run):
    """Squared errors are left out: they read numbers out of labels."""
    attributes, finest = adult.attributes(shared, run["qis"]), adult.classes(shared, tuple(run["qis"]))
    levels = tuple(run["levels"].values())
    classes = Table(finest, (0,) * len(attributes), attributes).at(levels).classes
    (criterion,) = arx.k_anonymity(run).criteria
    figures = arx_quality(finest, attributes, np.array(levels), classes, criterion.holds(classes))
    theirs = {ours: run["quality"][name] for ours, name in NAMES.items()}
    assert {f.name: f.value for f in figures} == pytest.approx(theirs, abs=1e-9)
