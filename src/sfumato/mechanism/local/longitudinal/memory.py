"""Remembered answers of many persons, stored: a sorted list of (person, input) with the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.mechanism.local.longitudinal.protocol import Longitudinal
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What n persons drew once. It is secret but for the traits, and is never changed: `collect` returns a new one.

    Args:
        traits: (n, t) int64, public.
        places: (m,) int64, ascending: person · n_inputs + input of each remembered answer.
        answers: (m, …) the answers; None before the first collection.
    """

    traits: IntArray
    places: IntArray
    answers: npt.NDArray[Any] | None

    def __repr__(self) -> str:
        return f"Memory(persons={len(self.traits)})"


def start(protocol: Longitudinal, n: int, *, bits: Bits) -> Memory:
    """The memory of n persons before the first collection: their traits are drawn.

    Example:
        >>> from sfumato.mechanism.local.longitudinal.l_grr import LGRR
        >>> from sfumato.noise.bits import SystemBits
        >>> start(LGRR(domain_size=4, first=1.0, permanent=2.0), 5, bits=SystemBits())
        Memory(persons=5)
    """
    return Memory(protocol.draw_traits(n, bits=bits), np.empty(0, np.int64), None)


def collect(protocol: Longitudinal, memory: Memory, values: IntArray, *, bits: Bits) -> tuple[Any, Memory]:
    """One collection: a report of each person, and the memory afterwards.

    Answers to new inputs are drawn and remembered; answers to old ones are looked up.

    Args:
        protocol: what is reported and how, the same at each collection.
        memory: from `start` or the collection before.
        values: (n,) int64 codes, one for each person in the order of the memory.
        bits: source of chance.

    Returns:
        The reports, and the new memory.

    Raises:
        ParameterError: another number of values than persons, or a value outside the domain.

    Example:
        >>> from sfumato.mechanism.local.longitudinal.l_grr import LGRR
        >>> from sfumato.noise.bits import SystemBits
        >>> protocol = LGRR(domain_size=4, first=1.0, permanent=2.0)
        >>> memory = start(protocol, 3, bits=SystemBits())
        >>> reports, memory = collect(protocol, memory, np.array([0, 1, 2]), bits=SystemBits())
        >>> reports.shape, memory.places.tolist()
        ((3,), [0, 5, 10])
    """
    n = len(memory.traits)
    if len(values) != n:
        raise ParameterError(
            "A collection needs one value of each person; got {n_values} values of {n} persons.",
            "give the values in the order of the memory.",
            n_values=len(values),
            n=n,
        )
    inputs = protocol.inputs(values, memory.traits)
    asked = np.arange(n) * protocol.n_inputs + inputs
    new = ~np.isin(asked, memory.places, assume_unique=True)
    grown = _learn(memory, asked[new], protocol.answer(inputs[new], memory.traits[new], bits=bits))
    answers = np.asarray(grown.answers)[np.searchsorted(grown.places, asked)]
    return protocol.report(answers, bits=bits), grown


def _learn(memory: Memory, places: IntArray, answers: npt.NDArray[Any]) -> Memory:
    if memory.answers is None:
        return Memory(memory.traits, places, answers)
    merged = np.concatenate([memory.places, places])
    order = np.argsort(merged, kind="stable")
    return Memory(memory.traits, merged[order], np.concatenate([memory.answers, answers])[order])
