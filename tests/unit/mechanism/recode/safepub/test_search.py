"""The law of a search against exact enumeration, and its epsilon over all neighbors of small tables."""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import comb, exp, log

import numpy as np
import pytest
from tests.unit.mechanism.recode.safepub.test_scores import NODES, attributes, score_of, table_of

from sfumato.errors import ParameterError
from sfumato.guarantee.safepub_delta import SampledClasses
from sfumato.mechanism.recode.decision import silent
from sfumato.mechanism.recode.full_domain.table import Table
from sfumato.mechanism.recode.safepub.scores import PreparedScore
from sfumato.mechanism.recode.safepub.search import NodeSearch, Walk
from sfumato.testing.seeded_bits import SeededBits

EPSILON = Fraction(3, 2)


def scores(counts, name="precision", k=3):
    finest = table_of(counts)
    prepared = PreparedScore(score_of(name, k), attributes(), finest.n_rows)
    table = Table(finest, (0, 0), prepared.attributes)
    return {node: prepared.value(node, table.at(node)) for node in NODES}, prepared


class Known:
    """A score whose values were computed before."""

    def __init__(self, prepared, values):
        self.score, self.attributes, self.rate = prepared.score, prepared.attributes, prepared.rate
        self.value = lambda levels, node: values[levels]


def softmax(values, rate):
    most = max(values.values())
    weights = {node: exp(rate * (value - most)) for node, value in values.items()}
    return {node: w / sum(weights.values()) for node, w in weights.items()}


def flip(values, rate):
    """Permute-and-flip by its definition: every order of the candidates, every coin."""
    most, out = max(values.values()), defaultdict(float)

    def go(left, chance):
        for node in left:
            heads = exp(rate * (values[node] - most))
            out[node] += chance / len(left) * heads
            if heads < 1:
                go([other for other in left if other != node], chance / len(left) * (1 - heads))

    go(list(values), 1.0)
    return out


def top_down(values, rate, steps, *, honest=True):
    """The law of the chosen node by enumeration of all walks."""
    out = defaultdict(float)

    def go(open_nodes, visited, left, chance):
        if not left or not open_nodes:
            if honest:
                last = softmax({v: values[v] for v in visited}, rate)
            else:
                last = {max(visited, key=values.__getitem__): 1.0}
            for node, share in last.items():
                out[node] += chance * share
            return
        for pivot, share in softmax({v: values[v] for v in open_nodes}, rate).items():
            below = [tuple(x - (i == j) for i, x in enumerate(pivot)) for j in range(2) if pivot[j]]
            fresh = [v for v in below if v not in visited and v not in open_nodes]
            go([*(v for v in open_nodes if v != pivot), *fresh], [*visited, pivot], left - 1, chance * share)

    go([(1, 1)], [], steps, 1.0)
    return out


@pytest.mark.parametrize(("walk", "steps"), [(Walk.WHOLE, None), (Walk.TOP_DOWN, 2)])
def test_nodes_are_chosen_by_the_law(walk, steps):
    """False alarm: 1e-6 in all, by Hoeffding for each of 4 nodes."""
    n, counts = 700, (5, 2, 1, 4)
    values, prepared = scores(counts)
    search, bits, known = NodeSearch(walk, EPSILON, steps), SeededBits(5), Known(prepared, values)
    found = [search.run(table_of(counts), known, bits=bits, progress=silent)[0] for _ in range(n)]
    whole = flip(values, float(prepared.rate(EPSILON)))
    law = whole if walk is Walk.WHOLE else top_down(values, float(prepared.rate(EPSILON / 3)), 2)
    for node in NODES:
        assert abs(found.count(node) / n - law.get(node, 0.0)) <= (log(8e6) / (2 * n)) ** 0.5


def losses(law):
    """The largest log-ratio between neighbors, over small tables."""
    most = 0.0
    for counts in product((0, 1, 2, 3, 5), repeat=4):
        if sum(counts) % 7 == 1:
            more = [n + (i == 0) for i, n in enumerate(counts)]
            before, after = law(counts), law(more)
            for node in NODES:
                a, b = before.get(node, 0.0), after.get(node, 0.0)
                if a or b:
                    most = max(most, abs(log(a / b)) if a and b else float("inf"))
    return most


@pytest.mark.parametrize("name", ["classes", "precision"])
def test_no_neighbor_is_told_apart_by_more_than_epsilon(name):
    def whole(counts):
        values, prepared = scores(counts, name)
        return flip(values, float(prepared.rate(EPSILON)))

    def walked(counts):
        values, prepared = scores(counts, name)
        return top_down(values, float(prepared.rate(EPSILON / 3)), 2)

    assert 0.1 < losses(whole) <= EPSILON + 1e-9
    assert 0.1 < losses(walked) <= EPSILON + 1e-9


def test_returning_the_best_visited_node_as_it_is_keeps_no_epsilon():
    """The published last line, a broken twin: what one table never chooses, its neighbor chooses half the time."""

    def published(counts):
        values, prepared = scores(counts, "classes")
        return top_down(values, float(prepared.rate(EPSILON / 2)), 2, honest=False)

    assert published((5, 0, 0, 0)).get((0, 1), 0.0) == 0.0
    assert published((5, 0, 1, 0))[0, 1] > 0.4


def test_a_search_of_the_sample_itself_does_not_add_up():
    """Why the search reads the whole table: a sample and its neighbor of equal size differ in two rows.

    Recoding merges the class of one row t with a class of n rows. A search is ε-DP if its chance of this recoding
    changes by a factor of at most e^ε when the sample gains or loses a row, and so does its chance of any other; here
    it is c e^(ε(x - y + k - 1)), at most c, for x sampled rows of t and y of the others. Reading the same sample that
    is published it reaches, at ε + ε of sampling, a δ hundreds of times above the one that is stated.
    """
    epsilon, beta, n, k = 1.0, 1 - exp(-1.0), 100, 74
    most = (exp(epsilon) - 1) / (exp(epsilon) - exp(-epsilon)) - 1e-9

    def chance(rows, j):
        return comb(rows, j) * beta**j * (1 - beta) ** (rows - j) if 0 <= j <= rows else 0.0

    def chosen(x, y):
        return most * min(1.0, exp(epsilon * (x - y + k - 1)))

    def published(with_row, j):
        """The chance that the recoding is chosen and j rows of the class are published."""
        alone = chance(n, j) * chosen(0, j)
        return (1 - beta) * alone + beta * chance(n, j - 1) * chosen(1, j - 1) if with_row else alone

    for x, y in product((0, 1), range(n + 1)):
        for a, b in ((x, y + 1), (1 - x, y)):
            p, q = chosen(x, y), chosen(a, b)
            assert max(p / q, q / p, (1 - p) / (1 - q), (1 - q) / (1 - p)) <= exp(epsilon) + 1e-9
    delta = sum(max(0.0, published(True, j) - exp(2 * epsilon) * published(False, j)) for j in range(k, n + 1))
    assert delta > 400 * SampledClasses(Fraction(1)).delta(k)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Walk.WHOLE, Fraction(0), None), "must have an epsilon above 0"),
        ((Walk.WHOLE, Fraction(1), 3), "takes `steps`"),
        ((Walk.TOP_DOWN, Fraction(1), None), "takes `steps`"),
        ((Walk.TOP_DOWN, Fraction(1), 0), "takes `steps`"),
    ],
)
def test_wrong_searches_are_refused(arguments, message):
    with pytest.raises(ParameterError, match=message):
        NodeSearch(*arguments)


def test_a_walk_may_visit_the_whole_lattice():
    counts = (5, 2, 1, 4)
    _, prepared = scores(counts)
    search = NodeSearch(Walk.TOP_DOWN, Fraction(1), 50)
    levels, told = search.run(table_of(counts), prepared, bits=SeededBits(1), progress=silent)
    assert levels in NODES
    assert told.checked == 4
    assert np.isclose(sum(softmax(scores(counts)[0], 0.1).values()), 1)
