"""What does the result document of a run hold? Every key, its kind and its meaning.

The format is `sfumato.release/1`. Keys are never removed and never change meaning within a version;
a reader ignores keys that it does not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = "sfumato.release/1"


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the document.

    Args:
        kind: "text", "count" (whole, >= 0), "number", "share" (in [0, 1]), "flag", "any", "object"
            (named keys), "list", "pair" (a text or null, and a number) or "map" (free names).
        meaning: one phrase.
        required: whether a document without it is refused.
        nullable: whether null is allowed.
        of: the keys of an object; the item of a list or map.
        choices: the only texts allowed; () when free.
    """

    kind: str
    meaning: str
    required: bool = False
    nullable: bool = False
    of: Mapping[str, Key] | Key | None = None
    choices: tuple[str, ...] = ()


def _text(meaning: str, *, required: bool = False, nullable: bool = False, choices: tuple[str, ...] = ()) -> Key:
    return Key("text", meaning, required, nullable, None, choices)


def _count(meaning: str, *, required: bool = False, nullable: bool = False) -> Key:
    return Key("count", meaning, required, nullable)


def _number(meaning: str, *, required: bool = False, nullable: bool = True) -> Key:
    return Key("number", meaning, required, nullable)


def _share(meaning: str, *, required: bool = False, nullable: bool = True) -> Key:
    return Key("share", meaning, required, nullable)


def _objects(meaning: str, of: Mapping[str, Key], *, required: bool = False) -> Key:
    return Key("list", meaning, required, of=Key("object", "", of=of))


_NAMES = Key("list", "column names, in order", of=_text("a name"))
_DIGEST = _text("SHA-256 of the bytes, in hexadecimal", nullable=True)

_SOURCE = {
    "kind": _text("csv, parquet, excel, arrow, pandas, polars, duckdb or sql"),
    "path": _text("the file, as the plan names it", nullable=True),
    "rows": _count("rows of the table", required=True),
    "columns": _NAMES,
    "sha256": _DIGEST,
    "dialect": Key("map", "how the CSV file is written", nullable=True, of=Key("any", "")),
}

_COLUMN = {
    "name": _text("name of the column", required=True),
    "role": _text("identifying, quasi-identifying, sensitive or insensitive", required=True),
    "kind": _text("text, integer, decimal or date"),
    "hierarchy": _text("short description of its hierarchy", nullable=True),
    "height": _count("levels above the values", nullable=True),
    "leaves": _count("values at the bottom of the hierarchy", nullable=True),
}

_DONE_ATTRIBUTE = {
    "name": _text("name of the column", required=True),
    "level": _count("published level; null where classes differ", nullable=True),
    "height": _count("highest level", nullable=True),
    "labels": Key("list", "up to eight published labels", of=_text("a label", nullable=True)),
    "n_labels": _count("distinct published labels"),
}

_DONE = {
    "method": _text("full-domain, local-recoding, mondrian, cell-suppression, fixed, none …", required=True),
    "summary": _text("what was done, as one sentence", required=True),
    "why": _text("why it was chosen, as one sentence"),
    "loss": _number("the loss that was minimized; null where none was"),
    "attributes": _objects("what happened to each quasi-identifier", _DONE_ATTRIBUTE),
    "search": Key(
        "object",
        "what was looked at",
        of={
            "lattice_size": _count("nodes of the lattice; null where there is none", nullable=True),
            "checked": _count("nodes or cuts evaluated"),
            "optimal": Key("flag", "whether no solution loses less, proved"),
            "statement": _text("what was explored and what was not"),
        },
    ),
    "suppressed": Key(
        "object",
        "rows and cells that were suppressed",
        of={
            "rows": _count("suppressed rows", required=True),
            "share": _share("suppressed rows over all rows"),
            "limit": _share("largest share that the plan allows"),
            "cells_by_column": Key("map", "suppressed cells of each column", of=_count("cells")),
        },
    ),
    "classes": Key(
        "object",
        "the published equivalence classes",
        of={
            "n": _count("number of classes"),
            "min": _count("size of the smallest", nullable=True),
            "max": _count("size of the largest", nullable=True),
            "average": _number("mean size"),
        },
    ),
}

_PROMISE = {
    "name": _text("the model in the field's words", required=True),
    "statement": _text("the promise as one sentence with its numbers", required=True),
    "definition": _text("what the model means, as one sentence", required=True),
    "parameters": Key("map", "the numbers that were asked for", of=Key("any", "")),
    "kind": _text("how it is known", choices=("checked", "proved", "idealized")),
    "source": _text("paper and section"),
    "assumptions": Key("list", "what must be true outside the table", of=_text("a sentence")),
    "measured": _number("the strongest parameter that holds, rounded against us"),
    "holds": Key("flag", "whether the published table satisfies it"),
    "checked": _text("what was checked on the written release, and what before"),
}

_FIGURE = {
    "name": _text("stable identifier", required=True),
    "label": _text("the field's words", required=True),
    "value": _number("the figure; null: not computed, the definition says why"),
    "unit": _text("how to read the value; absent: a share if it lies in [0, 1]", choices=("share", "count", "number")),
    "definition": _text("one sentence with the formula", required=True),
    "source": _text("paper and section"),
    "better": _text("the direction in which it improves", choices=("lower", "higher")),
}

_WORTH = {**_FIGURE, "before": _number("the same figure of the original table; null where it means nothing")}

_PERTURBED = {
    "column": _text("name of the column", required=True),
    "method": _text("how its cells were changed", required=True),
    "parameters": Key("map", "the options of the method, as written", of=Key("any", "")),
    "promise": Key("object", "what is promised of one cell; null: nothing", nullable=True, of=_PROMISE),
    "worth": _objects("what the column is still worth", _FIGURE),
    "risk": _objects("what an intruder gains from the column", _FIGURE),
}

_WP216 = {
    "criterion": _text("which question", required=True, choices=("singling out", "linkability", "inference")),
    "question": _text("the question in plain words"),
    "test": _text("what was measured to answer it"),
    "value": _number("the measured figure"),
    "threshold": _number("the largest value called low"),
    "verdict": _text("the answer", required=True, choices=("low", "elevated", "inconclusive", "not applicable")),
    "definition": _text("the formula and the rule of the verdict"),
    "by": _text("whether it was computed or tried; absent: computed", choices=("formula", "attack")),
    "low": _number("lower end of the interval of an attack's figure"),
    "high": _number("its upper end"),
}

_SIZES = Key("list", "[class size, number of classes] pairs", of=Key("list", "", of=_count("")))
_SHARES = Key("list", "[label, share] pairs; a null label is a missing value", of=Key("pair", ""))

SHAPE: Mapping[str, Key] = {
    "format": _text("the format and its version", required=True, choices=(FORMAT,)),
    "sfumato": _text("version of the program that wrote it", required=True),
    "plan": Key("map", "the plan as it was read", of=Key("any", "")),
    "plan_sha256": _text("SHA-256 of the plan"),
    "source": Key("object", "the table that was read", required=True, of=_SOURCE),
    "unit": Key(
        "object",
        "who counts as one person",
        of={
            "person": _text("column that names a person; null: a row is a person", nullable=True),
            "persons": _count("persons in the table", nullable=True),
        },
    ),
    "columns": _objects("every column and its role", _COLUMN, required=True),
    "done": Key("object", "what was done", required=True, of=_DONE),
    "sample": Key(
        "object",
        "the rows that stayed, each by a coin of its own; null: all",
        nullable=True,
        of={
            "probability": _text("probability with which each row stayed, exactly"),
            "rows": _count("rows that stayed"),
            "of": _count("rows of the table"),
        },
    ),
    "paid": Key(
        "object",
        "what was charged to a ledger; null: nothing",
        nullable=True,
        of={
            "dataset": _text("data set in the ledger"),
            "analyst": _text("who paid"),
            "request": _text("name of the release in the ledger"),
            "cost": Key("map", "the event", of=Key("any", "")),
            "left": Key("list", "what the data set's budget still holds, exactly", of=_text("a number")),
        },
    ),
    "insertion": Key(
        "object",
        "how tuples were inserted and left out, and counts estimated from the published set",
        of={
            "alpha": _text("chance of a tuple of the table beyond beta, exactly"),
            "beta": _text("chance of any other tuple of the domain, exactly"),
            "domain": _count("tuples of the declared domain"),
            "published": _count("published tuples"),
            "estimates": _objects(
                "distinct tuples of the table with one value",
                {
                    "column": _text("the column; empty: all tuples"),
                    "value": _text("its value"),
                    "published": _count("published tuples with it"),
                    "domain": _count("tuples of the domain with it"),
                    "estimate": _number("estimated tuples of the table with it"),
                    "deviation": _number("standard deviation of the estimate"),
                },
            ),
        },
    ),
    "perturbed": _objects("columns whose cells were changed beside recoding", _PERTURBED),
    "promise": _objects("what is promised", _PROMISE, required=True),
    "worth": _objects("what the release is worth", _WORTH),
    "risk": Key(
        "object",
        "what an intruder gains, by formula",
        of={"before": _objects("of the original", _FIGURE), "after": _objects("of the release", _FIGURE)},
    ),
    "wp216": _objects("the three questions of the Article 29 Working Party, opinion 05/2014", _WP216),
    "class_sizes": Key("object", "how large the classes are", of={"before": _SIZES, "after": _SIZES}),
    "distributions": Key(
        "map",
        "values of each column",
        of=Key("object", "of one column", of={"before": _SHARES, "after": _SHARES}),
    ),
    "subsets": _objects(
        "how identifying the combinations of quasi-identifiers of the original are",
        {
            "columns": Key("list", "the combination", required=True, of=_text("a name")),
            "distinction": _share("distinct combinations over rows"),
            "separation": _share("pairs of rows that differ over all pairs"),
        },
    ),
    "loss_by_k": _objects(
        "what other values of k would cost",
        {"k": _count("k", required=True), "loss": _number("loss"), "suppressed": _share("suppressed share of rows")},
    ),
    "loss_by_wish": _objects(
        "what persons lost, by the k or l that they asked for themselves; rare wishes are told together",
        {
            "model": _text("personal-k or personal-l", required=True),
            "column": _text("column that holds the wishes", required=True),
            "asked": Key("list", "lowest and highest wish of the group; 0: none", of=_count("")),
            "persons": _count("persons who asked for it"),
            "suppressed": _share("share of them whose rows were suppressed; null: not known"),
            "loss": _share("mean certainty penalty of their cells, 1 for suppressed ones; null: not computed"),
        },
    ),
    "files": _objects(
        "files that were written",
        {
            "path": _text("the file", nullable=True),
            "kind": _text("csv, parquet, …"),
            "rows": _count("rows", nullable=True),
            "bytes": _count("size", nullable=True),
            "sha256": _DIGEST,
        },
    ),
    "replay": _text("the command that makes it again"),
    "notes": Key("list", "what a reader should know about this run", of=_text("a sentence")),
    "versions": Key("map", "versions of what computed it", of=_text("a version")),
}


def lines(shape: Mapping[str, Key] = SHAPE, prefix: str = "") -> list[tuple[str, Key]]:
    """Every key with its dotted path, `[]` for items of lists and `.*` for free names.

    Example:
        >>> [path for path, _ in lines()][:6]
        ['format', 'sfumato', 'plan', 'plan_sha256', 'source', 'source.kind']
    """
    out: list[tuple[str, Key]] = []
    for name, key in shape.items():
        path = f"{prefix}{name}"
        out.append((path, key))
        inner, mark = key, ""
        while isinstance(inner.of, Key):
            mark += "[]" if inner.kind == "list" else ".*"
            inner = inner.of
        if inner.of is not None:
            out += lines(inner.of, f"{path}{mark}.")
    return out
