"""Failures and how long they make one wait."""

from sfumato.web.tries import _KEPT, Tries


def test_failures_are_forgotten_after_a_while():
    """Ten of the longest waits after the last one."""
    tries = Tries(free=1, most=8)
    for _ in range(6):
        tries.count("ada", 0.0)
    assert tries.wait("ada", 0.0) == 8
    tries.count("ada", 88.0)
    assert tries.wait("ada", 88.0) == 8
    tries.count("ada", 88.0 + 8 + 80 + 1)
    assert tries.wait("ada", 177.0) == 0


def test_one_try_is_forgiven():
    """The others still count."""
    tries = Tries(free=2, most=60)
    for _ in range(3):
        tries.count("ada", 0.0)
    tries.forgive("ada", once=True)
    assert tries.wait("ada", 0.0) == 0
    tries.count("ada", 0.0)
    assert tries.wait("ada", 0.0) == 2
    tries.forgive("nobody", once=True)
    assert tries.wait("nobody", 0.0) == 0


def test_memory_is_bounded():
    """Whoever failed longest ago is forgotten."""
    tries = Tries(free=0, most=60)
    for i in range(_KEPT + 5):
        tries.count(i, 0.0)
    assert tries.wait(4, 0.0) == 0
    assert tries.wait(5, 0.0) == 2
    assert tries.wait(_KEPT + 4, 0.0) == 2
