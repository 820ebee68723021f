"""All tiny tables and all pairs of neighbors, so that a promise can be checked on every one of them."""

import math
from itertools import combinations_with_replacement, product

import numpy as np

from sfumato.table.unit import Neighbors


def tables(size, most):
    """All lists of at most so many places, in rising order."""
    return [table for n in range(most + 1) for table in combinations_with_replacement(range(size), n)]


def pairs(size, most, neighbors):
    """All ordered pairs of tables that differ in one row: added, removed, or, when replaced, also exchanged."""
    found = set()
    for table in tables(size, most - 1):
        more = [tuple(sorted((*table, g))) for g in range(size)]
        found |= {(table, a) for a in more} | {(a, table) for a in more}
        if neighbors is Neighbors.REPLACE:
            found |= {(a, b) for a in more for b in more if a != b}
    return sorted(found)


def largest_loss(laws, size, most, neighbors):
    """The largest log ratio of two neighbors' laws, each outcome -> probability; what a law lacks under "rest" may
    be anywhere, so it is taken from one side and given to the other: a lower bound of the true loss."""
    losses = [0.0]
    for a, b in pairs(size, most, neighbors):
        for outcome, p in laws[a].items():
            if outcome != "rest" and p > 0:
                losses.append(math.log(p / (laws[b].get(outcome, 0.0) + laws[b].get("rest", 0.0))))
    return max(losses)


def laws_under_noise(decide, n_noise, scale, size, most, reach):
    """The law of decide(places, noise) for every tiny table, the noise being discrete Laplace on a box; the chance
    that it leaves the box is under "rest"."""
    q = math.exp(-1 / scale)
    one = {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-reach, reach + 1)}
    boxes = [(np.array(zs, np.int64), math.prod(one[z] for z in zs)) for zs in product(one, repeat=n_noise)]
    laws = {}
    for table in tables(size, most):
        places, law = np.array(table, np.int64), {}
        for zs, p in boxes:
            outcome = tuple(decide(places, zs).tolist())
            law[outcome] = law.get(outcome, 0.0) + p
        law["rest"] = 1 - sum(law.values())
        laws[table] = law
    return laws
