"""A first plan as TOML, with a comment beside every guess."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import tomlkit

from sfumato.document.codec import write
from sfumato.document.header import FORMAT, PLAN
from sfumato.document.hierarchy_spec import table_of
from sfumato.release.draft_graph import graph_text
from sfumato.release.draft_traces import traces_text
from sfumato.table.schema import Role
from sfumato.table.source import Dialect

if TYPE_CHECKING:
    from tomlkit.items import Table

    from sfumato.release.draft import Draft, Guess
    from sfumato.table import values


_MANY = 0.5
"""Share of unique rows from which a plan warns that little can stay."""


def plan_text(draft: Draft, source: values.Table, *, stem: str) -> str:
    """The commented plan.

    Args:
        draft: the guesses.
        source: the [source] table (`path` or `url` and `query`).
        stem: name of the table without suffix, for the names of the outputs.
    """
    if draft.traces is not None:
        return traces_text(draft.traces, source, stem=stem, suffix=_suffix(draft))
    if draft.graph is not None:
        return graph_text(draft.graph, source, stem=stem, suffix=_suffix(draft))
    document = tomlkit.document()
    document.add(tomlkit.comment("A first plan. Every line is a guess to be checked by someone who knows the data."))
    document.add(tomlkit.comment("Nothing is published before each column has a role."))
    if draft.unique is not None:
        document.add(
            tomlkit.comment(
                f"{draft.unique:.1%} of the rows are alone on the quasi-identifiers proposed here together."
            )
        )
        if draft.unique > _MANY:
            document.add(
                tomlkit.comment("Expect heavy recoding: name as quasi-identifying only what others can really know.")
            )
    document.add(FORMAT, tomlkit.item(PLAN.format))
    document.add("source", _source(draft, source))
    if draft.person is None:
        document.add(
            tomlkit.comment("One row counts as one person. If persons have several rows, say which column names")
        )
        document.add(tomlkit.comment('them: [unit] person = "…".'))
    else:
        document.add("unit", _unit(draft, draft.person))
    document.add("columns", _columns(draft))
    document.add("promise", _promises(draft))
    document.add("method", _method())
    document.add("output", _output(draft, stem))
    return tomlkit.dumps(document)


def _source(draft: Draft, source: values.Table) -> Table:
    """[source], with what was sniffed shown as comments: write them as keys to overrule them."""
    table = tomlkit.table()
    for key, value in source.items():
        table.add(key, value)
    codes = {guess.column.name: list(guess.missing) for guess in draft.guesses if guess.missing}
    if codes:
        table.add(tomlkit.comment("These texts seem to mean `missing`; remove those that are real values."))
        inline = tomlkit.inline_table()
        inline.update(codes)
        table.add("missing_in", inline)
    if draft.header.dialect is not None:
        plain = Dialect()
        for key, value in asdict(draft.header.dialect).items():
            if value != getattr(plain, key):
                table.add(tomlkit.comment(f"sniffed: {key} = {value!r}"))
    table.add(tomlkit.comment(f"{draft.header.n_rows:,} rows, {len(draft.header.names)} columns"))
    return table


def _unit(draft: Draft, person: str) -> Table:
    """[unit]: who counts as one."""
    table = tomlkit.table()
    n_values = next(guess.distinct for guess in draft.guesses if guess.column.name == person)
    table.add(
        tomlkit.comment(f"{n_values:,} values in {draft.header.n_rows:,} rows: one person seems to have several rows.")
    )
    table.add(tomlkit.comment("Persons are counted, not rows. Without it the promises speak of rows."))
    table.add("person", person)
    return table


def _columns(draft: Draft) -> Table:
    """[columns.*]."""
    table = tomlkit.table(is_super_table=True)
    for guess in draft.guesses:
        table.add(guess.column.name, _column(guess, draft))
    return table


def _column(guess: Guess, draft: Draft) -> Table:
    """One column, its reasons first."""
    table = tomlkit.table()
    table.add(
        tomlkit.comment(
            f"{guess.distinct:,} distinct values; distinction {guess.distinction:.4f}, separation {guess.separation:.4f}"
        )
    )
    for found in draft.recodings:
        if found.column == guess.column.name:
            how = "says the same as" if found.both_ways else "determines"
            table.add(tomlkit.comment(f"It {how} {found.other!r}: publishing both unequally coded gives both away."))
    table.add("role", guess.column.role.value)
    table["role"].comment(guess.reason)
    table.add("kind", guess.column.kind.value)
    if guess.column.format is not None:
        table.add("format", guess.column.format)
    if guess.column.pivot is not None:
        table.add("pivot", guess.column.pivot)
        table["pivot"].comment(
            f"latest year: two digits mean {guess.column.pivot - 99} to {guess.column.pivot}"
            f" ({guess.moved:,} values would otherwise lie later)"
        )
    if guess.column.hierarchy is not None:
        inline = tomlkit.inline_table()
        inline.update(write(table_of(guess.column.hierarchy)))
        table.add("hierarchy", inline)
    return table


def _promises(draft: Draft) -> tomlkit.items.AoT:
    """[[promise]]: k-anonymity, and diversity of the first sensitive column."""
    array = tomlkit.aot()
    first = tomlkit.table()
    first.add(tomlkit.comment("Choose k by who receives the data: 5 to 20 under contract, more in the open."))
    first.add("model", "k-anonymity")
    first.add("k", 5)
    array.append(first)
    secret = next((g.column.name for g in draft.guesses if g.column.role is Role.SENSITIVE), None)
    if secret is not None:
        more = tomlkit.table()
        more.add(tomlkit.comment("Several secrets in every class, so that standing in a class does not reveal one."))
        more.add("model", "l-diversity")
        more.add("kind", "distinct")
        more.add("column", secret)
        more.add("l", 2)
        array.append(more)
    return array


def _method() -> Table:
    """[method]."""
    table = tomlkit.table()
    table.add("name", "full-domain")
    table["name"].comment("or local-recoding (least loss), mondrian (fast), cell-suppression")
    table.add("suppression_limit", 0.02)
    table["suppression_limit"].comment("largest share of rows that may lose all quasi-identifiers")
    return table


def _output(draft: Draft, stem: str) -> Table:
    """[output]: the same kind as the source."""
    table = tomlkit.table()
    table.add("path", f"{stem}.release.{_suffix(draft)}")
    table.add("report", f"{stem}.report.html")
    table.add("result", f"{stem}.result.json")
    return table


def _suffix(draft: Draft) -> str:
    """Of a file of the same kind as the source."""
    kinds = {"csv": "csv", "parquet": "parquet", "excel": "xlsx", "arrow": "arrow"}
    return kinds.get(draft.header.source_kind, "csv")
