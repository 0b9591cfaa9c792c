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

from rankwright import kernels
from rankwright.errors import InputError
from rankwright.measures import ties as tied

Labels = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Offsets = npt.NDArray[np.int64]
Ties = Literal["expected", "worst", "input", "docid"]
Empty = Literal["zero", "one", "skip", "error"]
Short = Literal["pad", "zero"]

_EMPTY_VALUE = {"zero": 0.0, "one": 1.0, "skip": np.nan, "error": np.nan}

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
    """

    k: int | None = None
    ties: Ties = "expected"
    empty: Empty = "zero"

    name: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    lower_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    has_cut: ClassVar[bool] = True
    formula: ClassVar[str] = ""  # one line for the table of measures

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.name = cls.__dict__.get("name", cls.__name__)
        if not cls.name.startswith("_"):
            for spelling in (cls.name, *cls.__dict__.get("aliases", ())):
                REGISTRY[spelling.lower()] = cls

    def __post_init__(self) -> None:
        if self.k is not None:
            if not self.has_cut:
                raise InputError(f"{self.name} has no cut-off. Got {self.k!r}. Leave out @{self.k}.")
            if isinstance(self.k, bool) or not isinstance(self.k, (int, np.integer)) or self.k < 1:
                raise InputError(f"the cut-off of {self.name} must be a whole number of at least 1. Got {self.k!r}.")
            object.__setattr__(self, "k", int(self.k))
        one_of(self, "ties", get_args(Ties))
        one_of(self, "empty", get_args(Empty))

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
        shared = {"k": self.k or 0, "ties": self.ties, "empty": _EMPTY_VALUE[self.empty]}
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


def one_of(m: Measure, option: str, allowed: tuple[str, ...]) -> None:
    """Refuses a value of an option that is not one of those allowed."""
    got = getattr(m, option)
    if got not in allowed:
        raise InputError(f"{option} of {m.name} must be one of {', '.join(allowed)}. Got {got!r}.")


def _printed(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ",".join(f"{v:g}" if float(f"{v:g}") == v else repr(v) for v in value) + "]"
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


# -- many measures at once: queries are sorted once ------------------------------------------------------------------


def measure_all(
    measures: list[Measure],
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    qptr: npt.ArrayLike | None = None,
    *,
    doc_ids: npt.ArrayLike | None = None,
    n_threads: int | None = None,
) -> Floats:
    """Values of several measures, measures × queries."""
    y, s, ends = _checked(labels, scores, qptr)
    largest = float(y.max(initial=0.0))
    for m in measures:
        m.check_labels(y, largest)
    tiebreak = tied.descending_ids(doc_ids, len(y)) if any(m.ties == "docid" for m in measures) else None
    bound = [m.bind(y) for m in measures]
    specs = {row: spec for row, m in enumerate(bound) if (spec := m.kernel_spec()) is not None}
    threads = kernels.default_threads() if n_threads is None else n_threads
    known = kernels.measure_queries(list(specs.values()), s, y, ends, tiebreak, threads)
    out: Floats = known if len(specs) == len(bound) else np.empty((len(bound), len(ends) - 1))
    if len(specs) < len(bound):
        out[list(specs)] = known
        for row, m in enumerate(bound):
            if row not in specs:
                out[row] = _by_definition(m, y, s, ends, tiebreak)
    _refuse_empty(bound, out)
    return out


def _checked(
    labels: npt.ArrayLike, scores: npt.ArrayLike, qptr: npt.ArrayLike | None
) -> tuple[npt.NDArray[np.float32], Floats, Offsets]:
    y = np.ascontiguousarray(labels, dtype=np.float32)
    s = np.ascontiguousarray(scores, dtype=np.float64)
    if s.shape != y.shape or y.ndim != 1:
        raise InputError(f"there must be one score per label. Got {s.shape} scores for {y.shape} labels.")
    if np.isnan(s.min(initial=0.0)):
        raise InputError(f"scores must be numbers. Got NaN at row {int(np.isnan(s).argmax())}. Fill or drop it.")
    if not (y.min(initial=0.0) >= 0 and y.max(initial=0.0) < np.inf):
        wrong = int((~(np.isfinite(y) & (y >= 0))).argmax())
        raise InputError(f"labels must be finite and at least 0. Got {y[wrong]} at row {wrong}. Fill or drop it.")
    ends = np.array([0, len(y)], np.int64) if qptr is None else np.ascontiguousarray(qptr, dtype=np.int64)
    if ends.ndim != 1 or len(ends) < 1 or ends[0] != 0 or ends[-1] != len(y) or (np.diff(ends) < 0).any():
        raise InputError(f"qptr must rise from 0 to the number of rows, {len(y)}. Got {ends}.")
    return y, s, ends


def _by_definition(m: Measure, y: Labels, s: Floats, qptr: Offsets, tiebreak: Offsets | None) -> Floats:
    """The path of a measure known only by `of_ranking`: each query's tie groups averaged as the policy says."""
    rows = kernels.order_queries(s, qptr, tiebreak if m.ties == "docid" else None)
    out = np.empty(len(qptr) - 1)
    for q in range(len(out)):
        ranked = rows[qptr[q] : qptr[q + 1]]
        labels = y[ranked]
        out[q] = _EMPTY_VALUE[m.empty] if m.is_empty(labels) else tied.value(m.of_ranking, labels, s[ranked], m.ties)
    return out


def _refuse_empty(measures: list[Measure], values: Floats) -> None:
    for m, row in zip(measures, values, strict=True):
        if m.empty == "error" and np.isnan(row).any():
            raise InputError(
                f"every query must have something to find for {m}. Query number {int(np.isnan(row).argmax())} has "
                "nothing. Drop such queries, or use empty='skip', 'zero' or 'one'."
            )


def mean_of(per_query: Floats) -> float:
    """The mean over queries that are not NaN."""
    kept = per_query[~np.isnan(per_query)]
    return float(kept.mean()) if len(kept) else float("nan")
