"""Small judged lists for the checks: seeded, with one telling feature and no ties unless asked for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankwright.data import Dataset


def judged_lists(seed: int = 0, n_queries: int = 12, n_features: int = 4, n_docs: int | None = None) -> Dataset:
    """Labels 0, 1, 2 that follow the first feature with some noise; 3 to 9 documents a query, or `n_docs`."""
    rng = np.random.default_rng(seed)
    sizes = np.full(n_queries, n_docs) if n_docs is not None else rng.integers(3, 10, n_queries)
    total = int(sizes.sum())
    X = rng.normal(size=(total, n_features))
    noisy = X[:, 0] + 0.3 * rng.normal(size=total)
    y = np.digitize(noisy, [0.0, 1.0])
    if total > 1:
        y[:2] = (0, 1)  # never a single label
    return Dataset(X, y, group=sizes)


def with_labels(data: Dataset, y: npt.ArrayLike) -> Dataset:
    return data.replace(y=np.asarray(y, dtype=np.float32))


def with_gaps(data: Dataset, share: float = 0.3) -> Dataset:
    """The same with some features missing, and one feature missing everywhere."""
    X = np.array(data.X)
    X[np.random.default_rng(1).random(X.shape) < share] = np.nan
    X[:, 0] = np.nan
    return data.replace(X=X)


def shuffled_documents(data: Dataset, seed: int = 2) -> tuple[Dataset, npt.NDArray[np.int64]]:
    """The documents of each query in another order, and for each row here its row there."""
    rng = np.random.default_rng(seed)
    rows = np.concatenate([rng.permutation(np.arange(part.start, part.stop)) for part in data])
    return data.replace(X=data.X[rows], y=data.y[rows]), rows
