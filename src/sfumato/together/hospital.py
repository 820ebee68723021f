"""A hospital: it shows its tuples, recodes its own rows in the classes that come back, and sends them without its name.

`Hospital.steps` is the whole of it, without network or disk: it yields where it waits for the publisher. What it said once
it says again in the same words, from its memory, however often it is killed.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import ReportError, SourceError
from sfumato.table.attribute import bind
from sfumato.together import caught, checks, merkle
from sfumato.together.check import Check
from sfumato.together.holder import Done, Holder
from sfumato.together.joining import joined, numbers_of
from sfumato.together.judging import histogram_of, kept_by, not_added_up, sized
from sfumato.together.keys import card_from
from sfumato.together.phases import PIECE
from sfumato.together.sealing import added, agreed, derived, masked, opened, pads, sealed
from sfumato.together.slots import Layout, masked_pieces, places, tags, widths_of, written
from sfumato.together.wire import Kind, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence

    from sfumato.types import BoolArray, IntArray

_MOST_COUNTS = 50_000_000


class Hospital(Holder):
    """One holder of many rows."""

    def _steps(self) -> Generator[Kind, None, Done]:
        yield from self._invited()
        yield from self._enrolled()
        contributed = yield from self._contributed()
        group, domain = yield from self._echoed(contributed)
        n_classes, member = yield from self._constructed()
        into = yield from self._counted(group, domain, n_classes, member)
        return (yield from self._released(group, contributed, member, into))

    def _enrolled(self) -> Generator[Kind, None, None]:
        """All holders are there."""
        mine = self.say(Kind.ENROL, json.dumps(self.identity.card.to_dict()).encode())
        first = self.last
        said, _ = unpacked((yield from self.heard(Kind.ROSTER)))
        found = []
        for name, _ in said["from"]:
            message = self.board.get(Kind.ENROL, name, 0)
            if message is None:
                raise ReportError("{kind!r} is not there in full.", "wait.", kind=Kind.ENROL.value)
            card = card_from(json.loads(message.body))
            if self.watch.fails(Check.ORIGIN, message.is_by(card.verifying()) and message.after == first):
                raise caught.made_up(self.publisher, Kind.ENROL.value, name)
            found.append((card, message.digest))
        cards = [card for card, _ in found]
        checks.enrolled(self.watch, self.terms.said, cards, self.identity.card, self.publisher)
        listed = [[card.name, digest] for card, digest in found]
        checks.listed_once(
            self.watch, listed, said.get("root"), [c.name for c in cards], (self.name, mine), self.publisher
        )
        self.cards |= {card.name: card for card in cards}

    def _contributed(self) -> Generator[Kind, None, dict[str, dict[str, Any]]]:
        """The tuples for the publisher; for the others how wide cells are, and a share of the common key."""
        key = agreed(self.identity, self.cards[self.publisher], "tuples", self.session)
        values = {"values": [one.values for one in self.held.known]}
        body = packed(values, {"tuples": self.held.tuples.astype(np.int32), "counts": self.held.counts})
        self.say(Kind.TUPLES, sealed(key, body, self.name.encode()))
        share = self._secret("share")
        shares = {
            name: sealed(agreed(self.identity, card, "share", self.session), share, self.name.encode()).hex()
            for name, card in self.others.items()
        }
        said = {
            "rows": self.held.n_rows, "widths": widths_of(self.held.carried), "shares": shares,
            "fixed": merkle.root(self._leaves()).hex(),
        }  # fmt: skip
        mine = self.say(Kind.CONTRIBUTION, packed(said))
        found = yield from self.listing(Kind.MANIFEST, Kind.CONTRIBUTION, mine)
        if unpacked(found[self.name].body)[0]["fixed"] != said["fixed"]:
            raise changed()
        told = {name: unpacked(one.body)[0] for name, one in found.items()}
        self.everybody = sum(int(one["rows"]) for one in told.values())
        return told

    def _leaves(self) -> list[bytes]:
        """Each row with its tag, which hides it from whoever would guess: their root fixes the table."""
        codes = np.stack([*(one.codes for one in (*self.held.known, *self.held.carried)), self.held.asked], axis=1)
        whole = np.concatenate(
            (tags(self._secret("tags"), len(codes)), np.ascontiguousarray(codes, "<i8").view(np.uint8)), axis=1
        )
        return whole.view(f"V{whole.shape[1]}").reshape(-1).tolist()

    def _secret(self, *purpose: str) -> bytes:
        """32 bytes that only this holder knows, the same whenever it begins again."""
        return derived(self.identity.seed, self.session, *purpose)

    def _echoed(
        self, contributed: Mapping[str, Mapping[str, Any]]
    ) -> Generator[Kind, None, tuple[bytes, list[list[str | None]]]]:
        """The common key, and the values of sensitive columns over all holders, unknown to the publisher."""
        parts = []
        for name in sorted(self.holders):
            if name == self.name:
                parts.append(self._secret("share"))
                continue
            box = bytes.fromhex(contributed[name]["shares"][self.name])
            parts.append(opened(agreed(self.identity, self.cards[name], "share", self.session), box, name.encode()))
        group = derived(b"".join(parts), "group", self.last)
        own = [[value for value in one.values if value is not None] for one in self._judged()]
        missing = [None in one.values for one in self._judged()]
        box = sealed(group, json.dumps([own, missing]).encode(), self.name.encode())
        mine = self.say(Kind.ECHO, box)
        found = yield from self.listing(Kind.ECHOES, Kind.ECHO, mine)
        told = [json.loads(opened(group, one.body, name.encode())) for name, one in sorted(found.items())]
        domain: list[list[str | None]] = []
        for j in range(len(own)):
            values = sorted({value for one, _ in told for value in one[j]})
            domain.append([*values, *([None] if any(gone[j] for _, gone in told) else [])])
        return group, domain

    def _judged(self) -> list[Any]:
        """The sensitive columns that promises judge."""
        names = [column.name for column in self.terms.carried]
        return [self.held.carried[names.index(name)] for name in self.terms.counted]

    def _constructed(self) -> Generator[Kind, None, tuple[int, IntArray]]:
        """How many classes there are, and the class of each own tuple, as they were fixed for all."""
        said, arrays = unpacked((yield from self.heard(Kind.CONSTRUCTION)))
        names = sorted(self.holders)
        place = names.index(self.name)
        raw = yield from self.heard(Kind.ASSIGNMENT, f"{self.publisher}/{place}")
        told, boxed = unpacked(raw)
        box = boxed["box"].tobytes()
        leaf = self.name.encode() + b"\0" + hashlib.sha256(box).digest()
        path = [bytes.fromhex(one) for one in told["path"]]
        checks.assigned(self.watch, bytes.fromhex(said["root"]), leaf, (place, len(names)), path, self.publisher)
        key = agreed(self.identity, self.cards[self.publisher], "tuples", self.session)
        member = unpacked(opened(key, box, b"assignment"))[1]["member"].astype(np.int64)
        codes = arrays["codes"].astype(np.int64)
        checks.in_classes(member, len(self.held.tuples), len(codes), self.publisher)
        self._see_labels(said["labels"], codes, member, self.held.tuples)
        return len(codes), member

    def _counted(
        self, group: bytes, domain: list[list[str | None]], n_classes: int, member: IntArray
    ) -> Generator[Kind, None, IntArray]:
        """(n_classes,) int64: the class under which each is published, -1: it breaks a promise about sensitive values and is
        left out; counted by all holders together.

        Each adds its numbers behind pads; only the sums appear, and only to holders.
        """
        of = member[self.held.of]
        inside = of >= 0
        parts = [np.bincount(of[inside], minlength=n_classes)]
        for values, one in zip(domain, self._judged(), strict=True):
            place = {value: i for i, value in enumerate(values)}
            code = np.array([place[value] for value in one.values], np.int64)[one.codes]
            parts.append(np.bincount(of[inside] * len(values) + code[inside], minlength=n_classes * len(values)))
        numbers = np.concatenate(parts)
        if len(numbers) > _MOST_COUNTS:
            raise ReportError("Holders count at most {most:,} values by class.", "make classes larger, or judge a column of "
                              "fewer values.", most=_MOST_COUNTS)  # fmt: skip
        behind = masked(numbers, self.name, pads(self.identity, self.others, "counts", self.last))
        mine = self.say(Kind.COUNTS, sealed(group, behind.astype("<u4").tobytes(), self.name.encode()))
        found = yield from self.listing(Kind.TALLIES, Kind.COUNTS, mine)
        parts = [np.frombuffer(opened(group, one.body, name.encode()), "<u4") for name, one in found.items()]
        return self._verdict(added(parts), domain, n_classes, member)

    def _verdict(
        self, total: IntArray, domain: Sequence[Sequence[str | None]], n_classes: int, member: IntArray
    ) -> IntArray:
        """Sizes are checked; classes whose values break a promise are left out, or joined with others as all holders do."""
        rows, at = total[:n_classes], n_classes
        histograms, adds_up = [], bool(rows.sum() <= self.everybody)
        for name, values in zip(self.terms.counted, domain, strict=True):
            attribute = bind(self.terms.plan.schema[name], values)
            code = np.array([attribute.hierarchy.labels[0].index(value) for value in values], np.int64)
            table = np.zeros((n_classes, attribute.hierarchy.n_leaves), np.int64)
            table[:, code] = total[at : at + n_classes * len(values)].reshape(n_classes, len(values))
            at += n_classes * len(values)
            adds_up = adds_up and np.array_equal(table.sum(axis=1), rows)
            histograms.append(histogram_of(attribute, table))
        classes = sized(rows, histograms)
        asked = np.zeros(n_classes, np.int64)
        np.maximum.at(asked, member[member >= 0], self.held.tuples[member >= 0, -1])
        if not adds_up:
            raise not_added_up()
        checks.large_enough(self.watch, self.terms.sized, classes, asked, self.publisher)
        if self.terms.joins:
            return joined(classes, lambda found: kept_by(self.terms.judged, found))
        return np.where(kept_by(self.terms.judged, classes), np.arange(n_classes), -1)

    def _released(
        self, group: bytes, contributed: Mapping[str, Mapping[str, Any]], member: IntArray, into: IntArray
    ) -> Generator[Kind, None, Done]:
        """Agree on what is left out or joined, send the own rows among those of the others, and approve what comes of it."""
        last = np.where(member >= 0, into[member], -1)
        of = last[self.held.of]
        mine = of >= 0
        said = packed({"rows": int(mine.sum())}, {"into": into.astype(np.int32)})
        verdicts, (more, arrays) = yield from self.listing_and_more(
            Kind.VERDICTS, Kind.VERDICT, self.say(Kind.VERDICT, said)
        )
        told = {name: unpacked(one.body) for name, one in verdicts.items()}
        others = {name: found["into"].astype(np.int64).tobytes() for name, (_, found) in told.items()}
        checks.same_left_out(self.watch, others, into.tobytes())
        if self.terms.joins:
            self._see_labels(more["labels"], arrays["codes"].astype(np.int64), last, self.held.tuples)
        rows = {name: int(one["rows"]) for name, (one, _) in told.items()}
        widths = np.max([one["widths"] for one in contributed.values()], axis=0, initial=0)
        layout = Layout(tuple(int(w) for w in widths), sum(rows.values()))
        own = self._written(layout, of, mine)
        self._send(layout, own, places(derived(group, "slots", self.last), rows, self.name))
        release = yield from self._approved(layout, own)
        classes, left_out, n_joined = numbers_of(into)
        return Done(len(own), classes, left_out, release, n_joined)

    def _written(self, layout: Layout, of: IntArray, mine: BoolArray) -> np.ndarray:
        """The own rows as they are published."""
        from sfumato.together.table import Coded

        carried = [Coded(one.values, one.codes[mine]) for one in self.held.carried]
        return written(layout, of[mine], tags(self._secret("tags"), len(of))[mine], carried)

    def _send(self, layout: Layout, own: np.ndarray, slots: IntArray) -> None:
        """Put the rows up, piece by piece; the same pieces whenever it begins again."""
        shared = list(pads(self.identity, self.others, "slots", self.last).values())
        step = layout.at_once(PIECE)
        pieces = max(1, -(-layout.rows // step))
        bodies: Iterable[bytes] = masked_pieces(layout, own, slots, shared, PIECE) if layout.rows else [b""]
        for number, body in enumerate(bodies):
            self.board.post(self._signed(Kind.SLOTS, number, pieces, self.last, body))

    def _approved(self, layout: Layout, own: np.ndarray) -> Generator[Kind, None, dict[str, Any]]:
        """The rows that would be published are all there, mine as I sent them."""
        sent = self.last
        raw = yield from self.heard(Kind.OPENED)
        opened_, self.last = self.last, sent
        said, _ = unpacked((yield from self.heard(Kind.OUTCOME)))
        rows = np.frombuffer(raw, np.uint8)
        rows = rows.reshape(-1, layout.width) if not len(rows) % layout.width else rows
        checks.released(self.watch, rows, own, layout.rows, self.publisher)
        same = said.get("opened") == opened_ and said.get("sha256") == hashlib.sha256(raw).hexdigest()
        if self.watch.fails(Check.RELEASED, same):
            raise caught.not_as_sent(self.publisher)
        mine = self.approve(sha256=said["sha256"])
        told, _ = unpacked((yield from self.heard(Kind.PUBLISHED)))
        checks.listed_once(
            self.watch, told["from"], told.get("root"), [*self.holders], (self.name, mine), self.publisher
        )
        return dict(told.get("files", {}))


def changed() -> SourceError:
    """The refusal to go on with another table."""
    return SourceError("A table must not change while it is published; this one did.", "begin a new publication.")
