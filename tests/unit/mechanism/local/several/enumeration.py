"""The slow and obvious twin of the closed forms: every report, every pair of tuples, in exact fractions."""

from fractions import Fraction
from itertools import product
from math import lcm

from sfumato.guarantee.coordinate import Encoding


def reports_of(coordinate):
    """Every report of one attribute."""
    if coordinate.encoding is Encoding.VALUE:
        return range(coordinate.domain_size)
    return list(product((0, 1), repeat=coordinate.domain_size))


def genuine(coordinate, report, value):
    """Pr[report | value]; value None: no value at all."""
    if coordinate.encoding is Encoding.VALUE:
        return coordinate.p if report == value else coordinate.q
    out = Fraction(1)
    for at, bit in enumerate(report):
        one = coordinate.p if at == value else coordinate.q
        out *= one if bit else 1 - one
    return out


def fake(coordinate, report):
    """Pr[report | it is a fake]."""
    if coordinate.fakes is None:
        return genuine(coordinate, report, None)
    if coordinate.encoding is Encoding.VALUE:
        return coordinate.fakes[report]
    return sum(share * genuine(coordinate, report, value) for value, share in enumerate(coordinate.fakes))


def tables(coordinate):
    """For each report: its weights given each value, and as a fake, as whole numbers over one denominator."""
    rows = [
        [*(genuine(coordinate, report, value) for value in range(coordinate.domain_size)), fake(coordinate, report)]
        for report in reports_of(coordinate)
    ]
    scale = lcm(*(entry.denominator for row in rows for entry in row))
    return [[int(entry * scale) for entry in row] for row in rows]


def law_of(places, values):
    """Pr[report | values] up to a factor that is the same for all values: one place is genuine, the others fake."""
    total = 0
    for sampled in range(len(places)):
        term = 1
        for at, place in enumerate(places):
            term *= place[values[at]] if at == sampled else place[-1]
        total += term
    return total


def ratios(coordinates):
    """Greatest quotients over all pairs of tuples, and over pairs that differ in one attribute."""
    tuples = list(product(*(range(c.domain_size) for c in coordinates)))
    near = [(a, b) for a in tuples for b in tuples if sum(x != y for x, y in zip(a, b, strict=True)) == 1]
    whole = one = Fraction(1)
    for places in product(*(tables(c) for c in coordinates)):
        law = {values: law_of(places, values) for values in tuples}
        whole = max(whole, Fraction(max(law.values()), min(law.values())))
        high, low = max(((law[a], law[b]) for a, b in near), key=lambda pair: pair[0] / pair[1])
        one = max(one, Fraction(high, low))
    return whole, one
