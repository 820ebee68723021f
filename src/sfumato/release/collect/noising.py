"""A whole table noised person by person: the noising document becomes a plan whose columns are perturbed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from sfumato.document.codec import read
from sfumato.document.collection import NoisingDocument
from sfumato.document.header import NOISING, without_header
from sfumato.document.loading import load
from sfumato.document.result.collected import NoisedResult
from sfumato.errors import PlanError
from sfumato.mechanism.local.sanitize import total_epsilon
from sfumato.release.plan import Output
from sfumato.release.plan_reader import plan_from
from sfumato.release.publish import publish

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.collection import NoisedColumn
    from sfumato.release.publish import Release
    from sfumato.table.source import FileSink, Sink, Source
    from sfumato.table.values import Item, Table


def read_noising(path: Path) -> Table:
    """The plan that a noising document in TOML means.

    Raises:
        PlanError: the file cannot be read, or says something unknown.
    """
    return load(path, "noising document", noising_from)


def noising_from(document: Table) -> Table:
    """The plan of a document: `format`, `drop`, and `[columns.*]`.

    A column of numbers says `mechanism`, `epsilon`, `bounds` and, if it wants, `steps`, `integers` and
    `outside`; a column of categories says `mechanism = "grr"`, `epsilon` and `values`. Nothing that
    protects has a default.

    Raises:
        PlanError: a key is absent, unknown or of the wrong type.

    Example:
        >>> asked = {"format": "sfumato.noising-plan/1", "columns": {"age": {"mechanism": "laplace", "epsilon": 1, "bounds": [0, 99]}}}
        >>> noising_from(asked)["columns"]["age"]["kind"]
        'decimal'
    """
    title = "the document"
    said = read(NoisingDocument, without_header(document, NOISING, title), title)
    return perturbing_plan({name: _column(one) for name, one in said.columns.items()}, identifying=said.drop)


def _column(said: NoisedColumn) -> dict[str, Item]:
    """One [columns.NAME] as a plan says it."""
    given: dict[str, Item] = {
        "mechanism": said.mechanism,
        "epsilon": said.epsilon,
        "steps": said.steps,
        "outside": said.outside,
    }
    perturb: dict[str, Item] = {"method": "local", **{key: item for key, item in given.items() if item is not None}}
    if said.values:
        return {"perturb": perturb | {"values": list(said.values)}}
    found: dict[str, Item] = {"kind": "integer" if said.integers else "decimal", "perturb": perturb}
    return found if said.bounds is None else found | {"bounds": list(said.bounds)}


def perturbing_plan(
    columns: Mapping[str, Table], *, identifying: Sequence[str] = (), insensitive: Sequence[str] = ()
) -> Table:
    """The document of a plan that recodes nothing and perturbs columns.

    Args:
        columns: what the plan says of each perturbed column.
        identifying: columns that are left out.
        insensitive: columns that are published as they are.

    Raises:
        PlanError: no column.
    """
    if not columns:
        raise PlanError("At least one column must be declared; there is none.", "add [columns.NAME].")
    first, *rest = columns
    roles = {first: "quasi-identifying", **dict.fromkeys(rest, "sensitive")}
    others = dict.fromkeys(identifying, "identifying") | dict.fromkeys(insensitive, "insensitive")
    said = {name: {"role": roles[name], **columns[name]} for name in columns}
    document = {
        "format": "sfumato.plan/1",
        "columns": said | {name: {"role": role} for name, role in others.items()},
        "method": {"name": "none"},
    }
    return cast("Table", document)


def publish_by(document: Table, source: Source, sink: Sink) -> Release:
    """Publish a table by such a plan; nothing is written but the table."""
    plan = plan_from(document, folder=Path())
    return publish(replace(plan, source=source, output=Output(sink)))


def noise_table(document: Table, source: Source, sink: FileSink) -> NoisedResult:
    """Noise every row on its own and write the table.

    Args:
        document: the plan, from `read_noising`.
        source: one row for each person.
        sink: where the noised table goes.

    Raises:
        SchemaError: an undeclared column, or cells that are no number or lie outside their domain.
    """
    release = publish_by(document, source, sink)
    promises = {one.column: one.promise for one in release.result.perturbed if one.promise is not None}
    by_column = {column: cast("float", promise.parameters["epsilon"]) for column, promise in promises.items()}
    epsilon = total_epsilon(list(by_column.values()))
    return NoisedResult(rows=rows_of(release), epsilon=epsilon, by_column=by_column, path=str(sink.path))


def rows_of(release: Release) -> int:
    """Rows that were written."""
    return release.result.files[0].rows or 0
