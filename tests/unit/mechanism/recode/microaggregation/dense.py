"""The slow, obvious twin: every row a dense vector, groups as the paper tells them, lists and loops."""

import numpy as np


def vectors(points):
    """Rows as vectors: numbers as they are, each category one-hot so that two nodes are `weight` apart, squared."""
    parts = [points.numbers]
    for j, weight in enumerate(points.weights):
        nodes = points.nodes[:, j]
        parts.append(np.eye(int(nodes.max()) + 1)[nodes] * np.sqrt(weight / 2))
    return np.concatenate(parts, axis=1)


def groups(rows, k, *, first="farthest"):
    """MDAV by the text: a list of sets of row numbers. `first` other than "farthest" is a broken twin."""
    left, out = list(range(len(rows))), []

    def far_from(point):
        pick = max if first == "farthest" else min
        return pick(left, key=lambda i: (((rows[i] - point) ** 2).sum().round(9), -i))

    def take(center):
        near = sorted(left, key=lambda i: (i != center, ((rows[i] - rows[center]) ** 2).sum().round(9), i))[:k]
        out.append(set(near))
        for i in near:
            left.remove(i)

    while len(left) >= 3 * k:
        r = far_from(rows[left].mean(axis=0))
        take(r)
        take(far_from(rows[r]))
    if len(left) >= 2 * k:
        take(far_from(rows[left].mean(axis=0)))
    out.append(set(left))
    return out
