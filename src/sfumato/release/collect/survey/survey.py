"""A survey as a collection: read from its document, answered by phones, counted by a server, estimated."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.document.codec import read, write
from sfumato.document.header import SURVEY, without_header
from sfumato.document.loading import load, under
from sfumato.document.survey import SurveyDocument
from sfumato.errors import InternalError, PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.survey import cross
from sfumato.mechanism.local.survey.randomizer import Number
from sfumato.mechanism.local.survey.spent import whole
from sfumato.mechanism.local.survey.wire import Filled, Shape, from_bytes
from sfumato.release.collect.base import Read, size_of
from sfumato.release.collect.survey.checks import check
from sfumato.release.collect.survey.mechanisms import made, spent, times_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sfumato.document.result.survey import SurveyEstimatesResult
    from sfumato.document.survey import QuestionOfSurvey
    from sfumato.mechanism.local.survey.spent import Spent
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.noise.bits import Bits
    from sfumato.release.collect.base import Counts, Sent
    from sfumato.release.collect.survey.mechanisms import Made
    from sfumato.table.source import Source
    from sfumato.table.values import Item, Table
    from sfumato.types import IntArray

FORM = "sfumato.survey-public/1"
"""What devices are told."""
MOST_COUNTS = 1_000_000
"""Numbers that a server keeps of a survey at most."""
_DAYS = {"day": 1, "week": 7}
_NOT_AGREED = ("ends", "stop")
"""Keys that may change while a survey runs: neither what is asked nor how it is randomized depends on them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, ready to be asked.

    Args:
        said: what the document says of it.
        reports: its randomizer.
        spent: what a person spends on it.
        days: on which it is asked, from 0, the day of a person's first answers.
    """

    said: QuestionOfSurvey
    reports: Made
    spent: Spent
    days: tuple[int, ...]


@dataclass(frozen=True)  # without slots: what follows from the document is kept once it is made
class Survey:
    """A survey: one frozen document for phones and server.

    Args:
        document: as it was written.
        asked: the questions, in its order.
        spent: what a person spends on everything that is ever sent, in nats, rounded up.

    Its counts are a vector of parts. The first part counts phones by time and group; then comes a part for each question,
    each time at which it is asked and each group; then one for each pair of questions that are counted together.
    """

    document: SurveyDocument
    asked: tuple[Asked, ...]
    spent: float

    @property
    def protocol(self) -> str:
        """See `Collecting.protocol`."""
        return "survey"

    @cached_property
    def days(self) -> tuple[int, ...]:
        """The days at which something is asked; the times of the wire form are places in this list."""
        return tuple(sorted({day for one in self.asked for day in one.days}))

    @cached_property
    def shape(self) -> Shape:
        """What the wire form needs."""
        due = tuple(tuple(self.days.index(day) for day in one.days) for one in self.asked)
        questions = tuple(one.reports for one in self.asked)
        return Shape(bytes.fromhex(self.digest()), questions, due, len(self.days), len(self.groups), self.asks)

    @property
    def asks(self) -> int:
        """Questions that each phone asks."""
        return self.document.asks or len(self.asked)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Places of the questions that are counted together."""
        names = [one.said.name for one in self.asked]
        return tuple((names.index(pair.questions[0]), names.index(pair.questions[1])) for pair in self.document.cross)

    @cached_property
    def parts(self) -> tuple[tuple[int, int, int], ...]:
        """The parts of the questions: (question, which of its times, group)."""
        return tuple(
            (i, t, g) for i, one in enumerate(self.asked) for t in range(len(one.days)) for g in range(len(self.groups))
        )

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """See `Collecting.sizes`."""
        pairs = [cross.size_of(self.asked[i].reports, self.asked[j].reports) for i, j in self.pairs]
        first = len(self.days) * len(self.groups)
        return (first, *(self.asked[i].reports.size for i, _, _ in self.parts), *pairs)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        """Where the supports of each part begin in the vector of counts, and where the last ones end."""
        return tuple((len(self.sizes) + np.concatenate([[0], np.cumsum(self.sizes)])).tolist())

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Names of the groups; one without a name where nothing is compared."""
        return ("",) if self.document.experiment is None else tuple(one.name for one in self.document.experiment.arm)

    @property
    def note(self) -> str:
        """See `Collecting.note`."""
        return f"survey {self.document.name}, epsilon {self.spent:.6g} of all answers of a person."

    @property
    def has_page(self) -> bool:
        """See `Collecting.has_page`."""
        return True

    @property
    def former(self) -> str | None:
        """See `Collecting.former`."""
        return None

    def read_former(self, data: Table) -> Read:
        """There never was another form."""
        raise InternalError("A batch of a survey has one form.", keys=sorted(data))

    @cached_property
    def _digest(self) -> str:
        said = {name: item for name, item in write(self.document).items() if name not in _NOT_AGREED}
        exact = [one.reports.parameters() for one in self.asked]
        text = json.dumps([SURVEY.format, said, exact], sort_keys=True, ensure_ascii=False, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def digest(self) -> str:
        """Of everything but the end and the stop rule; sixteen hexadecimal digits, whose eight bytes stand in the wire form."""
        return self._digest

    @cached_property
    def _public(self) -> dict[str, Item]:
        from sfumato.release.collect.survey.public import public

        return public(self)

    def public(self) -> dict[str, Item]:
        """What a phone needs to know, and what it shows: the whole document, and each randomizer exactly."""
        return dict(self._public)

    @cached_property
    def enough(self) -> int | None:
        """Phones after which nobody is asked any more; None: only the end counts."""
        from sfumato.release.collect.survey.power import enough

        return enough(self)

    def randomized(
        self, source: Source, *, column: str | None, batch: int, bits: Bits, progress: Progress
    ) -> Iterator[Sent]:
        """See `Collecting.randomized`: simulated phones, one for each row, over all times."""
        from sfumato.release.collect.survey.people import play

        return play(self, source, column=column, batch=batch, bits=bits, progress=progress)

    def read(self, wire: bytes) -> Read:
        """See `Collecting.read`; supports are counted at once."""
        filled = from_bytes(self.shape, wire)
        return Read(len(filled.time), self.count(filled))

    def count(self, filled: Filled) -> IntArray:
        """What reports add to the vector of counts."""
        total = np.zeros(size_of(self), np.int64)
        groups, starts = len(self.groups), self._starts
        place = filled.time * groups + filled.group
        total[0] = len(place)
        total[starts[0] : starts[1]] = np.bincount(place, minlength=self.sizes[0])
        part, present = 1, frozenset(place.tolist())
        for i, one in enumerate(self.asked):
            at = place[filled.senders(self.shape, i)]
            for t in self.shape.due[i]:
                for g in range(groups):
                    if t * groups + g in present:
                        here = at == t * groups + g
                        total[part] = np.count_nonzero(here)
                        total[starts[part] : starts[part + 1]] = one.reports.count(filled.reports[i][here])
                    part += 1
        for i, j in self.pairs:
            left, right = filled.senders(self.shape, i), filled.senders(self.shape, j)
            both = left & right
            total[part] = np.count_nonzero(both)
            first, second = cross.check_able(self.asked[i].reports), cross.check_able(self.asked[j].reports)
            rows, columns = filled.reports[i][both[left]], filled.reports[j][both[right]]
            total[starts[part] : starts[part + 1]] = cross.count(first, second, rows, columns)
            part += 1
        return total

    def persons(self, vector: IntArray) -> int:
        """Phones that reported at the time at which most did."""
        n = len(self.sizes)
        return int(vector[n : n + self.sizes[0]].reshape(len(self.days), -1).sum(axis=1).max())

    def add_up(self, contents: Sequence[IntArray]) -> IntArray:
        """The sum of vectors."""
        return np.asarray(np.sum(contents, axis=0), np.int64)

    def estimate(self, counts: Counts) -> SurveyEstimatesResult:
        """See `Collecting.estimate`."""
        from sfumato.release.collect.survey.estimates import estimates

        return estimates(self, counts)

    def is_open(self, today: date, persons: int) -> bool:
        """Whether answers are still taken.

        Args:
            today: the day of the server.
            persons: who have answered so far.
        """
        return today <= self.document.ends and (self.enough is None or persons < self.enough)


def read_survey(path: Path) -> Survey:
    """Read the document of a survey.

    Raises:
        PlanError: it cannot be read, or says something that cannot be asked.
    """
    return load(path, "survey", survey_from)


def document_from(document: Table) -> SurveyDocument:
    """The document of a survey, checked, mechanisms and epsilons absent or not.

    Raises:
        PlanError: a key is absent, unknown or of the wrong type, or a question cannot be asked.
    """
    title = "the survey"
    said = read(SurveyDocument, without_header(document, SURVEY, title), title)
    check(said)
    return said


def survey_from(document: Table) -> Survey:
    """Build a survey from its document, of which every mechanism is named.

    Raises:
        PlanError: see `document_from`; also where the questions spend more than the whole person may.
    """
    return survey_of(document_from(document))


def survey_of(said: SurveyDocument) -> Survey:
    """Build a survey from a checked document."""
    asked = tuple(_asked(i, one) for i, one in enumerate(said.question))
    total = whole([one.spent.lifetime for one in asked], said.asks or len(asked))
    if total > said.epsilon * (1 + 1e-12):
        raise PlanError(
            "Everything that a person sends may spend {epsilon}; the questions spend {total:.6g}.",
            "lower their `epsilon`, ask fewer of them (`asks`), or raise that of the survey.",
            epsilon=said.epsilon,
            total=total,
        ).below("epsilon")
    survey = Survey(said, asked, total)
    for i, pair in enumerate(survey.pairs):
        with under("cross", i):
            for place in pair:
                cross.check_able(asked[place].reports)
    if size_of(survey) > MOST_COUNTS:
        raise PlanError(
            "A server keeps at most {most} counts of a survey; this one needs {n}.",
            "ask numbers in fewer steps, or fewer times.",
            most=MOST_COUNTS,
            n=size_of(survey),
        ).below("question")
    return survey


def _asked(place: int, said: QuestionOfSurvey) -> Asked:
    """One question."""
    with under("question", place):
        reports = made(said)
        if isinstance(reports, Number):
            reports.mechanism.decode()  # refuses a mechanism that determines no mean, before anybody is asked
        step = 1 if said.repeat is None else _DAYS[said.repeat.every]
        return Asked(said, reports, spent(said, reports), tuple(step * t for t in range(times_of(said))))
