"""Measures are values: immutable, hashable, and ``measure(str(m)) == m``.

A measure of one query is a function of its labels in ranked order, best-ranked first: :meth:`Measure.of_ranking`.
That one method is all a new measure needs. Ties in the scores, queries with nothing to find, parsing, printing
and averaging are done here, the same way for every measure.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal, NamedTuple, Self, get_args

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError

Labels = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Offsets = npt.NDArray[np.int64]
Ties = Literal["expected", "worst", "input", "docid"]
Empty = Literal["zero", "one", "skip", "error"]
Scores = Literal["double", "single"]

EMPTY_VALUE = {"zero": 0.0, "one": 1.0, "skip": np.nan, "error": np.nan}

REGISTRY: dict[str, type[Measure]] = {}


class KernelSpec(NamedTuple):
    """A built-in measure as the native kernel `measure_queries` takes it; see the twin for what each field does."""

    kind: str
    k: int = 0  # 0: no cut-off
    rel: float = 1.0
    gain: str = "exp2"
    gain_table: tuple[float, ...] = ()
    discount: str = "log2"
    max_label: float = 0.0
    ties: str = "expected"
    empty: float = 0.0  # the value of a query with nothing to find; NaN leaves it out of the mean
    short: str = "pad"
    norm: str = "all"


class Decomposition(NamedTuple):
    """A measure as a sum over ranks: Σ gain[document at rank] · discount[rank] / norm."""

    gain: Floats
    discount: Floats
    norm: float


@dataclass(frozen=True)
class Measure(ABC):
    """A number for one ranked list, averaged over queries.

    Parameters
    ----------
    k : cut-off: only the first k ranks count; None for the whole list. ``nDCG() @ 10`` sets it too.
    ties : what equal scores are worth: the average over all orders of the tied documents (``expected``), the
        worst order, the order of the ``input`` rows, or descending document id (``docid``, as trec_eval).
    empty : the value of a query with nothing to find: ``zero``, ``one``, ``skip`` (left out) or ``error``.
    scores : how scores are compared: as given (``double``) or rounded to ``single`` precision, as trec_eval does.
    """

    k: int | None = None
    ties: Ties = "expected"
    empty: Empty = "zero"
    scores: Scores = "double"

    name: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    lower_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    has_cut: ClassVar[bool] = True
    formula: ClassVar[str] = ""  # one line for the table of measures

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.name = cls.__dict__.get("name", cls.__name__)
        if "of_ranking" in cls.__dict__:  # a new definition does not keep the closed forms of the one it replaces
            for form in ("kernel_spec", "decomposition", "swap_deltas"):
                if form not in cls.__dict__:
                    setattr(cls, form, getattr(Measure, form))
        if not cls.name.startswith("_"):
            for spelling in (cls.name, *cls.__dict__.get("aliases", ())):
                _register(spelling, cls)

    def __post_init__(self) -> None:
        if self.k is not None:
            if not self.has_cut:
                raise InputError(f"{self.name} has no cut-off. Got {self.k!r}. Leave out @{self.k}.")
            if isinstance(self.k, bool) or not isinstance(self.k, (int, np.integer)) or self.k < 1:
                raise InputError(f"the cut-off of {self.name} must be a whole number of at least 1. Got {self.k!r}.")
            object.__setattr__(self, "k", int(self.k))
        one_of(self, "ties", get_args(Ties))
        one_of(self, "empty", get_args(Empty))
        one_of(self, "scores", get_args(Scores))

    # -- what a measure says of itself -----------------------------------------------------------------------------

    @abstractmethod
    def of_ranking(self, labels: Labels) -> float:
        """The value of one query whose labels, best-ranked document first, are `labels`; all of one list."""

    def is_empty(self, labels: Labels) -> bool:
        """Whether a query with these labels has nothing to find, so that `empty` decides its value."""
        return not bool((np.asarray(labels) > 0).any())

    def bind(self, labels: Labels) -> Self:
        """The measure with what it takes from the whole data set (ERR: the largest label) filled in."""
        return self

    def check_labels(self, labels: Labels, largest: float) -> None:
        """Raises InputError for labels the measure cannot take; `largest` is the largest of them."""
        return

    def kernel_spec(self) -> KernelSpec | None:
        """How the native kernel computes it; None for measures known only by `of_ranking`."""
        return None

    def decomposition(self, labels: Labels) -> Decomposition | None:
        """The measure of these labels as a sum over ranks, for queries that are not empty; None when it is not one.

        `gain` is in the order of `labels`; the value of a ranking is Σ_r gain[r-th document] · discount[r] / norm.
        """
        return None

    # -- values ----------------------------------------------------------------------------------------------------

    def per_query(
        self,
        labels: npt.ArrayLike,
        scores: npt.ArrayLike,
        qptr: npt.ArrayLike | None = None,
        *,
        doc_ids: npt.ArrayLike | None = None,
        n_threads: int | None = None,
    ) -> Floats:
        """One value per query; NaN where the query is skipped. Rows of a query are together, as `qptr` says."""
        from rankwright.measures.values import measure_all

        values: Floats = measure_all([self], labels, scores, qptr, doc_ids=doc_ids, n_threads=n_threads)[0]
        return values

    def mean(
        self, labels: npt.ArrayLike, scores: npt.ArrayLike, qptr: npt.ArrayLike | None = None, **how: Any
    ) -> float:
        """The mean over queries that are not skipped; NaN when all are."""
        return mean_of(self.per_query(labels, scores, qptr, **how))

    def better(self, a: float, b: float) -> bool:
        """Whether value `a` is better than value `b`."""
        return a < b if self.lower_is_better else a > b

    def swap_deltas(self, labels: Labels) -> Floats:
        """|E after swapping ranks i and j − E before| for all pairs of ranks, labels given best-ranked first.

        A sum over ranks has |gain_i − gain_j| · |discount_i − discount_j| / norm. Others recompute, unless they
        override this with a closed form.
        """
        ranked = np.asarray(labels)
        n = len(ranked)
        if n and not self.is_empty(ranked) and (parts := self.decomposition(ranked)):
            differs = [np.abs(side[:, None] - side[None, :]) for side in (parts.gain, parts.discount)]
            return differs[0] * differs[1] / parts.norm
        return self.recomputed_swap_deltas(ranked)

    def recomputed_swap_deltas(self, labels: Labels) -> Floats:
        """Swap deltas by the definition: what every closed form is tested against."""
        ranked = np.asarray(labels)
        n = len(ranked)
        out = np.zeros((n, n))
        if self.is_empty(ranked):
            return out
        before = self.of_ranking(ranked)
        for i in range(n):
            for j in range(i + 1, n):
                swapped = ranked.copy()
                swapped[[i, j]] = ranked[[j, i]]
                out[i, j] = out[j, i] = abs(self.of_ranking(swapped) - before)
        return out

    # -- for those who write measures ------------------------------------------------------------------------------

    def spec(self, kind: str, **fields: Any) -> KernelSpec:
        """A KernelSpec of this measure's cut-off and policies."""
        shared = {"k": self.k or 0, "ties": self.ties, "empty": EMPTY_VALUE[self.empty]}
        return KernelSpec(kind, **{**shared, **fields})

    def above_cut(self, per_rank: Floats) -> Floats:
        """The values at ranks up to k, 0 below."""
        return np.where(np.arange(len(per_rank)) < (self.k or len(per_rank)), per_rank, 0.0)

    def counts_zero(self, n_docs: int) -> bool:
        """Whether a list of so many documents is too short for the cut-off, and `short` makes that 0."""
        return self.k is not None and n_docs < self.k and getattr(self, "short", "pad") == "zero"

    # -- printing and cut-offs -------------------------------------------------------------------------------------

    def __matmul__(self, k: int) -> Self:
        return replace(self, k=k)

    def __str__(self) -> str:
        options = [
            f"{f.name}={_printed(getattr(self, f.name))}"
            for f in fields(self)
            if f.name != "k" and getattr(self, f.name) != f.default
        ]
        cut = "" if self.k is None else f"@{self.k}"
        return self.name + (f"({','.join(options)})" if options else "") + cut

    def __repr__(self) -> str:
        return f"measure({str(self)!r})"


def _register(spelling: str, cls: type[Measure]) -> None:
    known = REGISTRY.get(spelling.lower())
    if known is not None and known.__module__ != cls.__module__ and known.__module__.startswith(__package__ or "?"):
        raise InputError(f"a measure's name must be its own. {spelling!r} is {known.name}'s. Choose another name.")
    REGISTRY[spelling.lower()] = cls


def one_of(m: Measure, option: str, allowed: tuple[str, ...]) -> None:
    """Refuses a value of an option that is not one of those allowed."""
    got = getattr(m, option)
    if got not in allowed:
        raise InputError(f"{option} of {m.name} must be one of {', '.join(allowed)}. Got {got!r}.")


def _printed(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ",".join(f"{v:g}" if float(f"{v:g}") == v else repr(v) for v in value) + "]"
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


def mean_of(per_query: Floats) -> float:
    """The mean over queries that are not NaN."""
    kept = per_query[~np.isnan(per_query)]
    return float(kept.mean()) if len(kept) else float("nan")
