"""From a plan's document to a plan: what its keys mean beside their types, and what must hold of them together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.document.codec import read
from sfumato.document.header import PLAN, without_header
from sfumato.document.loading import about, load, under
from sfumato.document.plan import PlanDocument
from sfumato.document.source import SqlOutput, source_of
from sfumato.errors import PlanError
from sfumato.guarantee.base import Criterion, Need, TableCriterion, columns_beside
from sfumato.release.accounted import account_from
from sfumato.release.method.registry import method_named
from sfumato.release.personalized import asked_column
from sfumato.release.plan import MOST_TRIALS, MethodChoice, Output, Plan
from sfumato.release.plan_columns import schema_from
from sfumato.release.sampling import probability_from
from sfumato.table.hierarchy.csv_file import CsvFile
from sfumato.table.hierarchy.groups import Groups
from sfumato.table.schema import Role
from sfumato.table.source import FileSink, Sink, SqlSink, located, located_url
from sfumato.table.values import Item, Table, table_in

if TYPE_CHECKING:
    from sfumato.document.plan import Measures
    from sfumato.document.source import OutputTable
    from sfumato.table.schema import Schema
    from sfumato.table.source import Source
    from sfumato.table.values import Table


def read_plan(path: Path | str) -> Plan:
    """Read a plan file; paths inside it are relative to its folder.

    Raises:
        PlanError: the file cannot be read, is no TOML, or says something unknown.
    """
    path = Path(path)
    return replace(load(path, "plan", lambda tables: plan_from(tables, folder=path.parent)), file=path)


def plan_from(document: Table, *, folder: Path) -> Plan:
    """Build a plan from its document (the parsed TOML).

    Args:
        document: the tables of the plan.
        folder: what relative paths are relative to.

    Raises:
        PlanError: a key is absent, unknown or out of range.
    """
    tables = without_header(document, PLAN, "the plan")
    if "traces" in tables:
        from sfumato.release.traces.plan import plan_of_traces

        return plan_of_traces(document, tables, folder=folder)
    if "graph" in tables:
        from sfumato.release.graph.plan import plan_of_graph

        return plan_of_graph(document, tables, folder=folder)
    said = read(PlanDocument, tables, "the plan")
    schema, first, perturb = schema_from(said, document, folder)
    promises = _promises(said)
    with about("promise"):
        personal_l = asked_column(promises)
    with about("sample", "probability"):
        sample = None if said.sample is None else probability_from(said.sample)
    _check_numbers(said)
    plan = Plan(
        document=document,
        source=None if said.source is None else source_of(said.source, folder),
        schema=schema,
        first=first,
        promises=promises,
        method=MethodChoice(said.method.tag[1], _options(document), said.method),
        population=said.population,
        measures=said.measure,
        output=_output(said.output, folder),
        personal_k=_personal_k(promises),
        personal_l=personal_l,
        engine=said.engine,
        most_tuples=said.most_tuples,
        perturb=perturb,
        sample=sample,
        account=None if said.account is None else account_from(said.account, folder),
    )
    _check_columns(plan)
    return plan


def declared_table(document: Table, *, folder: Path) -> tuple[Source | None, Schema]:
    """The table that a plan names and its columns, also where the rest of the plan must still be decided.

    Args:
        document: the tables of the plan.
        folder: what relative paths are relative to.

    Raises:
        PlanError: a key is absent, unknown or out of range.
    """
    said = read(PlanDocument, without_header(document, PLAN, "the plan"), "the plan")
    return None if said.source is None else source_of(said.source, folder), schema_from(said, document, folder)[0]


def _options(document: Table) -> dict[str, Item]:
    """[method] as it was written, without the name."""
    return {key: item for key, item in table_in(document, "method").items() if key != "name"}


def _promises(said: PlanDocument) -> tuple[Criterion | TableCriterion, ...]:
    """[[promise]]: at least one, where something is recoded."""
    needed = method_named(said.method.tag[1]).recodes
    if needed and said.promise is None:
        raise PlanError("the plan must say `promise`.", "add `promise = …` (a list).")
    if needed and not said.promise:
        raise PlanError("A plan must promise something; no [[promise]] found.", "add one, such as k-anonymity.").below(
            "promise"
        )
    return said.promise or ()


def _personal_k(promises: tuple[Criterion | TableCriterion, ...]) -> str | None:
    """The column in which persons say their own k, if a criterion reads one."""
    for promise in promises:
        if Need.PERSONAL_K in promise.needs:
            return str(getattr(promise, "column", ""))
    return None


def _check_numbers(said: PlanDocument) -> None:
    if said.most_tuples < 1:
        raise PlanError(
            "`most_tuples` must be at least 1; got {most}.",
            "leave it out, or give such as 10000000.",
            most=said.most_tuples,
        ).below("most_tuples")
    with under("measure"):
        _check_measures(said.measure)


def _check_measures(measures: Measures) -> None:
    """[measure]."""
    if not 0 < measures.risk_threshold <= 1:
        raise PlanError(
            "`risk_threshold` in [measure] must lie in (0, 1]; got {risk_threshold}.",
            "choose such as 0.2.",
            risk_threshold=measures.risk_threshold,
        ).below("risk_threshold")
    for name, number, usual in (("queries", measures.queries, 1000), ("guesses", measures.guesses, 500)):
        if not 0 <= number <= MOST_TRIALS:
            raise PlanError(
                "`{name}` in [measure] must lie in 0 … {most_trials}; got {number}.",
                "choose such as {usual}.",
                name=name,
                most_trials=MOST_TRIALS,
                number=number,
                usual=usual,
            ).below(name)


def _output(said: OutputTable, folder: Path) -> Output:
    """[output]: a file or a table of an SQL database, and the report and result beside it."""
    sink: Sink | None = None
    if isinstance(said, SqlOutput):
        sink = SqlSink(located_url(folder, said.url), said.table)
    elif said.path is not None:
        sink = FileSink(located(folder, said.path), said.kind, said.formulas)
    return Output(
        sink=sink,
        suppressed=said.suppressed,
        row_order=said.row_order,
        report=None if said.report is None else folder / said.report,
        result=None if said.result is None else folder / said.result,
    )


def _check_columns(plan: Plan) -> None:
    """Names that the plan uses elsewhere must be declared columns of the right role."""
    if not plan.schema.quasi_identifiers:
        raise PlanError(
            "A plan must name at least one quasi-identifying column.", "set `role` of what others know."
        ).below("columns")
    for i, promise in enumerate(plan.promises):
        with about("promise", i, "column"):
            _check_roles(plan, promise)
        with about("promise", i, "distance"):
            _check_order(plan, promise)
    _check_perturbed(plan)
    with about("method"):
        method_named(plan.method.name).check(plan)
    named = [(("promise",), name) for name in (plan.personal_k, *columns_beside(plan.promises))]
    for path, other in (
        *named,
        (("population", "subset"), plan.population.subset),
        (("measure", "target"), plan.measures.target),
    ):
        with about(*path):
            _ = other and plan.schema[other]


def _check_roles(plan: Plan, promise: Criterion | TableCriterion) -> None:
    """What a promise judges is sensitive."""
    for name in promise.columns:
        if plan.schema[name].role is not Role.SENSITIVE:
            raise PlanError(
                "A promise judges {name!r}, which must then be sensitive; it is {role}.",
                'set `role = "sensitive"` in [columns.{name}], or take the promise out.',
                name=name,
                role=plan.schema[name].role.value,
            ).below("columns", name, "role")


def _check_order(plan: Plan, promise: Criterion | TableCriterion) -> None:
    """An ordered distance needs an order: numbers and dates have one, text only where a hierarchy lists its values."""
    if getattr(promise, "distance", None) != "ordered":
        return
    for name in promise.columns:
        column = plan.schema[name]
        if not column.kind.is_ordered and not isinstance(column.hierarchy, CsvFile | Groups):
            raise PlanError(
                "The ordered distance needs the order of the values of {name!r}; it is text, which has none.",
                'set its `kind`, list its values in order with `hierarchy = {{ file = "…" }}` or `groups` in '
                '[columns.{name}], or choose `distance = "equal"`.',
                name=name,
            )


def _check_perturbed(plan: Plan) -> None:
    """A promise is checked on values as they are, so what it judges is not perturbed."""
    judged = {name for promise in plan.promises for name in promise.columns} | {plan.measures.target}
    for name in sorted(plan.perturbed):
        if name in judged:
            raise PlanError(
                "A column is either judged (by a promise, or as `target`) or perturbed; {name!r} is both.",
                "remove [columns.{name}.perturb], or what judges it.",
                name=name,
            ).below("columns", name, "perturb")
    if plan.perturbs_quasi_identifiers and (method_named(plan.method.name).recodes or plan.promises):
        name = next(column.name for column in plan.schema.quasi_identifiers if column.name in plan.perturbed)
        raise PlanError(
            'Quasi-identifiers are perturbed with [method] name = "none" and no [[promise]] only: '
            "class sizes mean nothing where cells change by chance.",
            "recode these columns or perturb them, not both.",
        ).below("columns", name, "perturb")
