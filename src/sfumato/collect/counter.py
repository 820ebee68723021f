"""What does a collection count? A vector of whole numbers that merges by addition, read off each batch."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sfumato.collect.snapshot import Row, Snapshot
from sfumato.errors import ReportError
from sfumato.mechanism.local.rappor.batch import MOST_ID, PackedBatch, from_data
from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.counts import BitCounts, count_packed
from sfumato.mechanism.local.rappor.decode.decode import decode
from sfumato.mechanism.local.several.scheme import TupleCounts
from sfumato.release.collect.rappor import counts_document as counts_of
from sfumato.release.collect.server import count_line, counts_document, estimates, persons_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.mechanism.local.rappor.decode.decoded import Decoded
    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.release.collect.collection import Collection
    from sfumato.types import IntArray

BATCH = "sfumato.batch/1"
"""Wire form of a batch of any frequency oracle: its `reports` are one line that `sfumato collect randomize` wrote."""


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """One batch, read and counted.

    Args:
        batch: its id.
        digest: SHA-256 of what was sent; the same id with other content is a mistake.
        reports: how many.
        content: what was read; the counter that made it adds up many of them at once.
        add_up: turns contents into (size,) int64, what they add to the totals.
    """

    batch: str
    digest: bytes
    reports: int
    content: Any
    add_up: Callable[[Sequence[Any]], IntArray]


class Counter(Protocol):
    """How reports of one collection are read, and what the totals mean."""

    @property
    def kind(self) -> str:
        """Name of the protocol."""
        ...

    @property
    def digest(self) -> str:
        """Of the parameters that clients and server share."""
        ...

    @property
    def size(self) -> int:
        """Length of the vector of totals."""
        ...

    @property
    def document(self) -> Mapping[str, object]:
        """What clients need to know; public."""
        ...

    def count(self, data: object, body: bytes) -> Counted:
        """Read a parsed batch from anyone at all.

        Raises:
            ReportError: it is no batch of this collection.
        """
        ...

    def counts(self, totals: IntArray) -> Mapping[str, object]:
        """The totals as a document."""
        ...

    def estimate(self, totals: IntArray) -> Mapping[str, object]:
        """Estimates with intervals as a document; empty lists before the first report."""
        ...

    def snapshot(self, totals: IntArray) -> Snapshot:
        """The estimate for the live page."""
        ...


@dataclass(frozen=True)  # without slots: the design is kept once it is hashed
class RapporCounter:
    """A RAPPOR collection: bits of each cohort are counted, candidate strings are decoded.

    Args:
        params: that were signed off.
        candidates: strings to look for; with declared values, those.
    """

    params: RapporParams
    candidates: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Name of the variant."""
        return self.params.variant

    @property
    def digest(self) -> str:
        """Of the parameters."""
        return self.params.digest

    @property
    def size(self) -> int:
        """Reports and bits of each cohort."""
        return self.params.cohorts * (1 + self.params.bits)

    @property
    def document(self) -> Mapping[str, object]:
        """The parameters, to be used unchanged."""
        return {"kind": "rappor", "digest": self.digest, "parameters": json.loads(self.params.to_json())}

    def count(self, data: object, body: bytes) -> Counted:
        """See `Counter.count`."""
        batch = from_data(self.params, data)
        return Counted(batch.batch, hashlib.sha256(body).digest(), len(batch.cohorts), batch, self._add_up)

    def _add_up(self, batches: Sequence[PackedBatch]) -> IntArray:
        """Reports and bits of many batches, counted together: one pass over all of them."""
        cohorts = np.concatenate([batch.cohorts for batch in batches])
        found = count_packed(self.params, cohorts, np.concatenate([batch.packed for batch in batches]))
        return np.concatenate((found.n, found.ones.ravel()))

    def counts(self, totals: IntArray) -> Mapping[str, object]:
        """Reports and ones by cohort."""
        return counts_of(self.params, self._of(totals))

    def estimate(self, totals: IntArray) -> Mapping[str, object]:
        """The decoder's result."""
        return self._decoded(totals).to_data()

    def snapshot(self, totals: IntArray) -> Snapshot:
        """Discoveries, largest first; the largest estimates while there are none."""
        found = self._decoded(totals)
        able = np.isfinite(found.error)
        shown = np.flatnonzero(able & found.found) if np.any(able & found.found) else np.flatnonzero(able)
        rows = tuple(
            Row(" = ".join(found.names[i]), float(found.share[i]), float(found.low[i]), float(found.high[i]))
            for i in shown.tolist()
        )
        n_found = int(np.count_nonzero(able & found.found))
        facts = {
            "strings found": str(n_found),
            "candidates": str(len(found.names)),
            "unexplained": f"{found.unexplained:.1%}",
        }
        caption = (
            "Strings found at a false share of 5 %"
            if n_found
            else "No string is certain yet; estimates of the candidates"
        )
        note = f"{self.kind}: epsilon {self.params.epsilon_first:.3g} a report, {self.params.epsilon_permanent:.3g} a string for a lifetime."
        return Snapshot(found.reports, rows, caption, note, facts)

    def _decoded(self, totals: IntArray) -> Decoded:
        """The decoder's result; every estimate and every redrawn page uses one design."""
        return decode(self.params, self._of(totals), self._names, design=self._design)

    @property
    def _names(self) -> tuple[str, ...]:
        """The strings that are looked for."""
        return self.params.values or self.candidates

    @cached_property
    def _design(self) -> IntArray:
        """Their bits, hashed when they are first needed: a server that nobody reads starts without."""
        return design_bits(self.params, self._names)

    def _of(self, totals: IntArray) -> BitCounts:
        """The counts in a vector of totals."""
        m = self.params.cohorts
        return BitCounts(totals[:m], totals[m:].reshape(m, self.params.bits))


@dataclass(frozen=True, slots=True)
class OracleCounter:
    """A collection of one or several declared questions under any frequency oracle or scheme.

    Args:
        collection: the document that devices and server share.
    """

    collection: Collection
    protocol: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "protocol", self.collection.protocol_object())

    @property
    def kind(self) -> str:
        """Name of the protocol."""
        return self.collection.protocol

    @property
    def digest(self) -> str:
        """Of questions, values, protocol and epsilon."""
        return self.collection.digest()

    @property
    def size(self) -> int:
        """Reports by question, then supports of all values."""
        return self._counted + sum(self.collection.domain_sizes)

    @property
    def _counted(self) -> int:
        """How many numbers of reports there are."""
        return len(self.collection.questions) if self.collection.is_scheme else 1

    @property
    def document(self) -> Mapping[str, object]:
        """Questions, protocol and epsilon."""
        asked = [{"column": q.column, "values": list(q.values)} for q in self.collection.questions]
        return {
            "kind": "oracle",
            "digest": self.digest,
            "protocol": self.kind,
            "epsilon": self.collection.epsilon,
            "questions": asked,
        }

    def count(self, data: object, body: bytes) -> Counted:
        """See `Counter.count`."""
        keys = {"format", "collection", "batch", "reports"}
        if not isinstance(data, dict) or set(data) != keys or data["format"] != BATCH:
            raise ReportError(
                "A batch must have the format {batch!r} and exactly its keys.", "send what a device makes.", batch=BATCH
            )
        if data["collection"] != self.digest:
            raise ReportError(
                "A batch must come from devices with the server's document; this is another.", "give both one document."
            )
        batch, line = data["batch"], data["reports"]
        is_id = isinstance(batch, str) and 0 < len(batch) <= MOST_ID and batch.isprintable()
        if not is_id or not isinstance(line, str):
            raise ReportError(
                "A batch id must be a text of 1 to {most_id} printable characters, reports a text.",
                "send what a device makes.",
                most_id=MOST_ID,
            )
        found = count_line(self.protocol, line, is_scheme=self.collection.is_scheme)
        addend = np.concatenate((np.array(found.reports, np.int64), *found.support))
        return Counted(batch, hashlib.sha256(body).digest(), persons_of(self.collection, found), addend, _summed)

    def counts(self, totals: IntArray) -> Mapping[str, object]:
        """As `sfumato collect aggregate` writes them."""
        return counts_document(self.collection, self._of(totals))

    def estimate(self, totals: IntArray) -> Mapping[str, object]:
        """As `sfumato collect estimate` prints it."""
        if not np.any(totals[: self._counted]):
            return {
                "format": "sfumato.estimates/1",
                "collection": self.digest,
                "persons": 0,
                "reports": [0] * self._counted,
                "questions": [],
            }
        return estimates(self.collection, self.counts(totals), confidence=0.95)

    def snapshot(self, totals: IntArray) -> Snapshot:
        """Every answer of every question."""
        found: Any = self.estimate(totals)
        many = len(self.collection.questions) > 1
        rows = tuple(
            Row(f"{q['column']}: {a['value']}" if many else a["value"], a["estimate"], a["low"], a["high"])
            for q in found["questions"] for a in q["answers"]
        )  # fmt: skip
        return Snapshot(
            found["persons"], rows, "Shares of all answers", f"{self.kind}, epsilon {self.collection.epsilon:g}."
        )

    def _of(self, totals: IntArray) -> TupleCounts:
        """The counts in a vector of totals."""
        n = self._counted
        cuts = np.cumsum(self.collection.domain_sizes)[:-1]
        return TupleCounts(tuple(np.split(totals[n:], cuts)), tuple(int(one) for one in totals[:n]))


def _summed(addends: Sequence[IntArray]) -> IntArray:
    """The sum of vectors."""
    return np.asarray(np.sum(addends, axis=0), np.int64)
