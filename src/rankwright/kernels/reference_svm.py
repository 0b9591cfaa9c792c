"""NumPy twins of the kernels of structural SVMs: separation oracles, features times weights, the dual of the planes."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Features = npt.NDArray[np.float32]
Levels = npt.NDArray[np.int32]
Rows = npt.NDArray[np.int64]
Columns = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

RIDGE = 1e-13
EXACT = 1e-12
ENOUGH = 64  # pairs per feature


# -- the most violated ranking -----------------------------------------------------------------------------------


def most_violated(
    loss: str, scores: Floats, levels: Levels, brings: Floats, qptr: Rows, n_threads: int = 1
) -> tuple[Floats, Floats]:
    """Per document, its coefficient in ψ(the most violated ranking) − ψ(the true one); per query, that ranking's loss.

    Parameters
    ----------
    loss : "ap", "auc", "ndcg", "pairs" or "rr".
    scores : w·φ of every document.
    levels : the rank of its label in its query; above 0 is relevant.
    brings : its weight in pairs, its gain in nDCG.
    qptr : offsets of the queries.
    n_threads : taken, as the native kernel does.
    """
    if loss not in ("ap", "auc", "ndcg", "pairs", "rr"):
        raise ValueError(f"no loss is called {loss}")
    g, delta = np.zeros(len(scores)), np.zeros(len(qptr) - 1)
    for q, (a, b) in enumerate(itertools.pairwise(qptr)):
        s, level, own = scores[a:b], levels[a:b], brings[a:b]
        if loss in ("auc", "pairs"):
            g[a:b], delta[q] = _swapped(s, level, own, 2.0 if loss == "auc" else 1.0)
        elif loss == "ndcg":
            g[a:b], delta[q] = _ndcg(s, level, own)
        else:
            g[a:b], delta[q] = _ranking(s, level > 0, _ap if loss == "ap" else _rr)
    return g, delta


def _swapped(s: Floats, level: Levels, weight: Floats, slope: float) -> tuple[Floats, float]:
    """Every pair for itself is swapped where s_i − s_j < 1/slope."""
    pairs = np.where(level[:, None] > level[None, :], weight[:, None] * weight[None, :], 0.0)
    mass = pairs.sum()
    if mass == 0:
        return np.zeros(len(s)), 0.0
    swapped = np.where(s[:, None] - s[None, :] < 1.0 / slope, pairs, 0.0)
    return slope * (swapped.sum(axis=0) - swapped.sum(axis=1)) / mass, float(swapped.sum() / mass)


def smoothed_pairs(
    slope: float, width: float, scores: Floats, levels: Levels, weights: Floats, qptr: Rows, n_threads: int = 1
) -> tuple[Floats, Floats, Floats]:
    """The same for pairs that are swapped by shares: of a pair of margin m, (1 + width − m)/(2 width), at most 1.

    Per document its coefficient in ψ(swapped) − ψ(true); per query the mean share, and how much more the mean hinge is
    than what the two say.

    Parameters
    ----------
    slope : m is slope · (s_i − s_j).
    width : half of the margins between swapped and not.
    scores : w·φ of every document.
    levels : the rank of its label in its query.
    weights : its weight; a pair has the product.
    qptr : offsets of the queries.
    n_threads : taken, as the native kernel does.
    """
    g, (delta, excess) = np.zeros(len(scores)), np.zeros((2, len(qptr) - 1))
    for q, (a, b) in enumerate(itertools.pairwise(qptr)):
        s, level, own = scores[a:b], levels[a:b], weights[a:b]
        pairs = np.where(level[:, None] > level[None, :], own[:, None] * own[None, :], 0.0)
        if not pairs.any():
            continue
        pairs /= pairs.sum()
        margins = slope * (s[:, None] - s[None, :])
        shares = pairs * np.clip((1.0 + width - margins) / (2.0 * width), 0.0, 1.0)
        g[a:b], delta[q] = slope * (shares.sum(axis=0) - shares.sum(axis=1)), shares.sum()
        excess[q] = ((pairs * np.maximum(0.0, 1.0 - margins)).sum() - (shares * (1.0 - margins)).sum()).clip(0.0)
    return g, delta, excess


def newton_step(
    differences: Features, shares: Floats, w: Floats, slope: float, width: float, capacity: float, gradient: Floats
) -> Floats:
    """x of (I + C H) x = gradient, where H is the mean of slope²/(2 width) d dᵀ over pairs whose margin is within
    `width` of 1, and 0 of others; the first pairs will do, once there are ENOUGH of them within a feature.

    Parameters
    ----------
    differences : d, features of the better document less the worse one's, of pairs in random order.
    shares : what each pair counts for.
    w : margins are slope · d·w.
    slope, width : as above.
    capacity : C.
    gradient : what is to be made 0.
    """
    d = differences.astype(np.float64)
    within = np.flatnonzero(np.abs(1.0 - slope * (d @ w)) < width)
    enough = ENOUGH * len(w)
    looked_at = shares[: within[enough - 1] + 1].sum() if len(within) >= enough else shares.sum()
    used = within[:enough]
    per_pair = capacity * slope**2 / (2.0 * width * float(looked_at)) if looked_at > 0 else 0.0
    H = per_pair * ((d[used] * shares[used, None]).T @ d[used])
    return np.asarray(np.linalg.solve(np.eye(len(w)) + H, gradient), dtype=np.float64)


Place = Callable[[Floats, Floats], tuple[Rows, float]]


def _ranking(s: Floats, relevant: Bools, place: Place) -> tuple[Floats, float]:
    """A ranking of the relevant documents among the others: `place` says how many others are above each, and Δ."""
    g = np.zeros(len(s))
    C, C_ = (
        rows[np.argsort(-s[rows], kind="stable")] for rows in (np.flatnonzero(relevant), np.flatnonzero(~relevant))
    )
    if not len(C) or not len(C_):
        return g, 0.0
    above, delta = place(s[C], s[C_])
    stands_above = above[:, None] > np.arange(len(C_))[None, :]  # other document j above relevant document i
    per_pair = 2.0 / stands_above.size
    g[C], g[C_] = -per_pair * stands_above.sum(axis=1), per_pair * stands_above.sum(axis=0)
    for kind in (C, C_):
        for value in np.unique(s[kind]):
            ties = kind[s[kind] == value]
            g[ties] = g[ties].mean()
    return g, delta


def _slide(s: Floats, t: Floats, lost: Callable[[int, Rows], Floats]) -> Rows:
    """Algorithm 2 of the SVM-map paper: each other document slides up to where the sum below is largest.

    Parameters
    ----------
    s, t : scores of the relevant documents and of the others, descending.
    lost : what is lost with relevant documents i = 1..R when other document j comes to stand above them.
    """
    R, N = len(s), len(t)
    i = np.arange(1, R + 1)
    above = np.zeros(R, np.int64)
    for j in range(1, N + 1):
        gained = lost(j, i) - 2.0 * (s - t[j - 1]) / (R * N)
        delta = np.append(np.cumsum(gained[::-1])[::-1], 0.0)  # δ_j(k, R + 1) for k = 1..R + 1
        above[int(np.argmax(delta)) :] += 1
    return above


def _ap(s: Floats, t: Floats) -> tuple[Rows, float]:
    i, R = np.arange(1, len(s) + 1), len(s)
    above = _slide(s, t, lambda j, i: (i / (i + j - 1) - i / (i + j)) / R)
    return above, 1.0 - float((i / (i + above)).mean())


def _rr(s: Floats, t: Floats) -> tuple[Rows, float]:
    """With a others above the first relevant document, further ones have those above that score more, and those a."""
    R, N = len(s), len(t)
    own = (t[None, :] > s[:, None]).sum(axis=1)
    best, most = own, -np.inf
    for a in range(N + 1):
        above = np.append(a, np.maximum(own[1:], a))
        moved = np.arange(N)[None, :] < above[:, None]
        value = 1.0 - 1.0 / (a + 1) - 2.0 * float(np.where(moved, s[:, None] - t[None, :], 0.0).sum()) / (R * N)
        if value > most:
            best, most = above, value
    return best, 1.0 - 1.0 / float(best[0] + 1)


def _ndcg(s: Floats, level: Levels, gain: Floats) -> tuple[Floats, float]:
    """Every threshold for itself, weighted by its share of the ideal DCG."""
    g, delta = np.zeros(len(s)), 0.0
    discount = np.append(0.0, 1.0 / np.log2(1.0 + np.arange(1, len(s) + 1)))
    ideal = float(np.sort(gain)[::-1] @ discount[1:])
    if ideal <= 0:
        return g, 0.0
    for threshold in range(1, int(level.max()) + 1):
        relevant = level >= threshold
        best = float(discount[1 : relevant.sum() + 1].sum())
        share = float(gain[relevant].min() - gain[~relevant].max()) * best / ideal

        def place(s: Floats, t: Floats, best: float = best) -> tuple[Rows, float]:
            above = _slide(s, t, lambda j, i: (discount[i + j - 1] - discount[i + j]) / best)
            return above, 1.0 - float(discount[np.arange(1, len(s) + 1) + above].sum()) / best

        of_threshold, lost = _ranking(s, relevant, place)
        g, delta = g + share * of_threshold, delta + share * lost
    return g, delta


# -- features times weights --------------------------------------------------------------------------------------


def row_scores(x: Features, w: Floats, n_threads: int = 1) -> Floats:
    """Σ_k x_k w_k of every row, feature by feature: the same bits as of a CSR matrix."""
    scores = np.zeros(len(x))
    for k in range(len(w)):
        scores += x[:, k].astype(np.float64) * w[k]
    return scores


def column_sums(x: Features, numbers: Floats, scale: Floats, n_threads: int = 1) -> Rows:
    """Σ_d round(numbers_d x_dk scale_k) for every column k: whole numbers, so that no order matters."""
    terms = np.rint(numbers[:, None] * x.astype(np.float64) * scale).astype(np.int64)
    return np.asarray(terms.sum(axis=0))


def csr_row_scores(data: Features, indices: Columns, indptr: Rows, w: Floats, n_threads: int = 1) -> Floats:
    """The same of a CSR matrix."""
    row = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    return np.bincount(row, data.astype(np.float64) * w[indices], len(indptr) - 1).astype(np.float64)


def csr_column_sums(
    data: Features, indices: Columns, indptr: Rows, numbers: Floats, scale: Floats, n_threads: int = 1
) -> Rows:
    """The same of a CSR matrix."""
    terms = np.rint(np.repeat(numbers, np.diff(indptr)) * data.astype(np.float64) * scale[indices])
    sums = np.zeros(len(scale), np.int64)
    np.add.at(sums, indices, terms.astype(np.int64))
    return sums


# -- the dual of the cutting planes ------------------------------------------------------------------------------


def plane_weights(gram: Floats, b: Floats, capacity: float, start: Floats) -> Floats:
    """α ≥ 0 with Σα ≤ C that maximises b·α − ½ α·Gα, from some α that is feasible.

    An active set method: the problem is solved as if only the planes in use counted and none were bounded by 0; a
    plane that would fall below 0 on the way there leaves, a plane that is violated comes in, until none is.
    """
    largest = float(np.diag(gram).max(initial=0.0)) or 1.0  # planes that are all 0 still have a best α: as much as C
    alpha, used = start.copy(), np.flatnonzero(start > 0).tolist()
    full = bool(alpha.sum() >= capacity * (1 - 1e-12))  # Σα = C binds
    best, most, idle = alpha.copy(), -np.inf, 0
    for _ in range(50 * (len(b) + 10)):
        change = _direction(gram, b - gram @ alpha, alpha, used, full, RIDGE * largest)
        falls = np.flatnonzero((alpha[used] + change <= 0) & (change < 0))
        lengths = alpha[used][falls] / -change[falls]
        length, room = float(lengths.min(initial=1.0)), max(capacity - float(alpha.sum()), 0.0)
        fills = not full and float(change.sum()) * length > room
        if fills:
            length = room / float(change.sum())
        alpha[used] = np.maximum(alpha[used] + length * change, 0.0)
        if fills:
            full = True
            continue
        if len(falls):
            alpha[used.pop(int(falls[np.argmin(lengths)]))] = 0.0
            continue
        slope = b - gram @ alpha
        value = 0.5 * float(alpha @ (slope + b))
        best, most, idle = (alpha.copy(), value, 0) if value > most else (best, most, idle + 1)
        exact = EXACT * float((np.abs(b) + np.abs(b - slope)).max(initial=0.0))
        level = float(alpha @ slope) / capacity if full else 0.0  # the price of Σα
        worst = int(np.argmax(slope)) if len(b) else 0
        if idle >= 3 or not len(b):
            break
        if full and level < -exact:
            full = False  # less than C in all would be better
        elif slope[worst] - level <= exact:
            break
        elif worst not in used:
            used.append(worst)
    return best


def _direction(gram: Floats, slope: Floats, alpha: Floats, used: list[int], full: bool, ridge: float) -> Floats:
    """From α to the best on the planes in use without bounds; while `full`, the largest gives what they gain."""
    change = np.zeros(len(alpha))
    giver = [t for t in used if full and alpha[t] == alpha[used].max()][:1]
    others = [t for t in used if t not in giver]
    D = np.eye(len(alpha))[others]
    D[:, giver] = -1.0
    if others:
        change[others] = np.linalg.lstsq(D @ gram @ D.T + ridge * np.eye(len(others)), D @ slope)[0]
    change[giver] = -change.sum()
    return change[used]
