import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from sfumato.document.catalog import RESULTS, schema_named
from sfumato.document.result import collected
from sfumato.document.result.codec import document_from
from sfumato.errors import ResultError
from sfumato.mechanism.local.rappor.design import Promise
from sfumato.mechanism.local.rappor.detection import Aim
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.release.collect.advice import advice
from sfumato.release.collect.base import counts_of
from sfumato.release.collect.collection import collection_from
from sfumato.release.collect.estimates import estimates, nothing_yet
from sfumato.release.collect.noising import noise_table, noising_from
from sfumato.release.collect.pram import pram_from, publish
from sfumato.release.collect.rappor import RapporCollection, design, strings_told
from sfumato.table.source import FileSink, FileSource

FORMER = Path(__file__).parents[3] / "data" / "collect-0.1.0"
NAMES = {cls: name for name, (module, cls) in RESULTS.items() if module == "collected"}
COLORS = collection_from(
    {
        "format": "sfumato.collection/1",
        "question": [{"column": "color", "values": ["red", "blue"]}],
        "protocol": {"name": "GRR", "epsilon": 1},
    }
)
STRINGS = RapporParams("s", bits=8, hashes=1, cohorts=2, f="1/2", p="1/2", q="3/4")


def noised(folder):
    (folder / "a.csv").write_text("age,sex\n31,f\n52,m\n")
    columns = {
        "age": {"mechanism": "laplace", "epsilon": 1, "bounds": [0, 99]},
        "sex": {"mechanism": "grr", "epsilon": 1, "values": ["f", "m"]},
    }
    document = noising_from({"format": "sfumato.noising-plan/1", "columns": columns})
    return noise_table(document, FileSource(folder / "a.csv"), FileSink(folder / "b.csv"))


def randomized(folder):
    (folder / "a.csv").write_text("sex\nf\nm\n")
    asked = pram_from({"format": "sfumato.pram-plan/1", "columns": {"sex": {"values": ["f", "m"], "keep": 0.8}}})
    return publish(asked, FileSource(folder / "a.csv"), FileSink(folder / "b.csv"))


def designed(folder):
    params, told = design("s", Promise(None, 1), Aim(1000, 2), values=("a", "b"), runs=0, rng=np.random.default_rng(1))
    assert json.loads(params.to_json()) == told.parameters.to_dict()
    return told


MADE = {
    "recommendation": lambda folder: advice(1.0, [2, 3], 1000),
    "design": designed,
    "parameters": lambda folder: designed(folder).parameters,
    "reports": lambda folder: collected.ReportsResult(path="r.csv", batches=2, collection=COLORS.digest()),
    "sent": lambda folder: collected.SentResult(batches=3, counted=2, known=1, collection=COLORS.digest()),
    "counts": lambda folder: counts_of(COLORS, np.array([9, 5, 6]), of=("b", "a")).told(3),
    "estimates": lambda folder: estimates(COLORS, counts_of(COLORS, np.array([9, 5, 6])), confidence=0.95),
    "strings": lambda folder: strings_told(
        RapporCollection(STRINGS, ("a", "b")).estimate(counts_of(RapporCollection(STRINGS), 40 - np.arange(18)))
    ),
    "noised": noised,
    "randomized": randomized,
}


def test_every_document_of_a_collection_is_made_here():
    assert set(NAMES.values()) == set(MADE)


@pytest.mark.parametrize("name", MADE)
def test_what_is_written_keeps_its_schema_and_is_read_back(tmp_path, name):
    """Writer, schema and reader are made from one class: text of JSON, and back to an equal object."""
    found = MADE[name](tmp_path)
    data = json.loads(found.to_json())
    jsonschema.Draft7Validator(schema_named(name)).validate(data)
    assert found == document_from(type(found), data, "sfumato collect")


@pytest.mark.parametrize("name", ["counts", "estimates", "strings"])
def test_what_version_0_1_0_wrote_keeps_the_schema_but_for_renamed_keys(name):
    text = (FORMER / f"{name}.json").read_text("utf-8")
    old = json.loads(text.replace('"level"', '"significance"' if name == "strings" else '"confidence"'))
    cls = next(getattr(collected, cls) for cls, of in NAMES.items() if of == name)
    assert old == json.loads(document_from(cls, old, "sfumato collect").to_json())


def test_keys_that_are_not_known_yet_are_left_out():
    counts = counts_of(COLORS, np.array([9, 5, 6]))
    assert list(counts.told().to_dict()) == ["format", "collection", "reports", "support"]
    assert nothing_yet(COLORS, counts, confidence=0.9).to_dict()["questions"] == []


def test_a_wrong_document_is_told_by_its_key():
    data = counts_of(COLORS, np.array([9, 5, 6])).told().to_dict() | {"reports": [-1]}
    with pytest.raises(ResultError, match=r"`reports\[0\]` must be a whole number >= 0"):
        document_from(collected.CountsResult, data, "sfumato collect aggregate")
