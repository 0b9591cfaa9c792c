"""scikit-learn's estimators as models: linear ones as numbers that can be saved, others as they are."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn, Self

import numpy as np
import numpy.typing as npt

from rankwright.data import Dataset
from rankwright.errors import InputError, unknown
from rankwright.models import ExpectedLabelModel, LinearModel, Model

Floats = npt.NDArray[np.float64]

NAMED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "ridge": ("sklearn.linear_model", "Ridge", {}),
    "least_squares": ("sklearn.linear_model", "LinearRegression", {}),
    "logistic": ("sklearn.linear_model", "LogisticRegression", {"solver": "newton-cholesky"}),
    "linear_svc": ("sklearn.svm", "LinearSVC", {"dual": "auto", "max_iter": 10_000}),
    "linear_svr": ("sklearn.svm", "LinearSVR", {"dual": "auto", "max_iter": 10_000}),
}


def new_estimator(wanted: Any, seed: int) -> Any:
    """An unfitted estimator: the named one, or a clone; its unset random states are set from the seed."""
    if isinstance(wanted, str):
        if wanted not in NAMED:
            raise unknown("estimator", wanted, NAMED)
        module, name, options = NAMED[wanted]
        wanted = getattr(import_module(module), name)(**options)
    if isinstance(wanted, type) or not all(hasattr(wanted, part) for part in ("fit", "predict", "get_params")):
        raise InputError(
            f"estimator must be a scikit-learn classifier or regressor, or one of {', '.join(NAMED)}. "
            f"Got {wanted!r:.60}. Pass an instance, such as Ridge()."
        )
    from sklearn.base import clone

    made = clone(wanted)
    unset = [n for n, v in made.get_params().items() if v is None and n.rpartition("__")[2] == "random_state"]
    return made.set_params(**dict.fromkeys(unset, seed))


def fitted_model(estimator: Any, train: Dataset, rel: float | None, missing: float | None) -> Model:
    """The estimator fitted to documents, as a model."""
    y = targets(estimator, train.y, rel)
    if is_classifier(estimator) and len(np.unique(y)) == 1:  # nothing to tell apart
        return LinearModel(np.zeros(train.n_features), float(y[0]))
    from sklearn.utils.validation import has_fit_parameter

    weight = doc_weights(train)
    if weight is not None and not has_fit_parameter(estimator, "sample_weight"):
        raise InputError(
            f"{type(estimator).__name__} takes no weights. Got document or query weights. Leave them out, or use "
            "an estimator with sample_weight."
        )
    model = EstimatorModel(estimator, missing, train.n_features)
    estimator.fit(model.filled(train.X), y, **({} if weight is None else {"sample_weight": weight}))
    return as_numbers(model, train.X)


def is_classifier(estimator: Any) -> bool:
    from sklearn import base

    return bool(base.is_classifier(estimator))


def takes_gaps(estimator: Any) -> bool:
    from sklearn.utils import get_tags

    return bool(get_tags(estimator).input_tags.allow_nan)


def targets(estimator: Any, y: npt.NDArray[np.float32], rel: float | None) -> npt.NDArray[Any]:
    """Labels as the estimator takes them: classes for a classifier, numbers for a regressor."""
    if not is_classifier(estimator):
        return y.astype(np.float64)
    if rel is not None:
        return (y >= rel).astype(np.int64)
    if (y != np.rint(y)).any():
        raise InputError(
            f"labels must be whole numbers for {type(estimator).__name__}. Got {y[y != np.rint(y)][0]}. "
            "Use a regressor, or rel=..."
        )
    return y.astype(np.int64)


def doc_weights(data: Dataset) -> Floats | None:
    """One weight per document: its own times its query's; None where there are none."""
    if data.query_weight is None:
        return data.doc_weight
    of_query = np.asarray(data.query_weight[data.query_of_row])
    return of_query if data.doc_weight is None else of_query * data.doc_weight


@dataclass(frozen=True, eq=False)
class EstimatorModel(Model):
    """A fitted scikit-learn estimator. It scores, but is never written to a file: that would take a pickle.

    Parameters
    ----------
    estimator : the estimator.
    missing : what a missing value (NaN) counts as; None leaves it to the estimator.
    n_features : the number of columns.
    """

    estimator: Any
    missing: float | None
    n_features: int

    kind = "estimator"

    def scores(self, X: Any) -> Floats:
        values, name = self.filled(X), type(self.estimator).__name__
        if not is_classifier(self.estimator):
            return np.asarray(self.estimator.predict(values), dtype=np.float64).reshape(X.shape[0])
        classes = np.asarray(self.estimator.classes_, dtype=np.float64)
        if len(classes) == 2 and hasattr(self.estimator, "decision_function"):
            return np.asarray(self.estimator.decision_function(values), dtype=np.float64).reshape(X.shape[0])
        if not hasattr(self.estimator, "predict_proba"):
            raise InputError(
                f"{name} must have predict_proba for more than two labels. It has not. Use rel=... to tell relevant "
                "from other documents, or another classifier."
            )
        return np.asarray(self.estimator.predict_proba(values) @ classes, dtype=np.float64)

    def filled(self, X: Any) -> Any:
        """Features as float64, missing values filled in."""
        values = X.astype(np.float64)
        cells = values if isinstance(values, np.ndarray) else values.data
        gaps = np.isnan(cells)
        if self.missing is not None:
            cells[gaps] = self.missing
        elif gaps.any() and not takes_gaps(self.estimator):
            raise InputError(
                f"{type(self.estimator).__name__} takes no missing values. Got NaN. Use missing=0.0, or an estimator "
                "that does."
            )
        return values

    def feature_importances(self) -> Floats | None:
        found = getattr(self.estimator, "feature_importances_", None)
        if found is None or np.shape(found) != (self.n_features,):
            return None
        return np.asarray(found / np.sum(found)) if np.sum(found) > 0 else np.zeros(self.n_features)

    def to_dict(self) -> NoReturn:
        raise InputError(
            f"only linear estimators and multinomial logistic regression, with missing values counted as a number, "
            f"can be saved. This is {type(self.estimator).__name__}. Keep it with joblib, at your own risk."
        )

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        raise InputError("a scikit-learn estimator is never read from a file.")


def as_numbers(model: EstimatorModel, X: Any) -> Model:
    """The fitted estimator as plain numbers, where these give the same scores on `X`; else as it is."""
    expected = model.scores(X)
    coef, intercept = getattr(model.estimator, "coef_", None), getattr(model.estimator, "intercept_", 0.0)
    if coef is None or model.missing is None:
        return model
    weights = np.atleast_2d(coef.toarray() if hasattr(coef, "toarray") else coef)
    intercepts = np.ravel(intercept).astype(np.float64)
    if weights.shape[1] != model.n_features or weights.dtype.kind != "f":
        return model
    plain: Model
    if len(weights) == 1 and len(intercepts) == 1:
        plain = LinearModel(weights[0], float(intercepts[0]), model.missing)
    elif len(weights) == len(intercepts) == len(getattr(model.estimator, "classes_", ())):
        labels = np.asarray(model.estimator.classes_, dtype=np.float64)
        plain = ExpectedLabelModel(labels, weights, intercepts, model.missing)
    else:
        return model
    size = max(1.0, float(np.abs(expected).max(initial=0.0)))
    return plain if np.allclose(plain.scores(X), expected, rtol=1e-9, atol=1e-9 * size) else model
