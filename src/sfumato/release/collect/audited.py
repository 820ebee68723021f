"""A collection audited from outside: its randomizer is called again and again, and what its reports prove is set beside its promise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.attack.audit import as_table, audit
from sfumato.document.result.survey import AuditedQuestion, AuditResult
from sfumato.mechanism.local.several.smp import SampledReports
from sfumato.mechanism.local.survey.randomizer import Number
from sfumato.mechanism.local.survey.remembered import Remembered
from sfumato.mechanism.local.survey.several_answers import EveryBit, OneBit
from sfumato.release.collect.audited_strings import VIEWS, stages
from sfumato.release.collect.rappor import RapporCollection
from sfumato.release.collect.survey.survey import Survey

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from sfumato.noise.bits import Bits
    from sfumato.release.collect.collection import Collection
    from sfumato.release.collect.survey.mechanisms import Made

_MOST_INPUTS = 4
"""Answers that are compared: the first ones; all pairs of them are."""


def audited(
    asked: Collection | Survey | RapporCollection, *, reports: int, confidence: float, bits: Bits
) -> AuditResult:
    """What the reports of every question prove of its epsilon; of RAPPOR what each of its stages does.

    Args:
        asked: a collection of declared questions, a survey, or strings under RAPPOR.
        reports: drawn for each of up to four answers, >= 200.
        confidence: of each bound, in (0, 1).
        bits: source of chance.

    Raises:
        ParameterError: a number outside its range.

    Source:
        See `attack.audit.audit`.
    """
    found, views = [], VIEWS if isinstance(asked, RapporCollection) else {}
    for name, mechanism, stated, inputs, randomize in _randomizers(asked, bits):
        one = audit(randomize, inputs, n=reports, confidence=confidence, views=views)
        found.append(
            AuditedQuestion(
                question=name,
                mechanism=mechanism,
                stated=stated,
                lower=one.epsilon_lower,
                seen=one.view,
                refuted=one.refutes(stated),
            )
        )
    return AuditResult(collection=asked.digest(), reports=reports, confidence=confidence, questions=tuple(found))


def _randomizers(
    asked: Collection | Survey | RapporCollection, bits: Bits
) -> list[tuple[str, str, float, Sequence[Any], Any]]:
    """Name, mechanism, stated epsilon, answers to compare and randomizer of each question; of a scheme all together."""
    if isinstance(asked, RapporCollection):
        return [
            (one.name, asked.protocol, one.stated, (0, 1), one.randomize) for one in stages(asked.params, bits=bits)
        ]
    if isinstance(asked, Survey):
        return [
            (one.said.name, one.reports.name, one.reports.epsilon, _inputs(one.reports), _called(one.reports, bits))
            for one in asked.asked
        ]
    names = ", ".join(question.column for question in asked.questions)
    if not asked.is_scheme:
        oracle = asked.oracle()
        codes = list(range(min(oracle.domain_size, _MOST_INPUTS)))
        return [(names, oracle.name, oracle.epsilon, codes, lambda values: oracle.randomize(values, bits=bits))]
    scheme = asked.scheme()
    rows = [np.zeros(len(asked.domain_sizes), np.int64), np.ones(len(asked.domain_sizes), np.int64)]
    return [
        (
            names,
            asked.protocol,
            scheme.epsilons.tuple_level,
            rows,
            lambda values: _flat(scheme.randomize(values, bits=bits)),
        )
    ]


def _inputs(reports: Made) -> Sequence[Any]:
    """Answers that are as different as can be."""
    if isinstance(reports, Number):
        return [reports.mechanism.grid.low, reports.mechanism.grid.high]
    if isinstance(reports, EveryBit | OneBit):
        most, k = reports.most, reports.domain_size
        first, last = np.zeros(k, np.int64), np.zeros(k, np.int64)
        first[:most], last[k - min(most, k - most) :] = 1, 1
        return [first, last]
    return list(range(min(reports.size, _MOST_INPUTS)))


def _called(reports: Made, bits: Bits) -> Callable[[npt.NDArray[Any]], Any]:
    """The randomizer; of one that remembers, the first report of as many phones."""
    if isinstance(reports, Remembered):
        return lambda values: reports.again(reports.start(len(values), bits=bits), values, bits=bits)[0]
    return lambda values: reports.randomize(values, bits=bits)


def _flat(sent: Any) -> Any:
    """Reports of a scheme as the audit reads them: a row for each person; of a sampled attribute its place comes first."""
    if not isinstance(sent, SampledReports):
        return sent
    tables = [as_table(reports) for reports in sent.columns]
    out = np.zeros((len(sent.sampled), 1 + max(table.shape[1] for table in tables)), np.int64)
    out[:, 0] = sent.sampled
    for at, table in enumerate(tables):
        out[sent.sampled == at, 1 : 1 + table.shape[1]] = table
    return out
