"""From paired reports of two collections to a table of joint shares, with marginals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.association.joint import joint_shares
from sfumato.mechanism.local.rappor.association.likelihood import likelihoods

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.table.values import Item
    from sfumato.types import BoolArray, FloatArray, IntArray

OTHER = "(other)"
"""Name of all strings that are not named; declared values have none."""
FORMAT = "sfumato.rappor-association/1"


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """One variable of all persons, in the same order as the other one.

    Args:
        params: of its collection.
        cohorts: (n,) int64 cohort of each person.
        reports: (n, k) bool first report of each person.
        names: strings to be told apart; usually those that `decode` found. All others are counted together.
    """

    params: RapporParams
    cohorts: IntArray
    reports: BoolArray
    names: Sequence[str]

    @property
    def has_other(self) -> bool:
        """Whether a person may hold a string that is not named."""
        return set(self.names) != set(self.params.values)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of its cells."""
        return (*self.names, *((OTHER,) if self.has_other else ()))

    @property
    def likelihood(self) -> FloatArray:
        """(n, cells) float64."""
        return likelihoods(self.params, self.cohorts, self.reports, self.names, other=self.has_other)


@dataclass(frozen=True, slots=True, eq=False)
class Association:
    """Joint shares.

    Args:
        rows: labels of the first variable.
        columns: labels of the second.
        share: (rows, columns) float64, at least 0, sum 1.
        error: (rows, columns) float64 standard errors.
        persons: how many pairs of reports.
        gap: how far the log-likelihood is from its maximum, at most.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    share: FloatArray
    error: FloatArray
    persons: int
    gap: float

    @property
    def independent(self) -> FloatArray:
        """(rows, columns) float64: the shares if the variables had nothing to do with each other."""
        return np.outer(self.share.sum(axis=1), self.share.sum(axis=0))

    def to_dict(self) -> dict[str, Item]:
        """Plain data for JSON."""
        return {
            "format": FORMAT, "rows": list(self.rows), "columns": list(self.columns), "share": self.share.tolist(),
            "error": self.error.tolist(), "persons": self.persons, "gap": self.gap,
        }  # fmt: skip


def associate(first: Variable, second: Variable) -> Association:
    """Joint shares of two variables from the reports of the same persons.

    Counts of bits do not suffice: the server must keep both reports of each person, paired. The two reports together
    cost the sum of their epsilons. Only first reports may be used: repeated ones of a person are no new persons.

    Args:
        first: one variable.
        second: the other, of the same persons in the same order.

    Raises:
        ParameterError: other numbers of persons, or too many cells. Remedy: name fewer strings.

    Source:
        Fanti, Pihur and Erlingsson 2016, section 3.

    Example:
        >>> from sfumato.mechanism.local.rappor.fleet import first_reports
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> from sfumato.noise.bits import SystemBits
        >>> yes = RapporParams("yes", bits=2, hashes=1, cohorts=1, f=0, p="1/8", q="7/8", values=("no", "yes"))
        >>> held = np.repeat([[0], [1]], 5000, axis=0)
        >>> both = [Variable(yes, held[:, 0] * 0, first_reports(yes, held, bits=SystemBits()), yes.values) for _ in range(2)]
        >>> bool(np.abs(associate(*both).share - np.diag([0.5, 0.5])).max() < 0.1)
        True
    """
    found = joint_shares(first.likelihood, second.likelihood)
    return Association(first.labels, second.labels, found.share, found.error, len(first.cohorts), found.gap)
