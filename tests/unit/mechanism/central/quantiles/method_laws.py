"""Output laws of quantile methods on tiny tables: what a sampler is given, and every sequence of choices replayed."""

from itertools import product

import numpy as np
import pytest
from tests.unit.mechanism.central.quantiles.tiny_tables import tables

from sfumato.mechanism.central.quantiles import histogram_method, inverse_sensitivity, recursive


def scan_law(values, of_threshold, of_value):
    """The law of the scan: the threshold's noise summed out, up to e^-40."""
    reach = int(40 * of_threshold) + 1
    t = np.arange(-reach, reach + 1)
    q = np.exp(-1 / of_threshold)
    chance = (1 - q) / (1 + q) * q ** np.abs(t)
    r, law = np.exp(-1 / of_value), {}
    for i, value in enumerate(values):
        gap = t - value
        passes = np.where(gap > 0, r ** np.maximum(gap, 0) / (1 + r), 1 - r ** np.maximum(1 - gap, 0) / (1 + r))
        law[i] = float((chance * passes).sum())
        chance = chance * (1 - passes)
    law[len(values)] = float(chance.sum())
    return law


def scan_laws(monkeypatch, method, factors=(1.0, 1.0), most=3):
    """The law for every tiny table, from what the scan is given."""
    out = {}
    for table in tables(method.size, most):
        seen = []
        monkeypatch.setattr(
            histogram_method, "first_at_least_zero", lambda *given, bits, seen=seen: seen.append(given) or 0
        )
        method.decide(np.array(table, np.int64), bits=None)
        values, of_threshold, of_value = seen[0]
        out[table] = scan_law(values, float(of_threshold) * factors[0], float(of_value) * factors[1])
        assert sum(out[table].values()) == pytest.approx(1)
    return out


def lengths_and_rate(monkeypatch, method, table):
    """len at each place of the grid, for one quantile, as the sampler is given it."""
    seen = {}

    def watched(lows, widths, scores, rate, *, bits):
        seen["lengths"], seen["rate"] = np.repeat(scores, widths), rate
        assert lows[widths > 0].tolist() == (np.cumsum(widths) - widths)[widths > 0].tolist()
        return 0, 0

    monkeypatch.setattr(inverse_sensitivity, "choose_place", watched)
    method.decide(np.array(table, np.int64), bits=None)
    return seen["lengths"], seen["rate"]


def flipped(weights):
    """The law of permute-and-flip, by the heads of every place: each set of heads, and each of them equally likely."""
    law = np.zeros(len(weights))
    for heads in product([False, True], repeat=len(weights)):
        chosen = np.array(heads)
        if chosen.any():
            law += np.where(chosen, weights, 1 - weights).prod() * chosen / chosen.sum()
    return law


def law_of(lengths, rate, flip):
    """What is drawn from the lengths, as the definition says."""
    weights = np.exp(-rate * (lengths - lengths.min()))
    return flipped(weights) if flip else weights / weights.sum()


class _NextError(Exception):
    """The script of choices is at its end; what may come next."""


def replayed_law(monkeypatch, method, table, dithers):
    """The law of all answers together: every sequence of choices is replayed, for every dither."""
    width = dithers.bit_length() - 1
    monkeypatch.setattr(recursive, "dither_bits", lambda size: width)
    law = {}
    for moved in product(range(dithers), repeat=len(table)):
        fine = np.array([(g << width) + v for g, v in zip(table, moved, strict=True)], np.int64)
        monkeypatch.setattr(recursive, "dither", lambda places, w, bits, fine=fine: fine)
        for answers, p in replayed(monkeypatch, method, fine):
            law[answers] = law.get(answers, 0.0) + p / dithers ** len(table)
    return law


def replayed(monkeypatch, method, fine):
    """All answers with their probabilities."""
    scripts, out = [((), 1.0)], []
    while scripts:
        script, p = scripts.pop()
        rest = list(script)

        def chosen(lows, widths, scores, rate, *, bits, rest=rest):
            if rest:
                return rest.pop(0)
            raise _NextError(lows, widths, np.exp(-float(rate) * (scores - scores.min())))

        monkeypatch.setattr(recursive, "choose_place", chosen)
        try:
            out.append((tuple(method.decide(fine, bits=None).tolist()), p))
        except _NextError as more:
            lows, widths, weights = more.args
            total = float((weights * widths).sum())
            scripts += [
                ((*script, (int(low) + k, i)), p * weight / total)
                for i, (low, width, weight) in enumerate(zip(lows, widths, weights, strict=True))
                for k in range(width)
            ]
    return out
