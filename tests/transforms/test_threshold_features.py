"""Scores to indicators of thresholds."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from hypothesis import given, strategies as st
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import rankwright as rw
from rankwright.errors import InputError
from rankwright.transforms.threshold_features import indicators, quantiles

NAN = np.nan


def _thresholds(x: list[float], y: list[float] | None = None, **options: object) -> list[float]:
    made = rw.ThresholdFeatures(**options).fit(np.array(x)[:, None], y)  # type: ignore[arg-type]
    return made.thresholds_[0].tolist()


def test_every_value_but_the_least_is_a_threshold_where_there_are_few() -> None:
    assert _thresholds([3, 1, 2, 2]) == [2, 3]


def test_as_many_documents_between_thresholds() -> None:
    # of 1..8 none lies below 2, the first that parts anything; 2..8 in three shares
    assert _thresholds([1, 2, 3, 4, 5, 6, 7, 8], n_thresholds=2, below=0.0) == [2, 6]
    assert _thresholds(list(range(101)), n_thresholds=4, below=0.0) == [1, 26, 51, 76]


def test_relevant_and_other_documents_count_alike() -> None:
    x, y = [*range(100), 200, 300], [0.0] * 100 + [1, 1]
    assert _thresholds(x, y, n_thresholds=2, below=0.0) == [200, 300]
    x, y = [0, 1, 2, 3, 4, 10], [1, 0, 0, 0, 0, 1]  # 1, 2, 3, 4 weigh ¼ each, 10 weighs ½
    assert _thresholds(x, y, n_thresholds=3, below=0.0) == [1, 3, 10]


def test_it_begins_where_all_but_a_few_relevant_documents_are() -> None:
    x, y = list(range(100)), [0.0] * 50 + [1.0] * 50
    assert min(_thresholds(x, y, below=0.0)) == 50
    assert min(_thresholds(x, y, below=0.2)) == 60
    assert min(_thresholds(x, y, below=0.2, spacing="even")) > 60


def test_even_spacing_ends_at_the_largest() -> None:
    assert _thresholds([0, 10, 3], n_thresholds=5, spacing="even", below=0.0) == [2, 4, 6, 8, 10]


def test_a_constant_or_missing_feature_has_no_column() -> None:
    X = np.array([[1.0, 5.0, NAN], [2.0, 5.0, NAN]])
    made = rw.ThresholdFeatures().fit(X, [0, 1])
    assert made.transform(X).toarray().tolist() == [[0], [1]]
    assert made.get_feature_names_out(["a", "b", "c"]).tolist() == ["a>=2.0"]


def test_a_missing_score_reaches_nothing() -> None:
    made = rw.ThresholdFeatures().fit([[1.0], [2.0], [3.0]])
    assert made.transform([[NAN], [2.5], [0.0]]).toarray().tolist() == [[0, 0], [1, 0], [0, 0]]


@given(
    st.lists(st.lists(st.sampled_from([NAN, -1.0, 0.0, 0.5, 1.0, 2.0]), min_size=2, max_size=2), min_size=1),
    st.lists(st.lists(st.sampled_from([-1.0, 0.0, 0.25, 1.0]), unique=True).map(sorted), min_size=2, max_size=2),
)
def test_indicators_are_comparisons(rows: list[list[float]], thresholds: list[list[float]]) -> None:
    X = np.array(rows, dtype=np.float32)
    got = indicators(X, [np.array(t, dtype=np.float32) for t in thresholds])
    expected = [
        [float(x >= k) for x, of_feature in zip(row, thresholds, strict=True) for k in of_feature] for row in rows
    ]
    assert got.has_canonical_format
    assert got.toarray().tolist() == expected


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=30), st.integers(1, 40), st.data())
def test_shares_are_equal_to_within_one_place(weights: list[float], n: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(weights) - 1))
    places = quantiles(np.array(weights), first, n)
    assert places[0] == first
    assert len(places) <= n
    assert (np.diff(places) > 0).all()
    ends = [*places[1:].tolist(), len(weights)]
    for a, b in zip(places.tolist(), ends, strict=True):
        share = sum(weights[first:]) / n
        assert sum(weights[a : b - 1]) <= share + 1e-9


def test_in_a_pipeline_with_arrays_and_with_datasets() -> None:
    data = rw.artificial(12, docs_per_query=10, n_features=3, rng=0)
    line = make_pipeline(rw.ThresholdFeatures(n_thresholds=5), rw.Pointwise())
    of_data = clone(line).fit(data)
    assert of_data.predict(data).shape == (120,)
    with sklearn.config_context(enable_metadata_routing=True):
        of_arrays = clone(line).fit(data.X, data.y, qid=data.qid)
        assert of_arrays.predict(data.X).tolist() == of_data.predict(data).tolist()
        assert of_arrays.score(data.X, data.y, qid=data.qid) > 0.5
    assert of_data[0].transform(data).is_sparse
    assert of_data[0].transform(data).feature_names[0].startswith("1>=")


def test_rows_come_back_in_the_order_they_came_in() -> None:
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    made = rw.ThresholdFeatures(n_thresholds=50).fit(X, qid=[1, 2, 1, 2])
    assert made.transform(X, qid=[1, 2, 1, 2]).toarray().tolist() == made.transform(X).toarray().tolist()


def test_refusals() -> None:
    with pytest.raises(InputError, match="n_thresholds must be"):
        rw.ThresholdFeatures(n_thresholds=0).fit([[1.0]])
    with pytest.raises(InputError, match="must be fitted first"):
        rw.ThresholdFeatures().transform([[1.0]])
    with pytest.raises(InputError, match="expecting 1 features"):
        rw.ThresholdFeatures().fit([[1.0], [2.0]]).transform([[1.0, 2.0]])
    with pytest.raises(InputError, match="spacing must be"):
        rw.ThresholdFeatures(spacing="log").fit([[1.0]])  # type: ignore[arg-type]
