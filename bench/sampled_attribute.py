"""How often is the sampled attribute guessed, and how long does the guess take? Closed form beside boosted trees.

ACSEmployment (Montana), 10,336 persons, 18 attributes; shares estimated from the reports; blind guessing: 1/18.
"""

import csv
import gzip

import numpy as np
import timing

from sfumato.attack.sampled_attribute import guess, score
from sfumato.attack.sampled_boosting import available_booster, guess_by_boosting
from sfumato.mechanism.local.projections import project_simplex
from sfumato.mechanism.local.several.catalog import scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.mechanism.local.several.faked import randomize_marked, view
from sfumato.testing.seeded_bits import SeededBits

CELLS = [
    *((label, epsilon) for label in ("RS+FD[GRR]", "RS+FD[SUE-z]", "RS+FD[OUE-z]") for epsilon in (1, 6, 10)),
    *((label, 6) for label in ("RS+FD[SUE-r]", "RS+FD[OUE-r]")),
]
LEARNED = {("RS+FD[GRR]", 6), ("RS+FD[SUE-z]", 6)}
CONFIDENCE = 0.95


def employment(shared):
    """(10336, 18) codes."""
    path = shared / "data" / "acs_folktables" / "ACSEmployment_Montana.csv.gz"
    with gzip.open(path, "rt", newline="") as file:
        _, *rows = csv.reader(file)
    return np.column_stack([np.unique(np.array(c), return_inverse=True)[1] for c in zip(*rows, strict=True)])


def cell(label, epsilon, persons, *, with_boosting):
    """One or two lines: the best guess, and the learned one."""
    sizes = [int(size) for size in persons.max(axis=0) + 1]
    scheme = scheme_by_label(label, float(epsilon), sizes, calibration=Calibration.AS_PUBLISHED)
    reports, sampled = randomize_marked(scheme.attributes, persons, bits=SeededBits(epsilon))
    shares = [project_simplex(raw) for raw in scheme.estimate(scheme.count_support(reports))]
    seen, laws = view(scheme.attributes, reports), [attribute.coordinate for attribute in scheme.attributes]
    taken = timing.median_of(lambda: guess(seen, laws, shares), 5)
    found = score(guess(seen, laws, shares), sampled, len(sizes), confidence=CONFIDENCE)
    yield line("closed form", label, epsilon, found, taken)
    if with_boosting:
        kept = []
        booster = available_booster()

        def learn():
            kept[:] = [
                guess_by_boosting(
                    seen, laws, shares, n_profiles=len(persons), booster=booster, rng=np.random.default_rng(1)
                )
            ]

        taken = timing.median_of(learn, 1)
        found = score(kept[0], sampled, len(sizes), confidence=CONFIDENCE)
        yield line(booster.value, label, epsilon, found, taken)


def line(who, label, epsilon, found, taken):
    """One line of the table."""
    return {
        "who": who,
        "scheme": label,
        "epsilon": epsilon,
        "accuracy": found.accuracy,
        "low": found.interval.low,
        "high": found.interval.high,
        "baseline": found.baseline,
        **taken,
    }


def main():
    """All cells."""
    persons = employment(timing.shared_folder())
    lines = [
        row
        for label, epsilon in CELLS
        for row in cell(label, epsilon, persons, with_boosting=(label, epsilon) in LEARNED)
    ]
    timing.write("sampled_attribute", lines, peers=("scikit-learn",), runs="5 of ours, 1 of learning")


if __name__ == "__main__":
    main()
