"""Growing a regression tree on gradients: best-first, from histograms, over any number of parts of the data.

paper     here         meaning
λ_i       gradients    the direction in which a document's score should move
w_i       hessians     how fast its λ falls as it moves
G, H      sums         Σ λ_i and Σ w_i over a leaf's documents
γ         value        of a leaf: G / (H + l2), one Newton step
          gain         G_l²/(H_l + l2) + G_r²/(H_r + l2) − G²/(H + l2); for MSE numbers of documents for H + l2

In histograms λ and w are whole numbers: multiples of a unit that is the same for the whole tree, rounded so that they
are right in the mean. Whole numbers add exactly, so the tree depends neither on threads nor on how the documents were
divided into parts. The values of leaves come from the λ and w themselves, in units fine enough to lose nothing.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.learners.coding import Coding
from rankwright.learners.growth import Growth
from rankwright.learners.part import Part
from rankwright.learners.tree import Tree
from rankwright.learners.units import Units

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int32]
Cells = npt.NDArray[np.int64]
Found = tuple[float, int, int, bool, int, int, bytes]
Bounds = tuple[float, float]

UNBOUNDED = (-np.inf, np.inf)


class HasPart(Protocol):
    """What holds the rows of a part of the data."""

    @property
    def part(self) -> Part: ...


class Parts(Protocol):
    """All the parts of the data; `rankwright.shards.Shards` is one."""

    def sum(self, statistic: Callable[..., Any], *args: Any) -> Any: ...

    def collect(self, part: Callable[..., Any], *args: Any) -> list[Any]: ...


@dataclass(frozen=True)
class Alone:
    """The only part."""

    part: Part

    def sum(self, statistic: Callable[..., Any], *args: Any) -> Any:
        return statistic(self, *args)

    def collect(self, part: Callable[..., Any], *args: Any) -> list[Any]:
        return [part(self, *args)]


class Grower:
    """Grows trees over one data set.

    Parameters
    ----------
    X : float32 features: a C-contiguous array, or a sparse matrix whose absent entries are 0.
    growth : how trees grow.
    coding : the codes of the features; found from X where it is None.
    n_threads : threads to use; the trees do not depend on it.
    """

    def __init__(self, X: Any, growth: Growth, coding: Coding | None = None, n_threads: int = 1) -> None:
        self.growth = growth
        self.coding = Coding.of(X, growth.max_bins, growth.categorical, n_threads) if coding is None else coding
        self.part = Part(X, self.coding, n_threads)

    @classmethod
    def of(cls, X: Any, growth: Growth, n_threads: int = 1) -> Grower:
        """Codes the features once, for all the trees to come."""
        return cls(X, growth, None, n_threads)

    def grow(
        self, gradients: Floats, hessians: Floats, rows: npt.NDArray[Any] | None = None, seed: int = 0
    ) -> tuple[Tree, Numbers]:
        """A tree on λ and w, and the leaf of every document, whether it was among `rows` or not.

        Parameters
        ----------
        gradients, hessians : λ and w of every document, weights within.
        rows : the documents to learn from, ascending; None: all.
        seed : of the features drawn, and of how gradients are rounded.
        """
        self.part.load(gradients, hessians, rows)
        tree = grow_over(Alone(self.part), self.growth, self.coding, seed, self.part.n_threads)
        return tree, self.part.leaf_of


@dataclass(order=True)
class Leaf:
    """A leaf that may still be split; the one with the largest gain comes first, the older one of equals."""

    order: tuple[float, int]
    index: int = field(compare=False)
    found: Found = field(compare=False)
    cells: Cells = field(compare=False)
    depth: int = field(compare=False)


def grow_over(parts: Parts, growth: Growth, coding: Coding, seed: int = 0, n_threads: int = 1) -> Tree:
    """A tree on what every part has loaded; afterwards each part's `leaf_of` has the leaf of its documents.

    Parameters
    ----------
    parts : everything that holds a `Part`.
    growth : how the tree grows.
    coding : the codes that all the parts have.
    seed : of the features drawn, and of how gradients are rounded.
    n_threads : threads to use; the tree does not depend on it.
    """
    return _Growing(parts, growth, coding, seed, n_threads).tree()


def _on_part(holder: HasPart, of_part: Callable[..., Any], *args: Any) -> Any:
    return of_part(holder.part, *args)


class _Growing:
    """A tree as it grows."""

    def __init__(self, parts: Parts, growth: Growth, coding: Coding, seed: int, n_threads: int) -> None:
        self.parts, self.growth, self.coding, self.n_threads = parts, growth, coding, n_threads
        self.features = growth.drawn(len(coding.features), seed)
        self.monotone = growth.directions(coding.features, coding.bins.n_features)
        self.is_categorical = coding.is_categorical
        self.units = Units.of(self._each(Part.extent), growth)
        self.limits = self.units.limits(growth)
        self.splits: list[tuple[Found, int]] = []  # with the number of documents
        self.left: list[int] = []
        self.right: list[int] = []
        self.link = {0: (-1, 0)}  # leaf → the split above it and the side
        self.counts = [self.units.n_docs]
        self.bounds = [UNBOUNDED]
        self.open: list[Leaf] = []
        self._each(Part.start, self.units, seed)

    def _each(self, of_part: Callable[..., Any], *args: Any) -> list[Any]:
        return self.parts.collect(_on_part, of_part, *args)

    def _sum(self, of_part: Callable[..., Any], *args: Any) -> Cells:
        sums: Cells = self.parts.sum(_on_part, of_part, *args)
        return sums

    def tree(self) -> Tree:
        if self.units.any_gradient and self._may_split(self.units.n_docs, 0):
            self._open(0, self._cells(0), 0)
        while self.open and len(self.counts) < self.growth.n_leaves:
            leaf = heapq.heappop(self.open)
            new = self._split(leaf)
            may = {child: self._may_split(self.counts[child], leaf.depth + 1) for child in (leaf.index, new)}
            if len(self.counts) < self.growth.n_leaves and any(may.values()):
                small, large = sorted(may, key=self.counts.__getitem__)
                cells = self._cells(small)
                leaf.cells -= cells
                for child, its_cells in ((small, cells), (large, leaf.cells)):
                    if may[child]:
                        self._open(child, its_cells, leaf.depth + 1)
        return self._finished()

    def _may_split(self, n_docs: int, depth: int) -> bool:
        deep = 0 < self.growth.max_depth <= depth
        return not deep and n_docs >= 2 * self.growth.min_docs and len(self.features) > 0

    def _cells(self, leaf: int) -> Cells:
        return self._sum(Part.cells, leaf, self.features, self.units.count_bits)

    def _open(self, index: int, cells: Cells, depth: int) -> None:
        """Finds the best split of a leaf, and puts the leaf among the open ones where there is any."""
        found: Found = kernels.best_split(
            cells,
            self.coding.cell_ptr,
            self.features,
            self.monotone,
            self.is_categorical,
            self.limits,
            self.bounds[index],
            self.units.count_bits,
            self.n_threads,
        )
        gain, feature = found[:2]
        if feature >= 0:
            heapq.heappush(self.open, Leaf((-gain, index), index, found, cells, depth))

    def _split(self, leaf: Leaf) -> int:
        """Turns a leaf into a split; its left child keeps the leaf's number, the right one's is returned."""
        _, f, _, _, _, counted, to_left = leaf.found
        s, old, new = len(self.splits), leaf.index, len(self.counts)
        above, side = self.link[old]
        if above >= 0:
            (self.left, self.right)[side][above] = s
        self.splits.append((leaf.found, self.counts[old]))
        self.left.append(~old)
        self.right.append(~new)
        self.link[old], self.link[new] = (s, 0), (s, 1)
        n_left = counted & self.units.count_mask
        self.counts[old], n_right = n_left, self.counts[old] - n_left
        self.counts.append(n_right)
        self.bounds[old], bounds = self._bounds_below(leaf)
        self.bounds.append(bounds)
        self._each(Part.divide, old, f, to_left)
        return new

    def _bounds_below(self, leaf: Leaf) -> tuple[Bounds, Bounds]:
        """Where the children's values must stay: below a split on a monotone feature, either side of the middle."""
        _, f, _, _, G_left, counted_left, _ = leaf.found
        low, high = self.bounds[leaf.index]
        sign = int(self.monotone[f])
        if sign == 0:
            return (low, high), (low, high)
        begin, end = self.coding.cell_ptr[f : f + 2]
        G, counted = (int(v) for v in leaf.cells[:, begin:end].sum(axis=1))
        l2, bits = self.limits[2], self.units.count_bits
        left = G_left / ((counted_left >> bits) + l2)
        right = (G - G_left) / (((counted - counted_left) >> bits) + l2)
        middle = (min(max(left, low), high) + min(max(right, low), high)) / 2
        below, above = (low, middle), (middle, high)
        return (below, above) if sign > 0 else (above, below)

    def _finished(self) -> Tree:
        value = self.units.values(self._sum(Part.settle, self.units.fine), self.growth.l2, np.array(self.bounds))
        found = [split for split, _ in self.splits]
        f = np.array([split[1] for split in found], dtype=np.int64)
        feature = self.coding.features[f].astype(np.int32)
        categories = {s: self._categories(split) for s, split in enumerate(found) if self.is_categorical[split[1]]}
        cuts, ptr = self.coding.bins.cuts, self.coding.bins.cut_ptr
        threshold = [0.0 if s in categories else cuts[ptr[feature[s]] + split[2]] for s, split in enumerate(found)]
        tree = Tree(
            feature=feature,
            threshold=np.array(threshold, dtype=np.float32),
            missing_left=np.array([split[3] for split in found], dtype=np.bool_),
            left=np.array(self.left, dtype=np.int32),
            right=np.array(self.right, dtype=np.int32),
            value=value,
            gain=np.array([split[0] for split in found]) * self.units.gain,
            split_count=np.array([n for _, n in self.splits], dtype=np.int64),
            leaf_count=np.array(self.counts, dtype=np.int64),
            categories=categories,
        )
        self._each(Part.place_others, tree)
        return tree

    def _categories(self, split: Found) -> tuple[int, ...]:
        known = self.coding.categories[int(self.coding.features[split[1]])]
        to_left = np.frombuffer(split[6], np.uint8)[: len(known)] > 0
        return tuple(sorted(known[to_left].astype(int).tolist()))
