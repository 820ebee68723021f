"""Who is let in, who makes room, and what is forgotten."""

import pytest

from sfumato.document.server import Limits
from sfumato.errors import PlanError
from sfumato.web.door import Door, household, open_files
from sfumato.web.metrics import Tally


class Guest:
    """A connection that remembers whether it was asked to go."""

    gone = False

    def give_way(self):
        self.gone = True


def full(connections, addresses, *, each=100):
    """A door whose places are taken by guests of these addresses."""
    door = Door(Limits(connections=connections, connections_per_address=each), Tally())
    guests = [Guest() for _ in addresses]
    assert all(door.enter(guest, address) for guest, address in zip(guests, addresses, strict=True))
    return door, guests


def test_who_waits_longest_makes_room():
    door, (a, b, c) = full(3, "abc")
    door.works(a)
    door.works(b)
    door.waits(b)  # b has its answer; c has waited longer
    assert door.enter(Guest(), "d")
    assert (a.gone, b.gone, c.gone) == (False, False, True)
    assert door.enter(Guest(), "d")
    assert (a.gone, b.gone, len(door)) == (False, True, 3)
    assert door.tally.closed == {"full": 2}


def test_nobody_makes_room_while_all_work():
    door, guests = full(2, "ab")
    for guest in guests:
        door.works(guest)
    assert not door.enter(Guest(), "c")
    door.leave(guests[0])
    assert door.enter(Guest(), "c")


def test_an_address_makes_room_for_itself_only():
    door, (a, *others) = full(10, ["other", *["one"] * 3], each=3)
    assert door.enter(Guest(), "one")
    assert ([guest.gone for guest in others], a.gone) == ([True, False, False], False)
    for guest in others:
        door.works(guest)
    assert door.enter(Guest(), "one")  # the newest of the address waits still
    door.leave(a)
    assert door.enter(Guest(), "two")


def test_nothing_is_remembered_of_those_who_left():
    door, guests = full(4, ["192.0.2.1", "192.0.2.1", "2001:db8::1", "2001:db8::2"])
    for guest in [*guests, *guests]:
        door.leave(guest)
        door.waits(guest)
    assert (len(door), dict(door._from), dict(door._address), dict(door._waiting)) == (0, {}, {}, {})


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False), ("2001:db8::1", "2001:db8::ffff", True),
        ("2001:db8::1", "2001:db8:0:1::1", False), ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False), ("fe80::1%eth0", "fe80::2%eth0", True), ("", "", True),
    ],
)  # fmt: skip
def test_a_household_is_one_address(one, other, same):
    assert (household(one) == household(other)) == same


def test_the_process_must_be_able_to_open_its_connections(monkeypatch):
    resource = pytest.importorskip("resource")
    set_to = []
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: (256, 1024))
    monkeypatch.setattr(resource, "setrlimit", lambda _kind, pair: set_to.append(pair))
    open_files(100)
    open_files(960)
    assert set_to == [(1024, 1024)]
    with pytest.raises(PlanError, match="1025 files"):
        open_files(961)
