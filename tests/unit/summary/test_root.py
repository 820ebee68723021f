import math

import pytest

from sfumato.summary.root import find_root


@pytest.mark.parametrize(
    ("function", "low", "high", "root"),
    [
        (lambda x: x**3 - 2, 0, 10, 2 ** (1 / 3)),
        (math.cos, 0, 3, math.pi / 2),
        (lambda x: math.exp(x) - 1e9, -50, 50, math.log(1e9)),
        (lambda x: -1.0 if x < 0.123 else 1.0, -1, 1, 0.123),
    ],
)
def test_roots_are_found_to_the_last_digits(function, low, high, root):
    assert find_root(function, low, high) == pytest.approx(root, rel=1e-15)


def test_one_sign_at_both_ends_has_no_root_between():
    assert find_root(lambda x: x * x + 1, -1, 1) is None


def test_an_undefined_end_has_no_root():
    assert find_root(lambda _: math.nan, 0, 1) is None


def test_few_evaluations_are_needed():
    calls = []
    find_root(lambda x: calls.append(x) or math.exp(x) - 5, -10, 10)
    assert len(calls) < 25
