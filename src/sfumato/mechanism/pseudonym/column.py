"""Pseudonyms of a column of a plan, what is promised of them, and what they still tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee
from sfumato.mechanism.pseudonym.canonical import canonical
from sfumato.summary.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import IntArray

STILL_PERSONAL = (
    "A pseudonym is still personal data: it is one person's, some secret or list leads back, and other columns can lead "
    "to the person without it."
)


class Names(Protocol):
    """A function from names to pseudonyms."""

    @property
    def fold_case(self) -> bool:
        """Whether upper and lower case are one name."""
        ...

    def texts(self, cells: Sequence[str]) -> list[str]:
        """The pseudonym of each cell."""
        ...


@dataclass(frozen=True, slots=True)
class Means:
    """How pseudonyms are made, for the promise.

    Args:
        what: the standard term of the function ("HMAC-SHA-256").
        domain: whose names they are: the same names get the same pseudonyms in every table of the domain.
        period: how long a person keeps a pseudonym, empty: for ever.
        leads_back: what leads from a pseudonym to the name.
        source: paper or standard.
    """

    what: str
    domain: str
    period: str
    leads_back: str
    source: str


def pseudonym_promise(column: str, means: Means) -> Guarantee:
    """What pseudonyms promise, and that they are personal data.

    Args:
        column: its name.
        means: how they are made.

    Example:
        >>> means = Means("HMAC-SHA-256", "patients", "", "the key and a list of names", "RFC 2104")
        >>> pseudonym_promise("patient", means).kind
        'idealized'
    """
    parted = f" Those of different {means.period}s cannot be linked by the pseudonym." if means.period else ""
    return Guarantee(
        name="pseudonyms",
        statement=f"Without {means.leads_back}, a pseudonym in {column!r} tells only which rows of the domain {means.domain!r} "
        f"belong to one name.{parted} {STILL_PERSONAL}",
        definition=f"{means.what} under a key that is derived for the domain and the period; no efficient algorithm "
        "without the key tells it from random texts, one for each name.",
        parameters={"function": means.what, "domain": means.domain, "period": means.period or "none"},
        kind="idealized",
        source=means.source,
        assumptions=(
            f"Nobody who works with the release has {means.leads_back}.",
            "How many rows a name has, and with which other values, is published: both can give it away.",
            STILL_PERSONAL,
        ),
    )


def frequency_risk(labels: Sequence[str | None], counts: IntArray, *, fold_case: bool) -> tuple[Figure, ...]:
    """How many names are found by their number of rows alone.

    Formula: names whose number of rows no other name has / names.

    Args:
        labels: distinct cells; None: missing, left out.
        counts: (n,) int64 rows of each.
        fold_case: whether upper and lower case are one name.

    Source:
        ENISA, "Pseudonymisation techniques and best practices", 2019, section 4 (attacks on equal pseudonyms).

    Example:
        >>> frequency_risk(["Ann", "Bob", "Eve", None], np.array([1, 1, 5, 9]), fold_case=False)[0].value
        0.3333333333333333
    """
    rows: dict[str, int] = {}
    for label, count in zip(labels, counts.tolist(), strict=True):
        if label is not None and count:
            name = canonical(label, fold_case=fold_case)
            rows[name] = rows.get(name, 0) + count
    _, repeated = np.unique(np.array(list(rows.values()), np.int64), return_counts=True)
    value = float((repeated == 1).sum() / len(rows)) if rows else None
    return (
        Figure(
            name="unique_frequency",
            label="Names alone with their number of rows",
            value=value,
            definition="Names whose number of rows no other name has / names: found by whoever knows how often each person "
            "occurs.",
            source="ENISA, Pseudonymisation techniques and best practices, 2019, section 4",
        ),
    )
