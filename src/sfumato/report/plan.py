"""The plan of a result as TOML again, short and in the order of the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.report.words import in_key_order, in_table_order

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.document.result.release import ReleaseResult

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

    if depth == 1 and values and all(isinstance(v, dict) for v in values):
        tables = tomlkit.aot()
        for value in values:
            tables.append(_item(value, 2))
        return tables
    array = tomlkit.array()
    for value in values:
        array.append(_item(value, 3))
    return array
