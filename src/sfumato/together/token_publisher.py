"""The untrusted publisher of rows that tokens hold: it collects, makes classes, hands partitions to tokens, and adds up."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sfumato.errors import ParameterError, ReportError
from sfumato.together import merkle
from sfumato.together.construction import coded_labels, construct, joined_labels
from sfumato.together.ledger import Entries, Ledger, entries_from, ledger_from, to_body
from sfumato.together.phases import digest_of
from sfumato.together.publisher import Publisher
from sfumato.together.tokens import MAC, added, recoded_from, seen_from
from sfumato.together.wire import Kind, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.together.tokens import Recoded
    from sfumato.together.wire import Envelope
    from sfumato.types import IntArray

_MOST_CARRIERS = 1000


class TokenPublisher(Publisher):
    """One joint publication of tokens; whoever enrolled carries their messages."""

    _counted: dict[str, int]

    relabelled: ClassVar[Kind] = Kind.OUTCOME
    after: ClassVar[Mapping[Kind, Kind]] = {
        Kind.ENROL: Kind.INVITATION, Kind.ENTRIES: Kind.INVITATION, Kind.ECHO: Kind.LEDGER, Kind.SANITIZED: Kind.ECHOES,
        Kind.APPROVAL: Kind.OUTCOME,
    }  # fmt: skip

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.__dict__["_counted"] = {}

    @property
    def most_holders(self) -> int:
        """How many may enrol to carry messages of tokens."""
        return len(self.terms.said.holder) or _MOST_CARRIERS

    def receive(self, message: Envelope) -> None:
        """Take a message; rows only until there are enough, and none while the ledger of those that are there is made."""
        if message.kind is not Kind.ENTRIES:
            super().receive(message)
            return
        with self.turn:
            if self.store.listed(Kind.LEDGER) and message.sender not in self.carriers():
                raise ParameterError(
                    "Rows must come before there are enough; there are.", "take part in the next publication."
                )
            super().receive(message)

    def _advance(self) -> bool:
        said = self.store.listed
        if not said(Kind.LEDGER):
            with self.turn:
                return self._collect()
        if not said(Kind.ECHOES):
            return self._echo()
        if not said(Kind.OUTCOME):
            return self._gather()
        found = self._complete(Kind.APPROVAL, 1)
        if found is None:
            return False
        files = self.write(self, self.recoded())
        self.say_list(Kind.PUBLISHED, Kind.APPROVAL, found, self.said(Kind.OUTCOME), files=files)
        return True

    def entries(self, carriers: Sequence[str]) -> Entries:
        """All entries that these carriers brought, by number."""
        ids: list[bytes] = []
        clear: list[bytes] = []
        boxes: list[bytes] = []
        for name in carriers:
            one = entries_from(self.whole(Kind.ENTRIES, name))
            ids, clear, boxes = ids + one.ids, clear + one.clear, boxes + one.boxes
        order = sorted(range(len(ids)), key=ids.__getitem__)
        return Entries([ids[i] for i in order], [clear[i] for i in order], [boxes[i] for i in order])

    def _rows_of(self, name: str) -> int:
        """Rows of a carrier whose batch is whole; what was sent stays, so each is counted once."""
        if name not in self._counted:
            self._counted[name] = len(entries_from(self.whole(Kind.ENTRIES, name)).ids)
        return self._counted[name]

    def _whole_senders(self) -> list[str]:
        """Carriers all of whose pieces are there."""
        there: dict[str, int] = {}
        for sender, _, pieces, _ in self.store.listed(Kind.ENTRIES):
            there[sender] = there.get(sender, pieces) - 1
        return sorted(name for name, missing in there.items() if not missing)

    def _collect(self) -> bool:
        """Once there are enough rows: their classes, and the ledger that fixes both."""
        senders = self._whole_senders()
        if sum(map(self._rows_of, senders)) < self.terms.said.holders:
            return False
        entries = self.entries(senders)
        found = construct(self.terms, [seen_from(entries, len(self.terms.plan.schema.quasi_identifiers))], self.tools)
        ledger = Ledger(entries.ids, entries.digests(self.session), found.member[0])
        labels, codes = coded_labels(found.labels)
        said = {
            "labels": labels, "root": merkle.root(ledger.leaves()).hex(), "unmet": found.unmet, "left_out": found.left_out,
            "carriers": senders, "rows": len(entries.ids),
        }  # fmt: skip
        first = self._made(Kind.CONSTRUCTION, packed(said, {"codes": codes}), self.said(Kind.INVITATION))
        after = digest_of([one.digest for one in first])
        self.put([*first, *self._made(Kind.LEDGER, ledger.to_bytes(), after)])
        return True

    def ledger(self) -> Ledger:
        """As it was said."""
        return ledger_from(self.whole(Kind.LEDGER, self.name))

    def carriers(self) -> list[str]:
        """Who carried rows."""
        return [str(one) for one in unpacked(self.whole(Kind.CONSTRUCTION, self.name))[0]["carriers"]]

    def _echo(self) -> bool:
        """Once all carriers brought what their tokens say of the root: that, added up, and the partitions."""
        found = self._complete(Kind.ECHO, len(self.carriers()))
        if found is None:
            return False
        ledger = self.ledger()
        seen, macs = np.zeros(len(ledger.ids), np.bool_), []
        for name, _ in found:
            _, arrays = unpacked(self.whole(Kind.ECHO, name))
            places = arrays["places"].astype(np.int64)
            if len(arrays["macs"]) != MAC * len(places) or (
                len(places) and not 0 <= places.min() <= places.max() < len(seen)
            ):
                raise ReportError("Entries must be as many numbers, texts and boxes; some are not.", "send others.")
            seen[places] = True
            macs.append(arrays["macs"].tobytes())
        together = np.frombuffer(added(b"".join(macs)), np.uint8)
        cuts = partitions(ledger.member, self.n_classes(), self.terms.said.partition)
        body = packed({"cuts": cuts}, {"seen": seen, "together": together})
        messages = self._made(Kind.ECHOES, body, self.said(Kind.LEDGER))
        after, entries = digest_of([one.digest for one in messages]), self.entries(self.carriers())
        for number, (low, high) in enumerate(cuts):
            places = np.flatnonzero((ledger.member >= low) & (ledger.member < high))
            picked = places.tolist()
            part = Entries(*([column[i] for i in picked] for column in (entries.ids, entries.clear, entries.boxes)))
            head = packed({"classes": [low, high]}, {"places": places})
            messages += self._made(Kind.PARTITION, joined(head, to_body(part)), after, of=number)
        self.put(messages)
        return True

    def _gather(self) -> bool:
        """Once all partitions came back: what the release would hold, for a token to approve."""
        found = self._complete(Kind.SANITIZED, len(self.carriers()))
        if found is None:
            return False
        said: dict[str, Any] = {"rows": sum(len(one.member) for one in self.recoded())}
        arrays = {}
        if self.terms.joins:
            entries = self.entries(self.carriers())
            seen = seen_from(entries, len(self.terms.plan.schema.quasi_identifiers))
            found_labels = joined_labels(self.terms, [seen], [self.ledger().member], self.into(), self.tools)
            said["labels"], arrays["codes"] = coded_labels(found_labels)
        self.say_list(Kind.OUTCOME, Kind.SANITIZED, found, self.said(Kind.ECHOES), arrays, **said)
        return True

    def into(self) -> IntArray:
        """(n_classes,) int64: under which class each is published, as the tokens say that recoded; -1: it is left out.

        Raises:
            ReportError: they do not say it of all classes of their partitions.
        """
        cuts = unpacked(self.whole(Kind.ECHOES, self.name))[0]["cuts"]
        parts = {number: one.into for number, one in self._works()}
        good = sorted(parts) == list(range(len(cuts))) and all(
            part.shape == (high - low,) and bool(((part == -1) | ((part >= low) & (part < high))).all())
            for (low, high), (_, part) in zip(cuts, sorted(parts.items()), strict=True)
        )
        if not good:
            raise ReportError(
                "Holders must say of each class under which one it is published.", "compare versions of this program."
            )
        return np.concatenate([part for _, part in sorted(parts.items())])

    def recoded(self) -> list[Recoded]:
        """All rows, partition by partition."""
        return [one for _, one in self._works()]

    def _works(self) -> list[tuple[int, Recoded]]:
        """The number of each partition, and what a token made of it."""
        bodies = [self.whole(Kind.SANITIZED, name) for name in self.carriers()]
        return [(number, recoded_from(body)) for raw in bodies for body, number, _ in works_from(raw)]


def partitions(member: IntArray, n_classes: int, least: int) -> list[list[int]]:
    """Classes in runs that hold so many rows at least: first class, and the one after the last.

    Example:
        >>> partitions(np.array([0, 0, 1, 1, 2, -1]), 3, 3)
        [[0, 3]]
        >>> partitions(np.array([0, 0, 1, 1, 2, 2]), 3, 2)
        [[0, 1], [1, 2], [2, 3]]
    """
    sizes = np.bincount(member[member >= 0], minlength=n_classes)
    out, first, rows = [], 0, 0
    for i, size in enumerate(sizes.tolist()):
        rows += size
        if rows >= least:
            out.append([first, i + 1])
            first, rows = i + 1, 0
    if first < n_classes:
        if out:
            out[-1][1] = n_classes
        else:
            out.append([0, n_classes])
    return out


def works_body(works: Sequence[tuple[bytes, int, bytes]]) -> bytes:
    """What tokens of one carrier recoded, each with the number of its partition and its receipt."""
    lengths = np.array([len(body) for body, _, _ in works], np.int64)
    numbers = np.array([number for _, number, _ in works], np.int64)
    receipts = np.frombuffer(b"".join(one for _, _, one in works), np.uint8)
    head = packed({}, {"lengths": lengths, "numbers": numbers, "receipts": receipts})
    return joined(head, b"".join(body for body, _, _ in works))


def works_from(raw: bytes) -> list[tuple[bytes, int, bytes]]:
    """The works that were sent.

    Raises:
        ReportError: it is no such message.
    """
    head, rest = split(raw)
    _, arrays = unpacked(head)
    width, out, at = hashlib.sha256().digest_size, [], 0
    receipts = arrays["receipts"].tobytes()
    for i, (length, number) in enumerate(zip(arrays["lengths"].tolist(), arrays["numbers"].tolist(), strict=True)):
        out.append((rest[at : at + length], number, receipts[width * i : width * i + width]))
        at += length
    if at != len(rest) or len(receipts) != width * len(out):
        raise ReportError("Entries must be as many numbers, texts and boxes; some are not.", "send others.")
    return out


def joined(head: bytes, rest: bytes) -> bytes:
    """A body of two parts, which `split` parts again."""
    return len(head).to_bytes(8, "big") + head + rest


def split(raw: bytes) -> tuple[bytes, bytes]:
    """The two parts of a body."""
    length = int.from_bytes(raw[:8], "big")
    return raw[8 : 8 + length], raw[8 + length :]
