"""A measure as scikit-learn's model selection takes it: ``scoring=make_ranking_scorer("nDCG@10")``."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.base import BaseEstimator

from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.evaluation.evaluate import chosen_measures, evaluated, judged_documents
from rankwright.measures import MeasureLike


class RankingScorer(BaseEstimator):  # type: ignore[misc]
    """Called with an estimator and judged documents, gives a number of which larger is better.

    It is an estimator only so that scikit-learn routes `qid` to it, copies and prints it; its one method is the call.

    Parameters
    ----------
    measure : what is measured, averaged over queries; negated where lower is better.
    preset : the conventions of another tool, or None.
    """

    # scikit-learn's metadata routing: qid goes with X and y without set_score_request
    __metadata_request__score: ClassVar = {"qid": True}

    def __init__(self, measure: MeasureLike = "nDCG@10", preset: str | None = None) -> None:
        self.measure = measure
        self.preset = preset

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
        (m,) = chosen_measures(self.measure, self.preset)
        value = evaluated(scores, judged, (m,)).means[str(m)]
        return -value if m.lower_is_better else value


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
    >>> rw.make_ranking_scorer("AP")
    RankingScorer(measure='AP')
    """
    chosen_measures(measure)  # an unknown name is an error here, not in the middle of a search
    return RankingScorer(measure, preset)
