"""Aliases used in many signatures: arrays, whose shapes are in the docstrings, and shares."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt

IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
Share: TypeAlias = Annotated[float, "share"]
"""A number in [0, 1]."""
