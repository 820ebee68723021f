"""One secure sum that goes on at the publisher: its states are values, made again from the messages in the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import ProtocolError, ReportError
from sfumato.mechanism.secure_sum.publisher import Sum, invite
from sfumato.mechanism.secure_sum.wire import Kind as SumKind
from sfumato.together.sums.carrying import MARK, PIECES, joined, most_pieces, of_holder, of_publisher, said_by
from sfumato.together.sums.session import TUPLES
from sfumato.together.wire import Envelope, Kind, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.mechanism.secure_sum.publisher import Round
    from sfumato.mechanism.secure_sum.terms import Terms as SumTerms
    from sfumato.together.publisher import Publisher

_NEXT = {
    SumKind.KEYS: SumKind.ALL_KEYS,
    SumKind.SHARES: SumKind.PARCEL,
    SumKind.MASKED: SumKind.SURVIVORS,
    SumKind.AGREED: SumKind.ALL_AGREED,
    SumKind.OPENED: SumKind.OPENED,
}
"""What the publisher says when a round ends; after the last one it only notes whom it heard."""


class Run:
    """One sum.

    Args:
        base: signs and keeps what is said.
        number: the first or the second one.
        names: of its holders, in the order of their places.
        state: of the publisher in it.
        clock: seconds that pass; a round lasts from when it began here.
    """

    def __init__(
        self, base: Publisher, number: int, names: Sequence[str], state: Round | Sum, clock: Callable[[], float]
    ) -> None:
        self.base, self.number, self.names, self.state, self.clock = base, number, list(names), state, clock
        self.since = clock()

    def hear(self, message: Envelope, kind: SumKind, piece: int) -> None:
        """Take a piece of what a holder says; it is stored before it counts.

        Raises:
            ReportError: it does not belong to the round, or is no piece of what belongs to it.
        """
        state, store = self.state, self.base.store
        if isinstance(state, Sum) or state.kind is not kind:
            raise too_late()
        others = [store.get(Kind.SUM, message.sender, of_holder(self.number, kind, i)) for i in range(piece)]
        raw = joined([*(None if one is None else one.body for one in others), message.body])
        if raw is not None:
            try:
                state = state.receive(raw)
            except ProtocolError as error:
                raise ReportError.of(error) from None
        elif not piece + 1 < int.from_bytes(message.body[:2], "big") <= most_pieces(kind, state.terms):
            raise ReportError("Pieces of a message must come in order, each once.", "send them again.")
        if not store.put([message]):
            raise ReportError("What was sent stays; another message stands in its place.", "go on from there.")
        self.state = state

    def turn(self, wait: float) -> bool:
        """End a round, if all have answered or time is over; whether something was said.

        Raises:
            ProtocolError: time is over and too few have answered, or shares are wrong.
        """
        state = self.state
        if isinstance(state, Sum) or not (state.is_full or self.clock() - self.since >= wait):
            return False
        closed = state.close()
        following, told = (closed, {}) if isinstance(closed, Sum) else closed
        heard = packed({"heard": [self.names[place] for place in sorted(state.heard)]})
        after = self.base.said(Kind.ROSTER if self.number == TUPLES else Kind.TALLIES)
        bodies = {MARK: heard, **told}
        made = [self._made(_NEXT[state.kind], place, body, after) for place, body in bodies.items()]
        self.base.put(made)
        self.state, self.since = following, self.clock()
        return True

    def _made(self, kind: SumKind, place: int, body: bytes, after: str) -> Envelope:
        at = of_publisher(self.number, kind, place)
        made = Envelope(self.base.session, Kind.SUMMED, self.base.name, at, PIECES, after, body)
        return made.signed(self.base.identity.signing())

    def repeat(self) -> None:
        """Go through all that is stored: rounds that ended heard whom they heard then."""
        store = self.base.store
        while not isinstance(self.state, Sum):
            kind = self.state.kind
            mark = store.get(Kind.SUMMED, self.base.name, of_publisher(self.number, _NEXT[kind], MARK))
            for name in self.names if mark is None else unpacked(mark.body)[0]["heard"]:
                raw = self._raw(kind, name)
                if raw is not None:
                    self.state = self.state.receive(raw)
            if mark is None:
                return
            closed = self.state.close()
            self.state = closed if isinstance(closed, Sum) else closed[0]

    def _raw(self, kind: SumKind, name: str) -> bytes | None:
        """What a holder said in a round; None: not all of it."""
        store = self.base.store
        first = store.get(Kind.SUM, name, of_holder(self.number, kind, 0))
        if first is None:
            return None
        n = int.from_bytes(first.body[:2], "big")
        parts = [store.get(Kind.SUM, name, of_holder(self.number, kind, i)) for i in range(n)]
        return joined([None if one is None else one.body for one in parts])


def again(base: Publisher, number: int, names: Sequence[str], terms: SumTerms, clock: Callable[[], float]) -> Run:
    """A sum as far as it has come.

    Args:
        base: signs and keeps what is said.
        number: which sum.
        names: of its holders, in the order of their places.
        terms: of the sum.
        clock: seconds that pass.
    """
    run = Run(base, number, names, invite(terms, base.identity.seed[:32]), clock)
    run.repeat()
    return run


def numbered(message: Envelope) -> tuple[int, SumKind, int]:
    """Sum, kind and piece of a message.

    Raises:
        ReportError: it has none.
    """
    try:
        return said_by(message.number)
    except ValueError:
        raise ReportError("A message of a sum must be of a round; this one is not.", "use the same version.") from None


def too_late() -> ReportError:
    """The refusal of what comes too late, or too early."""
    return ReportError("A round of a sum is over, or has not begun.", "whoever is late is left out of this sum.")
