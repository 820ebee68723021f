from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from sfumato.summary import distance
from sfumato.summary.distance import distances
from sfumato.summary.histogram import distribution_of
from sfumato.testing.strategies import SENSITIVE, classes


def shares(c):
    """p of each class (None: no value) and q of the table, by leaf, as fractions."""
    d = distribution_of(c, SENSITIVE)
    whole = int(d.total.sum())
    q = [Fraction(int(t), whole) if whole else Fraction(0) for t in d.total]
    dense = np.zeros((d.n_classes, len(d.total)), int)
    dense[d.owner, d.value] = d.count
    return d, [[Fraction(int(x), int(row.sum())) for x in row] if row.any() else None for row in dense], q


def equal(p, q, d):
    return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2


def ordered(p, q, d):
    order = [i for i in np.argsort(np.nan_to_num(d.attribute.positions, nan=1e9)) if d.total[i] > 0]
    running, out = Fraction(0), Fraction(0)
    for i in order:
        running += p[i] - q[i]
        out += abs(running)
    return out / (len(order) - 1) if len(order) > 1 else Fraction(0)


def hierarchical(p, q, d):
    """The recursion of the paper: what the children of a node cannot settle among themselves is paid there."""
    tree = d.attribute.hierarchy
    height = tree.height
    extra = [a - b for a, b in zip(p, q, strict=True)]
    cost = Fraction(0)
    for level in range(1, height + 1):
        up = tree.step(level - 1, level)
        parents = [Fraction(0)] * len(tree.labels[level])
        for node in range(len(parents)):
            own = [extra[child] for child in np.flatnonzero(up == node)]
            positive = sum((x for x in own if x > 0), Fraction(0))
            negative = -sum((x for x in own if x < 0), Fraction(0))
            cost += Fraction(level, height) * min(positive, negative)
            parents[node] = positive - negative
        extra = parents
    return cost


@pytest.mark.parametrize("slow", [equal, ordered, hierarchical], ids=lambda f: f.__name__)
@given(c=classes())
def test_each_distance_is_its_definition(slow, c):
    d, p, q = shares(c)
    top, bottom = distances(d, d.total, slow.__name__)
    expected = [Fraction(1) if own is None else slow(own, q, d) for own in p]
    assert expected == [Fraction(int(a), int(b)) for a, b in zip(top, bottom, strict=True)]


@pytest.mark.parametrize("ground", ["equal", "ordered", "hierarchical"])
@settings(max_examples=30)
@given(c=classes())
def test_python_integers_give_what_64_bits_give(ground, c):
    d = distribution_of(c, SENSITIVE)
    narrow = distances(d, d.total, ground)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distance, "_LARGEST", 0)
        wide = distances(d, d.total, ground)
    assert wide[1].dtype == object
    for a, b, x, y in zip(*narrow, *wide, strict=True):
        assert Fraction(int(a), int(b)) == Fraction(int(x), int(y))


@given(c=classes())
def test_levels_of_few_nodes_are_counted_as_those_of_many(c):
    d = distribution_of(c, SENSITIVE)
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for cells in (0, 1 << 20):
            patch.setattr(distance, "_DENSE", cells)
            found.append([part.tolist() for part in distances(d, d.total, "hierarchical")])
    assert found[0] == found[1]


@settings(max_examples=30)
@given(c=classes())
def test_the_hierarchical_distance_is_the_cheapest_transport(c):
    """Solved as a linear program with the height of the lowest common ancestor as cost."""
    from scipy.optimize import linprog

    d, p, q = shares(c)
    tree, n = d.attribute.hierarchy, len(q)
    cost = np.array(
        [
            [min(h for h in range(tree.height + 1) if tree.ancestors[h][i] == tree.ancestors[h][j]) for j in range(n)]
            for i in range(n)
        ]
    )
    top, bottom = distances(d, d.total, "hierarchical")
    for own, a, b in zip(p, top, bottom, strict=True):
        if own is None:
            continue
        flows = np.concatenate([np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))])
        ends = [float(x) for x in own] + [float(x) for x in q]
        best = linprog(cost.ravel() / tree.height, A_eq=flows, b_eq=ends, method="highs")
        assert best.fun == pytest.approx(float(Fraction(int(a), int(b))), abs=1e-7)


def test_values_that_are_the_same_number_have_one_place():
    """`34` and `34.0` are two texts and one age."""
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import bind
    from sfumato.table.schema import Column, Kind, Role
    from sfumato.testing.strategies import histogram

    age = bind(Column("age", Role.SENSITIVE, Kind.DECIMAL), ["34", "34.0", "50"])
    size = np.array([1, 1, 2])
    counts = histogram(age, np.array([[1, 0, 0], [0, 1, 0], [0, 0, 2]]))
    d = distribution_of(Classes(np.arange(3)[:, None], size, size, histograms=(counts,)), "age")
    top, bottom = distances(d, d.total, "ordered")
    assert (top / bottom).tolist() == [0.5, 0.5, 0.5]
