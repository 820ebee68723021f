"""Where a release comes from and where it is: what was read, by which versions, what was written, and the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH, Words
from sfumato.report.number import ABSENT, columns, count, exact, in_key_order, in_table_order
from sfumato.report.section.base import Section

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.result.release import ReleaseResult


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file that was written."""

    path: str
    kind: str
    rows: str
    bytes: str
    sha256: str


@dataclass(frozen=True, slots=True)
class View:
    """Where a release comes from and where it is.

    Args:
        provenance: what was read, with digests and dialect.
        files: what was written.
        versions: of what computed it, Sfumato first.
        asked: the plan, in documented order.
    """

    provenance: Sequence[tuple[str, str]]
    files: Sequence[ShownFile]
    versions: Sequence[tuple[str, str]]
    asked: Mapping[str, Any]

    @property
    def plan(self) -> str:
        """The plan as TOML, which only the page shows."""
        return plan_text(self.asked)


def view(result: ReleaseResult, say: Words = ENGLISH) -> View:
    """Where a release comes from and where it is."""
    return View(
        provenance=provenance(result, say),
        files=[
            ShownFile(
                file.path or say.gettext("in memory"),
                say.gettext(file.kind or ABSENT),
                say.spelled(count(file.rows)),
                say.spelled(count(file.bytes)),
                file.sha256 or ABSENT,
            )
            for file in result.files
        ],
        versions=versions(result),
        asked=ordered_plan(result),
    )


def provenance(result: ReleaseResult, say: Words = ENGLISH) -> list[tuple[str, str]]:
    """What was read, with digests and dialect."""
    _, source, dialect = say.gettext, result.source, in_key_order(result.source.dialect or {})
    kind = _("in memory ({kind})").format(kind=source.kind or _("unknown kind"))
    return [
        (_("Table"), source.path or kind),
        (_("Rows and columns"), f"{say.spelled(count(source.rows))} × {len(source.columns)}"),
        (_("SHA-256 of the table"), source.sha256 or _("none: the table is no file")),
        (_("Written form"), ", ".join(f"{name} {_visible(value, say)}" for name, value in dialect.items()) or ABSENT),
        (_("SHA-256 of the plan"), result.plan_sha256 or ABSENT),
        (_("Command that makes it again"), result.replay or ABSENT),
    ]


def _visible(value: object, say: Words) -> str:
    """A dialect's value with line ends and tabs made visible."""
    if isinstance(value, bool):
        return say.gettext("yes") if value else say.gettext("no")
    return repr(value)[1:-1] if isinstance(value, str) and value != "" else exact(value) or say.gettext("none")


def versions(result: ReleaseResult) -> list[tuple[str, str]]:
    """Versions of what computed it, Sfumato first."""
    return list(({"sfumato": result.sfumato} | dict(sorted(result.versions.items()))).items())


def lines(shown: View, say: Words = ENGLISH) -> list[str]:
    """The files, on a terminal."""
    text = say.gettext("{rows} rows, {bytes} bytes")
    rows = [(file.path, text.format(rows=file.rows, bytes=file.bytes)) for file in shown.files]
    return ["", say.gettext("Files"), *columns(rows)] if rows else []


SECTION = Section(name="record", place=70, heading="Record", view=view, lines=lines)


COLUMN_ORDER = ("role", "kind")
ORDER = (
    "format",
    "sfumato",
    "order",
    "source",
    "unit",
    "columns",
    "promise",
    "method",
    "population",
    "measure",
    "output",
)


def ordered_plan(result: ReleaseResult) -> dict[str, Any]:
    """The plan with its parts in documented order and its columns in the table's order."""
    plan = in_key_order(result.plan)
    place = {name: i for i, name in enumerate(ORDER)}
    out = dict(sorted(plan.items(), key=lambda item: place.get(item[0], len(ORDER))))
    if isinstance(out.get("columns"), dict):
        columns = in_table_order(out["columns"], result)
        out["columns"] = {name: _role_first(column) for name, column in columns.items()}
    return out


def _role_first(column: Any) -> Any:
    """The declaration of one column with its role and kind in front."""
    if not isinstance(column, dict):
        return column
    return {key: column[key] for key in COLUMN_ORDER if key in column} | column


def plan_text(plan: Mapping[str, Any]) -> str:
    """The plan as TOML; keys without a value are left out, small tables stand on one line.

    Example:
        >>> print(plan_text({"sfumato": 1, "columns": {"age": {"role": None, "hierarchy": {"file": "age.csv"}}}}))
        sfumato = 1
        <BLANKLINE>
        [columns.age]
        hierarchy = {file = "age.csv"}
    """
    import tomlkit

    document = tomlkit.document()
    for name, value in plan.items():
        if value is not None:
            document.append(name, _item(value, 1))
    return tomlkit.dumps(document).strip()


def _item(value: Any, depth: int) -> Any:
    """A TOML item: tables down to the second level, inline below it."""
    import tomlkit

    if isinstance(value, dict):
        has_tables = depth == 1 and bool(value) and all(isinstance(v, dict) for v in value.values())
        table = tomlkit.table(is_super_table=has_tables) if depth <= 2 else tomlkit.inline_table()
        for name, inner in value.items():
            if inner is not None:
                table.append(str(name), _item(inner, 2 if has_tables else 3))
        return table
    if isinstance(value, (list, tuple)):
        return _list([v for v in value if v is not None], depth)
    return value


def _list(values: list[Any], depth: int) -> Any:
    """An array of tables at the top, an inline array elsewhere."""
    import tomlkit
    from tomlkit.items import Array, Trivia

    if depth == 1 and values and all(isinstance(v, dict) for v in values):
        tables = tomlkit.aot()
        for value in values:
            tables.append(_item(value, 2))
        return tables
    comma = [
        tomlkit.ws(","),
        tomlkit.ws(" "),
    ]  # all at once: a list of tomlkit looks at all its items with each that comes
    items = [part for value in values for part in (*comma, tomlkit.item(_item(value, 3)))]
    return Array(items[2:], Trivia())
