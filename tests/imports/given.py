"""Data to train other engines on, and rows that tell scorers apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.models.forests import adversarial_rows

from rankwright.models import BlendModel, ForestModel

N, PER_QUERY = 600, 20


def data(gaps: bool = True) -> tuple[Any, Any]:
    """Documents of 6 features and labels 0–2; feature 0 holds whole numbers below 12."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 6)).astype(np.float32)
    X[:, 0] = rng.integers(0, 12, N)
    y = (X[:, 1] + X[:, 0] * X[:, 2] > 0.3) * 1.0 + (X[:, 3] > 1)
    if gaps:
        X[rng.random(X.shape) < 0.1] = np.nan
    return X, y


def groups() -> list[int]:
    return [PER_QUERY] * (N // PER_QUERY)


def rows_for(model: Any, gaps: bool = True, infinite: bool = True, n: int = 1000) -> Any:
    """Thresholds, their neighbours and everything special that a float32 may be, as far as the engine takes it."""
    forest = model
    if isinstance(model, BlendModel):
        forest = next(part for _, part in model.parts if isinstance(part, ForestModel))
    X = adversarial_rows(np.random.default_rng(1), forest, n)
    if not infinite:
        X[np.isinf(X)] = np.float32(3e38)
    if not gaps:
        X = np.clip(np.nan_to_num(X), -1e30, 1e30).astype(np.float32)  # whose sum is finite
    return X
