"""What the boosters share: F on the training queries, in shards, and on validation queries; trees; steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.data.grouping import rows_of_groups
from rankwright.learners import Coding, Growth, Part, Tree, grow_over
from rankwright.models import ClassForestModel, ForestModel, SubmodelForest
from rankwright.rankers.lambdas import feature_hashes, mixed
from rankwright.rankers.rounds import Rounds
from rankwright.shards import Shards, shards_of

Floats = npt.NDArray[np.float64]
Pair = tuple[Sequence[Floats], Sequence[Floats]]
Steps = list[tuple[float, Tree]]


class Slopes(Protocol):
    """The loss on some queries."""

    def at(self, F: Floats) -> Pair:
        """−∂/∂F of the loss, and the second derivative: one row per row of F."""


class Sampling:
    """The documents each tree is learned from: drawn by what they are, not by where they stand.

    Parameters
    ----------
    data : the queries.
    queries, docs : the shares of the queries, and of the documents of these, drawn anew for each tree.
    seed : of what is drawn.
    """

    def __init__(self, data: Dataset, queries: float, docs: float, seed: int) -> None:
        self.queries, self.docs, self.seed = queries, docs, seed
        self._query_of = rows_of_groups(data.qptr)
        self._docs = feature_hashes(data.X) if min(queries, docs) < 1.0 else np.empty(0, np.uint64)
        self._queries = np.zeros(data.n_queries, np.uint64)
        if queries < 1.0:
            np.add.at(self._queries, self._query_of, self._docs)

    def rows(self, m: int) -> npt.NDArray[np.bool_] | None:
        """Whether tree m learns from each document; None: from all."""
        if self.queries == 1.0 and self.docs == 1.0:
            return None
        one, other = np.random.SeedSequence([self.seed, m]).generate_state(2, np.uint64)
        chosen = np.ones(len(self._docs), np.bool_)
        if self.queries < 1.0:
            chosen = drawn(self._queries, one, self.queries)[self._query_of]
        if self.docs < 1.0:
            inside = np.flatnonzero(chosen)
            chosen[inside] = drawn(self._docs[inside], other, self.docs)
        return chosen


def drawn(keys: npt.NDArray[np.uint64], seed: np.uint64, share: float) -> npt.NDArray[np.bool_]:
    """Those of the keys that a seed puts first, as many as the share says, one at least."""
    mask = np.zeros(len(keys), dtype=np.bool_)
    mask[np.argsort(mixed(keys ^ seed), kind="stable")[: max(1, round(share * len(keys)))]] = True
    return mask


class BoostShard:
    """Whole queries, and the scores F of their documents, one row per class (one row only, but for McRank)."""

    def __init__(self, data: Dataset, first: int, coding: Coding, slopes: Slopes, F: Floats, n_threads: int) -> None:
        self.part, self.slopes = Part(data.X, coding, n_threads), slopes
        self.first, self.F, self.start = first, F, F.copy()

    def differentiate(self) -> None:
        """Gradients and hessians at F."""
        self.gradients, self.hessians = self.slopes.at(self.F)

    def restart(self) -> None:
        """F as it was before the first tree."""
        self.F[:] = self.start

    def load(self, c: int, chosen: npt.NDArray[np.bool_] | None) -> None:
        n = self.F.shape[1]
        rows = None if chosen is None else np.flatnonzero(chosen[self.first : self.first + n])
        self.part.load(self.gradients[c], self.hessians[c], rows)

    def step(self, c: int, value: Floats, v: float) -> None:
        """F_c ← F_c + v · tree."""
        self.part.add(self.F[c], v * value)

    def replay(self, c: int, tree: Tree, v: float) -> None:
        """F_c ← F_c + v · a tree grown earlier."""
        kernels.add_leaves(self.F[c], self.leaves(tree), v * tree.value, self.part.n_threads)

    def leaves(self, tree: Tree) -> npt.NDArray[np.int32]:
        return self.part.coding.leaves(tree, self.part.codes, self.part.n_threads)

    def scores(self) -> Floats:
        return self.F

    def first_scores(self) -> Floats:
        return self.start


class Validation:
    """F on validation queries, by their codes."""

    def __init__(self, data: Dataset, coding: Coding, F: Floats, n_threads: int) -> None:
        self.coding, self.n_threads, self.F, self.start = coding, n_threads, F, F.copy()
        self.codes = coding.codes(data.X, n_threads)

    def restart(self) -> None:
        self.F[:] = self.start

    def leaves(self, tree: Tree) -> npt.NDArray[np.int32]:
        return self.coding.leaves(tree, self.codes, self.n_threads)


class Boosting:
    """Scores F that grow by trees.

    Parameters
    ----------
    train, valid : the queries; `valid` may be None.
    growth : how trees grow.
    sampling : what each of them learns from.
    slopes : makes the loss of some queries; it is given those, the row of their first document, and threads.
    F, F_valid : where scores start, one row per class.
    n_threads : threads to use; the trees do not depend on it.
    """

    def __init__(
        self,
        train: Dataset,
        valid: Dataset | None,
        growth: Growth,
        sampling: Sampling,
        slopes: Callable[[Dataset, int], Slopes],
        F: Floats,
        F_valid: Floats | None,
        n_threads: int,
    ) -> None:
        self.train, self.valid_data, self.n_threads = train, valid, n_threads
        self.growth, self.sampling = growth, sampling
        self.coding = Coding.of(train.X, growth.max_bins, growth.categorical, n_threads)
        growth.directions(self.coding.features, train.n_features)  # refuses signs that do not fit
        made = self._places()

        def make(part: Dataset) -> BoostShard:
            first = made(part)
            own = np.ascontiguousarray(F[:, first : first + part.n_docs])
            return BoostShard(part, first, self.coding, slopes(part, first), own, n_threads)

        self.shards: Shards[BoostShard] = shards_of(train, make)
        self.valid = (
            None if valid is None or F_valid is None else Validation(valid, self.coding, F_valid.copy(), n_threads)
        )

    def _places(self) -> Callable[[Dataset], int]:
        """The row of the first document of one part after the other."""
        at = 0

        def first(part: Dataset) -> int:
            nonlocal at
            at += part.n_docs
            return at - part.n_docs

        return first

    def trees(self, m: int) -> Iterator[Tree]:
        """The trees of round m, one per class, on the gradients at F."""
        self.shards.collect(BoostShard.differentiate)
        chosen = self.sampling.rows(m)
        for c in range(self.n_classes):
            self.shards.collect(BoostShard.load, c, chosen)
            seed = int(np.random.SeedSequence([self.sampling.seed, m, c]).generate_state(1)[0])
            yield grow_over(self.shards, self.growth, self.coding, seed, self.n_threads)

    def round(self, m: int, v: float) -> list[Tree]:
        """A tree per class, all on the gradients at the same F, and a step along each."""
        trees = []
        for c, tree in enumerate(self.trees(m)):
            self.step(tree, v, c)
            trees.append(tree)
        return trees

    def resumed(self, rounds: Rounds) -> Steps:
        """The steps of an interrupted run that this one goes on from, taken again; none where it starts anew."""
        return self.resumed_classes(rounds)[0]

    def resumed_classes(self, rounds: Rounds) -> list[Steps]:
        """The same for each class."""
        model = rounds.resumed
        forests: list[ForestModel] = []
        if isinstance(model, ClassForestModel):
            forests = list(model.forests)
        elif isinstance(model, (ForestModel, SubmodelForest)):
            forests = [model.forest if isinstance(model, SubmodelForest) else model]
        steps: list[Steps] = [list(zip(f.weights.tolist(), f.trees, strict=True)) for f in forests]
        for c, of_c in enumerate(steps):
            for v, tree in of_c:
                self.replay(tree, v, c)
        return steps or [[] for _ in range(self.n_classes)]

    def step(self, tree: Tree, v: float, c: int = 0) -> None:
        """F_c ← F_c + v · the tree just grown."""
        self.shards.collect(BoostShard.step, c, tree.value, v)
        self._step_valid(tree, v, c)

    def replay(self, tree: Tree, v: float, c: int = 0) -> None:
        """F_c ← F_c + v · a tree grown earlier, by the same arithmetic."""
        self.shards.collect(BoostShard.replay, c, tree, v)
        self._step_valid(tree, v, c)

    def _step_valid(self, tree: Tree, v: float, c: int) -> None:
        if self.valid is not None:
            kernels.add_leaves(self.valid.F[c], self.valid.leaves(tree), v * tree.value, self.n_threads)

    @property
    def n_classes(self) -> int:
        return len(self.shards.collect(BoostShard.scores)[0])

    @property
    def F(self) -> Floats:
        """F on the training documents, classes × documents."""
        parts = self.shards.collect(BoostShard.scores)
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

    @property
    def F_valid(self) -> Floats | None:
        return None if self.valid is None else self.valid.F

    def restart(self) -> None:
        """F as it was before the first tree."""
        self.shards.collect(BoostShard.restart)
        if self.valid is not None:
            self.valid.restart()

    def start(self, on_valid: bool) -> Floats:
        """F before the first tree, on the training or the validation queries."""
        if on_valid and self.valid is not None:
            return self.valid.start
        return np.concatenate(self.shards.collect(BoostShard.first_scores), axis=1)

    def leaves(self, tree: Tree, on_valid: bool) -> npt.NDArray[np.int32]:
        """The leaf of every document, of the training or the validation queries, in a tree."""
        if on_valid and self.valid is not None:
            return self.valid.leaves(tree)
        return np.concatenate(self.shards.collect(BoostShard.leaves, tree))
