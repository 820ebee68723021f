"""Holders and a publisher for the tests, and rounds between them."""

from functools import reduce

import numpy as np

from sfumato.mechanism.secure_sum.holder import Seat, join
from sfumato.mechanism.secure_sum.keys import identity_of
from sfumato.mechanism.secure_sum.publisher import invite
from sfumato.mechanism.secure_sum.terms import Terms
from sfumato.testing.seeded_bits import SeededBits

PUBLISHER = bytes([77]) * 32
OCCASION = bytes([9]) * 32


def identity(place):
    return bytes([1, place]) * 16


def terms_for(n, threshold, *, colluding=0, cells=3, greatest=100, noise=None, occasion=OCCASION):
    holders = tuple(identity_of(identity(i)) for i in range(n))
    return Terms(
        occasion, bytes(32), identity_of(PUBLISHER), holders, threshold, colluding, cells, greatest, noise=noise
    )


def counts_of(place, cells=3):
    """Counts by which every set of at most five holders is known from its sum."""
    return np.array([2**place, 0, place], np.int64)[np.arange(cells) % 3]


def bits_of(place):
    return SeededBits(1000 + place)


class Parties:
    """All states after each round: `holders[r]`, `inbox[r]`, `publisher[r]` and `answers[r]`, with nobody missing."""

    def __init__(self, terms, rounds=4, counts=counts_of):
        self.terms, self.bits = terms, [bits_of(i) for i in range(len(terms.holders))]
        joined = {
            i: join(Seat(terms, i, identity(i)), counts(i, terms.cells), bits=self.bits[i])
            for i in range(len(terms.holders))
        }
        self.holders = [{i: state for i, (state, _) in joined.items()}]
        self.answers = [{i: raw for i, (_, raw) in joined.items()}]
        self.publisher, self.inbox = [invite(terms, PUBLISHER)], []
        for _ in range(rounds):
            state, told = heard(self.publisher[-1], self.answers[-1].values()).close()
            self.publisher.append(state)
            self.inbox.append(told)
            answered = {i: self.holders[-1][i].receive(raw, bits=self.bits[i]) for i, raw in told.items()}
            self.holders.append({i: state for i, (state, _) in answered.items()})
            self.answers.append({i: raw for i, (_, raw) in answered.items()})

    def total(self):
        return heard(self.publisher[-1], self.answers[-1].values()).close()


def heard(publisher, answers):
    """The publisher's state after these answers."""
    return reduce(lambda state, raw: state.receive(raw), answers, publisher)
