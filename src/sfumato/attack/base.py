"""The protocol of attacks: from what an intruder sees and knows to guesses, with the intruder's own chance.

An attack never holds the truth. Whoever does is the judge, who hands the attack its view and its knowledge, and scores
the guesses beside a control: the same attack on persons whom the view says nothing of, or a guess without the view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    import numpy as np

    from sfumato.summary.published import Published
    from sfumato.types import IntArray

View_contra = TypeVar("View_contra", contravariant=True)
Knowledge_contra = TypeVar("Knowledge_contra", contravariant=True)
Guesses_co = TypeVar("Guesses_co", covariant=True)


class Attack(Protocol[View_contra, Knowledge_contra, Guesses_co]):
    """One way to break a release. A frozen dataclass; its fields are how hard it tries, nothing of any table."""

    attack: ClassVar[str]
    """Its name; `attack.registry` finds every class that has one."""

    def guess(self, view: View_contra, knowledge: Knowledge_contra, rng: np.random.Generator, /) -> Guesses_co:
        """What the intruder says.

        Args:
            view: what is published, with the public parameters of how it was made.
            knowledge: what the intruder knows beside it; None: nothing.
            rng: the intruder's own chance, for ties and for drawing what to say.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A release, looked at for some persons one by one.

    Args:
        published: the release.
        without: (n,) int64, sensitive value of each person, whose own row is taken out of the release before the attack
            looks for that person: the judge makes such a view for a control. None: the release as it is.
    """

    published: Published
    without: IntArray | None = None
