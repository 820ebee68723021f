"""Output laws of partition selection on tiny tables, and the exact delta over all neighbors."""

import math
from itertools import combinations, product

from sfumato.table.unit import Neighbors

EPSILON = 1.0


def group_law(n, scale, threshold, reach):
    """Of one group with n persons: hidden (None), or its noisy number; above `reach` in one outcome."""
    if n == 0:
        return {None: 1.0}
    q = math.exp(-1 / scale)
    chance = {y: (1 - q) / (1 + q) * q ** abs(y - n) for y in range(threshold, reach)}
    chance[reach] = q ** (reach - n) / (1 + q)
    return {**chance, None: 1 - math.fsum(chance.values())}


def chance_law(n, chances):
    p = chances[n] if n < len(chances) else 1.0
    return {None: 1 - p, "named": p}


def divergence(one, other, epsilon, law):
    """The exact δ(ε) from one table to the other: Σ (P - e^ε Q)₊ over all outputs."""
    laws = [(law(a), law(b)) for a, b in zip(one, other, strict=True)]
    total = 0.0
    for outcome in product(*(set(p) | set(q) for p, q in laws)):
        p, q = (math.prod(pair[i].get(y, 0.0) for pair, y in zip(laws, outcome, strict=True)) for i in (0, 1))
        total += max(0.0, p - math.exp(epsilon) * q)
    return total


def neighbor_counts(unit, groups, most):
    """Numbers of persons in each group, and those of all neighbors."""
    sets = [set(s) for k in range(unit.keys + 1) for s in combinations(range(groups), k)]
    out = []
    for counts in product(range(most + 1), repeat=groups):
        for joined in sets:
            more = tuple(n + (g in joined) for g, n in enumerate(counts))
            if unit.neighbors is Neighbors.ADD_REMOVE:
                out += [(counts, more), (more, counts)]
            else:
                out += [(tuple(n + (g in left) for g, n in enumerate(counts)), more) for left in sets]
    return out


def worst(unit, groups, law, most=2):
    return max(divergence(a, b, EPSILON, law) for a, b in neighbor_counts(unit, groups, most))
