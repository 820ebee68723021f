"""`sfumato query | budget | accuracy | simulate`: questions to a private table, what they cost, and how right they are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from sfumato.cli.careful import Careful
from sfumato.cli.options import CONFIDENCE, JSON

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.result.answers import AnswersResult, SimulatedResult
    from sfumato.release.answer.answer import Answer
    from sfumato.release.answer.price import Offer
    from sfumato.table.source import Source

_DATA = click.argument("data", type=click.Path(path_type=Path))
_SQL = click.argument("statement")
_EPSILON = click.option("--epsilon", help="Price of each answer, such as 0.5 or 1/2.")
_DELTA = click.option("--delta", help="With --epsilon: an approximate price, such as 1e-6.")
_RHO = click.option("--rho", help="Price in zero-concentrated differential privacy.")


@click.command(cls=Careful)
@_DATA
@_SQL
@_EPSILON
@_DELTA
@_RHO
@CONFIDENCE
@click.option("--analyst", help="Who asks; needed where DATA lists several.")
@click.option("--request", help="Name of the question; the same name is charged and answered once.")
@click.option("--engine", help="Where the table is read: duckdb, spark, or a cluster such as spark://host:7077.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the first answer: .csv, .parquet, .xlsx.")
@JSON
def query(  # noqa: PLR0913, PLR0917
    data: Path, statement: str, epsilon: str | None, delta: str | None, rho: str | None, confidence: float,
    analyst: str | None, request: str | None, engine: str | None, output: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Answer a SELECT about the private table of DATA, charging its ledger first.

    Where DATA has [graph], STATEMENT is a statistic as in a plan of a graph, such as "degrees, most = 100", or a SELECT about
    its edges, vertices, triangles or parts.
    """
    from sfumato.cli.show import show

    named = {"epsilon": epsilon, "delta": delta, "rho": rho, "request": request}
    offer = cast(
        "Offer", {key: value for key, value in named.items() if value is not None} | {"confidence": confidence}
    )
    result, answers = _asked(data, statement, offer, (analyst, engine, output))
    if output is not None:
        _write(answers[0], output)
    text = "\n\n".join(_answer_text(answer) for answer in answers)
    show(result, f"{text}\n\n left: {', '.join(result.left)}", as_json=as_json)


@click.command(cls=Careful)
@_DATA
@click.option("--explain", is_flag=True, help="What each accountant says of all answers together.")
@click.option("--at-delta", default="1e-6", show_default=True, help="With --explain: at which delta.")
@click.option(
    "--create",
    "is_new",
    is_flag=True,
    help="Open the data set's account, once, and make the ledger if there is none. No other command does.",
)
@JSON
def budget(data: Path, explain: bool, at_delta: str, is_new: bool, as_json: bool) -> None:
    """Show what was spent of DATA's budget, on which questions, and what is left.

    DATA is a data document, or a plan with [account].
    """
    from sfumato.cli.show import show
    from sfumato.language.words import terminal_words
    from sfumato.release.answer.opening import budget_of, create, opening_in, told_of

    opening = opening_in(data)
    if is_new:
        create(opening)
    statement, readings = budget_of(opening, at_delta if explain else None)
    if as_json:
        show(told_of(statement, readings, at_delta if explain else None), "", as_json=True)
        return
    words = terminal_words()
    click.echo(statement.text(words))
    if readings:
        said = words.gettext("All charges as one list fixed in advance, at delta {delta}:").format(delta=at_delta)
        click.echo(f"\n{said}")
    for one in readings:
        epsilon = "-" if one.epsilon is None else f"epsilon {words.spelled(f'{float(one.epsilon):.4f}')}"
        click.echo(f"  {one.accountant:<6} {epsilon}  ({words.say(one.note)})")


@click.command(cls=Careful)
@_DATA
@_SQL
@click.option("--error", required=True, help="Largest tolerated error of each answer, such as 50.")
@CONFIDENCE
@click.option("--rows", type=click.IntRange(1), help="For means: how many rows a group has, about.")
@JSON
def accuracy(data: Path, statement: str, error: str, confidence: float, rows: int | None, as_json: bool) -> None:
    """Say what epsilon (or rho) keeps an error, before any data are read.

    STATEMENT is a SELECT, or of a graph a statistic such as "degrees, most = 100".
    """
    from sfumato.cli.show import show
    from sfumato.front.answers import priced
    from sfumato.release.answer.document import is_of_graph, read_data_document

    if is_of_graph(data):
        from sfumato.front.graph_forecasts import graph_priced
        from sfumato.release.graph.declared import read_declared_graph

        found = graph_priced(read_declared_graph(data), statement, error, confidence=confidence)
    else:
        found = priced(read_data_document(data), statement, error, confidence=confidence, rows=rows)
    lines = [f"{one.question}: within {error} at {100 * confidence:g} % for {one.price}" for one in found.prices]
    show(found, "\n".join(lines), as_json=as_json)


@click.command(cls=Careful)
@_DATA
@_SQL
@_EPSILON
@_DELTA
@_RHO
@CONFIDENCE
@click.option("--rows", type=click.IntRange(1), required=True, help="Synthetic rows; of a graph, its edges.")
@click.option("--vertices", type=click.IntRange(2), help="Of a graph, where no public table lists them.")
@click.option("--runs", type=click.IntRange(1), default=200, show_default=True, help="Repetitions.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the simulated chance.")
@JSON
def simulate(  # noqa: PLR0913, PLR0917
    data: Path, statement: str, epsilon: str | None, delta: str | None, rho: str | None, confidence: float,
    rows: int, vertices: int | None, runs: int, seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Try a SELECT on synthetic rows of DATA's schema: how wrong would answers be? The private table stays closed.

    Of a graph, a statistic or a SELECT is tried on public random graphs, of hubs without groups and of groups without hubs.
    """
    import numpy as np

    from sfumato.cli.show import show
    from sfumato.front.answers import simulated
    from sfumato.release.answer.document import is_of_graph, read_data_document
    from sfumato.release.answer.price import price_of
    from sfumato.report.progress import Line

    price, rng, line = price_of(epsilon, delta, rho), np.random.default_rng(seed), Line()
    try:
        if is_of_graph(data):
            from sfumato.front.graph_forecasts import graph_simulated
            from sfumato.release.graph.declared import read_declared_graph
            from sfumato.release.graph.forecast import Size

            kind, size = "edges of random graphs", Size(vertices, rows)
            found = graph_simulated(
                read_declared_graph(data), statement, price, size, runs=runs, confidence=confidence, rng=rng
            )
        else:
            kind = "even rows"
            found = simulated(
                read_data_document(data),
                statement,
                price,
                rows=rows,
                runs=runs,
                confidence=confidence,
                rng=rng,
                progress=line,
            )
    finally:
        line.clear()
    show(found, "\n".join(_simulated(found, kind)), as_json=as_json)


def _simulated(found: SimulatedResult, kind: str) -> list[str]:
    """Errors for people."""
    lines = []
    for one in found.answers:
        lines.append(f"{one.question}, {one.rows:,} {kind}, {one.runs} answers")
        for cell, typical, bad, covered in zip(one.cells, one.typical, one.bad, one.covered, strict=True):
            inside = "" if covered is None else f", {100 * covered:.1f} % of intervals cover"
            lines.append(f"  {cell}: error {_error(typical)} (median), {_error(bad)} (95 %){inside}")
    return lines


def _asked(
    data: Path, statement: str, offer: Offer, more: tuple[str | None, str | None, Path | None]
) -> tuple[AnswersResult, tuple[Answer, ...]]:
    """The answers of a statement, about a table or a graph."""
    from sfumato.front.answers import told
    from sfumato.front.session import graph_session_of, session_of
    from sfumato.release.answer.document import is_of_graph, read_data_document

    analyst, engine, output = more
    if is_of_graph(data):
        from sfumato.release.graph.declared import read_declared_graph

        graph = read_declared_graph(data)
        if output is not None:
            _check_output(
                graph.ledger, {"the table of edges": graph.source, "the table of vertices": graph.vertices}, output
            )
        with graph_session_of(graph, analyst, engine) as asked:
            answers = asked.answers(statement, **offer)
            return told(asked, answers), answers
    declared = read_data_document(data)
    if output is not None:
        public = {f"the public table {name!r}": table.source for name, table in declared.public.items()}
        _check_output(declared.ledger, {"the private table": declared.source, **public}, output)
    with session_of(declared, analyst, engine) as session:
        answers = session.sql(statement, **offer)
        return told(session, answers), answers


def _error(error: float | None) -> str:
    return "unknown" if error is None else f"{error:.6g}"


def _answer_text(answer: Answer) -> str:
    """An answer for people: its table, then what was done, paid and promised."""
    from sfumato.report.number import answered

    lines = [answer.question]
    for key, values, low, high in zip(answer.keys, answer.values, answer.low, answer.high, strict=True):
        for cell, value, least, most in zip(answer.cells, values, low, high, strict=True):
            between = "" if least != least else f"   [{answered(least)}, {answered(most)}]"  # noqa: PLR0124
            lines.append(f"  {' · '.join((*key, cell))}: {answered(value)}{between}")
    if answer.confidence is not None:
        lines.append(f" each interval covers with probability {answer.confidence:g} or more, over the noise")
    lines += [
        f" mechanism: {answer.mechanism}",
        f" price: {answer.price}",
        f" protects: {answer.unit}",
        f" why: {answer.sensitivity}",
    ]
    return "\n".join([*lines, *(f" note: {note}" for note in answer.notes)])


def _check_output(ledger: str, tables: Mapping[str, Source | None], output: Path) -> None:
    """Refuse a place that cannot be written before anything is charged."""
    from sfumato.engine.duckdb.write import kind_of_sink
    from sfumato.release.places import Place, check_places, database_places, source_places
    from sfumato.table.source import FileSink

    read = [place for role, source in tables.items() for place in source_places(role, source)]
    check_places([*read, *database_places("the ledger", ledger)], [Place("--output", output)])
    kind_of_sink(FileSink(output))


def _write(answer: Answer, output: Path) -> None:
    """The answer as a table file."""
    from sfumato.engine.duckdb.columns import write_columns
    from sfumato.table.source import FileSink

    write_columns(cast("dict[str, Sequence[object]]", answer.table()), FileSink(output))
