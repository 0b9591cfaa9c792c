from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

def measure_queries(
    specs: list[Any], scores: Floats, labels: Labels, qptr: Rows, tiebreak: Rows | None = None, n_threads: int = 1
) -> Floats: ...
def order_queries(scores: Floats, qptr: Rows, tiebreak: Rows | None = None, n_threads: int = 1) -> Rows: ...
def fixed_dots(table: Floats, weights: Floats, bits: int, n_threads: int = 1) -> Rows: ...
