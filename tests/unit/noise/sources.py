"""Sources of words for the tests of samplers: scripted ones, and one that remembers."""

from fractions import Fraction

import numpy as np
from hypothesis import settings

from sfumato.testing.seeded_bits import SeededBits

law = settings(derandomize=True)
"""For laws that Hypothesis checks: the same examples every time, however slow the machine."""


class ScriptedBits:
    """Gives the words of a script, then seeded ones."""

    is_secure = False

    def __init__(self, *words):
        self.script, self.rest = list(words), SeededBits(0)

    def words(self, n):
        given, self.script = self.script[:n], self.script[n:]
        return np.concatenate([np.array(given, np.uint64), self.rest.words(n - len(given))])


class RecordingBits:
    """Seeded words that are kept: `calls` holds what every call gave."""

    is_secure = False

    def __init__(self, seed):
        self.source, self.calls = SeededBits(seed), []

    def words(self, n):
        self.calls.append(self.source.words(n))
        return self.calls[-1]


class NoBits:
    """Fails when it is asked."""

    is_secure = False

    def words(self, n):
        raise AssertionError("no chance was needed")


def packed(values, kind):
    """Words whose parts of a smaller type are the values, zeros after them."""
    parts = np.array(values, kind)
    whole = np.zeros(-(-parts.nbytes // 8) * 8, np.uint8)
    whole[: parts.nbytes] = parts.view(np.uint8)
    return whole.view(np.uint64).tolist()


def first_part(words, kind):
    """The first part of the first word, as a Python integer."""
    return int(words.view(kind)[0])


def interval(pieces):
    """Where a real number lies of which pieces (value, bits) were drawn: [low, high)."""
    number = bits = 0
    for value, width in pieces:
        number, bits = (number << width) | value, bits + width
    return Fraction(number, 1 << bits), Fraction(number + 1, 1 << bits)
