"""The connections of a server: so many in all and from one address; who waits longest without a request makes room.

Addresses are counted in memory while they are connected, and written nowhere.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Protocol

from sfumato.errors import PlanError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.document.server import Limits
    from sfumato.web.metrics import Tally

_HOUSE = 64
"""Bits of an IPv6 address that belong to one household; the rest is for it to choose."""

_OTHERS = 64
"""Files that the process holds beside connections."""


class Guest(Protocol):
    """A connection."""

    def give_way(self) -> None:
        """Close at once; another one takes the place."""
        ...


@dataclass(slots=True, eq=False)
class Door:
    """Counts connections, in all and by peer address.

    Args:
        limits: how many, and what each may send.
        tally: where it is counted how connections ended.
    """

    limits: Limits
    tally: Tally
    _address: dict[Guest, str] = field(default_factory=dict)
    _from: Counter[str] = field(default_factory=Counter)
    _waiting: dict[Guest, None] = field(default_factory=dict)

    def __len__(self) -> int:
        """Connections that are open."""
        return len(self._address)

    def enter(self, guest: Guest, address: str) -> bool:
        """Let a connection in; False if there is no room and nobody waits without a request.

        Args:
            guest: the connection; it has no request yet.
            address: of the peer, as text.
        """
        peer = household(address)
        if self._from[peer] >= self.limits.connections_per_address:
            free = self._made_room(peer)
        else:
            free = len(self) < self.limits.connections or self._made_room(None)
        if free:
            self._address[guest] = peer
            self._from[peer] += 1
            self._waiting[guest] = None
        return free

    def works(self, guest: Guest) -> None:
        """Its request has begun: it is no longer asked to make room."""
        self._waiting.pop(guest, None)

    def waits(self, guest: Guest) -> None:
        """It has no request; it comes after those who have waited longer."""
        if guest in self._address:
            self._waiting.setdefault(guest)

    def leave(self, guest: Guest) -> None:
        """It is closed; once is enough, and twice does no harm."""
        self._waiting.pop(guest, None)
        peer = self._address.pop(guest, None)
        if peer is not None:
            self._from[peer] -= 1
            if not self._from[peer]:
                del self._from[peer]

    def _made_room(self, peer: str | None) -> bool:
        """Whether one that waited longest, of this peer or of anybody, has gone."""
        oldest = next((one for one in self._waiting if peer in (None, self._address[one])), None)
        if oldest is None:
            return False
        self.leave(oldest)
        self.tally.closed["full"] += 1
        oldest.give_way()
        return True


def open_files(connections: int) -> None:
    """See that the process may hold so many connections; a server that runs out of files takes nobody in.

    Args:
        connections: at most.

    Raises:
        PlanError: the operating system does not allow as many.
    """
    try:
        import resource
    except ImportError:
        return  # no such limit on Windows
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OTHERS
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise PlanError(
            "The process must be able to open {wanted} files for its connections; it may open {hard}.",
            "lower `connections` in [limits] or raise the limit (`ulimit -n`).",
            wanted=wanted,
            hard=hard,
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def household(address: str) -> str:
    """What is counted as one address: an IPv4 address, or the /64 of an IPv6 address.

    Example:
        >>> household("192.0.2.7"), household("2001:db8::7"), household("::ffff:192.0.2.7"), household("")
        ('192.0.2.7', '2001:db8::/64', '192.0.2.7', '')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or IPv6Network((found, _HOUSE), strict=False))
