"""What scikit-learn and its users expect at a ranker's door, checked once."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from rankwright import errors
from rankwright.data import Dataset
from rankwright.data.checked import as_weights, numbered
from rankwright.errors import InputError
from rankwright.rankers.callbacks import Callback

_SHOWN = 5  # names listed in an error


def not_fitted(message: str) -> errors.NotFittedError:
    """The error of a ranker asked to predict before it was fitted; scikit-learn, where it is in use, knows it too."""
    return _not_fitted_class()(message) if "sklearn.exceptions" in sys.modules else errors.NotFittedError(message)


@cache
def _not_fitted_class() -> type[errors.NotFittedError]:
    from sklearn.exceptions import NotFittedError as TheirNotFittedError

    class NotFittedError(errors.NotFittedError, TheirNotFittedError):  # type: ignore[misc]
        def __reduce__(self) -> tuple[Any, ...]:
            return not_fitted, (str(self),)

    return NotFittedError


def as_dataset(
    X: Any, y: Any = None, qid: Any = None, group: Any = None, sample_weight: Any = None, query_weight: Any = None
) -> Dataset:
    """What was passed to a ranker, as a Dataset."""
    if not isinstance(X, Dataset):
        return Dataset(X, y, qid=qid, group=group, doc_weight=sample_weight, query_weight=query_weight)
    if any(part is not None for part in (y, qid, group, sample_weight)):
        raise InputError(
            "a Dataset brings its own labels, qids and document weights. Got some beside it. Pass X alone."
        )
    if isinstance(query_weight, dict):
        query_weight = [query_weight.get(q, 1.0) for q in X.query_ids.tolist()]
    return X if query_weight is None else X.replace(query_weight=as_weights(query_weight, X.n_queries, "query_weight"))


def refuse_unlabelled(X: Any, y: Any, name: str) -> None:
    """Labels may be left out only where a Dataset brings them."""
    if y is None and not isinstance(X, Dataset):
        raise InputError(f"{name} requires y to be passed, but the target y is None. Pass one label per document.")


def refuse_empty(data: Dataset, what: str) -> None:
    """There must be something to learn from."""
    n, k = data.n_docs, data.n_features
    if n == 0:
        raise InputError(
            f"there must be documents in {what}. Got 0 sample(s) (shape=({n}, {k})) while a minimum of 1 is required. "
            "Pass judged queries."
        )
    if k == 0:
        raise InputError(
            f"there must be features in {what}. Got 0 feature(s) (shape=({n}, {k})) while a minimum of 1 is required. "
            "Pass at least one column."
        )


def refuse_bad_weights(data: Dataset) -> None:
    """A Dataset whose parts were replaced has not been checked since."""
    as_weights(data.doc_weight, data.n_docs, "doc_weight")
    as_weights(data.query_weight, data.n_queries, "query_weight")


def as_valid(valid: Any, train: Dataset) -> Dataset | None:
    """Validation data: a Dataset, or (X, y, qid); with the features of the training data."""
    if valid is None:
        return None
    if isinstance(valid, Dataset):
        judged = valid
    else:
        if not isinstance(valid, (tuple, list)) or len(valid) != 3:
            raise InputError(f"valid must be a Dataset or (X, y, qid). Got {type(valid).__name__}. Pass one of them.")
        judged = Dataset(valid[0], valid[1], qid=valid[2])
    refuse_empty(judged, "valid")
    if judged.n_features != train.n_features:
        raise InputError(
            f"validation data must have the training data's {train.n_features} features. "
            f"Got {judged.n_features}. Read both with the same n_features."
        )
    names = named(train)
    if names is not None and named(judged) is not None:
        refuse_other_names(names, judged.feature_names)
    return judged


def named(data: Dataset) -> tuple[str, ...] | None:
    """The features' names; None when they are only numbers given for want of names."""
    return None if data.feature_names == numbered(data.n_features) else data.feature_names


def refuse_other_features(ranker: str, n_features: int, names: Sequence[str] | None, data: Dataset) -> None:
    """Documents to score must have the columns of the fit: the same names where both have names."""
    if names is not None and named(data) is not None:
        refuse_other_names(names, data.feature_names)
    if data.n_features != n_features:
        raise InputError(
            f"X has {data.n_features} features, but {ranker} is expecting {n_features} features as input. "
            "Pass the columns it was fitted on."
        )


def refuse_other_names(fitted: Sequence[str], got: Sequence[str]) -> None:
    if tuple(fitted) == tuple(got):
        return
    unseen, missing = sorted(set(got) - set(fitted)), sorted(set(fitted) - set(got))
    text = "The feature names should match those that were passed during fit.\n"
    if unseen:
        text += f"Feature names unseen at fit time:\n{_listed(unseen)}"
    if missing:
        text += f"Feature names seen at fit time, yet now missing:\n{_listed(missing)}"
    if not (unseen or missing):
        text += "Feature names must be in the same order as they were in fit.\n"
    raise InputError(text + "Pass the columns named in feature_names_in_, in that order.")


def _listed(names: list[str]) -> str:
    shown = [f"- {name}\n" for name in names[:_SHOWN]]
    return "".join(shown) + ("- ...\n" if len(names) > _SHOWN else "")


def as_callbacks(callbacks: Any) -> list[Callback]:
    """The watchers a ranker was given, each of them one."""
    if isinstance(callbacks, (str, Callback)) or not isinstance(callbacks, Iterable):
        raise InputError(f"callbacks must be a list of Callback objects. Got {callbacks!r:.60}. Pass [callback].")
    watchers = list(callbacks)
    for watcher in watchers:
        if not isinstance(watcher, Callback):
            raise InputError(
                f"callbacks must be Callback objects. Got {watcher!r:.60}. Subclass rankwright.rankers.Callback."
            )
    return watchers


def as_first(k: Any) -> int | None:
    """How many documents of a ranking are wanted; None for all."""
    if k is not None and (isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1):
        raise InputError(f"k must be a whole number of at least 1, or None. Got {k!r}. Leave it out for all.")
    return None if k is None else int(k)
