"""What the devices of a RAPPOR collection show, stage by stage, as an audit reads it.

Two strings are compared that share as few Bloom bits as possible. Of each person, a new one with a secret of their own, the
audit sees the cohort, how often bits that belong to one of the two strings alone were set, and how often all others were:
the likelihood of either string depends on nothing else, whatever the number of bits.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.bloom import bloom_bits
from sfumato.mechanism.local.rappor.client import RapporClient

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, IntArray

MANY = 8
"""Reports of one person that are looked at together."""
_STRINGS, _COHORTS = 24, 16
"""Strings among which two are chosen, and cohorts in which their bits are compared."""
_SECRET_WORDS = 4
"""Words of 64 bits in a secret of 32 bytes."""


class Client(Protocol):
    """What is audited: a device with a secret."""

    @property
    def cohort(self) -> int:
        """Drawn from the secret."""
        ...

    def permanent(self, value: str) -> BoolArray:
        """What stays on the device."""
        ...

    def report(self, value: str, *, bits: Bits) -> BoolArray:
        """What is sent."""
        ...


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the devices.

    Args:
        name: what is seen of it.
        stated: its epsilon, in nats.
        randomize: from an array of places, 0 or 1, of one of two strings, to a row for each person.
    """

    name: str
    stated: float
    randomize: Callable[[IntArray], IntArray]


VIEWS: Mapping[str, Callable[[Any], npt.NDArray[Any]]] = {"bits of both strings": lambda rows: rows[:, 1] - rows[:, 2]}
"""What decides between the strings where every bit has the same chances."""


def stages(
    params: RapporParams, *, bits: Bits, made: Callable[[RapporParams, bytes], Client] = RapporClient
) -> list[Stage]:
    """One report; the permanent response, which no number of reports exceeds; and many reports of one person.

    One-time RAPPOR has no permanent noise, and all reports of a person are one.

    Args:
        params: of the collection.
        bits: source of chance, for secrets and for reports.
        made: makes a device from parameters and secret.
    """
    strings, ever = two_strings(params), params.epsilon_permanent
    places = _Places(params, strings)

    def stage(name: str, stated: float, seen: Callable[[Client, str], IntArray]) -> Stage:
        def randomize(codes: IntArray) -> IntArray:
            secrets = bits.words(_SECRET_WORDS * len(codes)).tobytes()
            out = np.empty((len(codes), 4), np.int64)
            for i, code in enumerate(codes.tolist()):
                client = made(params, secrets[32 * i : 32 * i + 32])
                out[i] = places.row(client.cohort, seen(client, strings[code]))
            return out

        return Stage(name, stated, randomize)

    def reports(n: int) -> Callable[[Client, str], IntArray]:
        return lambda client, value: np.sum([client.report(value, bits=bits) for _ in range(n)], axis=0)

    many = f"{MANY} reports of a person"
    if params.is_one_time:
        return [stage(name, params.epsilon_first, reports(n)) for name, n in (("one report", 1), (many, MANY))]
    return [
        stage("one report", params.epsilon_first, reports(1)),
        stage("permanent response", ever, lambda client, value: client.permanent(value).astype(np.int64)),
        stage(many, ever, reports(MANY)),
    ]


def two_strings(params: RapporParams) -> tuple[str, str]:
    """Two strings that share few bits: the first two that are declared, or the best pair of some.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> two_strings(RapporParams("a", bits=2, hashes=1, cohorts=1, f="1/2", p=0, q=1, values=("no", "yes")))
        ('no', 'yes')
    """
    if params.values:
        return params.values[0], params.values[min(1, len(params.values) - 1)]
    strings = [str(i) for i in range(_STRINGS)]
    cohorts = range(min(params.cohorts, _COHORTS))
    sets = {s: [frozenset(bloom_bits(params, s, cohort).tolist()) for cohort in cohorts] for s in strings}
    return max(
        combinations(strings, 2),
        key=lambda pair: sum(len(a ^ b) for a, b in zip(sets[pair[0]], sets[pair[1]], strict=True)),
    )


class _Places:
    """Which bits belong to one of two strings alone, cohort by cohort."""

    def __init__(self, params: RapporParams, strings: tuple[str, str]) -> None:
        self._params, self._strings = params, strings
        self._known: dict[int, tuple[list[int], list[int]]] = {}

    def row(self, cohort: int, seen: IntArray) -> tuple[int, int, int, int]:
        """Cohort, and how often bits of the first string, of the second, and all others were set."""
        if cohort not in self._known:
            first, second = (set(bloom_bits(self._params, one, cohort).tolist()) for one in self._strings)
            self._known[cohort] = sorted(first - second), sorted(second - first)
        first_only, second_only = (int(seen[places].sum()) for places in self._known[cohort])
        return cohort, first_only, second_only, int(seen.sum()) - first_only - second_only
