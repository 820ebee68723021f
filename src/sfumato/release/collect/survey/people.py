"""Answers of a table, played by simulated phones: one for each row, over all times of a survey."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.document.survey import NumberTable, ScaleTable, SomeOfTable
from sfumato.engine.duckdb.columns import codes, texts
from sfumato.engine.duckdb.scan import scan
from sfumato.errors import ParameterError, SchemaError
from sfumato.mechanism.local.survey.randomizer import Number
from sfumato.mechanism.local.survey.remembered import Remembered
from sfumato.mechanism.local.survey.wire import Filled, to_bytes
from sfumato.noise.integers import uniform_integers
from sfumato.noise.subsets import subsets
from sfumato.release.collect.base import Sent
from sfumato.release.collect.survey.mechanisms import values_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.mechanism.local.longitudinal.memory import Memory
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.noise.bits import Bits
    from sfumato.release.collect.survey.survey import Asked, Survey
    from sfumato.table.source import Source
    from sfumato.types import BoolArray, FloatArray, IntArray


def play(
    survey: Survey, source: Source, *, column: str | None, batch: int, bits: Bits, progress: Progress
) -> Iterator[Sent]:
    """The reports of every phone at every time.

    A question is answered from the column of its name, or that of `column`; at its second time from "name 2" where there is
    such a column, and so on. A phone draws its group and its questions itself.

    Args:
        survey: what is asked.
        source: one row for each person.
        column: none.
        batch: phones in one batch.
        bits: source of chance.
        progress: told of phones.

    Raises:
        ParameterError: a column is named. Remedy: the questions name theirs.
        SchemaError: a question without a column, or rows with an answer that cannot be given.
    """
    if column is not None:
        raise ParameterError("The questions of a survey name their columns.", "leave `--column` away.")
    answers = answers_of(survey, source)
    n = len(answers[0][0])
    for start in range(0, n, batch):
        stop = min(start + batch, n)
        part = [[rows[start:stop] for rows in times] for times in answers]
        for filled in filled_by(survey, part, bits=bits):
            yield Sent(uuid.uuid4().hex, stop - start, to_bytes(survey.shape, filled))
        progress(stop, n, "answering")


def answers_of(survey: Survey, source: Source) -> list[list[npt.NDArray[Any]]]:
    """By question and time, the answers of all persons, as their randomizer takes them."""
    table = scan(source)
    return [[_answers(table, one, t) for t in range(len(one.days))] for one in survey.asked]


def filled_by(
    survey: Survey,
    answers: list[list[npt.NDArray[Any]]],
    *,
    bits: Bits,
    group: IntArray | None = None,
) -> Iterator[Filled]:
    """What n phones send, time by time; each draws its questions itself.

    Args:
        survey: what is asked.
        answers: by question and time, (n, …) answers.
        bits: source of chance.
        group: (n,) int64; None: each phone draws its own.
    """
    n, d, shape = len(answers[0][0]), len(survey.asked), survey.shape
    drawn = uniform_integers(n, shape.groups, bits=bits) if group is None else group
    chosen = _chosen(n, d, shape.asks, bits)
    memories: dict[int, Memory] = {}
    for i, one in enumerate(survey.asked):
        if isinstance(one.reports, Remembered):
            memories[i] = one.reports.start(int(chosen[:, i].sum()), bits=bits)
    for time in range(shape.times):
        reports = []
        for i, one in enumerate(survey.asked):
            if time not in shape.due[i]:
                reports.append(one.reports.unpack(b"", 0))
                continue
            given = answers[i][shape.due[i].index(time)][chosen[:, i]]
            if isinstance(one.reports, Remembered):
                found, memories[i] = one.reports.again(memories[i], given, bits=bits)
            else:
                found = one.reports.randomize(given, bits=bits)
            reports.append(found)
        yield Filled(np.full(n, time), drawn, chosen, tuple(reports))


def _chosen(n: int, d: int, asks: int, bits: Bits) -> BoolArray:
    """(n, d) bool: the questions that each phone draws."""
    out = np.zeros((n, d), bool)
    np.put_along_axis(out, subsets(n, d, asks, bits=bits), values=True, axis=1)
    return out


def _answers(table: DuckTable, one: Asked, time: int) -> npt.NDArray[Any]:
    """The answers to one question at one time."""
    said = one.said
    if isinstance(said, SomeOfTable):
        return np.stack([codes(table, _column(table, name, time), said.words) for name in said.values], axis=1)
    name = _column(table, said.column or said.name, time)
    if isinstance(said, NumberTable) or (isinstance(said, ScaleTable) and isinstance(one.reports, Number)):
        return _numbers(table, name)
    if isinstance(said, ScaleTable):
        return _on_scale(_numbers(table, name), said, name)
    return codes(table, name, values_of(said))


def _column(table: DuckTable, name: str, time: int) -> str:
    """The column of a time: its own, or that of all times."""
    own = f"{name} {time + 1}"
    return own if time and own in table.header.names else name


def _numbers(table: DuckTable, name: str) -> FloatArray:
    """(n,) float64: the cells of a column as numbers."""
    try:
        found = np.array([float(cell) if cell is not None else np.nan for cell in texts(table, name)], np.float64)
    except ValueError:
        found = np.array([np.nan])
    if not np.isfinite(found).all():
        raise SchemaError(
            "Every row of {column!r} must hold a number; some do not.", "leave these rows out.", column=name
        )
    return found


def _on_scale(numbers: FloatArray, said: ScaleTable, name: str) -> IntArray:
    """(n,) int64: places on a scale."""
    low, high = said.bounds
    if np.any((numbers < low) | (numbers > high) | (numbers != np.rint(numbers))):
        raise SchemaError(
            "Every row of {column!r} must hold a whole number from {low} to {high}; some do not.",
            "declare other bounds, or leave these rows out.",
            column=name,
            low=low,
            high=high,
        )
    return (numbers - low).astype(np.int64)
