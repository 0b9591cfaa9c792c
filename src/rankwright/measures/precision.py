"""Measures of relevant documents found: average precision, precision, recall, winner takes all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankwright.errors import InputError
from rankwright.measures.base import Decomposition, Floats, KernelSpec, Labels, Measure, one_of


@dataclass(frozen=True)
class _Binary(Measure):
    """What measures of relevant and other documents share.

    Parameters
    ----------
    rel : a document is relevant when its label is at least this.
    """

    rel: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.rel, bool) or not isinstance(self.rel, (int, float, np.number)) or self.rel != self.rel:
            raise InputError(f"rel of {self.name} must be a number, the lowest relevant label. Got {self.rel!r}.")
        object.__setattr__(self, "rel", float(self.rel))

    def relevant(self, labels: Labels) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return np.asarray(labels) >= self.rel

    def is_empty(self, labels: Labels) -> bool:
        return not bool(self.relevant(labels).any())


@dataclass(frozen=True)
class AP(_Binary):
    """Average precision: the mean over relevant documents of the precision at their rank. Its mean is MAP.

    Parameters
    ----------
    norm : AP@k is a sum over the relevant documents above the cut, divided by ``all`` relevant documents, or by no
        more than fit above the ``cut``, min(k, relevant).
    """

    norm: Literal["all", "cut"] = "all"
    aliases = ("map", "averageprecision")
    formula = "Σ precision(rank) over relevant documents at ranks ≤ k / number of relevant documents"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "norm", ("all", "cut"))

    def of_ranking(self, labels: Labels) -> float:
        relevant = self.relevant(labels)
        precision = np.cumsum(relevant) / np.arange(1, len(relevant) + 1)
        return float(precision[: self.k][relevant[: self.k]].sum()) / self._norm(int(relevant.sum()))

    def _norm(self, n_relevant: int) -> int:
        return min(n_relevant, self.k) if self.norm == "cut" and self.k else n_relevant

    def kernel_spec(self) -> KernelSpec:
        return self.spec("ap", rel=self.rel, norm=self.norm)

    def swap_deltas(self, labels: Labels) -> Floats:
        relevant = self.relevant(labels)
        if not relevant.any():
            return np.zeros((len(relevant),) * 2)
        found = np.cumsum(relevant)
        inverse = self.above_cut(1.0 / np.arange(1, len(relevant) + 1))
        between = np.cumsum(relevant * inverse)
        between = (between - relevant * inverse)[None, :] - between[:, None]  # Σ rel/rank strictly between i and j
        falls = (found * inverse)[None, :] - (found * inverse)[:, None] - between  # a relevant i sinks to j > i
        rises = ((found + 1) * inverse)[:, None] - (found * inverse)[None, :] + between  # a relevant j climbs to i < j
        change = np.where(relevant[:, None], falls, rises) * (relevant[:, None] != relevant[None, :])
        upper: Floats = np.abs(np.triu(change, 1)) / self._norm(int(found[-1]))
        return upper + upper.T


@dataclass(frozen=True)
class P(_Binary):
    """Precision: the share of relevant documents among the first k.

    Parameters
    ----------
    short : a list of fewer than k documents is filled up with others, so that the divisor stays k (``pad``); or the
        divisor is cut to the length of the list (``cut``); or the list is worth ``zero``.
    """

    short: Literal["pad", "cut", "zero"] = "pad"
    aliases = ("precision",)
    formula = "relevant documents at ranks ≤ k / k"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "short", ("pad", "cut", "zero"))

    def of_ranking(self, labels: Labels) -> float:
        if self.counts_zero(len(labels)):
            return 0.0
        return float(self.relevant(labels)[: self.k].sum()) / self._divisor(len(labels))

    def _divisor(self, n_docs: int) -> int:
        return n_docs if self.k is None or (self.short == "cut" and n_docs < self.k) else self.k

    def kernel_spec(self) -> KernelSpec:
        return self.spec("precision", rel=self.rel, short=self.short)

    def decomposition(self, labels: Labels) -> Decomposition:
        d = self.above_cut(np.full(len(labels), 0.0 if self.counts_zero(len(labels)) else 1.0))
        return Decomposition(self.relevant(labels).astype(np.float64), d, float(self._divisor(len(labels)) or 1))


@dataclass(frozen=True)
class Recall(_Binary):
    """Recall: the share of all relevant documents that are among the first k."""

    aliases = ("r",)
    formula = "relevant documents at ranks ≤ k / relevant documents"

    def of_ranking(self, labels: Labels) -> float:
        relevant = self.relevant(labels)
        return float(relevant[: self.k].sum()) / int(relevant.sum())

    def kernel_spec(self) -> KernelSpec:
        return self.spec("recall", rel=self.rel)

    def decomposition(self, labels: Labels) -> Decomposition:
        gain = self.relevant(labels).astype(np.float64)
        return Decomposition(gain, self.above_cut(np.ones(len(gain))), float(gain.sum()) or 1.0)


@dataclass(frozen=True)
class WTA(_Binary):
    """Winner takes all: 1 if the first document is relevant, else 0."""

    has_cut = False
    aliases = ("winnertakesall",)
    formula = "1 if the first document is relevant, else 0"

    def of_ranking(self, labels: Labels) -> float:
        return float(self.relevant(labels)[0])

    def kernel_spec(self) -> KernelSpec:
        return self.spec("precision", k=1, rel=self.rel)

    def decomposition(self, labels: Labels) -> Decomposition:
        return Decomposition(self.relevant(labels).astype(np.float64), np.eye(1, len(labels))[0], 1.0)
