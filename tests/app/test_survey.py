"""Surveys by command and over HTTP: designed, simulated, sent, counted once, estimated; the same bytes for every client."""

import json

import pytest
from tests.app.survey_cases import DRAWN, EVERY, SMALL, VECTORS, survey_of_text, vectors

from sfumato.release.collect.batch import from_json


def test_every_client_writes_the_same_bytes():
    """`python -m tests.app.test_survey` writes them anew."""
    assert VECTORS.read_text(encoding="utf-8") == vectors()


@pytest.mark.parametrize(("text", "place"), [(EVERY, 0), (SMALL, 1), (DRAWN, 2)])
def test_the_bytes_are_counted_as_what_they_say(text, place):
    survey, case = survey_of_text(text), json.loads(VECTORS.read_text(encoding="utf-8"))[place]
    assert case["public"]["digest"] == survey.digest()
    for one in case["cases"]:
        counted = from_json(survey, json.dumps(one["body"])).read
        assert counted.persons == 1
        at = one["time"] * len(survey.groups) + one["group"]
        assert counted.content[len(survey.sizes) + at] == 1
        n_reports = int(counted.content[1 : len(survey.sizes)].sum())
        assert n_reports == len(one["reports"])


if __name__ == "__main__":
    VECTORS.write_text(vectors(), encoding="utf-8")
