"""Which protocol should a collection use? By exact variance, at equal true epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfumato.mechanism.local.recommend import recommend
from sfumato.mechanism.local.several.recommend import Neighbors
from sfumato.mechanism.local.several.recommend import recommend as recommend_several

if TYPE_CHECKING:
    from sfumato.mechanism.local.recommend import Choice

RECOMMENDATION = "sfumato.recommendation/1"
_SHOWN = 8
"""Schemes for several attributes that are listed, the best first."""


def advice(epsilon: float, domain_sizes: Sequence[int], n: int) -> dict[str, object]:
    """The oracles for each attribute, and for several attributes the schemes at equal true epsilon.

    Args:
        epsilon: for each person's report, in nats.
        domain_sizes: number of values of each attribute.
        n: persons, >= 1.

    Example:
        >>> found = advice(1.0, [128], 100_000)
        >>> found["attributes"][0]["oracles"][0]["name"]
        'SubsetSelection'
    """
    choices = recommend(epsilon, list(domain_sizes), n)
    schemes: dict[str, object] = {}
    if len(domain_sizes) > 1:
        for neighbors in Neighbors:
            found = recommend_several(epsilon, tuple(domain_sizes), n, neighbors=neighbors)[:_SHOWN]
            schemes[neighbors.value] = [
                {
                    "name": scheme.label,
                    "worst_variance": scheme.worst,
                    "mean_variance": scheme.mean,
                    "tuple_level": scheme.epsilons.tuple_level,
                    "one_attribute": scheme.epsilons.one_attribute,
                }
                for scheme in found
            ]
    return {
        "format": RECOMMENDATION,
        "epsilon": epsilon,
        "persons": n,
        "attributes": [_attribute(choice) for choice in choices],
        "schemes": schemes,
    }


def _attribute(choice: Choice) -> dict[str, object]:
    """The oracles for one attribute, the best first."""
    return {
        "values": choice.domain_size,
        "decided_by": choice.by.value,
        "oracles": [
            {
                "name": oracle.name,
                "epsilon": oracle.epsilon,
                "mean_variance": oracle.mean,
                "worst_variance": oracle.worst,
                "rare_variance": oracle.rare,
                "bytes_per_report": oracle.bytes_per_report,
                "client_draws": oracle.client_draws,
                "server_steps": oracle.server_steps,
            }
            for oracle in choice.candidates
        ],
    }
