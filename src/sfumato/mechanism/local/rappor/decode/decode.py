"""From counts of bits to strings: correct, select, fit, test."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.decode.candidates import candidates_from
from sfumato.mechanism.local.rappor.decode.corrected import corrected
from sfumato.mechanism.local.rappor.decode.correction import Correction, adjusted, upper_tail
from sfumato.mechanism.local.rappor.decode.decoded import Decoded
from sfumato.mechanism.local.rappor.decode.fit import fit
from sfumato.mechanism.local.rappor.decode.select import Selection, forward, lasso
from sfumato.mechanism.local.rappor.decode.tail import tail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.mechanism.local.rappor.counts import BitCounts
    from sfumato.mechanism.local.rappor.decode.candidates import Candidates
    from sfumato.mechanism.local.rappor.decode.corrected import Corrected
    from sfumato.mechanism.local.rappor.decode.fit import Fit
    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.types import FloatArray, IntArray

    Progress = Callable[[int, int | None, str], None]


def decode(  # noqa: PLR0913
    params: RapporParams,
    counts: BitCounts,
    names: Sequence[str],
    *,
    design: IntArray | None = None,
    correction: Correction = Correction.ADAPTIVE,
    selection: Selection = Selection.FORWARD,
    significance: float = 0.05,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> Decoded:
    """Estimate and test every candidate.

    A candidate's score is asymptotically normal: counts of thousands of reports, and hashes that spread every other
    string evenly. Intervals cover, candidate by candidate, whether or not it is a discovery.

    Args:
        params: of the collection.
        counts: of its reports.
        names: candidate strings, distinct. With declared values (basic RAPPOR) use all of them.
        design: (n, m, h) int64 bits of the candidates where another hash made them; None: this collection's own.
        correction: what `significance` bounds.
        selection: how the strings that others are adjusted for are found.
        significance: in (0, 1).
        confidence: of each interval, in (0, 1).
        progress: called now and then.

    Returns:
        Estimates of all candidates. Nothing found, no report at all and no candidate are results too.

    Raises:
        ParameterError: counts of another shape, names that repeat, a significance outside (0, 1). Remedy: named there.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> from sfumato.mechanism.local.rappor.simulate import simulate_counts
        >>> home = RapporParams("home", bits=64, hashes=2, cohorts=8, f="1/4", p="1/4", q="3/4")
        >>> names = [f"page {i}" for i in range(50)]
        >>> persons = np.array([60_000, 30_000, 10_000] + [0] * 47)
        >>> counts = simulate_counts(home, persons, design_bits(home, names), rng=np.random.default_rng(7))
        >>> found = decode(home, counts, names)
        >>> [name for name, is_found in zip(names, found.found) if is_found]
        ['page 0', 'page 1', 'page 2']
    """
    _check(params, counts, significance, confidence)
    say = progress or (lambda _done, _total, _message: None)
    say(0, len(names), "hashing candidates")
    candidates = candidates_from(names, _design(params, names, design), params.bits)
    data = corrected(params, counts)
    chosen = _chosen(params, data, candidates, selection, say)
    error = np.sqrt(chosen.variance + _drawn(params, counts, chosen.estimate))
    p = np.where(np.isfinite(chosen.variance), _p_values(params, chosen), 1.0)
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * error
    return Decoded(
        names=candidates.names, share=chosen.estimate, error=error, low=chosen.estimate - reach, high=chosen.estimate + reach,
        p_value=p, adjusted=adjusted(p, correction), significance=significance, confidence=confidence, correction=correction,
        selection=selection, reports=counts.total, silent=tuple(np.flatnonzero(counts.n == 0).tolist()), scatter=chosen.scatter,
    )  # fmt: skip


def _chosen(
    params: RapporParams, data: Corrected, candidates: Candidates, selection: Selection, progress: Progress
) -> Fit:  # fmt: skip
    """The fit of all candidates. Declared values have a bit each: nothing is hidden, so nothing is selected."""
    if params.values or not len(candidates) or not np.any(data.weight):
        return fit(data, candidates, (), background=False)
    if selection is Selection.LASSO:
        return lasso(data, candidates, background=True)
    return forward(data, candidates, background=True, progress=progress)


def _p_values(params: RapporParams, chosen: Fit) -> FloatArray:
    """(n,) float64. Beside unknown strings a score is as random as its hashes; declared values have none."""
    if params.values:
        return upper_tail(chosen.z)
    return tail(chosen.z, chosen.left.reshape(params.cohorts, params.bits), params.hashes)


def _design(params: RapporParams, names: Sequence[str], design: IntArray | None) -> IntArray:
    if design is None:
        return design_bits(params, names)
    if design.ndim != 3 or design.shape[1] != params.cohorts:
        raise ParameterError(
            "A design must have the shape (candidates, {cohorts}, hashes); got {shape}.",
            "give the bits of each candidate in each cohort.",
            cohorts=params.cohorts,
            shape=design.shape,
        )
    return design


def _drawn(params: RapporParams, counts: BitCounts, estimate: FloatArray) -> FloatArray:
    """(n,) float64 variance that the hashes of one string have in common: (1 - 1/h) s(1-s)/N.

    A report is of a person drawn from the population. Least squares takes its h bits for independent and averages
    this chance away, s(1-s)/(hN); but a person sets all h bits or none. It vanishes for strings that nobody holds.
    """
    share = np.clip(estimate, 0, 1)
    return (1 - 1 / params.hashes) * share * (1 - share) / max(counts.total, 1)


def _check(params: RapporParams, counts: BitCounts, significance: float, confidence: float) -> None:
    """Refuse what does not belong together."""
    if counts.ones.shape != (params.cohorts, params.bits):
        raise ParameterError(
            "Counts must have {cohorts} cohorts of {bits} bits; got shape {shape}.",
            "use the parameters under which the reports were made.",
            cohorts=params.cohorts,
            bits=params.bits,
            shape=counts.ones.shape,
        )
    for name, value in (("significance", significance), ("confidence", confidence)):
        if not 0 < value < 1:
            raise ParameterError(
                "`{name}` must lie in (0, 1); got {value!r}.", "usual are 0.05 and 0.95.", name=name, value=value
            )
