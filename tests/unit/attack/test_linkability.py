"""Two files linked by a release: hand-made tables, a slow twin, and an attack that does not look."""

import numpy as np
import pytest
from tests.unit.attack.tables import fits, meaning, persons, release

from sfumato.attack.linkability import _products, halves, link, link_scores
from sfumato.testing.examples import release_of_pairs


def test_a_release_of_the_rows_themselves_links_everybody():
    cells = [(a, b) for a, b in zip("abcdef", "uvwxyz", strict=True)]
    table = release_of_pairs(cells, [1] * 6)
    people = table.classes.codes
    found = link(link_scores(table, people, ([0], [1])), rng=np.random.default_rng(0))
    assert found.tolist() == list(range(6))


def test_a_release_of_one_class_links_by_chance():
    """Every pair fits equally: right is one in n, over 2,000 draws within five standard deviations."""
    table = release_of_pairs([("a", "x")], [10])
    people, rng = np.zeros((10, 2), np.int64), np.random.default_rng(1)
    scores = link_scores(table, people, ([0], [1]))
    right = sum(np.count_nonzero(link(scores, rng=rng) == np.arange(10)) for _ in range(200))
    assert abs(right - 200) < 5 * np.sqrt(2000 * 0.1 * 0.9)


@pytest.mark.parametrize("seed", range(3))
def test_scores_are_those_summed_class_by_class(seed):
    rng = np.random.default_rng(seed)
    table, people = release(rng), persons(rng, 8)
    found = link_scores(table, people, ([0], [1]))

    def chance(c, person, j):
        row = np.where(np.arange(2) == j, table.classes.codes[c], -1)
        return fits(table, row, person) / max(len(meaning(table.labels[j][table.classes.codes[c, j]], j)), 1)

    classes = range(table.classes.n_classes)
    for i, a in enumerate(people):
        for k, b in enumerate(people):
            top = sum(table.classes.rows[c] * chance(c, a, 0) * chance(c, b, 1) for c in classes)
            bottom = sum(table.classes.rows[c] * chance(c, b, 1) for c in classes)
            assert found[i, k] == pytest.approx(top / bottom if bottom else 0.0)


@pytest.mark.parametrize("most", [0, 1 << 21])
def test_pairs_that_count_add_up_to_the_product_of_the_matrices(monkeypatch, most):
    monkeypatch.setattr("sfumato.attack.linkability._PER_PAIR", 1)
    monkeypatch.setattr("sfumato.attack.linkability._MOST_PAIRS", most)
    rng = np.random.default_rng(4)
    first, second = (rng.random((9, 30)) * (rng.random((9, 30)) < share) for share in (0.3, 0.1))
    slow = [[sum(a * b for a, b in zip(one, other, strict=True)) for other in second] for one in first]
    np.testing.assert_allclose(_products(first, second), slow, rtol=1e-12)
    assert not _products(np.zeros((2, 3)), np.ones((2, 3))).any()


def test_halves_hold_every_column_once():
    for m in range(6):
        first, second = halves(m)
        assert sorted(first + second) == list(range(m))
