"""How does a TOML document become a plan? Every error names the table and the key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from sfumato.errors import PlanError
from sfumato.guarantee.base import Criterion, Need, TableCriterion
from sfumato.guarantee.registry import criterion_from
from sfumato.recipe.recipe import RowOrder, Suppressed
from sfumato.release.accounted import account_from
from sfumato.release.anatomy.choice import check_two_tables
from sfumato.release.document import Section, load_toml
from sfumato.release.personalized import asked_column
from sfumato.release.plan import (
    MOST_TRIALS,
    MOST_TUPLES,
    VERSION,
    Measures,
    MethodChoice,
    MethodName,
    Output,
    Plan,
    Population,
)
from sfumato.release.plan_columns import schema_from
from sfumato.release.private import check_private
from sfumato.release.sampling import check_sample, probability_from
from sfumato.table.hierarchy.csv_file import CsvFile
from sfumato.table.hierarchy.groups import Groups
from sfumato.table.schema import Role
from sfumato.table.source import FileKind, FileSink, FileSource, Formulas, Sink, Source, SqlSink, SqlSource, located

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.release.plan import AccountChoice


def read_plan(path: Path | str) -> Plan:
    """Read a plan file; paths inside it are relative to its folder.

    Raises:
        PlanError: the file cannot be read, is no TOML, or says something unknown.
    """
    path = Path(path)
    return replace(plan_from(load_toml(path, "plan"), folder=path.parent), file=path)


def plan_from(document: Mapping[str, object], *, folder: Path) -> Plan:
    """Build a plan from its document (the parsed TOML).

    Args:
        document: the tables of the plan.
        folder: what relative paths are relative to.

    Raises:
        PlanError: a key is absent, unknown or out of range.
    """
    top = Section("the plan", document)
    version = top.required("sfumato", int)
    if version != VERSION:
        raise PlanError(
            "`sfumato` must be {version}, the version of the plan format; got {version2}.",
            "correct it.",
            version=VERSION,
            version2=version,
        )
    source = top.optional("source", dict)
    schema, first, perturb = schema_from(top, folder)
    method = _method(Section("[method]", top.required("method", dict)))
    promises = _promises(top, needed=method.name is not MethodName.NONE)
    plan = Plan(
        document=document,
        source=None if source is None else _source(Section("[source]", source), folder),
        schema=schema,
        first=first,
        promises=promises,
        method=method,
        population=_population(Section("[population]", top.default("population", dict, {}))),
        measures=_measures(Section("[measure]", top.default("measure", dict, {}))),
        output=_output(Section("[output]", top.default("output", dict, {})), folder),
        personal_k=_personal_k(promises),
        personal_l=asked_column(promises),
        engine=top.optional("engine", str),
        most_tuples=_most_tuples(top),
        perturb=perturb,
        sample=_sample(top),
        account=_account(top, folder),
    )
    top.finish()
    _check_columns(plan)
    return plan


def _source(section: Section, folder: Path) -> Source:
    """[source]: a file or an SQL database."""
    missing = section.texts("missing")
    missing_in = {name: tuple(codes) for name, codes in section.default("missing_in", dict, {}).items()}
    url = section.optional("url", str)
    source: Source
    if url is not None:
        source = SqlSource(url, section.required("query", str), missing, missing_in)
    else:
        source = FileSource(
            path=located(folder, section.required("path", str)),
            kind=cast("FileKind | None", section.one_of("kind", get_args(FileKind))),
            dialect=section.default("dialect", dict, {}),
            sheet=section.optional("sheet", str),
            missing=missing,
            missing_in=missing_in,
        )
    section.finish()
    return source


def _sample(top: Section) -> Fraction | None:
    """[sample], if it is there."""
    sample = top.optional("sample", dict)
    return None if sample is None else probability_from(Section("[sample]", sample))


def _account(top: Section, folder: Path) -> AccountChoice | None:
    """[account], if it is there."""
    account = top.optional("account", dict)
    return None if account is None else account_from(Section("[account]", account), folder)


def _promises(top: Section, *, needed: bool) -> tuple[Criterion | TableCriterion, ...]:
    """[[promise]]: at least one, where something is recoded."""
    given = top.required("promise", list) if needed else top.default("promise", list, [])
    promises = tuple(criterion_from(items) for items in given)
    if needed and not promises:
        raise PlanError("A plan must promise something; no [[promise]] found.", "add one, such as k-anonymity.")
    return promises


def _personal_k(promises: tuple[Criterion | TableCriterion, ...]) -> str | None:
    """The column in which persons say their own k, if a criterion reads one."""
    for promise in promises:
        if Need.PERSONAL_K in promise.needs:
            return str(getattr(promise, "column", ""))
    return None


def _most_tuples(top: Section) -> int:
    """`most_tuples`: how many distinct tuples are counted as they are."""
    most = top.default("most_tuples", int, MOST_TUPLES)
    if most < 1:
        raise PlanError(
            "`most_tuples` must be at least 1; got {most}.", "leave it out, or give such as 10000000.", most=most
        )
    return most


def _method(section: Section) -> MethodChoice:
    """[method]: the name; the options are read by the method itself."""
    return MethodChoice(section.choice("name", MethodName), section.rest())


def _population(section: Section) -> Population:
    """[population]."""
    population = Population(section.optional("size", int), section.optional("subset", str))
    section.finish()
    return population


def _measures(section: Section) -> Measures:
    """[measure]."""
    plain = Measures()
    measures = Measures(
        risk_threshold=section.default("risk_threshold", float, plain.risk_threshold),
        posterior=section.default("posterior", float, plain.posterior),
        distance=section.default("distance", float, plain.distance),
        loss_by_k=tuple(section.default("loss_by_k", list, [])),
        queries=section.default("queries", int, plain.queries),
        guesses=section.default("guesses", int, plain.guesses),
        target=section.optional("target", str),
    )
    section.finish()
    if not 0 < measures.risk_threshold <= 1:
        raise PlanError(
            "`risk_threshold` in [measure] must lie in (0, 1]; got {risk_threshold}.",
            "choose such as 0.2.",
            risk_threshold=measures.risk_threshold,
        )
    for name, usual in (("queries", plain.queries), ("guesses", plain.guesses)):
        number = getattr(measures, name)
        if not 0 <= number <= MOST_TRIALS:
            raise PlanError(
                "`{name}` in [measure] must lie in 0 … {most_trials}; got {number}.",
                "choose such as {usual}.",
                name=name,
                most_trials=MOST_TRIALS,
                number=number,
                usual=usual,
            )
    return measures


def _output(section: Section, folder: Path) -> Output:
    """[output]: a file or a table of an SQL database, and the report and result beside it."""
    path, url = section.optional("path", str), section.optional("url", str)
    sink: Sink | None = None
    if url is not None:
        sink = SqlSink(url, section.required("table", str))
    elif path is not None:
        kind, formulas = section.one_of("kind", get_args(FileKind)), section.one_of("formulas", get_args(Formulas))
        sink = FileSink(located(folder, path), cast("FileKind | None", kind), cast("Formulas", formulas or "kept"))
    report, result = section.optional("report", str), section.optional("result", str)
    output = Output(
        sink=sink,
        suppressed=section.choice("suppressed", Suppressed, Suppressed.STAR),
        row_order=section.choice("row_order", RowOrder, RowOrder.KEPT),
        report=None if report is None else folder / report,
        result=None if result is None else folder / result,
    )
    section.finish()
    return output


def _check_columns(plan: Plan) -> None:
    """Names that the plan uses elsewhere must be declared columns of the right role."""
    if not plan.schema.quasi_identifiers:
        raise PlanError("A plan must name at least one quasi-identifying column.", "set `role` of what others know.")
    for promise in plan.promises:
        for name in promise.columns:
            if plan.schema[name].role is not Role.SENSITIVE:
                raise PlanError(
                    "A promise judges {name!r}, which must then be sensitive; it is {role}.",
                    'set `role = "sensitive"` in [columns.{name}].',
                    name=name,
                    role=plan.schema[name].role.value,
                )
        _check_order(plan, promise)
    _check_perturbed(plan)
    check_private(plan)
    check_sample(plan)
    check_two_tables(plan)
    others = (plan.personal_k, plan.personal_l, plan.population.subset, plan.measures.target)
    for other in [name for name in others if name]:
        _ = plan.schema[other]


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
            )
    if plan.perturbs_quasi_identifiers and (plan.method.name is not MethodName.NONE or plan.promises):
        raise PlanError(
            'Quasi-identifiers are perturbed with [method] name = "none" and no [[promise]] only: '
            "class sizes mean nothing where cells change by chance.",
            "recode these columns or perturb them, not both.",
        )
