"""`sfumato collect recommend | randomize | aggregate | estimate | sanitize | pram`: local differential privacy, two sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import click

from sfumato.cli.careful import CarefulGroup
from sfumato.cli.options import CONFIDENCE, JSON

_OUT = click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write the result.")
_DOCUMENT = click.argument("collection", type=click.Path(path_type=Path))


@click.group(cls=CarefulGroup)
def collect() -> None:
    """Collect answers that each person's own device perturbs."""


@collect.command()
@click.option("--epsilon", type=float, required=True, help="Of each person's report, in nats.")
@click.option(
    "--values", type=int, multiple=True, required=True, help="Number of values of a question; repeat for more."
)
@click.option("--persons", type=int, required=True, help="How many will answer.")
@click.option("--picture", type=click.Path(path_type=Path), help="Write the comparison as an SVG file.")
@JSON
def recommend(epsilon: float, values: tuple[int, ...], persons: int, picture: Path | None, as_json: bool) -> None:
    """Compare the protocols by their exact variance at equal true epsilon."""
    from sfumato.cli.work import as_json as to_text
    from sfumato.cli.work import write_text
    from sfumato.release.collect.advice import advice

    found = advice(epsilon, values, persons)
    if picture is not None:
        write_text(picture, _picture(found), internal=False)
    click.echo(to_text(found) if as_json else _advice_text(found))


@collect.command()
@_DOCUMENT
@click.argument("answers")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="Reports to write: .csv or .parquet."
)
@click.option(
    "--batch", type=click.IntRange(1), default=10_000, show_default=True, help="Persons in one line of reports."
)
@JSON
def randomize(collection: Path, answers: str, output: Path, batch: int, as_json: bool) -> None:
    """Play the devices: perturb each row of ANSWERS as COLLECTION says."""
    from sfumato.cli.progress import Line
    from sfumato.cli.work import as_json as to_text
    from sfumato.cli.work import where
    from sfumato.noise.bits import SystemBits
    from sfumato.release.collect.collection import read_collection
    from sfumato.release.collect.device import randomize as perturb
    from sfumato.table.source import FileSink

    asked = read_collection(collection)
    receipt = perturb(asked, where(answers), FileSink(output), bits=SystemBits(), batch=batch, progress=Line())
    done = {"format": "sfumato.reports/1", "path": str(output), "batches": receipt.n_rows, "collection": asked.digest()}
    click.echo(to_text(done) if as_json else f" reports: {output} ({receipt.n_rows:,} batches)")


@collect.command()
@_DOCUMENT
@click.argument("reports", nargs=-1, required=True)
@click.option("--engine", help="Where reports are counted: duckdb, spark, or a cluster such as spark://host:7077.")
@_OUT
@JSON
def aggregate(
    collection: Path, reports: tuple[str, ...], engine: str | None, output: Path | None, as_json: bool
) -> None:
    """Play the server: count the support in REPORTS (.csv, .parquet), or add up counts (.json)."""
    from sfumato.cli.work import where
    from sfumato.release.collect.collection import read_collection
    from sfumato.release.collect.server import aggregate as count
    from sfumato.release.collect.server import merge
    from sfumato.release.engines import engine_of

    asked = read_collection(collection)
    counted = [_load(Path(name)) for name in reports if name.endswith(".json")]
    sources = [where(name) for name in reports if not name.endswith(".json")]
    if sources:
        with engine_of(engine) as chosen:
            counted.append(count(chosen, asked, sources))
    _give(merge(asked, counted), output, f"  counts: {output}", as_json=as_json or output is None)


@collect.command()
@_DOCUMENT
@click.argument("counts", type=click.Path(path_type=Path))
@CONFIDENCE
@_OUT
@JSON
def estimate(collection: Path, counts: Path, confidence: float, output: Path | None, as_json: bool) -> None:
    """Estimate the share of every answer from COUNTS, with intervals."""
    from sfumato.release.collect.collection import read_collection
    from sfumato.release.collect.server import estimates

    found = estimates(read_collection(collection), _load(counts), confidence=confidence)
    _give(found, output, _estimates_text(found), as_json=as_json)


@collect.command()
@click.argument("document", type=click.Path(path_type=Path))
@click.argument("source")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Noised table to write.")
@JSON
def sanitize(document: Path, source: str, output: Path, as_json: bool) -> None:
    """Noise every cell of SOURCE as DOCUMENT says, and tell what a person's whole row spends."""
    from sfumato.cli.work import as_json as to_text
    from sfumato.cli.work import where
    from sfumato.noise.bits import SystemBits
    from sfumato.release.collect.noising import noise_table, read_noising
    from sfumato.table.source import FileSink

    noised, receipt = noise_table(read_noising(document), where(source), FileSink(output), bits=SystemBits())
    done = {"format": "sfumato.noised/1", "path": str(output), "rows": receipt.n_rows, "epsilon": noised.epsilon,
            "by_column": dict(noised.by_column)}  # fmt: skip
    spent = "\n".join(f"  {epsilon:>10.6g}  {name}" for name, epsilon in noised.by_column.items())
    text = f"{spent}\n  {noised.epsilon:>10.6g}  a person's whole row\n   table: {output}"
    click.echo(to_text(done) if as_json else text)


@collect.command()
@click.argument("document", type=click.Path(path_type=Path))
@click.argument("source")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Perturbed table to write.")
@JSON
def pram(document: Path, source: str, output: Path, as_json: bool) -> None:
    """Publish SOURCE with the columns of DOCUMENT post-randomized, and tell the shares that can be read off it."""
    from sfumato.cli.work import as_json as to_text
    from sfumato.cli.work import where
    from sfumato.noise.bits import SystemBits
    from sfumato.release.collect.pram import publish, read_pram
    from sfumato.table.source import FileSink

    found = publish(read_pram(document), where(source), FileSink(output), bits=SystemBits())
    lines = [f"epsilon of a row: {float(str(found['row_epsilon'])):.6g}"]
    for column in _rows(found, "columns"):
        lines.append(f"{column['name']}: epsilon {float(str(column['epsilon'])):.6g}; shares read off the release")
        lines += [f"  {float(str(s['estimate'])):>9.4f} ± {float(str(s['deviation'])):.4f}  {s['value']}" for s in _rows(column, "shares")]  # fmt: skip
    click.echo(to_text(found) if as_json else "\n".join([*lines, f"   table: {output}"]))


def _give(document: Mapping[str, object], output: Path | None, text: str, *, as_json: bool) -> None:
    """Write a document where asked, and print it for scripts or for people."""
    from sfumato.cli.work import as_json as to_text
    from sfumato.cli.work import write_text

    if output is not None:
        write_text(output, to_text(document) + "\n", internal=False)
    click.echo(to_text(document) if as_json else text)


def _load(path: Path) -> dict[str, object]:
    """A JSON document that the user named."""
    from sfumato.cli.work import read_text
    from sfumato.errors import SourceError
    from sfumato.table.values import parsed_json

    document = parsed_json(read_text(path), repr(path.name), "give what `aggregate` wrote.")
    if not isinstance(document, dict):
        raise SourceError("{name!r} must hold one JSON object.", "give what `aggregate` wrote.", name=path.name)
    return document


def _rows(document: Mapping[str, object], key: str) -> Sequence[Mapping[str, object]]:
    """A list of objects."""
    return cast("Sequence[Mapping[str, object]]", document[key])


def _advice_text(found: Mapping[str, object]) -> str:
    """The comparison as lines."""
    lines = []
    for attribute in _rows(found, "attributes"):
        lines.append(f"{attribute['values']} values, epsilon {found['epsilon']}, {found['persons']} persons")
        lines.append(f"  {'oracle':<28}{'mean variance':>15}{'sd of a share':>15}{'bytes':>8}{'draws':>8}{'server':>8}")
        for row in _rows(attribute, "oracles"):
            mean = float(str(row["mean_variance"]))
            lines.append(
                f"  {row['name']!s:<28}{mean:>15.3e}{mean**0.5:>15.5f}{row['bytes_per_report']!s:>8}"
                f"{row['client_draws']!s:>8}{row['server_steps']!s:>8}"
            )
    schemes = cast("Mapping[str, Sequence[Mapping[str, object]]]", found["schemes"])
    for neighbors, rows in schemes.items():
        lines.append(f"several questions, persons differ in the {neighbors}: equal true epsilon")
        lines += [
            f"  {row['name']!s:<28}{float(str(row['worst_variance'])):>15.3e} worst variance; epsilon of the whole record "
            f"{float(str(row['tuple_level'])):.4g}, of one attribute {float(str(row['one_attribute'])):.4g}"
            for row in rows
        ]
    return "\n".join(lines)


def _estimates_text(found: Mapping[str, object]) -> str:
    """The shares as lines."""
    epsilon = cast("Mapping[str, float]", found["epsilon"])
    lines = [
        (
            f"{found['protocol']}: epsilon of the whole record {epsilon['tuple_level']:.6g}, "
            f"of one attribute {epsilon['one_attribute']:.6g}"
        )
    ]
    for question in _rows(found, "questions"):
        lines.append(f"{question['column']}: estimate and {float(str(found['confidence'])):.0%} interval")
        lines += [
            f"  {float(str(a['estimate'])):>9.4f}  [{float(str(a['low'])):.4f}, {float(str(a['high'])):.4f}]  {a['value']}"
            for a in _rows(question, "answers")
        ]
    return "\n".join(lines)


def _picture(found: Mapping[str, object]) -> str:
    """Standard deviation of a share under each oracle, for each question."""
    from sfumato.report.chart.bars import bars
    from sfumato.report.chart.standalone import standalone
    from sfumato.report.chart.svg import Series

    questions = _rows(found, "attributes")
    labels, deviations = [], []
    for at, question in enumerate(questions):
        of = f", question {at + 1} ({question['values']} values)" if len(questions) > 1 else ""
        for row in _rows(question, "oracles"):
            labels.append(f"{row['name']}{of}")
            deviations.append(float(str(row["mean_variance"])) ** 0.5)
    drawn = bars(
        labels,
        [Series("standard deviation", "after", deviations)],
        "Standard deviation of an estimated share under each oracle",
        "standard deviation of an estimated share",
        lambda value: f"{value:.4f}",
    )
    return standalone(drawn)
