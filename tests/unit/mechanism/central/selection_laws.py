"""Output laws of choosers on tiny scores, ties too, and the largest loss over all neighbors."""

import math
from itertools import permutations, product

from sfumato.mechanism.central.selection import Chooser

D = 3


def exponential_law(scores, rate):
    weights = [math.exp(rate * (s - max(scores))) for s in scores]
    return [w / sum(weights) for w in weights]


def flip_law(scores, rate):
    """Over all orders: the first candidate whose coin falls True."""
    heads = [math.exp(rate * (s - max(scores))) for s in scores]
    out = [0.0] * len(scores)
    orders = list(permutations(range(len(scores))))
    for order in orders:
        left = 1.0
        for i in order:
            out[i] += left * heads[i] / len(orders)
            left *= 1 - heads[i]
    return out


def noisy_max_law(scores, rate, reach=80):
    """Over all values of the winner's noise; ties go to the first."""
    q = math.exp(-rate)
    out = []
    for i, score in enumerate(scores):
        total = 0.0
        for z in range(reach):
            top, chance = score + z, (1 - q) * q**z
            for j, other in enumerate(scores):
                if j != i:
                    room = top - other + (j > i)  # values of the other's noise that do not win
                    chance *= 1 - q**room if room > 0 else 0.0
            total += chance
        out.append(total)
    return out


LAWS = {Chooser.EXPONENTIAL: exponential_law, Chooser.PERMUTE_AND_FLIP: flip_law, Chooser.NOISY_MAX: noisy_max_law}


def moves(monotone):
    """By how much one person changes scores of sensitivity 1."""
    if monotone:
        return [s for m in product((0, 1), repeat=D) for s in (m, tuple(-x for x in m))]
    return list(product((-1, 0, 1), repeat=D))


def largest_loss(law, rate, monotone):
    return max(
        abs(math.log(p / q))
        for scores in product(range(3), repeat=D)
        for move in moves(monotone)
        for p, q in zip(law(scores, rate), law([s + m for s, m in zip(scores, move, strict=True)], rate), strict=True)
    )
