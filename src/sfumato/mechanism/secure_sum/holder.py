"""A holder of counts: what it answers to each message of the publisher, and what it refuses.

States are values. `receive` gives the next one and the answer, or raises and changes nothing. A holder answers once in each
state, so whoever runs it keeps what came before it answers, and never goes back to an earlier state with other messages.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import ParameterError, ProtocolError
from sfumato.frozen import dataclass
from sfumato.mechanism.secure_sum.keys import (
    LENGTH,
    SIGNATURE,
    commitment_of,
    drawn_key,
    identity_of,
    is_signed,
    made_for,
    public_of,
    sealed,
    shared,
    unsealed,
)
from sfumato.mechanism.secure_sum.masks import KINDS, Vector, masked, pair_key
from sfumato.mechanism.secure_sum.shamir import numbers_of, shares_of
from sfumato.mechanism.secure_sum.wire import (
    BOX,
    KEYS,
    SHARE,
    Kind,
    head,
    items_of,
    messages_of,
    opened,
    packed,
    packed_items,
    places_of,
    signed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.mechanism.secure_sum.terms import Terms
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class Seat:
    """A holder's place in a sum.

    Args:
        terms: agreed on before.
        place: number of the holder.
        identity: secret key of Ed25519, whose public key stands in the terms.

    Raises:
        ParameterError: the key is not the one of that place. Remedy: give the key that the terms name.
    """

    terms: Terms
    place: int
    identity: bytes = field(repr=False)

    def __post_init__(self) -> None:
        holders = self.terms.holders
        if not 0 <= self.place < len(holders) or identity_of(self.identity) != holders[self.place]:
            raise ParameterError(
                "A holder's key must be the one that the terms name.", "give that key, or other terms."
            )

    def says(self, kind: Kind, body: bytes) -> bytes:
        """A signed message of this holder."""
        return signed(kind, self.terms, self.place, body, self.identity)


@dataclass(frozen=True, slots=True)
class Own:
    """What only the holder knows: its counts and the keys drawn for this sum."""

    counts: IntArray = field(repr=False)
    sealing: bytes = field(repr=False)
    masking: bytes = field(repr=False)
    seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class HolderKeys:
    """What a holder tells of itself: two public keys, and a commitment to its seed."""

    sealing: bytes
    masking: bytes
    commitment: bytes


def keys_of(body: bytes) -> HolderKeys:
    """The keys that a message tells."""
    return HolderKeys(body[:LENGTH], body[LENGTH : 2 * LENGTH], body[2 * LENGTH :])


def join(seat: Seat, counts: IntArray, *, bits: Bits) -> tuple[Joined, bytes]:
    """The first state of a holder, and the message with its keys.

    Args:
        seat: its place.
        counts: (cells,) int64, each from 0 to the greatest that the terms name.
        bits: secure chance.

    Raises:
        ParameterError: other counts. Remedy: count the cells of the terms, and cut counts off at the greatest.
    """
    terms = seat.terms
    if (
        counts.shape != (terms.cells,)
        or counts.dtype.kind not in "iu"
        or counts.min() < 0
        or counts.max() > terms.greatest
    ):
        raise ParameterError(
            "A holder must give {cells} whole counts from 0 to {greatest}.",
            "count the cells of the terms, and declare the greatest count before.",
            cells=terms.cells,
            greatest=terms.greatest,
        )
    own = Own(counts, *(drawn_key(bits) for _ in range(3)))
    told = public_of(own.sealing) + public_of(own.masking) + commitment_of(own.seed, terms.digest, seat.place)
    return Joined(seat, own, told), seat.says(Kind.KEYS, told)


@dataclass(frozen=True, slots=True)
class Joined:
    """A holder that has told its keys, and awaits those of all."""

    seat: Seat
    own: Own
    told: bytes

    def receive(self, raw: bytes, *, bits: Bits) -> tuple[Shared, bytes]:
        """Share both own secrets among all who told keys, sealed for each.

        Raises:
            ProtocolError: too few keys, forged or repeated ones, or not one's own. Remedy: take part in no such sum.
        """
        seat, terms = self.seat, self.seat.terms
        roster = self._roster(opened(raw, Kind.ALL_KEYS, terms).body)
        bonds = {v: shared(self.own.sealing, keys.sealing) for v, keys in roster.items() if v != seat.place}
        secrets = np.concatenate([numbers_of(self.own.masking), numbers_of(self.own.seed)])
        dealt = shares_of(secrets, terms.threshold, len(terms.holders), bits=bits).astype(">u4")
        boxes = {v: _boxed(dealt[v].tobytes(), bond, seat, v, bits) for v, bond in bonds.items()}
        state = Shared(seat, self.own, roster, bonds, dealt[seat.place].tobytes())
        return state, seat.says(Kind.SHARES, packed_items(boxes))

    def _roster(self, body: bytes) -> dict[int, HolderKeys]:
        """Who told which keys, each signed by whom it is of."""
        terms = self.seat.terms
        told = [opened(one, Kind.KEYS, terms) for one in messages_of(body, KEYS)]
        roster = {one.sender: keys_of(one.body) for one in told}
        publics = {key for keys in roster.values() for key in (keys.sealing, keys.masking)}
        _enough(roster, terms)
        if len(roster) != len(told) or len(publics) != 2 * len(told):
            raise ProtocolError(
                "Keys must come once from each holder, all distinct; these do not.", "take part no more."
            )
        if self.told not in {one.body for one in told if one.sender == self.seat.place}:
            raise ProtocolError("A holder's own keys must stand among those of all.", "take part no more.")
        return roster


@dataclass(frozen=True, slots=True)
class Shared:
    """A holder that has shared its secrets, and awaits what the others share with it."""

    seat: Seat
    own: Own
    roster: Mapping[int, HolderKeys]
    bonds: Mapping[int, bytes] = field(repr=False)
    kept: bytes = field(repr=False)

    def receive(self, raw: bytes, *, bits: Bits) -> tuple[Masked, bytes]:
        """Send the counts, with a share of noise where the terms say so, under the masks shared with those who sent shares.

        Raises:
            ProtocolError: too few holders, one that told no keys, or shares that cannot be opened.
        """
        seat, terms = self.seat, self.seat.terms
        boxes = items_of(opened(raw, Kind.PARCEL, terms).body, BOX, terms)
        if not set(boxes) <= set(self.bonds):
            raise ProtocolError(
                "Shares must come from other holders that told keys; some do not.", "take part no more."
            )
        _enough({*boxes, seat.place}, terms)
        held = {v: _unboxed(box, self.bonds[v], seat, v) for v, box in boxes.items()} | {seat.place: self.kept}
        pairs = ((v, pair_key(self.own.masking, self.roster[v].masking, terms, (seat.place, v))) for v in sorted(boxes))
        vector = masked(self._vector(bits), seat.place, self.own.seed, pairs)
        state = Masked(seat, held)
        return state, seat.says(Kind.MASKED, vector.astype(vector.dtype.newbyteorder("<"), copy=False).tobytes())

    def _vector(self, bits: Bits) -> Vector:
        """Counts and noise, modulo 2^width."""
        terms = self.seat.terms
        counts = self.own.counts.astype(np.int64)
        if terms.noise is not None:
            counts = counts + terms.noise.share(terms.cells, bits=bits)
        return counts.astype(np.uint64).astype(KINDS[terms.width])


@dataclass(frozen=True, slots=True)
class Masked:
    """A holder whose vector is sent, and awaits whose vectors are added."""

    seat: Seat
    held: Mapping[int, bytes] = field(repr=False)

    def receive(self, raw: bytes, *, bits: Bits) -> tuple[Agreed, bytes]:  # noqa: ARG002  all states are asked alike
        """Sign the list of holders whose vectors are added: this one and no other, ever.

        Raises:
            ProtocolError: too few, unknown ones, or not oneself.
        """
        seat, terms = self.seat, self.seat.terms
        survivors = places_of(opened(raw, Kind.SURVIVORS, terms).body, terms)
        _enough(survivors, terms, terms.least_added)
        if seat.place not in survivors or not set(survivors) <= set(self.held):
            raise ProtocolError(
                "Whose vectors are added must be oneself and others that sent shares.", "answer no more."
            )
        return Agreed(seat, self.held, survivors), seat.says(Kind.AGREED, packed(survivors))


@dataclass(frozen=True, slots=True)
class Agreed:
    """A holder that has signed whose vectors are added, and awaits the signatures of enough others under the same list."""

    seat: Seat
    held: Mapping[int, bytes] = field(repr=False)
    survivors: tuple[int, ...]

    def receive(self, raw: bytes, *, bits: Bits) -> tuple[Done, bytes]:  # noqa: ARG002  all states are asked alike
        """Open one share of each holder: of the seed where its vector is added, of the masking key where it is not.

        Raises:
            ProtocolError: too few signatures, or one under another list: the publisher told others something else.
        """
        seat, terms = self.seat, self.seat.terms
        signatures = items_of(opened(raw, Kind.ALL_AGREED, terms).body, SIGNATURE, terms)
        _enough(signatures, terms)
        body = packed(self.survivors)
        for place, signature in signatures.items():
            told = head(Kind.AGREED, terms, place, len(body)) + body
            if place not in self.survivors or not is_signed(terms.holders[place], signature, told):
                raise ProtocolError(
                    "Holders must have signed the same list of whose vectors are added; holder {holder} has not.",
                    "answer no more: the publisher told others another list.",
                    holder=place,
                )
        shares = {v: share[SHARE:] if v in self.survivors else share[:SHARE] for v, share in self.held.items()}
        return Done(seat), seat.says(Kind.OPENED, packed_items(shares))


@dataclass(frozen=True, slots=True)
class Done:
    """A holder that has opened its shares, and answers nothing more."""

    seat: Seat

    def receive(self, raw: bytes, *, bits: Bits) -> tuple[Done, bytes]:  # noqa: ARG002  all states are asked alike
        """Nothing is answered.

        Raises:
            ProtocolError: always.
        """
        raise ProtocolError("A holder that has opened its shares answers nothing more.", "start a new sum.")


State: TypeAlias = Joined | Shared | Masked | Agreed | Done
"""A holder in a sum."""


def _enough(holders: Iterable[int], terms: Terms, least: int | None = None) -> None:
    """At least as many as the terms say."""
    n, least = len(tuple(holders)), least or terms.threshold
    if n < least:
        raise too_few(n, least)


def too_few(n: int, least: int) -> ProtocolError:
    """The refusal to go on with so few."""
    return ProtocolError(
        "At least {threshold} holders must take part in every round; {n} do.",
        "start again when more are there.",
        threshold=least,
        n=n,
    )


def _boxed(share: bytes, bond: bytes, seat: Seat, to: int, bits: Bits) -> bytes:
    """Shares sealed for one other holder."""
    digest = seat.terms.digest
    return sealed(made_for(bond, "seal", digest, seat.place, to), share, digest, bits=bits)


def _unboxed(box: bytes, bond: bytes, seat: Seat, of: int) -> bytes:
    """Shares that another holder sealed for this one."""
    digest = seat.terms.digest
    share = unsealed(made_for(bond, "seal", digest, of, seat.place), box, digest)
    if share is None:
        raise ProtocolError(
            "Shares must be sealed by their holder for this one; those of holder {holder} are not.",
            "leave that holder out; the publisher or that holder changed them.",
            holder=of,
        )
    return share
