"""The JavaScript client of surveys draws from the laws that the Python package counts on, exactly."""

import json
import math
import subprocess
from fractions import Fraction

import numpy as np
import pytest
from tests.app.survey_cases import DAILY, EVERY, HEAD, NUMBERS, ORACLES, question, survey_of_text
from tests.app.test_javascript_client import TESTS, node

from sfumato.mechanism.local.survey.randomizer import Choice, Coins, Number
from sfumato.mechanism.local.survey.remembered import Remembered
from sfumato.mechanism.local.survey.several_answers import EveryBit, OneBit
from sfumato.numbers.logarithm import log_up

SURVEY = survey_of_text(EVERY)
HASHED = ("BLH", "OLH", "LOLOHA")
"""Of these the law under one hash function is looked at."""


@pytest.fixture(scope="module")
def printed():
    """What the JavaScript client does with each question."""
    out = subprocess.run([node(), "print_laws.js"], cwd=TESTS, capture_output=True, text=True, check=True).stdout
    found = json.loads(out)
    assert set(found) == {one.said.name for one in SURVEY.asked}
    return found


@pytest.fixture(scope="module")
def laws(printed):
    """Of each question: [(answer, {bytes of a report: exact probability}, the same of what is kept)]."""
    return {
        name: [(one["answer"], exact(one["reports"]), exact(one.get("kept", {}))) for one in rows]
        for name, rows in printed.items()
    }


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


def test_a_report_speaks_for_the_answers_that_the_server_counts(printed):
    """What a person is shown before it is sent: by each report that can come of the answers of `EVERY`."""
    n_reports = 0
    for asked in SURVEY.asked:
        for row in printed[asked.said.name]:
            for report, held in row["holds"].items():
                counts = asked.reports.count(asked.reports.unpack(bytes.fromhex(report), 1))
                if isinstance(asked.reports, OneBit):
                    counts = counts[1::2]
                assert np.flatnonzero(counts).tolist() == held, (asked.said.name, report)
                n_reports += 1
    assert n_reports > 500


K, STEPS, SCALE = 20, 64, (1, 7)
MANY = f"values = {json.dumps([f'v{i}' for i in range(K)])}\nepsilon = 1.5\nmechanism = "
WIDE = HEAD + "".join(
    [
        question("yes-no", "coin", 'mechanism = "unrelated question"\nchances = { sensitive = "2/3", unrelated_yes = "1/5" }'),
        *(question("one-of", name, f'{MANY}"{name}"') for name in ORACLES),
        *(question("some-of", name, f'most = 2\n{MANY}"{name}"') for name in ("every bit", "one bit")),
        *(question("number", name, f'bounds = [-4, 40]\nsteps = {STEPS}\nepsilon = 1.5\nmechanism = "{name}"') for name in NUMBERS if name != "staircase"),
        *(question("scale", f"scale {name}", f'bounds = {list(SCALE)}\nepsilon = 0.5\nmechanism = "{name}"') for name in NUMBERS),
        *(question("scale", name, f'bounds = {list(SCALE)}\nepsilon = 1.5\nmechanism = "{name}"\n{DAILY}') for name in
          ("L-GRR", "L-SUE", "L-OSUE", "LOLOHA")),
        question("one-of", "dBitFlipPM", f'{MANY}"dBitFlipPM"\nrepeat = {{ every = "week", times = 2, distinct = 2, bits = 4 }}'),
    ]
)  # fmt: skip
"""Windows wider than a cell, sets of several values, planes with more than one point."""


@pytest.fixture(scope="module")
def told():
    """What the phone's page says of each question of `WIDE`, beside the question."""
    survey = survey_of_text(WIDE)
    out = subprocess.run(
        [node(), "print_said.js"], cwd=TESTS, input=json.dumps(survey.public()), capture_output=True, text=True, check=True
    ).stdout  # fmt: skip
    found = json.loads(out)
    return [(one, found[one.said.name]["lines"], found[one.said.name]["reads"]) for one in survey.asked]


def test_chances_that_a_person_is_told_are_those_of_answers(told):
    seen = set()
    for asked, lines, _ in told:
        if isinstance(asked.reports, Number):
            continue
        (line,) = lines
        seen.add(line["key"])
        own, other = chances_of(asked)
        assert {name: one for name, one in line.items() if isinstance(one, float)} == pytest.approx(
            spoken(line["key"], own, other, asked), abs=1e-12
        ), asked.said.name
    assert seen == {"coins", "direct", "bits", "fair", "hash", "set", "code", "twice", "oneBit", "someDrawn"}


def chances_of(asked):
    """That a report supports the own answer, and another one."""
    reports = asked.reports
    if isinstance(reports, Choice):
        return tuple(float(one) for one in support_of(reports))
    one = reports.supports[-1]
    return one.p, one.q


def spoken(key, own, other, asked):
    """The chances in a sentence, by what its words mean."""
    if key == "hash":  # of the boxes, not of the answers in them
        encoding = (
            getattr(asked.reports, "oracle", asked.reports).encoding if isinstance(asked.reports, Choice) else None
        )
        boxes = encoding.n_buckets if encoding else asked.reports.protocol.n_cells
        return {"own": own, "other": (1 - own) / (boxes - 1)}
    if key == "someDrawn":  # of a value that is drawn
        return {"noise": other * K / 4}
    names = {"coins": ("yes", "no"), "bits": (None, "noise"), "fair": (None, "noise"), "oneBit": (None, "noise")}
    return {name: one for name, one in zip(names.get(key, ("own", "other")), (own, other), strict=True) if name}


def test_chances_that_a_person_is_told_are_those_of_numbers(told):
    for asked, lines, reads in told:
        if not isinstance(asked.reports, Number):
            continue
        mechanism = asked.reports.mechanism
        if mechanism.name == "hybrid":
            first, *spread, second, bit = lines if mechanism.alpha else (None, None, lines[-1])
            is_told = bool(mechanism.alpha)
            assert is_told == (len(lines) > 1)
            if is_told:
                assert (first["first"], second["second"]) == (mechanism.alpha, pytest.approx(1 - mechanism.alpha))
                assert_told(mechanism.piecewise, spread, reads[:-2])
            assert_told(mechanism.duchi, [bit], reads[-2:])
        else:
            assert_told(mechanism, lines, reads)


def assert_told(mechanism, lines, reads):
    """The sentences on a number hold for each row of the matrix."""
    *first, line = lines
    matrix, points = mechanism.matrix(), mechanism.grid.points()
    assert [(one["points"], one["step"]) for one in first] in ([], [(STEPS + 1, 44 / STEPS)])
    if line["key"] == "bit":
        assert reads == [False, True]
        assert (line["least"], line["greatest"]) == pytest.approx((matrix[0, 1], matrix[-1, 1]), abs=1e-12)
        assert (line["low"], line["high"]) == (points[0], points[-1])
        return
    outputs = mechanism.outputs()
    np.testing.assert_allclose(reads, outputs, rtol=1e-12, atol=1e-12)
    ends = (line["low"], line["high"]) if line["key"] == "redrawn" else (line["least"], line["greatest"])
    assert ends == pytest.approx((outputs[0], outputs[-1]), abs=1e-12)
    if line["key"] == "window":
        assert line["all"] == len(outputs)
        ordered = -np.sort(-matrix, axis=1)
        assert np.ptp(ordered[:, line["some"] :], axis=1).max() < 1e-15
        np.testing.assert_allclose(ordered[:, : line["some"]].sum(axis=1), line["near"], rtol=1e-12)
        np.testing.assert_allclose(matrix @ outputs, points, atol=1e-9)
        return
    away = np.abs(outputs - points[:, None])
    assert np.isclose(away, line.get("reach", 0)).any()
    within = np.where(away <= line.get("reach", 0) + 1e-9, matrix, 0).sum(axis=1)
    if line["key"] == "wave":
        np.testing.assert_allclose(within, line["near"], rtol=1e-12)
        return
    step = points[1] - points[0]
    assert within.min() == pytest.approx(line["atLeast"], abs=1e-12)
    assert line["atLeast"] >= 0.5 > np.where(away <= line.get("reach", 0) - step + 1e-9, matrix, 0).sum(axis=1).min()
