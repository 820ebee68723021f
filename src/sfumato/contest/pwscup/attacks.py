"""Attacks that come with PWS Cup 2019, on pseudonyms and on traces, for attackers who have other days of the same persons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.assignment import one_to_one
from sfumato.contest.game import Attack
from sfumato.contest.pwscup.regions import meanings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.contest.game import Rules
    from sfumato.contest.pwscup.regions import Grid
    from sfumato.table.lines import Lines
    from sfumato.types import BoolArray, FloatArray, IntArray

UNSEEN = 1e-8
"""Chance of a region where a person was never seen."""
_STEP, _ALIKE = 2.0**-30, 2.0**-20
"""Logarithms of chances are multiples of the first, so that their sums are exact; sums that differ by less than the second are
ties. So an attack guesses alike on every processor."""
A_DAY = 20
MORNING = 2
"""Half hours of a day, and how many of them people are at home: from eight to nine."""


def visits(reference: Lines, regions: int, which: BoolArray) -> FloatArray:
    """(persons, regions) float64: how often each person was in each region, as shares."""
    person = reference.labels("user_id").codes[which] * regions + reference.whole("reg_id")[which] - 1
    n = len(reference.labels("user_id").names)
    count = np.bincount(person, minlength=n * regions).reshape(n, regions).astype(np.float64)
    shares: FloatArray = count / np.maximum(count.sum(axis=1, keepdims=True), 1)
    return shares


def likelihood(reference: Lines, published: Lines, regions: int, *, at_home: bool) -> FloatArray:
    """(pseudonyms, persons) float64 logarithms: what was published, if the pseudonym is the person's.

    A label of several regions has the mean of their chances; a hidden one says nothing.
    """
    known, seen = (_morning(one, at_home=at_home) for one in (reference, published))
    chance = np.where((share := visits(reference, regions, known)) > 0, share, UNSEEN)
    labels, names = published.labels("reg_id"), published.labels("pse_id")
    said = meanings(labels, regions)
    told = np.log(np.where(said.size[:, None] > 0, said.share @ chance.T, 1.0))
    times = np.zeros((len(names.names), len(labels.names)))
    np.add.at(times, (names.codes[seen], labels.codes[seen]), 1)
    exact = times @ (np.rint(told / _STEP) * _STEP)
    found: FloatArray = np.rint(exact / _ALIKE) * _ALIKE
    return found


def _morning(lines: Lines, *, at_home: bool) -> BoolArray:
    """Lines that count."""
    if not at_home:
        return np.ones(lines.rows, bool)
    return (lines.whole("time_id") - 1) % A_DAY < MORNING


def _who(published: Lines, reference: Lines, chosen: IntArray) -> bytes:
    """A file with the person of each pseudonym, by its number."""
    order = np.argsort([int(name) for name in published.labels("pse_id").names], kind="stable")
    names = reference.labels("user_id").names
    return "\n".join(["user_id", *(names[chosen[i]] for i in order.tolist())]).encode() + b"\n"


def _likeliest(regions: int, *, at_home: bool, matched: bool) -> Callable[[Lines, Lines, Rules], bytes]:
    """An attack on pseudonyms."""

    def guess(reference: Lines, published: Lines, _rules: Rules) -> bytes:
        return _who(published, reference, chosen(reference, published, regions, at_home=at_home, matched=matched))

    return guess


def chosen(reference: Lines, published: Lines, regions: int, *, at_home: bool, matched: bool) -> IntArray:
    """(pseudonyms,) the likeliest person of each; if `matched`, nobody twice, and likeliest together."""
    log = likelihood(reference, published, regions, at_home=at_home)
    order = np.argsort(_numbers(reference))
    likeliest: IntArray = order[log[:, order].argmax(axis=1)]  # of equal ones the least number
    if not matched:
        return likeliest
    pairs = one_to_one(-log)
    return np.where(pairs >= 0, pairs, likeliest)


def _where(regions: int, *, matched: bool) -> Callable[[Lines, Lines, Rules], bytes]:
    """An attack on traces: who it is, then of the published regions the one where that person is most at that time."""

    def guess(reference: Lines, published: Lines, _rules: Rules) -> bytes:
        who = chosen(reference, published, regions, at_home=False, matched=matched)
        person = who[published.labels("pse_id").codes]
        chance = visits(reference, regions, np.ones(reference.rows, bool)) + UNSEEN
        said = meanings(published.labels("reg_id"), regions)
        may = np.where(said.size[:, None] > 0, said.share > 0, True)
        best = _best(chance, may, person, published.labels("reg_id").codes)
        return _trace(reference, published, person, best + 1)

    return guess


def _best(chance: FloatArray, may: BoolArray, person: IntArray, label: IntArray) -> IntArray:
    """(n,) the likeliest region of each line among those that its label stands for."""
    pairs, place = np.unique(person * len(may) + label, return_inverse=True)
    found = np.empty(len(pairs), np.int64)
    for start in range(0, len(pairs), 4096):
        who, what = np.divmod(pairs[start : start + 4096], len(may))
        found[start : start + 4096] = (chance[who] * may[what]).argmax(axis=1)
    best: IntArray = found[place.ravel()]
    return best


def _trace(reference: Lines, published: Lines, person: IntArray, region: IntArray) -> bytes:
    """A file with a region for each person and time, by their numbers; who was not found was nowhere known: region 1."""
    times = np.unique(published.whole("time_id"))
    order = np.argsort(_numbers(reference))
    out = np.ones((len(order), len(times)), np.int64)
    out[person, np.searchsorted(times, published.whole("time_id"))] = region
    return "\n".join(["reg_id", *map(str, out[order].ravel().tolist())]).encode() + b"\n"


def _numbers(reference: Lines) -> IntArray:
    """The numbers that persons are called by."""
    return np.array([int(name) for name in reference.labels("user_id").names], np.int64)


def attacks_on(grid: Grid, goal: str) -> Mapping[str, Attack]:
    """Those for one goal."""
    n = grid.n
    if goal == "trace":
        found = [
            Attack("visits", "Takes each trace for the likeliest person's and names the likeliest regions.", _where(n, matched=False)),
            Attack("visits-matched", "The same, and takes no two traces for one person's.", _where(n, matched=True)),
            Attack("usual", "Names the region where each person is most on other days: a control that reads nothing published.", _control(n)),
        ]  # fmt: skip
    else:
        found = [
            Attack("visits", "The person who would most likely be where the trace is.", _likeliest(n, at_home=False, matched=False)),
            Attack("home", "The same from the hour from eight to nine, when people are at home.", _likeliest(n, at_home=True, matched=False)),
            Attack("visits-matched", "The likeliest persons together, nobody twice.", _likeliest(n, at_home=False, matched=True)),
        ]  # fmt: skip
    return {one.name: one for one in found}


def _control(regions: int) -> Callable[[Lines, Lines, Rules], bytes]:
    """What an attack is worth that looks at nothing but who goes where in the reference."""

    def guess(reference: Lines, published: Lines, _rules: Rules) -> bytes:
        usual = visits(reference, regions, np.ones(reference.rows, bool)).argmax(axis=1)
        times = len(np.unique(published.whole("time_id")))
        order = np.argsort(_numbers(reference))
        return "\n".join(["reg_id", *map(str, np.repeat(usual[order] + 1, times).tolist())]).encode() + b"\n"

    return guess
