"""`sfumato survey design | simulate | estimate | regress | attack`: surveys that people answer on their own phones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.cli.careful import CarefulGroup
from sfumato.cli.options import CONFIDENCE, JSON

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.release.collect.base import Counts
    from sfumato.release.collect.survey.survey import Survey

_FILE = click.Path(path_type=Path)
_SURVEY = click.argument("survey", type=_FILE)
_PICTURE = click.option("--picture", type=_FILE, help="Write a picture of every question as an SVG file.")
_LINES = ".jsonl"


@click.group(cls=CarefulGroup)
def survey() -> None:
    """Ask people on their own phones, which randomize every answer before it leaves them.

    SURVEY is a TOML document (`sfumato.survey/1`). `sfumato collect randomize | aggregate` and `sfumato serve collect` take
    it like any other collection.
    """


@survey.command()
@_SURVEY
@click.option("--respondents", type=click.IntRange(1), required=True, help="How many will answer.")
@click.option("--significance", type=float, default=0.05, show_default=True, help="Chance to see a difference where there is none.")  # fmt: skip
@click.option("--power", type=float, default=0.8, show_default=True, help="Chance to see the smallest difference.")
@click.option("-o", "--output", type=_FILE, help="Where to write the complete document.")
@click.option("--picture", type=_FILE, help="Write what every mechanism would give as an SVG file.")
@JSON
def design(  # noqa: PLR0913, PLR0917
    survey: Path, respondents: int, significance: float, power: float, output: Path | None, picture: Path | None, as_json: bool
) -> None:  # fmt: skip
    """Choose the mechanisms of SURVEY by their error, and tell the smallest difference that it will see."""
    from dataclasses import replace

    from sfumato.cli.show import show
    from sfumato.cli.survey_text import design_picture, design_text
    from sfumato.cli.work import read_text, write_text
    from sfumato.document.codec import write
    from sfumato.document.header import FORMAT, SURVEY
    from sfumato.document.loading import lines_of, load
    from sfumato.front.writing import toml_text
    from sfumato.mechanism.local.survey.power import Aim
    from sfumato.release.collect.survey.design import design as choose
    from sfumato.release.collect.survey.survey import document_from

    said = load(survey, "survey", document_from)
    with lines_of(survey):
        complete, found = choose(said, respondents, Aim(significance, power))
    if output is not None:
        text = toml_text({FORMAT: SURVEY.format, **write(complete)}, read_text(survey))
        write_text(output, text, internal=False)
        found = replace(found, path=str(output))
    if picture is not None:
        write_text(picture, design_picture(found), internal=False)
    show(found, design_text(found), as_json=as_json)


@survey.command()
@_SURVEY
@click.argument("answers")
@click.option("--runs", type=click.IntRange(1, 1000), default=20, show_default=True, help="Surveys that are simulated.")
@click.option("--delimiter", help="Separator of a CSV file; sniffed otherwise.")
@_PICTURE
@JSON
def simulate(survey: Path, answers: str, runs: int, delimiter: str | None, picture: Path | None, as_json: bool) -> None:
    """Let simulated phones answer SURVEY from the rows of ANSWERS, and set the estimates beside the truth."""
    from sfumato.cli.show import show
    from sfumato.cli.survey_text import simulated_picture, simulated_text
    from sfumato.cli.work import where, write_text
    from sfumato.noise.bits import SystemBits
    from sfumato.release.collect.survey.simulate import simulate as play
    from sfumato.release.collect.survey.survey import read_survey
    from sfumato.report.progress import Line

    asked, line = read_survey(survey), Line()
    try:
        found = play(asked, where(answers, delimiter=delimiter), runs=runs, bits=SystemBits(), progress=line)
    finally:
        line.clear()
    if picture is not None:
        write_text(picture, simulated_picture(found, bounds_in(asked)), internal=False)
    show(found, simulated_text(found), as_json=as_json)


@survey.command()
@_SURVEY
@click.argument("reports", nargs=-1, required=True, type=_FILE)
@CONFIDENCE
@click.option("-o", "--output", type=_FILE, help="Where to write the result.")
@_PICTURE
@JSON
def estimate(
    survey: Path, reports: tuple[Path, ...], confidence: float, output: Path | None, picture: Path | None, as_json: bool
) -> None:  # fmt: skip
    """Estimate every answer of SURVEY from REPORTS: counts (.json), or batches as a server receives them (.jsonl)."""
    from sfumato.release.collect.survey.survey import read_survey

    asked = read_survey(survey)
    give_estimates(asked, counts_in(asked, reports), confidence, output, picture, as_json=as_json)


@survey.command()
@_SURVEY
@click.argument("reports", nargs=-1, required=True, type=_FILE)
@click.option("--question", required=True, help="A yes-no question by GRR or a classical design.")
@CONFIDENCE
@JSON
def regress(survey: Path, reports: tuple[Path, ...], question: str, confidence: float, as_json: bool) -> None:
    """Fit a logistic regression of a yes-no question of SURVEY on group and time, from batches (.jsonl) in REPORTS."""
    from sfumato.cli.show import show
    from sfumato.cli.survey_text import regression_text
    from sfumato.release.collect.batch import lines_of
    from sfumato.release.collect.survey.regress import regress as fit
    from sfumato.release.collect.survey.survey import read_survey

    found = fit(read_survey(survey), question, lines_of(reports), confidence=confidence)
    show(found, regression_text(found), as_json=as_json)


@survey.command()
@_SURVEY
@click.argument("answers")
@click.option("--delimiter", help="Separator of a CSV file; sniffed otherwise.")
@CONFIDENCE
@JSON
def attack(survey: Path, answers: str, delimiter: str | None, confidence: float, as_json: bool) -> None:
    """Hold every report that simulated phones send, and guess the ANSWERS of each person, and who is who."""
    import numpy as np

    from sfumato.cli.show import show
    from sfumato.cli.survey_text import attack_text
    from sfumato.cli.work import where
    from sfumato.noise.bits import SystemBits
    from sfumato.release.collect.survey.attacked import attack as intrude
    from sfumato.release.collect.survey.survey import read_survey

    place, rng = where(answers, delimiter=delimiter), np.random.default_rng()
    found = intrude(read_survey(survey), place, confidence=confidence, bits=SystemBits(), rng=rng)
    show(found, attack_text(found), as_json=as_json)


def counts_in(asked: Survey, paths: Sequence[Path]) -> Counts:
    """The counts of files of counts and of batches, each batch once."""
    from sfumato.cli.collect import load_counts
    from sfumato.release.collect.batch import count_batches, lines_of
    from sfumato.release.collect.server import merge

    found = [load_counts(asked, path) for path in paths if path.suffix != _LINES]
    lines = [path for path in paths if path.suffix == _LINES]
    if lines:
        found.append(count_batches(asked, lines_of(lines))[0])
    return merge(asked, found)


def bounds_in(asked: Survey) -> dict[str, tuple[float, float]]:
    """Lower and upper bound of every question that has a mean."""
    from sfumato.document.survey import NumberTable, ScaleTable

    said = [one.said for one in asked.asked]
    return {
        one.name: (float(one.bounds[0]), float(one.bounds[1]))
        for one in said
        if isinstance(one, NumberTable | ScaleTable)
    }


def give_estimates(
    asked: Survey, counts: Counts, confidence: float, output: Path | None, picture: Path | None, *, as_json: bool
) -> None:
    """Write and print what counts of a survey tell."""
    from sfumato.cli.collect import give
    from sfumato.cli.survey_text import estimates_picture, estimates_text
    from sfumato.cli.work import write_text
    from sfumato.release.collect.survey.estimates import estimates

    found = estimates(asked, counts, confidence=confidence)
    if picture is not None:
        write_text(picture, estimates_picture(found, bounds_in(asked)), internal=False)
    give(found, output, estimates_text(found), as_json=as_json)
