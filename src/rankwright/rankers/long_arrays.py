"""Arithmetic on long arrays part by part: what is in between stays in the cache, and no memory is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

PART = 1 << 15


def add_scaled(total: npt.NDArray[np.float64], weight: float, numbers: npt.NDArray[Any]) -> None:
    """total += weight · numbers, in place; numbers of any real type count as float64."""
    for start in range(0, len(total), PART):
        part = slice(start, start + PART)
        total[part] += weight * numbers[part].astype(np.float64, copy=False)
