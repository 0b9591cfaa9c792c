from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

Plateaus = tuple[Floats, Floats, Floats]

def line_search(
    a: Floats,
    b: Floats,
    qptr: Rows,
    worth: Any,
    span: tuple[float, float, bool],
    tiebreak: Rows | None = None,
    n_best: int = 16,
    curve: bool = False,
    n_threads: int = 1,
    held: int = 1 << 22,
) -> tuple[Plateaus, Plateaus, int]: ...
def measure_queries(
    specs: list[Any], scores: Floats, labels: Labels, qptr: Rows, tiebreak: Rows | None = None, n_threads: int = 1
) -> Floats: ...
def order_queries(scores: Floats, qptr: Rows, tiebreak: Rows | None = None, n_threads: int = 1) -> Rows: ...
def fixed_dots(table: Floats, weights: Floats, bits: int, n_threads: int = 1) -> Rows: ...
def step_functions(
    a: Floats,
    b: Floats,
    qptr: Rows,
    worth: Any,
    span: tuple[float, float, bool],
    tiebreak: Rows | None = None,
    n_threads: int = 1,
) -> tuple[Floats, Rows, Floats, Floats]: ...
