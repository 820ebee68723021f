"""The documents of collections and of perturbed tables as they are written: collection, noising, PRAM, pseudonyms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from sfumato.document.perturb import KeyPlace, PseudonymOptions
from sfumato.document.spec import key
from sfumato.document.survey import Language
from sfumato.frozen import dataclass
from sfumato.mechanism.local.several.epsilon import Calibration


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTable:
    """One question.

    Args:
        column: where its answers stand in a table.
        values: every possible answer.
        text: the question as a person reads it on the page for phones, by language.
        labels: what a person reads there for each answer, by language; absent: the values themselves.
    """

    column: str
    values: tuple[str, ...] = ()
    text: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTable:
    """The page on which phones answer, which the server of the collection then has.

    Args:
        title: what persons read above the questions, by language.
        consent: what persons agree to before the first question, by language.
        languages: in which the questions can be answered; each text is there in each of them.
    """

    title: Mapping[str, str]
    consent: Mapping[str, str]
    languages: tuple[Language, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolTable:
    """How answers are randomized.

    Args:
        name: an oracle such as "OUE" for one question, a scheme such as "SMP[ADP]" for several.
        epsilon: of each person's report, in nats.
        calibration: what epsilon bounds, where one attribute is sampled among fakes.
        priors: the shares that fakes follow, for each question.
    """

    name: str
    epsilon: float
    calibration: Calibration = Calibration.TUPLE_LEVEL
    priors: tuple[tuple[float, ...], ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionDocument:
    """What devices and server agree on.

    Args:
        question: what is asked of each person.
        protocol: how answers are randomized.
        page: what persons read on the page for phones; absent: there is no such page.
    """

    question: tuple[QuestionTable, ...]
    protocol: ProtocolTable
    page: PageTable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisedColumn:
    """How one column is noised, cell by cell.

    Args:
        mechanism: of numbers, such as "laplace", or "grr" of categories.
        epsilon: of a cell, in nats.
        bounds: lowest and highest number.
        steps: of the grid between the bounds.
        integers: whether whole numbers are published.
        outside: what becomes of numbers outside the bounds.
        values: the declared categories.
    """

    mechanism: str
    epsilon: float
    steps: int | None = None
    outside: Literal["refuse", "clamp"] | None = None
    values: tuple[str, ...] = ()
    bounds: tuple[int | float, ...] | None = field(default=None, metadata=key(must="[lowest, highest]"))
    integers: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisingDocument:
    """A table of which every cell is noised.

    Args:
        columns: how each column is noised.
        drop: columns that are left out; a column that is neither blocks the work.
    """

    columns: Mapping[str, NoisedColumn]
    drop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PramColumn:
    """How one column is post-randomized.

    Args:
        values: the declared categories.
        keep: probability that a cell keeps its value, before the matrix is made invariant.
        invariant: weight of the invariant matrix; absent: plain PRAM.
        strata: column within whose values the matrix is made; absent: one matrix.
        strata_values: those values.
    """

    values: tuple[str, ...] = ()
    keep: float
    invariant: float | None = None
    strata: str | None = None
    strata_values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PramDocument:
    """A table of which some columns are post-randomized.

    Args:
        columns: how each of them is.
        missing: texts that mean "missing".
    """

    columns: Mapping[str, PramColumn]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamesTable:
    """One table whose names become pseudonyms.

    Args:
        path: the table.
        output: where the new one goes.
        missing: texts that mean "missing".
        keep: columns that stay as they are.
        drop: columns that are left out.
        dates: columns of dates with their format; "": ISO 8601.
        pseudonyms: columns that get pseudonyms, and how.
    """

    path: str
    output: str
    missing: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    dates: Mapping[str, str] = field(default_factory=dict)
    pseudonyms: Mapping[str, PseudonymOptions]


@dataclass(frozen=True, slots=True, kw_only=True)
class PseudonymsDocument:
    """Tables that get the same pseudonyms.

    Args:
        key: where the key is.
        table: the tables.
    """

    key: KeyPlace
    table: tuple[NamesTable, ...]
