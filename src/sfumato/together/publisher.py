"""The untrusted publisher, without network or disk: what it takes from holders, and what it says when all have spoken.

Everything that it knows is in its store, each message whole, so that it goes on where it was killed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import field
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sfumato.errors import ParameterError, ReportError, SfumatoError, SourceError
from sfumato.frozen import dataclass
from sfumato.together import merkle
from sfumato.together.checks import root_of
from sfumato.together.construction import coded_labels, construct, joined_labels, seen_in
from sfumato.together.enrolment import vouched
from sfumato.together.keys import card_from
from sfumato.together.phases import AFTER, ORDER, PIECE, ROUNDS, SHORT, digest_of
from sfumato.together.sealing import agreed, opened, sealed
from sfumato.together.slots import Layout, by_tag, is_whole, unmasked
from sfumato.together.wire import MALFORMED, Envelope, Kind, in_pieces, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.release.tools import Tools
    from sfumato.together.construction import Seen
    from sfumato.together.keys import Card, Identity
    from sfumato.together.phases import Store
    from sfumato.together.terms import Terms
    from sfumato.types import IntArray

_MOST_TOLD = 1000
"""Characters of a complaint that all are told."""


@dataclass(frozen=True, slots=True, eq=False)
class Publisher:
    """One joint publication.

    Args:
        terms: what is agreed on.
        identity: who publishes.
        store: what was said.
        tools: chance and clock of the method.
        write: makes the release of the rows by class, and says what its files are.
        turn: held while somebody is counted among those who take part: one more cannot come in meanwhile.
    """

    terms: Terms
    identity: Identity
    store: Store
    tools: Tools
    write: Callable[[Publisher, Any], Mapping[str, object]]
    turn: RLock = field(default_factory=RLock, repr=False)

    after: ClassVar[Mapping[Kind, Kind]] = AFTER
    relabelled: ClassVar[Kind] = Kind.VERDICTS
    """What tells the labels of joined classes."""

    @property
    def name(self) -> str:
        """Who publishes."""
        return self.identity.name

    @property
    def pause(self) -> float | None:
        """Seconds after which it may have something to say although nobody spoke; None: never."""
        return None

    def invite(self, nonce: bytes) -> None:
        """Begin, if it has not begun.

        Args:
            nonce: drawn for this publication: no other one has its session.
        """
        if self.store.get(Kind.INVITATION, self.name, 0) is None:
            said = {"terms": self.terms.digest, "card": self.identity.card.to_dict(), "nonce": nonce.hex()}
            self.say(Kind.INVITATION, packed(said), "", session="")

    @property
    def session(self) -> str:
        """Of this publication: the digest of its invitation."""
        return self.said(Kind.INVITATION)

    def said(self, kind: Kind) -> str:
        """Digest of what the publisher said of a kind.

        Raises:
            ReportError: it is not said yet.
        """
        parts = [digest for _, _, _, digest in self.store.listed(kind)]
        if not parts:
            raise ReportError("{kind!r} comes in its turn; the publication is not so far.", "wait.", kind=kind.value)
        return digest_of(parts)

    def cards(self) -> dict[str, Card]:
        """The holders that enrolled, by name."""
        return {name: self._card(name) for name in self.enrolled()}

    def card(self, name: str) -> Card | None:
        """The card of a holder; None: it has not enrolled."""
        return self._card(name) if name in self.enrolled() else None

    def enrolled(self) -> list[str]:
        """Names of the holders that enrolled, sorted."""
        return sorted({name for name, *_ in self.store.listed(Kind.ENROL)})

    def _card(self, name: str) -> Card:
        return card_from(json.loads(self.whole(Kind.ENROL, name)))

    def receive(self, message: Envelope) -> None:
        """Take a message of a holder; enrolments one after the other, so that there is room for each that is taken.

        Raises:
            ReportError: it is of another session or phase, or not by whom it says.
            ParameterError: it is not what was sent before in its place, or nobody vouches for its sender.
        """
        if message.kind is not Kind.ENROL:
            self._receive(message)
            return
        with self.turn:
            self._receive(message)

    def _receive(self, message: Envelope) -> None:
        """Take a message, whoever else sends one meanwhile."""
        complains = message.kind is Kind.COMPLAINT
        if message.kind not in self.after and not complains:
            raise ReportError("{kind!r} is no message of a holder.", "send what comes next.", kind=message.kind.value)
        if message.kind in SHORT and message.pieces > 1:
            raise ReportError("{kind!r} is said in one piece; it came in several.", "send it whole.",
                              kind=message.kind.value)  # fmt: skip
        if message.session != self.session:
            raise ReportError("A message must be of this publication; it is of another one.", "look at the address.")
        if not complains and message.after != self.said(self.after[message.kind]):
            raise ReportError("{kind!r} must follow what the publisher said last; it does not.", "read that again.",
                              kind=message.kind.value)  # fmt: skip
        card = self._sender(message)
        if not message.is_by(card.verifying()):
            raise ReportError("Each message must be signed by its sender; {kind!r} is not.", "use the key of the card.",
                              kind=message.kind.value)  # fmt: skip
        if not self.store.put([message]):
            raise ParameterError("What was sent stays; {kind!r} was sent before, and otherwise.", "go on from there.",
                                 kind=message.kind.value)  # fmt: skip

    def _sender(self, message: Envelope) -> Card:
        """The card of whoever sent a message.

        Raises:
            ParameterError: nobody vouches for it.
        """
        enrolled = None if message.kind is Kind.ENROL else self.card(message.sender)
        if enrolled is not None:
            return enrolled
        if message.kind not in (Kind.ENROL, Kind.COMPLAINT):
            raise ParameterError("Only holders that enrolled send messages.", "enrol first.")
        return vouched(self.terms.said, message, self.name, self.enrolled(), self.most_holders)

    @property
    def most_holders(self) -> int:
        """How many may enrol."""
        return self.terms.said.holders

    def whole(self, kind: Kind, sender: str) -> bytes:
        """The body of a message, all pieces of it."""
        out, number, pieces = [], 0, 1
        while number < pieces:
            found = self.store.get(kind, sender, number)
            if found is None:
                raise ReportError("{kind!r} is not there in full.", "wait.", kind=kind.value)
            out.append(found.body)
            number, pieces = number + 1, found.pieces
        return b"".join(out)

    def advance(self) -> bool:
        """Say what comes next, if all holders have spoken; whether something was said."""
        return self.advance_by(self._advance)

    def advance_by(self, work: Callable[[], bool]) -> bool:
        """Do what comes next, unless it has ended or somebody complains; what fails for good ends it."""
        if self.has_ended:
            return False
        if complaints := self.store.listed(Kind.COMPLAINT):
            self.abandon(self._complaint(complaints[0][0]))
            return True
        try:
            return work()
        except SourceError:  # the store or the place of the release cannot be written: it is tried again
            raise
        except SfumatoError as error:
            problem = error.problem
        except MALFORMED as error:
            problem = (
                f"Messages of holders must be of the form that was agreed on; one is not ({type(error).__name__})."
            )
        self.abandon({"problem": problem, "by": self.name})
        return True

    def _complaint(self, who: str) -> dict[str, str]:
        """What a holder complains of, as it is told to all; of one that cannot be read, by whom it is."""
        try:
            said = dict(json.loads(self.whole(Kind.COMPLAINT, who)))
        except MALFORMED:
            said = {}
        return {"by": who} | {key: str(said.get(key, ""))[:_MOST_TOLD] for key in ("check", "who", "problem")}

    @property
    def has_ended(self) -> bool:
        """Whether it was published or abandoned."""
        return bool(self.store.listed(Kind.ABANDONED) or self.store.listed(Kind.PUBLISHED))

    def abandon(self, why: Mapping[str, object]) -> None:
        """End without a release."""
        self.say(Kind.ABANDONED, packed(why), self.session)

    def _advance(self) -> bool:
        if self.store.listed(Kind.ECHOES) and not self.store.listed(Kind.CONSTRUCTION):
            self._construct()
            return True
        if self.store.listed(Kind.OPENED) and not self.store.listed(Kind.OUTCOME):
            self._outcome()
            return True
        for kind, closes in ROUNDS:
            if self.store.listed(closes):
                continue
            found = self._complete(kind)
            if found is None or (kind is Kind.CONTRIBUTION and self._complete(Kind.TUPLES) is None):
                return False
            match closes:
                case Kind.OPENED:
                    self._open(found)
                case Kind.VERDICTS if self.terms.joins:
                    self._join(found)
                case Kind.PUBLISHED:
                    self._publish(found)
                case _:
                    self.say_list(closes, kind, found, self._last(closes))
            return True
        return False

    def _complete(self, kind: Kind, holders: int | None = None) -> list[list[str]] | None:
        """Names and digests of what all holders sent; None: somebody has not sent all."""
        holders = self.terms.said.holders if holders is None else holders
        parts: dict[str, list[str]] = {}
        missing = 0
        for sender, _, pieces, digest in self.store.listed(kind):
            found = parts.setdefault(sender, [])
            missing += pieces - 1 if not found else -1
            found.append(digest)
        if len(parts) < holders or missing:
            return None
        return [[sender, digest_of(found)] for sender, found in sorted(parts.items())]

    def _last(self, kind: Kind) -> str:
        """Digest of what the publisher said before a message of a kind."""
        return self.said(ORDER[ORDER.index(kind) - 1])

    def _construct(self) -> None:
        """Classes from what holders let the publisher see, and to each holder the classes of its tuples, under one root."""
        keys, after = self._keys(), self._last(Kind.CONSTRUCTION)
        found = construct(self.terms, self._seen(keys), self.tools)
        bodies = [packed({}, {"member": member.astype(np.int32)}) for member in found.member]
        boxes = [sealed(key, body, b"assignment") for key, body in zip(keys.values(), bodies, strict=True)]
        leaves = [name.encode() + b"\0" + hashlib.sha256(box).digest() for name, box in zip(keys, boxes, strict=True)]
        labels, codes = coded_labels(found.labels)
        said = {
            "labels": labels, "root": merkle.root(leaves).hex(), "unmet": found.unmet, "left_out": found.left_out,
        }  # fmt: skip
        messages = self._made(Kind.CONSTRUCTION, packed(said, {"codes": codes}), after)
        digest = digest_of([one.digest for one in messages])
        for i, (box, path) in enumerate(zip(boxes, merkle.proofs(leaves), strict=True)):
            proof = packed({"path": [one.hex() for one in path], "holder": i}, {"box": np.frombuffer(box, np.uint8)})
            messages += self._made(Kind.ASSIGNMENT, proof, digest, of=i)
        self.put(messages)

    def _keys(self) -> dict[str, bytes]:
        """For each holder the key of what it lets the publisher see."""
        return {name: agreed(self.identity, card, "tuples", self.session) for name, card in self.cards().items()}

    def _seen(self, keys: Mapping[str, bytes]) -> list[Seen]:
        """What each holder lets the publisher see."""
        return [seen_in(opened(key, self.whole(Kind.TUPLES, name), name.encode())) for name, key in keys.items()]

    def _join(self, found: Sequence[Sequence[str]]) -> None:
        """What all holders say of classes, and the labels of those that they joined."""
        keys, member = self._keys(), []
        for i, key in enumerate(keys.values()):
            _, boxed = unpacked(self.whole(Kind.ASSIGNMENT, f"{self.name}/{i}"))
            member.append(unpacked(opened(key, boxed["box"].tobytes(), b"assignment"))[1]["member"].astype(np.int64))
        into = self.into()
        if into.shape != (n := self.n_classes(),) or not bool(((into >= -1) & (into < n)).all()):
            raise ReportError(
                "Holders must say of each class under which one it is published.", "compare versions of this program."
            )
        labels, codes = coded_labels(joined_labels(self.terms, self._seen(keys), member, into, self.tools))
        self.say_list(Kind.VERDICTS, Kind.VERDICT, found, self._last(Kind.VERDICTS), {"codes": codes}, labels=labels)

    def into(self) -> IntArray:
        """(n_classes,) int64: under which class each is published, as holders say; -1: it is left out."""
        names = sorted({name for name, *_ in self.store.listed(Kind.VERDICT)})
        return unpacked(self.whole(Kind.VERDICT, names[0]))[1]["into"].astype(np.int64)

    def labels(self) -> tuple[list[list[str | None]], IntArray]:
        """The texts of each quasi-identifier, and (n, m) int64 which one each class has, as it is published."""
        said, arrays = unpacked(self.whole(self.relabelled if self.terms.joins else Kind.CONSTRUCTION, self.name))
        return said["labels"], arrays["codes"].astype(np.int64)

    def layout(self) -> Layout:
        """How rows are written: the widest cell of all holders, and the rows that their verdicts keep."""
        names = self.enrolled()
        said = [unpacked(self.whole(Kind.CONTRIBUTION, name))[0] for name in names]
        rows = sum(unpacked(self.whole(Kind.VERDICT, name))[0]["rows"] for name in names)
        return Layout(tuple(int(w) for w in np.max([one["widths"] for one in said], axis=0)), int(rows))

    def _open(self, found: Sequence[Sequence[str]]) -> None:
        """Add the slots of all holders, and sort what stands in them by tag."""
        layout, after = self.layout(), self._last(Kind.OUTCOME)
        step, rows = layout.at_once(PIECE), np.zeros((layout.rows, layout.width), np.uint8)
        for number in range(-(-layout.rows // step)):
            pieces = [self.store.get(Kind.SLOTS, name, number) for name, _ in found]
            bodies = [piece.body for piece in pieces if piece is not None]
            rows[number * step : (number + 1) * step] = unmasked(layout, bodies, number * step, PIECE)
        if not is_whole(layout, rows, self.n_classes()).all():
            raise ReportError("Slots must hold rows once all holders have sent theirs; some hold none.", "begin again.")
        self.put(self._made(Kind.OPENED, by_tag(rows).tobytes(), after))

    def n_classes(self) -> int:
        """Classes that were constructed."""
        return len(unpacked(self.whole(Kind.CONSTRUCTION, self.name))[1]["codes"])

    def rows(self) -> np.ndarray:
        """(n, width) uint8: the rows to be published, by tag."""
        layout = self.layout()
        return np.frombuffer(self.whole(Kind.OPENED, self.name), np.uint8).reshape(-1, layout.width)

    def _outcome(self) -> None:
        """Say what the release would hold, for holders to approve."""
        raw = self.whole(Kind.OPENED, self.name)
        said = {"rows": self.layout().rows, "sha256": hashlib.sha256(raw).hexdigest(), "opened": self.said(Kind.OPENED)}
        self.say(Kind.OUTCOME, packed(said), self._last(Kind.OUTCOME))

    def _publish(self, found: Sequence[Sequence[str]]) -> None:
        """Write what all holders approved."""
        files = self.write(self, self.rows())
        self.say_list(Kind.PUBLISHED, Kind.APPROVAL, found, self._last(Kind.PUBLISHED), files=files)

    def say_list(
        self,
        kind: Kind,
        of: Kind,
        found: Sequence[Sequence[str]],
        after: str,
        arrays: Mapping[str, np.ndarray] | None = None,
        **more: object,
    ) -> None:
        """Say a list of all messages of a kind, the root over it, and what else stands beside it."""
        self.say(kind, packed({"of": of.value, "from": found, "root": root_of(found), **more}, arrays or {}), after)

    def say(self, kind: Kind, body: bytes, after: str, session: str | None = None) -> None:
        """Say something to all, in pieces if it is long."""
        self.put(self._made(kind, body, after, session))

    def put(self, messages: Sequence[Envelope]) -> None:
        """Keep what the publisher says; from then on it is said."""
        if not self.store.put(messages):
            raise ParameterError(
                "What the publisher said stays; it was said otherwise before.", "run one publisher for a store."
            )

    def _made(
        self, kind: Kind, body: bytes, after: str, session: str | None = None, of: int | None = None
    ) -> list[Envelope]:
        """A message of the publisher, signed; `of`: it is the one for this holder."""
        key, session = self.identity.signing(), self.session if session is None else session
        name = self.name if of is None else f"{self.name}/{of}"
        parts = in_pieces(body, PIECE)
        return [
            Envelope(session, kind, name, number, len(parts), after, part).signed(key)
            for number, part in enumerate(parts)
        ]
