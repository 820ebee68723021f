"""Pseudonyms that change every week, matched: each person of one week is one person of the week before.

A fresh pseudonym hides who somebody is only if habits do not tell. All persons of two weeks are matched at once, so that
the sum of distances is least: a name taken by one is no longer free for another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, get_args

import numpy as np

from sfumato.attack.assignment import one_to_one
from sfumato.attack.traces.portraits import By, apart
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.attack.traces.portraits import Portraits
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class PseudonymLink:
    """Each pseudonym of a week with one of the week before, all at once.

    Args:
        by: what is compared.

    Raises:
        ParameterError: another word.
    """

    attack: ClassVar[str] = "pseudonyms"
    by: By = "heat map"

    def __post_init__(self) -> None:
        if self.by not in get_args(By):
            raise ParameterError(
                "Pseudonyms are matched by one of {words}; got {by!r}.",
                "choose one of them.",
                words=", ".join(get_args(By)),
                by=self.by,
            )

    def guess(self, view: Portraits, knowledge: Portraits, rng: np.random.Generator, /) -> IntArray:
        """(persons of the view,) int64 codes of the week before, each at most once; -1: matched with nobody."""
        cost = apart(view, knowledge, (self.by,))[self.by]
        shuffled = rng.permutation(cost.shape[1])  # what is equally near must not be told by its place
        chosen = one_to_one(cost[:, shuffled])
        return np.where(chosen >= 0, shuffled[np.maximum(chosen, 0)], -1).astype(np.int64)
