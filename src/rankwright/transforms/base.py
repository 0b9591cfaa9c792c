"""What every transformer is: a scikit-learn transformer that also takes and gives a Dataset."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, dataclass_transform

import numpy as np

from rankwright.data import Dataset
from rankwright.data.checked import numbered
from rankwright.errors import InputError
from rankwright.options import options_of
from rankwright.rankers import conventions as door
from rankwright.rankers.estimator import Estimator


@dataclass_transform(kw_only_default=True)
@dataclass(kw_only=True, eq=False, repr=False)
class Transformer(Estimator, ABC):
    """Makes features of features.

    Stands before a ranker in a scikit-learn Pipeline, with arrays or with a Dataset in place of X; of arrays, the query
    ids travel as metadata (``sklearn.set_config(enable_metadata_routing=True)``). Subclasses declare their options as
    fields, and write `learn` and `made`.

    Attributes
    ----------
    n_features_in_, feature_names_in_ : what it was fitted on; names only where the data had names.
    """

    needs_qid: ClassVar[bool] = False  # whether the rows of a query are looked at together
    _routed: ClassVar[dict[str, dict[str, bool | None]]] = {"fit": {"qid": True}, "transform": {"qid": True}}

    n_features_in_: int = field(init=False)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        dataclass(kw_only=True, eq=False, repr=False)(cls)

    @abstractmethod
    def learn(self, data: Dataset) -> None:
        """Learns what `made` needs, as attributes that end in an underscore."""

    @abstractmethod
    def made(self, data: Dataset) -> Any:
        """The new features, one row per document."""

    @abstractmethod
    def names_out(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The names of the new features, from those of the old."""

    def fit(self, X: Any, y: Any = None, *, qid: Any = None) -> Self:
        """Learns from documents.

        Parameters
        ----------
        X : a Dataset, or documents × features.
        y : one label per document, when X is not a Dataset; None where there are none.
        qid : one query id per document, in any order, when X is not a Dataset.
        """
        for name, option in options_of(type(self)).items():
            option.check(getattr(self, name))
        data = self._data(X, y, qid)
        door.refuse_empty(data, "X")
        self.n_features_in_ = data.n_features
        if data.feature_names != numbered(data.n_features):
            self.feature_names_in_ = np.array(data.feature_names, dtype=object)
        else:
            self.__dict__.pop("feature_names_in_", None)
        self.learn(data)
        return self

    def transform(self, X: Any, *, qid: Any = None) -> Any:
        """The new features: of a Dataset, a Dataset; else an array or sparse matrix, rows in the order passed.

        Parameters
        ----------
        X : a Dataset, or documents × features.
        qid : one query id per document, in any order, when X is not a Dataset.
        """
        if not hasattr(self, "n_features_in_"):
            raise door.not_fitted(f"{type(self).__name__} must be fitted first. It is not. Call fit.")
        data = self._data(X, None, qid)
        names = getattr(self, "feature_names_in_", None)
        door.refuse_other_features(type(self).__name__, self.n_features_in_, names, data)
        values = self.made(data)
        if isinstance(X, Dataset):
            return data.with_features(values, self.names_out(data.feature_names))
        if data.caller_rows is None:
            return values
        back = np.empty_like(data.caller_rows)
        back[data.caller_rows] = np.arange(len(back))
        return values[back]

    def fit_transform(self, X: Any, y: Any = None, *, qid: Any = None) -> Any:
        """`fit` and `transform` of the same documents."""
        return self.fit(X, y, qid=qid).transform(X, qid=qid)

    def _data(self, X: Any, y: Any, qid: Any) -> Dataset:
        if self.needs_qid and qid is None and not isinstance(X, Dataset):
            raise InputError(
                f"{type(self).__name__} needs to know the queries. Got no qid. Pass qid=...; in a Pipeline turn on "
                "sklearn.set_config(enable_metadata_routing=True), or pass a Dataset."
            )
        data = door.as_dataset(X, y, qid)
        if data.is_sparse:
            raise InputError(f"{type(self).__name__} needs dense features. Got a sparse matrix. Pass X.toarray().")
        return data

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the new features.

        Parameters
        ----------
        input_features : names of the old ones; those of the fit when left out.
        """
        fitted = getattr(self, "feature_names_in_", numbered(self.n_features_in_))
        names = tuple(map(str, fitted if input_features is None else input_features))
        return np.array(self.names_out(names), dtype=object)

    def set_transform_request(self, **requests: bool | str | None) -> Self:
        """Which metadata `transform` asks for in scikit-learn's routing."""
        return self._request("transform", requests)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags(preserves_dtype=["float32"])
        tags.target_tags.required = False
        tags.input_tags.sparse = False
        return tags
