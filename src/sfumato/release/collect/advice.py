"""The protocols that a collection could use, compared by exact variance, at equal true epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.mechanism.local.recommend import recommend
from sfumato.mechanism.local.several.recommend import Neighbors
from sfumato.mechanism.local.several.recommend import recommend as recommend_several

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.mechanism.local.recommend import Candidate, Choice
    from sfumato.mechanism.local.several.recommend import Candidate as Scheme

RECOMMENDATION = "sfumato.recommendation/1"
_SHOWN = 8
"""Schemes for several attributes that are listed, the best first."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The oracles for each attribute, and for several attributes the schemes at equal true epsilon.

    Args:
        epsilon: for each person's report, in nats.
        persons: who will answer.
        attributes: the oracles for each, the best first.
        schemes: the best schemes for each notion of neighbors; empty for one attribute.
    """

    epsilon: float
    persons: int
    attributes: tuple[Choice, ...]
    schemes: Mapping[Neighbors, tuple[Scheme, ...]]

    def to_dict(self) -> dict[str, object]:
        """`sfumato.recommendation/1` as plain data."""
        return {
            "format": RECOMMENDATION,
            "epsilon": self.epsilon,
            "persons": self.persons,
            "attributes": [
                {
                    "values": choice.domain_size,
                    "decided_by": choice.by.value,
                    "oracles": [_oracle(one) for one in choice.candidates],
                }
                for choice in self.attributes
            ],
            "schemes": {neighbors.value: [_scheme(one) for one in found] for neighbors, found in self.schemes.items()},
        }


def advice(epsilon: float, domain_sizes: Sequence[int], n: int) -> Advice:
    """Compare the protocols.

    Args:
        epsilon: for each person's report, in nats.
        domain_sizes: number of values of each attribute.
        n: persons, >= 1.

    Example:
        >>> advice(1.0, [128], 100_000).attributes[0].best.name
        'SubsetSelection'
    """
    schemes = {
        neighbors: tuple(recommend_several(epsilon, tuple(domain_sizes), n, neighbors=neighbors)[:_SHOWN])
        for neighbors in (Neighbors if len(domain_sizes) > 1 else ())
    }
    return Advice(epsilon, n, recommend(epsilon, list(domain_sizes), n), schemes)


def _oracle(oracle: Candidate) -> dict[str, object]:
    return {
        "name": oracle.name,
        "epsilon": oracle.epsilon,
        "mean_variance": oracle.mean,
        "worst_variance": oracle.worst,
        "rare_variance": oracle.rare,
        "bytes_per_report": oracle.bytes_per_report,
        "client_draws": oracle.client_draws,
        "server_steps": oracle.server_steps,
    }


def _scheme(scheme: Scheme) -> dict[str, object]:
    return {
        "name": scheme.label,
        "worst_variance": scheme.worst,
        "mean_variance": scheme.mean,
        "tuple_level": scheme.epsilons.tuple_level,
        "one_attribute": scheme.epsilons.one_attribute,
    }
