"""What an intruder sees of one simulated collection on ACSEmployment, and how often a guess is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.attack.sampled_attribute import score
from sfumato.attack.sampled_boosting import available_booster, guess_by_boosting
from sfumato.frozen import dataclass
from sfumato.mechanism.local.projections import project_simplex
from sfumato.mechanism.local.several.catalog import scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.mechanism.local.several.faked import randomize_marked, view
from sfumato.study.reproduce.data import Dataset
from sfumato.study.reproduce.experiment import Column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.noise.bits import Bits
    from sfumato.study.reproduce.experiment import Cell
    from sfumato.types import FloatArray, IntArray

ACS = Dataset(
    title="ACSEmployment (American Community Survey, Montana)",
    published="the folktables task ACSEmployment of the US Census Bureau's ACS public-use microdata; "
    'the cut used here is "db_ACSEmployement" of the repository hharcolezi/risks-ldp',
    files=("acs_folktables/ACSEmployment_Montana.csv.gz", "ACSEmployment_Montana.csv.gz", "db_ACSEmployement.csv"),
    columns=tuple(
        (name,)
        for name in (
            "AGEP", "SCHL", "MAR", "SEX", "DIS", "ESP", "MIG", "CIT", "MIL",
            "ANC", "NATIVITY", "RELP", "DEAR", "DEYE", "DREM", "RAC1P", "GCL", "ESR",
        )
    ),
    missing=(),
    rows=10336,
)  # fmt: skip

ORIGIN = (
    "H. Arcolezi, S. Gambs, J.-F. Couchot, C. Palamidessi, VLDB 2023; slides of J.-F. Couchot and H. Arcolezi, 2023"
)
FEWER = 20
"""A quick version learns from this many times fewer profiles."""
_CONFIDENCE = 0.95

SCHEME = (
    Column("scheme", "scheme", "Solution that hides the sampled attribute among fakes.", "text"),
    Column("epsilon", "eps", "Epsilon as published, in nats.", "count"),
    Column("tuple_epsilon", "true eps", "Exact epsilon of a person's whole record, in nats, rounded up."),
)
ACCURACY = (
    Column("accuracy", "accuracy", "Share of persons whose sampled attribute was guessed.", "percent"),
    Column("low", "low", "Lower end of its 95 % interval (Wilson).", "percent"),
    Column("high", "high", "Upper end.", "percent"),
    Column("baseline", "blind", "1/d, what guessing blindly reaches.", "percent"),
    Column("reference", "reference", "The same measured elsewhere; empty where it was not.", "percent"),
)


@dataclass(frozen=True, slots=True)
class Collection:
    """One simulated collection.

    Args:
        seen: d report arrays.
        laws: d public parameters.
        estimated: d arrays of shares, estimated from the reports and projected.
        true: d arrays of shares, of the persons themselves.
        sampled: (n,) the attribute of each person, which the intruder guesses.
    """

    seen: list[Any]
    laws: list[Any]
    estimated: list[FloatArray]
    true: list[FloatArray]
    sampled: IntArray

    def learned(self, shares: Sequence[FloatArray], n_profiles: int, *, rng: np.random.Generator) -> IntArray:
        """What boosted trees guess that learned from synthetic profiles of these shares."""
        booster = available_booster()
        return guess_by_boosting(self.seen, self.laws, shares, n_profiles=n_profiles, booster=booster, rng=rng)


def as_published(label: str, epsilon: int, persons: IntArray) -> Any:
    """The scheme with the published epsilon; RS+RFD has the true shares as its prior."""
    sizes = [int(size) for size in persons.max(axis=0) + 1]
    priors = [shares.tolist() for shares in shares_of(persons)]
    return scheme_by_label(label, float(epsilon), sizes, calibration=Calibration.AS_PUBLISHED, priors=priors)


def shares_of(persons: IntArray) -> list[FloatArray]:
    """The shares of each attribute's values among the persons: d arrays (k,)."""
    return [np.bincount(column) / len(persons) for column in persons.T]


def collect(scheme: Any, persons: IntArray, *, bits: Bits) -> Collection:
    """Play every person's device, and let the server estimate."""
    reports, sampled = randomize_marked(scheme.attributes, persons, bits=bits)
    estimated = [project_simplex(raw) for raw in scheme.estimate(scheme.count_support(reports))]
    laws = [attribute.coordinate for attribute in scheme.attributes]
    return Collection(view(scheme.attributes, reports), laws, estimated, shares_of(persons), sampled)


def accuracy(
    guesses: Sequence[IntArray], collections: Sequence[Collection], reference: float | None
) -> dict[str, Cell]:
    """The cells of `ACCURACY`, for the guesses of all collections together."""
    d, sampled = len(collections[0].seen), np.concatenate([one.sampled for one in collections])
    found = score(np.concatenate(guesses), sampled, d, confidence=_CONFIDENCE)
    return {
        "accuracy": found.accuracy,
        "low": found.interval.low,
        "high": found.interval.high,
        "baseline": found.baseline,
        "reference": reference,
    }
