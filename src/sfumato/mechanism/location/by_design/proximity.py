"""Friends near each other: a server compares tokens that only friends can make.

Friends share a secret. Each day it gives a key, and a cell of the region becomes a token under that key. A person leaves
the token of their own cell and asks for those of it and its neighbors. The server, without the secret, sees which tokens
are equal, when they come and how often they change. From that it learns who is near whom, how far apart two questions
are whose tokens overlap, and which token is that of a cell known to be busiest. **A friend who reads the server's store can try all
cells** (`tried`): a region has few, so tokens hide nothing from those who have the secret.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.noise.permutation import permutation

if TYPE_CHECKING:
    from datetime import date

    from sfumato.mechanism.secret import Secret
    from sfumato.noise.bits import Bits
    from sfumato.table.plane import Region

LENGTH = 16
"""Bytes of a token: two of 10⁹ cells are equal by chance with probability below 2⁻⁶⁸."""


@dataclass(frozen=True, slots=True)
class Circle:
    """Friends of one secret on the cells of one region.

    Args:
        secret: shared by the friends, and by nobody else.
        region: whose cells are compared; every friend declares the same.

    Example:
        >>> from datetime import date
        >>> from sfumato.mechanism.secret import Secret
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.plane import Plane, Region
        >>> friends = Circle(Secret(bytes(range(32))), Region(Plane(45.7, 4.78), metres=200, rows=60, columns=50))
        >>> today = date(2026, 3, 1)
        >>> left = friends.token((10, 10), today)
        >>> left in friends.asked((11, 9), today, bits=SystemBits()), left in friends.asked((12, 10), today, bits=SystemBits())
        (True, False)
    """

    secret: Secret
    region: Region

    def token(self, cell: tuple[int, int], day: date) -> bytes:
        """What a person leaves with the server: HMAC-SHA-256 of the cell under the key of the day.

        Args:
            cell: row and column in the region.
            day: in UTC, the same for all friends.

        Raises:
            ParameterError: a cell outside the region. Remedy: none is left then.

        Source:
            H. Krawczyk, M. Bellare, R. Canetti, RFC 2104, 1997.
        """
        self._check(cell)
        return _token(self._key(day), *cell)

    def _check(self, cell: tuple[int, int]) -> None:
        row, column = cell
        if not (0 <= row < self.region.rows and 0 <= column < self.region.columns):
            raise ParameterError(
                "A token needs a cell of the region.",
                "leave none while the person is outside, or declare a larger region.",
            )

    def asked(self, cell: tuple[int, int], day: date, *, bits: Bits) -> list[bytes]:
        """Tokens of a cell and its neighbors in a random order, so that the server does not learn which is which.

        At the border of the region there are fewer than nine; tokens of no cell fill them up.
        """
        self._check(cell)
        key, (row, column) = self._key(day), cell
        tokens = [_token(key, row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        return [tokens[i] for i in permutation(len(tokens), bits=bits).tolist()]

    def tried(self, token: bytes, day: date) -> tuple[int, int] | None:
        """What a friend can do with the server's store: the cell of a token, by trying all; None: it is none of this circle.

        One of 10⁶ cells takes some seconds.
        """
        key = self._key(day)
        for row in range(self.region.rows):
            for column in range(self.region.columns):
                if _token(key, row, column) == token:
                    return row, column
        return None

    def _key(self, day: date) -> bytes:
        """The key of a day on these cells."""
        region = self.region
        where = (str(region.plane.latitude), str(region.plane.longitude), str(region.side))
        return self.secret.derive("sfumato.proximity/1", *where, day.isoformat())


def _token(key: bytes, row: int, column: int) -> bytes:
    """The token of a cell, which may lie just outside of the region, under the key of a day."""
    return hmac.digest(key, np.array([row, column], ">i8").tobytes(), "sha256")[:LENGTH]
