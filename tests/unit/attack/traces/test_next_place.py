"""Next places beside counts in dictionaries."""

from collections import Counter

import numpy as np
import pytest

from sfumato.attack.traces.background import Visits
from sfumato.attack.traces.next_place import Asked, NextPlace, moves, steps_of
from sfumato.errors import ParameterError


def slow_guess(own, past, order):
    """The commonest successor of the last places, with fewer of them where they were never seen."""
    for k in range(order, -1, -1):
        if k > len(past):
            continue
        tail = tuple(past[len(past) - k :])
        led = Counter(own[i + k] for i in range(len(own) - k) if tuple(own[i : i + k]) == tail)
        if led:
            return min(led, key=lambda place: (-led[place], place))
    return -1


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_guesses_are_those_of_counting(seed, order):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 15, 6)
    people = [rng.integers(0, 4, n).tolist() for n in sizes]
    view = Visits(np.repeat(np.arange(6), sizes), np.concatenate(people), np.arange(sizes.sum()))
    who = rng.integers(0, 7, 40)
    pasts = [rng.integers(0, 5, rng.integers(1, 4)).tolist() for _ in who]
    padded = np.array([[-1] * (3 - len(past)) + past for past in pasts])
    said = NextPlace(order).guess(view, Asked(who, padded), rng)
    expected = [
        slow_guess(people[w] if w < 6 else [], past, order) for w, past in zip(who.tolist(), pasts, strict=True)
    ]
    assert said.tolist() == expected


def test_the_second_order_tells_what_the_first_cannot():
    """From the station home or to work, by where one came from."""
    week = np.tile([0, 1, 2, 1], 10)  # home, station, work, station
    visits = Visits(np.zeros(40, int), week, np.arange(40))
    asked, led = steps_of(visits, 2)
    right = [(NextPlace(k).guess(visits, asked, np.random.default_rng(1)) == led)[2:].mean() for k in (0, 1, 2)]
    assert right[2] == 1 > right[1] > right[0]


def test_nothing_crosses_from_person_to_person():
    visits = Visits(np.array([0, 1, 1]), np.array([7, 8, 9]), np.arange(3))
    asked, led = steps_of(visits, 2)
    assert (asked.person.tolist(), asked.past.tolist(), led.tolist()) == ([1], [[-1, 8]], [9])
    assert moves(visits).all()
    with pytest.raises(ParameterError):
        steps_of(visits, 9)
