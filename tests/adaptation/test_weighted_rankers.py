"""Target weights in every ranker that takes document weights: Ranking SVM, LambdaMART and nets beside the WRBs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import rankwright as rw
from rankwright.rankers import REGISTRY

RANKERS = [
    rw.RankingSVM(),
    rw.LambdaMART(n_trees=40, n_leaves=8),
    rw.RankNet(n_rounds=40, learning_rate=0.02),
    rw.LambdaRank(n_rounds=40, learning_rate=0.02),
    rw.RankBoost(n_rounds=40),
    rw.AddWRB(n_rounds=40),
]


@pytest.fixture(scope="module")
def domains() -> tuple[rw.Dataset, rw.Dataset, rw.TargetWeights]:
    """A source, a target whose documents crowd in one direction, and the weights."""
    source = rw.artificial(80, docs_per_query=15, n_features=6, rng=1)
    target = rw.artificial(60, docs_per_query=15, n_features=6, rng=1, tilt=4.0, sample=1)
    return source, target, rw.target_weights(source, target)


@pytest.mark.parametrize("ranker", [r for r in RANKERS if r.name != "lambdamart"], ids=lambda ranker: ranker.name)
def test_equal_weights_are_none(ranker: rw.Ranker, domains: Any) -> None:
    """Whatever they are; to LambdaMART, where a leaf must have some weight, only weights of 1 are none."""
    source, target, _ = domains
    equal = source.replace(doc_weight=np.full(source.n_docs, 0.25))
    plain, weighted = (clone(ranker).fit(data).predict(target) for data in (source, equal))
    assert weighted == pytest.approx(plain, rel=1e-6, abs=1e-6 * np.abs(plain).max())


@pytest.mark.parametrize("ranker", RANKERS, ids=lambda ranker: ranker.name)
def test_target_weights_move_the_ranker_towards_the_target(ranker: rw.Ranker, domains: Any) -> None:
    """Covariate shift, and models too small for the truth: what they learn depends on where the documents are."""
    source, target, weights = domains
    unweighted = ranker.unweighted() if isinstance(ranker, rw.AddWRB) else clone(ranker)
    gain = clone(ranker).fit(weights.weighted()).score(target) - unweighted.fit(source).score(target)
    assert gain > 0.01


@pytest.mark.parametrize("ranker", [rw.RankingSVM(), rw.LambdaMART(n_trees=15), rw.RankNet(n_rounds=10)], ids=repr)
def test_adapt_gives_them_document_weights(ranker: rw.Ranker, domains: Any) -> None:
    source, target, weights = domains
    found = rw.adapt(source, target, ranker, weights=weights, held_out=0.0)
    by_hand = clone(ranker).fit(weights.weighted())
    assert (found.rankers["weighted"].predict(target) == by_hand.predict(target)).all()


def test_who_takes_document_weights() -> None:
    takes = {name for name, cls in REGISTRY.items() if cls.uses_doc_weight and cls.__module__.startswith("rankwright.")}
    assert {"ranking_svm", "lambdamart", "lambdasmart", "ranknet", "lambdarank", "rankboost", "addwrb"} <= takes
