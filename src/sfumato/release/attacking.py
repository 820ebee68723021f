"""What breaks a release, by doing: every attack on it with a control group, as one document.

The format is `sfumato.attack/1`; docs/how-to/attack-a-release.md describes it.
"""

from __future__ import annotations

from fractions import Fraction
from importlib.metadata import version
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.document.result.attack import AttackedTable, AttackResult, RateOfGuesses, TriedAttack
from sfumato.errors import ParameterError, SourceError
from sfumato.frozen import dataclass
from sfumato.recipe.recipe import Recipe
from sfumato.release.binding import bind_over
from sfumato.release.measure import SEED, tolerance_of
from sfumato.release.overlap import control_of
from sfumato.release.reread import mark_of, published_of
from sfumato.release.trials.beyond import known_matches
from sfumato.release.trials.case import Case, all_trials
from sfumato.summary.ask import Tuples
from sfumato.table.schema import Role

if TYPE_CHECKING:
    from sfumato.attack.scoring import Rate, Trial
    from sfumato.engine.base import Engine, Header
    from sfumato.noise.bits import Bits
    from sfumato.release.overlap import Control
    from sfumato.release.plan import Plan
    from sfumato.table.attribute import Attribute
    from sfumato.table.source import Source

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Tables:
    """What is attacked and what the judge knows.

    Args:
        original: the table of persons.
        release: what was released from it, by us or not.
        control: persons of the same population who are not in the original; None: not given.
    """

    original: Source
    release: Source
    control: Source | None


@dataclass(frozen=True, slots=True)
class Settings:
    """How hard is attacked.

    Args:
        guesses: most guesses of each attack, >= 1.
        confidence: of the intervals, in (0, 1).
        seed: of the targets that are drawn and of the intruder's ties.
    """

    guesses: int
    confidence: float
    seed: int = SEED

    def __post_init__(self) -> None:
        if self.guesses < 1 or not 0 < self.confidence < 1:
            raise ParameterError(
                "An attack needs at least one guess and a confidence in (0, 1); got {guesses} and {confidence}.",
                "give, for example, 500 guesses and 0.95.",
                guesses=self.guesses,
                confidence=self.confidence,
            )


def attack_tables(engine: Engine[T], tables: Tables, plan: Plan, settings: Settings, *, bits: Bits) -> AttackResult:
    """Every attack on a release: `sfumato.attack/1`.

    Args:
        engine: where data live.
        tables: release, original and control group.
        plan: roles, kinds and hierarchies; the ℓ that was promised; what is accepted.
        settings: how many guesses, and how sure.
        bits: for the plan's steps before anything is counted, which draw nothing.

    Raises:
        SourceError: a table without a row, or a control group of whom all are in the original.
    """
    case, overlap, told = _case(engine, tables, plan, settings, bits)
    tolerance = tolerance_of(plan).risk
    readable = case.published.is_understood and not plan.perturbs_quasi_identifiers
    note = overlap.note() if overlap else None
    matches = known_matches(case) if readable and case.published.classes.n_classes else []
    return AttackResult(
        sfumato=version("sfumato"),
        release=told[0],
        original=told[1],
        control=told[2] if len(told) > 2 else None,
        quasi_identifiers=tuple(a.name for a in case.published.attributes),
        sensitive=tuple(case.sensitive),
        guesses=settings.guesses,
        confidence=settings.confidence,
        seed=settings.seed,
        risk_threshold=tolerance,
        attacks=tuple(tried(trial, tolerance) for trial in all_trials(case, readable=readable)),
        matches=tuple(matches),
        control_left_out=overlap.left_out if overlap else 0,
        notes=(*_notes(case, tables, plan), *([note] if note else [])),
    )


def tried(trial: Trial, tolerance: float) -> TriedAttack:
    """One attack as it is told."""
    return TriedAttack(
        attack=trial.attack,
        target=trial.target,
        criterion=trial.criterion,
        judged_on=trial.judged,
        main=_rate(trial.main),
        control=_rate(trial.control),
        baseline=trial.baseline,
        scored_by=trial.score,
        risk=trial.risk,
        verdict=trial.verdict(tolerance),
        definition=trial.definition,
    )


def _rate(rate: Rate | None) -> RateOfGuesses | None:
    if rate is None:
        return None
    ends = rate.interval
    return RateOfGuesses(successes=rate.successes, n=rate.n, value=rate.value, low=ends.low, high=ends.high)


def _case(
    engine: Engine[T], tables: Tables, plan: Plan, settings: Settings, bits: Bits
) -> tuple[Case, Control | None, list[AttackedTable]]:
    """All tables read over the same values, the control group without persons of the original, and what they are."""
    released = engine.scan(tables.release)
    known = [_read(engine, source, plan, bits) for source in (tables.original, tables.control) if source is not None]
    before = [table for table, _ in known]
    attributes = bound_over(engine, before, plan, Role.QUASI_IDENTIFYING)
    sensitive = bound_over(engine, [*before, released], plan, Role.SENSITIVE)
    ask = Tuples(attributes, sensitive, person=plan.schema.person)
    control = control_of(engine, (before[0], before[1]), plan, ask) if len(before) > 1 else None
    case = Case(
        published_of(engine, released, attributes, sensitive, suppressed=mark_of(plan, 1)),
        engine.summarize(before[0], ask),
        None if control is None else control.classes,
        settings.guesses,
        settings.confidence,
        np.random.default_rng(settings.seed),
        truthful=not plan.perturbs_quasi_identifiers,
        bounds=_bounds(plan),
        together=plan.method.name == "full-domain",
    )
    return case, control, [_told(header) for header in (engine.header(released), *(header for _, header in known))]


def prepared(engine: Engine[T], source: Source, plan: Plan, bits: Bits) -> T:
    """A table of persons as the plan begins with it."""
    return _read(engine, source, plan, bits)[0]


def _read(engine: Engine[T], source: Source, plan: Plan, bits: Bits) -> tuple[T, Header]:
    """The same, and the header of the table as it stands."""
    table = engine.scan(source)
    header = engine.header(table)
    if header.n_rows == 0:
        raise SourceError("A table must hold at least one row; this one has none.", "check the source.")
    for step in plan.first:
        table = engine.apply(table, Recipe(columns=(step,)), bits=bits)
    return table, header


def bound_over(engine: Engine[T], tables: list[T], plan: Plan, role: Role) -> tuple[Attribute, ...]:
    """The columns of a role, bound to the values that any of the tables holds."""
    return tuple(bind_over(engine, tables, column) for column in plan.schema.with_role(role))


def _bounds(plan: Plan) -> dict[str, Fraction]:
    """The ℓ that was promised of each sensitive column."""
    return {
        promise.columns[0]: Fraction(str(getattr(promise, "l")))  # noqa: B009
        for promise in plan.promises
        if hasattr(promise, "l") and promise.columns
    }


def _told(header: Header) -> AttackedTable:
    return AttackedTable(kind=header.source_kind, rows=header.n_rows, sha256=header.sha256)


def _notes(case: Case, tables: Tables, plan: Plan) -> list[str]:
    """What a reader should know beside the rates."""
    published, judged = case.published, case.judged()
    out = [
        f"{count} labels of {attribute.name!r} could not be understood: nobody is found in their classes, and no attack is called low."
        for attribute, count in zip(published.attributes, published.not_understood, strict=True)
        if count
    ]
    if plan.perturbs_quasi_identifiers:
        out.append("Quasi-identifiers were perturbed, but attacks take them for true: none of them is called low.")
    if published.suppressed_rows:
        out.append(f"{published.suppressed_rows} suppressed rows tell nothing of a person and were left out.")
    if judged.left_out:
        out.append(
            f"{judged.left_out:,} persons of the original are not in the release; every attack is judged on the "
            f"{judged.persons:,} who are."
        )
    if tables.control is None:
        out.append(
            "There is no control table: inference is held against the same persons without their own row, singling out "
            "against luck, linkability against a random link; membership was not tried."
        )
    return out
