"""A measure as scikit-learn's model selection takes it: ``scoring=make_ranking_scorer("nDCG@10")``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.evaluation.evaluate import chosen_measures, evaluated, judged_documents
from rankwright.measures import Measure, MeasureLike


@dataclass(frozen=True)
class RankingScorer:
    """Called with an estimator and judged documents, gives a number of which larger is better.

    Parameters
    ----------
    measure : what is measured, averaged over queries; negated where lower is better.
    """

    measure: Measure

    def get_metadata_routing(self) -> Any:
        """scikit-learn's routing: qid goes with X and y, without set_score_request."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        request.score.add_request(param="qid", alias=True)
        return request

    def __call__(self, estimator: Any, X: Any, y: Any = None, *, qid: Any = None) -> float:
        if isinstance(X, Dataset):
            judged, scores = judged_documents(X), estimator
        else:
            if qid is None:
                raise InputError(
                    "a ranking scorer needs to know the queries. Got no qid. Turn on "
                    "sklearn.set_config(enable_metadata_routing=True) and pass qid to fit, or params={'qid': qid}."
                )
            judged, scores = judged_documents(y, qid=qid), estimator.predict(X)
        value = evaluated(scores, judged, (self.measure,)).means[str(self.measure)]
        return -value if self.measure.lower_is_better else value


def make_ranking_scorer(measure: MeasureLike = "nDCG@10", *, preset: str | None = None) -> RankingScorer:
    """A scorer for ``GridSearchCV(scoring=...)``, ``cross_val_score(scoring=...)`` and their like.

    Each fold is scored query by query. Folds must hold whole queries: use ``GroupKFold`` with ``groups=qid``.

    Parameters
    ----------
    measure : what is measured, averaged over queries; the score is −measure where lower is better.
    preset : the conventions of another tool, such as ``"trec"``.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.SingleFeature().fit([[2], [1]], [0, 1], qid=[5, 5])
    >>> rw.make_ranking_scorer("AP")(ranker, [[2], [1]], [0, 1], qid=[5, 5])
    1.0
    """
    (chosen,) = chosen_measures(measure, preset)
    return RankingScorer(chosen)
