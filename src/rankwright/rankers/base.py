"""What every ranker is: a scikit-learn estimator whose options are declared once, in the class body.

A ranker's file holds its options and `learn`, the loop of its paper; all the rest is here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self, dataclass_transform

import numpy as np
import numpy.typing as npt
from annotated_types import Ge

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.data.checked import as_weights
from rankwright.errors import InputError, NotFittedError, unknown
from rankwright.measures import MeasureLike, measure
from rankwright.models import Model
from rankwright.models.base import model_to_dict, read_document, whole_model, write_document
from rankwright.options import options_of
from rankwright.rankers.callbacks import Callback, EarlyStopping
from rankwright.rankers.estimator import Estimator
from rankwright.rankers.rounds import Rounds, Row

Floats = npt.NDArray[np.float64]

REGISTRY: dict[str, type[Ranker]] = {}


@dataclass_transform(kw_only_default=True)
@dataclass(kw_only=True, eq=False, repr=False)
class Ranker(Estimator):
    """Learns to rank documents from judged queries.

    Parameters
    ----------
    measure : what the ranker is judged by: on validation data, in `score`, and in training where it can be.
    n_threads : threads to use; None for all. The result does not depend on it.
    callbacks : watchers of the training; see :mod:`rankwright.rankers.callbacks`.

    Attributes
    ----------
    model_ : the fitted, immutable model.
    history_ : one row a round.
    best_round_ : the round that `model_` was taken from.
    n_features_in_, feature_names_in_ : what it was fitted on.
    """

    measure: MeasureLike = "nDCG@10"
    n_threads: Annotated[int, Ge(1)] | None = None
    callbacks: Sequence[Callback] = ()

    name: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    # scikit-learn's metadata routing: by default, these travel with X and y
    _routed: ClassVar[dict[str, dict[str, bool | None]]] = {
        "fit": {"qid": True, "sample_weight": True, "group": None, "query_weight": None, "valid": None},
        "score": {"qid": True, "group": None},
    }

    model_: Model = field(init=False)
    history_: list[Row] = field(init=False)
    best_round_: int = field(init=False)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        dataclass(kw_only=True, eq=False, repr=False)(cls)
        if cls.__dict__.get("name"):
            REGISTRY[cls.name] = cls

    # -- what a ranker adds ----------------------------------------------------------------------------------------

    @abstractmethod
    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> Model:
        """The paper's loop, and nothing else: from checked data to a model."""

    # -- fitting ---------------------------------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        sample_weight: Any = None,
        query_weight: Any = None,
        valid: Dataset | tuple[Any, Any, Any] | None = None,
    ) -> Self:
        """Learns from judged queries.

        Parameters
        ----------
        X : a Dataset, or documents × features.
        y : one label per document, when X is not a Dataset.
        qid : one query id per document, in any order; all documents are one query when it is left out.
        group : instead of `qid`, the number of rows of each query.
        sample_weight : one weight per document.
        query_weight : one weight per query, in order of first appearance, or a dict by query id.
        valid : data that chooses the best round and may stop training: a Dataset, or (X, y, qid).
        """
        self._check_options()
        train = _as_dataset(X, y, qid, group, sample_weight, query_weight)
        if train.n_docs == 0:
            raise InputError("there must be documents to learn from. Got 0 rows. Pass judged queries.")
        if valid is not None and not isinstance(valid, Dataset):
            valid_X, valid_y, valid_qid = valid
            valid = Dataset(valid_X, valid_y, qid=valid_qid)
        if valid is not None and valid.n_features != train.n_features:
            raise InputError(
                f"validation data must have the training data's {train.n_features} features. "
                f"Got {valid.n_features}. Read both with the same n_features."
            )
        rounds = Rounds(
            ranker=self.name or type(self).__name__,
            measure=measure(self.measure),
            train=train,
            valid=valid,
            callbacks=self._all_callbacks(),
            n_threads=self.threads,
        )
        self.n_features_in_ = train.n_features
        self.feature_names_in_ = np.array(train.feature_names, dtype=object)
        model = self.learn(train, valid, rounds)
        self.history_ = rounds.history
        self.best_round_ = rounds.best(self.best_without_valid)
        self.model_ = model.truncated(self.best_round_)
        return self

    best_without_valid: ClassVar[str] = "last"  # or "train": which round is kept when there is no validation data

    @property
    def threads(self) -> int:
        """The number of threads to use."""
        return self.n_threads or kernels.default_threads()

    def _check_fitted(self) -> None:
        if not hasattr(self, "model_"):
            name = type(self).__name__
            raise NotFittedError(f"{name} must be fitted first. It is not. Call fit, or rankwright.load.")

    def _check_options(self) -> None:
        measure(self.measure)
        for name, option in options_of(type(self)).items():
            if name not in ("measure", "callbacks"):
                option.check(getattr(self, name))

    def _all_callbacks(self) -> list[Callback]:
        patience = getattr(self, "patience", None)
        early = [] if patience is None else [EarlyStopping(patience, getattr(self, "tol", 0.0))]
        return [*early, *self.callbacks]

    # -- using -----------------------------------------------------------------------------------------------------

    def predict(self, X: Any) -> Floats:
        """One score per document, in the order of the rows passed; larger ranks higher."""
        if isinstance(X, Dataset):
            return np.asarray(X.to_caller(self._scores(X)))
        return self._scores(Dataset(X))

    def _scores(self, data: Dataset) -> Floats:
        self._check_fitted()
        if data.n_features != self.model_.n_features:
            raise InputError(
                f"X must have the {self.model_.n_features} features the ranker was fitted on. Got {data.n_features}."
            )
        return self.model_.query_scores(data.X, data.qptr)

    def rank(self, X: Any, *, qid: Any = None, group: Any = None, k: int | None = None) -> list[npt.NDArray[np.int64]]:
        """For each query, its rows from the best-ranked to the worst, as the caller numbers them; the first `k`."""
        data = _as_dataset(X, None, qid, group)
        rows = kernels.order_queries(self._scores(data), data.qptr, None, self.threads)
        if data.caller_rows is not None:
            rows = data.caller_rows[rows]
        return [rows[of_query][:k] for of_query in data]

    def score(self, X: Any, y: Any = None, *, qid: Any = None, group: Any = None) -> float:
        """The ranker's measure, averaged over queries; negated where lower is better, so that larger is better."""
        if not isinstance(X, Dataset) and qid is None and group is None:
            raise InputError(
                "score needs to know the queries. Got neither qid nor group. Pass qid=...; inside GridSearchCV and "
                "cross_val_score, turn on sklearn.set_config(enable_metadata_routing=True) and pass qid there."
            )
        data = _as_dataset(X, y, qid, group)
        judged = measure(self.measure)
        value = judged.mean(data.y, self._scores(data), data.qptr, doc_ids=data.doc_ids, n_threads=self.threads)
        return -value if judged.lower_is_better else value

    @property
    def feature_importances_(self) -> Floats:
        """How much each feature matters to the model; sums to 1."""
        self._check_fitted()
        importances = self.model_.feature_importances()
        if importances is None:
            raise AttributeError(f"{type(self).__name__} has no feature importances")
        return importances

    # -- keeping ---------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Writes the fitted ranker as JSON, whole or not at all; :func:`rankwright.load` reads it."""
        self._check_fitted()
        options = {n: _plain(getattr(self, n)) for n in options_of(type(self)) if n != "callbacks"}
        document = {
            "ranker": {"name": self.name, "options": options},
            "features": list(self.feature_names_in_),
            "best_round": self.best_round_,
            "history": [{k: v if np.isfinite(v) else None for k, v in row.items()} for row in self.history_],
            "model": model_to_dict(self.model_),
        }
        write_document(path, document)


def _plain(value: Any) -> Any:
    """An option as JSON has it; objects (a wrapped estimator, a generator) as their printed form."""
    if isinstance(value, np.generic):
        value = value.item()
    return value if isinstance(value, (int, float, str, bool, type(None))) else str(value)


def _as_dataset(X: Any, y: Any, qid: Any, group: Any, sample_weight: Any = None, query_weight: Any = None) -> Dataset:
    if not isinstance(X, Dataset):
        return Dataset(X, y, qid=qid, group=group, doc_weight=sample_weight, query_weight=query_weight)
    if any(part is not None for part in (y, qid, group, sample_weight)):
        raise InputError(
            "a Dataset brings its own labels, qids and document weights. Got some beside it. Pass X alone."
        )
    return X if query_weight is None else X.replace(query_weight=as_weights(query_weight, X.n_queries, "query_weight"))


def load(path: str | Path) -> Ranker:
    """A ranker as it was saved: same options, same scores, bit for bit."""
    document = read_document(path)
    model = whole_model(path, document)
    saved = document.get("ranker", {})
    if saved.get("name") not in REGISTRY:
        raise unknown(f"{path}: the ranker", saved.get("name"), REGISTRY)
    cls = REGISTRY[saved["name"]]
    known = options_of(cls)
    ranker = cls(**{n: v for n, v in saved.get("options", {}).items() if n in known})
    ranker.model_ = model
    ranker.history_ = [{k: np.nan if v is None else v for k, v in row.items()} for row in document.get("history", [])]
    ranker.best_round_ = int(document.get("best_round", len(ranker.history_)))
    ranker.n_features_in_ = model.n_features
    ranker.feature_names_in_ = np.array(document.get("features", []), dtype=object)
    return ranker
