"""Thresholds and values in the numbers of another engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

LARGEST = float(np.finfo(np.float32).max)


def single(values: Any) -> list[float]:
    """Values rounded to float32, written out so that they read the same as float32 and as float64."""
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(np.float32).astype(np.float64).tolist()  # type: ignore[no-any-return]


def inclusive(thresholds: npt.NDArray[np.float32]) -> list[float]:
    """t for engines where x ≤ t goes left."""
    return thresholds.astype(np.float64).tolist()  # type: ignore[no-any-return]


def exclusive(thresholds: npt.NDArray[np.float32]) -> list[float]:
    """t for engines where x < t goes left: x ≤ θ exactly where x < the float32 after θ."""
    with np.errstate(over="ignore"):
        return inclusive(np.nextafter(thresholds, np.float32(np.inf)))


def finite(values: list[float]) -> list[float]:
    """Values for formats that cannot write an infinity: the largest float32 instead, which no document has."""
    return [min(max(value, -LARGEST), LARGEST) for value in values]


def java(value: float) -> str:
    """A number as Java reads it."""
    return repr(value).replace("inf", "Infinity")
