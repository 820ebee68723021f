"""One yes-no question: the classical designs, in which a coin, a die or a second question protects the answer.

Every design is two probabilities of the answer yes, a = Pr[yes | truth is yes] and b = Pr[yes | truth is
no]. With π the share of true yes, P(yes) = c π + d, c = a - b and d = b. So π̂ = (λ̂ - d)/c with λ̂ the share
of answers yes, its variance is λ(1-λ)/(n c²) for persons drawn from a population, and
ε = ln max(a/b, b/a, (1-a)/(1-b), (1-b)/(1-a)).

Source: G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response Technique", JASA
110, 2015, section 2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError, ReportError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import LocalDP, check_epsilon, epsilon_of_matrix
from sfumato.mechanism.local.check import check_values
from sfumato.mechanism.local.coin import calibrate
from sfumato.noise.bernoulli import bernoulli
from sfumato.numbers.exact import Exact, as_fraction

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class YesNoDesign:
    """A design of randomized response for one yes-no question; made by the functions below.

    Args:
        name: of the design.
        yes_if_yes: a, exact, strictly between 0 and 1.
        yes_if_no: b, exact, strictly between 0 and 1, other than a.

    Raises:
        ParameterError: an answer would prove the truth, or say nothing of it. Remedy: another coin.

    Example:
        >>> design = forced_response(truth=Fraction(2, 3), yes=Fraction(1, 6))
        >>> design.c, design.d, round(design.epsilon, 4)
        (Fraction(2, 3), Fraction(1, 6), 1.6094)
        >>> design.estimate(341, 1000), round(design.variance(0.26, 1000), 6)
        (0.2615, 0.000505)
    """

    name: str
    yes_if_yes: Fraction
    yes_if_no: Fraction

    def __post_init__(self) -> None:
        if not (0 < self.yes_if_yes < 1 and 0 < self.yes_if_no < 1):
            raise ParameterError(
                "In the design `{name}` each answer must be possible for each truth, or it gives somebody away.",
                "choose a coin with which a yes and a no can both come up, whatever the truth is.",
                name=self.name,
            )
        if self.yes_if_yes == self.yes_if_no:
            raise ParameterError(
                "In the design `{name}` the answer does not depend on the truth at all.",
                "choose an uneven coin.",
                name=self.name,
            )

    @property
    def c(self) -> Fraction:
        """The slope of P(yes) in the share of true yes."""
        return self.yes_if_yes - self.yes_if_no

    @property
    def d(self) -> Fraction:
        """P(yes) when nobody's truth is yes."""
        return self.yes_if_no

    @property
    def epsilon(self) -> float:
        """The exact epsilon, rounded up."""
        a, b = self.yes_if_yes, self.yes_if_no
        return epsilon_of_matrix([[a, 1 - a], [b, 1 - b]])

    def guarantee(self) -> Guarantee:
        """The promise of one answer."""
        return LocalDP(self.epsilon, self.name, "the answer to one question").guarantee()

    def randomize(self, values: IntArray, *, bits: Bits) -> BoolArray:
        """(n,) bool: the answers of n persons whose truths are 0 (no) or 1 (yes)."""
        truths = check_values(values, 2) == 1
        n_yes = int(truths.sum())
        out = np.empty(len(truths), bool)
        out[truths] = bernoulli(n_yes, self.yes_if_yes, bits=bits)
        out[~truths] = bernoulli(len(truths) - n_yes, self.yes_if_no, bits=bits)
        return out

    def count_yes(self, answers: BoolArray) -> int:
        """How many answers are yes; counts of several batches add up.

        Raises:
            ReportError: answers are not booleans. Remedy: decode them first.
        """
        if not isinstance(answers, np.ndarray) or answers.dtype != np.bool_ or answers.ndim != 1:
            raise ReportError("Answers must be a flat array of booleans.", "decode yes as True and no as False.")
        return int(np.count_nonzero(answers))

    def estimate(self, n_yes: int, n: int) -> float:
        """The share of true yes, π̂ = (n_yes/n - d)/c; unbiased, and not cut to [0, 1].

        Raises:
            ParameterError: not 0 <= n_yes <= n with n >= 1. Remedy: count the answers again.
        """
        if not 0 <= n_yes <= n or n < 1:
            raise ParameterError("Answers yes must be between 0 and the number of answers.", "count them again.")
        return float((Fraction(int(n_yes), int(n)) - self.d) / self.c)

    def variance(self, share: float, n: int) -> float:
        """Variance of the estimate for persons drawn from a population with this share: λ(1-λ)/(n c²).

        Against the share of the persons asked themselves it is less by π(1-π)/n.
        """
        chance = float(self.c) * share + float(self.d)
        return chance * (1 - chance) / (n * float(self.c) ** 2)


def warner(truth: Exact) -> YesNoDesign:
    """Answer the question with probability p, else its opposite: a = p, b = 1-p; ε = |ln(p/(1-p))|.

    Also called the mirrored question.

    Args:
        truth: p, exact, not 1/2. Coins such as p = 1/2 + x are meant too.

    Source:
        S. Warner, "Randomized Response", JASA 60, 1965, section 2.

    Example:
        >>> warner("0.75").c, warner("0.75").d
        (Fraction(1, 2), Fraction(1, 4))
    """
    p = _chance("truth", truth)
    return YesNoDesign("Warner", p, 1 - p)


def warner_of(epsilon: float) -> YesNoDesign:
    """Warner's design with the most accurate coin whose exact epsilon is at most the asked one.

    Example:
        >>> warner_of(1.0).epsilon <= 1.0, round(float(warner_of(1.0).yes_if_yes), 4)
        (True, 0.7311)
    """
    asked = check_epsilon(epsilon)
    coin = calibrate(asked, asked, lambda odds: odds)
    return YesNoDesign("Warner", coin.truth, coin.noise)


def forced_response(truth: Exact, yes: Exact) -> YesNoDesign:
    """A die says: answer truly (p), say yes (p₁), or say no (p₀ = 1-p-p₁): a = p+p₁, b = p₁.

    Args:
        truth: p.
        yes: p₁.

    Source:
        R. Boruch, "Assuring Confidentiality of Responses in Social Research", The American Sociologist
        6, 1971; Blair et al. 2015, section 2.2.

    Example:
        >>> forced_response(truth="2/3", yes="1/6").yes_if_yes
        Fraction(5, 6)
    """
    p, forced = _chance("truth", truth), _chance("yes", yes)
    return YesNoDesign("forced response", p + forced, forced)


def mirrored_question(sensitive: Exact) -> YesNoDesign:
    """A coin chooses the question (p) or its opposite (1-p); the answer is true: c = 2p-1, d = 1-p.

    Args:
        sensitive: p, not 1/2.

    Example:
        >>> mirrored_question("0.7").c
        Fraction(2, 5)
    """
    p = _chance("sensitive", sensitive)
    return YesNoDesign("mirrored question", p, 1 - p)


def disguised_response(if_yes: Exact, if_no: Exact | None = None) -> YesNoDesign:
    """Two decks of red and black cards; a person draws from the deck of the truth and names the color.

    Red counts as yes: a is the share of red in the deck for yes, b in the one for no.

    Args:
        if_yes: share of red cards in the deck for yes.
        if_no: share of red cards in the deck for no; None: 1 - if_yes, which gives c = 2p-1, d = 1-p.

    Source:
        A. Kuk, "Asking sensitive questions indirectly", Biometrika 77, 1990.

    Example:
        >>> disguised_response("0.8", "0.2").c, disguised_response("0.8").d
        (Fraction(3, 5), Fraction(1, 5))
    """
    a = _chance("if_yes", if_yes)
    return YesNoDesign("disguised response", a, 1 - a if if_no is None else _chance("if_no", if_no))


def unrelated_question(sensitive: Exact, unrelated_yes: Exact) -> YesNoDesign:
    """A coin chooses the question (p) or an unrelated one whose share r of yes is known: c = p, d = (1-p) r.

    Args:
        sensitive: p.
        unrelated_yes: r, strictly between 0 and 1 ("were you born in the first half of the year?"). It
            must be true of each person by chance, independently of the truth.

    Source:
        B. Greenberg et al., "The Unrelated Question Randomized Response Model", JASA 64, 1969.

    Example:
        >>> design = unrelated_question("0.5", "0.5")
        >>> design.yes_if_yes, design.yes_if_no
        (Fraction(3, 4), Fraction(1, 4))
    """
    p, r = _chance("sensitive", sensitive), _chance("unrelated_yes", unrelated_yes)
    return YesNoDesign("unrelated question", p + (1 - p) * r, (1 - p) * r)


def _chance(name: str, value: Exact) -> Fraction:
    """A probability, as the fraction that its text says."""
    return as_fraction(name, value, low=0, high=1)
