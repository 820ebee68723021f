"""A survey as a document and as a collection: what it refuses, what it counts, what it chooses."""

import re
from datetime import date

import numpy as np
import pytest

from sfumato.errors import NoSolution, PlanError, ReportError
from sfumato.mechanism.local.survey.power import Aim
from sfumato.release.collect.base import counts_of, size_of
from sfumato.release.collect.survey import design as designing
from sfumato.release.collect.survey.design import design
from sfumato.release.collect.survey.estimates import estimates
from sfumato.release.collect.survey.people import filled_by
from sfumato.release.collect.survey.regress import able, regress_counts
from sfumato.release.collect.survey.simulate import estimates_by_key, play_once, truth
from sfumato.release.collect.survey.survey import document_from, survey_from
from sfumato.table.values import parsed_toml
from sfumato.testing.seeded_bits import SeededBits
from sfumato.utility.randomized_regression import AnswerLaw, fit

HEAD = """
format = "sfumato.survey/1"
name = "s"
consent = { en = "Answers are changed at random." }
languages = ["en"]
epsilon = 8
ends = 2027-06-30
"""
YES = '[[question]]\nkind = "yes-no"\nname = "smokes"\ntext = { en = "?" }\nmechanism = "GRR"\nepsilon = 1.0\n'
COLOR = '[[question]]\nkind = "one-of"\nname = "color"\nvalues = ["r", "g", "b"]\ntext = { en = "?" }\nmechanism = "OUE"\nepsilon = 2.0\n'  # fmt: skip
MOOD = '[[question]]\nkind = "scale"\nname = "mood"\nbounds = [1, 3]\ntext = { en = "?" }\nmechanism = "L-GRR"\nepsilon = 2.0\nrepeat = { every = "week", times = 2, first = 0.5, distinct = 2 }\n'  # fmt: skip
HOURS = '[[question]]\nkind = "number"\nname = "hours"\nbounds = [0, 24]\ntext = { en = "?" }\nmechanism = "hybrid"\nepsilon = 1.0\n'  # fmt: skip
HOBBIES = '[[question]]\nkind = "some-of"\nname = "hobbies"\nvalues = ["x", "y", "z"]\nmost = 2\ntext = { en = "?" }\nmechanism = "every bit"\nepsilon = 2.0\n'  # fmt: skip
GROUPS = '[experiment]\nname = "e"\n[[experiment.arm]]\nname = "plain"\n[[experiment.arm]]\nname = "kind"\n'
CROSS = '[[cross]]\nquestions = ["smokes", "color"]\n'
ALL = HEAD + YES + COLOR + MOOD + HOURS + HOBBIES + GROUPS + CROSS


def survey(text):
    return survey_from(parsed_toml(text, "the survey"))


@pytest.mark.parametrize(
    ("text", "told", "path"),
    [
        (HEAD + YES + YES, "must differ", ("question",)),
        (HEAD + YES.replace("en =", "fr ="), "in each of the", ("question", 0, "text")),
        (HEAD.replace('"Answers are changed at random."', '" "') + YES, "say something", ("consent",)),
        (HEAD + YES.replace("GRR", "duchi"), "must be one of", ("question", 0, "mechanism")),
        (HEAD + YES.replace("GRR", "L-GRR"), "must be one of", ("question", 0, "mechanism")),
        (HEAD + YES.replace("epsilon = 1.0\n", ""), "must say `epsilon`", ("question", 0)),
        (HEAD + YES.replace('"GRR"\nepsilon = 1.0', '"forced response"'), "needs the chances", ("question", 0, "chances")),
        (HEAD + YES.replace("GRR", "Warner") + 'chances = { truth = "0.99" }', "spends 4.59", ("question", 0, "epsilon")),
        (HEAD + COLOR.replace('"g"', '"r"'), "two different values", ("question", 0, "values")),
        (HEAD + HOURS.replace("[0, 24]", "[24, 0]"), "[lowest, highest]", ("question", 0, "bounds")),
        (HEAD + HOBBIES.replace("most = 2", "most = 4"), "from 1 to the 3", ("question", 0, "most")),
        (HEAD + MOOD.replace(", distinct = 2", ""), "must say `repeat.distinct`", ("question", 0)),
        (HEAD + MOOD.replace("times = 2", "times = 1"), "2 to 400 times", ("question", 0, "repeat", "times")),
        (HEAD.replace("epsilon = 8", "epsilon = 2.5") + YES + COLOR, "the questions spend 3", ("epsilon",)),
        (HEAD.replace("ends", "asks = 3\nends") + YES + COLOR, "from 1 to the 2", ("asks",)),
        (HEAD.replace("ends", "asks = 1\nends") + YES + COLOR + CROSS, "it asks one", ("asks",)),
        (HEAD + YES + COLOR.replace("OUE", "OLH") + CROSS, "counted together", ("cross", 0, "questions")),
        (HEAD + YES + GROUPS.replace('name = "kind"', 'name = "plain"'), "must differ", ("experiment", "arm")),
        (HEAD + YES + "[stop]\n", "[stop] must say", ("stop",)),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused_with_its_key(text, told, path):
    with pytest.raises(PlanError, match=re.escape(told)) as caught:
        survey(text)
    assert tuple(caught.value.path) == path


def test_the_digest_stands_for_everything_but_the_end_and_the_stop():
    same = [ALL, ALL.replace("2027-06-30", "2028-01-01"), ALL + "[stop]\nrespondents = 5\n"]
    assert len({survey(text).digest() for text in same}) == 1
    other = [ALL, ALL.replace("at random", "by chance"), ALL.replace("bounds = [0, 24]", "bounds = [0, 25]")]
    assert len({survey(text).digest() for text in other}) == 3


def answers(n, rng):
    """Answers of n persons to ALL, by question and time."""
    smokes = (rng.random(n) < 0.3).astype(int)
    color = np.where(smokes == 1, 0, rng.integers(0, 3, n))
    moods = [rng.integers(0, 2, n), rng.integers(1, 3, n)]
    return [[smokes], [color], moods, [rng.random(n) * 10], [rng.permuted(np.tile([1, 1, 0], (n, 1)), axis=1)]]


def test_estimates_are_near_the_truth_in_every_part():
    """19 numbers within five standard errors each, which are false alarms with a chance of at most 19 · 6e-7 < 1.2e-5; seeded."""
    asked, rng = survey(ALL), np.random.default_rng(7)
    given = answers(20_000, rng)
    found = play_once(asked, given, bits=SeededBits(7))
    seen = estimates_by_key(found)
    for key, value in truth(asked, given).items():
        reach = (seen[key].high - seen[key].low) / 2 / 1.96
        assert abs(seen[key].value - value) < 5 * max(reach, 0.004), key
    pairs = {(one.first, one.second): one for one in found.crosses[0].pairs}
    assert abs(pairs["yes", "r"].estimate - 0.3) < 5 * pairs["yes", "r"].deviation
    assert abs(pairs["yes", "g"].estimate) < 5 * pairs["yes", "g"].deviation
    assert all(abs(one.estimate) < 5 * (one.high - one.low) / 3.92 for one in found.differences)
    assert len(found.differences) == 2 + 3 + 2 * 3 + 1 + 3


def test_a_difference_between_groups_is_seen():
    asked = survey(HEAD + YES + GROUPS)
    group = np.arange(4000) % 2
    said = np.zeros(size_of(asked), np.int64)
    for filled in filled_by(asked, [[group]], bits=SeededBits(1), group=group):
        said += asked.count(filled)
    found = estimates(asked, counts_of(asked, said)).differences
    assert [(one.group, one.value) for one in found] == [("kind", "no"), ("kind", "yes")]
    assert found[1].low < 1 < found[1].high
    assert found[1].adjusted < 1e-9


def test_counts_of_batches_add_up_to_those_of_all():
    asked, rng = survey(ALL), np.random.default_rng(3)
    given = answers(60, rng)
    wholes = list(filled_by(asked, given, bits=SeededBits(2)))
    total = sum(asked.count(one) for one in wholes)
    assert total[0] == 120
    assert asked.persons(total) == 60
    assert len(total) == size_of(asked)


def test_nothing_is_told_before_the_first_report_but_how_it_will_be():
    asked = survey(ALL)
    found = asked.estimate(counts_of(asked, np.zeros(size_of(asked), np.int64)))
    assert found.persons == 0
    assert not any(part.answers or part.mean for question in found.questions for part in question.parts)
    assert found.differences == ()


def test_a_survey_closes_at_its_end_and_when_enough_have_answered():
    asked = survey(HEAD + YES + "[stop]\nrespondents = 9\nhalf_width = 0.1\n")
    assert asked.is_open(date(2027, 6, 30), 8)
    assert not asked.is_open(date(2027, 7, 1), 8)
    assert not asked.is_open(date(2027, 6, 30), 9)


def test_mechanisms_are_chosen_by_their_error_and_a_hopeless_survey_is_refused():
    text = re.sub(r"(mechanism|epsilon) = [^8\n]+\n", "", ALL).replace(", first = 0.5", "")
    said = document_from(parsed_toml(text, "the survey"))
    complete, found = design(said, 20_000, Aim())
    asked = survey_from({"format": "sfumato.survey/1"} | _written(complete))
    assert asked.spent <= 8
    assert found.epsilon == asked.spent
    for one in found.questions:
        assert one.half_width == min(one.compared.values())
        assert one.difference <= one.matters
    with pytest.raises(NoSolution, match="matters") as caught:
        design(said, 40, Aim())
    enough = int(re.search(r"ask (\d+) persons", caught.value.remedy)[1])
    assert design(said, enough, Aim())[1].respondents == enough
    with pytest.raises(NoSolution):
        design(said, int(enough * 0.97), Aim())


def test_questions_that_differ_in_name_and_wording_alone_are_chosen_once(monkeypatch):
    """What is chosen is what is chosen for each by itself."""
    asked = "".join(
        f'[[question]]\nkind = "yes-no"\nname = "{name}"\ntext = {{ en = "{name}?" }}\ndifference = {matters}\n'
        for name, matters in (("a", 0.9), ("b", 0.9), ("c", 0.8))
    )
    said = document_from(parsed_toml(HEAD + asked, "the survey"))
    plain, chosen = designing._choose, []
    monkeypatch.setattr(designing, "_choose", lambda one, crossed: (chosen.append(one.name), plain(one, crossed))[1])
    complete, _found = design(said, 20_000, Aim())
    assert chosen == ["a", "c"] * 3
    assert [(one.name, one.text["en"]) for one in complete.question] == [("a", "a?"), ("b", "b?"), ("c", "c?")]
    monkeypatch.setattr(designing, "_chosen", lambda one, crossed, _known: plain(one, crossed))
    assert design(said, 20_000, Aim())[0] == complete


def test_reports_of_another_survey_are_refused():
    from sfumato.mechanism.local.survey.wire import to_bytes

    one, other = survey(HEAD + YES), survey(HEAD + YES.replace("1.0", "1.1"))
    wire = to_bytes(one.shape, next(filled_by(one, [[np.array([0])]], bits=SeededBits(1))))
    assert one.read(wire).persons == 1
    with pytest.raises(ReportError, match="server's parameters"):
        other.read(wire)


def _written(document):
    from sfumato.document.codec import write

    return write(document)


def test_a_regression_on_counts_is_the_one_on_every_report():
    """Also where yes is said more often for no, and where another question is asked on more days."""
    often = MOOD.replace('"week"', '"day"').replace("times = 2", "times = 9")
    turned = YES.replace('"GRR"\nepsilon = 1.0', '"Warner"\nchances = { truth = "1/4" }\nepsilon = 4.0')
    turned += 'repeat = { every = "week", times = 2 }\n'
    asked = survey(HEAD.replace("epsilon = 8", "epsilon = 30") + often + turned + GROUPS)
    rng, vector, rows, said = np.random.default_rng(3), np.zeros(size_of(asked), np.int64), [], []
    answers = [[rng.integers(0, 3, 4000)] * 9, [(rng.random(4000) < share).astype(np.int64) for share in (0.3, 0.6)]]
    for filled in filled_by(asked, answers, bits=SeededBits(3)):
        vector += asked.count(filled)
        sent = filled.senders(asked.shape, 1)
        said.append(filled.reports[1] == 1)
        times = np.array([asked.shape.due[1].index(time) for time in filled.time[sent]])
        rows.append(np.column_stack([np.ones(len(times)), filled.group[sent], times]))
    one = fit(np.concatenate(said), np.concatenate(rows), AnswerLaw(-0.5, 0.75))
    found = regress_counts(asked, "smokes", counts_of(asked, vector))
    assert able(asked) == ("smokes",)
    assert (found.reports, found.repeated) == (8000, True)
    assert found.coefficients[2].estimate > 0.5
    np.testing.assert_allclose([c.estimate for c in found.coefficients], one.coefficients, atol=1e-6)
    np.testing.assert_allclose([c.error for c in found.coefficients], one.standard_errors, rtol=1e-5)
