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
    """t for engines where x ≤ t goes left; finite, since few formats can write an infinity."""
    return np.clip(thresholds.astype(np.float64), -LARGEST, LARGEST).tolist()  # type: ignore[no-any-return]


def exclusive(thresholds: npt.NDArray[np.float32]) -> list[float]:
    """t for engines where x < t goes left: x ≤ θ exactly where x < the float32 after θ."""
    above = np.nextafter(thresholds, np.float32(np.inf))
    return np.clip(above.astype(np.float64), -LARGEST, LARGEST).tolist()  # type: ignore[no-any-return]
