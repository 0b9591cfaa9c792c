"""Every registered ranker passes scikit-learn's own checks of estimators, save for a few, each with its reason."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from rankwright.rankers import REGISTRY, Ranker

OURS = {name: cls for name, cls in REGISTRY.items() if cls.__module__.startswith("rankwright.")}

NEEDS_QID = "score(X, y) without qid is an error here: one query of all documents would be a wrong number, silently"
EXPECTED = {
    "check_fit_score_takes_y": NEEDS_QID,
    "check_pipeline_consistency": NEEDS_QID,
    "check_n_features_in_after_fitting": NEEDS_QID + "; its other halves are in test_ranker_base",
    "check_dtype_object": "features that are no numbers are an InputError, which is a ValueError, not a TypeError",
}
OF_WEIGHTS = {  # a ranker that takes no notice of document weights says so instead
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
}
NOT_HERE = {"check_array_api_input": "runs only with SCIPY_ARRAY_API set, for estimators on other array libraries"}


def _checks_of(example: Ranker) -> list[Any]:
    with warnings.catch_warnings():  # rankers speak the protocol without BaseEstimator, to import quickly
        warnings.filterwarnings("ignore", message=".*does not inherit from `sklearn.base.BaseEstimator`")
        return list(estimator_checks_generator(example))


def _cases() -> list[Any]:
    cases = []
    for name, cls in sorted(OURS.items()):
        for i, example in enumerate(cls.examples()):
            for estimator, check in _checks_of(example):
                called = getattr(check, "func", check).__name__
                reason = EXPECTED.get(called, cls.exempt.get(called))
                marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
                if called not in NOT_HERE and (cls.uses_doc_weight or called not in OF_WEIGHTS):
                    cases.append(pytest.param(estimator, check, id=f"{name}-{i}-{called}", marks=marks))
    return cases


@pytest.mark.filterwarnings("ignore:.*takes no notice of document weights")
@pytest.mark.filterwarnings("ignore:.*queries have documents of one kind only")
@pytest.mark.filterwarnings("ignore:The labels are graded")
@pytest.mark.parametrize(("estimator", "check"), _cases())
def test_convention(estimator: Ranker, check: Any) -> None:
    assert check(estimator) is None  # it raises when the convention is broken
