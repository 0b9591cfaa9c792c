"""A linear separator of two domains: how likely a document is to come from the target, judged by separators that have
not seen it.

Each of several subsamples takes half of the queries of each domain, whole, for documents of one query are alike; the
same number of documents from both; and fits a separator on them. The documents of the other half get their
probabilities from it, and its AUC is measured there.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rankwright.data import Dataset

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Kind = Literal["logistic", "svm"]

LOWEST = 1e-6  # probabilities stay as far from 0 and 1: a weight of 0 would drop a document for good


@dataclass(frozen=True)
class Separation:
    """What the separators say.

    Parameters
    ----------
    probability : of each source document, that it is from the target.
    auc : of each subsample's separator, on documents it has not seen.
    importance : per feature, the mean coefficient of the standardised feature; positive where it is larger in the
        target.
    """

    probability: Floats
    auc: Floats
    importance: Floats


def separate(
    source: Dataset, target: Dataset, kind: Kind, n_subsamples: int, max_docs: int, rng: np.random.Generator
) -> Separation:
    """Fits separators to several subsamples.

    Parameters
    ----------
    source, target : the domains, with the same columns.
    kind : logistic regression, or a linear SVM whose decisions a sigmoid turns into probabilities.
    n_subsamples : how many.
    max_docs : documents of each domain in a subsample at most.
    rng : draws the subsamples.
    """
    from sklearn.metrics import roc_auc_score
    from threadpoolctl import threadpool_limits

    sums, times = np.zeros((2, source.n_docs)), np.zeros((2, source.n_docs))
    aucs, coefficients = np.empty(n_subsamples), np.zeros(source.n_features)
    with threadpool_limits(1, "blas"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # separators of perfectly separable data do not converge; the AUC says so
        for s in range(n_subsamples):
            fitted = [halves(part, rng) for part in (source, target)]
            size = min(max_docs, *(int(half.sum()) for half in fitted))
            rows = [rng.permutation(np.flatnonzero(half))[:size] for half in fitted]
            model = _separator(kind, source.is_sparse)
            model.fit(_stacked(source.X[rows[0]], target.X[rows[1]]), np.repeat([0, 1], size))
            of_source, of_target = (model.predict_proba(part.X)[:, 1] for part in (source, target))
            unseen = [~half if not half.all() else half for half in fitted]
            truth = np.repeat([0, 1], [int(part.sum()) for part in unseen])
            aucs[s] = roc_auc_score(truth, np.concatenate([of_source[unseen[0]], of_target[unseen[1]]]))
            for k, counted in enumerate((unseen[0], np.ones(source.n_docs, bool))):
                sums[k] += np.where(counted, of_source, 0.0)
                times[k] += counted
            coefficients += _coefficients(model) / n_subsamples
    judged = times[0] > 0  # a document that every subsample has taken has no better judges
    probability = np.where(judged, sums[0], sums[1]) / np.where(judged, times[0], times[1])
    return Separation(np.clip(probability, LOWEST, 1 - LOWEST), aucs, coefficients)


def halves(data: Dataset, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Documents of a random half of the queries; of a single query, half of its documents."""
    full = np.flatnonzero(data.group_sizes)
    if len(full) > 1:
        chosen = np.zeros(data.n_queries, bool)
        chosen[rng.permutation(full)[: (len(full) + 1) // 2]] = True
        return np.repeat(chosen, data.group_sizes)
    docs = np.zeros(data.n_docs, bool)
    docs[rng.permutation(data.n_docs)[: (data.n_docs + 1) // 2]] = True
    return docs


def _separator(kind: Kind, sparse: bool) -> Any:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC

    if kind == "logistic":
        linear: Any = LogisticRegression(class_weight="balanced", max_iter=1000)
    else:
        linear = CalibratedClassifierCV(LinearSVC(class_weight="balanced", random_state=0), method="sigmoid", cv=3)
    return make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler(with_mean=not sparse), linear)


def _coefficients(model: Any) -> Floats:
    linear = model[-1]
    found = linear.coef_ if hasattr(linear, "coef_") else [c.estimator.coef_[0] for c in linear.calibrated_classifiers_]
    mean: Floats = np.mean(found, axis=0)
    return mean


def _stacked(a: Any, b: Any) -> Any:
    if isinstance(a, np.ndarray):
        return np.concatenate([a, b])
    from scipy.sparse import vstack

    return vstack([a, b], format="csr")
