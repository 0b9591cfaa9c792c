"""Labels checked once, scores judged again and again."""

from __future__ import annotations

import numpy as np
import pytest

from rankwright.errors import InputError
from rankwright.measures import AP, ERR, RR, Measure, measure, measure_all
from rankwright.measures.values import Judge


class _First(Measure):
    """Known by its definition alone."""

    def of_ranking(self, labels):
        return float(labels[0])


def test_it_judges_scores_as_they_come() -> None:
    rng = np.random.default_rng(0)
    labels, qptr = rng.integers(0, 3, 30), [0, 7, 7, 30]
    kinds = [AP(), _First(), measure("nDCG(scores=single)@5"), RR(ties="docid"), ERR(), _First(scores="single")]
    ids = [f"d{i}" for i in range(30)]
    judge = Judge(kinds, labels, qptr, doc_ids=ids)
    for _ in range(3):
        scores = rng.integers(0, 9, 30) / 7
        values = judge.values(scores)
        assert np.array_equal(values, measure_all(kinds, labels, scores, qptr, doc_ids=ids))
        alone = [kind.per_query(labels, scores, qptr, doc_ids=ids) for kind in kinds]
        assert np.array_equal(values, alone)


def test_wrong_labels_are_refused_at_once_and_wrong_scores_when_they_come() -> None:
    for labels, said in (([0, -1], "labels must be finite"), ([[0, 1]], "one per document"), (["a"], "labels must be")):
        with pytest.raises(InputError, match=said):
            Judge([AP()], labels)
    judge = Judge([AP()], [0, 1])
    for scores, said in (([1], "one score per label"), ([1, np.nan], "NaN at row 1"), ([[1, 2]], "one score per")):
        with pytest.raises(InputError, match=said):
            judge.values(scores)
