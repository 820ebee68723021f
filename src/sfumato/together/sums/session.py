"""The terms of both sums of a joint publication, which every party makes from the same words."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sfumato.errors import NoSolution, PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.secure_sum.noise import SharedNoise
from sfumato.mechanism.secure_sum.terms import MOST_CELLS, MOST_HOLDERS
from sfumato.mechanism.secure_sum.terms import Terms as SumTerms
from sfumato.together.sums.declared import Cells, cells_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from sfumato.document.together import SumsTable
    from sfumato.together.terms import Terms

TUPLES, VALUES = 1, 2
"""The first sum is of tuples, the second of carried values by class."""


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """What is added.

    Args:
        terms: of the publication.
        said: what they say of sums.
        known: cells of the quasi-identifiers.
        carried: cells of the columns that are published as they are.
    """

    terms: Terms
    said: SumsTable
    known: Cells
    carried: Cells


def sums_of(terms: Terms) -> Sums:
    """What is added, by the terms of a publication.

    Raises:
        PlanError: the terms say nothing of sums, or what cannot be carried out.
    """
    said = terms.said.sums
    if said is None or terms.said.kind != "hospitals" or terms.said.holders > MOST_HOLDERS:
        raise PlanError(
            "Sums are for at most {most} hospitals, whose terms say [sums].",
            "say it, or publish with fewer.",
            most=MOST_HOLDERS,
        ).below("sums")
    if terms.plan.personal_k is not None:
        raise PlanError(
            "What each person asks for cannot be kept by sums: nobody sees whose row it is.",
            "leave `personal` out of the plan, or [sums] out of the terms.",
        ).below("sums")
    found = Sums(terms, said, cells_of(terms.plan.schema.quasi_identifiers, said), cells_of(terms.carried, said))
    nobody = [hashlib.sha256(str(i).encode()).digest() for i in range(terms.said.holders)]
    first_terms(found, bytes(32), "", nobody)  # refuses numbers that do not protect
    return found


def first_terms(sums: Sums, publisher: bytes, after: str, holders: Sequence[bytes]) -> SumTerms:
    """The terms of the sum of tuples.

    Args:
        sums: what is added.
        publisher: its public key.
        after: digest of the message before it.
        holders: theirs, by name.
    """
    said = sums.said
    epsilon = said.epsilon
    noise = None if epsilon is None else SharedNoise(epsilon, 1, among=max(said.threshold - said.colluding, 1))
    return SumTerms(**_named(sums, TUPLES, publisher, after, holders), cells=sums.known.n, noise=noise)


def second_terms(sums: Sums, publisher: bytes, after: str, holders: Sequence[bytes], classes: int) -> SumTerms:
    """The terms of the sum of carried values by class: nobody of the first sum may be missing.

    Raises:
        NoSolution: too many cells. Remedy: fewer classes, or carry fewer columns.
    """
    cells = max(classes, 1) * sums.carried.n
    if cells > MOST_CELLS:
        raise NoSolution(
            "Hospitals add at most {most:,} cells; {classes:,} classes with {values:,} combinations of carried values make "
            "more.",
            "carry fewer columns, or make classes larger.",
            most=MOST_CELLS,
            classes=classes,
            values=sums.carried.n,
        )
    return SumTerms(**_named(sums, VALUES, publisher, after, holders), cells=cells, added=len(holders))


def _named(sums: Sums, number: int, publisher: bytes, after: str, holders: Sequence[bytes]) -> dict[str, Any]:
    """What both have in common."""
    occasion = hashlib.sha256(f"sfumato.together/1 sum {number} after {after}".encode()).digest()
    return {
        "occasion": occasion,
        "about": bytes.fromhex(sums.terms.digest),
        "publisher": publisher,
        "holders": tuple(holders),
        "threshold": sums.said.threshold,
        "colluding": sums.said.colluding,
        "greatest": sums.said.most_rows,
    }
