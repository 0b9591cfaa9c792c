"""NumPy twins of the kernels of small networks: layers, and the losses of ranked lists."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Loss = tuple[float, Floats]  # of one query, and its gradient


def layer(x: npt.NDArray[np.floating], weights: Floats, bias: Floats, n_threads: int = 1) -> Floats:
    """bias + x · weights, one row per row of x; feature by feature, so that no row depends on its place."""
    out = np.tile(bias, (len(x), 1))
    for column, of_units in zip(x.T.astype(np.float64), weights, strict=True):
        out += column[:, None] * of_units
    return out


def layer_gradient(x: npt.NDArray[np.floating], upper: Floats, n_threads: int = 1) -> Floats:
    """xᵀ · upper: the gradient of a layer's weights, `upper` being that of what the layer makes."""
    return np.asarray(x.astype(np.float64).T @ upper)


def list_losses(
    loss: str,
    scores: Floats,
    labels: npt.NDArray[np.float32],
    levels: npt.NDArray[np.int32],
    weights: Floats | None,
    qptr: Rows,
    n_threads: int = 1,
) -> tuple[Floats, Floats]:
    """The gradient of each document's score, and the loss of each query.

    Parameters
    ----------
    loss : ``"pairs"`` (RankNet), ``"top_one"`` (ListNet) or ``"likelihood"`` (ListMLE).
    scores, labels : of the documents.
    levels : the ranks of the labels among the different ones of their query.
    weights : of the documents, for pairs alone; None for all the same.
    qptr : the queries' offsets.
    n_threads : threads to use.
    """
    gradients, losses = np.zeros(len(scores)), np.zeros(len(qptr) - 1)
    for q, (first, end) in enumerate(pairwise(qptr)):
        y: npt.NDArray[Any] = (labels if loss == "top_one" else levels)[first:end]
        s, w = scores[first:end], None if weights is None else weights[first:end]
        if len(y) and y.min() < y.max():
            made = pairs(s, y, w) if loss == "pairs" else top_one(s, y) if loss == "top_one" else likelihood(s, y)
            losses[q], gradients[first:end] = made
    return gradients, losses


def pairs(s: Floats, y: npt.NDArray[Any], w: Floats | None) -> Loss:
    """Σ w_i w_j ln(1 + exp(−(s_i − s_j))) over pairs with y_i > y_j, divided by Σ w_i w_j."""
    i, j = np.nonzero(y[:, None] > y[None, :])
    weight = np.ones(len(i)) if w is None else w[i] * w[j]
    if weight.sum() == 0:
        return 0.0, np.zeros(len(s))
    apart = s[i] - s[j]
    rho = weight * np.exp(-np.logaddexp(0.0, apart)) / weight.sum()
    loss = float(weight @ np.logaddexp(0.0, -apart) / weight.sum())
    return loss, np.asarray(np.bincount(j, rho, len(s)) - np.bincount(i, rho, len(s)), dtype=np.float64)


def top_one(s: Floats, y: npt.NDArray[Any]) -> Loss:
    """−Σ P_y ln P_s, P being the softmax: the chance of each document to stand first."""
    truth, ours = _log_softmax(y.astype(np.float64)), _log_softmax(s)
    return float(-np.exp(truth) @ ours), np.asarray(np.exp(ours) - np.exp(truth))


def _log_softmax(x: Floats) -> Floats:
    return np.asarray(x - np.logaddexp.reduce(x))


def likelihood(s: Floats, y: npt.NDArray[Any]) -> Loss:
    """−Σ_i ln(e^{s_i} / (e^{s_i} + Σ_{y_j < y_i} e^{s_j})): each document is drawn before all that are worse."""
    worse = y[:, None] > y[None, :]
    against = np.where(worse, s[None, :], -np.inf)
    logs = np.logaddexp(s, np.logaddexp.reduce(against, axis=1))
    shares = np.exp(np.where(worse, s[None, :] - logs[:, None], -np.inf))
    return float((logs - s).sum()), np.asarray(np.exp(s - logs) - 1.0 + shares.sum(axis=0))
