"""Models of stumps and of positions, apart from the rankers that learn them."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from rankwright.errors import InputError
from rankwright.learners import Stump
from rankwright.models import PositionModel, StumpModel
from rankwright.models.base import model_from_dict, model_to_dict

STUMPS = StumpModel(((0.5, Stump(0, 1.5)), (-0.25, Stump(1, 0.0, True)), (1.0, Stump(0, 3.0))), 3)
POSITIONS = PositionModel(((2, 0.5), (0, -0.25), (2, 1.0)), 3)
X = np.array([[1, 1, 9], [2, np.nan, 8], [4, -1, 7]], dtype=np.float32)


def test_stumps_fire_above_their_threshold_and_where_told_for_missing_values() -> None:
    assert STUMPS.scores(X).tolist() == [0 - 0.25 + 0, 0.5 - 0.25 + 0, 0.5 + 0 + 1.0]
    assert STUMPS.truncated(1).scores(X).tolist() == [0, 0.5, 0.5]


def test_positions_count_the_documents_below_in_the_query() -> None:
    assert POSITIONS.scores(X).tolist() == [2 * 1.5 - 0 * 0.25, 1 * 1.5 - 1 * 0.25, 0 * 1.5 - 2 * 0.25]
    by_query = POSITIONS.query_scores(X, np.array([0, 2, 3]))
    assert by_query.tolist() == [1 * 1.5 - 0 * 0.25, 0 * 1.5 - 1 * 0.25, 0]
    assert POSITIONS.needs_queries
    assert not StumpModel.needs_queries


@pytest.mark.parametrize("model", [STUMPS, POSITIONS])
def test_written_and_read_and_scored_sparse(model: StumpModel | PositionModel) -> None:
    again = model_from_dict(model_to_dict(model))
    dense = np.nan_to_num(X)
    assert again.scores(dense).tolist() == model.scores(dense).tolist() == model.scores(sp.csr_matrix(dense)).tolist()
    importances = model.feature_importances()
    assert importances.sum() == pytest.approx(1.0)
    assert importances[0] == pytest.approx({"stumps": 1.5, "positions": 0.25}[model.kind] / 1.75)


@pytest.mark.parametrize("model", [STUMPS, POSITIONS])
def test_an_empty_model_scores_0(model: StumpModel | PositionModel) -> None:
    empty = model.truncated(0)
    assert empty.scores(X).tolist() == [0, 0, 0]
    assert empty.feature_importances().tolist() == [0, 0, 0]
    assert model_from_dict(model_to_dict(empty)).scores(X).tolist() == [0, 0, 0]


@pytest.mark.parametrize("kind", ["stumps", "positions"])
def test_a_step_that_names_no_feature_is_refused(kind: str) -> None:
    step = [0.5, 7, 0.0, False] if kind == "stumps" else [7, 0.5]
    with pytest.raises(InputError, match="must name features"):
        model_from_dict({"kind": kind, "n_features": 3, "steps": [step]})
