"""`sfumato rappor design | report | count | decode`: strings that nobody sent in clear, from parameters to a table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from sfumato.cli.careful import CarefulGroup
from sfumato.cli.options import CONFIDENCE, JSON, Renamed

if TYPE_CHECKING:
    from sfumato.mechanism.local.rappor.params import RapporParams

_FILE = click.Path(path_type=Path)
_PICTURE = click.option("--picture", type=_FILE, help="Write a picture as an SVG file.")
_PARAMS = click.argument("params", type=_FILE)
_SIGNIFICANCE = click.option(
    "--significance", cls=Renamed, former=["--level"], type=float, default=0.05, show_default=True,
    help="Chance of any false discovery.",
)  # fmt: skip
_MOST_DRAWN = 25
_CORRECTIONS = ("bonferroni", "holm", "benjamini-hochberg", "adaptive")


@click.group(cls=CarefulGroup)
def rappor() -> None:
    """Collect strings with RAPPOR: each device sends randomized bits, once or for a lifetime."""


@rappor.command()
@click.option("--epsilon-permanent", type=float, help="Of all reports about one value, in nats.")
@click.option("--once", is_flag=True, help="Each person reports once only; instead of --epsilon-permanent.")
@click.option("--epsilon-first", type=float, required=True, help="Of a single report, in nats.")
@click.option("--reports", type=int, required=True, help="Persons who will report.")
@click.option("--candidates", type=int, required=True, help="Strings that will be tested.")
@click.option("--values", type=_FILE, help="Declared strings, one a line: basic RAPPOR, a bit for each.")
@click.option("--name", required=True, help="Of the collection; it separates its hash functions from others.")
@_SIGNIFICANCE
@click.option("--power", type=float, default=0.9, show_default=True, help="Chance to find the smallest share.")
@click.option("--runs", type=click.IntRange(0), default=5, show_default=True, help="Simulated collections; 0: none.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the simulation.")
@click.option("-o", "--output", type=_FILE, help="Where to write the chosen parameters.")
@_PICTURE
@JSON
def design(  # noqa: PLR0913, PLR0917
    epsilon_permanent: float | None, once: bool, epsilon_first: float, reports: int, candidates: int, values: Path | None,
    name: str, significance: float, power: float, runs: int, seed: int, output: Path | None, picture: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Propose f, p, q, bits, hashes and cohorts that keep both epsilons, and tell the smallest share they find."""
    import numpy as np

    from sfumato.cli.work import as_json as to_text
    from sfumato.cli.work import write_text
    from sfumato.mechanism.local.rappor.design import Promise
    from sfumato.mechanism.local.rappor.detection import Aim
    from sfumato.release.collect.rappor_design import design_document

    if once == (epsilon_permanent is not None):
        raise click.UsageError("Give either --epsilon-permanent or --once.")
    declared = () if values is None else _lines(values)
    aim = Aim(reports, len(declared) or candidates, significance, power)
    promise = Promise(epsilon_permanent, epsilon_first)
    found = design_document(name, promise, aim, values=declared, runs=runs, rng=np.random.default_rng(seed))
    if output is not None:
        from sfumato.mechanism.local.rappor.params import RapporParams

        write_text(output, RapporParams.from_json(json.dumps(found["parameters"])).to_json() + "\n", internal=False)
    if picture is not None:
        write_text(picture, _design_picture(found), internal=False)
    click.echo(to_text(found) if as_json else _design_text(found, output))


@rappor.command()
@_PARAMS
@click.argument("source")
@click.option("--column", required=True, help="The column that is reported.")
@click.option("-o", "--output", type=_FILE, required=True, help="Where to write the batches, one a line.")
@click.option(
    "--batch",
    cls=Renamed,
    former=["--size"],
    type=click.IntRange(1, 100_000),
    default=1000,
    show_default=True,
    help="Reports in a batch.",
)
@click.option("--delimiter", help="Separator of a CSV file; sniffed otherwise.")
@JSON
def report(  # noqa: PLR0913, PLR0917
    params: Path, source: str, column: str, output: Path, batch: int, delimiter: str | None, as_json: bool
) -> None:  # fmt: skip
    """Play the clients: each row of SOURCE is a person who reports once."""
    from sfumato.cli.work import as_json as to_text
    from sfumato.cli.work import where, write_text
    from sfumato.noise.bits import SystemBits
    from sfumato.release.collect.rappor import report_values

    made = _params(params)
    batches = list(report_values(made, where(source, delimiter=delimiter), column, size=batch, bits=SystemBits()))
    write_text(output, "".join(f"{line}\n" for line in batches), internal=False)
    done = {"format": "sfumato.rappor-reports/1", "path": str(output), "batches": len(batches), "collection": made.digest}  # fmt: skip
    click.echo(to_text(done) if as_json else f" batches: {output} ({len(batches):,})")


@rappor.command()
@_PARAMS
@click.argument("batches", nargs=-1, required=True, type=_FILE)
@click.option("-o", "--output", type=_FILE, help="Where to write the counts.")
@JSON
def count(params: Path, batches: tuple[Path, ...], output: Path | None, as_json: bool) -> None:
    """Play the server: count the bits of BATCHES, each batch id once."""
    from sfumato.cli.work import as_json as to_text
    from sfumato.cli.work import write_text
    from sfumato.release.collect.rappor import count_batches, counts_document

    made = _params(params)
    counts, new, again = count_batches(made, _batches(batches))
    document = to_text(counts_document(made, counts))
    if output is not None:
        write_text(output, document + "\n", internal=False)
    text = f"  counts: {counts.total:,} reports of {new:,} batches; {again:,} came again and were not counted"
    click.echo(document if as_json or output is None else text)


@rappor.command()
@_PARAMS
@click.argument("counts", nargs=-1, required=True, type=_FILE)
@click.option("--candidates", type=_FILE, help="Strings to be tested, one a line; declared values need none.")
@click.option("--correction", type=click.Choice(_CORRECTIONS), default="adaptive", show_default=True, help="What the significance bounds.")  # fmt: skip
@click.option("--selection", type=click.Choice(("forward", "lasso")), default="forward", show_default=True, help="How the strings that are adjusted for are found.")  # fmt: skip
@_SIGNIFICANCE
@CONFIDENCE
@click.option("-o", "--output", type=_FILE, help="Where to write the result.")
@_PICTURE
@JSON
def decode(  # noqa: PLR0913, PLR0917
    params: Path, counts: tuple[Path, ...], candidates: Path | None, correction: str, selection: str, significance: float,
    confidence: float, output: Path | None, picture: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Find the strings in COUNTS (several are added up), with shares, intervals and tests."""
    from sfumato.cli.progress import Line
    from sfumato.cli.work import as_json as to_text
    from sfumato.cli.work import read_text, write_text
    from sfumato.mechanism.local.rappor.decode.correction import Correction
    from sfumato.mechanism.local.rappor.decode.decode import decode as find
    from sfumato.mechanism.local.rappor.decode.select import Selection
    from sfumato.release.collect.rappor import read_counts

    made, line = _params(params), Line()
    names = _lines(candidates) if candidates is not None else made.values
    if not names:
        raise click.UsageError("A Bloom filter needs --candidates: strings are tested, not read off.")
    summed = read_counts(made, [read_text(path) for path in counts])
    try:
        found = find(made, summed, names, correction=Correction(correction), selection=Selection(selection), significance=significance,
                     confidence=confidence, progress=line).to_data()  # fmt: skip
    finally:
        line.clear()
    if output is not None:
        write_text(output, to_text(found) + "\n", internal=False)
    if picture is not None:
        write_text(picture, _decoded_picture(found), internal=False)
    click.echo(to_text(found) if as_json else _decoded_text(found))


def _params(path: Path) -> RapporParams:
    """The parameters that were signed off."""
    from sfumato.cli.work import read_text
    from sfumato.mechanism.local.rappor.params import RapporParams

    return RapporParams.from_json(read_text(path))


def _lines(path: Path) -> tuple[str, ...]:
    """Distinct strings of a file, one a line, in order; empty lines are skipped."""
    from sfumato.cli.work import read_text

    lines = (line.rstrip("\r") for line in read_text(path).removeprefix("\ufeff").split("\n"))
    return tuple(dict.fromkeys(line for line in lines if line))


def _batches(paths: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    """Each line with its place."""
    from sfumato.errors import SourceError

    for path in paths:
        try:
            with path.open("rb") as file:
                yield from ((f"{path.name!r}, line {i}", line) for i, line in enumerate(file, 1) if line.strip())
        except OSError as error:
            raise SourceError("{path!r} must be a readable file.", "correct the path.", path=str(path)) from error


def _rows(document: Mapping[str, object], key: str) -> Sequence[Mapping[str, object]]:
    """A list of objects."""
    return cast("Sequence[Mapping[str, object]]", document[key])


def _percent(value: object) -> str:
    """A share as a percentage with three digits."""
    return "none" if value is None else f"{100 * float(str(value)):.3g} %"


def _design_text(found: Mapping[str, object], output: Path | None) -> str:
    """The proposals as lines."""
    lines = [f"{'bytes':>7}{'bits':>6}{'hashes':>7}{'cohorts':>8}{'f':>10}{'p':>8}{'q':>8}{'eps lifetime':>14}{'eps report':>12}{'smallest share':>16}"]  # fmt: skip
    for i, row in enumerate(_rows(found, "proposals")):
        lifetime = row["epsilon_permanent"]
        shown = "once" if lifetime is None else f"{float(str(lifetime)):.4f}"
        lines.append(
            f"{row['bytes']!s:>7}{row['bits']!s:>6}{row['hashes']!s:>7}{row['cohorts']!s:>8}{row['f']!s:>10}{row['p']!s:>8}"
            f"{row['q']!s:>8}{shown:>14}{float(str(row['epsilon_first'])):>12.4f}{_percent(row['smallest_share']):>16}"
            + ("  chosen" if i == found["chosen"] else "")
        )
    lines.append(
        f"A string of the smallest share is found with probability {found['power']}, at significance {found['significance']} over "
        f"{found['candidates']:,} candidates, from {found['reports']:,} reports."
    )
    if found["simulated_power"] is not None:
        lines.append(f"Simulated {found['simulated_runs']} times, the chosen one found {_percent(found['simulated_power'])} of such strings.")  # fmt: skip
    return "\n".join([*lines, *([] if output is None else [f"parameters: {output}"])])


def _decoded_text(found: Mapping[str, object]) -> str:
    """The discoveries as lines."""
    rows = [row for row in _rows(found, "candidates") if row["found"]]
    lines = [f"{found['reports']:,} reports; {len(rows)} of {len(_rows(found, 'candidates')):,} candidates found ({found['correction']}, significance {found['significance']})"]  # fmt: skip
    lines += [
        f"  {_percent(row['share']):>9}  [{_percent(row['low'])}, {_percent(row['high'])}]  p {float(str(row['adjusted'])):.1e}  {_named(row)}"
        for row in rows
    ]
    lines.append(f"  {_percent(found['unexplained']):>9}  of persons hold something else, or a string too rare to be found")  # fmt: skip
    silent = cast("Sequence[int]", found["silent_cohorts"])
    return "\n".join(lines + ([f"{len(silent)} cohorts sent no report."] if silent else []))


def _named(row: Mapping[str, object]) -> str:
    """The names of an entry, quoted where they could end a line or move the cursor."""
    names = cast("Sequence[str]", row["names"])
    return " or ".join(name if name.isprintable() else repr(name) for name in names)


def _design_picture(found: Mapping[str, object]) -> str:
    """The smallest share against the size of a report."""
    from sfumato.report.chart.lines import Axes, Curve, lines
    from sfumato.report.chart.standalone import standalone

    rows = _rows(found, "proposals")
    shares = [None if row["smallest_share"] is None else 100 * float(str(row["smallest_share"])) for row in rows]
    chosen = [share if i == found["chosen"] else None for i, share in enumerate(shares)]
    curves = [Curve("smallest share found", shares, 0), Curve("chosen", chosen, 1)]
    axes = Axes(("bits of a report", "share of persons, %"), (len(rows) > 1, False), (), lambda value: f"{value:.3g}")
    sizes = [float(str(row["bits"])) for row in rows]
    return standalone(lines(sizes, curves, "Smallest share that is found, by size of a report", axes))


def _decoded_picture(found: Mapping[str, object]) -> str:
    """The largest discoveries as bars."""
    from sfumato.report.chart.bars import bars
    from sfumato.report.chart.standalone import standalone
    from sfumato.report.chart.svg import Series

    rows = [row for row in _rows(found, "candidates") if row["found"]][:_MOST_DRAWN]
    shares = [100 * float(str(row["share"])) for row in rows]
    series = [Series("estimated share", "after", shares)]
    return standalone(bars([_named(row) for row in rows], series, "Estimated shares of the strings found", "share of persons, %", lambda value: f"{value:.3g}"))  # fmt: skip
