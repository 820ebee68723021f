"""What every holder of a joint publication does: say a thing once and for all, hear the publisher in turn, compare with others."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from sfumato.errors import Caught, ReportError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.together import caught, checks
from sfumato.together.check import Check
from sfumato.together.keys import card_from
from sfumato.together.phases import PIECE, digest_of
from sfumato.together.truth import covered
from sfumato.together.wire import MALFORMED, Envelope, Kind, in_pieces, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    import numpy as np

    from sfumato.together.checks import Watch
    from sfumato.together.keys import Card, Identity
    from sfumato.together.table import Held
    from sfumato.together.terms import Terms
    from sfumato.types import IntArray

_DIGITS = 64
"""Hexadecimal digits of a digest."""


class Board(Protocol):
    """Where messages are put up: the publisher's server, or what stands for it."""

    @property
    def received(self) -> int:
        """Bytes that came from there since the holder was started."""

    def post(self, message: Envelope) -> None:
        """Hand in a message."""

    def get(self, kind: Kind, sender: str, number: int) -> Envelope | None:
        """Fetch one; None: it is not there yet.

        Raises:
            SourceError: the publication was abandoned.
        """


class Memory(Protocol):
    """What a holder said, kept where it survives a kill."""

    def get(self, name: str) -> bytes | None:
        """What was kept under a name."""

    def put(self, name: str, raw: bytes) -> None:
        """Keep something durably."""


@dataclass(frozen=True, slots=True)
class Done:
    """How it ended for a hospital.

    Args:
        rows: of its own that are published.
        classes: that are published.
        left_out: classes that broke a promise about sensitive values.
        release: what the publisher says of the release.
        joined: classes that were joined with others because values of one broke a promise.
    """

    rows: int
    classes: int
    left_out: int
    release: Mapping[str, Any]
    joined: int = 0


class Holder(ABC):
    """What every holder does: say each thing once, hear what follows, compare with what others heard.

    Args:
        terms: what is agreed on.
        identity: who it is.
        held: its rows.
        board: where messages are put up.
        memory: what it said.
        watch: the checks that it makes.
    """

    def __init__(
        self, terms: Terms, identity: Identity, held: Held, board: Board, memory: Memory, watch: Watch
    ) -> None:
        self.terms, self.identity, self.held, self.board, self.memory, self.watch = (
            terms, identity, held, board, memory, watch,
        )  # fmt: skip
        self.session = self.last = self.publisher = ""
        self.everybody = 0
        self.cards: dict[str, Card] = {}

    def steps(self) -> Generator[Kind, None, Done]:
        """Take part; yields the kind of message that is waited for.

        Raises:
            Caught: another party broke the rules; a complaint is put up before.
        """
        try:
            return (yield from self._steps())
        except Caught as error:
            self._complain(error)
            raise
        except ReportError as error:
            broken = self._broken(error.problem)
            self._complain(broken)
            raise broken from error
        except SfumatoError:
            raise
        except MALFORMED as error:
            broken = self._broken(type(error).__name__)
            self._complain(broken)
            raise broken from error

    def _broken(self, problem: str) -> Caught:
        return Caught(
            "Messages must be of the form that was agreed on; one that {who!r} handed over is not: {problem}",
            "compare versions of this program; if they are the same, do not go on.",
            who=self.publisher, problem=problem, check=Check.FORM.value,
        )  # fmt: skip

    def _complain(self, error: Caught) -> None:
        """Tell everybody; who cannot be told any more does not matter."""
        said = {"check": error.check, "who": error.who, "problem": error.problem, "card": self.identity.card.to_dict()}
        with suppress(SfumatoError):
            self.board.post(self._signed(Kind.COMPLAINT, 0, 1, self.last, json.dumps(said).encode()))

    @abstractmethod
    def _steps(self) -> Generator[Kind, None, Done]:
        """What this kind of holder does, step by step."""

    @property
    def name(self) -> str:
        """Who it is."""
        return self.identity.name

    @property
    def others(self) -> dict[str, Card]:
        """The other holders."""
        return {name: card for name, card in self.holders.items() if name != self.name}

    # what is said and heard

    def say(self, kind: Kind, body: bytes | Callable[[], bytes]) -> str:
        """Say something in answer to the last message of the publisher, once and for all, in pieces if it is long.

        Args:
            kind: what it is.
            body: what it holds, or what makes it; where it was said before, what was said then is said again.

        Returns:
            Its digest.
        """
        kept = self.memory.get(kind.value)
        if kept is None:
            kept = self.last.encode() + (body if isinstance(body, bytes) else body())
            self.memory.put(kind.value, kept)
        after = kept[:_DIGITS].decode()
        if self.watch.fails(Check.ECHO, after == self.last):
            raise caught.two_roots(self.publisher, [self.name])
        parts = in_pieces(kept[_DIGITS:], PIECE)
        sent = [self._signed(kind, number, len(parts), after, part) for number, part in enumerate(parts)]
        for message in sent:
            self.board.post(message)
        return digest_of([message.digest for message in sent])

    def approve(self, **said: object) -> str:
        """Approve the release, and say how many bytes came until then; its digest."""
        return self.say(Kind.APPROVAL, lambda: packed(said | {"received": self.board.received}))

    def kept(self, kind: Kind) -> bytes:
        """The body of what was said in pieces."""
        return (self.memory.get(kind.value) or b"")[_DIGITS:]

    def _signed(self, kind: Kind, number: int, pieces: int, after: str, body: bytes) -> Envelope:
        return Envelope(self.session, kind, self.name, number, pieces, after, body).signed(self.identity.signing())

    def heard(self, kind: Kind, sender: str = "") -> Generator[Kind, None, bytes]:
        """The next message of the publisher, whole; it is then the last one."""
        card, sender = self.cards[self.publisher], sender or self.publisher
        parts, number, pieces = [], 0, 1
        while number < pieces:
            while (found := self.board.get(kind, sender, number)) is None:
                yield kind
            checks.in_turn(self.watch, found, (kind, sender, number), (self.session, self.last), card)
            parts.append(found)
            number, pieces = number + 1, found.pieces
        if sender == self.publisher:
            self.last = digest_of([one.digest for one in parts])
        return b"".join(one.body for one in parts)

    def listing(self, kind: Kind, of: Kind, mine: str) -> Generator[Kind, None, dict[str, Envelope]]:
        """What all holders said, as the publisher lists it, each verified with the key of its sender."""
        found, _ = yield from self.listing_and_more(kind, of, mine)
        return found

    def listing_and_more(
        self, kind: Kind, of: Kind, mine: str
    ) -> Generator[Kind, None, tuple[dict[str, Envelope], tuple[dict[str, Any], dict[str, np.ndarray]]]]:
        """The same, and all that stands in the message that lists it."""
        before = self.last
        said, more = unpacked((yield from self.heard(kind)))
        listed = said["from"]
        checks.listed_once(
            self.watch, listed, said.get("root"), [*self.holders], (self.name, mine), self.publisher
        )  # fmt: skip
        out = {}
        for name, digest in listed:
            out[name] = yield from self._of(name, of, digest)
        checks.same_for_all(self.watch, {name: one.after for name, one in out.items()}, before, self.publisher)
        return out, (said, more)

    def _of(self, name: str, of: Kind, digest: str) -> Generator[Kind, None, Envelope]:
        """What one holder said, all pieces of it in one."""
        parts: list[Envelope] = []
        while not parts or len(parts) < parts[0].pieces:
            while (found := self.board.get(of, name, len(parts))) is None:
                yield of
            self._by(found, name, of)
            parts.append(found)
        if self.watch.fails(Check.ORIGIN, digest_of([one.digest for one in parts]) == digest):
            raise caught.unsigned(self.publisher, of.value)
        if self.watch.fails(Check.ECHO, len({one.after for one in parts}) == 1):
            raise caught.two_roots(self.publisher, [name])
        return replace(parts[0], body=b"".join(one.body for one in parts))

    def _by(self, found: Envelope, name: str, of: Kind) -> None:
        """A message of another holder is by it; if not, the publisher made it."""
        good = found.is_by(self.holders[name].verifying()) if name in self.holders else False
        if self.watch.fails(Check.ORIGIN, good and found.session == self.session and found.kind is of):
            raise caught.made_up(self.publisher, of.value, name)

    def _see_labels(
        self, labels: Sequence[Sequence[str | None]], codes: IntArray, member: IntArray, known: IntArray
    ) -> None:
        """What would be published of my rows is true of them.

        Args:
            labels: for each quasi-identifier its distinct texts.
            codes: (n_classes, m) int64 places of those of each class.
            member: (n,) int64 class of each of some rows or tuples, -1: none.
            known: (n, m or more) int64 places of their values.
        """
        placed = member >= 0
        columns = self.terms.plan.schema.quasi_identifiers
        good = codes.shape[1:] == (len(columns),) and len(labels) == len(columns)
        for j, column in enumerate(columns):
            pairs = known[placed, j], codes[member[placed], j]
            good = good and bool(covered(column, self.held.known[j].values, labels[j], pairs).all())
        checks.labels_true(self.watch, good, self.publisher)

    @property
    def holders(self) -> dict[str, Card]:
        """All holders by name."""
        return {name: card for name, card in self.cards.items() if name != self.publisher}

    def _invited(self) -> Generator[Kind, None, None]:
        """The invitation is by the publisher of the terms, for the same plan."""
        while (found := self.board.get(Kind.INVITATION, "", 0)) is None:
            yield Kind.INVITATION
        said, _ = unpacked(found.body)
        card = card_from(said.get("card"))
        self.session = found.digest
        checks.invited(self.watch, self.terms.said, self.terms.digest, said, card)
        self.publisher = card.name
        self.cards = {card.name: card}
        checks.in_turn(self.watch, found, (Kind.INVITATION, card.name, 0), ("", ""), card)
        self.last = found.digest
