"""What others measured: reference values with their sources, for the tables of the experiments.

Adult and Nursery: means and standard errors over 200 simulated collections of the estimates that
multi-freq-ldpy 0.2.5 gives (unbiased, clipped at 0, divided by their sum), by a program independent of this
one; it agrees with runs of that package itself within their error.
ACSEmployment: accuracies of xgboost (its default 100 rounds, as many synthetic profiles as persons, three
seeds) and of Bayes' rule with estimated shares, by the same independent program.
Pima: accuracies over ten draws of noise, ten folds, by the same.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REFERENCE_RUNS = 200
"""Collections behind each value of `MSE`."""

MSE: Mapping[str, Mapping[str, tuple[tuple[float, float], ...]]] = {
    "adult": {
        "SPL[ADP]": (
            (0.006654, 0.00014), (0.00333, 5.1e-05), (0.002348, 3.3e-05),
            (0.001804, 2.2e-05), (0.001624, 2.3e-05), (0.001406, 1.9e-05),
        ),
        "SMP[ADP]": (
            (0.00117, 1.6e-05), (0.0004794, 7.3e-06), (0.0003172, 4.9e-06),
            (0.0002316, 3.4e-06), (0.000175, 3e-06), (0.000141, 2.5e-06),
        ),
        "RS+FD[GRR]": (
            (0.0008448, 1.3e-05), (0.0004868, 9.4e-06), (0.0004, 9.1e-06),
            (0.0003498, 8.5e-06), (0.0003055, 7.5e-06), (0.0002931, 8.3e-06),
        ),
        "RS+FD[OUE-z]": (
            (0.0008753, 1.5e-05), (0.0004765, 8.2e-06), (0.0003245, 5.5e-06),
            (0.0002605, 4.9e-06), (0.0002192, 3.6e-06), (0.000191, 3.9e-06),
        ),
        "RS+FD[OUE-r]": (
            (0.001309, 2.8e-05), (0.0009104, 2.4e-05), (0.0007549, 1.8e-05),
            (0.0007203, 2.1e-05), (0.0006498, 1.7e-05), (0.0006441, 1.9e-05),
        ),
        "RS+FD[ADP]": (
            (0.0007638, 1.3e-05), (0.0004438, 8.6e-06), (0.0003264, 6e-06),
            (0.0002537, 4.3e-06), (0.0002133, 3.7e-06), (0.0001757, 3.1e-06),
        ),
    },
    "nursery": {
        "SPL[ADP]": (
            (0.02491, 0.00046), (0.0108, 0.00022), (0.007327, 0.00014),
            (0.005404, 0.00011), (0.004107, 8.9e-05), (0.003575, 7.2e-05),
        ),
        "SMP[ADP]": (
            (0.002637, 5e-05), (0.001015, 2.2e-05), (0.0006067, 1.4e-05),
            (0.000475, 1e-05), (0.0003785, 8.3e-06), (0.0003284, 8e-06),
        ),
        "RS+FD[GRR]": (
            (0.002413, 5.3e-05), (0.001768, 4.4e-05), (0.001593, 3.7e-05),
            (0.001494, 3.7e-05), (0.001438, 3.5e-05), (0.001359, 3.2e-05),
        ),
        "RS+FD[OUE-z]": (
            (0.002448, 5.5e-05), (0.001301, 3.4e-05), (0.0009198, 2e-05),
            (0.0007483, 1.6e-05), (0.0006567, 1.6e-05), (0.0005932, 1.3e-05),
        ),
        "RS+FD[OUE-r]": (
            (0.004795, 0.00011), (0.003507, 7.7e-05), (0.003184, 7.9e-05),
            (0.003037, 7e-05), (0.002864, 6.9e-05), (0.003033, 7.9e-05),
        ),
        "RS+FD[ADP]": (
            (0.002315, 5.3e-05), (0.001295, 2.8e-05), (0.0009312, 2.1e-05),
            (0.0007462, 1.7e-05), (0.0006648, 1.5e-05), (0.0005966, 1.3e-05),
        ),
    },
}  # fmt: skip
"""MSE_avg and its standard error at ε = ln 2 … ln 7, by data set and scheme."""

ATTACK_EPSILONS = (1, 2, 4, 6, 8, 10)

LEARNED: Mapping[str, tuple[float, ...]] = {
    "RS+FD[GRR]": (0.137, 0.160, 0.176, 0.175, 0.176, 0.172),
    "RS+FD[SUE-z]": (0.220, 0.358, 0.618, 0.811, 0.920, 0.963),
    "RS+FD[OUE-z]": (0.314, 0.438, 0.508, 0.513, 0.514, 0.510),
    "RS+FD[SUE-r]": (0.113, 0.137, 0.160, 0.175, 0.184, 0.189),
    "RS+FD[OUE-r]": (0.109, 0.129, 0.137, 0.143, 0.139, 0.140),
}
"""Accuracy of xgboost on ACSEmployment at `ATTACK_EPSILONS`."""

BAYES: Mapping[str, tuple[float, ...]] = {
    "RS+FD[GRR]": (0.205, 0.232, 0.241, 0.245, 0.241, 0.242),
    "RS+FD[SUE-z]": (0.265, 0.412, 0.662, 0.832, 0.926, 0.966),
    "RS+FD[OUE-z]": (0.355, 0.456, 0.517, 0.527, 0.531, 0.529),
    "RS+FD[SUE-r]": (0.165, 0.195, 0.225, 0.235, 0.247, 0.247),
    "RS+FD[OUE-r]": (0.161, 0.174, 0.183, 0.182, 0.182, 0.179),
}
"""Accuracy of Bayes' rule with estimated shares, likewise."""

DIABETES: Mapping[tuple[str, float | None], float] = {
    ("none", None): 0.755,
    ("majority", None): 0.651,
    ("Laplace", 5.0): 0.694,
    ("Laplace", 10.0): 0.727,
}
"""Accuracy of Gaussian naive Bayes on Pima by mechanism and epsilon of each column, tested on original rows."""

DIABETES_SLIDES: Mapping[tuple[str, float | None], float] = {
    ("none", None): 0.785714,
    ("Laplace", 0.01): 0.493,
    ("Laplace", 1.0): 0.584,
    ("Laplace", 2.0): 0.637,
    ("Laplace", 3.0): 0.673,
}
"""The same by the protocol of the slides, tested on noised rows and labels."""

RARE_VARIANCE: Mapping[str, Callable[[float, int], float]] = {
    "GRR": lambda epsilon, k: (k - 2 + math.exp(epsilon)) / math.expm1(epsilon) ** 2,
    "SUE": lambda epsilon, k: math.exp(epsilon / 2) / math.expm1(epsilon / 2) ** 2,  # noqa: ARG005
    "OUE": lambda epsilon, k: 4 * math.exp(epsilon) / math.expm1(epsilon) ** 2,  # noqa: ARG005
    "BLH": lambda epsilon, k: ((math.exp(epsilon) + 1) / math.expm1(epsilon)) ** 2,  # noqa: ARG005
    "OLH": lambda epsilon, k: 4 * math.exp(epsilon) / math.expm1(epsilon) ** 2,  # noqa: ARG005
}
"""n times the approximate variance that T. Wang et al. (USENIX Security 2017, table 1) print, by oracle."""
