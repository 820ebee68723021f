"""Individual ranking: means by rank, the bound of what one cell moves, the noise, and what order gives away."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.perturb.individual_ranking import IndividualRanking, Private, Rows
from sfumato.mechanism.perturb.ranked_groups import bound_of_sums, group_sizes, groups_of
from sfumato.noise.bits import SystemBits
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.seeded_bits import SeededBits

WIDTH = 3
PRIVATE = Private(Fraction(1), (Fraction(0), Fraction(100)), Rows.SHUFFLED)


def column(values, kind=Kind.INTEGER):
    """The column bound, and how often each leaf occurs."""
    attribute = bind(Column("x", Role.SENSITIVE, kind), sorted(set(values), key=str))
    counts = Counter(values)
    return attribute, np.array([counts[label] for label in attribute.hierarchy.labels[0]])


def cells(decision, attribute):
    """Every (original, published) pair, cell by cell."""
    splits, out = decision.step.splits, []
    for leaf, rows, member in zip(splits.tuple_, splits.rows, splits.member, strict=True):
        out += [(attribute.hierarchy.labels[0][leaf], decision.step.labels[member])] * int(rows)
    return sorted(out, key=str)


def sums(values, k):
    """Sums of the groups of some values, by rank."""
    ranked = np.sort(np.array(values))
    return np.bincount(groups_of(group_sizes(len(values), k)), weights=ranked)


def sums_cut_at_gaps(values, k):
    """A broken twin: groups end where the next value is far away, so that one cell moves many of them."""
    ranked, groups = sorted(values), [[]]
    for value in ranked:
        if len(groups[-1]) >= k and value - groups[-1][-1] > 1:
            groups.append([])
        groups[-1].append(value)
    return np.array([sum(group) for group in groups], float)


def most_moved(n, k, sums_of):
    """The largest total move of the sums over all tables of n values in 0 … WIDTH and all changes of one cell."""
    worst = 0.0
    for values in product(range(WIDTH + 1), repeat=n):
        if list(values) != sorted(values):
            continue
        before = sums_of(values, k)
        for i, new in product(range(n), range(WIDTH + 1)):
            after = sums_of((*values[:i], new, *values[i + 1 :]), k)
            size = max(len(before), len(after))
            moved = np.abs(np.pad(before, (0, size - len(before))) - np.pad(after, (0, size - len(after)))).sum()
            worst = max(worst, float(moved))
    return worst


@pytest.mark.parametrize(("n", "k"), [(2, 2), (4, 2), (5, 2), (6, 3)])
def test_one_cell_moves_all_sums_together_by_the_width_at_most_and_can(n, k):
    assert most_moved(n, k, sums) == bound_of_sums(WIDTH)


def test_groups_that_depend_on_values_break_the_bound():
    assert most_moved(5, 2, sums_cut_at_gaps) > bound_of_sums(WIDTH)


def test_the_noise_makes_neighbors_as_unlike_as_epsilon_allows():
    """Exact chances of the noisy sums: P(x) ∝ q^|x|, q = e^(-ε/width); the worst ratio of two lists is e^ε."""
    before, after = sums((0, 0, 0, 0), 2), sums((0, 0, 0, 3), 2)
    q = np.exp(-1.0 / WIDTH)
    grid = np.array(list(product(range(-4, 8), repeat=2)))
    ratio = q ** (np.abs(grid - before).sum(axis=1) - np.abs(grid - after).sum(axis=1))
    assert ratio.max() == pytest.approx(np.e)
    assert ratio.min() == pytest.approx(1 / np.e)


def test_cells_get_the_mean_of_their_group():
    attribute, counts = column(["1", "1", "2", "5", "6", "100", "100"])
    decision = IndividualRanking(2, 2, None).decide(attribute, counts, bits=SystemBits())
    assert cells(decision, attribute) == [
        ("1", "1"), ("1", "1"), ("100", "100"), ("100", "100"), ("2", "4.33"), ("5", "4.33"), ("6", "4.33"),
    ]  # fmt: skip
    assert decision.guarantee.parameters["k"] == 2


def test_equal_values_may_go_to_two_groups():
    attribute, counts = column(["0"] * 5 + ["9"])
    decision = IndividualRanking(3, 0, None).decide(attribute, counts, bits=SystemBits())
    assert decision.step.splits.rows.tolist() == [3, 2, 1]
    assert cells(decision, attribute)[-3:] == [("0", "3"), ("0", "3"), ("9", "3")]


def test_missing_cells_stay_missing_and_count_for_nothing():
    attribute = bind(Column("x", Role.SENSITIVE, Kind.INTEGER), ["1", "3", None])
    decision = IndividualRanking(2, None, None).decide(attribute, np.array([1, 1, 4]), bits=SystemBits())
    assert cells(decision, attribute) == [("1", "2"), ("3", "2"), *[(None, None)] * 4]


def test_the_squared_error_of_the_blur_is_that_of_the_cells():
    attribute, counts = column([str(v) for v in (1, 4, 4, 9, 12, 30, 31)])
    decision = IndividualRanking(3, 5, None).decide(attribute, counts, bits=SystemBits())
    squared = [(float(a) - float(b)) ** 2 for a, b in cells(decision, attribute)]
    assert decision.blur.error()[1] @ counts == pytest.approx(sum(squared))


@pytest.mark.parametrize("rows", Rows)
def test_private_centers_lie_in_the_bounds_in_order(rows):
    attribute, counts = column([str(v) for v in (-50, 1, 4, 9, 12, 30, 900)])
    private = Private(Fraction(1, 10), (Fraction(0), Fraction(100)), rows)
    decision = IndividualRanking(2, 1, private).decide(attribute, counts, bits=SeededBits(4))
    numbers = [float(text) for text in decision.step.labels]
    assert numbers == sorted(numbers)
    assert 0 <= numbers[0] <= numbers[-1] <= 100
    assert decision.step.splits.rows.sum() == 7


def test_noise_has_the_scale_of_the_bound():
    """Means of 2000 groups of 5 equal values; P(mean of 2000 |noise| off by 20 %) < 1e-9 (Chernoff)."""
    attribute, counts = column(["50"] * 10_000)
    wide = Private(Fraction(1), (Fraction(-(10**6)), Fraction(10**6)), Rows.RANKED)
    decision = IndividualRanking(5, 0, wide).decide(attribute, counts, bits=SeededBits(5))
    off = np.abs(np.array([float(text) for text in decision.step.labels]) - 50)
    assert off.mean() == pytest.approx(2 * 10**6 / 5, rel=0.2)


def test_shuffled_values_tell_nothing_of_the_row():
    """One of 40 cells is extreme; over 100 draws its row gets the top group as often as any (k / n = 1/20)."""
    attribute, counts = column([str(v) for v in range(39)] + ["100"])
    method = IndividualRanking(2, 0, Private(Fraction(1000), (Fraction(0), Fraction(100)), Rows.SHUFFLED))
    bits, hits = SeededBits(6), 0
    for _ in range(100):
        decision = method.decide(attribute, counts, bits=bits)
        hits += dict(cells(decision, attribute))["100"] == decision.step.labels[-1]
    assert hits < 25  # Binomial(100, 1/20) exceeds 24 with chance < 1e-10


def test_the_order_of_ranked_rows_is_not_protected():
    """Two rows of the lowest group share a value whatever the noise; with another value one of them never does."""
    method = IndividualRanking(2, 0, Private(Fraction(1, 100), (Fraction(0), Fraction(100)), Rows.RANKED))
    for values, partner in ((["1", "2", "50", "60"], "2"), (["1", "99", "50", "60"], "50")):
        attribute, counts = column(values)
        member = method.decide(attribute, counts, bits=SeededBits(7)).step.splits
        names = attribute.hierarchy.labels[0]
        lowest = {names[leaf] for leaf, group in zip(member.tuple_, member.member, strict=True) if group == 0}
        assert lowest == {"1", partner}
    assert "NOT" in method.decide(attribute, counts, bits=SeededBits(7)).guarantee.statement


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: IndividualRanking(1, None, None), "at least 2"),
        (lambda: IndividualRanking(2, 19, None), "`digits`"),
        (lambda: IndividualRanking(2, None, PRIVATE), "`digits`"),
        (lambda: IndividualRanking(2, 0, Private(Fraction(0), PRIVATE.bounds, Rows.RANKED)), "`epsilon` > 0"),
    ],
)
def test_parameters_outside_their_ranges_are_refused(make, words):
    with pytest.raises(ParameterError, match=words):
        make()


def test_text_and_short_columns_are_refused_without_a_value_or_count():
    text, counts = column(["rare", "b"], Kind.TEXT)
    with pytest.raises(ParameterError, match="need an order") as error:
        IndividualRanking(2, None, None).decide(text, counts, bits=SystemBits())
    assert "rare" not in str(error.value)
    short, counts = column(["7", "8"])
    with pytest.raises(ParameterError, match="smaller k") as error:
        IndividualRanking(3, None, None).decide(short, counts, bits=SystemBits())
    assert "2" not in str(error.value)
