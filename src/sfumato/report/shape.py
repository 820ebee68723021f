"""What does the result document of a run hold? Every key, its kind and its meaning.

The format is `sfumato.release/1`. Keys are never removed and never change meaning within a version;
a reader ignores keys that it does not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.report.field import Field, count, number, objects, share, text

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = "sfumato.release/1"


_NAMES = Field("list", "column names, in order", of=text("a name"))
_DIGEST = text("SHA-256 of the bytes, in hexadecimal", nullable=True)

_SOURCE = {
    "kind": text("csv, parquet, excel, arrow, pandas, polars, duckdb or sql"),
    "path": text("the file, as the plan names it", nullable=True),
    "rows": count("rows of the table", required=True),
    "columns": _NAMES,
    "sha256": _DIGEST,
    "dialect": Field("map", "how the CSV file is written", nullable=True, of=Field("any", "")),
}

_COLUMN = {
    "name": text("name of the column", required=True),
    "role": text("identifying, quasi-identifying, sensitive or insensitive", required=True),
    "kind": text("text, integer, decimal or date"),
    "hierarchy": text("short description of its hierarchy", nullable=True),
    "height": count("levels above the values", nullable=True),
    "leaves": count("values at the bottom of the hierarchy", nullable=True),
}

_DONE_ATTRIBUTE = {
    "name": text("name of the column", required=True),
    "level": count("published level; null where classes differ", nullable=True),
    "height": count("highest level", nullable=True),
    "labels": Field("list", "up to eight published labels", of=text("a label", nullable=True)),
    "n_labels": count("distinct published labels"),
}

_DONE = {
    "method": text("full-domain, local-recoding, mondrian, cell-suppression, fixed, none …", required=True),
    "summary": text("what was done, as one sentence", required=True),
    "why": text("why it was chosen, as one sentence"),
    "loss": number("the loss that was minimized; null where none was"),
    "attributes": objects("what happened to each quasi-identifier", _DONE_ATTRIBUTE),
    "search": Field(
        "object",
        "what was looked at",
        of={
            "lattice_size": count("nodes of the lattice; null where there is none", nullable=True),
            "checked": count("nodes or cuts evaluated"),
            "optimal": Field("flag", "whether no solution loses less, proved"),
            "statement": text("what was explored and what was not"),
        },
    ),
    "suppressed": Field(
        "object",
        "rows and cells that were suppressed",
        of={
            "rows": count("suppressed rows", required=True),
            "share": share("suppressed rows over all rows"),
            "limit": share("largest share that the plan allows"),
            "cells_by_column": Field("map", "suppressed cells of each column", of=count("cells")),
        },
    ),
    "classes": Field(
        "object",
        "the published equivalence classes",
        of={
            "n": count("number of classes"),
            "min": count("size of the smallest", nullable=True),
            "max": count("size of the largest", nullable=True),
            "average": number("mean size"),
        },
    ),
}

_PROMISE = {
    "name": text("the model in the field's words", required=True),
    "statement": text("the promise as one sentence with its numbers", required=True),
    "definition": text("what the model means, as one sentence", required=True),
    "parameters": Field("map", "the numbers that were asked for", of=Field("any", "")),
    "kind": text("how it is known", choices=("checked", "proved", "idealized")),
    "source": text("paper and section"),
    "assumptions": Field("list", "what must be true outside the table", of=text("a sentence")),
    "measured": number("the strongest parameter that holds, rounded against us"),
    "holds": Field("flag", "whether the published table satisfies it"),
    "checked": text("what was checked on the written release, and what before"),
}

_FIGURE = {
    "name": text("stable identifier", required=True),
    "label": text("the field's words", required=True),
    "value": number("the figure; null: not computed, the definition says why"),
    "unit": text("how to read the value; absent: a share if it lies in [0, 1]", choices=("share", "count", "number")),
    "definition": text("one sentence with the formula", required=True),
    "source": text("paper and section"),
    "better": text("the direction in which it improves", choices=("lower", "higher")),
}

_WORTH = {**_FIGURE, "before": number("the same figure of the original table; null where it means nothing")}

_PERTURBED = {
    "column": text("name of the column", required=True),
    "method": text("how its cells were changed", required=True),
    "parameters": Field("map", "the options of the method, as written", of=Field("any", "")),
    "promise": Field("object", "what is promised of one cell; null: nothing", nullable=True, of=_PROMISE),
    "worth": objects("what the column is still worth", _FIGURE),
    "risk": objects("what an intruder gains from the column", _FIGURE),
}

_WP216 = {
    "criterion": text("which question", required=True, choices=("singling out", "linkability", "inference")),
    "question": text("the question in plain words"),
    "test": text("what was measured to answer it"),
    "value": number("the measured figure"),
    "threshold": number("the largest value called low"),
    "verdict": text("the answer", required=True, choices=("low", "elevated", "inconclusive", "not applicable")),
    "definition": text("the formula and the rule of the verdict"),
    "by": text("whether it was computed or tried; absent: computed", choices=("formula", "attack")),
    "low": number("lower end of the interval of an attack's figure"),
    "high": number("its upper end"),
}

_SIZES = Field("list", "[class size, number of classes] pairs", of=Field("list", "", of=count("")))
_SHARES = Field("list", "[label, share] pairs; a null label is a missing value", of=Field("pair", ""))

SHAPE: Mapping[str, Field] = {
    "format": text("the format and its version", required=True, choices=(FORMAT,)),
    "sfumato": text("version of the program that wrote it", required=True),
    "plan": Field("map", "the plan as it was read", of=Field("any", "")),
    "plan_sha256": text("SHA-256 of the plan"),
    "source": Field("object", "the table that was read", required=True, of=_SOURCE),
    "unit": Field(
        "object",
        "who counts as one person",
        of={
            "person": text("column that names a person; null: a row is a person", nullable=True),
            "persons": count("persons in the table", nullable=True),
        },
    ),
    "columns": objects("every column and its role", _COLUMN, required=True),
    "done": Field("object", "what was done", required=True, of=_DONE),
    "sample": Field(
        "object",
        "the rows that stayed, each by a coin of its own; null: all",
        nullable=True,
        of={
            "probability": text("probability with which each row stayed, exactly"),
            "rows": count("rows that stayed"),
            "of": count("rows of the table"),
        },
    ),
    "paid": Field(
        "object",
        "what was charged to a ledger; null: nothing",
        nullable=True,
        of={
            "dataset": text("data set in the ledger"),
            "analyst": text("who paid"),
            "request": text("name of the release in the ledger"),
            "cost": Field("map", "the event", of=Field("any", "")),
            "left": Field("list", "what the data set's budget still holds, exactly", of=text("a number")),
        },
    ),
    "insertion": Field(
        "object",
        "how tuples were inserted and left out, and counts estimated from the published set",
        of={
            "alpha": text("chance of a tuple of the table beyond beta, exactly"),
            "beta": text("chance of any other tuple of the domain, exactly"),
            "domain": count("tuples of the declared domain"),
            "published": count("published tuples"),
            "estimates": objects(
                "distinct tuples of the table with one value",
                {
                    "column": text("the column; empty: all tuples"),
                    "value": text("its value"),
                    "published": count("published tuples with it"),
                    "domain": count("tuples of the domain with it"),
                    "estimate": number("estimated tuples of the table with it"),
                    "deviation": number("standard deviation of the estimate"),
                },
            ),
        },
    ),
    "perturbed": objects("columns whose cells were changed beside recoding", _PERTURBED),
    "promise": objects("what is promised", _PROMISE, required=True),
    "worth": objects("what the release is worth", _WORTH),
    "risk": Field(
        "object",
        "what an intruder gains, by formula",
        of={"before": objects("of the original", _FIGURE), "after": objects("of the release", _FIGURE)},
    ),
    "wp216": objects("the three questions of the Article 29 Working Party, opinion 05/2014", _WP216),
    "class_sizes": Field("object", "how large the classes are", of={"before": _SIZES, "after": _SIZES}),
    "distributions": Field(
        "map",
        "values of each column",
        of=Field("object", "of one column", of={"before": _SHARES, "after": _SHARES}),
    ),
    "subsets": objects(
        "how identifying the combinations of quasi-identifiers of the original are",
        {
            "columns": Field("list", "the combination", required=True, of=text("a name")),
            "distinction": share("distinct combinations over rows"),
            "separation": share("pairs of rows that differ over all pairs"),
        },
    ),
    "loss_by_k": objects(
        "what other values of k would cost",
        {"k": count("k", required=True), "loss": number("loss"), "suppressed": share("suppressed share of rows")},
    ),
    "loss_by_wish": objects(
        "what persons lost, by the k or l that they asked for themselves; rare wishes are told together",
        {
            "model": text("personal-k or personal-l", required=True),
            "column": text("column that holds the wishes", required=True),
            "asked": Field("list", "lowest and highest wish of the group; 0: none", of=count("")),
            "persons": count("persons who asked for it"),
            "suppressed": share("share of them whose rows were suppressed; null: not known"),
            "loss": share("mean certainty penalty of their cells, 1 for suppressed ones; null: not computed"),
        },
    ),
    "files": objects(
        "files that were written",
        {
            "path": text("the file", nullable=True),
            "kind": text("csv, parquet, …"),
            "rows": count("rows", nullable=True),
            "bytes": count("size", nullable=True),
            "sha256": _DIGEST,
        },
    ),
    "replay": text("the command that makes it again"),
    "notes": Field("list", "what a reader should know about this run", of=text("a sentence")),
    "versions": Field("map", "versions of what computed it", of=text("a version")),
}


def lines(shape: Mapping[str, Field] = SHAPE, prefix: str = "") -> list[tuple[str, Field]]:
    """Every key with its dotted path, `[]` for items of lists and `.*` for free names.

    Example:
        >>> [path for path, _ in lines()][:6]
        ['format', 'sfumato', 'plan', 'plan_sha256', 'source', 'source.kind']
    """
    out: list[tuple[str, Field]] = []
    for name, key in shape.items():
        path = f"{prefix}{name}"
        out.append((path, key))
        inner, mark = key, ""
        while isinstance(inner.of, Field):
            mark += "[]" if inner.kind == "list" else ".*"
            inner = inner.of
        if inner.of is not None:
            out += lines(inner.of, f"{path}{mark}.")
    return out
