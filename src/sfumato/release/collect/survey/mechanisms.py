"""The randomizer of a question, by the name of its mechanism; and which mechanisms a question may have."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from sfumato.document.survey import NumberTable, ScaleTable, SomeOfTable, YesNoTable
from sfumato.errors import PlanError
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.longitudinal.d_bit_flip import DBitFlip
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import l_osue, l_sue
from sfumato.mechanism.local.longitudinal.loloha import LOLOHA, best_cells
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.randomized_response import (
    disguised_response,
    forced_response,
    mirrored_question,
    unrelated_question,
    warner,
)
from sfumato.mechanism.local.registry import oracle_named, oracles
from sfumato.mechanism.local.survey.randomizer import Choice, Coins, Number
from sfumato.mechanism.local.survey.remembered import Remembered
from sfumato.mechanism.local.survey.several_answers import EveryBit, OneBit
from sfumato.mechanism.local.survey.spent import Spent, spent_afresh, spent_remembering
from sfumato.release.perturb_local import NUMERIC

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from sfumato.document.survey import QuestionOfSurvey, RepeatTable
    from sfumato.mechanism.local.longitudinal.protocol import Longitudinal
    from sfumato.mechanism.local.randomized_response import YesNoDesign

T = TypeVar("T")
Made: TypeAlias = Choice | Coins | Number | EveryBit | OneBit | Remembered
"""What a question can have."""

DESIGNS: Mapping[str, tuple[Callable[..., YesNoDesign], tuple[str, ...]]] = MappingProxyType(
    {
        "Warner": (warner, ("truth",)),
        "forced response": (forced_response, ("truth", "yes")),
        "mirrored question": (mirrored_question, ("sensitive",)),
        "disguised response": (disguised_response, ("if_yes", "if_no")),
        "unrelated question": (unrelated_question, ("sensitive", "unrelated_yes")),
    }
)
"""Classical designs of a yes-no question, with the names of their chances."""
SEVERAL: Mapping[str, type[EveryBit | OneBit]] = MappingProxyType({one.name: one for one in (EveryBit, OneBit)})
"""Mechanisms of several answers."""
REMEMBERING = ("L-GRR", "L-SUE", "L-OSUE", "LOLOHA", "dBitFlipPM")
"""Protocols that remember."""


def values_of(said: QuestionOfSurvey) -> tuple[str, ...]:
    """The answers whose shares are estimated; () for numbers.

    Example:
        >>> values_of(ScaleTable(name="mood", text={}, bounds=(1, 3)))
        ('1', '2', '3')
    """
    if isinstance(said, ScaleTable):
        return tuple(str(value) for value in range(said.bounds[0], said.bounds[1] + 1))
    return () if isinstance(said, NumberTable) else said.values


def allowed(said: QuestionOfSurvey) -> tuple[str, ...]:
    """The mechanisms that a question may have.

    Example:
        >>> allowed(NumberTable(name="hours", text={}, bounds=(0, 24)))[:2]
        ('laplace', 'staircase')
    """
    if isinstance(said, SomeOfTable):
        return tuple(SEVERAL)
    if isinstance(said, NumberTable):
        return _numeric()
    remembering = REMEMBERING if said.repeat is not None else ()
    if isinstance(said, YesNoTable):
        return (*oracles(), *remembering, *DESIGNS)
    return (*oracles(), *remembering, *(_numeric() if isinstance(said, ScaleTable) else ()))


def _numeric() -> tuple[str, ...]:
    """Mechanisms of numbers that keep their epsilon as it is asked."""
    return tuple(name for name in NUMERIC if name != "naive staircase")


def remembers(said: QuestionOfSurvey) -> bool:
    """Whether the mechanism of a question remembers."""
    return said.mechanism in REMEMBERING


def times_of(said: QuestionOfSurvey) -> int:
    """How often a question is asked."""
    return 1 if said.repeat is None else said.repeat.times


def made(said: QuestionOfSurvey) -> Made:
    """The randomizer of a question that names mechanism and epsilon.

    Raises:
        PlanError: a mechanism that such a question cannot have, or one without what it needs.
        ParameterError: a number outside its range.

    Example:
        >>> made(YesNoTable(name="smokes", text={}, mechanism="GRR", epsilon=1.0)).bits_per_report
        1
    """
    name, known = said.mechanism, allowed(said)
    if name not in known:
        raise PlanError(
            "The mechanism of the question {question!r} must be one of {known}; got {name!r}.",
            "choose one of these; those that remember need `repeat`.",
            question=said.name,
            known=", ".join(known),
            name=name,
        ).below("mechanism")
    if name in DESIGNS and isinstance(said, YesNoTable):
        return _design(said, name)
    if name in REMEMBERING:
        return Remembered(_protocol(said, name, len(values_of(said))), name)
    return _afresh(said, name)


def spent(said: QuestionOfSurvey, randomizer: Made) -> Spent:
    """What a person spends on a question over all times."""
    if isinstance(randomizer, Remembered):
        repeat = _needed(said.repeat, said, "repeat")
        distinct = _needed(repeat.distinct, said, "repeat.distinct")
        return spent_remembering(randomizer.protocol, repeat.times, distinct)
    return spent_afresh(randomizer.epsilon, times_of(said))


def _afresh(said: QuestionOfSurvey, name: str) -> Made:
    """A randomizer that draws anew each time: each report has an equal part of epsilon."""
    epsilon = check_epsilon(_needed(said.epsilon, said, "epsilon")) / times_of(said)
    if isinstance(said, SomeOfTable):
        return SEVERAL[name](epsilon, len(said.values), said.most)
    if name in NUMERIC and isinstance(said, NumberTable | ScaleTable):
        return Number(NUMERIC[name](_grid(said), epsilon))
    return Choice(oracle_named(name, epsilon, len(values_of(said))))


def _grid(said: NumberTable | ScaleTable) -> Grid:
    """The grid of a number, or of a scale, which has no other points."""
    if isinstance(said, ScaleTable):
        return Grid.integers(*said.bounds)
    return Grid(float(said.bounds[0]), float(said.bounds[1]), steps=said.steps, outside="clamp")


def _design(said: YesNoTable, name: str) -> Coins:
    """A classical design; its epsilon follows from its chances and must not exceed what is declared."""
    make, chances = DESIGNS[name]
    needed = chances[:1] if name == "disguised response" else chances
    if not set(needed) <= set(said.chances) <= set(chances):
        raise PlanError(
            "The design {name!r} of the question {question!r} needs the chances {needed}; got {given}.",
            "say them in `chances`.",
            name=name,
            question=said.name,
            needed=", ".join(needed),
            given=", ".join(said.chances) or "–",
        ).below("chances")
    given: dict[str, Fraction] = dict(said.chances)
    design = make(**given)
    times = times_of(said)
    if said.epsilon is not None and design.epsilon * times > said.epsilon * (1 + 1e-12):
        raise PlanError(
            "The design of the question {question!r} spends {spends:.6g}, more than its `epsilon` of {epsilon}.",
            "choose chances that hide more, or declare a larger `epsilon`.",
            question=said.name,
            spends=design.epsilon * times,
            epsilon=said.epsilon,
        ).below("epsilon")
    return Coins(design)


def _protocol(said: QuestionOfSurvey, name: str, k: int) -> Longitudinal:
    """A protocol that remembers; epsilon is shared among the different answers that a person may give."""
    repeat: RepeatTable = _needed(said.repeat, said, "repeat")
    distinct = _needed(repeat.distinct, said, "repeat.distinct")
    if distinct < 1:
        raise PlanError("`distinct` must be at least 1; got {distinct}.", "count the answers that a person may give.", distinct=distinct)  # fmt: skip
    epsilon = _needed(said.epsilon, said, "epsilon")
    if name == "dBitFlipPM":
        bits = _needed(repeat.bits, said, "repeat.bits")
        return DBitFlip(k, k, bits, epsilon / min(distinct, bits + 1, k))
    first = _needed(repeat.first, said, "repeat.first")
    if name == "LOLOHA":
        cells = best_cells(first)
        return LOLOHA(k, first, epsilon / min(distinct, cells), cells)
    permanent = epsilon / min(distinct, k)
    if name == "L-GRR":
        return LGRR(k, first, permanent)
    return l_sue(k, first, permanent) if name == "L-SUE" else l_osue(k, first, permanent)


def _needed(value: T | None, said: QuestionOfSurvey, name: str) -> T:
    """A value that the mechanism of a question needs."""
    if value is None:
        raise PlanError(
            "The question {question!r} with the mechanism {mechanism!r} must say `{key}`.",
            "say it, or have it chosen by `sfumato survey design`.",
            question=said.name,
            mechanism=said.mechanism,
            key=name,
        )
    return value
