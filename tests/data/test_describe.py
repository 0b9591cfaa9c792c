"""What is in the data is counted right, in blocks and for sparse features too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import rankwright as rw
from rankwright import Dataset, describe
from rankwright.data import inspection

NAN = float("nan")
ROWS = [
    # query, label, constant, within, varying, sometimes missing, all missing
    ("a", 0, 3, 1, 0.5, NAN, NAN),
    ("a", 2, 3, 1, 0.5, NAN, NAN),
    ("a", 0, 3, 1, -0.0, 1, NAN),
    ("b", 0, 3, 2, 0.0, 1, NAN),
    ("b", 0, 3, 2, 0.0, 1, NAN),
    ("c", 1, 3, 3, 0.0, 1, NAN),
]
NAMES = ["constant", "within", "varying", "sometimes", "never"]


def data() -> Dataset:
    X = np.array([row[2:] for row in ROWS])
    ids = ["d1", "d1", "d3", "d1", "d5", "d6"]
    return Dataset(X, [r[1] for r in ROWS], qid=[r[0] for r in ROWS], feature_names=NAMES, doc_ids=ids)


@pytest.mark.parametrize("block", [1, 5, 12, 1 << 20])
@pytest.mark.parametrize("sparse", [False, True])
def test_everything_is_counted(monkeypatch: pytest.MonkeyPatch, block: int, sparse: bool) -> None:
    monkeypatch.setattr(inspection, "BLOCK", block)
    held = data().replace(X=sp.csr_matrix(data().X)) if sparse else data()
    found = describe(held)
    assert (found.n_queries, found.n_docs, found.n_features, found.sparse) == (3, 6, 5, sparse)
    assert found.docs_per_query == (1, 2.0, 3)
    assert found.labels == {0: 4, 1: 1, 2: 1}
    assert found.label_range == (0, 2)
    assert found.queries_without_relevant == 1
    assert found.queries_with_one_label == 2
    assert found.missing == 2 + 6
    assert found.features_with_missing == {"sometimes": 2, "never": 6}
    assert found.constant_features == ("constant", "never")
    assert found.constant_within_queries == ("within",)
    assert found.duplicate_documents == 2
    assert found.conflicting_duplicates == 1
    assert found.duplicate_doc_ids == 1
    assert found.doc_ids
    assert not found.doc_weights


def test_it_prints_and_serialises() -> None:
    found = describe(data())
    text = str(found)
    assert "documents            6 (1 to 3 per query, median 2)" in text
    assert "0: 4 (66.7%)  1: 1 (16.7%)  2: 1 (16.7%)" in text
    assert "constant features    constant, never" in text
    assert json.loads(json.dumps(found.to_dict()))["docs_per_query"] == {"min": 1, "median": 2.0, "max": 3}
    assert json.loads(json.dumps(found.to_dict()))["labels"] == {"0": 4, "1": 1, "2": 1}


def test_many_labels_and_long_lists_of_names() -> None:
    found = describe(Dataset(np.zeros((50, 30)), np.arange(50)))
    assert found.labels is None
    assert "more than 20 different, 0 to 49" in str(found)
    assert "and 20 more" in str(found)
    assert found.conflicting_duplicates == 49


@pytest.mark.parametrize("X", [np.zeros((0, 3)), np.zeros((2, 0)), [[1.0]]])
def test_hardly_any_data(X: object) -> None:
    found = describe(Dataset(X))
    assert found.n_docs == len(X)  # type: ignore[arg-type]
    assert str(found)
    assert found.constant_within_queries == ()
    assert json.dumps(found.to_dict())


def test_duplicates_are_those_found_by_comparing_all_pairs() -> None:
    rng = np.random.default_rng(0)
    X, qid = rng.integers(0, 2, (300, 6)), rng.integers(0, 20, 300)
    seen: set[tuple[object, ...]] = set()
    expected = 0
    for query, row in zip(qid.tolist(), X.tolist(), strict=True):
        expected += (query, *row) in seen
        seen.add((query, *row))
    assert describe(Dataset(X, qid=qid)).duplicate_documents == expected > 0


def test_msn_sample(shared_data: Callable[[str], Path]) -> None:
    pytest.importorskip("rankwright.data.letor")
    found = describe(rw.read(shared_data("msn-sample/msn1.fold1.train.5k.txt.xz")))
    assert found.labels == {0: 2792, 1: 1458, 2: 665, 3: 55, 4: 30}
    assert found.n_queries == 43
