"""The collection document: questions, their declared answers, the protocol, epsilon; and what both sides do with it."""

from __future__ import annotations

import hashlib
import json
import uuid
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.document.codec import read, write
from sfumato.document.collection import CollectionDocument
from sfumato.document.header import COLLECTION, SURVEY, is_of, without_header
from sfumato.document.loading import load, under
from sfumato.engine.duckdb.columns import codes
from sfumato.engine.duckdb.scan import scan
from sfumato.errors import InternalError, ParameterError, PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.mechanism.local.registry import oracle_named
from sfumato.mechanism.local.several.catalog import scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.mechanism.local.several.public import device_of_oracle, device_of_scheme
from sfumato.mechanism.local.several.scheme import TupleCounts
from sfumato.release.collect.base import Counts, Read, Sent
from sfumato.release.collect.estimates import estimates, nothing_yet, promised
from sfumato.release.collect.rappor import RapporCollection
from sfumato.release.collect.spoken import check_labels, check_spoken
from sfumato.table.contents import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sfumato.document.collection import PageTable, QuestionTable
    from sfumato.document.result.collected import EstimatesResult
    from sfumato.mechanism.local.oracle import FrequencyOracle
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.noise.bits import Bits
    from sfumato.release.collect.survey.survey import Survey
    from sfumato.table.source import Source
    from sfumato.table.values import Item, Table
    from sfumato.types import IntArray

CONFIDENCE = 0.95
"""Of the intervals of a server."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question and every answer that can be given: the domain is declared, never read from answers.

    Args:
        column: where its answers stand in a table.
        values: every possible answer.
        text: what a person reads on a phone, by language; {}: there is no page for phones.
        labels: what a person reads there for each answer, by language; {}: the values.
    """

    column: str
    values: tuple[str, ...]
    text: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.values) < 2 or len(set(self.values)) < len(self.values):
            raise PlanError(
                "The question {column!r} needs at least two different values.",
                "declare every possible answer once.",
                column=self.column,
            )


@dataclass(frozen=True)  # without slots: the protocol is kept once it is made
class Collection:
    """A collection: one frozen document for both sides.

    Args:
        questions: what is asked of each person.
        protocol: an oracle ("OUE") for one question, a scheme ("SMP[ADP]") for several.
        epsilon: asked for each person's report, in nats.
        calibration: what epsilon bounds where one attribute is sampled among fakes.
        priors: for RS+RFD, the shares that fakes follow.
        page: what persons read beside the questions on the page for phones; None: there is no such page.
    """

    questions: tuple[Question, ...]
    protocol: str
    epsilon: float
    calibration: Calibration = Calibration.TUPLE_LEVEL
    priors: tuple[tuple[float, ...], ...] | None = None
    page: PageTable | None = None

    @property
    def has_page(self) -> bool:
        """See `Collecting.has_page`."""
        return self.page is not None

    @property
    def domain_sizes(self) -> tuple[int, ...]:
        """Number of values of each question."""
        return tuple(len(question.values) for question in self.questions)

    @property
    def is_scheme(self) -> bool:
        """Whether the protocol is one for several attributes."""
        return "[" in self.protocol

    def oracle(self) -> FrequencyOracle[Any]:
        """The oracle of a collection with one question."""
        if len(self.questions) != 1:
            raise PlanError(
                "An oracle answers one question; {n_questions} are asked.",
                "name a scheme for several, such as `SMP[ADP]`.",
                n_questions=len(self.questions),
            )
        return oracle_named(self.protocol, self.epsilon, self.domain_sizes[0])

    def scheme(self) -> Any:
        """The scheme of a collection with several questions."""
        return scheme_by_label(
            self.protocol, self.epsilon, self.domain_sizes, calibration=self.calibration, priors=self.priors
        )

    @cached_property
    def _protocol(self) -> Any:
        """The scheme or the oracle, whichever the protocol names; made once for many reports."""
        return self.scheme() if self.is_scheme else self.oracle()

    @property
    def sizes(self) -> tuple[int, ...]:
        """See `Collecting.sizes`."""
        return self.domain_sizes

    @property
    def note(self) -> str:
        """See `Collecting.note`."""
        return f"{self.protocol}, epsilon {self.epsilon:g}."

    @property
    def former(self) -> str | None:
        """See `Collecting.former`."""
        return None

    def digest(self) -> str:
        """What must be equal on both sides: questions, values, protocol, epsilon, and what persons read on their phones."""
        parts = [[[q.column, list(q.values)] for q in self.questions], self.protocol, self.epsilon.hex()]
        told = [] if self.page is None else [write(self.page), [[dict(q.text), dict(q.labels)] for q in self.questions]]
        text = json.dumps([*parts, self.calibration.value, self.priors, *told], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def public(self) -> dict[str, Item]:
        """Questions, protocol and epsilon, and how a device makes its report; for phones, what persons read."""
        return dict(self._public)

    @cached_property
    def _public(self) -> dict[str, Item]:
        kept = promised(self)
        return {
            "kind": "oracle",
            "digest": self.digest(),
            "protocol": self.protocol,
            "epsilon": self.epsilon,
            "spent": {"record": kept.tuple_level, "attribute": kept.one_attribute},
            "questions": [write(one) for one in self.questions],
            **({} if self.page is None else {"page": write(self.page)}),
            "device": (device_of_scheme if self.is_scheme else device_of_oracle)(self._protocol),
        }

    def randomized(
        self, source: Source, *, column: str | None, batch: int, bits: Bits, progress: Progress
    ) -> Iterator[Sent]:
        """See `Collecting.randomized`: the reports of each row's answers.

        Raises:
            ParameterError: a column is named. Remedy: the questions name theirs.
            SchemaError: a question without a column, or rows with an undeclared answer.
        """
        if column is not None:
            raise ParameterError("The questions of a collection name their columns.", "leave `--column` away.")
        table = scan(source)
        answers = np.stack([codes(table, q.column, q.values) for q in self.questions], axis=1)
        for start in range(0, len(answers), batch):
            part = answers[start : start + batch]
            reports = self._protocol.randomize(part if self.is_scheme else part[:, 0], bits=bits)
            yield Sent(uuid.uuid4().hex, len(part), self._protocol.to_bytes(reports))
            progress(start + len(part), len(answers), "randomizing")

    def read(self, wire: bytes) -> Read:
        """See `Collecting.read`; supports are counted at once."""
        reports = self._protocol.from_bytes(wire)
        counted = self._protocol.count_support(reports)
        tuples = counted if self.is_scheme else TupleCounts((counted,), (len(reports),))
        counts = Counts(self.digest(), tuples.reports, tuples.support)
        return Read(self.persons(tuples), counts.vector)

    def read_former(self, data: Table) -> Read:
        """There never was another form."""
        raise InternalError("A batch of declared questions has one form.", keys=sorted(data))

    def add_up(self, contents: Sequence[IntArray]) -> IntArray:
        """The sum of vectors."""
        return np.asarray(np.sum(contents, axis=0), np.int64)

    def persons(self, counts: TupleCounts) -> int:
        """Persons whose reports were counted."""
        persons: int = self._protocol.persons(counts) if self.is_scheme else counts.reports[0]
        return persons

    def estimate(self, counts: Counts) -> EstimatesResult:
        """See `Collecting.estimate`."""
        of = estimates if any(counts.reports) else nothing_yet
        return of(self, counts, confidence=CONFIDENCE)


def read_collection(path: Path) -> Collection | RapporCollection | Survey:
    """Read a collection: its TOML document, that of a survey, or the JSON document of RAPPOR's parameters.

    Raises:
        PlanError: the file cannot be read, or says something unknown.
        ParameterError: the parameters are none.
    """
    text = read_text(path, "The collection") if path.is_file() else ""
    if text.lstrip().startswith("{"):
        return RapporCollection(RapporParams.from_json(text))
    return load(path, "collection", _any_from)


def _any_from(document: Table) -> Collection | Survey:
    """A collection or a survey, whichever the first line says."""
    if is_of(document, SURVEY):
        from sfumato.release.collect.survey.survey import survey_from

        return survey_from(document)
    return collection_from(document)


def collection_from(document: Table) -> Collection:
    """Build a collection from its document.

    Args:
        document: `format = "sfumato.collection/1"`, `[[question]]` with `column` and `values`, and `[protocol]`
            with `name`, `epsilon` and, for sampled attributes, `calibration` and `priors`; for phones `[page]`.

    Raises:
        PlanError: a key is absent, unknown or of the wrong type.

    Example:
        >>> asked = {"format": "sfumato.collection/1", "question": [{"column": "color", "values": ["red", "blue"]}],
        ...          "protocol": {"name": "GRR", "epsilon": 1}}
        >>> collection_from(asked).oracle().name
        'GRR'
    """
    title = "the collection"
    said = read(CollectionDocument, without_header(document, COLLECTION, title), title)
    page = _page(said.page)
    return Collection(
        questions=tuple(_question(i, one, page) for i, one in enumerate(said.question)),
        protocol=said.protocol.name,
        epsilon=said.protocol.epsilon,
        calibration=said.protocol.calibration,
        priors=said.protocol.priors,
        page=page,
    )


def _page(said: PageTable | None) -> PageTable | None:
    """The [page], checked."""
    if said is not None:
        with under("page"):
            if not said.languages or len(set(said.languages)) < len(said.languages):
                raise PlanError("`languages` must name each language once, and at least one.", 'say such as ["en"].').below("languages")  # fmt: skip
            for name, texts in (("title", said.title), ("consent", said.consent)):
                with under(name):
                    check_spoken(texts, said.languages, needed=True)
    return said


def _question(place: int, said: QuestionTable, page: PageTable | None) -> Question:
    """One [[question]]."""
    with under("question", place):
        languages = () if page is None else page.languages
        with under("text"):
            check_spoken(said.text, languages, needed=page is not None)
        check_labels(said.labels, languages, len(said.values))
        return Question(said.column, said.values, said.text, said.labels)
