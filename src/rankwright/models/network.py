"""Small feed-forward networks: what RankNet, LambdaRank, ListNet and ListMLE learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.errors import InputError
from rankwright.models.base import Floats, Model, frozen
from rankwright.models.reading import numbers, table

Layer = tuple[Floats, Floats]  # weights, columns of what enters × units; and biases, one per unit

ROWS = 4096  # rows scored at a time
FURTHEST = 10.0  # standard deviations from the mean: what lies beyond counts as much


@dataclass(frozen=True, eq=False)
class NetworkModel(Model):
    """score(x) = W_n tanh(… tanh(W_1 z + b_1) …), z being the features less their means, in standard deviations.

    A missing value counts as the mean. Sums are made in the order of the features, so that a row's score does not
    depend on the rows beside it.

    Parameters
    ----------
    center, spread : of each feature; z is kept within ±10.
    layers : (weights, biases) of each layer; the last one has a single unit.
    rounds : the models of all rounds, up to this one; for `truncated`, and never saved.
    """

    center: Floats
    spread: Floats
    layers: tuple[Layer, ...]
    rounds: Sequence[NetworkModel] = field(default=(), repr=False)

    kind = "network"

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", frozen(self.center))
        object.__setattr__(self, "spread", frozen(self.spread))
        object.__setattr__(self, "layers", tuple((frozen(W), frozen(b)) for W, b in self.layers))

    @property
    def n_features(self) -> int:  # type: ignore[override]
        return len(self.center)

    def scores(self, X: Any) -> Floats:
        out = np.empty(X.shape[0])
        for start in range(0, len(out), ROWS):
            z = scaled(X[start : start + ROWS], self.center, self.spread)
            out[start : start + ROWS] = activations(z, self.layers)[-1][:, 0]
        return out

    def truncated(self, n_rounds: int) -> NetworkModel:
        whole = self.rounds[n_rounds - 1] if 0 < n_rounds <= len(self.rounds) else self
        return replace(whole, rounds=())

    def to_dict(self) -> dict[str, Any]:
        layers = [{"weights": W.tolist(), "biases": b.tolist()} for W, b in self.layers]
        return {"center": self.center.tolist(), "spread": self.spread.tolist(), "layers": layers}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        center = numbers(values, "center")
        spread = numbers(values, "spread", len(center))
        layers: list[Layer] = []
        n_rows = len(center)
        for part in values["layers"]:
            biases = numbers(part, "biases")
            layers.append((table(part, "weights", n_rows, len(biases)), biases))
            n_rows = len(biases)
        if not layers or n_rows != 1 or not all(len(b) for _, b in layers) or not (spread > 0).all():
            raise InputError("a network has layers, the last of one unit, and spreads above 0.")
        return cls(center, spread, tuple(layers))


def scaled(X: Any, center: Floats, spread: Floats) -> npt.NDArray[np.float32]:
    """Features as a network takes them."""
    dense = X if isinstance(X, np.ndarray) else X.toarray()
    z = np.clip((dense - center) / spread, -FURTHEST, FURTHEST)
    return np.nan_to_num(z, copy=False, nan=0.0).astype(np.float32)


def activations(z: npt.NDArray[np.float32], layers: Sequence[Layer], n_threads: int = 1) -> list[Floats]:
    """What each layer makes of the rows: tanh of the sums, but for the last one."""
    made: list[Any] = [z]
    for weights, biases in layers:
        made.append(kernels.layer(made[-1], weights, biases, n_threads))
        if len(made) <= len(layers):
            np.tanh(made[-1], out=made[-1])
    return made[1:]
