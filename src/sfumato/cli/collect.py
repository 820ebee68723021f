"""`sfumato collect recommend | design | randomize | send | audit | aggregate | estimate | sanitize | pram`: local differential privacy, two sides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.cli.lazy import LazyGroup
from sfumato.cli.options import CONFIDENCE, JSON, Renamed

if TYPE_CHECKING:
    from sfumato.document.result.codec import Document
    from sfumato.mechanism.local.rappor.decode.decoded import Decoded
    from sfumato.release.collect.base import Collecting, Counts
    from sfumato.release.collect.rappor import RapporCollection

_FILE = click.Path(path_type=Path)
_PICTURE = click.option("--picture", type=_FILE, help="Write a picture as an SVG file.")
_TABLE = click.option("-o", "--output", required=True, type=_FILE, help="Table to write.")
_OUT = click.option("-o", "--output", type=_FILE, help="Where to write the result.")
_DOCUMENT = click.argument("collection", type=_FILE)
_SIGNIFICANCE = click.option(
    "--significance", cls=Renamed, former=["--level"], type=float, default=0.05, show_default=True,
    help="Chance of any false discovery.",
)  # fmt: skip
_CORRECTIONS = ("bonferroni", "holm", "benjamini-hochberg", "adaptive")
_LINES = ".jsonl"
"""Suffix of batches that are written as JSON documents, one a line."""


FORMER = {"report": "randomize", "count": "aggregate", "decode": "estimate"}
"""Commands of the former group `sfumato rappor`: still understood, and not shown."""


class _Collect(LazyGroup):
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or of the name that it had."""
        return super().get_command(ctx, FORMER.get(cmd_name, cmd_name))


@click.group(cls=_Collect, beside={"send": ("sfumato.collect.send_command", "send")})
def collect() -> None:
    """Collect answers that each person's own device perturbs.

    COLLECTION is a TOML document of questions with declared answers, that of a survey (numbers, questions that are asked
    again, classical designs), or the JSON document of RAPPOR's parameters, as `design` writes it, for strings that nobody
    declared.
    """


@collect.command()
@click.option("--epsilon", type=float, required=True, help="Of each person's report, in nats.")
@click.option(
    "--values", type=int, multiple=True, required=True, help="Number of values of a question; repeat for more."
)
@click.option("--persons", type=int, required=True, help="How many will answer.")
@click.option("--by", type=click.Choice(("mean", "worst", "rare")), help="Which variance decides: the mean over the values, the largest, or that of a value nobody has (f = 0).")  # fmt: skip
@click.option("--prior", "priors", multiple=True, metavar="SHARES", help="Known shares of a question's values, such as 0.7,0.2,0.1; one for each --values. RS+RFD is then compared too.")  # fmt: skip
@click.option("--picture", type=_FILE, help="Write the comparison as an SVG file.")
@JSON
def recommend(  # noqa: PLR0913, PLR0917
    epsilon: float, values: tuple[int, ...], persons: int, by: str | None, priors: tuple[str, ...], picture: Path | None, as_json: bool
) -> None:  # fmt: skip
    """Compare the protocols by their exact variance at equal true epsilon."""
    from sfumato.cli.collect_text import advice_picture, advice_text
    from sfumato.cli.show import show
    from sfumato.cli.work import write_text
    from sfumato.mechanism.local.recommend import By
    from sfumato.release.collect.advice import advice

    try:
        known = [tuple(float(share) for share in prior.split(",")) for prior in priors] or None
    except ValueError:
        raise click.UsageError("A --prior is a list of numbers, such as 0.7,0.2,0.1.") from None
    found = advice(epsilon, values, persons, by=None if by is None else By(by), priors=known)
    if picture is not None:
        write_text(picture, advice_picture(found), internal=False)
    show(found, advice_text(found), as_json=as_json)


@collect.command()
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
    """Propose parameters of RAPPOR: f, p, q, bits, hashes and cohorts that keep both epsilons, and tell the smallest share they find."""
    import numpy as np

    from sfumato.cli.collect_text import design_picture, design_text
    from sfumato.cli.show import show
    from sfumato.cli.work import read_text, write_text
    from sfumato.mechanism.local.rappor.design import Promise
    from sfumato.mechanism.local.rappor.detection import Aim
    from sfumato.release.collect.rappor import design as propose
    from sfumato.release.collect.rappor import strings_in

    if once == (epsilon_permanent is not None):
        raise click.UsageError("Give either --epsilon-permanent or --once.")
    declared = () if values is None else strings_in(read_text(values))
    aim = Aim(reports, len(declared) or candidates, significance, power)
    promise = Promise(epsilon_permanent, epsilon_first)
    params, found = propose(name, promise, aim, values=declared, runs=runs, rng=np.random.default_rng(seed))
    if output is not None:
        write_text(output, params.to_json() + "\n", internal=False)
    if picture is not None:
        write_text(picture, design_picture(found), internal=False)
    show(found, design_text(found, output), as_json=as_json)


@collect.command()
@_DOCUMENT
@click.argument("answers")
@click.option("--column", help="The column that is reported, of a collection of strings.")
@click.option("-o", "--output", required=True, type=_FILE, help="Reports to write: .csv, .parquet, or .jsonl as a server receives them.")  # fmt: skip
@click.option("--batch", cls=Renamed, former=["--size"], type=click.IntRange(1), default=10_000, show_default=True, help="Persons in one line of reports.")  # fmt: skip
@click.option("--delimiter", help="Separator of a CSV file; sniffed otherwise.")
@JSON
def randomize(  # noqa: PLR0913, PLR0917
    collection: Path, answers: str, column: str | None, output: Path, batch: int, delimiter: str | None, as_json: bool
) -> None:  # fmt: skip
    """Play the devices: perturb each row of ANSWERS as COLLECTION says."""
    from sfumato.cli.show import show
    from sfumato.cli.work import where, write_text
    from sfumato.document.result.collected import ReportsResult
    from sfumato.noise.bits import SystemBits
    from sfumato.release.collect.batch import report_lines, write_reports
    from sfumato.release.collect.collection import read_collection
    from sfumato.report.progress import Line
    from sfumato.table.source import FileSink

    asked, line = read_collection(collection), Line()
    source = where(answers, delimiter=delimiter)
    try:
        sent = list(asked.randomized(source, column=column, batch=batch, bits=SystemBits(), progress=line))
    finally:
        line.clear()
    if output.suffix == _LINES:
        write_text(output, "".join(f"{text}\n" for text in report_lines(asked, sent)), internal=False)
    else:
        write_reports(asked, sent, FileSink(output))
    done = ReportsResult(path=str(output), batches=len(sent), collection=asked.digest())
    show(done, f" reports: {output} ({len(sent):,} batches)", as_json=as_json)


@collect.command()
@_DOCUMENT
@click.argument("reports", nargs=-1, required=True)
@click.option("--engine", help="Where reports are counted: duckdb, spark, or a cluster such as spark://host:7077.")
@_OUT
@JSON
def aggregate(
    collection: Path, reports: tuple[str, ...], engine: str | None, output: Path | None, as_json: bool
) -> None:
    """Play the server: count the support in REPORTS (.csv, .parquet, .jsonl), or add up counts (.json)."""
    from sfumato.cli.work import where
    from sfumato.release.collect.batch import count_batches, lines_of
    from sfumato.release.collect.collection import read_collection
    from sfumato.release.collect.server import aggregate as count
    from sfumato.release.collect.server import merge
    from sfumato.release.engines import engine_of

    asked, text = read_collection(collection), f"  counts: {output}"
    counted = [load_counts(asked, Path(name)) for name in reports if name.endswith(".json")]
    lines = [Path(name) for name in reports if name.endswith(_LINES)]
    sources = [where(name) for name in reports if not name.endswith((".json", _LINES))]
    if lines:
        part, new, again = count_batches(asked, lines_of(lines))
        counted.append(part)
        persons = sum(part.reports)
        text += f"\n{persons:>8,} reports of {new:,} batches; {again:,} came again and were not counted"
    if sources:
        with engine_of(engine) as chosen:
            counted.append(count(chosen, asked, sources))
    give(merge(asked, counted).told(), output, text, as_json=as_json or output is None)


@collect.command()
@_DOCUMENT
@click.argument("counts", nargs=-1, required=True, type=_FILE)
@CONFIDENCE
@click.option("--candidates", type=_FILE, help="Strings to be tested, one a line; declared values need none.")
@click.option("--correction", type=click.Choice(_CORRECTIONS), default="adaptive", show_default=True, help="What the significance bounds.")  # fmt: skip
@click.option("--selection", type=click.Choice(("forward", "lasso")), default="forward", show_default=True, help="How the strings that are adjusted for are found.")  # fmt: skip
@_SIGNIFICANCE
@_OUT
@_PICTURE
@JSON
def estimate(  # noqa: PLR0913, PLR0917
    collection: Path, counts: tuple[Path, ...], confidence: float, candidates: Path | None, correction: str, selection: str,
    significance: float, output: Path | None, picture: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Estimate the share of every answer from COUNTS (several are added up), with intervals.

    Of strings: those of --candidates that are found, with shares, intervals and tests; --correction, --selection and
    --significance are about these.
    """
    from sfumato.cli.collect_text import decoded_picture, decoded_text, estimates_text, shares_picture
    from sfumato.cli.survey import give_estimates
    from sfumato.cli.work import read_text, write_text
    from sfumato.release.collect.collection import read_collection
    from sfumato.release.collect.estimates import estimates
    from sfumato.release.collect.rappor import RapporCollection, strings_in, strings_told
    from sfumato.release.collect.server import merge
    from sfumato.release.collect.survey.survey import Survey

    asked = read_collection(collection)
    if not isinstance(asked, RapporCollection):
        if candidates is not None:
            raise click.UsageError("Only collections of strings have --candidates.")
        total = merge(asked, [load_counts(asked, path) for path in counts])
        if isinstance(asked, Survey):
            give_estimates(asked, total, confidence, output, picture, as_json=as_json)
            return
        shares = estimates(asked, total, confidence=confidence)
        if picture is not None:
            write_text(picture, shares_picture(shares), internal=False)
        give(shares, output, estimates_text(shares), as_json=as_json)
        return
    names = strings_in(read_text(candidates)) if candidates is not None else asked.names
    if not names:
        raise click.UsageError("A Bloom filter needs --candidates: strings are tested, not read off.")
    total = merge(asked, [load_counts(asked, path) for path in counts])
    found = _decoded(asked, total, names, (correction, selection, significance, confidence))
    if picture is not None:
        write_text(picture, decoded_picture(found), internal=False)
    give(strings_told(found), output, decoded_text(found), as_json=as_json)


@collect.command()
@_DOCUMENT
@click.option("--reports", type=click.IntRange(200), default=20_000, show_default=True, help="Reports drawn for each answer that is compared.")  # fmt: skip
@click.option("--confidence", type=float, default=0.999, show_default=True, help="Of each bound.")
@JSON
def audit(collection: Path, reports: int, confidence: float, as_json: bool) -> None:
    """Call the randomizers of COLLECTION again and again, and tell which epsilon their reports prove."""
    from sfumato.cli.show import show
    from sfumato.cli.survey_text import audit_text
    from sfumato.noise.bits import SystemBits
    from sfumato.release.collect.audited import audited
    from sfumato.release.collect.collection import read_collection

    asked = read_collection(collection)
    show(
        found := audited(asked, reports=reports, confidence=confidence, bits=SystemBits()),
        audit_text(found),
        as_json=as_json,
    )


@collect.command()
@click.argument("document", type=_FILE)
@click.argument("source")
@_TABLE
@JSON
def sanitize(document: Path, source: str, output: Path, as_json: bool) -> None:
    """Noise every cell of SOURCE as DOCUMENT says, and tell what a person's whole row spends."""
    from sfumato.cli.show import show
    from sfumato.cli.work import where
    from sfumato.release.collect.noising import noise_table, read_noising
    from sfumato.table.source import FileSink

    noised = noise_table(read_noising(document), where(source), FileSink(output))
    spent = "\n".join(f"  {epsilon:>10.6g}  {name}" for name, epsilon in noised.by_column.items())
    text = f"{spent}\n  {noised.epsilon:>10.6g}  a person's whole row\n   table: {output}"
    show(noised, text, as_json=as_json)


@collect.command()
@click.argument("document", type=_FILE)
@click.argument("source")
@_TABLE
@JSON
def pram(document: Path, source: str, output: Path, as_json: bool) -> None:
    """Publish SOURCE with the columns of DOCUMENT post-randomized, and tell the shares that can be read off it."""
    from sfumato.cli.collect_text import pram_text
    from sfumato.cli.show import show
    from sfumato.cli.work import where
    from sfumato.release.collect.pram import publish, read_pram
    from sfumato.table.source import FileSink

    found = publish(read_pram(document), where(source), FileSink(output))
    show(found, f"{pram_text(found)}\n   table: {output}", as_json=as_json)


def _decoded(
    asked: RapporCollection, counts: Counts, names: Sequence[str], how: tuple[str, str, float, float]
) -> Decoded:
    from sfumato.mechanism.local.rappor.decode.correction import Correction
    from sfumato.mechanism.local.rappor.decode.decode import decode
    from sfumato.mechanism.local.rappor.decode.select import Selection
    from sfumato.report.progress import Line

    (correction, selection, significance, confidence), line = how, Line()
    try:
        return decode(asked.params, asked.bits_of(counts), names, correction=Correction(correction), selection=Selection(selection),
                      significance=significance, confidence=confidence, progress=line)  # fmt: skip
    finally:
        line.clear()


def give(document: Document, output: Path | None, text: str, *, as_json: bool) -> None:
    """Write a document where asked, and print it for scripts or for people."""
    from sfumato.cli.show import show
    from sfumato.cli.work import write_text

    if output is not None:
        write_text(output, document.to_json(), internal=False)
    show(document, text, as_json=as_json)


def load_counts(asked: Collecting, path: Path) -> Counts:
    """A document of counts that the user named."""
    from sfumato.cli.work import read_text
    from sfumato.errors import SourceError
    from sfumato.release.collect.base import counts_from
    from sfumato.table.values import parsed_json

    document = parsed_json(read_text(path), repr(path.name), "give what `aggregate` wrote.")
    if not isinstance(document, dict):
        raise SourceError("{name!r} must hold one JSON object.", "give what `aggregate` wrote.", name=path.name)
    return counts_from(asked, document)
