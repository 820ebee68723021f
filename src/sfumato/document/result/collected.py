"""What the sides of a collection tell: protocols compared, designs, counts, estimates; and tables that local privacy noised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.document.result.keys import OMITTED
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleTold:
    """What one oracle would give.

    Args:
        name: of the oracle.
        epsilon: its exact epsilon, at most the asked one.
        mean_variance: mean variance over the values.
        worst_variance: largest variance of an estimated share.
        rare_variance: variance of a value nobody has.
        bytes_per_report: payload of one report, without the header.
        client_draws: random numbers that a device draws for a report, about.
        server_steps: elementary steps of the server for a report, about.
    """

    name: str
    epsilon: float
    mean_variance: float
    worst_variance: float
    rare_variance: float
    bytes_per_report: int
    client_draws: int
    server_steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAdvised:
    """The oracles for one question.

    Args:
        values: number of its values.
        decided_by: which variance decides: mean, worst or rare.
        oracles: the best first.
    """

    values: int
    decided_by: str
    oracles: tuple[OracleTold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeTold:
    """What one scheme for several questions would give.

    Args:
        name: of the scheme.
        worst_variance: largest variance of an estimated share.
        mean_variance: mean variance over the values of all questions.
        tuple_level: true epsilon of the whole record, in nats.
        one_attribute: true epsilon of one answer, in nats.
    """

    name: str
    worst_variance: float
    mean_variance: float
    tuple_level: float
    one_attribute: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendationResult(Document):
    """The oracles for each question, and for several questions the schemes at equal true epsilon.

    Args:
        epsilon: for each person's report, in nats.
        persons: who will answer.
        attributes: the oracles for each question.
        schemes: the best schemes for each notion of neighbors; empty for one question.
    """

    tag: ClassVar = ("format", "sfumato.recommendation/1")
    epsilon: float
    persons: int
    attributes: tuple[QuestionAdvised, ...]
    schemes: Mapping[str, tuple[SchemeTold, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StringParameters(Document):
    """The parameters of a collection of strings, to be used unchanged.

    Args:
        name: of the collection.
        bits: of a report.
        hashes: bits that a string sets.
        cohorts: groups of clients, each with hash functions of its own.
        f: noise of the permanent response, exactly.
        p: chance of a reported 1 where the permanent bit is 0, exactly.
        q: chance of a reported 1 where the permanent bit is 1, exactly.
        values: declared strings; empty: any string.
    """

    tag: ClassVar = ("format", "sfumato.rappor/1")
    name: str
    bits: int
    hashes: int
    cohorts: int
    f: str
    p: str
    q: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EpsilonsAsked:
    """What may not be exceeded.

    Args:
        permanent: epsilon of all reports about one value, in nats; null: each person reports once.
        first: epsilon of a single report, in nats.
    """

    permanent: float | None
    first: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalTold:
    """One proposal.

    Args:
        bits: of a report.
        bytes: of a report.
        hashes: bits that a string sets.
        cohorts: groups of clients.
        f: noise of the permanent response, exactly.
        p: chance of a reported 1 where the permanent bit is 0, exactly.
        q: chance of a reported 1 where the permanent bit is 1, exactly.
        epsilon_permanent: of all reports about one value, in nats; null: each person reports once.
        epsilon_first: of a single report, in nats.
        smallest_share: the smallest share that is found; null: none is.
        variant: which RAPPOR it is.
    """

    bits: int
    bytes: int
    hashes: int
    cohorts: int
    f: str
    p: str
    q: str
    epsilon_permanent: float | None
    epsilon_first: float
    smallest_share: float | None
    variant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignResult(Document):
    """Proposals of a collection of strings.

    Args:
        asked: both epsilons.
        reports: persons who will report.
        candidates: strings that will be tested.
        significance: chance of any false discovery.
        power: chance to find a string of the smallest share.
        simulated_power: how often strings of the smallest share were found; null: nothing was simulated.
        simulated_runs: simulated populations.
        chosen: place of the proposal that finds the smallest share.
        proposals: the best of each size of a report, the shortest first.
        parameters: the chosen one, to be signed off.
    """

    tag: ClassVar = ("format", "sfumato.rappor-design/1")
    asked: EpsilonsAsked
    reports: int
    candidates: int
    significance: float
    power: float
    simulated_power: float | None
    simulated_runs: int
    chosen: int
    proposals: tuple[ProposalTold, ...]
    parameters: StringParameters


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportsResult(Document):
    """Reports that were written.

    Args:
        path: where they are.
        batches: how many.
        collection: digest of what was asked.
    """

    tag: ClassVar = ("format", "sfumato.reports/1")
    path: str
    batches: int
    collection: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SentResult(Document):
    """What became of the batches of a file that were sent to a server.

    Args:
        batches: that the file holds.
        counted: that the server counted now.
        known: that had been counted before.
        collection: digest of what was asked.
    """

    tag: ClassVar = ("format", "sfumato.sent/1")
    batches: int
    counted: int
    known: int
    collection: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsResult(Document):
    """Support counts of a collection, which merge by addition.

    Args:
        collection: digest of what was asked.
        reports: number of reports of each question or cohort.
        support: for each of them, how many reports support each value or have each bit.
        of: names of the files of reports that were counted; absent: not known.
        batches: batches that a server counted; absent: no server did.
    """

    tag: ClassVar = ("format", "sfumato.counts/1")
    collection: str
    reports: tuple[int, ...]
    support: tuple[tuple[int, ...], ...]
    of: tuple[str, ...] | None = field(default=None, metadata=OMITTED)
    batches: int | None = field(default=None, metadata=OMITTED)


@dataclass(frozen=True, slots=True)
class AnswerShare:
    """One answer that could be given.

    Args:
        value: as declared.
        estimate: its share, unbiased; it may be negative.
        low: lower end of its interval.
        high: upper end.
        deviation: exact standard deviation at the estimate.
        projected: the nearest share such that all are >= 0 and add up to 1.
    """

    value: str
    estimate: float
    low: float
    high: float
    deviation: float
    projected: float


@dataclass(frozen=True, slots=True)
class QuestionShares:
    """The answers to one question.

    Args:
        column: what was asked.
        answers: each that could be given.
    """

    column: str
    answers: tuple[AnswerShare, ...]


@dataclass(frozen=True, slots=True)
class EpsilonsKept:
    """Epsilons of a person's report, in nats.

    Args:
        asked: what was asked.
        published: what published definitions say of a scheme; null: an oracle.
        tuple_level: what is truly kept of the whole record.
        one_attribute: what is truly kept of one answer.
    """

    asked: float
    published: float | None
    tuple_level: float
    one_attribute: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatesResult(Document):
    """What the counts of declared questions tell.

    Args:
        collection: digest of what was asked.
        protocol: its name.
        epsilon: what is promised.
        persons: whose reports were counted.
        reports: number of reports of each question.
        confidence: of each interval.
        questions: the answers to each; empty: before the first report.
    """

    tag: ClassVar = ("format", "sfumato.estimates/1")
    collection: str
    protocol: str
    epsilon: EpsilonsKept
    persons: int
    reports: tuple[int, ...]
    confidence: float
    questions: tuple[QuestionShares, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StringShare:
    """One candidate.

    Args:
        names: strings that share all bits, usually one.
        share: unbiased share of the persons; it may be negative.
        persons: the same in persons.
        error: standard error; null: the counts cannot tell.
        low: lower end of its interval; null likewise.
        high: upper end; null likewise.
        p_value: one-sided, of "nobody holds it".
        adjusted: the same, corrected for the number of candidates.
        found: whether it is a discovery.
    """

    names: tuple[str, ...]
    share: float
    persons: float
    error: float | None
    low: float | None
    high: float | None
    p_value: float
    adjusted: float
    found: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StringsResult(Document):
    """What the counts of strings tell.

    Args:
        reports: number of reports.
        significance: discoveries have an adjusted p-value of at most this.
        confidence: of each single interval.
        correction: what the significance bounds.
        selection: how the adjusted strings were found.
        silent_cohorts: cohorts without a report.
        scatter: variance factor for strings that are no candidates or not selected.
        unexplained: share of the persons whose string is no discovery.
        candidates: discoveries and all others, the largest share first.
    """

    tag: ClassVar = ("format", "sfumato.rappor-result/1")
    reports: int
    significance: float
    confidence: float
    correction: str
    selection: str
    silent_cohorts: tuple[int, ...]
    scatter: float
    unexplained: float
    candidates: tuple[StringShare, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisedResult(Document):
    """What a noised table spends.

    Args:
        rows: that were written.
        epsilon: what a person's whole row spends, in nats: the sum over columns, rounded up.
        by_column: what each column spends.
        path: where the table is.
    """

    tag: ClassVar = ("format", "sfumato.noised/1")
    rows: int
    epsilon: float
    by_column: Mapping[str, float]
    path: str


@dataclass(frozen=True, slots=True)
class CategoryShare:
    """The share of a category, estimated from the published cells without bias.

    Args:
        value: the category.
        estimate: its share.
        deviation: its standard deviation.
    """

    value: str
    estimate: float
    deviation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PramColumnTold:
    """What one column spends, and the shares that its published cells tell.

    Args:
        name: of the column.
        epsilon: of one cell, in nats.
        shares: of each category.
    """

    name: str
    epsilon: float
    shares: tuple[CategoryShare, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPromise:
    """What is promised.

    Args:
        statement: the promise as one sentence with its numbers.
        assumptions: what must be true outside the table.
    """

    statement: str
    assumptions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PramResult(Document):
    """What a post-randomized table promises and tells.

    Args:
        rows: that were written.
        row_epsilon: of all columns of a row together, in nats.
        columns: each perturbed one.
        promise: of each of them.
    """

    tag: ClassVar = ("format", "sfumato.pram/1")
    rows: int
    row_epsilon: float
    columns: tuple[PramColumnTold, ...]
    promise: tuple[StatedPromise, ...]
