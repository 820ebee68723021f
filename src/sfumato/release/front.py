"""The Python front door: run a plan, measure a table, compare two, attack a release, draft a plan.

This is where the embedded engine, the secure source of chance and the clock are chosen; everything
below is handed them.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import PlanError
from sfumato.mechanism.recode.decision import silent
from sfumato.noise.bits import SystemBits
from sfumato.release.engines import engine_of
from sfumato.release.measure import measure
from sfumato.release.methods import Tools
from sfumato.release.plan import Measures, MethodChoice, MethodName, Output, Plan
from sfumato.release.plan_reader import read_plan
from sfumato.release.record import plain, result_of
from sfumato.release.run import carry_out
from sfumato.release.two_tables.choice import TWO_TABLES
from sfumato.table.attribute import bind
from sfumato.table.hierarchy.spec import spec_from
from sfumato.table.schema import Column, Kind, Role, Schema
from sfumato.table.source import FileSink, FileSource, FrameSource, SqlSource

if TYPE_CHECKING:
    from sfumato.engine.base import Engine, Receipt
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.release.draft import Draft
    from sfumato.table.hierarchy.tree import Hierarchy
    from sfumato.table.source import Sink, Source

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A release: the table, and everything known about it.

    Args:
        plan: what was asked.
        result: the documented result, `sfumato.release/1`.
        frame: the released table when the source was a table in memory; None when it was written.
        path: the released file, if any.
        values_frame: the second table in memory, of methods that publish two; None otherwise.
        values_path: the second file, if any.
    """

    plan: Plan
    result: dict[str, object]
    frame: object
    path: Path | None
    values_frame: object = None
    values_path: Path | None = None


def run(
    plan: Plan | Path | str,
    frame: object = None,
    *,
    engine: object = None,
    memory_limit: str | None = None,
    progress: Progress = silent,
    replay: str = "sfumato run plan.toml",
) -> Release:
    """Carry out a plan and measure the release.

    Args:
        plan: a plan, or the path of one.
        frame: the table (pandas, Polars, Arrow, DuckDB relation, Spark DataFrame) when it is in memory; the release
            then has the same kind.
        engine: where the work is done: "duckdb", "spark", the URL of a Spark cluster, or a `SparkSession`; None: as
            the plan says, Spark for a Spark DataFrame, else DuckDB.
        memory_limit: most memory the engine may use ("4GB"); None: the engine's own limit.
        progress: called now and then.
        replay: the command that repeats this run, for the record.

    Raises:
        SfumatoError: of every kind; nothing is then left written.
    """
    plan = plan if isinstance(plan, Plan) else read_plan(plan)
    tools = Tools(SystemBits(), monotonic, progress, os.environ)
    with engine_of(engine or plan.engine, frame, memory_limit=memory_limit) as where:
        if plan.method.name in TWO_TABLES:
            return _two_tables(plan, frame, engine=where, tools=tools, replay=replay)
        if plan.method.name is MethodName.TUPLE_INSERTION:
            from sfumato.release.insertion import publish_tuples, result_of_tuples

            inserted = publish_tuples(plan, engine=where, tools=tools, frame=frame)
            result = result_of_tuples(inserted) | {"replay": replay}
            return Release(plan, result, inserted.receipt.frame, inserted.receipt.path)
        outcome = carry_out(plan, engine=where, tools=tools, frame=frame)
        measured = measure(outcome, engine=where, tools=tools)
    result = result_of(outcome, measured) | {"replay": replay}
    return Release(plan, result, outcome.receipt.frame, outcome.receipt.path)


def _two_tables(plan: Plan, frame: object, *, engine: Engine[T], tools: Tools, replay: str) -> Release:
    """The same for a method that publishes a table of rows and one of values."""
    from sfumato.release.two_tables.measure import measure_two
    from sfumato.release.two_tables.record import result_of_two
    from sfumato.release.two_tables.run import publish_two

    outcome = publish_two(plan, engine=engine, tools=tools, frame=frame)
    result = result_of_two(outcome, measure_two(outcome, engine=engine, tools=tools)) | {"replay": replay}
    rows, values = outcome.receipts
    return Release(plan, result, rows.frame, rows.path, values.frame, values.path)


def copied(table: object, sink: Sink) -> Receipt:
    """A table copied into another kind of file, frame or database, nothing recoded.

    Args:
        table: a table in memory, a path, or a source.
        sink: where the copy goes; an existing file is replaced whole.

    Raises:
        SourceError: the table cannot be read, or the place cannot be written.
    """
    engine = DuckDBEngine()
    return engine.write(engine.scan(source_of(table, None)), sink)


def reapply(
    plan: Plan, result: Mapping[str, object], source: Path, output: Path, *, progress: Progress = silent
) -> Release:
    """Recode new rows of the same schema exactly as an earlier full-domain release was.

    The criteria are checked again on the new rows: a class that breaks one is suppressed, within the
    plan's suppression limit.

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
    limit = plan.method.options.get("suppression_limit", 0.0)
    choice = MethodChoice(MethodName.FIXED, {"levels": levels, "suppression_limit": limit})
    old = plan.source
    new = replace(old, path=source, kind=None) if isinstance(old, FileSource) else FileSource(source)
    document = dict(plain(plan.document)) | {"method": {"name": "fixed", **choice.options}}  # type: ignore[call-overload]
    again = replace(
        plan, document=document, source=new, method=choice, output=replace(plan.output, sink=FileSink(output))
    )
    return run(again, progress=progress, replay=f"sfumato apply PLAN RESULT {source.name} -o {output.name}")


def assess_risk(
    table: object,
    *,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    plan: Plan | None = None,
    threshold: float = 0.2,
    population: int | None = None,
) -> dict[str, object]:
    """What an intruder gains from any table: `sfumato.risk/1`.

    Args:
        table: a table in memory, a path, or a source.
        quasi_identifiers: the columns that others know; not needed with a plan.
        sensitive: the columns that they must not learn.
        plan: roles and kinds from a plan instead.
        threshold: a record is at risk above this re-identification probability, in (0, 1].
        population: persons in the population, for population uniqueness; None: not estimated.
    """
    from sfumato.release.judge import table_risk

    source = source_of(table, plan)
    plan = plan or _plan_of(quasi_identifiers, sensitive)
    return table_risk(DuckDBEngine(), source, plan, threshold=threshold, population=population)


def compare(  # noqa: PLR0913
    original: object,
    release: object,
    *,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    plan: Plan | None = None,
    threshold: float = 0.2,
    target: str | None = None,
) -> dict[str, object]:
    """What a release is worth and what it risks, beside its original: `sfumato.comparison/1`.

    Args:
        original: the table in memory, a path, or a source.
        release: the same for what was released.
        quasi_identifiers: the columns that others know; not needed with a plan.
        sensitive: the columns that they must not learn.
        plan: roles, kinds and hierarchies from a plan instead.
        threshold: a record is at risk above this re-identification probability, in (0, 1].
        target: column that a model shall predict from the quasi-identifiers; None: no model.
    """
    from sfumato.release.judge import compare_tables

    before, after = source_of(original, plan), source_of(release, plan)
    plan = plan or _plan_of(quasi_identifiers, sensitive)
    return compare_tables(DuckDBEngine(), before, after, plan, threshold=threshold, target=target)


def attack_release(  # noqa: PLR0913
    release: object,
    original: object,
    *,
    control: object = None,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    plan: Plan | None = None,
    guesses: int = 500,
    confidence: float = 0.95,
) -> dict[str, object]:
    """What breaks a release, by doing: `sfumato.attack/1`.

    Args:
        release: the released table in memory, a path, or a source.
        original: the table that it was made from.
        control: persons of the same population who are not in the original; None: there are none.
        quasi_identifiers: the columns that an intruder knows; not needed with a plan.
        sensitive: the columns that an intruder wants.
        plan: roles, kinds, hierarchies and accepted risks from a plan instead.
        guesses: most guesses of each attack.
        confidence: of the intervals, in (0, 1).
    """
    from sfumato.release.attacking import Settings, Tables, attack_tables

    others = None if control is None else source_of(control, plan)
    tables = Tables(source_of(release, plan), source_of(original, plan), others)
    plan = plan or _plan_of(quasi_identifiers, sensitive)
    return attack_tables(DuckDBEngine(), tables, plan, Settings(guesses, confidence), bits=SystemBits())


def versions(
    original: object,
    releases: Sequence[object],
    *,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    plan: Plan | None = None,
) -> dict[str, object]:
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


def draft_of(table: object, *, words: str | None = None) -> Draft:
    """A first plan for a table, as guesses.

    Args:
        table: a table in memory, a path, or a source.
        words: the user's own word list as TOML, which decides before the list of the product.

    Raises:
        PlanError: `words` is not of the form of a word list.
    """
    from sfumato.release.draft import draft
    from sfumato.table.words import known_words

    engine, known = DuckDBEngine(), known_words(words)
    return draft(engine, engine.scan(source_of(table, None)), known)


def hierarchy_of(
    table: object, column: str, *, plan: Plan | None = None, spec: str | None = None, kind: str | None = None
) -> Hierarchy:
    """How a column of a table generalizes.

    Args:
        table: a table in memory, a path, or a source.
        column: its name.
        plan: take the declaration from a plan.
        spec: a hierarchy in TOML, such as `width = 5, then = [10, 20]`; None: one is proposed.
        kind: "text", "integer", "decimal" or "date"; None: guessed.
    """
    from sfumato.table.guess import guess_kind
    from sfumato.table.hierarchy.propose import propose

    engine = DuckDBEngine()
    marginal = engine.marginal(engine.scan(source_of(table, plan)), column)
    if plan is not None and spec is None:
        return bind(plan.schema[column], marginal.values).hierarchy
    guessed, form = guess_kind([v for v in marginal.values if v is not None], marginal.counts)
    declared = Column(column, Role.QUASI_IDENTIFYING, Kind(kind) if kind else guessed, format=form)
    if spec is None:
        wanted = propose(declared, marginal.values, marginal.counts)
    else:
        wanted = spec_from(column, _inline(spec), folder=Path())
    return bind(replace(declared, hierarchy=wanted), marginal.values).hierarchy


def source_of(table: object, plan: Plan | None) -> Source:
    """A source from whatever the caller has; missing codes come from the plan."""
    codes = () if plan is None or plan.source is None else plan.source.missing
    by_column = {} if plan is None or plan.source is None else plan.source.missing_in
    if isinstance(table, (FileSource, SqlSource, FrameSource)):
        return table if table.missing or not codes else replace(table, missing=codes, missing_in=by_column)
    if isinstance(table, (str, Path)):
        return FileSource(Path(table), missing=codes, missing_in=by_column)
    return FrameSource(table, codes, by_column)


def _inline(text: str) -> dict[str, object]:
    """The inline table that a user typed after --spec."""
    try:
        spec = tomllib.loads(f"spec = {{ {text.strip().removeprefix('{').removesuffix('}')} }}")["spec"]
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"A hierarchy must be TOML; {error}.", "write such as `width = 5, then = [10, 20]`.") from error
    return dict(spec)


def _levels(result: Mapping[str, object]) -> dict[str, int]:
    """Level of each quasi-identifier in an earlier result."""
    done = result.get("done")
    attributes = done.get("attributes", []) if isinstance(done, Mapping) else []
    levels = {str(a["name"]): a["level"] for a in attributes if isinstance(a, Mapping)}
    if not levels or any(level is None for level in levels.values()):
        raise PlanError(
            "Only a full-domain generalization can be applied to new rows; this result has no levels.",
            "run the plan on all rows together, or use `full-domain`.",
        )
    return {name: int(str(level)) for name, level in levels.items()}


def _plan_of(quasi_identifiers: Sequence[str], sensitive: Sequence[str]) -> Plan:
    """A plan that only says which columns are what, for measuring."""
    if not quasi_identifiers:
        raise PlanError(
            "Risk needs to know what others know of a person.", "name the quasi-identifiers, or give a plan."
        )
    columns = [Column(name, Role.QUASI_IDENTIFYING) for name in quasi_identifiers]
    columns += [Column(name, Role.SENSITIVE) for name in sensitive]
    return Plan(
        {}, None, Schema(tuple(columns)), (), (), MethodChoice(MethodName.FIXED), measures=Measures(), output=Output()
    )
