"""Small networks trained on the losses of ranked lists: what RankNet, LambdaRank, ListNet and ListMLE share.

    F(x) = W_n tanh(… tanh(W_1 z + b_1) …)            z: the features, standardised
    ∂L/∂W_l = aᵀ_{l−1} δ_l,   δ_n = ∂L/∂F,   δ_{l−1} = (δ_l W_lᵀ)(1 − a²_{l−1})

A round goes once through the training queries, in batches that are made once and visited in random order; each is a
step of Adam (Kingma & Ba 2015). The last layer has no bias: no ranking depends on it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
from annotated_types import Ge, Gt

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.docstrings import completed
from rankwright.models import NetworkModel
from rankwright.models.network import Layer, activations, scaled
from rankwright.rankers.base import Ranker
from rankwright.rankers.rounds import Rounds

Floats = npt.NDArray[np.float64]
Objective = Callable[[Floats], "Slope"]

MOMENTUM, MEMORY, TINY = 0.9, 0.999, 1e-8  # Adam's β_1, β_2 and ε, as in its paper
DRAWN = "the queries of a step are drawn by their places in the data, as steps on some of them need"


class Slope(NamedTuple):
    """The gradient of the loss of some queries by their documents' scores, and the loss, where there is one."""

    gradient: Floats
    loss: float = float("nan")


class NetworkRanker(Ranker):
    """A small network; a subclass says what loss it is trained on.

    Parameters
    ----------
    hidden : units of each hidden layer; none makes a linear model.
    n_rounds : times that training goes through the data at most.
    learning_rate : the size of Adam's steps.
    batch : queries per step; None for all.
    patience : stop when the validation (else training) measure has not improved for so many rounds; None: never.
    tol : how much better counts as improved.
    rng : seed of the first weights and of the batches.
    measure : what validation, early stopping and `score` go by.
    n_threads : threads to use; None for all. The model does not depend on it.
    callbacks : watchers of the training.
    """

    exempt: ClassVar[dict[str, str]] = {"query_order_does_not_matter": DRAWN}

    hidden: Annotated[tuple[int, ...], Ge(1)] = (10,)
    n_rounds: Annotated[int, Ge(1)] = 100
    learning_rate: Annotated[float, Gt(0)] = 0.002
    batch: Annotated[int, Ge(1)] | None = 4
    patience: Annotated[int, Ge(1)] | None = None
    tol: Annotated[float, Ge(0)] = 0.0
    rng: Annotated[int, Ge(0)] = 0

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__doc__ = completed(cls)

    @abstractmethod
    def objective(self, part: Dataset) -> Objective:
        """What gives the `Slope` of these queries at some scores, each query counting by its weight."""

    def at_first(self, part: Dataset) -> tuple[int, Objective]:
        """For how many rounds another objective is followed before, and which; none, unless a subclass says so."""
        return 0, self.objective(part)

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> NetworkModel:
        rng = np.random.default_rng(self.rng)
        if train.doc_weight is not None:  # weights twice as large are the same weights
            train = train.replace(doc_weight=train.doc_weight / train.doc_weight.max())
        center, spread = center_and_spread(train, train.doc_weight if self.uses_doc_weight else None)
        layers = drawn((train.n_features, *self.hidden, 1), rng)
        if not kernels.label_levels(train.y, train.qptr, self.threads).any():  # every ranking is right
            return NetworkModel(center, spread, tuple((np.zeros_like(W), b) for W, b in layers))
        n_batches = 1 if self.batch is None else -(-train.n_queries // self.batch)
        order = rng.permutation(train.n_queries) if n_batches > 1 else np.arange(train.n_queries)
        parts = [train.queries(np.sort(some)) for some in np.array_split(order, n_batches)]
        batches = [(scaled(part.X, center, spread), self.at_first(part), self.objective(part)) for part in parts]
        adam, made = Adam(layers, self.learning_rate), list[NetworkModel]()
        for t in rounds.of(self.n_rounds):
            loss = 0.0
            for b in rng.permutation(n_batches):
                z, (n_first, first), then = batches[b]
                acts = activations(z, layers, self.threads)
                slope = (first if t <= n_first else then)(acts[-1][:, 0])
                layers = adam.step(layers, gradients(z, acts, layers, slope.gradient, self.threads))
                loss += slope.loss
            made.append(NetworkModel(center, spread, tuple(layers), made))
            rounds.record(
                lambda t=t: made[t - 1],  # type: ignore[misc]
                train_scores=made[-1].scores(train.X),
                valid_scores=None if valid is None else made[-1].scores(valid.X),
                **({} if np.isnan(loss) else {"loss": loss / n_batches}),
            )
        return made[-1]


def gradients(
    z: npt.NDArray[np.float32], acts: Sequence[Floats], layers: Sequence[Layer], slope: Floats, n_threads: int
) -> list[Layer]:
    """The gradients of all weights and biases, given that of the scores."""
    found: list[Layer] = []
    delta = np.ascontiguousarray(slope[:, None])
    for level in reversed(range(len(layers))):
        below = z if level == 0 else acts[level - 1]
        found.append((kernels.layer_gradient(below, delta, n_threads), delta.sum(axis=0)))
        if level > 0:
            weights = np.ascontiguousarray(layers[level][0].T)
            delta = kernels.layer(delta, weights, np.zeros(weights.shape[1]), n_threads) * (1.0 - acts[level - 1] ** 2)
    found[0] = (found[0][0], np.zeros(1))  # the last layer's bias stays 0
    return found[::-1]


class Adam:
    """Steps along gradients, each coordinate in units of how large its gradients have been."""

    def __init__(self, layers: Sequence[Layer], learning_rate: float) -> None:
        self.learning_rate, self.t = learning_rate, 0
        self.mean = [[np.zeros_like(part) for part in layer] for layer in layers]
        self.square = [[np.zeros_like(part) for part in layer] for layer in layers]

    def step(self, layers: Sequence[Layer], slopes: Sequence[Layer]) -> list[Layer]:
        self.t += 1
        size = self.learning_rate * np.sqrt(1 - MEMORY**self.t) / (1 - MOMENTUM**self.t)
        stepped = []
        for layer, slope, mean, square in zip(layers, slopes, self.mean, self.square, strict=True):
            parts = []
            for part, g, m, v in zip(layer, slope, mean, square, strict=True):
                m += (1 - MOMENTUM) * (g - m)
                v += (1 - MEMORY) * (g * g - v)
                parts.append(part - size * m / (np.sqrt(v) + TINY))
            stepped.append((parts[0], parts[1]))
        return stepped


def drawn(sizes: Sequence[int], rng: np.random.Generator) -> list[Layer]:
    """First weights, uniform in ±√(6/(in + out)) (Glorot & Bengio 2010), and biases of 0."""
    limits = [(a, b, float(np.sqrt(6 / (a + b)))) for a, b in pairwise(sizes)]
    return [(rng.uniform(-limit, limit, (a, b)), np.zeros(b)) for a, b, limit in limits]


def center_and_spread(data: Dataset, weight: Floats | None) -> tuple[Floats, Floats]:
    """Each feature's mean and standard deviation over the documents, by their weights; missing values aside."""
    v = np.ones(data.n_docs) if weight is None else weight
    center, spread = np.zeros(data.n_features), np.ones(data.n_features)
    for k in range(data.n_features):
        x = data.column(k, missing=np.nan)
        counts = np.isfinite(x) & (v > 0)
        if not counts.any():
            continue
        x, w = x[counts], v[counts] / v[counts].sum()
        center[k] = w @ x
        deviation = float(np.sqrt(w @ (x - center[k]) ** 2))
        spread[k] = deviation if deviation > 1e-9 * max(1.0, abs(center[k])) else 1.0
    return center, spread
