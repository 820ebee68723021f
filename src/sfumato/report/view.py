"""What does the page show, in which words? Turns a result into plain texts and pictures.

The template prints what stands here and decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.release.method.registry import title_of
from sfumato.report import panels
from sfumato.report.number import ABSENT, Toward, count, exact, measured, number, share, toward_worse
from sfumato.report.risk_view import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Result = Mapping[str, Any]

ROLES = ("identifying", "quasi-identifying", "sensitive", "insensitive")


def title(result: Result) -> str:
    """The name of the page: which table was released."""
    path = result.get("source", {}).get("path")
    return f"Release of {path.replace(chr(92), '/').rsplit('/', 1)[-1]}" if path else "Release of a table"


def method(result: Result) -> str:
    """The name of the method."""
    name: str = result.get("done", {}).get("method", "")
    return title_of(name)


def facts(result: Result) -> list[tuple[str, str]]:
    """What was done, in numbers."""
    done, rows = result.get("done", {}), result.get("source", {}).get("rows")
    gone, classes = done.get("suppressed", {}), done.get("classes", {})
    out = [*_sampled(result), *_paid(result)]
    rows = (result.get("sample") or {}).get("rows", rows)
    if "rows" in gone:
        limit = f", limit {share(gone['limit'], Toward.DOWN)}" if gone.get("limit") is not None else ""
        out.append(
            (
                "Suppressed rows",
                f"{count(gone['rows'])} of {count(rows)} ({share(gone.get('share'), Toward.UP)}{limit})",
            )
        )
    if "n" in classes:
        out.append(("Classes", count(classes["n"])))
        out.append(("Smallest class", count(classes.get("min"))))
        out.append(("Mean class", number(classes.get("average"), Toward.DOWN)))
        out.append(("Largest class", count(classes.get("max"))))
    return out


def _sampled(result: Result) -> list[tuple[str, str]]:
    """How many rows stayed, where not all did."""
    sample = result.get("sample")
    if not sample:
        return []
    return [
        (
            "Sampled rows",
            f"{count(sample['rows'])} of {count(sample['of'])}, each with probability {sample['probability']}",
        )
    ]


def _paid(result: Result) -> list[tuple[str, str]]:
    """What was charged, where something was."""
    paid = result.get("paid")
    if not paid:
        return []
    return [
        (
            "Charged to",
            f"{paid['dataset']} by {paid['analyst']}, as {paid['request']}; left: {' and '.join(paid['left'])}",
        )
    ]


def attributes(result: Result) -> list[dict[str, str]]:
    """Every column: role, hierarchy, published level and examples of what was published."""
    done = {a["name"]: a for a in result.get("done", {}).get("attributes", ())}
    cells = result.get("done", {}).get("suppressed", {}).get("cells_by_column", {})
    return [_attribute(column, done.get(column["name"], {}), cells) for column in result.get("columns", ())]


def _attribute(column: Mapping[str, Any], done: Mapping[str, Any], cells: Mapping[str, int]) -> dict[str, str]:
    labels = ["(missing)" if label is None else label for label in done.get("labels", ())]
    hidden = (done.get("n_labels") or len(labels)) - len(labels)
    height = done.get("height", column.get("height"))
    level = "by class" if done and done.get("level") is None else f"{count(done.get('level'))} of {count(height)}"
    return {
        "name": column["name"],
        "role": column.get("role", ABSENT),
        "kind": column.get("kind", ABSENT),
        "hierarchy": column.get("hierarchy") or ABSENT,
        "leaves": count(column.get("leaves")),
        "level": level if done else ABSENT,
        "labels": ", ".join(labels) + (f" … and {count(hidden)} more" if hidden > 0 else "") if labels else ABSENT,
        "n_labels": count(done.get("n_labels")),
        "cells": count(cells.get(column["name"])),
    }


def promises(result: Result) -> list[dict[str, Any]]:
    """Each promise with its numbers spelled."""
    out = []
    for promise in result.get("promise", ()):
        parameters = dict(promise.get("parameters", {}))
        out.append(
            {
                "name": promise["name"],
                "statement": promise["statement"],
                "definition": promise["definition"],
                "parameters": [(name, exact(value)) for name, value in parameters.items()],
                "measured": measured(promise.get("measured"), parameters),
                "holds": {True: "holds", False: "does not hold"}.get(promise.get("holds"), "not checked"),
                "is_broken": promise.get("holds") is False,
                "kind": promise.get("kind", ABSENT),
                "checked": promise.get("checked", ""),
                "source": sentence(promise.get("source", ABSENT)),
                "assumptions": list(promise.get("assumptions", ())),
            }
        )
    return out


def worth(result: Result) -> list[dict[str, str]]:
    """Each figure of worth with its direction, rounded to its bad side."""
    return [
        {
            "label": item["label"],
            "value": number(item.get("value"), toward_worse(item.get("better"))),
            "before": number(item.get("before"), toward_worse(item.get("better"))),
            "better": {"lower": "lower is better", "higher": "higher is better"}.get(item.get("better"), ABSENT),
            "definition": item["definition"],
            "source": sentence(item.get("source", ABSENT)),
        }
        for item in result.get("worth", ())
    ]


def perturbed(result: Result) -> list[dict[str, Any]]:
    """Each column whose cells were changed: how, what is promised of a cell, what it is worth, what breaks it."""
    return [
        {
            "column": item["column"],
            "method": item["method"],
            "parameters": [(name, exact(value)) for name, value in item.get("parameters", {}).items()],
            "promise": (item.get("promise") or {}).get("statement", "Nothing is promised of a single cell."),
            "assumptions": list((item.get("promise") or {}).get("assumptions", ())),
            "worth": [_plain_figure(figure, toward_worse(figure.get("better"))) for figure in item.get("worth", ())],
            "risk": [_plain_figure(figure, Toward.UP) for figure in item.get("risk", ())],
        }
        for item in result.get("perturbed", ())
    ]


def _plain_figure(item: Mapping[str, Any], toward: Toward) -> dict[str, str]:
    """A figure as label, number and definition; shares of risk as percent."""
    value, is_risk = item.get("value"), toward is Toward.UP and item.get("better", "lower") == "lower"
    is_share = is_risk and isinstance(value, float) and 0 <= value <= 1 and "cells" in item["definition"].lower()
    spelled = share(value, toward) if is_share else number(value, toward)
    return {"label": item["label"], "value": spelled, "definition": item["definition"],
            "source": sentence(item.get("source", ABSENT))}  # fmt: skip


def distributions(result: Result) -> dict[str, list[tuple[str, str]]]:
    """Captions and pictures of the columns in their order: those that kept their values, the others."""
    states = in_order(result.get("distributions", {}), result)
    out: dict[str, list[tuple[str, str]]] = {"kept": [], "recoded": []}
    for name, both in states.items():
        out["kept" if panels.same_values(both) else "recoded"] += panels.distribution_charts(name, both)
    return out


def in_order(by_column: Mapping[str, Any], result: Result) -> dict[str, Any]:
    """The same entries in the order of the table's columns; unknown names last."""
    order = {column["name"]: i for i, column in enumerate(result.get("columns", ()))}
    return dict(sorted(by_column.items(), key=lambda item: order.get(item[0], len(order))))


def losses(result: Result) -> list[dict[str, str]]:
    """What other values of k would cost."""
    return [
        {
            "k": count(row["k"]),
            "loss": number(row.get("loss"), Toward.UP),
            "suppressed": share(row.get("suppressed"), Toward.UP),
        }
        for row in sorted(result.get("loss_by_k", ()), key=lambda row: int(row["k"]))
    ]


def wishes(result: Result) -> list[dict[str, str]]:
    """What persons lost, by what they asked for."""
    return [
        {
            "asked": f"{row['column']} ({row['model']}): {_from_to(row.get('asked', ()))}",
            "persons": count(row.get("persons")),
            "suppressed": share(row.get("suppressed"), Toward.UP),
            "loss": number(row.get("loss"), Toward.UP),
        }
        for row in result.get("loss_by_wish", ())
    ]


def _from_to(ends: Sequence[int]) -> str:
    """One wish, or a run of them."""
    return " to ".join(count(end) for end in dict.fromkeys(ends))


def assumptions(result: Result) -> list[str]:
    """What must be true outside the table, and notes of the run, each once."""
    promises_ = [*result.get("promise", ()), *(p["promise"] for p in result.get("perturbed", ()) if p.get("promise"))]
    said = [a for promise in promises_ for a in promise.get("assumptions", ())]
    return list(dict.fromkeys([*said, *result.get("notes", ())]))
