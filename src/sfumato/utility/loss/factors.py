"""How does generalization weigh against suppression in a loss?"""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.errors import ParameterError


@dataclass(frozen=True, slots=True)
class Factors:
    """Weights of the two ways to lose information, from one number `gs`.

    generalization = 1 up to gs = 0.5, then falls to 0 at gs = 1; suppression = 1 from gs = 0.5, and
    falls to 0 at gs = 0. So 0.5 treats both alike, 0 makes suppression free, 1 makes generalization
    free.

    Args:
        gs: balance, in [0, 1].

    Raises:
        ParameterError: gs outside [0, 1]. Remedy: 0.5 treats both alike.

    Source:
        F. Prasser et al., "Flexible data anonymization using ARX", Software: Practice and Experience
        50(7), 2020, on the parameterization of quality models.

    Example:
        >>> Factors(0.25).suppression, Factors(0.25).generalization, Factors(1.0).generalization
        (0.5, 1.0, 0.0)
    """

    gs: float

    def __post_init__(self) -> None:
        if not 0 <= self.gs <= 1:
            raise ParameterError("`gs` must lie in [0, 1]; got {gs}.", "0.5 treats both alike.", gs=self.gs)

    @property
    def generalization(self) -> float:
        """Weight of what a kept row loses, in [0, 1]."""
        return 1.0 if self.gs <= 0.5 else 1.0 - 2 * (self.gs - 0.5)

    @property
    def suppression(self) -> float:
        """Weight of what a suppressed row loses beyond its generalization, in [0, 1]."""
        return 2 * self.gs if self.gs < 0.5 else 1.0
