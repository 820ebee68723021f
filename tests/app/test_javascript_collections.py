"""The JavaScript client of collections makes reports from exactly the laws of the Python schemes, which reads them."""

import json
import subprocess
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from tests.app.collection_cases import SCHEMES, VECTORS, collections, scheme_collection, vectors
from tests.app.test_javascript_client import CLIENT, TESTS, node

from sfumato.guarantee.coordinate import Encoding
from sfumato.mechanism.local.grr import GRR
from sfumato.mechanism.local.several.faked import Faking
from sfumato.mechanism.local.several.smp import SampledReports
from sfumato.numbers.logarithm import log_up
from sfumato.release.collect.batch import from_json


def test_the_shared_vectors_are_those_of_the_python_package():
    assert VECTORS.read_text("utf-8") == vectors()


@pytest.fixture(scope="module")
def laws():
    """Of each scheme: [(answers, {wire form of a report: exact probability})]."""
    command = [node(), "print_collection_laws.js"]
    printed = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, check=True).stdout
    return {
        label: [(codes, {bytes.fromhex(wire): Fraction(p) for wire, p in law.items()}) for codes, law in rows]
        for label, rows in json.loads(printed).items()
    }


def genuine(oracle, value):
    """The law of one report: {report: probability}, a report being a value or the tuple of its bits."""
    (p, q), k = oracle.exact_support, oracle.domain_size
    if isinstance(oracle, GRR):
        return {code: p if code == value else q for code in range(k)}
    chances = [p if code == value else q for code in range(k)]
    return {
        row: prod(c if bit else 1 - c for bit, c in zip(row, chances, strict=True)) for row in product((0, 1), repeat=k)
    }


def fake(attribute):
    """The law of a fake report."""
    if attribute.fakes is None:
        return genuine(attribute.oracle, None)
    if attribute.coordinate.encoding is Encoding.VALUE:
        return dict(enumerate(attribute.fakes))
    laws = [(share, genuine(attribute.oracle, value)) for value, share in enumerate(attribute.fakes)]
    return {report: sum(share * law[report] for share, law in laws) for report in laws[0][1]}


def expected(scheme, codes):
    """The law of a tuple of reports, written a second time: {(report of each attribute, None if there is none): p}."""
    own = [genuine(oracle, code) for oracle, code in zip(scheme.spoken, codes, strict=True)]
    d, out = len(own), {}
    if scheme.name == "SMP":
        return {tuple(one if i == j else None for i in range(d)): p / d for j in range(d) for one, p in own[j].items()}
    mixtures = [own]
    if isinstance(scheme, Faking):
        fakes = [fake(attribute) for attribute in scheme.attributes]
        mixtures = [[own[i] if i == j else fakes[i] for i in range(d)] for j in range(d)]
    for mixture in mixtures:
        for reports in product(*mixture):
            p = prod(law[one] for law, one in zip(mixture, reports, strict=True))
            out[reports] = out.get(reports, 0) + p / len(mixtures)
    return out


def read(scheme, wire):
    """The reports of a wire form of one person, as `expected` names them."""
    reports = scheme.from_bytes(wire)
    columns = reports.columns if isinstance(reports, SampledReports) else reports
    return tuple(shown(oracle, column) for oracle, column in zip(scheme.spoken, columns, strict=True))


def shown(oracle, column):
    """One report, None if there is none."""
    if not len(column):
        return None
    if isinstance(oracle, GRR):
        return int(column[0])
    return tuple(np.unpackbits(column[0], count=oracle.domain_size, bitorder="little").tolist())


@pytest.mark.parametrize("label", SCHEMES)
def test_reports_have_exactly_the_law_that_the_server_counts_on(laws, label):
    scheme = scheme_collection(label).scheme()
    assert len(laws[label]) == 6
    for codes, law in laws[label]:
        assert {read(scheme, wire): p for wire, p in law.items()} == expected(scheme, codes)
    every = [law for _, law in laws[label]]
    told = log_up(max(max(law[wire] for law in every) / min(law[wire] for law in every) for wire in every[0]))
    assert told <= scheme.epsilons.tuple_level
    assert told == pytest.approx(scheme.epsilons.tuple_level, rel=1e-12)


def test_a_client_with_other_fakes_is_told_apart(laws):
    """The broken twin: fakes follow another prior."""
    twin = scheme_collection("RS+RFD[GRR]", ((0.75, 0.25), (0.5, 0.2, 0.3))).scheme()
    honest = scheme_collection("RS+RFD[GRR]").scheme()
    for codes, law in laws["RS+RFD[GRR]"]:
        assert {read(honest, wire): p for wire, p in law.items()} != expected(twin, codes)


def test_every_batch_is_read():
    """With chance of WebCrypto: one person's answers to each collection."""
    script = """
        import { answered, readCollection } from "./index.js";
        let text = "";
        for await (const part of process.stdin) text += part;
        for (const told of JSON.parse(text)) console.log(answered(readCollection(told), told.questions.map(() => 1)).body);
    """
    asked = collections()
    sent = subprocess.run(
        [node(), "--input-type=module", "-e", script],
        input=json.dumps([one.public() for one in asked]), cwd=CLIENT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    assert [from_json(one, body).read.persons for one, body in zip(asked, sent, strict=True)] == [1] * len(asked)
