"""Which RAPPOR collection should be signed off? Proposals as a document, and their picture's numbers."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from sfumato.mechanism.local.rappor.design import best, propose
from sfumato.mechanism.local.rappor.detection import simulated_power

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from sfumato.mechanism.local.rappor.design import Promise, Proposal
    from sfumato.mechanism.local.rappor.detection import Aim

FORMAT = "sfumato.rappor-design/1"


def design_document(
    name: str, promise: Promise, aim: Aim, *, values: Sequence[str], runs: int, rng: np.random.Generator
) -> dict[str, object]:
    """Proposals for each report size, the chosen one, and how often it finds strings of its smallest share.

    Args:
        name: of the collection.
        promise: both epsilons.
        aim: what shall be found.
        values: declared strings; (): Bloom filters.
        runs: simulated populations; 0: formula only.
        rng: of the simulation.

    Returns:
        Plain data for JSON. `parameters` is the document to sign off.
    """
    found = propose(name, promise, aim, values=values)
    chosen = best(found)
    simulate = runs > 0 and chosen.share < 1
    power = simulated_power(chosen.params, chosen.share, aim, runs=runs, rng=rng) if simulate else None
    return {
        "format": FORMAT, "asked": {"permanent": promise.permanent, "first": promise.first}, "reports": aim.reports,
        "candidates": aim.candidates, "significance": aim.significance, "power": aim.power, "simulated_power": power,
        "simulated_runs": runs if simulate else 0, "chosen": found.index(chosen),
        "proposals": [_row(one) for one in found], "parameters": json.loads(chosen.params.to_json()),
    }  # fmt: skip


def _row(one: Proposal) -> dict[str, object]:
    """One proposal."""
    made = one.params
    return {
        "bits": made.bits, "bytes": -(-made.bits // 8), "hashes": made.hashes, "cohorts": made.cohorts, "f": str(made.f),
        "p": str(made.p), "q": str(made.q), "epsilon_permanent": None if made.is_one_time else made.epsilon_permanent,
        "epsilon_first": made.epsilon_first, "smallest_share": one.share if math.isfinite(one.share) else None,
        "variant": made.variant,
    }  # fmt: skip
