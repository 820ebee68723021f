"""A batch is a JSON document with an id; anything else is refused without showing a report."""

import json

import numpy as np
import pytest

from sfumato.errors import ReportError
from sfumato.mechanism.local.rappor.batch import packed, to_bytes
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.release.collect.base import Sent
from sfumato.release.collect.batch import count_batches, from_json, to_json
from sfumato.release.collect.collection import Collection, Question
from sfumato.release.collect.rappor import RapporCollection
from sfumato.testing.seeded_bits import SeededBits

PARAMS = RapporParams("home", bits=13, hashes=2, cohorts=4, f="1/2", p="1/2", q="3/4")
STRINGS = RapporCollection(PARAMS)
COLOR = Collection((Question("color", ("red", "blue")),), "GRR", 1.0)
WIRE = {
    "strings": to_bytes(PARAMS, packed(np.array([3]), np.zeros((1, 13), bool))),
    "color": COLOR.oracle().to_bytes(COLOR.oracle().randomize(np.array([1]), bits=SeededBits(1))),
}
BOTH = pytest.mark.parametrize(("asked", "wire"), [(STRINGS, WIRE["strings"]), (COLOR, WIRE["color"])], ids=WIRE)
FORMER = {
    "format": "sfumato.rappor-batch/1",
    "collection": PARAMS.digest,
    "batch": "b",
    "cohorts": [3],
    "reports": "AAA=",
}


@BOTH
def test_a_batch_comes_back(asked, wire):
    batch = from_json(asked, to_json(asked, Sent("b", 1, wire)))
    assert (batch.name, batch.read.persons) == ("b", 1)
    assert asked.add_up([batch.read.content] * 2).tolist() == (2 * asked.add_up([batch.read.content])).tolist()


@BOTH
@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"format": "x"}, "exactly its keys"),
        ({"more": 1}, "exactly its keys"),
        ({"cohorts": [1]}, "exactly its keys"),
        ({"collection": "0" * 64}, "another"),
        ({"collection": None}, "another"),
        ({"batch": ""}, "batch id"),
        ({"batch": "x" * 129}, "batch id"),
        ({"batch": 3}, "batch id"),
        ({"reports": None}, "text"),
        ({"reports": "A(I="}, "base64"),
        ({"reports": "éAA="}, "base64"),
        ({"reports": "AAAA"}, "version"),
    ],
)
def test_anything_else_is_refused(asked, wire, parts, message):
    text = json.dumps(json.loads(to_json(asked, Sent("b", 1, wire))) | parts)
    with pytest.raises(ReportError, match=message):
        from_json(asked, text)


@pytest.mark.parametrize(("text", "message"), [("{", "JSON"), (b"\xff\xfe", "JSON"), ("[" * 100_000, "JSON"), ("[]", "keys"), ("null", "keys")])  # fmt: skip
def test_what_is_no_document_is_refused(text, message):
    with pytest.raises(ReportError, match=message):
        from_json(STRINGS, text)


def test_a_former_batch_belongs_to_strings_alone():
    assert from_json(STRINGS, json.dumps(FORMER)).read.content.cohorts.tolist() == [3]
    for asked, parts, message in (
        (STRINGS, {"collection": "0"}, "another"),
        (STRINGS, {"batch": ""}, "id"),
        (COLOR, {}, "keys"),
    ):
        with pytest.raises(ReportError, match=message):
            from_json(asked, json.dumps(FORMER | parts))


@BOTH
def test_a_batch_counts_once_and_an_id_has_one_content(asked, wire):
    line = to_json(asked, Sent("b", 1, wire)).encode()
    counts, new, again = count_batches(asked, [("here", line), ("there", line)])
    assert (sum(counts.reports), new, again) == (1, 1, 1)
    other = to_json(asked, Sent("b", 1, wire)).replace(", ", ",").encode()
    with pytest.raises(ReportError, match="there: a batch id"):
        count_batches(asked, [("here", line), ("there", other)])
