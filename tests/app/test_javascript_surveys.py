"""The JavaScript client of surveys draws from the laws that the Python package counts on, exactly."""

import json
import math
import subprocess
from fractions import Fraction

import numpy as np
import pytest
from tests.app.survey_cases import EVERY, survey_of_text
from tests.app.test_javascript_client import TESTS, node

from sfumato.mechanism.local.survey.randomizer import Choice, Coins, Number
from sfumato.mechanism.local.survey.remembered import Remembered
from sfumato.mechanism.local.survey.several_answers import EveryBit, OneBit
from sfumato.numbers.logarithm import log_up

SURVEY = survey_of_text(EVERY)
HASHED = ("BLH", "OLH", "LOLOHA")
"""Of these the law under one hash function is looked at."""


@pytest.fixture(scope="module")
def laws():
    """Of each question: [(answer, {bytes of a report: exact probability}, the same of what is kept)]."""
    printed = subprocess.run([node(), "print_laws.js"], cwd=TESTS, capture_output=True, text=True, check=True).stdout
    read = {
        name: [(one["answer"], exact(one["reports"]), exact(one.get("kept", {}))) for one in rows]
        for name, rows in json.loads(printed).items()
    }
    assert set(read) == {one.said.name for one in SURVEY.asked}
    return read


def exact(law):
    """Probabilities as fractions."""
    return {bytes.fromhex(report): Fraction(probability) for report, probability in law.items()}


def largest_ratio(laws):
    """The largest ratio of the probabilities of one report under two answers."""
    reports = set().union(*laws)
    assert all(set(law) == reports for law in laws)
    return max(max(law[one] for law in laws) / min(law[one] for law in laws) for one in reports)


@pytest.mark.parametrize("place", range(len(SURVEY.asked)), ids=[one.said.name for one in SURVEY.asked])
def test_no_report_tells_more_than_is_promised(laws, place):
    asked = SURVEY.asked[place]
    rows = laws[asked.said.name]
    assert all(sum(law.values()) == 1 for _, law, _ in rows)
    told = log_up(largest_ratio([law for _, law, _ in rows]))
    assert told <= asked.spent.report
    if not isinstance(asked.reports, Number | Remembered):
        assert told == asked.reports.epsilon
    if isinstance(asked.reports, Remembered):
        kept = log_up(largest_ratio([law for _, _, law in rows]))
        assert asked.spent.report <= kept <= asked.spent.any_history
        assert kept == pytest.approx(asked.reports.protocol.epsilon_permanent, abs=1e-12)


def expected(reports, law):
    """The mean of what a report adds to the counts, exactly."""
    return sum(
        (p * np.array([Fraction(int(n)) for n in reports.count(reports.unpack(one, 1))]) for one, p in law.items())
    )


def support_of(reports):
    """Exact chances that a report supports the own answer, and another one."""
    return reports.oracle.encoding.law.support(reports.oracle.coin)


@pytest.mark.parametrize("place", [i for i, one in enumerate(SURVEY.asked) if isinstance(one.reports, Choice | Coins)])
def test_each_value_is_supported_as_often_as_the_server_expects(laws, place):
    reports, name = SURVEY.asked[place].reports, SURVEY.asked[place].said.name
    for code, (_, law, _) in enumerate(laws[name]):
        found = expected(reports, law)
        if isinstance(reports, Coins):
            assert found[1] == (reports.design.yes_if_yes if code else reports.design.yes_if_no)
            continue
        own, other = support_of(reports)
        assert found[code] == own
        assert name in HASHED or all(one == other for value, one in enumerate(found) if value != code)


@pytest.mark.parametrize("place", [i for i, one in enumerate(SURVEY.asked) if isinstance(one.reports, Number)])
def test_numbers_have_the_rows_of_the_matrix(laws, place):
    """On points of the grid a row of the matrix; between two of them their mixture."""
    reports = SURVEY.asked[place].reports
    grid, matrix = reports.mechanism.grid, reports.mechanism.matrix()
    for number, law, _ in laws[SURVEY.asked[place].said.name]:
        at = float(grid.positions(np.array([float(number)]))[0])
        under = min(math.floor(at), grid.steps - 1)
        row = (1 - (at - under)) * matrix[under] + (at - under) * matrix[under + 1]
        np.testing.assert_allclose(expected(reports, law).astype(float), row, rtol=1e-12)


@pytest.mark.parametrize(
    "place", [i for i, one in enumerate(SURVEY.asked) if isinstance(one.reports, EveryBit | OneBit)]
)
def test_several_answers_are_noisy_bit_by_bit(laws, place):
    reports = SURVEY.asked[place].reports
    k, truth, noise = reports.domain_size, reports.coin.truth, reports.coin.noise
    for codes, law, _ in laws[SURVEY.asked[place].said.name]:
        ones = [truth if value in codes else noise for value in range(k)]
        if isinstance(reports, EveryBit):
            assert expected(reports, law).tolist() == ones
        else:
            assert expected(reports, law).tolist() == [half / k for one in ones for half in (1 - one, one)]


@pytest.mark.parametrize("place", [i for i, one in enumerate(SURVEY.asked) if isinstance(one.reports, Remembered)])
def test_remembered_answers_are_supported_as_the_server_expects(laws, place):
    reports, name = SURVEY.asked[place].reports, SURVEY.asked[place].said.name
    own, other = reports.protocol.support.p, reports.protocol.support.q
    for code, (_, law, _) in enumerate(laws[name]):
        found = expected(reports, law).astype(float)
        assert found[code] == pytest.approx(own, abs=1e-12)
        if name not in HASHED:
            np.testing.assert_allclose(np.delete(found, code), other, atol=1e-12)
