"""The publisher: what it keeps of each round, what it sends in the next one, and the sum.

States are values. `receive` gives the next one or raises and changes nothing; the same message twice is heard once. `close`
ends a round, with whoever has answered, and gives the messages of the next one.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from dataclasses import field, replace
from typing import TYPE_CHECKING, Self, TypeAlias

import numpy as np

from sfumato.errors import ProtocolError
from sfumato.frozen import dataclass
from sfumato.mechanism.secure_sum.holder import keys_of, too_few
from sfumato.mechanism.secure_sum.keys import LENGTH, commitment_of, public_of
from sfumato.mechanism.secure_sum.masks import KINDS, Vector, is_added, pair_key, with_mask
from sfumato.mechanism.secure_sum.shamir import joined, secret_of, weights_of
from sfumato.mechanism.secure_sum.wire import (
    BOX,
    KEYS,
    PUBLISHER,
    SHARE,
    Kind,
    Message,
    items_of,
    opened,
    packed,
    packed_items,
    places_of,
    sent,
    signed,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar

    from sfumato.mechanism.secure_sum.holder import HolderKeys
    from sfumato.mechanism.secure_sum.terms import Terms
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class _Round(ABC):
    """What all rounds have in common.

    Args:
        terms: agreed on before.
        key: the publisher's secret key of Ed25519.
        asked: holders that may answer.
        heard: digest of each answer.
    """

    terms: Terms
    key: bytes = field(repr=False)
    asked: tuple[int, ...]
    heard: Mapping[int, bytes] = field(default_factory=dict, kw_only=True)
    kind: ClassVar[Kind]

    @property
    def is_full(self) -> bool:
        """Whether everybody has answered who may."""
        return len(self.heard) == len(self.asked)

    def receive(self, raw: bytes) -> Self:
        """The state with an answer.

        Raises:
            ProtocolError: no answer of this round, or a second one.
        """
        message = opened(raw, self.kind, self.terms)
        mark = hashlib.sha256(raw).digest()
        if self.heard.get(message.sender) == mark:
            return self
        if message.sender in self.heard or message.sender not in self.asked:
            raise ProtocolError(
                "Each holder that is left must answer once in a round; holder {holder} is not left or has answered.",
                "send nothing twice with other words, and nothing late.",
                holder=message.sender,
            )
        return replace(self._with(message), heard={**self.heard, message.sender: mark})

    @abstractmethod
    def _with(self, message: Message) -> Self:
        """The state with what an answer says."""

    @property
    def least(self) -> int:
        """How many must answer."""
        return self.terms.threshold

    @property
    def is_enough(self) -> bool:
        """Whether enough have answered."""
        return len(self.heard) >= self.least

    def _answered(self) -> tuple[int, ...]:
        """Whoever has answered, if they are enough."""
        if not self.is_enough:
            raise too_few(len(self.heard), self.least)
        return tuple(sorted(self.heard))

    def _to(self, places: tuple[int, ...], kind: Kind, body: bytes) -> dict[int, bytes]:
        """The same message for several holders."""
        return dict.fromkeys(places, signed(kind, self.terms, PUBLISHER, body, self.key))


def invite(terms: Terms, key: bytes) -> Inviting:
    """The first state of a publisher: it awaits the keys of holders."""
    return Inviting(terms, key, tuple(range(len(terms.holders))))


@dataclass(frozen=True, slots=True)
class Inviting(_Round):
    """Awaits keys."""

    kind: ClassVar[Kind] = Kind.KEYS
    told: Mapping[int, Message] = field(default_factory=dict, kw_only=True)

    def _with(self, message: Message) -> Self:
        if len(message.body) != KEYS:
            raise ProtocolError("Keys must be two public keys and a commitment; these are not.", "send them again.")
        return replace(self, told={**self.told, message.sender: message})

    def close(self) -> tuple[Sharing, dict[int, bytes]]:
        """Tell everybody all keys.

        Raises:
            ProtocolError: too few told theirs.
        """
        there = self._answered()
        roster = {v: keys_of(self.told[v].body) for v in there}
        body = b"".join(sent(self.told[v], self.terms) for v in there)
        return Sharing(self.terms, self.key, there, roster), self._to(there, Kind.ALL_KEYS, body)


@dataclass(frozen=True, slots=True)
class Sharing(_Round):
    """Awaits sealed shares."""

    kind: ClassVar[Kind] = Kind.SHARES
    roster: Mapping[int, HolderKeys]
    boxes: Mapping[int, Mapping[int, bytes]] = field(default_factory=dict, kw_only=True)

    def _with(self, message: Message) -> Self:
        boxes = items_of(message.body, BOX, self.terms)
        if set(boxes) != set(self.roster) - {message.sender}:
            raise ProtocolError("Shares must be for all other holders that told keys.", "send them for all of them.")
        return replace(self, boxes={**self.boxes, message.sender: boxes})

    def close(self) -> tuple[Summing, dict[int, bytes]]:
        """Hand each holder what the others sealed for it.

        Raises:
            ProtocolError: too few sent shares.
        """
        there = self._answered()
        parcels = {u: packed_items({v: self.boxes[v][u] for v in there if v != u}) for u in there}
        told = {u: signed(Kind.PARCEL, self.terms, PUBLISHER, body, self.key) for u, body in parcels.items()}
        total = np.zeros(self.terms.cells, KINDS[self.terms.width])
        return Summing(self.terms, self.key, there, self.roster, total), told


@dataclass(frozen=True, slots=True)
class Summing(_Round):
    """Awaits masked vectors, and keeps nothing but their sum."""

    kind: ClassVar[Kind] = Kind.MASKED
    roster: Mapping[int, HolderKeys]
    total: Vector = field(repr=False)

    @property
    def least(self) -> int:
        """How many vectors must be added."""
        return self.terms.least_added

    def _with(self, message: Message) -> Self:
        if len(message.body) != self.total.nbytes:
            raise ProtocolError("A vector must have the cells of the terms; this one has not.", "send all of them.")
        vector = np.frombuffer(message.body, self.total.dtype.newbyteorder("<"))
        return replace(self, total=self.total + vector)

    def close(self) -> tuple[Agreeing, dict[int, bytes]]:
        """Tell everybody whose vectors are added.

        Raises:
            ProtocolError: too few sent theirs.
        """
        there = self._answered()
        state = Agreeing(self.terms, self.key, there, self.roster, self.total, self.asked)
        return state, self._to(there, Kind.SURVIVORS, packed(there))


@dataclass(frozen=True, slots=True)
class Agreeing(_Round):
    """Awaits signatures under the list of whose vectors are added (`asked`); `mates` are those who shared masks."""

    kind: ClassVar[Kind] = Kind.AGREED
    roster: Mapping[int, HolderKeys]
    total: Vector = field(repr=False)
    mates: tuple[int, ...]
    signatures: Mapping[int, bytes] = field(default_factory=dict, kw_only=True)

    def _with(self, message: Message) -> Self:
        if places_of(message.body, self.terms) != self.asked:
            raise ProtocolError("A holder must sign the list that it was told; this is another.", "sign that list.")
        return replace(self, signatures={**self.signatures, message.sender: message.signature})

    def close(self) -> tuple[Opening, dict[int, bytes]]:
        """Show everybody the signatures.

        Raises:
            ProtocolError: too few signed.
        """
        there = self._answered()
        state = Opening(self.terms, self.key, there, self.roster, self.total, self.mates, self.asked)
        return state, self._to(there, Kind.ALL_AGREED, packed_items({v: self.signatures[v] for v in there}))


@dataclass(frozen=True, slots=True)
class Opening(_Round):
    """Awaits opened shares."""

    kind: ClassVar[Kind] = Kind.OPENED
    roster: Mapping[int, HolderKeys]
    total: Vector = field(repr=False)
    mates: tuple[int, ...]
    survivors: tuple[int, ...]
    shares: Mapping[int, Mapping[int, bytes]] = field(default_factory=dict, kw_only=True)

    def _with(self, message: Message) -> Self:
        shares = items_of(message.body, SHARE, self.terms)
        if set(shares) != set(self.mates):
            raise ProtocolError("One share of each holder that sent shares must be opened.", "open all of them.")
        return replace(self, shares={**self.shares, message.sender: shares})

    def close(self) -> Sum:
        """Take off all masks.

        Raises:
            ProtocolError: too few opened their shares, or wrong ones.
        """
        total = self.total.copy()
        for v, secret in self._secrets().items():
            if v in self.survivors:
                with_mask(total, secret, added=False)
            else:
                for u in self.survivors:
                    key = pair_key(secret, self.roster[u].masking, self.terms, (u, v))
                    with_mask(total, key, added=not is_added(u, v))
        return Sum(_read(total, self.terms.slack), self.survivors)

    def _secrets(self) -> dict[int, bytes]:
        """Of each holder the seed or, where its vector did not come, the masking key."""
        there = self._answered()[: self.terms.threshold]
        raw = b"".join(self.shares[u][v] for u in there for v in self.mates)
        shares = np.frombuffer(raw, ">u4").astype(np.int64).reshape(len(there), len(self.mates), -1)
        found = joined(weights_of(there), shares)
        secrets = {v: secret_of(numbers, LENGTH) for v, numbers in zip(self.mates, found, strict=True)}
        for v, secret in secrets.items():
            self._check(v, secret)
        return secrets

    def _check(self, place: int, secret: bytes) -> None:
        """A secret is the one that its holder told of before."""
        keys = self.roster[place]
        if place in self.survivors:
            is_right = commitment_of(secret, self.terms.digest, place) == keys.commitment
        else:
            is_right = public_of(secret) == keys.masking
        if not is_right:
            raise ProtocolError(
                "Opened shares must give the secret that holder {holder} told of before; they do not.",
                "a holder dealt or opened wrong shares: start again.",
                holder=place,
            )


Round: TypeAlias = Inviting | Sharing | Summing | Agreeing | Opening
"""A publisher that awaits answers."""


@dataclass(frozen=True, slots=True)
class Sum:
    """What everybody may know.

    Args:
        counts: (cells,) int64, with the noise that the terms name.
        holders: places of those whose counts are in it.
    """

    counts: IntArray
    holders: tuple[int, ...]


def _read(total: Vector, slack: int) -> IntArray:
    """Numbers modulo 2^width as whole numbers: those at the upper end are below 0 where noise may lead there."""
    modulus = 1 << 8 * total.dtype.itemsize
    counts = total.astype(np.uint64)
    is_below = counts > np.uint64(modulus - 1 - slack)
    return np.where(is_below, (counts - np.uint64(modulus % 2**64)).view(np.int64), counts.view(np.int64))
