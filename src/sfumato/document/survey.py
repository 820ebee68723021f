"""The document of a survey as it is written: questions, how each is randomized, what a person spends, consent, groups, end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias

from sfumato.document.spec import key
from sfumato.frozen import dataclass

Language: TypeAlias = Literal["fr", "en"]
"""A language in which a phone asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatTable:
    """A question that is asked again and again.

    Args:
        every: how often.
        times: how many times in all, the first included.
        first: epsilon of a single report, in nats, where answers are remembered; absent with dBitFlipPM, which sends what it
            remembers.
        bits: values about which a phone answers, of dBitFlipPM.
        distinct: different answers that one person may give over all times, where answers are remembered.
    """

    every: Literal["day", "week"]
    times: int
    first: float | None = None
    bits: int | None = None
    distinct: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTable:
    """What every question says.

    Args:
        name: of the question; the column of its answers in a table, unless `column` says another.
        column: where its answers stand in a table, for simulation.
        text: the question, by language.
        mechanism: how answers are randomized; absent: `sfumato survey design` chooses.
        epsilon: of all reports about this question, in nats; absent: `sfumato survey design` chooses.
        difference: the smallest difference that matters, as a share of the persons or of the range; absent: a half.
        repeat: how it is asked again; absent: it is asked once.
    """

    name: str
    text: Mapping[str, str]
    column: str | None = None
    mechanism: str | None = None
    epsilon: float | None = None
    difference: float | None = None
    repeat: RepeatTable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class YesNoTable(AskedTable):
    """A question answered by yes or no.

    Args:
        values: the words for no and yes in a table.
        chances: of a classical design, by the name of its chance (`truth`, `yes`, `sensitive`, `if_yes`, …).
    """

    tag: ClassVar[tuple[str, str]] = ("kind", "yes-no")
    values: tuple[str, ...] = ("no", "yes")
    chances: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOfTable(AskedTable):
    """A question answered by one of several values.

    Args:
        values: every possible answer; also one such as "I prefer not to say".
        labels: what a person reads for each of them, by language; absent: the values themselves.
    """

    tag: ClassVar[tuple[str, str]] = ("kind", "one-of")
    values: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SomeOfTable(AskedTable):
    """A question answered by several of many values.

    Args:
        values: every possible answer; in a table each is a column of its own, with the words of `words`.
        words: the words for no and yes in these columns.
        labels: what a person reads for each of them, by language; absent: the values themselves.
        most: how many a person may choose at most.
    """

    tag: ClassVar[tuple[str, str]] = ("kind", "some-of")
    values: tuple[str, ...]
    words: tuple[str, ...] = ("no", "yes")
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleTable(AskedTable):
    """A question answered by a whole number on a scale.

    Args:
        bounds: the lowest and the highest number.
        labels: what a person reads for each of them, by language; absent: the numbers themselves.
    """

    tag: ClassVar[tuple[str, str]] = ("kind", "scale")
    bounds: tuple[int, ...] = field(metadata=key(must="[lowest, highest]"))
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberTable(AskedTable):
    """A question answered by a number.

    Args:
        bounds: lowest and highest number; what is beyond becomes the nearest of them, on the phone.
        steps: of the grid between the bounds, to which answers are rounded at random.
        unit: of the number, by language.
    """

    tag: ClassVar[tuple[str, str]] = ("kind", "number")
    bounds: tuple[int | float, ...] = field(metadata=key(must="[lowest, highest]"))
    steps: int = 64
    unit: Mapping[str, str] = field(default_factory=dict)


QuestionOfSurvey: TypeAlias = YesNoTable | OneOfTable | SomeOfTable | ScaleTable | NumberTable
"""One [[question]]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmTable:
    """One group of an experiment.

    Args:
        name: of the group.
        text: what its persons read before the questions, by language; absent: nothing.
    """

    name: str
    text: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentTable:
    """Groups between which answers are compared; each phone draws its group itself, all alike, and sends it along.

    Args:
        name: of the experiment.
        arm: the groups; the first is the control.
    """

    name: str
    arm: tuple[ArmTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTable:
    """Two questions whose answers are counted together.

    Args:
        questions: their names; both randomized by GRR, SUE or OUE, or by a classical design, and asked once.
    """

    questions: tuple[str, ...] = field(metadata=key(must="[name, name]"))


@dataclass(frozen=True, slots=True, kw_only=True)
class StopTable:
    """When enough have answered; whichever comes first. Neither depends on what was answered, so looking often misleads nobody.

    Args:
        respondents: stop at so many.
        half_width: stop when every interval is at most this wide to each side, as a share of the persons or of the range,
            whatever the answers are.
    """

    respondents: int | None = None
    half_width: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyDocument:
    """A survey that phones answer under local privacy.

    Args:
        name: of the survey; it separates what phones remember from other surveys.
        title: what persons read above the questions, by language.
        consent: what persons agree to before the first question, by language.
        languages: in which the survey can be answered; each text is there in each of them.
        epsilon: what everything that a person ever sends may spend, in nats.
        asks: how many of the questions each phone draws and asks; absent: all of them.
        ends: the last day on which answers are taken.
        question: the questions, in order.
        experiment: groups that are compared; absent: none.
        cross: pairs of questions that are counted together.
        stop: when enough have answered; absent: only the end counts.
    """

    name: str
    title: Mapping[str, str] = field(default_factory=dict)
    consent: Mapping[str, str]
    languages: tuple[Language, ...]
    epsilon: float
    asks: int | None = None
    ends: date = field(metadata=key(must="a day", remedy="write such as 2027-06-30."))
    question: tuple[QuestionOfSurvey, ...]
    experiment: ExperimentTable | None = None
    cross: tuple[CrossTable, ...] = ()
    stop: StopTable | None = None
