"""How is the plan of a result written as TOML again, short and in the order of the documentation?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

COLUMN_ORDER = ("role", "kind")
ORDER = ("sfumato", "order", "source", "unit", "columns", "promise", "method", "population", "measure", "output")


def ordered_plan(result: Mapping[str, Any]) -> dict[str, Any]:
    """The plan with its parts in documented order and its columns in the table's order.

    Example:
        >>> list(ordered_plan({"plan": {"output": {}, "method": {}, "sfumato": 1}}))
        ['sfumato', 'method', 'output']
    """
    plan = result.get("plan", {})
    place = {name: i for i, name in enumerate(ORDER)}
    out = dict(sorted(plan.items(), key=lambda item: place.get(item[0], len(ORDER))))
    order = {column["name"]: i for i, column in enumerate(result.get("columns", ()))}
    if isinstance(out.get("columns"), dict):
        columns = sorted(out["columns"].items(), key=lambda item: order.get(item[0], len(order)))
        out["columns"] = {name: _role_first(column) for name, column in columns}
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
