"""Subsample and aggregate: one person moves one answer, over all draws; failures tell nothing; broken twins."""

import warnings
from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sfumato.account.event import DiscreteLaplaceNoise, PureDP
from sfumato.attack.audit import audit
from sfumato.errors import ParameterError
from sfumato.mechanism.central.subsample_aggregate import (
    Aggregate,
    SubsampleAggregate,
    answer_of,
    assign,
    sensitivity_from_sample,
)
from sfumato.table.domain import Range
from sfumato.testing.seeded_bits import SeededBits

TINY = SubsampleAggregate(3, Range(0, 4, 1), Aggregate.MEAN, Fraction(1))


def moved(block_of, people, other, rows):
    """How many answers differ, and by how much in all, between two tables of people with the same fixed draws."""
    answers = []
    for present in (people, other):
        who = np.array([p for p, _ in present for _ in range(rows)], np.int64)
        values = np.array([v for _, v in present for _ in range(rows)], np.int64)
        block = np.array(block_of([p for p, _ in present]), np.int64).repeat(rows)
        assert len(who) == len(block)
        answers.append(TINY.answers(values, block, lambda part: part.sum() if len(part) else -1))
    difference = np.abs(answers[0] - answers[1])
    return np.count_nonzero(difference), difference.sum()


@pytest.mark.parametrize("rows", [1, 2])
def test_a_person_moves_one_answer_whatever_the_draws(rows):
    """All assignments of 3 persons to 3 blocks, all values; added, removed, replaced."""
    worst = 0
    for draw in product(range(3), repeat=3):
        for values in product((0, 4), repeat=3):
            people = list(enumerate(values))
            for i in range(3):
                for other in (people[:i] + people[i + 1 :], [*people[:i], (i, 4 - values[i]), *people[i + 1 :]]):
                    count, most = moved(lambda who, draw=draw: [draw[p] for p in who], people, other, rows)
                    assert count <= 1
                    worst = max(worst, most)
    assert worst == TINY.event.sensitivity == 4


def test_blocks_by_position_are_caught():
    """Broken twin: blocks dealt out in turn; one person less moves everybody behind."""
    people = [(0, 4), (1, 0), (2, 4)]
    assert moved(lambda who: [i % 3 for i in range(len(who))], people, people[1:], 1)[0] > 1


def sorted_blocks(persons, values):
    """Broken twin: the third of least values, the next third, the rest."""
    return np.argsort(np.argsort(values, kind="stable"), kind="stable") * 3 // len(values)


def rows_apart(persons, values):
    """Broken twin: every row is dealt out by itself, so a person is in two blocks."""
    return np.array([(2 * person + i) % 3 for person, i in zip(persons, np.arange(len(persons)) % 2, strict=True)])


def together(persons, values):
    """Blocks by person, for fixed draws."""
    return np.array([2, 0, 2])[persons]


@pytest.mark.parametrize(("deal", "most"), [(together, 1), (sorted_blocks, 3), (rows_apart, 2)])
def test_blocks_by_value_and_rows_apart_are_caught(deal, most):
    """Three persons of two rows; one is replaced by any other: how many answers differ at most, over all values."""
    persons, worst = np.repeat(np.arange(3), 2), 0
    for before in product((0, 1, 3, 4), repeat=3):
        for i, other in product(range(3), (0, 1, 3, 4)):
            after = [other if j == i else value for j, value in enumerate(before)]
            found = []
            for values in (np.repeat(before, 2), np.repeat(after, 2)):
                found.append(TINY.answers(values, deal(persons, values), lambda part: part.max(initial=0)))
            worst = max(worst, np.count_nonzero(found[0] != found[1]))
    assert worst == most


def test_rows_of_a_person_stay_together_and_blocks_are_uniform():
    """90 000 persons, 3 blocks, 6 deviations: false alarm below 1e-8."""
    persons = np.repeat(np.arange(90_000) * 7, 2)
    block = assign(persons, len(persons), 3, bits=SeededBits(1))
    assert np.array_equal(block[::2], block[1::2])
    assert np.all(np.abs(np.bincount(block[::2]) - 30_000) < 6 * 142)


def test_the_answers_are_those_of_a_loop():
    rows, block = np.arange(40).reshape(20, 2), np.random.default_rng(1).integers(0, 3, 20)
    wide = SubsampleAggregate(3, Range(0, 1000, 1), Aggregate.MEAN, Fraction(1))
    slow = [rows[block == b].sum() for b in range(3)]
    assert wide.answers(rows, block, np.sum).tolist() == slow


class Odd:
    def __float__(self):
        raise ZeroDivisionError("row 7")


def leave(rows):
    raise SystemExit(int(rows[0]))


class Stop(BaseException):
    pass


def stop(rows):
    raise Stop(rows[0])


def fail(rows):
    raise KeyError(rows[0])


def warn(rows):
    warnings.warn("secret", stacklevel=1)
    return 3.0


def write(rows):
    rows[0] = 1
    return 3.0


@pytest.mark.parametrize(
    "function",
    [
        *(fail, leave, stop, write, np.log, lambda _: Odd(), lambda _: None, lambda _: np.nan, lambda _: 10**400),
        *(lambda _: "1", lambda _: b"1", lambda _: np.array("1"), lambda _: 1 + 0j, lambda _: [1, 1], lambda _: []),
    ],
)
def test_what_fails_is_the_middle_of_the_range(function):
    rows = np.array([-1.0, -2.0])
    assert TINY.answers(rows, np.zeros(2, np.int64), function)[0] == 2


@pytest.mark.parametrize(("answer", "place"), [(-1e308, 0), (1e308, 4), (2.4, 2), (2.6, 3), (np.inf, 2), (True, 1)])
def test_answers_are_clamped_and_rounded(answer, place):
    assert TINY.answers(np.array([1.0]), np.array([0]), lambda _: answer)[0] == place


def test_a_user_can_interrupt():
    def interrupted(rows):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer_of(interrupted, np.array([1.0]))


@pytest.mark.parametrize("answer", [3, np.float32(3), Fraction(3), Decimal(3), [3.0], np.array([[3]])])
def test_numbers_of_every_kind_are_read(answer):
    assert answer_of(lambda _: answer, np.array([1.0])) == 3.0


def test_warnings_of_the_function_stay_inside():
    assert answer_of(warn, np.array([1.0])) == 3.0


def test_no_error_of_the_function_comes_out_of_decide():
    found = TINY.decide(np.arange(9), np.arange(9), fail, confidence=0.9, bits=SeededBits(1))
    assert 0 <= found.low[0] <= found.values[0] <= found.high[0] <= 4


def test_the_mean_covers_and_the_median_ignores_wild_blocks():
    """200 draws, confidence 0.9: more than 45 misses of 200 have a chance below 1e-7."""
    bits, domain = SeededBits(5), Range(-10, 10, "0.01")
    mean = SubsampleAggregate(50, domain, Aggregate.MEAN, Fraction(1))
    missed = 0
    for _ in range(200):
        found = mean.decide(np.zeros(50), np.arange(50), lambda _: 3.5, confidence=0.9, bits=bits)
        missed += not found.low[0] <= 3.5 <= found.high[0]
    assert missed <= 45
    median = SubsampleAggregate(400, domain, Aggregate.MEDIAN, Fraction(1))
    wild = lambda part: 3.5 if part[0] % 5 else -10.0  # noqa: E731
    values = [
        median.decide(np.arange(4000), np.arange(4000), wild, confidence=0.9, bits=bits).values[0] for _ in range(5)
    ]
    assert max(abs(v - 3.5) for v in values) < 0.5


def test_prices():
    assert TINY.event == DiscreteLaplaceNoise(Fraction(4), Fraction(4))
    assert SubsampleAggregate(3, Range(0, 4, 1), Aggregate.MEDIAN, Fraction(2)).event == PureDP(Fraction(2))


def reports(method, bits):
    def run(tables):
        return np.array(
            [
                [
                    method.decide(
                        row, np.arange(len(row)), lambda p: p.max(initial=0), confidence=0.5, bits=bits
                    ).values[0]
                ]
                for row in tables
            ]
        )

    return run


@pytest.mark.parametrize("aggregate", Aggregate)
def test_the_audit_finds_nothing_against_it(aggregate):
    method = SubsampleAggregate(2, Range(0, 4, 1), aggregate, Fraction(1))
    found = audit(reports(method, SeededBits(3)), [(0, 0, 0), (0, 0, 4)], n=400, confidence=1 - 1e-6)
    assert not found.refutes(1.0)


def test_the_audit_refutes_noise_for_the_mean_of_rows(monkeypatch):
    """Broken twin: noise as if a person moved an answer by 1/m of the range."""
    monkeypatch.setattr(SubsampleAggregate, "_scale", property(lambda self: Fraction(1, 3)))
    method = SubsampleAggregate(2, Range(0, 4, 1), Aggregate.MEAN, Fraction(1))
    found = audit(reports(method, SeededBits(3)), [(0, 0, 0), (0, 0, 4)], n=400, confidence=1 - 1e-6)
    assert found.refutes(1.0)


@pytest.mark.parametrize(
    "change",
    [{"blocks": 0}, {"epsilon": 1.0}, {"epsilon": Fraction(0)}, {"aggregate": "mean"}, {"domain": (0, 1)}],
)
def test_what_is_refused_before_any_data(change):
    given = {"blocks": 3, "domain": Range(0, 4, 1), "aggregate": Aggregate.MEAN, "epsilon": Fraction(1)}
    with pytest.raises(ParameterError):
        SubsampleAggregate(**{**given, **change})


def test_sampling_bounds_a_sensitivity_only_with_room():
    """At equality nothing is bounded: one bit, read with chance r and guessed otherwise, is right with (1 + r)/2."""
    read = Fraction(1, 2)
    accurate = read + (1 - read) / 2
    assert accurate == (1 + read) / 2
    with pytest.raises(ParameterError):
        sensitivity_from_sample(read, accurate, Fraction(0))
    assert sensitivity_from_sample(read, accurate + Fraction(1, 20), Fraction(3)) == 6
