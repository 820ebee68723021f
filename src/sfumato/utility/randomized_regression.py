"""Logistic regression on randomized answers: what they still say about whom the sensitive trait depends on.

A yes comes with probability P(Y = 1 | x) = c π(x) + d, where π(x) = 1/(1 + e^(-xβ)) is the share of the trait
and c, d are the law of the design (forced: c = p, d = p1; mirrored and disguised: c = 2p-1, d = 1-p;
unrelated: c = p, d = (1-p) q).
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import NoSolution, ParameterError
from sfumato.extras import Needs
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import BoolArray, FloatArray, IntArray

_STEPS = 500
_FLAT = 1e-6
"""Largest gradient of the mean log-likelihood at which the search is done."""


@dataclass(frozen=True, slots=True)
class AnswerLaw:
    """P(yes) = c·share + d.

    Args:
        c: slope, not 0, in [-1, 1].
        d: P(yes) without the trait; d and c + d lie in [0, 1].

    Raises:
        ParameterError: numbers outside their range.
    """

    c: float
    d: float

    def __post_init__(self) -> None:
        if self.c == 0 or not (0 <= self.d <= 1 and 0 <= self.c + self.d <= 1):
            raise ParameterError(
                "The law of an answer needs c other than 0, and d and c + d in [0, 1]; got c={c}, d={d}.",
                "read them off the design.",
                c=self.c,
                d=self.d,
            )


@dataclass(frozen=True, slots=True)
class Prevalence:
    """Estimated share of the trait and its standard error."""

    share: float
    standard_error: float


@dataclass(frozen=True, slots=True, eq=False)
class RandomizedRegression:
    """A logistic regression fitted to randomized answers.

    Args:
        coefficients: (m,) float64, β in the order of the columns.
        covariance: (m, m) float64 from the outer product of the scores.
        log_likelihood: at β.
        n: persons.
    """

    coefficients: FloatArray
    covariance: FloatArray
    log_likelihood: float
    n: int

    @property
    def standard_errors(self) -> FloatArray:
        """(m,) float64."""
        return np.asarray(np.sqrt(np.diag(self.covariance)), np.float64)


def prevalence(n_yes: int, n: int, law: AnswerLaw) -> Prevalence:
    """Share of the trait: π̂ = (λ - d)/c with standard error √(λ(1-λ)/n) / |c|.

    Args:
        n_yes: persons who said yes.
        n: persons, >= 1.
        law: c and d.

    Raises:
        ParameterError: not 0 <= n_yes <= n, or nobody.

    Source:
        G. Blair, K. Imai and Y.-Y. Zhou, "Design and Analysis of the Randomized Response Technique", JASA
        110, 2015, section 2.

    Example:
        >>> found = prevalence(826, 2423, AnswerLaw(2 / 3, 1 / 6))
        >>> round(found.share, 4), round(found.standard_error, 5)
        (0.2613, 0.01444)
    """
    if not 0 <= n_yes <= n or n < 1:
        raise ParameterError(
            "There must be 0 <= yes <= n and n >= 1; got {n_yes} of {n}.", "count the answers.", n_yes=n_yes, n=n
        )
    rate = n_yes / n
    return Prevalence((rate - law.d) / law.c, sqrt(rate * (1 - rate) / n) / abs(law.c))


def fit(
    answers: BoolArray, design: FloatArray, law: AnswerLaw, persons: IntArray | None = None
) -> RandomizedRegression:
    """Maximum likelihood of β: Σ y ln P + (1-y) ln(1-P), P = c π(xβ) + d.

    The search is quasi-Newton (BFGS) on standardized columns; standard errors come from the outer product
    of the scores s_i = x_i c π(1-π) (y - P)/(P(1-P)).

    Args:
        answers: (n,) bool, randomized answers.
        design: (n, m) float64, columns of the regression, with one of ones for the intercept.
        law: c and d.
        persons: (n,) int64, >= 1: how many each row stands for; None: one each.

    Returns:
        Coefficients on the scale of the columns given.

    Raises:
        ParameterError: shapes that do not fit, numbers that are not finite, or columns that depend on each other.
        NoSolution: the likelihood has no maximum at finite β (the answers separate the persons, or say
            too little). Remedy: fewer columns, or more persons.

    Source:
        G. Blair, K. Imai and Y.-Y. Zhou, JASA 110, 2015, section 3.1; there by expectation-maximization.

    Example:
        >>> ones = np.ones((8, 1))
        >>> found = fit(np.array([1, 1, 1, 0, 0, 0, 0, 0], bool), ones, AnswerLaw(0.5, 0.25))
        >>> round(float(1 / (1 + np.exp(-found.coefficients[0]))), 4)
        0.25
    """
    with Needs("learn", "Regression on randomized answers needs the package scipy."):
        from scipy.optimize import minimize
    x, y = _check(answers, design)
    w = np.ones(len(y)) if persons is None else np.asarray(persons, np.float64)
    n = int(w.sum())
    scale = np.linalg.norm(x * np.sqrt(w)[:, np.newaxis], axis=0) / sqrt(n)
    scaled = x / scale
    rough = _start(y, scaled, law, w)
    found = minimize(
        lambda b: _minus_mean(b, scaled, y, law, w),
        rough,
        jac=lambda b: -np.average(_scores(b, scaled, y, law), axis=0, weights=w),
        method="BFGS",
        options={"gtol": 1e-9, "maxiter": _STEPS},
    )
    scores = _scores(found.x, scaled, y, law)
    information = (scores * w[:, np.newaxis]).T @ scores
    settled = (
        np.all(np.abs(np.average(scores, axis=0, weights=w)) < _FLAT)
        and np.linalg.cond(information) < 1 / np.finfo(float).eps
    )
    if not settled:
        raise NoSolution(
            "The likelihood of the regression must have a maximum; none was found at finite coefficients.",
            "use fewer columns, or ask more persons.",
        )
    covariance = np.linalg.inv(information) / np.outer(scale, scale)
    return RandomizedRegression(found.x / scale, covariance, -float(found.fun) * n, n)


def predict(fitted: RandomizedRegression, design: FloatArray) -> FloatArray:
    """(n,) float64: the share π(xβ) of the trait among persons with these columns.

    Example:
        >>> fitted = RandomizedRegression(np.array([0.0]), np.eye(1), -1.0, 10)
        >>> predict(fitted, np.ones((1, 1))).tolist()
        [0.5]
    """
    return _share(fitted.coefficients, np.asarray(design, np.float64))


def _share(beta: FloatArray, x: FloatArray) -> FloatArray:
    """The logistic function of xβ, without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(x @ beta / 2)), np.float64)


def _minus_mean(beta: FloatArray, x: FloatArray, y: BoolArray, law: AnswerLaw, w: FloatArray) -> float:
    """Minus the mean log-likelihood."""
    yes = law.c * _share(beta, x) + law.d
    seen = np.where(y, yes, 1 - yes)
    return -float(np.average(np.log(np.maximum(seen, 1e-300)), weights=w))


def _scores(beta: FloatArray, x: FloatArray, y: BoolArray, law: AnswerLaw) -> FloatArray:
    """(n, m) gradient of each person's log-likelihood."""
    share = _share(beta, x)
    yes = law.c * share + law.d
    weight = law.c * share * (1 - share) * (y - yes) / np.maximum(yes * (1 - yes), 1e-300)
    return np.asarray(x * weight[:, np.newaxis], np.float64)


def _start(y: BoolArray, x: FloatArray, law: AnswerLaw, w: FloatArray) -> FloatArray:
    """Coefficients whose log odds are everywhere those of the estimated share, as nearly as the columns allow."""
    share = min(max(prevalence(int(w[y].sum()), int(w.sum()), law).share, 0.02), 0.98)
    return np.asarray(np.linalg.lstsq(x, np.full(len(y), np.log(share / (1 - share))), rcond=None)[0], np.float64)


def _check(answers: BoolArray, design: FloatArray) -> tuple[FloatArray, BoolArray]:
    x, y = np.asarray(design, np.float64), np.asarray(answers)
    if y.dtype != np.bool_ or x.ndim != 2 or y.shape != (len(x),) or not np.all(np.isfinite(x)):
        raise ParameterError(
            "A regression needs n true-or-false answers and n rows of finite numbers; got {dtype} {shape}, {shape2}.",
            "encode answers as booleans, and categories as columns of 0 and 1.",
            dtype=y.dtype,
            shape=y.shape,
            shape2=x.shape,
        )
    if np.linalg.matrix_rank(x) < x.shape[1]:
        raise ParameterError("The columns of a regression must be independent.", "leave one category of each out.")
    return x, y
