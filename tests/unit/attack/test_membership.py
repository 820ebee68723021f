"""Is a person in the table? Densities and the threshold that tells two groups apart."""

import numpy as np
import pytest
from tests.unit.attack.tables import fits, meaning, persons, release

from sfumato.attack.membership import best_threshold, density
from sfumato.attack.pairs import matches


def test_density_is_summed_class_by_class():
    rng = np.random.default_rng(0)
    table, people = release(rng), persons(rng)
    slow = [
        sum(
            table.classes.rows[c] / np.prod([len(meaning(table.labels[j][x], j)) for j, x in enumerate(row)])
            for c, row in enumerate(table.classes.codes)
            if fits(table, row, person)
        )
        for person in people
    ]
    assert density(matches(table, people), table.classes.rows) == pytest.approx(np.array(slow, float))


@pytest.mark.parametrize("seed", range(5))
def test_no_threshold_tells_better(seed):
    rng = np.random.default_rng(seed)
    members, others = rng.integers(0, 9, 20).astype(float), rng.integers(0, 7, 15).astype(float)
    cut = best_threshold(members, others)
    gaps = {c: np.mean(members >= c) - np.mean(others >= c) for c in [*np.arange(-1, 11) / 1.0, np.inf]}
    assert np.mean(members >= cut) - np.mean(others >= cut) == pytest.approx(max(gaps.values()))


def test_equal_groups_are_not_told_apart():
    same = np.array([1.0, 2.0, 2.0])
    assert best_threshold(same, same) == np.inf
