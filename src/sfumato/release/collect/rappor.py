"""Strings collected under RAPPOR: the collection of signed-off parameters, and the design of one."""

from __future__ import annotations

import json
import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.document.result.codec import document_from
from sfumato.document.result.collected import (
    DesignResult,
    EpsilonsAsked,
    ProposalTold,
    StringParameters,
    StringShare,
    StringsResult,
)
from sfumato.engine.duckdb.columns import texts
from sfumato.engine.duckdb.scan import scan
from sfumato.errors import ParameterError, SchemaError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.batch import FORMER, Reports, from_bytes, from_former, packed, to_bytes
from sfumato.mechanism.local.rappor.bloom import bloom_bits, design_bits
from sfumato.mechanism.local.rappor.counts import BitCounts, count_packed
from sfumato.mechanism.local.rappor.decode.decode import decode
from sfumato.mechanism.local.rappor.design import best, propose
from sfumato.mechanism.local.rappor.detection import simulated_power
from sfumato.mechanism.local.rappor.fleet import first_reports
from sfumato.noise.integers import uniform_integers
from sfumato.release.collect.base import Read, Sent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.mechanism.local.rappor.decode.decoded import Decoded
    from sfumato.mechanism.local.rappor.design import Promise, Proposal
    from sfumato.mechanism.local.rappor.detection import Aim
    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.noise.bits import Bits
    from sfumato.release.collect.base import Counts
    from sfumato.table.source import Source
    from sfumato.table.values import Item, Table
    from sfumato.types import IntArray


@dataclass(frozen=True)  # without slots: the design is kept once it is hashed
class RapporCollection:
    """A collection of strings: bits of each cohort are counted, candidate strings are decoded.

    Args:
        params: that were signed off.
        candidates: strings to look for; with declared values, those.
    """

    params: RapporParams
    candidates: tuple[str, ...] = ()

    @property
    def protocol(self) -> str:
        """Name of the variant."""
        return self.params.variant

    @property
    def sizes(self) -> tuple[int, ...]:
        """Bits of each cohort."""
        return (self.params.bits,) * self.params.cohorts

    def digest(self) -> str:
        """Of the parameters."""
        return self.params.digest

    def public(self) -> dict[str, Item]:
        """The parameters, to be used unchanged."""
        return {"kind": "rappor", "digest": self.digest(), "parameters": json.loads(self.params.to_json())}

    def randomized(
        self, source: Source, *, column: str | None, batch: int, bits: Bits, progress: Progress
    ) -> Iterator[Sent]:
        """See `Collecting.randomized`: one first report for each row.

        Every row is a person who reports once and has a secret of their own, so cohorts and reports are independent
        between rows.

        Raises:
            SchemaError: an absent column, or rows without a value. Remedy: leave them out, or give them a text.
            ParameterError: no column is named; or basic RAPPOR, and a value that is not declared. Remedy: declare an `other`.
        """
        if column is None:
            raise ParameterError(
                "A collection of strings does not say which column is reported.", "name it (`--column`)."
            )
        params, (distinct, codes) = self.params, self._values(source, column)
        for start in range(0, len(codes), batch):
            part = codes[start : start + batch]
            cohorts = uniform_integers(len(part), params.cohorts, bits=bits)
            pairs, back = np.unique(part * params.cohorts + cohorts, return_inverse=True)
            held = np.array([bloom_bits(params, distinct[at // params.cohorts], at % params.cohorts) for at in pairs.tolist()])  # fmt: skip
            name = "".join(f"{word:016x}" for word in bits.words(2).tolist())
            reports = packed(cohorts, first_reports(params, held[back], bits=bits))
            yield Sent(name, len(part), to_bytes(params, reports))
            progress(start + len(part), len(codes), "randomizing")

    def _values(self, source: Source, column: str) -> tuple[list[str], IntArray]:
        """The distinct strings, and the place of each row's among them."""
        cells = texts(scan(source), column)
        absent = sum(cell is None for cell in cells)
        if absent:
            raise SchemaError(
                "Every row must have a value in {column!r}; {absent} rows have none.",
                "leave them out, or write a text.",
                column=column,
                absent=absent,
            )
        distinct = list(dict.fromkeys(str(cell) for cell in cells))
        place = {name: code for code, name in enumerate(distinct)}
        for one in distinct if self.params.values else ():
            bloom_bits(self.params, one, 0)
        return distinct, np.array([place[str(cell)] for cell in cells], np.int64)

    def read(self, wire: bytes) -> Read:
        """See `Collecting.read`."""
        reports = from_bytes(self.params, wire)
        return Read(len(reports), reports)

    @property
    def note(self) -> str:
        """See `Collecting.note`."""
        first, ever = self.params.epsilon_first, self.params.epsilon_permanent
        return f"{self.protocol}: epsilon {first:.3g} a report, {ever:.3g} a string for a lifetime."

    @property
    def has_page(self) -> bool:
        """See `Collecting.has_page`."""
        return False

    @property
    def former(self) -> str | None:
        """See `Collecting.former`."""
        return FORMER

    def read_former(self, data: Table) -> Read:
        """See `Collecting.read_former`."""
        reports = from_former(self.params, data)
        return Read(len(reports), reports)

    def add_up(self, contents: Sequence[Reports]) -> IntArray:
        """Reports and bits of many batches, counted together: one pass over all of them."""
        cohorts = np.concatenate([reports.cohorts for reports in contents])
        found = count_packed(self.params, cohorts, np.concatenate([reports.packed for reports in contents]))
        return np.concatenate((found.n, found.ones.ravel()))

    def bits_of(self, counts: Counts) -> BitCounts:
        """The counts as the decoder reads them.

        Raises:
            ReportError: more ones than reports.
        """
        return BitCounts(np.array(counts.reports, np.int64), np.array(counts.support, np.int64))

    def estimate(self, counts: Counts) -> Decoded:
        """See `Collecting.estimate`; every estimate of a server uses one design."""
        return decode(self.params, self.bits_of(counts), self.names, design=self._design)

    @property
    def names(self) -> tuple[str, ...]:
        """The strings that are looked for."""
        return self.params.values or self.candidates

    @cached_property
    def _design(self) -> IntArray:
        """Their bits, hashed when they are first needed: a server that nobody reads starts without."""
        return design_bits(self.params, self.names)


def strings_in(text: str) -> tuple[str, ...]:
    r"""Distinct strings of a text, one a line, in order; empty lines are skipped.

    Example:
        >>> strings_in("b.org\r\n\na.org\nb.org")
        ('b.org', 'a.org')
    """
    lines = (line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n"))
    return tuple(dict.fromkeys(line for line in lines if line))


def design(
    name: str, promise: Promise, aim: Aim, *, values: Sequence[str], runs: int, rng: np.random.Generator
) -> tuple[RapporParams, DesignResult]:
    """Proposals for each report size, the chosen one, and how often it finds strings of its smallest share.

    Args:
        name: of the collection.
        promise: both epsilons.
        aim: what shall be found.
        values: declared strings; (): Bloom filters.
        runs: simulated populations; 0: formula only.
        rng: of the simulation.

    Returns:
        What is to be signed off, and what is told of it.
    """
    found = propose(name, promise, aim, values=values)
    chosen = best(found)
    simulate = runs > 0 and chosen.share < 1
    power = simulated_power(chosen.params, chosen.share, aim, runs=runs, rng=rng) if simulate else None
    told = DesignResult(
        asked=EpsilonsAsked(permanent=promise.permanent, first=promise.first),
        reports=aim.reports,
        candidates=aim.candidates,
        significance=aim.significance,
        power=aim.power,
        simulated_power=power,
        simulated_runs=runs if simulate else 0,
        chosen=found.index(chosen),
        proposals=tuple(_proposal(one) for one in found),
        parameters=document_from(StringParameters, json.loads(chosen.params.to_json()), "sfumato collect design"),
    )
    return chosen.params, told


def _proposal(one: Proposal) -> ProposalTold:
    made = one.params
    return ProposalTold(
        bits=made.bits,
        bytes=-(-made.bits // 8),
        hashes=made.hashes,
        cohorts=made.cohorts,
        f=str(made.f),
        p=str(made.p),
        q=str(made.q),
        epsilon_permanent=None if made.is_one_time else made.epsilon_permanent,
        epsilon_first=made.epsilon_first,
        smallest_share=one.share if math.isfinite(one.share) else None,
        variant=made.variant,
    )


def strings_told(found: Decoded) -> StringsResult:
    """What was decoded: discoveries and all others, the largest shares first."""
    return StringsResult(
        reports=found.reports,
        significance=found.significance,
        confidence=found.confidence,
        correction=found.correction.value,
        selection=found.selection.value,
        silent_cohorts=found.silent,
        scatter=found.scatter,
        unexplained=found.unexplained,
        candidates=tuple(_string(found, i) for i in np.argsort(-found.share, kind="stable").tolist()),
    )


def _string(found: Decoded, at: int) -> StringShare:
    """One candidate; what the counts cannot tell is null."""
    error, low, high = (float(one[at]) for one in (found.error, found.low, found.high))
    return StringShare(
        names=found.names[at],
        share=float(found.share[at]),
        persons=float(found.share[at] * found.reports),
        error=error if math.isfinite(error) else None,
        low=low if math.isfinite(low) else None,
        high=high if math.isfinite(high) else None,
        p_value=float(found.p_value[at]),
        adjusted=float(found.adjusted[at]),
        found=bool(found.found[at]),
    )
