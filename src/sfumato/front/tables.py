"""The Python front door: measure a table, compare two, attack a release, draft a plan. `front.run` runs one.

This is where the embedded engine and the secure source of chance are chosen; everything below is handed them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from sfumato.document.hierarchy_spec import spec_from
from sfumato.document.plan import Measures
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import PlanError
from sfumato.mechanism.recode.decision import silent
from sfumato.noise.bits import SystemBits
from sfumato.release.places import check_places, sink_places, source_places
from sfumato.release.plan import MethodChoice, Output, Plan
from sfumato.release.publish import Release, publish
from sfumato.release.record import plain
from sfumato.summary.ask import MarginalOf
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role, Schema
from sfumato.table.source import FileSink, FileSource, source_from
from sfumato.table.values import parsed_toml

if TYPE_CHECKING:
    from sfumato.document.result.attack import AttackResult, VersionsResult
    from sfumato.document.result.judged import ComparisonResult, RiskResult
    from sfumato.document.result.release import ReleaseResult
    from sfumato.engine.base import Receipt
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.release.draft import Draft
    from sfumato.table.hierarchy.tree import Hierarchy
    from sfumato.table.source import Sink, Source
    from sfumato.table.values import Table


def convert(source: object, sink: Sink) -> Receipt:
    """Copy a table into another kind of file, frame or database, nothing recoded.

    Args:
        source: a table in memory, a path, or a source.
        sink: where the copy goes; an existing file is replaced whole.

    Raises:
        SourceError: the table cannot be read, or the place cannot be written.
    """
    place = source_of(source, None)
    kept, written = sink_places("the copy", sink)
    check_places([*source_places("the source", place), *kept], written)
    engine = DuckDBEngine()
    return engine.write(engine.scan(place), sink)


def apply(plan: Plan, result: ReleaseResult, source: Path, output: Path, *, progress: Progress = silent) -> Release:
    """Recode new rows of the same schema exactly as an earlier full-domain release was.

    The criteria are checked again on the new rows: a class that breaks one is suppressed, within the
    plan's suppression limit. Report and result of the earlier release are not touched.

    Args:
        plan: the plan of the earlier release.
        result: its result.
        source: the new rows.
        output: where they go.
        progress: called now and then.

    Raises:
        PlanError: the earlier release was not a full-domain generalization of the same columns.
        NoSolution: the new rows cannot keep the promises under that coding.
    """
    levels = _levels(result)
    asked = {column.name for column in plan.schema.quasi_identifiers}
    if set(levels) != asked:
        raise PlanError(
            "The result must be that of a release by this plan; it recodes {levels}, the plan {asked}.",
            "give the plan and the result of one release.",
            levels=sorted(levels),
            asked=sorted(asked),
        )
    limit = plan.method.options.get("suppression_limit", 0.0)
    choice = MethodChoice("fixed", {"levels": levels, "suppression_limit": limit})
    old = plan.source
    new = replace(old, path=source, kind=None) if isinstance(old, FileSource) else FileSource(source)
    document = {**plain(plan.document), "method": {"name": "fixed", **choice.options}}
    formulas = plan.output.sink.formulas if isinstance(plan.output.sink, FileSink) else "kept"
    place = replace(plan.output, sink=FileSink(output, formulas=formulas), report=None, result=None)
    again = replace(plan, document=document, source=new, method=choice, output=place)
    return publish(again, progress=progress, replay=f"sfumato apply PLAN RESULT {source.name} -o {output.name}")


def assess_risk(
    source: object,
    *,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    plan: Plan | None = None,
    risk_threshold: float = 0.2,
    population: int | None = None,
) -> RiskResult:
    """What an intruder gains from any table: `sfumato.risk/1`.

    Args:
        source: a table in memory, a path, or a source.
        quasi_identifiers: the columns that others know; not needed with a plan.
        sensitive: the columns that they must not learn.
        plan: roles and kinds from a plan instead.
        risk_threshold: a record is at risk above this re-identification probability, in (0, 1].
        population: persons in the population, for population uniqueness; None: not estimated.
    """
    from sfumato.release.judge import table_risk

    place = source_of(source, plan)
    plan = plan or _plan_of(quasi_identifiers, sensitive)
    return table_risk(DuckDBEngine(), place, plan, risk_threshold=risk_threshold, population=population)


def compare(  # noqa: PLR0913
    original: object,
    release: object,
    *,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    plan: Plan | None = None,
    risk_threshold: float = 0.2,
    target: str | None = None,
) -> ComparisonResult:
    """What a release is worth and what it risks, beside its original: `sfumato.comparison/1`.

    Args:
        original: the table in memory, a path, or a source.
        release: the same for what was released.
        quasi_identifiers: the columns that others know; not needed with a plan.
        sensitive: the columns that they must not learn.
        plan: roles, kinds and hierarchies from a plan instead.
        risk_threshold: a record is at risk above this re-identification probability, in (0, 1].
        target: column that a model shall predict from the quasi-identifiers; None: no model.
    """
    from sfumato.release.judge import compare_tables

    before, after = source_of(original, plan), source_of(release, plan)
    plan = plan or _plan_of(quasi_identifiers, sensitive)
    return compare_tables(DuckDBEngine(), before, after, plan, risk_threshold=risk_threshold, target=target)


def attack_release(  # noqa: PLR0913
    original: object,
    release: object,
    *,
    control: object = None,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    plan: Plan | None = None,
    guesses: int = 500,
    confidence: float = 0.95,
) -> AttackResult:
    """What breaks a release, by doing: `sfumato.attack/1`.

    Args:
        original: the table in memory, a path, or a source.
        release: the same for what was released.
        control: persons of the same population who are not in the original; None: there are none.
        quasi_identifiers: the columns that an intruder knows; not needed with a plan.
        sensitive: the columns that an intruder wants.
        plan: roles, kinds, hierarchies and accepted risks from a plan instead.
        guesses: most guesses of each attack.
        confidence: of the intervals, in (0, 1).
    """
    from sfumato.release.attacking import Settings, Tables, attack_tables

    others = None if control is None else source_of(control, plan)
    tables = Tables(source_of(original, plan), source_of(release, plan), others)
    plan = plan or _plan_of(quasi_identifiers, sensitive)
    return attack_tables(DuckDBEngine(), tables, plan, Settings(guesses, confidence), bits=SystemBits())


def versions(
    original: object,
    releases: Sequence[object],
    *,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    plan: Plan | None = None,
) -> VersionsResult:
    """What several releases of the same people tell together: `sfumato.versions/1`.

    Args:
        original: the people, in memory, a path, or a source.
        releases: two or more released tables, likewise.
        quasi_identifiers: the columns that an intruder knows; not needed with a plan.
        sensitive: the columns that an intruder wants.
        plan: roles, kinds and hierarchies from a plan instead.
    """
    from sfumato.release.versions import versions_of

    people, released = source_of(original, plan), [source_of(release, plan) for release in releases]
    plan = plan or _plan_of(quasi_identifiers, sensitive)
    return versions_of(DuckDBEngine(), people, released, plan, bits=SystemBits())


def draft(source: object, *, words: str | None = None) -> Draft:
    """A first plan for a table, as guesses.

    Args:
        source: a table in memory, a path, or a source.
        words: the user's own word list as TOML, which decides before the list of the product.

    Raises:
        PlanError: `words` is not of the form of a word list.
    """
    from sfumato.release.draft import draft as guess
    from sfumato.table.words import known_words

    engine, known = DuckDBEngine(), known_words(words)
    return guess(engine, engine.scan(source_of(source, None)), known, year=datetime.now(tz=UTC).year)


def hierarchy(
    source: object, column: str, *, plan: Plan | None = None, spec: str | None = None, kind: str | None = None
) -> Hierarchy:
    """How a column of a table generalizes.

    Args:
        source: a table in memory, a path, or a source.
        column: its name.
        plan: take the declaration from a plan.
        spec: a hierarchy in TOML, such as `width = 5, then = [10, 20]`; None: one is proposed.
        kind: "text", "integer", "decimal" or "date"; None: guessed.
    """
    from sfumato.table.guess import guess_kind
    from sfumato.table.hierarchy.propose import propose

    engine = DuckDBEngine()
    marginal = engine.summarize(engine.scan(source_of(source, plan)), MarginalOf(column))
    if plan is not None and spec is None:
        return bind(plan.schema[column], marginal.values).hierarchy
    guessed, form = guess_kind([v for v in marginal.values if v is not None], marginal.counts)
    declared = Column(column, Role.QUASI_IDENTIFYING, Kind(kind) if kind else guessed, format=form)
    if spec is None:
        wanted = propose(declared, marginal.values, marginal.counts)
    else:
        wanted = spec_from(column, _inline(spec), folder=Path())
    return bind(replace(declared, hierarchy=wanted), marginal.values).hierarchy


def source_of(source: object, plan: Plan | None) -> Source:
    """A source from whatever the caller has; missing codes come from the plan."""
    return source_from(source, None if plan is None else plan.source)


def _inline(text: str) -> Table:
    """The inline table that a user typed after --spec."""
    document = parsed_toml(f"spec = {{ {text.strip().removeprefix('{').removesuffix('}')} }}", "A hierarchy")
    return cast("Table", document["spec"])


def _levels(result: ReleaseResult) -> dict[str, int]:
    """Level of each quasi-identifier in an earlier result."""
    recoded = result.done.attributes
    levels = {column.name: column.level for column in recoded if column.level is not None}
    if not levels or len(levels) < len(recoded):
        raise PlanError(
            "Only a full-domain generalization can be applied to new rows; this result has no levels.",
            "run the plan on all rows together, or use `full-domain`.",
        )
    return levels


def _plan_of(quasi_identifiers: Sequence[str], sensitive: Sequence[str]) -> Plan:
    """A plan that only says which columns are what, for measuring."""
    if not quasi_identifiers:
        raise PlanError(
            "Risk needs to know what others know of a person.", "name the quasi-identifiers, or give a plan."
        )
    columns = [Column(name, Role.QUASI_IDENTIFYING) for name in quasi_identifiers]
    columns += [Column(name, Role.SENSITIVE) for name in sensitive]
    return Plan({}, None, Schema(tuple(columns)), (), (), MethodChoice("fixed"), measures=Measures(), output=Output())
