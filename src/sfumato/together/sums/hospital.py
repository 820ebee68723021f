"""A hospital that hides its tuples: it adds its counts to those of the others, and no row leaves it.

It keeps what it hears before it answers, so that after a kill it says the same again.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import Caught, ProtocolError, SourceError
from sfumato.mechanism.secure_sum import holder as rounds
from sfumato.mechanism.secure_sum.wire import MAGIC
from sfumato.mechanism.secure_sum.wire import Kind as SumKind
from sfumato.noise.bernoulli import bernoulli
from sfumato.noise.bits import KeyedBits
from sfumato.together import caught, checks
from sfumato.together.check import Check
from sfumato.together.holder import Done
from sfumato.together.hospital import Hospital, changed
from sfumato.together.judging import kept_by, sized, told_by_sizes
from sfumato.together.sealing import added, masked, pads
from sfumato.together.sums.carrying import PIECES, of_holder, of_publisher, parts_of
from sfumato.together.sums.joint import counted
from sfumato.together.sums.session import TUPLES, VALUES, first_terms, second_terms
from sfumato.together.table import Coded
from sfumato.together.wire import Envelope, Kind, unpacked

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from sfumato.mechanism.secure_sum.terms import Terms as SumTerms
    from sfumato.noise.bits import Bits
    from sfumato.together.sums.session import Sums
    from sfumato.types import BoolArray, IntArray

_AWAITED = {
    rounds.Joined: SumKind.ALL_KEYS,
    rounds.Shared: SumKind.PARCEL,
    rounds.Masked: SumKind.SURVIVORS,
    rounds.Agreed: SumKind.ALL_AGREED,
}
CHECK = "secure sum"
"""Name of all checks that a holder makes within a sum."""


class SumHospital(Hospital):
    """One holder of many rows, who hides its tuples.

    Args:
        as `Hospital`; then
        sums: what is added.
        bits: secure chance, for the key of what is drawn.
    """

    def __init__(self, *args: Any, sums: Sums, bits: Bits) -> None:
        super().__init__(*args)
        self.sums, self.bits, self.met = sums, bits, 0

    def _steps(self) -> Generator[Kind, None, Done]:
        self._sample()
        n = self.held.n_rows
        cell, counts = self.sums.known.coded(self.sums.seen_of(self.held), n), self.sums.counts_of(self.held)
        value = cell if self.sums.is_histogram else self.sums.carried.coded(self.held.carried, n)
        yield from self._invited()
        yield from self._enrolled()
        keys = self._keys()
        first = first_terms(self.sums, self._publisher_key(), self.last, keys)
        yield from self._sum(TUPLES, first, counts)
        if self.sums.is_histogram:
            return (yield from self._approved_counts())
        return (yield from self._rows(cell, value))

    def _rows(self, cell: IntArray, value: IntArray) -> Generator[Kind, None, Done]:
        """Classes, their sizes, and the second sum.

        Args:
            cell: (n,) int64 declared tuple of each row.
            value: (n,) int64 combination of its carried values.
        """
        member, n_classes, sizes = yield from self._classes()
        rows, totals = yield from self._counted_sizes(member[cell], n_classes, sizes)
        large = kept_by(told_by_sizes(self.terms.sized), sized(rows))
        if not large.any():
            raise SourceError(
                "A class must be as large as was promised; none is.", "publish coarser values, or take part again."
            )
        second = second_terms(self.sums, self._publisher_key(), self.last, self._keys(), int(large.sum()))
        mine = self._by_class(member[cell], value, large)
        yield from self._sum(VALUES, second, mine.reshape(-1))
        return (yield from self._approved_table(mine, rows, large, totals))

    def _sample(self) -> None:
        """Where rows are sampled, each stays by a coin of this hospital alone, the same whenever it begins again."""
        promise = self.terms.sampling
        if promise is not None:
            key = self._kept("sample", lambda: self.bits.words(4).tobytes())
            coins = bernoulli(self.held.n_rows, promise.beta, bits=KeyedBits(key, is_secure=True))
            self.held = self.held.chosen(coins)

    # sums

    def _keys(self) -> list[bytes]:
        return [bytes.fromhex(self.holders[name].signing) for name in sorted(self.holders)]

    def _publisher_key(self) -> bytes:
        return bytes.fromhex(self.cards[self.publisher].signing)

    def _sum(self, number: int, terms: SumTerms, counts: IntArray) -> Generator[Kind, None, None]:
        """All rounds of a sum."""
        place = sorted(self.holders).index(self.name)
        chance = self._kept(f"sum-{number}", lambda: self.bits.words(4).tobytes())
        told = hashlib.sha256(terms.digest + counts.astype("<i8").tobytes()).digest()
        if self._kept(f"sum-{number}-of", lambda: told) != told:
            raise changed()
        bits = KeyedBits(chance, is_secure=True)
        state: rounds.State
        state, raw = rounds.join(rounds.Seat(terms, place, self.identity.seed[:32]), counts, bits=bits)
        while True:
            self._tell(number, SumKind(raw[len(MAGIC)]), raw)
            if isinstance(state, rounds.Done):
                return
            heard = yield from self._told(number, _AWAITED[type(state)], place)
            try:
                state, raw = state.receive(heard, bits=bits)
            except ProtocolError as error:
                raise Caught.of(error, "{who!r} is not followed: ", who=self.publisher, check=CHECK) from error

    def _kept(self, name: str, make: Any) -> bytes:
        """What is kept under a name, made the first time."""
        found = self.memory.get(name)
        if found is None:
            found = make()
            self.memory.put(name, found)
        return bytes(found)

    def _tell(self, number: int, kind: SumKind, raw: bytes) -> None:
        """Say something in a sum; the same again changes nothing."""
        for piece, part in enumerate(parts_of(raw)):
            at = of_holder(number, kind, piece)
            self.board.post(
                Envelope(self.session, Kind.SUM, self.name, at, PIECES, self.last, part).signed(self.identity.signing())
            )

    def _told(self, number: int, kind: SumKind, place: int) -> Generator[Kind, None, bytes]:
        """What the publisher says to me in a sum, kept before it is answered."""
        name, at = f"sum-{number}-{kind.value}", of_publisher(number, kind, place)
        kept = self.memory.get(name)
        if kept is not None:
            return kept
        while (found := self.board.get(Kind.SUMMED, "", at)) is None:
            yield Kind.SUMMED
        card = self.cards[self.publisher]
        checks.in_turn(self.watch, found, (Kind.SUMMED, self.publisher, at), (self.session, self.last), card)
        self.memory.put(name, found.body)
        return found.body

    # classes

    def _classes(self) -> Generator[Kind, None, tuple[IntArray, int, IntArray]]:
        """The class of each declared tuple, how many classes there are, and their sizes as the publisher says."""
        said, arrays = unpacked((yield from self.heard(Kind.CONSTRUCTION)))
        names, codes = said["holders"], arrays["codes"].astype(np.int64)
        self._added(names)
        member = arrays["member"].astype(np.int64)
        checks.in_classes(member, self.sums.known.n, len(codes), self.publisher)
        self.cards = {name: card for name, card in self.cards.items() if name in names or name == self.publisher}
        self._see_labels(said["labels"], codes, member[self._tuples()], self.held.tuples)
        if self.terms.sampling is not None:
            self._levels(said["labels"], codes, member)
        self.met = int(said["met"])
        return member, len(codes), arrays["sizes"].astype(np.int64)

    def _added(self, names: Sequence[str]) -> None:
        """What I counted is in the sum."""
        if self.watch.fails(Check.MEMBERSHIP, self.name in names and set(names) <= set(self.holders)):
            raise caught.replaced(self.publisher)

    def _approved_counts(self) -> Generator[Kind, None, Done]:
        """The noisy sum is published as it is. Nobody but the publisher knows it before: one that tells other numbers is
        not seen, and tells nothing of anybody.
        """
        said, _ = unpacked((yield from self.heard(Kind.CONSTRUCTION)))
        self._added(said["holders"])
        _, arrays = unpacked((yield from self.heard(Kind.OUTCOME)))
        if self.watch.fails(Check.RELEASED, arrays["table"].shape == (self.sums.known.n,)):
            raise caught.not_as_sent(self.publisher)
        self.approve()
        told, _ = unpacked((yield from self.heard(Kind.PUBLISHED)))
        return Done(self.held.n_rows, 0, 0, told["files"])

    def _levels(self, labels: Sequence[Sequence[str | None]], codes: IntArray, member: IntArray) -> None:
        """Each class is one tuple of the levels that the plan gives: the publisher chose none from what it saw."""
        placed, cells = np.flatnonzero(member >= 0), self.sums.known
        meant = cells.tuples_of(placed)
        good = len(placed) == len(codes) == len(np.unique(member[placed]))
        for j, values in enumerate(cells.values):
            place = {value: i for i, value in enumerate(values)}
            told = np.array([place.get(label, -1) for label in labels[j]], np.int64)[codes[member[placed], j]]
            good = good and np.array_equal(told, meant[:, j])
        checks.labels_true(self.watch, good, self.publisher)

    def _tuples(self) -> IntArray:
        """(t,) int64: the cell of each own tuple."""
        held, tuples = self.held, self.held.tuples
        own = [Coded(one.values, tuples[:, j]) for j, one in enumerate(held.known)]
        distinct = replace(held, known=tuple(own), asked=tuples[:, -1])
        return self.sums.known.coded(self.sums.seen_of(distinct), len(tuples))

    def _counted_sizes(self, of: IntArray, n: int, sizes: IntArray) -> Generator[Kind, None, tuple[IntArray, IntArray]]:
        """(n,) int64 rows of each class, and how often values that steer stand in the whole table; counted by the hospitals
        themselves: nobody sees those of one.
        """
        own = np.concatenate((np.bincount(of[of >= 0], minlength=n), self.sums.own_totals(self.held, self.met)))
        behind = masked(own, self.name, pads(self.identity, self.others, "sizes", self.last))
        mine = self.say(Kind.COUNTS, behind.astype("<u4").tobytes())
        found = yield from self.listing(Kind.TALLIES, Kind.COUNTS, mine)
        parts = [np.frombuffer(one.body, "<u4") for one in found.values()]
        whole = all(len(part) == len(own) for part in parts)
        everything = added(parts) if whole else np.zeros(len(own), np.int64)
        rows, totals = everything[:n], everything[n:]
        exact = self.sums.said.epsilon is None
        if self.watch.fails(Check.SIZE, whole and (not exact or np.array_equal(rows, sizes))):
            raise Caught(
                "Classes must have the sizes that the hospitals count; those of {who!r} have others.", "do not go on.",
                who=self.publisher, check=Check.SIZE.value,
            )  # fmt: skip
        if exact:
            asked, inside = np.zeros(n, np.int64), of >= 0
            np.maximum.at(asked, of[inside], self.held.asked[inside])
            checks.large_enough(self.watch, self.terms.sized, sized(rows), asked, self.publisher)
        return rows, totals

    def _by_class(self, of: IntArray, value: IntArray, large: BoolArray) -> IntArray:
        """(n, combinations) int64: own rows of each class that is large enough with each combination of carried values."""
        number = np.where(large, np.cumsum(large) - 1, -1)
        at = np.where(of >= 0, number[of], -1)
        n, inside = self.sums.carried.n, at >= 0
        flat = np.bincount(at[inside] * n + value[inside], minlength=int(large.sum()) * n)
        return np.asarray(flat.reshape(-1, n))

    def _approved_table(
        self, mine: IntArray, rows: IntArray, large: BoolArray, totals: IntArray
    ) -> Generator[Kind, None, Done]:
        """See that what would be published is what was added, and approve it.

        Only promises that are judged afterwards leave classes out.
        """
        _, arrays = unpacked((yield from self.heard(Kind.OUTCOME)))
        kept, table, at = arrays["kept"].astype(np.int64), arrays["table"].astype(np.int64), np.flatnonzero(large)
        number = np.searchsorted(at, kept)
        fits = (
            table.shape == (len(kept), self.sums.carried.n)
            and bool(np.isin(kept, at).all())
            and len(set(kept.tolist())) == len(kept)
        )
        good = (
            fits
            and bool((table >= mine[number]).all())
            and np.array_equal(table.sum(axis=1), rows[kept])
            and (len(kept) == len(at) or self.terms.judged != self.terms.steering)
            and bool(kept_by(self.terms.judged, counted(self.sums, table, totals)).all())
        )
        if self.watch.fails(Check.RELEASED, good):
            raise Caught(
                "What is published must be what the hospitals added, and keep the promises; that of {who!r} does not.",
                "do not go on.",
                who=self.publisher, check=Check.RELEASED.value,
            )  # fmt: skip
        self.approve()
        said, _ = unpacked((yield from self.heard(Kind.PUBLISHED)))
        return Done(int(mine[number].sum()), len(kept), len(at) - len(kept), said["files"])
