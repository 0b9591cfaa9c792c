"""What every ranker is: a scikit-learn estimator whose options are declared once, in the class body.

A ranker's file holds its options and `learn`, the loop of its paper; all the rest is here.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Self, dataclass_transform

import numpy as np
import numpy.typing as npt
from annotated_types import Ge

from rankwright import kernels
from rankwright.data import Dataset
from rankwright.data.checked import numbered
from rankwright.errors import InputError
from rankwright.measures import MeasureLike, measure
from rankwright.models import Model
from rankwright.models.base import top_rows, write_document
from rankwright.options import Unsaved, only_known_options, options_of
from rankwright.rankers import conventions as door
from rankwright.rankers.callbacks import Callback, Checkpoint, EarlyStopping
from rankwright.rankers.documents import Saved
from rankwright.rankers.estimator import Estimator
from rankwright.rankers.registry import REGISTRY
from rankwright.rankers.resuming import fingerprint, take_up, unfinished_part
from rankwright.rankers.rounds import Rounds, Row, measured

Floats = npt.NDArray[np.float64]


@dataclass_transform(kw_only_default=True)
@dataclass(kw_only=True, eq=False, repr=False)
class Ranker(Estimator, ABC):
    """Learns to rank documents from judged queries.

    To write one: subclass, give it a `name`, declare its options as fields, and write `learn`.
    :func:`rankwright.checks.check_ranker` then says what is still wrong with it.

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
    n_features_in_, feature_names_in_ : what it was fitted on; names only where the data had names.
    """

    measure: MeasureLike = "nDCG@10"
    n_threads: Annotated[int, Ge(1)] | None = None
    callbacks: Sequence[Callback] = ()

    name: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    best_without_valid: ClassVar[str] = "last"  # or "train": the round kept without validation data; "final": always
    uses_doc_weight: ClassVar[bool] = False  # otherwise fit warns that it takes no notice of them
    resumes: ClassVar[bool] = False  # whether `learn` can go on from a checkpoint
    handles_sparse: ClassVar[bool] = True  # otherwise fit refuses sparse features
    exempt: ClassVar[dict[str, str]] = {}  # checks (ours, scikit-learn's) that cannot hold, and why

    # scikit-learn's metadata routing: by default, these travel with X and y
    _routed: ClassVar[dict[str, dict[str, bool | None]]] = {
        "fit": {"qid": True, "sample_weight": True, "query_weight": True, "valid": True, "group": None},
        "score": {"qid": True, "sample_weight": True, "query_weight": True, "group": None},
    }

    model_: Model = field(init=False)
    history_: list[Row] = field(init=False)
    best_round_: int = field(init=False)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = "__init__" in cls.__dict__
        dataclass(kw_only=True, eq=False, repr=False)(cls)
        if not own:
            cls.__init__ = only_known_options(cls.__init__)  # type: ignore[method-assign]
        if cls.__dict__.get("name"):
            taken = REGISTRY.get(cls.name, cls)
            if (taken.__module__, taken.__qualname__) != (cls.__module__, cls.__qualname__):
                raise InputError(
                    f"a ranker's name must be its own. {cls.name!r} is {taken.__qualname__}'s. Choose one."
                )
            REGISTRY[cls.name] = cls

    # -- what a ranker adds ----------------------------------------------------------------------------------------

    @abstractmethod
    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> Model:
        """The paper's loop, and nothing else: from checked data to a model."""

    @classmethod
    def examples(cls) -> list[Self]:
        """Small instances for :func:`rankwright.checks.check_ranker`: quick to train, options that matter varied."""
        return [cls()]

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
        """Learns from judged queries. A fit that fails or is interrupted leaves the ranker as it was.

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
        door.refuse_unlabelled(X, y, type(self).__name__)
        train = door.as_dataset(X, y, qid, group, sample_weight, query_weight)
        door.refuse_empty(train, "X")
        door.refuse_bad_weights(train)
        self._check_handles(train)
        judged = door.as_valid(valid, train)
        before = dict(self.__dict__)
        try:
            self._forget()
            self._remember(train.n_features, train.feature_names)
            self._train(train, judged)
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        return self

    def _train(self, train: Dataset, valid: Dataset | None) -> None:
        rounds = Rounds(
            ranker=self.name or type(self).__name__,
            measure=measure(self.measure),
            train=train,
            valid=valid,
            callbacks=self._all_callbacks(),
            n_threads=self.threads,
            fallback=self.best_without_valid,
            saver=self._save_unfinished,
            unfinished=self._unfinished(train, valid),
        )
        with rounds:
            model = self.learn(train, valid, rounds)
        if not isinstance(model, Model):
            raise TypeError(f"{type(self).__name__}.learn must return a Model. It returned {type(model).__name__}.")
        self.history_ = rounds.history
        self.best_round_ = rounds.best()
        self.model_ = model.truncated(self.best_round_) if rounds.history else model

    def _forget(self) -> None:
        for fitted in [name for name in self.__dict__ if name.endswith("_")]:
            del self.__dict__[fitted]

    def _remember(self, n_features: int, names: Sequence[str]) -> None:
        self.n_features_in_ = n_features
        if tuple(names) != numbered(n_features):
            self.feature_names_in_ = np.array(names, dtype=object)

    @property
    def threads(self) -> int:
        """The number of threads to use."""
        return self.n_threads or kernels.default_threads()

    def _check_fitted(self) -> None:
        if not hasattr(self, "model_"):
            raise door.not_fitted(
                f"{type(self).__name__} must be fitted first. It is not. Call fit, or rankwright.load."
            )

    def _check_options(self, unsaved: bool = False) -> None:
        """Every option must be what its declaration says; `unsaved` ones only where nothing is trained."""
        measure(self.measure)
        door.as_callbacks(self.callbacks)
        for name, option in options_of(type(self)).items():
            value = getattr(self, name)
            if name not in ("measure", "callbacks") and not (unsaved and isinstance(value, Unsaved)):
                option.check(value)

    def _check_handles(self, data: Dataset) -> None:
        name = type(self).__name__
        if data.is_sparse and not self.handles_sparse:
            raise InputError(f"{name} needs dense features. Got a sparse matrix. Pass X.toarray().")
        if data.doc_weight is not None and not self.uses_doc_weight:
            warnings.warn(f"{name} takes no notice of document weights; query weights count.", UserWarning, 3)

    def _all_callbacks(self) -> list[Callback]:
        patience = getattr(self, "patience", None)
        early = [] if patience is None else [EarlyStopping(patience, getattr(self, "tol", 0.0))]
        return [*early, *self.callbacks]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.handles_sparse
        tags.target_tags.positive_only = True
        return tags

    # -- using -----------------------------------------------------------------------------------------------------

    def predict(self, X: Any) -> Floats:
        """One score per document, in the order of the rows passed; larger ranks higher."""
        self._check_fitted()
        data = door.as_dataset(X)
        return np.asarray(data.to_caller(self._scores(data)))

    def _scores(self, data: Dataset) -> Floats:
        self._check_fitted()
        names = getattr(self, "feature_names_in_", None)
        door.refuse_other_features(type(self).__name__, self.n_features_in_, names, data)
        return self.model_.query_scores(data.X, data.qptr)

    def rank(self, X: Any, *, qid: Any = None, group: Any = None, k: int | None = None) -> list[npt.NDArray[np.int64]]:
        """For each query, its rows from the best-ranked to the worst, as the caller numbers them; the first `k`."""
        data, first = door.as_dataset(X, None, qid, group), door.as_first(k)
        if first is not None:
            best = top_rows(self._scores(data), data.qptr, first)
            return best if data.caller_rows is None else [data.caller_rows[rows] for rows in best]
        rows = kernels.order_queries(self._scores(data), data.qptr, None, self.threads)
        if data.caller_rows is not None:
            rows = data.caller_rows[rows]
        return [rows[of_query] for of_query in data]

    def score(
        self,
        X: Any,
        y: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        query_weight: Any = None,
        sample_weight: Any = None,
    ) -> float:
        """The ranker's measure, averaged over queries; negated where lower is better, so that larger is better.

        Parameters
        ----------
        X, y, qid, group, query_weight : judged queries, as in `fit`.
        sample_weight : not used, since a measure is of whole lists; scikit-learn's Pipeline passes it to any `score`.
        """
        if not isinstance(X, Dataset) and qid is None and group is None:
            raise InputError(
                "score needs to know the queries. Got neither qid nor group. Pass qid=...; inside GridSearchCV and "
                "cross_val_score, turn on sklearn.set_config(enable_metadata_routing=True) and pass qid there."
            )
        door.refuse_unlabelled(X, y, type(self).__name__)
        data = door.as_dataset(X, y, qid, group, query_weight=query_weight)
        judged = measure(self.measure)
        value = measured(judged, self._scores(data), data, self.threads)
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
        self._check_options(unsaved=True)
        self._save(path, self.model_, self.best_round_, self.history_)

    def _unfinished(self, train: Dataset, valid: Dataset | None) -> tuple[Model, list[Row]] | None:
        """What a checkpoint to go on from holds."""
        asked = [c for c in self.callbacks if isinstance(c, Checkpoint) and c.resume]
        if asked and not self.resumes:
            raise InputError(f"{type(self).__name__} cannot go on from a checkpoint. Leave out resume.")
        for checkpoint in asked:
            options = self.get_params(deep=False)
            found = take_up(checkpoint.path, self.name, options, self._fingerprint(train, valid))
            if found is not None:
                return found
        return None

    def _fingerprint(self, train: Dataset, valid: Dataset | None) -> str:
        return fingerprint(train, valid)

    def _save_unfinished(self, path: str | Path, rounds: Rounds) -> None:
        best, unfinished = rounds.best(), {}
        resumable = rounds.resumable() if self.resumes else None
        if resumable is not None:
            model, n = resumable
            unfinished = {"unfinished": unfinished_part(model, n, rounds.known_data(self._fingerprint))}
        self._save(path, rounds.current_model().truncated(best), best, rounds.history, unfinished)

    def _save(
        self,
        path: str | Path,
        model: Model,
        best_round: int,
        history: Sequence[Row],
        more: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        if REGISTRY.get(self.name) is not type(self):
            raise InputError(
                f"a ranker needs a name of its own to be saved. {type(self).__name__} has none. "
                'Write name = "..." in its class body.'
            )
        options = {name: getattr(self, name) for name in options_of(type(self)) if name != "callbacks"}
        names = getattr(self, "feature_names_in_", numbered(self.n_features_in_))
        saved = Saved(self.name, options, list(names), best_round, history, model)
        write_document(path, {**saved.to_document(), **more})
