"""What do devices and server agree on? The questions, their declared answers, the protocol, epsilon."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import PlanError
from sfumato.mechanism.local.registry import oracle_named
from sfumato.mechanism.local.several.catalog import scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.release.document import Section, load_toml

if TYPE_CHECKING:
    from sfumato.mechanism.local.oracle import FrequencyOracle

VERSION = 1
"""Version of the collection document."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question and every answer that can be given: the domain is declared, never read from answers."""

    column: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.values) < 2 or len(set(self.values)) < len(self.values):
            raise PlanError(
                "The question {column!r} needs at least two different values.",
                "declare every possible answer once.",
                column=self.column,
            )


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection: one frozen document for both sides.

    Args:
        questions: what is asked of each person.
        protocol: an oracle ("OUE") for one question, a scheme ("SMP[ADP]") for several.
        epsilon: asked for each person's report, in nats.
        calibration: what epsilon bounds where one attribute is sampled among fakes.
        priors: for RS+RFD, the shares that fakes follow.
    """

    questions: tuple[Question, ...]
    protocol: str
    epsilon: float
    calibration: Calibration = Calibration.TUPLE_LEVEL
    priors: tuple[tuple[float, ...], ...] | None = None

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

    def protocol_object(self) -> Any:
        """The scheme or the oracle, whichever the protocol names; build it once for many reports."""
        return self.scheme() if self.is_scheme else self.oracle()

    def digest(self) -> str:
        """What must be equal on both sides: questions, values, protocol, epsilon."""
        parts = [[[q.column, list(q.values)] for q in self.questions], self.protocol, self.epsilon.hex()]
        text = json.dumps([*parts, self.calibration.value, self.priors], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_collection(path: Path) -> Collection:
    """Read a collection from TOML.

    Raises:
        PlanError: the file cannot be read, or says something unknown.
    """
    return collection_from(load_toml(path, "collection"))


def collection_from(document: Mapping[str, object]) -> Collection:
    """Build a collection from its document.

    Args:
        document: `sfumato_collection = 1`, `[[question]]` with `column` and `values`, and `[protocol]`
            with `name`, `epsilon` and, for sampled attributes, `calibration` and `priors`.

    Raises:
        PlanError: a key is absent, unknown or of the wrong type.

    Example:
        >>> asked = {"sfumato_collection": 1, "question": [{"column": "color", "values": ["red", "blue"]}],
        ...          "protocol": {"name": "GRR", "epsilon": 1}}
        >>> collection_from(asked).oracle().name
        'GRR'
    """
    top = Section("the collection", document)
    if top.required("sfumato_collection", int) != VERSION:
        raise PlanError("`sfumato_collection` must be {version}.", "correct it.", version=VERSION)
    questions = tuple(_question(items) for items in top.required("question", list))
    protocol = Section("[protocol]", top.required("protocol", dict))
    priors = protocol.optional("priors", list)
    collection = Collection(
        questions=questions,
        protocol=protocol.required("name", str),
        epsilon=protocol.required("epsilon", float),
        calibration=protocol.choice("calibration", Calibration, Calibration.TUPLE_LEVEL),
        priors=None if priors is None else tuple(tuple(float(share) for share in prior) for prior in priors),
    )
    protocol.finish()
    top.finish()
    return collection


def _question(items: object) -> Question:
    """One [[question]]."""
    section = Section("[[question]]", items)
    question = Question(section.required("column", str), section.texts("values"))
    section.finish()
    return question
