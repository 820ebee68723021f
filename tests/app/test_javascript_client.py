"""The JavaScript client makes the same bits as the Python one, and the server reads its batches."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from sfumato.mechanism.local.rappor.bloom import bloom_bits
from sfumato.mechanism.local.rappor.client import RapporClient
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.release.collect.batch import from_json
from sfumato.release.collect.rappor import RapporCollection
from sfumato.testing.seeded_bits import SeededBits

TESTS = Path(__file__).parents[1] / "javascript"
CLIENT = Path(__file__).parents[2] / "src" / "sfumato" / "collect" / "client"
VECTORS = TESTS / "vectors.json"
HALF = {"f": "1/2", "p": "1/2", "q": "3/4"}
PARAMS = (
    RapporParams("home page", bits=128, hashes=2, cohorts=16, **HALF),
    RapporParams("many hashes – été", bits=1000, hashes=19, cohorts=5, f="1/3", p="1/7", q="999999999/1000000000"),
    RapporParams("basic", bits=3, hashes=1, cohorts=1, **HALF, values=("red", "é", "blue")),
    RapporParams("one time", bits=32, hashes=2, cohorts=8, f=0, p="1/4", q="3/4"),
    RapporParams("basic one time", bits=2, hashes=1, cohorts=1, f=0, p="1/4", q="3/4", values=("no", "yes")),
)
TEXTS = ("http://example.org/", "", "e\u0301te\u0301", "été", "日本語 🙂", "a" * 300)


def vector(params, text, secret):
    """What both clients must make of one string."""
    client = RapporClient(params, secret)
    out = {
        "value": text, "secret": secret.hex(), "cohort": client.cohort,
        "bloom": bloom_bits(params, text, client.cohort).tolist(),
        "permanent": client.permanent(text).nonzero()[0].tolist(),
    }  # fmt: skip
    if params.is_one_time:
        out["report"] = client.report(text, bits=SeededBits(0)).nonzero()[0].tolist()
    return out


def vectors():
    """All of them, as they stand in the JavaScript package."""
    found = []
    for i, params in enumerate(PARAMS):
        texts = params.values or TEXTS
        values = [vector(params, text, bytes(range(i + j, i + j + 16 + j))) for j, text in enumerate(texts)]
        found.append({"parameters": params.to_json(), "digest": params.digest, "values": values})
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def node():
    """Node, or a skip."""
    found = shutil.which("node")
    if found is None and os.environ.get("SFUMATO_REQUIRE_ALL"):
        pytest.fail("node is required")
    if found is None:
        pytest.skip("node is not installed")
    return found


def test_the_shared_vectors_are_those_of_the_python_client():
    assert VECTORS.read_text("utf-8") == vectors()


def test_one_string_has_one_encoding():
    params = PARAMS[0]
    assert bloom_bits(params, "été", 0).tolist() == bloom_bits(params, "e\u0301te\u0301", 0).tolist()


def test_the_javascript_tests_pass():
    done = subprocess.run([node(), "--test", "."], cwd=TESTS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize("params", PARAMS, ids=lambda params: params.name)
def test_a_javascript_batch_is_read(params):
    script = """
        import { RapporClient, newSecret, readParameters } from "./index.js";
        const client = new RapporClient(readParameters(process.argv[1]), newSecret());
        console.log(JSON.stringify({ cohort: client.cohort }));
        console.log(client.batch(JSON.parse(process.argv[2]), "batch 1"));
    """
    command = [
        node(),
        "--input-type=module",
        "-e",
        script,
        params.to_json(),
        json.dumps((params.values or ("a", "b", "c"))[:1] * 3),
    ]
    sent = subprocess.run(command, cwd=CLIENT, capture_output=True, text=True, check=True).stdout
    first, sent = sent.splitlines()
    batch = from_json(RapporCollection(params), sent)
    assert batch.name == "batch 1"
    assert batch.read.content.packed.shape == (3, -(-params.bits // 8))
    assert len(set(batch.read.content.cohorts.tolist())) == 1
    assert batch.read.content.cohorts[0] == json.loads(first)["cohort"]
