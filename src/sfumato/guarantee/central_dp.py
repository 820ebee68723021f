"""Central differential privacy in words and numbers: what a curator who answers with noise promises."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee

if TYPE_CHECKING:
    from sfumato.table.unit import Unit
    from sfumato.table.values import Item

_ASSUMPTIONS = (
    "The noise is drawn from a secure source, and only the answers leave the curator.",
    "Everything answered from these data is charged to the same budget; another curator's answers add to it.",
    "What one person's rows say about others, and what is learned from the rest, is not hidden.",
)
_LARGEST_SHOWN = 700


@dataclass(frozen=True, slots=True)
class PureCentralDP:
    """No answer is more than e^ε times likelier with one person's data than without (or with others in their place).

    Args:
        epsilon: ε >= 0, in nats, of everything that is promised together.
        unit: whom it protects.

    Raises:
        ParameterError: epsilon < 0. Remedy: state the ε that was charged.

    Source:
        C. Dwork, F. McSherry, K. Nissim, A. Smith, "Calibrating Noise to Sensitivity in Private Data Analysis", TCC
        2006, definition 1.

    Example:
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> print(PureCentralDP(Fraction(1, 2), Unit.row(Neighbors.ADD_REMOVE)).guarantee().statement)
        By adding or removing a row, the chance of any set of answers changes at most by a factor e^0.5 = 1.649.
    """

    name: ClassVar[str] = "differential privacy"

    epsilon: Fraction
    unit: Unit

    def __post_init__(self) -> None:
        _at_least_zero("epsilon", self.epsilon)

    def guarantee(self) -> Guarantee:
        """The promise, in words and numbers."""
        return Guarantee(
            name=self.name,
            statement=(
                f"By {self.unit.sentence}, the chance of any set of answers changes at most by a factor "
                f"{_factor(self.epsilon)}."
            ),
            definition="P[M(x) in S] <= e^epsilon P[M(x') in S] for all neighbors x, x' and all sets S of answers.",
            parameters={"epsilon": self.epsilon, **_unit(self.unit)},
            kind="proved",
            source="C. Dwork, F. McSherry, K. Nissim, A. Smith, TCC 2006, definition 1",
            assumptions=_ASSUMPTIONS,
        )


@dataclass(frozen=True, slots=True)
class ApproxCentralDP:
    """As `PureCentralDP`, except with a chance of δ.

    Args:
        epsilon: ε >= 0, in nats.
        delta: 0 < δ < 1.
        unit: whom it protects.

    Raises:
        ParameterError: epsilon < 0 or a delta outside (0, 1). Remedy: choose delta far below 1 / (number of persons);
            for δ = 0 use `PureCentralDP`.

    Source:
        C. Dwork, K. Kenthapadi, F. McSherry, I. Mironov, M. Naor, "Our Data, Ourselves", EUROCRYPT 2006, definition 1.

    Example:
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> promise = ApproxCentralDP(Fraction(1), Fraction(1, 10**6), Unit.row(Neighbors.REPLACE))
        >>> print(promise.guarantee().statement)
        By replacing a row, the chance of any set of answers changes at most by a factor e^1 = 2.719, and 1e-06 more.
    """

    name: ClassVar[str] = "approximate differential privacy"

    epsilon: Fraction
    delta: Fraction
    unit: Unit

    def __post_init__(self) -> None:
        _at_least_zero("epsilon", self.epsilon)
        if not 0 < self.delta < 1:
            raise ParameterError(
                "`delta` must be above 0 and below 1; got {delta}.",
                "choose a delta far below 1 / (number of persons).",
                delta=self.delta,
            )

    def guarantee(self) -> Guarantee:
        """The promise, in words and numbers."""
        return Guarantee(
            name=self.name,
            statement=(
                f"By {self.unit.sentence}, the chance of any set of answers changes at most by a factor "
                f"{_factor(self.epsilon)}, and {_shown(self.delta)} more."
            ),
            definition=(
                "P[M(x) in S] <= e^epsilon P[M(x') in S] + delta for all neighbors x, x' and all sets S of answers."
            ),
            parameters={"epsilon": self.epsilon, "delta": self.delta, **_unit(self.unit)},
            kind="proved",
            source="C. Dwork, K. Kenthapadi, F. McSherry, I. Mironov, M. Naor, EUROCRYPT 2006, definition 1",
            assumptions=(*_ASSUMPTIONS, "delta is far below 1 / (number of persons)."),
        )


@dataclass(frozen=True, slots=True)
class ConcentratedCentralDP:
    """The Rényi divergence of the answers on two neighbors is at most αρ at every order α > 1.

    Args:
        rho: ρ >= 0.
        unit: whom it protects.

    Raises:
        ParameterError: rho < 0. Remedy: state the ρ that was charged.

    Source:
        M. Bun, T. Steinke, "Concentrated Differential Privacy", TCC 2016, definition 1.1.

    Example:
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> print(ConcentratedCentralDP(Fraction(1, 2), Unit.row(Neighbors.ADD_REMOVE)).guarantee().statement)
        By adding or removing a row, the Rényi divergence of the answers is at most 0.5 times its order, at every order.
    """

    name: ClassVar[str] = "zero-concentrated differential privacy"

    rho: Fraction
    unit: Unit

    def __post_init__(self) -> None:
        _at_least_zero("rho", self.rho)

    def guarantee(self) -> Guarantee:
        """The promise, in words and numbers."""
        return Guarantee(
            name=self.name,
            statement=(
                f"By {self.unit.sentence}, the Rényi divergence of the answers is at most {_shown(self.rho)} times its "
                "order, at every order."
            ),
            definition="D_alpha(M(x) || M(x')) <= rho alpha for all neighbors x, x' and all alpha > 1.",
            parameters={"rho": self.rho, **_unit(self.unit)},
            kind="proved",
            source="M. Bun, T. Steinke, TCC 2016, definition 1.1",
            assumptions=_ASSUMPTIONS,
        )


def _at_least_zero(name: str, value: Fraction) -> None:
    """Refuse what is no exact number >= 0."""
    if isinstance(value, bool) or not isinstance(value, Fraction | int) or value < 0:
        raise ParameterError(
            "`{name}` must be an exact fraction, at least 0; got {value!r}.",
            "state what was charged, as a Fraction.",
            name=name,
            value=value,
        )


def _unit(unit: Unit) -> dict[str, Item]:
    return {"neighbors": unit.neighbors.value, "unit": unit.sentence}


def _factor(epsilon: Fraction) -> str:
    """e^ε, with a value that is not too small."""
    value = f" = {_rounded_up(math.exp(epsilon), 4)}" if epsilon < _LARGEST_SHOWN else ""
    return f"e^{_shown(epsilon)}{value}"


def _shown(number: Fraction) -> str:
    """Six digits, rounded up."""
    return _rounded_up(float(number), 6, exact=number)


def _rounded_up(value: float, digits: int, exact: Fraction | None = None) -> str:
    """So many digits, the last one raised where the text would stand for less."""
    text = f"{value:.{digits}g}"
    if Fraction(text) >= (Fraction(value) if exact is None else exact):
        return text
    unit = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
    return f"{value + unit / 2:.{digits}g}"
