"""Two threads make what one makes, in the order of the parts."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from sfumato.numbers.threads import SHARED_FROM, both, in_threads, pieces, taken


@pytest.mark.parametrize("size", [1, SHARED_FROM])
def test_results_stand_in_the_order_of_the_parts(size):
    values = np.arange(1000)
    parts = pieces(len(values), 7)
    assert np.array_equal(np.concatenate(in_threads(lambda part: values[part] * 2, parts, size)), values * 2)


def test_two_parts_are_made_at_the_same_time():
    meeting = threading.Barrier(2, timeout=60)  # one thread alone would wait for ever
    assert sorted(in_threads(lambda part: meeting.wait() * 0 + part, [1, 2], SHARED_FROM)) == [1, 2]


@pytest.mark.parametrize("size", [1, SHARED_FROM])
def test_the_error_is_that_of_the_first_part_that_fails(size):
    def fail(part):
        if part:
            raise ValueError(part)

    with pytest.raises(ValueError, match=r"^1$"):
        in_threads(fail, [0, 1, 2], size)


def test_two_works_are_done_at_the_same_time_and_the_error_is_that_of_the_first():
    meeting = threading.Barrier(2, timeout=60)
    assert both(lambda: meeting.wait() * 0 + 1, lambda: meeting.wait() * 0 + 2, SHARED_FROM) == (1, 2)
    for size in (1, SHARED_FROM):
        assert both(lambda: 1, lambda: 2, size) == (1, 2)
        with pytest.raises(ZeroDivisionError):
            both(lambda: 1 / 0, lambda: int("x"), size)
        with pytest.raises(ValueError, match="invalid literal"):
            both(lambda: 1, lambda: int("x"), size)


def test_what_is_taken_by_two_threads_stands_at_its_places():
    places = np.random.default_rng(1).integers(0, 1000, 2 * SHARED_FROM + 3)
    assert np.array_equal(taken(np.arange(1000) * 3, places), places * 3)


@pytest.mark.parametrize(("n", "size"), [(0, 3), (3, 3), (7, 3)])
def test_pieces_hold_each_place_once(n, size):
    assert [i for piece in pieces(n, size) for i in range(piece.start, piece.stop)] == list(range(n))
