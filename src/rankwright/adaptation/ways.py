"""The ways of coming from a judged source domain to a ranker for a target domain.

source         the ranker trained on the source, as if there were no other domain
weighted       the same, on the source's documents or queries weighed by how much they look like the target's
target         the ranker trained on the target's labels alone
submodel       a ranker that starts from the source ranker's scores and learns on the target's labels what they lack
interpolated   (1 − α) · source + α · target, each in units of its spread, α by exact line search on held-out labels
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from rankwright.adaptation.target_weights import TargetWeights
from rankwright.combination import optimal_combination
from rankwright.data import Dataset
from rankwright.data.splits import random_splits
from rankwright.errors import InputError
from rankwright.models import BlendModel
from rankwright.options import options_of
from rankwright.rankers import REGISTRY, LambdaMART, LambdaSMART, Ranker

LABELLED = ("target", "submodel", "interpolated")  # the ways that learn from target labels
WAYS = ("source", "weighted", *LABELLED)


@dataclass(frozen=True)
class Trainer:
    """What trains each way.

    Parameters
    ----------
    ranker : the ranker to adapt.
    submodel : the ranker that can start from another's scores.
    held_out : the share of the source's queries that choose the round.
    rng : seed of that choice.
    """

    ranker: Ranker
    submodel: Ranker
    held_out: float
    rng: int

    @property
    def plain(self) -> Ranker:
        """The ranker that knows nothing of target weights: for the weighted RankBoosts, RankBoost."""
        unweighted = getattr(self.ranker, "unweighted", None)
        made: Ranker = clone(self.ranker) if unweighted is None else unweighted()
        return made

    def on_source(self, source: Dataset) -> Ranker:
        return self._validated(self.plain, source)

    def weighted(self, weights: TargetWeights) -> Ranker:
        """Document weights where the ranker takes them, else query weights; the held-out queries count by theirs."""
        by_query = weights.weighted("queries")
        if not self.ranker.uses_doc_weight:
            return self._validated(clone(self.ranker), by_query)
        return self._validated(clone(self.ranker), weights.weighted(), by_query)

    def _validated(self, ranker: Ranker, source: Dataset, judged: Dataset | None = None) -> Ranker:
        """Fits on most of the queries; the round is the best one on the others."""
        numbers = Dataset(np.zeros((source.n_queries, 1)), group=np.ones(source.n_queries, int))
        n = min(round(self.held_out * source.n_queries), source.n_queries - 1)
        if n == 0 or source.n_queries < 5:
            return ranker.fit(source)
        split = next(random_splits(numbers, (source.n_queries - n, n, 0), rng=self.rng))
        train, held_out = (np.asarray(part.query_ids, int) for part in split[:2])
        return ranker.fit(source.queries(train), valid=(judged or source).queries(held_out))

    def on_target(self, train: Dataset, valid: Dataset) -> Ranker:
        return self.plain.fit(train, valid=valid)

    def from_source(self, fitted: Ranker, train: Dataset, valid: Dataset) -> Ranker:
        started: Ranker = clone(self.submodel).set_params(submodel=fitted)
        return started.fit(train, valid=valid)


def interpolated(source: Ranker, target: Ranker, valid: Dataset, measure: Any) -> Ranker:
    """Both rankers' scores, each divided by its spread; α is the best on the held-out labels.

    The result is the target's ranker with a blend of both models; `alpha_` says how much of it is the target's, and
    `combination_` what every other α would have been worth.
    """
    scores = [ranker.predict(valid) for ranker in (source, target)]
    spread = [max(float(s.std()), 1e-12) for s in scores]
    found = optimal_combination(scores[0] / spread[0], scores[1] / spread[1], valid, measure=measure, curve=True)
    both = copy.copy(target)
    both.alpha_, both.combination_ = found.alpha, found  # type: ignore[attr-defined]
    both.history_, both.best_round_ = [], 0  # a blend has no rounds
    both.model_ = BlendModel((((1 - found.alpha) / spread[0], source.model_), (found.alpha / spread[1], target.model_)))
    return both


def as_ranker(ranker: str | Ranker, **options: Any) -> Ranker:
    """A ranker, or the one of that name."""
    if isinstance(ranker, Ranker):
        return ranker
    return REGISTRY.as_typed(str(ranker))(**options)


def starting_from_another(ranker: Ranker, asked: str | Ranker | None) -> Ranker:
    """The ranker that boosts the source ranker's residuals: the one asked for, `ranker` itself if it can, or
    LambdaSMART with the options of a LambdaMART."""
    if asked is not None:
        made = as_ranker(asked, measure=ranker.measure)
        if "submodel" not in options_of(type(made)):
            raise InputError(
                f"submodel must be a ranker that starts from another. {type(made).__name__} does not. "
                "Pass a ranker with a `submodel` option."
            )
        return made
    if "submodel" in options_of(type(ranker)):
        return ranker
    if isinstance(ranker, LambdaMART):
        return LambdaSMART(**ranker.get_params(deep=False))
    return LambdaSMART(measure=ranker.measure, n_threads=ranker.n_threads)
