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
from rankwright.learners.sketch import Found, Sketch
from rankwright.learners.tree import Tree
from rankwright.learners.units import Units

Cells = npt.NDArray[np.int64]
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


@dataclass(order=True)
class Leaf:
    """A leaf that may be split; the one with the largest gain comes first, the older one of equals."""

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


def _itself(part: Part) -> Part:
    return part


class _Growing:
    """A tree as it grows."""

    def __init__(self, parts: Parts, growth: Growth, coding: Coding, seed: int, n_threads: int) -> None:
        self.parts, self.growth, self.coding = parts, growth, coding
        self.units = Units.of(self._each(Part.extent), growth)
        self.features = growth.drawn(len(coding.features), seed)
        self.monotone = growth.directions(coding.features, coding.bins.n_features)
        limits = self.units.limits(growth)
        self.known = coding.cell_ptr, self.features, self.monotone, coding.is_categorical, limits
        self.at_last = self.units.count_bits, n_threads
        self.sketch = Sketch(self.units.n_docs)
        self.bounds = [UNBOUNDED]
        self.open: list[Leaf] = []
        all_parts = self._each(_itself)
        self.alone: Part | None = all_parts[0] if len(all_parts) == 1 and all_parts[0].is_dense else None
        self._each(Part.start, self.units, seed)

    def _each(self, of_part: Callable[..., Any], *args: Any) -> list[Any]:
        return self.parts.collect(_on_part, of_part, *args)

    def _sum(self, of_part: Callable[..., Any], *args: Any) -> Cells:
        sums: Cells = self.parts.sum(_on_part, of_part, *args)
        return sums

    def tree(self) -> Tree:
        sketch, growth = self.sketch, self.growth
        if self.units.any_gradient and growth.n_leaves > 1 and self._may_split(0, 0):
            cells = self._sum(Part.cells, 0, self.features, self.units.count_bits)
            self._offer(0, kernels.best_split(cells, self.known, UNBOUNDED, *self.at_last), cells, 0)
        while self.open and sketch.n_leaves < growth.n_leaves:
            leaf = heapq.heappop(self.open)
            children = leaf.index, sketch.split(leaf.index, leaf.found, leaf.found[5] & self.units.count_mask)
            self._bound(children, leaf)
            more = sketch.n_leaves < growth.n_leaves
            within = [self.bounds[c] if more and self._may_split(c, leaf.depth + 1) else None for c in children]
            self._divide(leaf, children, (within[0], within[1]))
        for leaf in self.open:
            self._close(leaf.cells)
        sums = self._sum(Part.settle, self.units.fine)
        value = self.units.values(sums, growth.l2, np.array(self.bounds))
        tree = sketch.tree(self.coding, value, self.units.gain)
        self._each(Part.place_others, tree)
        return tree

    def _may_split(self, leaf: int, depth: int) -> bool:
        deep = 0 < self.growth.max_depth <= depth
        return not deep and self.sketch.counts[leaf] >= 2 * self.growth.min_docs and len(self.features) > 0

    def _offer(self, index: int, found: Found, cells: Cells, depth: int) -> None:
        """Puts a leaf among those that may be split, where a split betters it."""
        gain, feature = found[:2]
        if feature >= 0:
            heapq.heappush(self.open, Leaf((-gain, index), index, found, cells, depth))
        else:
            self._close(cells)

    def _close(self, cells: Cells) -> None:
        if self.alone is not None:
            self.alone.give_back(cells)

    def _divide(self, leaf: Leaf, children: tuple[int, int], within: tuple[Bounds | None, Bounds | None]) -> None:
        """Divides a leaf's documents, and offers its children, each within its bounds; None: not to be split."""
        small = int(self.sketch.counts[children[0]] > self.sketch.counts[children[1]])
        found: tuple[Found, Found] | None = None
        if self.alone is not None:  # the same in one step
            cells, found = self.alone.split(leaf.index, leaf.found, leaf.cells, small, self.known, within, self.at_last)
        else:
            self._each(Part.divide, leaf.index, leaf.found)
            if within == (None, None):
                return
            cells = self._sum(Part.cells, children[small], self.features, self.units.count_bits)
            leaf.cells -= cells
        both = (leaf.cells, cells) if small else (cells, leaf.cells)
        for side, bounds in enumerate(within):
            if bounds is not None:
                its = found[side] if found else kernels.best_split(both[side], self.known, bounds, *self.at_last)
                self._offer(children[side], its, both[side], leaf.depth + 1)
            else:
                self._close(both[side])

    def _bound(self, children: tuple[int, int], leaf: Leaf) -> None:
        """Where the children's values must stay: below a split on a monotone feature, either side of the middle."""
        _, f, _, _, G_left, counted_left, _ = leaf.found
        low, high = self.bounds[leaf.index]
        below = above = low, high
        sign = int(self.monotone[f])
        if sign != 0:
            begin, end = self.coding.cell_ptr[f : f + 2]
            G, counted = (int(v) for v in leaf.cells[:, begin:end].sum(axis=1))
            l2, bits = self.known[4][2], self.units.count_bits
            left = G_left / ((counted_left >> bits) + l2)
            right = (G - G_left) / (((counted - counted_left) >> bits) + l2)
            middle = (min(max(left, low), high) + min(max(right, low), high)) / 2
            below, above = ((low, middle), (middle, high)) if sign > 0 else ((middle, high), (low, middle))
        self.bounds[children[0]] = below
        self.bounds.append(above)
