"""What teams do, whether they come by a page or by a program: hand in, publish, take back, attack."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from typing import TYPE_CHECKING

from sfumato.arena.store import Attacked, Reused, TooMany
from sfumato.frozen import dataclass
from sfumato.web.access import Refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sfumato.arena.serving import Arena
    from sfumato.arena.store import Handed

_MOST_NUMBER = 2**31
_KEY = re.compile(r"[\x21-\x7e]{1,200}")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was handed in.

    Args:
        number: of it.
        sha256: of the file.
        is_new: whether it was not handed in before under the same key.
    """

    number: int
    sha256: str
    is_new: bool


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """Where teams are served; whoever comes is known already.

    Args:
        arena: what is served.
    """

    arena: Arena

    async def submit(self, team: str, file: AsyncIterator[bytes], key: str | None = None) -> Receipt:
        """Take a submission.

        Args:
            team: whose it is.
            file: its bytes as they arrive.
            key: of the team's own; under one key a file is noted once.

        Raises:
            Refused: not now, not so many, or no file.
        """
        self._open("defence")
        return await self._taken(file, (team, None), self.arena.contest.quota.submissions, key)

    async def attack(self, team: str, number: int, file: AsyncIterator[bytes], key: str | None = None) -> Receipt:
        """Take an attack on a published submission of another team.

        Raises:
            Refused: not now, not so many, no file, or no such submission of another team.
        """
        self._open("attack")
        target = await self.target(number)
        if target.team == team:
            raise Refused(403, "A team attacks the submissions of others.", "choose another one.")
        return await self._taken(file, (team, target.id), self.arena.contest.quota.attacks, key)

    async def publish(self, team: str, number: int) -> None:
        """Let attackers see a submission of one's own that was accepted.

        Raises:
            Refused: not now, not so many, or no such submission.
        """
        self._open("defence")
        most, now = self.arena.contest.quota.published, self.arena.clock()
        try:
            done = await asyncio.to_thread(self.arena.store.publish, known(number), team, now=now, most=most)
        except TooMany:
            raise _quota(most) from None
        if not done:
            raise Refused(404, "There is no accepted submission of yours with this number.", "see /own.")

    async def withdraw(self, team: str, number: int) -> None:
        """Take back a published submission of one's own that nobody has attacked.

        Raises:
            Refused: not now, it was attacked, or no such submission.
        """
        self._open("defence")
        try:
            done = await asyncio.to_thread(self.arena.store.withdraw, known(number), team, now=self.arena.clock())
        except Attacked:
            raise Refused(
                409, "A submission that was attacked stays published.", "publish another one beside it."
            ) from None
        if not done:
            raise Refused(404, "There is no published submission of yours with this number.", "see /own.")

    async def target(self, number: int) -> Handed:
        """A published submission.

        Raises:
            Refused: there is none of this number.
        """
        found = await asyncio.to_thread(self.arena.store.file, known(number))
        if found is None or found.published is None:
            raise Refused(404, "There is no published submission with this number.", "see /published.")
        return found

    async def _taken(
        self, file: AsyncIterator[bytes], what: tuple[str, int | None], most: int, key: str | None
    ) -> Receipt:
        """Take a file in whole, then note it; until then it counts for nothing."""
        if key is not None and not _KEY.fullmatch(key):
            raise Refused(400, "A key of a request must have 1 to 200 visible ASCII characters.", "correct it.")
        try:
            with self.arena.room.arrival() as path:
                digest = await _written(file, path)
                number, is_new = await asyncio.to_thread(self._noted, path, (*what, digest), most, key)
        except TooMany:
            raise _quota(most) from None
        except Reused:
            raise Refused(409, "Another file was handed in under this key.", "draw a new key.") from None
        self.arena.worker.wake()
        return Receipt(number, digest, is_new)

    def _noted(self, path: Path, what: tuple[str, int | None, str], most: int, key: str | None) -> tuple[int, bool]:
        """Note a file that has arrived, and give it its place before anybody can take it."""
        store, now = self.arena.store, self.arena.clock()
        with store.holding():
            number, is_new = store.hand_in(*what, now=now, most=most, request=key)
            if is_new:
                path.replace(self.arena.room.file(number))
        return number, is_new

    def _open(self, kind: str) -> None:
        """Refuse what is handed in out of its time."""
        if not self.arena.is_open(kind):
            raise Refused(403, f"There is no phase of {kind} now.", "see /contest.")


def known(number: int) -> int:
    """A number that a store can look for.

    Raises:
        Refused: none has it.

    Example:
        >>> known(7)
        7
    """
    if not 0 < number < _MOST_NUMBER:
        raise Refused(404, "There is nothing with this number.", "see /own and /published.")
    return number


async def _written(file: AsyncIterator[bytes], path: Path) -> str:
    """Write what arrives to a file; its digest."""
    digest, n = hashlib.sha256(), 0
    with path.open("xb") as out:
        async for piece in file:
            n += len(piece)
            digest.update(piece)
            out.write(piece)
        out.flush()
        os.fsync(out.fileno())
    if not n:
        raise Refused(411, "A request must hold a file.", "send the file as its body.")
    return digest.hexdigest()


def _quota(most: int) -> Refused:
    """There are as many as the contest allows."""
    return Refused(429, f"A team may do so {most} times.", "use what you have.")
