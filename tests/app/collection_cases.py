"""Collections under every protocol, and what devices send to them, byte by byte."""

import json
from pathlib import Path

import numpy as np
from tests.app.survey_cases import plain

from sfumato.mechanism.local.registry import oracles
from sfumato.mechanism.local.several.catalog import LABELS
from sfumato.mechanism.local.several.smp import SampledReports
from sfumato.release.collect.base import Sent
from sfumato.release.collect.batch import to_json
from sfumato.release.collect.collection import Collection, Question
from sfumato.testing.seeded_bits import SeededBits

VECTORS = Path(__file__).parents[1] / "javascript" / "collection-vectors.json"
QUESTIONS = (Question("smokes", ("no", "yes")), Question("drinks", ("never", "at times", "often")))
PRIORS = ((0.25, 0.75), (0.5, 0.2, 0.3))
SCHEMES = tuple(label for label in LABELS if "ADP" not in label)
"""The others choose one of these."""


def scheme_collection(label, priors=PRIORS):
    """Two questions under a scheme."""
    return Collection(QUESTIONS, label, 1.0, priors=priors if label.startswith("RS+RFD") else None)


def collections():
    """One collection for each scheme, then one for each oracle."""
    five = Question("color", ("a", "b", "c", "d", "e"))
    return [*(scheme_collection(label) for label in SCHEMES), *(Collection((five,), name, 1.0) for name in oracles())]


def vectors():
    """The vectors as they stand in the JavaScript package."""
    found = [{"public": one.public(), "cases": [_case(one, seed) for seed in range(3)]} for one in collections()]
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def _case(asked, seed):
    """What one person sends; which answers they gave does not matter to the bytes."""
    codes, protocol = (
        np.full((1, len(asked.questions)), seed % 2),
        asked.scheme() if asked.is_scheme else asked.oracle(),
    )
    reports = protocol.randomize(codes if asked.is_scheme else codes[:, 0], bits=SeededBits(seed))
    columns = reports.columns if isinstance(reports, SampledReports) else reports if asked.is_scheme else (reports,)
    wire = protocol.to_bytes(reports)
    shown = [_listed(plain(column)[0]) if len(column) else None for column in columns]
    return {"reports": shown, "wire": wire.hex(), "body": json.loads(to_json(asked, Sent(f"{seed:032x}", 1, wire)))}


def _listed(row):
    """A report as the list of its numbers; those beyond 2⁵³ as digits."""
    return [str(number) if number >= 2**53 else number for number in (row if isinstance(row, list) else [row])]
