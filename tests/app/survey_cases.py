"""A survey with a question of every kind under every sort of mechanism, and what phones send of it, byte by byte."""

import json
from pathlib import Path

import numpy as np

from sfumato.document.header import SURVEY
from sfumato.errors import ReportError
from sfumato.mechanism.local.survey.wire import Filled, to_bytes
from sfumato.release.collect.base import Sent
from sfumato.release.collect.batch import to_json
from sfumato.release.collect.survey.survey import survey_from
from sfumato.table.values import parsed_toml

VECTORS = Path(__file__).parents[1] / "javascript" / "survey-vectors.json"


def question(kind, name, more):
    """One [[question]]."""
    return f'[[question]]\nkind = "{kind}"\nname = "{name}"\ntext = {{ en = "{name}?", fr = "{name} ?" }}\n{more}\n'


ONE = 'values = ["a", "b", "c", "d", "e"]\nepsilon = 1.0\nmechanism = '
DAILY = 'repeat = { every = "day", times = 3, distinct = 1, first = 0.5 }'
ORACLES = ("GRR", "SUE", "OUE", "BLH", "OLH", "SubsetSelection", "HadamardResponse", "ProjectiveGeometryResponse")
NUMBERS = ("duchi", "piecewise", "hybrid", "square wave", "laplace", "staircase")
HEAD = f"""
format = "{SURVEY.format}"
name = "every kind"
consent = {{ en = "Your phone changes answers at random.", fr = "Votre téléphone change les réponses au hasard." }}
languages = ["fr", "en"]
epsilon = 60
ends = 2099-12-31
"""
GROUPS = """
[experiment]
name = "wording"
[[experiment.arm]]
name = "plain"
[[experiment.arm]]
name = "kind"
text = { en = "Take your time.", fr = "Prenez votre temps." }
"""
EVERY = HEAD + "".join(
    [
        question("yes-no", "smokes", 'epsilon = 1.0\nmechanism = "GRR"'),
        question("yes-no", "cheats", 'mechanism = "forced response"\nchances = { truth = "2/3", yes = "1/6" }'),
        *(question("one-of", name, f'{ONE}"{name}"') for name in ORACLES),
        question("some-of", "hobbies", 'values = ["h1", "h2", "h3"]\nmost = 2\nepsilon = 2.0\nmechanism = "every bit"'),
        question("some-of", "foods", 'values = ["f1", "f2", "f3"]\nmost = 3\nepsilon = 1.0\nmechanism = "one bit"'),
        *(question("number", name, f'bounds = [0, 10]\nsteps = 2\nepsilon = 1.0\nmechanism = "{name}"') for name in NUMBERS),
        *(question("scale", name, f'bounds = [1, 4]\nepsilon = 1.0\nmechanism = "{name}"\n{DAILY}') for name in
          ("L-GRR", "L-SUE", "L-OSUE", "LOLOHA")),
        question("one-of", "dBitFlipPM", f'{ONE}"dBitFlipPM"\nrepeat = {{ every = "week", times = 2, distinct = 2, bits = 2 }}'),
        question("scale", "afresh", 'bounds = [1, 4]\nepsilon = 1.0\nmechanism = "GRR"\nrepeat = { every = "week", times = 2 }'),
    ]
) + GROUPS  # fmt: skip
SMALL = (
    HEAD + question("yes-no", "smokes", 'epsilon = 1.0\nmechanism = "GRR"') + question("one-of", "color", f'{ONE}"OUE"')
)
DRAWN = SMALL.replace("ends =", "asks = 1\nends =")


def survey_of_text(text):
    """The survey of a document."""
    return survey_from(parsed_toml(text, "the survey"))


def some_reports(reports, n, rng):
    """Reports that a randomizer could make: read back from random bits until they are some."""
    width = reports.bits_per_report
    for _ in range(10_000):
        bits = rng.integers(0, 2, n * width, dtype=np.uint8)
        payload = np.packbits(bits, bitorder="little").tobytes()
        try:
            found = reports.unpack(payload, n)
            reports.count(found)
        except ReportError:
            continue
        return found
    raise AssertionError(reports)


def plain(rows):
    """Reports as JSON can hold them: numbers, lists of numbers, or the fields of a record."""
    return [list(row) for row in rows.tolist()] if rows.dtype.names or rows.ndim > 1 else rows.tolist()


def vectors():
    """The vectors as they stand in the JavaScript package."""
    found, rng = [], np.random.default_rng(1)
    for text in (EVERY, SMALL, DRAWN):
        survey, cases = survey_of_text(text), []
        for case in range(4):
            cases.append(_case(survey, case, rng))
        found.append({"public": survey.public(), "cases": cases})
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def _case(survey, case, rng):
    """What one phone sends, and what the body of its request is."""
    shape, d = survey.shape, len(survey.asked)
    time, group = np.array([case % shape.times]), np.array([case % shape.groups])
    asked = np.zeros((1, d), bool)
    asked[0, rng.permutation(d)[: shape.asks]] = True
    due = Filled(time, group, asked, ())
    sends = [bool(due.senders(shape, i)[0]) for i in range(d)]
    reports = tuple(
        some_reports(one.reports, 1, rng) if sent else one.reports.unpack(b"", 0)
        for one, sent in zip(survey.asked, sends, strict=True)
    )
    wire = to_bytes(shape, Filled(time, group, asked, reports))
    name = f"{case:032x}"
    return {
        "time": case % shape.times, "group": case % shape.groups, "asked": [int(i) for i in np.flatnonzero(asked[0])],
        "reports": {one.said.name: plain(rows)[0] for one, rows, sent in zip(survey.asked, reports, sends, strict=True) if sent},
        "wire": wire.hex(), "body": json.loads(to_json(survey, Sent(name, 1, wire))),
    }  # fmt: skip
