"""The protocols that a collection could use, compared by exact variance, at equal true epsilon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.document.result.collected import OracleTold, QuestionAdvised, RecommendationResult, SchemeTold
from sfumato.mechanism.local.recommend import recommend
from sfumato.mechanism.local.several.recommend import Neighbors
from sfumato.mechanism.local.several.recommend import recommend as recommend_several

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.recommend import By, Candidate, Choice
    from sfumato.mechanism.local.several.recommend import Candidate as Scheme

_SHOWN = 8
"""Schemes for several attributes that are listed, the best first."""


def advice(
    epsilon: float,
    domain_sizes: Sequence[int],
    n: int,
    *,
    by: By | None = None,
    priors: Sequence[Sequence[float]] | None = None,
) -> RecommendationResult:
    """Compare the protocols.

    Args:
        epsilon: for each person's report, in nats.
        domain_sizes: number of values of each attribute.
        n: persons, >= 1.
        by: which variance decides; None: the mean, with priors the worst under them.
        priors: for each attribute the shares of its values, from public knowledge: they decide, and RS+RFD, whose fakes
            follow them, is compared too.

    Example:
        >>> advice(1.0, [128], 100_000).attributes[0].oracles[0].name
        'SubsetSelection'
    """
    shares = None if priors is None else [np.array(prior, np.float64) for prior in priors]
    attributes = tuple(_question(choice) for choice in recommend(epsilon, list(domain_sizes), n, shares, by=by))
    known = None if shares is None else [tuple(prior.tolist()) for prior in shares]
    schemes = {
        neighbors.value: tuple(
            _scheme(one)
            for one in recommend_several(
                epsilon, tuple(domain_sizes), n, neighbors=neighbors, frequencies=shares, priors=known
            )[:_SHOWN]
        )
        for neighbors in (Neighbors if len(domain_sizes) > 1 else ())
    }
    return RecommendationResult(epsilon=epsilon, persons=n, attributes=attributes, schemes=schemes)


def _question(choice: Choice) -> QuestionAdvised:
    return QuestionAdvised(
        values=choice.domain_size, decided_by=choice.by.value, oracles=tuple(_oracle(one) for one in choice.candidates)
    )


def _oracle(oracle: Candidate) -> OracleTold:
    return OracleTold(
        name=oracle.name,
        epsilon=oracle.epsilon,
        mean_variance=oracle.mean,
        worst_variance=oracle.worst,
        rare_variance=oracle.rare,
        bytes_per_report=oracle.bytes_per_report,
        client_draws=oracle.client_draws,
        server_steps=oracle.server_steps,
    )


def _scheme(scheme: Scheme) -> SchemeTold:
    """One scheme for several questions."""
    return SchemeTold(
        name=scheme.label,
        worst_variance=scheme.worst,
        mean_variance=scheme.mean,
        tuple_level=scheme.epsilons.tuple_level,
        one_attribute=scheme.epsilons.one_attribute,
    )
