"""Who carries the messages of tokens: it need not be trusted with a row, but here it also plays the tokens.

Every token enters its row, sees itself under the root, and says so once; for each partition one of them, drawn by lot,
recodes it after it has checked everything for itself.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from sfumato.together import caught, checks
from sfumato.together.check import Check
from sfumato.together.holder import Done, Holder
from sfumato.together.joining import numbers_of
from sfumato.together.ledger import entries_from, ledger_from, to_body
from sfumato.together.phases import digest_of
from sfumato.together.token_publisher import split, works_body, works_from
from sfumato.together.tokens import (
    Partition,
    check_ledger,
    echoed,
    entered,
    receipt,
    recoded_from,
    sanitized,
    session_key,
)
from sfumato.together.wire import Kind, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Generator

    from sfumato.noise.bits import Bits
    from sfumato.together.checks import Watch
    from sfumato.together.holder import Board, Memory
    from sfumato.together.keys import Identity
    from sfumato.together.table import Held
    from sfumato.together.terms import Terms
    from sfumato.types import IntArray


class Carrier(Holder):
    """Tokens of one row each, and who carries their messages.

    Args:
        terms: what is agreed on.
        identity: who carries.
        held: the rows, one for each token.
        board: where messages are put up.
        memory: what was said.
        watch: the checks that tokens make.
        key: that all tokens share.
        bits: secure chance.
    """

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        terms: Terms,
        identity: Identity,
        held: Held,
        board: Board,
        memory: Memory,
        watch: Watch,
        key: bytes,
        bits: Bits,
    ) -> None:
        super().__init__(terms, identity, held, board, memory, watch)
        self._shared, self._bits = key, bits

    def _steps(self) -> Generator[Kind, None, Done]:
        yield from self._invited()
        self.say(Kind.ENROL, json.dumps(self.identity.card.to_dict()).encode())
        key = session_key(self._shared, self.session)
        self.say(Kind.ENTRIES, lambda: to_body(entered(self.held, key, self.session)))
        mine = entries_from(self.kept(Kind.ENTRIES))
        said, arrays = unpacked((yield from self.heard(Kind.CONSTRUCTION)))
        ledger = ledger_from((yield from self.heard(Kind.LEDGER)))
        labels = _labels(said["labels"], arrays["codes"])
        places, macs = echoed(self.watch, key, ledger, mine, self.session, self.publisher)
        self.say(Kind.ECHO, lambda: packed({}, {"places": places, "macs": np.frombuffer(macs, np.uint8)}))
        told, seen = unpacked((yield from self.heard(Kind.ECHOES)))
        root, cuts = bytes.fromhex(said["root"]), [tuple(one) for one in told["cuts"]]
        together = seen["seen"].astype(np.bool_), seen["together"].tobytes()
        if self.memory.get(Kind.SANITIZED.value) is None:
            works = []
            place = said["carriers"].index(self.name)
            for number in range(place, len(cuts), len(said["carriers"])):
                check_ledger(self.watch, key, ledger, root, together, self.publisher)  # each token for itself
                part = self._partition((yield from self.heard(Kind.PARTITION, f"{self.publisher}/{number}")), labels)
                checks.in_cut(self.watch, part.classes, cuts[number], self.publisher)
                done = sanitized(self.terms, self.watch, ledger, part, (key, self.session, self.publisher), self._bits)
                body = done.to_bytes()
                works.append((body, number, receipt(key, root, number, body)))
            self.say(Kind.SANITIZED, lambda: works_body(works))
        else:
            self.say(Kind.SANITIZED, lambda: b"")
        return (yield from self._ended(key, root, cuts, ledger.member, places))

    def _partition(self, raw: bytes, labels: list[list[str | None]]) -> Partition:
        head, rest = split(raw)
        said, arrays = unpacked(head)
        low, high = said["classes"]
        return Partition((int(low), int(high)), arrays["places"].astype(np.int64), entries_from(rest), labels)

    def _ended(
        self, key: bytes, root: bytes, cuts: list[tuple[int, ...]], member: IntArray, places: IntArray
    ) -> Generator[Kind, None, Done]:
        """One token looks through all that tokens recoded, and approves; then it is published.

        Args:
            key: of the tokens for this publication.
            root: of the ledger.
            cuts: classes of each partition.
            member: (n,) class of each entry of the ledger.
            places: where these tokens stand in it.
        """
        told, more = unpacked((yield from self.heard(Kind.OUTCOME)))
        if self.watch.fails(Check.ROOT, told.get("root") == checks.root_of(told["from"])):
            raise caught.other_root(self.publisher)
        numbers, rows, left_out, into = [], 0, 0, np.full(max(high for _, high in cuts), -1)
        for name, digest in told["from"]:
            for work, number, signed in works_from((yield from self._work_of(name, digest))):
                if self.watch.fails(Check.RELEASED, signed == receipt(key, root, number, work)):
                    raise caught.not_as_sent(self.publisher)
                one = recoded_from(work)
                numbers.append(number)
                rows, left_out = rows + len(one.member), left_out + one.left_out
                into[slice(*cuts[number])] = one.into
        whole = sorted(numbers) == list(range(len(cuts))) and rows + left_out == int((member >= 0).sum())
        if self.watch.fails(Check.RELEASED, whole and told.get("rows") == rows):
            raise caught.not_as_sent(self.publisher)
        if self.terms.joins:
            own = member[places]
            known = np.stack([one.codes for one in self.held.known], axis=1)
            last = np.where(own >= 0, into[own], -1)
            self._see_labels(told["labels"], more["codes"].astype(np.int64), last, known)
        self.approve(root=told["root"])
        done, _ = unpacked((yield from self.heard(Kind.PUBLISHED)))
        classes, left, n_joined = numbers_of(into)
        return Done(rows, classes, left, dict(done.get("files", {})), n_joined)

    def _work_of(self, name: str, digest: str) -> Generator[Kind, None, bytes]:
        """What one carrier brought back, as the publisher lists it."""
        parts, number, pieces = [], 0, 1
        while number < pieces:
            while (found := self.board.get(Kind.SANITIZED, name, number)) is None:
                yield Kind.SANITIZED
            parts.append(found)
            number, pieces = number + 1, found.pieces
        if self.watch.fails(Check.ROOT, digest_of([one.digest for one in parts]) == digest):
            raise caught.not_as_sent(self.publisher)
        return b"".join(one.body for one in parts)


def _labels(labels: list[list[str | None]], codes: np.ndarray) -> list[list[str | None]]:
    """For each quasi-identifier the text of each class."""
    return [[texts[code] for code in codes[:, j].tolist()] for j, texts in enumerate(labels)]
