"""Surveys simulated on real answers: what is estimated beside the truth, by what a person spends.

Questions of two published surveys are asked again of the same persons, each on a simulated phone. Mechanisms, and how many
of the questions a phone asks, are chosen by `survey design`.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.document.survey import NumberTable, OneOfTable, SurveyDocument, YesNoTable
from sfumato.errors import NoSolution
from sfumato.frozen import dataclass
from sfumato.mechanism.local.survey.power import Aim
from sfumato.release.collect.survey.design import design
from sfumato.release.collect.survey.mechanisms import values_of
from sfumato.release.collect.survey.simulate import estimates_by_key, play_once, truth
from sfumato.release.collect.survey.survey import survey_of
from sfumato.study.reproduce.data import Dataset
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.document.survey import QuestionOfSurvey
    from sfumato.release.collect.survey.simulate import Key, Seen
    from sfumato.release.collect.survey.survey import Survey
    from sfumato.study.reproduce.data import PublicTable
    from sfumato.study.reproduce.experiment import Cell, Order

SOCIAL = Dataset(
    title="Social Diagnosis 2011",
    published='"SD2011" of the R package synthpop (Council for Social Monitoring, Poland)',
    files=("social_surveys/SD2011.csv.gz", "SD2011.csv.gz", "SD2011.csv"),
    columns=(("smoke",), ("alcabuse",), ("trust",), ("ls",), ("height",)),
    missing=("NA", "-8", "-8.0"),
    rows=5000,
)
FRANCE = Dataset(
    title="Histoire de vie 2003",
    published='"hdv2003" of the R package questionr (INSEE)',
    files=("france_surveys/hdv2003.csv", "hdv2003.csv"),
    columns=(("sport",), ("hard.rock",), ("clso",), ("relig",), ("heures.tv",)),
    missing=("NA",),
    rows=2000,
)
_FULL, _QUICK = (0.5, 1.0, 2.0, 4.0, 8.0), (1.0, 4.0)
_COLUMNS = (
    Column("epsilon", "epsilon", "Of everything that a person sends."),
    Column("asks", "asks", "Questions that each phone draws and asks.", "count"),
    Column("question", "question", "As its column is called.", "text"),
    Column("mechanism", "mechanism", "Chosen by expected error.", "text"),
    Column("answer", "answer", "Whose share is told; of a number its mean, as a share of the declared range.", "text"),
    Column("truth", "truth", "Of these persons."),
    Column("estimate", "estimate", "Mean over all surveys."),
    Column("error", "error", "Root of the mean squared error of one survey."),
    Column("expected", "at most", "Standard error that `survey design` states, for the worst answers."),
    Column("covered", "covered", "Surveys whose 95 % interval holds the truth.", "percent"),
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of a data set.

    Args:
        yes: questions answered by yes or no, with the words for no and yes.
        one_of: questions answered by one of several.
        number: a question answered by a number, with declared bounds.
        drawn: the question and the answer of the first picture.
    """

    yes: dict[str, tuple[str, str]]
    one_of: tuple[str, ...]
    number: tuple[str, tuple[float, float]]
    drawn: tuple[tuple[str, str], ...]


_SOCIAL = _Asked({"smoke": ("NO", "YES"), "alcabuse": ("NO", "YES")}, ("trust", "ls"), ("height", (100.0, 220.0)),
                 (("smoke", "YES"), ("alcabuse", "YES"), ("ls", "PLEASED"), ("height", "mean")))  # fmt: skip
_FRANCE = _Asked({"sport": ("Non", "Oui"), "hard.rock": ("Non", "Oui")}, ("clso", "relig"), ("heures.tv", (0.0, 12.0)),
                 (("sport", "Oui"), ("hard.rock", "Oui"), ("clso", "Oui"), ("heures.tv", "mean")))  # fmt: skip


def experiments() -> tuple[Experiment, ...]:
    """A survey on each of both data sets."""
    return (_experiment("survey", SOCIAL, _SOCIAL), _experiment("survey-france", FRANCE, _FRANCE))


def _experiment(name: str, data: Dataset, asked: _Asked) -> Experiment:
    def run(order: Order) -> Outcome:
        return _run(order, data, asked)

    return Experiment(
        name,
        f"a survey on phones asked again of the persons of {data.title}: estimates and truth by epsilon",
        "simulated here; the mechanisms' sources stand in the reference of surveys",
        "1 minute",
        run,
        data=data,
        runs=(50, 5),
        unit="surveys",
    )


def _run(order: Order, data: Dataset, asked: _Asked) -> Outcome:
    """Every epsilon, all questions."""
    table, rows, notes = order.public_table(), [], []
    epsilons = _QUICK if order.quick else _FULL
    said, answers = _questions(table, asked)
    for i, epsilon in enumerate(epsilons):
        document = SurveyDocument(
            name=data.title,
            consent={"en": "Simulated."},
            languages=("en",),
            epsilon=epsilon,
            ends=date.max,
            question=said,
        )
        try:
            complete, found = design(document, table.n_rows, Aim())
        except NoSolution:
            notes.append(
                f"At epsilon {epsilon:g} so few persons show no difference that matters: the survey is refused."
            )
            continue
        survey, played = survey_of(complete), []
        for run in range(order.runs):
            order.progress(i * order.runs + run, len(epsilons) * order.runs, f"epsilon {epsilon:g}")
            played.append(estimates_by_key(play_once(survey, answers, bits=_bits(order, i, run))))
        expected = {one.name: one.half_width / 1.96 for one in found.questions}
        rows += [_row(survey, key, true, played, expected) for key, true in truth(survey, answers).items()]
    notes.append("Each phone asks as many of the questions as make the worst error least; each survey draws anew.")
    return Outcome(_COLUMNS, tuple(rows), tuple(_figures(rows, asked, data)), tuple(notes))


def _bits(order: Order, *place: int) -> Any:
    """Chance that anybody can repeat, another for each survey."""
    return replace(order, seed=order.seed * 1_000_003 + place[0] * 1009 + place[1]).bits()


def _questions(table: PublicTable, asked: _Asked) -> tuple[tuple[QuestionOfSurvey, ...], list[list[npt.NDArray[Any]]]]:
    """The questions, and the answers of all persons."""
    text = {"en": "?"}
    said: list[QuestionOfSurvey] = [YesNoTable(name=name, text=text, values=words) for name, words in asked.yes.items()]
    said += [OneOfTable(name=name, text=text, values=tuple(sorted(set(table.cells[name])))) for name in asked.one_of]
    answers = [[np.array([values_of(one).index(cell) for cell in table.cells[one.name]], np.int64)] for one in said]
    name, bounds = asked.number
    said.append(NumberTable(name=name, text=text, bounds=bounds))
    answers.append([np.clip(np.array(table.cells[name], np.float64), *bounds)])
    return tuple(said), answers


def _row(
    survey: Survey, key: Key, true: float, played: Sequence[dict[Key, Seen]], expected: dict[str, float]
) -> dict[str, Cell]:
    """One number beside the truth; of a number the mean as a share of its range."""
    name, _, value = key
    one = next(one for one in survey.asked if one.said.name == name)
    low, width = 0.0, 1.0
    if isinstance(one.said, NumberTable):
        low, width = float(one.said.bounds[0]), float(one.said.bounds[1] - one.said.bounds[0])
    seen = [run[key] for run in played if key in run]
    values, aim = (np.array([at.value for at in seen]) - low) / width, (true - low) / width
    return {
        "epsilon": survey.document.epsilon, "asks": survey.asks, "question": name, "mechanism": one.reports.name,
        "answer": value or "mean", "truth": aim, "estimate": float(values.mean()),
        "error": float(np.sqrt(np.mean((values - aim) ** 2))), "expected": expected[name],
        "covered": float(np.mean([at.low <= true <= at.high for at in seen])),
    }  # fmt: skip


def _figures(rows: Sequence[dict[str, Cell]], asked: _Asked, data: Dataset) -> list[Figure]:
    """Estimates with typical errors around the truth; and errors beside what was stated."""
    epsilons = tuple(sorted({float(row["epsilon"] or 0) for row in rows}))
    if not epsilons:
        return []
    lines = []
    for question, answer in asked.drawn:
        mine = [row for row in rows if (row["question"], row["answer"]) == (question, answer)]
        said = f"{question}: {answer}"
        lines.append(
            Line(
                said,
                tuple(float(row["estimate"] or 0) for row in mine),
                tuple(float(row["error"] or 0) for row in mine),
            )
        )
        lines.append(Line(f"truth of {said}", tuple(float(row["truth"] or 0) for row in mine), kind="level"))
    errors = []
    for question in dict.fromkeys(str(row["question"]) for row in rows):
        parts = [[row for row in rows if row["question"] == question and row["epsilon"] == e] for e in epsilons]
        errors.append(Line(question, tuple(max(float(row["error"] or 0) for row in part) for part in parts)))
        errors.append(
            Line(
                "stated before",
                tuple(float(part[0]["expected"] or 0) for part in parts),
                kind="reference",
                like=question,
            )
        )
    marks = tuple(f"{e:g}" for e in epsilons)
    return [
        Figure("estimates", f"Estimates of {data.title} with their typical errors, beside the truth, by epsilon of a person",
               ("epsilon of everything that a person sends", "share of the persons, or of the range"),
               epsilons, tuple(lines), log=(True, False), marks=marks),
        Figure("errors", f"Largest typical error of each question of {data.title}, and what was stated before",
               ("epsilon of everything that a person sends", "standard error"),
               epsilons, tuple(errors), log=(True, True), marks=marks),
    ]  # fmt: skip
