"""A contest from its document: everything that judging needs, checked before anybody hands anything in."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from sfumato.contest.judge import Judge
from sfumato.contest.registry import game_of
from sfumato.document.codec import read
from sfumato.document.contest import ContestDocument
from sfumato.document.header import CONTEST, without_header
from sfumato.document.loading import load
from sfumato.engine.duckdb.lines import read_lines
from sfumato.errors import PlanError, SourceError

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.contest.game import Game, Rules
    from sfumato.document.contest import RulesTable
    from sfumato.table.lines import Lines
    from sfumato.table.values import Table

_TITLE = "the contest"


def read_contest(path: Path) -> ContestDocument:
    """The document of a contest.

    Raises:
        PlanError: a key that does not exist, a value of another kind, phases that end before they start.
    """
    return load(path, "contest", contest_of)


def open_judge(path: Path) -> Judge:
    """The judge of a contest.

    Args:
        path: of its document; the files that it names are beside it.

    Raises:
        PlanError: the document is wrong.
        SourceError: a table is not written as this kind of contest has it.
    """
    said = read_contest(path)
    folder = path.parent
    game = game_of(said.game, None if said.table.regions is None else folder / said.table.regions)
    rules = _rules(game.rules, said.rules)
    weights = {one.name: one.weight for one in said.metric} or dict.fromkeys(game.metrics, 1.0)
    _known(weights, game.metrics, "metric", "metric")
    attacks = tuple(game.attacks) if said.attacks is None else said.attacks
    _known(attacks, game.attacks, "attacks", "attack")
    original = _lines(folder / said.table.original, game)
    other = said.table.reference
    reference = original if other is None else _lines(folder / other, game)
    return Judge(said.name, game, rules, original, reference, weights, said.worth or game.worth, attacks, said.limits)


def contest_of(tables: Table) -> ContestDocument:
    """A document that was read, with what its classes cannot say.

    Raises:
        PlanError: a key that does not exist, a value of another kind, phases that end before they start.
    """
    said = read(ContestDocument, without_header(tables, CONTEST, _TITLE), _TITLE)
    for i, one in enumerate(said.phase):
        for name in ("start", "end"):
            moment = getattr(one, name)
            if not isinstance(moment, datetime) or moment.tzinfo is None:
                raise PlanError(
                    "`{name}` must be a moment with its offset.", "write such as 2026-12-01T09:00:00+01:00.", name=name
                ).below("phase", i, name)
        if not one.start < one.end:
            raise PlanError("A phase must end after it starts.", "correct `end`.").below("phase", i, "end")
    if any(one.weight <= 0 for one in said.metric):
        raise PlanError("Weights of metrics must be above 0.", "leave the metric out.").below("metric")
    return said


def _rules(rules: Rules, said: RulesTable) -> Rules:
    """The rules of a kind with what a document says otherwise."""
    given = {name: value for name in said.__slots__ if (value := getattr(said, name)) is not None}
    changed = replace(rules, **given)
    if not 0 <= changed.most_deleted <= 1:
        raise PlanError("`most_deleted` must be a share from 0 to 1.", "correct it.").below("rules", "most_deleted")
    if changed.most_guesses < 1:
        raise PlanError("`most_guesses` must be at least 1.", "correct it.").below("rules", "most_guesses")
    return changed


def _known(named: object, among: object, key: str, what: str) -> None:
    """Refuse names that the kind of contest does not know."""
    names, known = list(named), list(among)  # type: ignore[call-overload]
    for i, name in enumerate(names):
        if name not in known:
            raise PlanError(
                "This contest has no {what} {name!r}; it has {known}.", "name one of them.",
                what=what, name=name, known=", ".join(known),
            ).below(key, i)  # fmt: skip


def _lines(path: Path, game: Game) -> Lines:
    """A table of the contest, without fault.

    Raises:
        SourceError: it cannot be read, or has a fault; the first is told.
    """
    if not path.is_file():
        raise SourceError("The table {name!r} is not there.", "put it beside the document.", name=path.name)
    lines, faults = read_lines(path, game.shape)
    if lines is not None:
        faults = game.unfit(lines)
    if lines is None or faults:
        raise SourceError(
            "The table {name!r} is not written as this contest has it: {fault}", "correct it.",
            name=path.name, fault=faults[0].sentence,
        )  # fmt: skip
    return lines
