"""Exact laws of scans with whole noise, in fractions: the sum over all noises of the threshold, without an end.

Noise is two-sided geometric with rational factors q, P(x) = (1 - q)/(1 + q) q^|x|, so e^ε is a fraction. Beyond all
values, the chance that a value is below (or above) the threshold is 1 - c x or c x with x = q^|r|, so the chance of a
pattern is a polynomial in x and its sum over r a sum of geometric series.
"""

from fractions import Fraction
from functools import cache
from itertools import product


@cache
def tail(q, least):
    """P(X >= least)."""
    return q**least / (1 + q) if least >= 1 else 1 - q ** (1 - least) / (1 + q)


def times(a, b):
    """The product of two polynomials."""
    out = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out


def pattern_chance(values, pattern, q1, q2, *, strict=False):
    """P(the values of the pattern come out as it says), threshold 0, one noise of it; q2 = 0: values have no noise."""
    reach = max(abs(v) for v in values) + 2
    center = (1 - q1) / (1 + q1)

    def above(value, r):
        least = r - value + strict
        if q2 == 0:
            return Fraction(least <= 0)
        return tail(q2, least)

    total = Fraction(0)
    for r in range(-reach, reach + 1):
        chance = center * q1 ** abs(r)
        for value, is_above in zip(values, pattern, strict=False):
            chance *= above(value, r) if is_above else 1 - above(value, r)
        total += chance
    for sign in (1, -1):
        start, poly = reach + 1, [Fraction(1)]
        for value, is_above in zip(values, pattern, strict=False):
            rare = (above(value, start) if sign > 0 else 1 - above(value, -start)) / (q2**start if q2 else 1)
            poly = times(poly, [Fraction(0), rare] if is_above == (sign > 0) else [Fraction(1), -rare])
        total += sum(
            center * coefficient * (q1 * q2**j) ** start / (1 - q1 * q2**j) for j, coefficient in enumerate(poly)
        )
    return total


def patterns(k, stops):
    """What a scan of k questions can say; stops None: it never stops."""
    for pattern in product((False, True), repeat=k):
        if stops is None:
            yield pattern
            continue
        for end in range(k):
            if sum(pattern[: end + 1]) == stops:
                if not any(pattern[end + 1 :]):
                    yield pattern[: end + 1]
                break
        else:
            yield pattern


def law(values, q1, q2, stops=1, **how):
    """P(each outcome) of a scan with one threshold."""
    return {p: pattern_chance(values, p, q1, q2, **how) for p in patterns(len(values), stops)}


def restarted_law(values, q1, q2, stops):
    """P(each outcome) when the threshold is noised anew after each stop."""
    if not stops:
        return {(): Fraction(1)}
    out = {}
    for first, chance in law(values, q1, q2).items():
        rest = values[len(first) :]
        if any(first) and rest:
            for later, other in restarted_law(rest, q1, q2, stops - 1).items():
                out[first + later] = chance * other
        else:
            out[first] = chance
    return out


def worst(laws, pairs):
    """The largest ratio of two chances of one outcome; None where only one of them is 0."""
    ratio = Fraction(1)
    for a, b in pairs:
        for outcome, chance in laws[a].items():
            other = laws[b].get(outcome, Fraction(0))
            if chance and not other:
                return None
            ratio = max(ratio, chance / other if other else Fraction(1))
    return ratio
