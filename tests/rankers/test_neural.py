"""RankNet, ListNet and ListMLE: their gradients as a whole, what they learn, and what they do not depend on."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rankwright as rw
from rankwright.errors import FormatError, InputError
from rankwright.models import NetworkModel
from rankwright.models.base import model_from_dict, model_to_dict
from rankwright.models.network import FURTHEST, activations, scaled
from rankwright.rankers.network import Adam, center_and_spread, drawn, gradients

CLASSES = [rw.RankNet, rw.ListNet, rw.ListMLE]


@pytest.fixture(scope="module")
def data() -> list[rw.Dataset]:
    return [rw.artificial(40, docs_per_query=12, n_features=5, rng=2, sample=s) for s in range(3)]


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("hidden", [(), (4,), (4, 3)])
def test_the_gradient_of_every_weight_is_the_slope_of_the_loss(cls: Any, hidden: tuple[int, ...], data: Any) -> None:
    part = data[0].replace(query_weight=np.linspace(0, 2, 40))
    rng = np.random.default_rng(0)
    layers = drawn((5, *hidden, 1), rng)
    z, slope_at = scaled(part.X, *center_and_spread(part, None)), cls(hidden=hidden).objective(part)
    acts = activations(z, layers)
    found = gradients(z, acts, layers, slope_at(acts[-1][:, 0]).gradient, 1)

    def loss_with(level: int, which: int, at: Any, step: float) -> float:
        moved = [[np.array(part) for part in layer] for layer in layers]
        moved[level][which][at] += step
        return slope_at(activations(z, [(W, b) for W, b in moved])[-1][:, 0]).loss

    for level, (W, b) in enumerate(layers):
        for which, shape in ((0, W.shape), (1, b.shape)):
            if (level, which) != (len(layers) - 1, 1):  # the last bias is no parameter
                at = tuple(rng.integers(0, shape))
                slope = (loss_with(level, which, at, 1e-5) - loss_with(level, which, at, -1e-5)) / 2e-5
                assert found[level][which][at] == pytest.approx(slope, rel=1e-4, abs=1e-8)


@pytest.mark.parametrize("cls", [*CLASSES, rw.LambdaRank])
def test_what_it_learns_holds_on_other_queries(cls: Any, data: Any) -> None:
    train, valid, test = data
    ranker = cls(n_rounds=60, learning_rate=0.005).fit(train, valid=valid)
    single = rw.SingleFeature().fit(train)
    assert ranker.score(test) > single.score(test) + 0.05
    if cls is not rw.LambdaRank:  # whose gradients are not those of a loss
        assert ranker.history_[-1]["loss"] < 0.8 * ranker.history_[0]["loss"]
    best = max(row["valid"] for row in ranker.history_)
    assert ranker.score(valid) == best == ranker.history_[ranker.best_round_ - 1]["valid"]
    assert ranker.model_.rounds == ()


def test_one_pair_by_hand() -> None:
    """x = ±1 after scaling, F = w z. RankNet's and ListMLE's loss, ln(1 + e^{−2w}), falls as w grows; ListNet's is
    least where 2w is the difference of labels. Adam's first step is the rate, whatever the slope."""
    w = drawn((1, 1), np.random.default_rng(4))[0][0][0, 0]
    assert w > 0.5
    p = np.e / (1 + np.e)
    cross = -p * np.log(1 / (1 + np.exp(-2 * w))) - (1 - p) * np.log(1 / (1 + np.exp(2 * w)))
    pairwise = np.log1p(np.exp(-2 * w))
    for cls, loss, step in ((rw.RankNet, pairwise, 0.25), (rw.ListMLE, pairwise, 0.25), (rw.ListNet, cross, -0.25)):
        ranker = cls(hidden=(), n_rounds=1, learning_rate=0.25, rng=4).fit([[3.0], [1.0]], [1, 0])
        assert ranker.model_.layers[0][0][0, 0] == pytest.approx(w + step, rel=1e-6)
        assert ranker.model_.layers[0][1].tolist() == [0.0]
        assert ranker.history_[0]["loss"] == pytest.approx(loss, rel=1e-6)
        assert ranker.predict([[3.0], [1.0], [2.0]]) == pytest.approx([w + step, -w - step, 0.0])


def test_adam_by_hand() -> None:
    """m = 0.1 g then 0.19 g, v = 0.001 g² then 0.001999 g², both corrected: two steps of the rate for a constant g."""
    adam, layers = Adam([(np.zeros((1, 1)), np.zeros(1))], 0.5), [(np.zeros((1, 1)), np.zeros(1))]
    for steps in (1, 2, 3):
        layers = adam.step(layers, [(np.full((1, 1), 4.0), np.full(1, -2.0))])
        assert layers[0][0][0, 0] == pytest.approx(-0.5 * steps, rel=1e-6)
        assert layers[0][1][0] == pytest.approx(0.5 * steps, rel=1e-6)


@pytest.mark.parametrize("cls", CLASSES)
def test_with_all_queries_a_step_their_order_does_not_matter(cls: Any, data: Any) -> None:
    turned = data[0].queries(np.arange(40)[::-1])
    one, other = (cls(n_rounds=10, batch=None).fit(part).predict(data[1]) for part in (data[0], turned))
    assert one == pytest.approx(other, rel=1e-7)


def test_lambdarank_pulls_by_what_a_swap_changes() -> None:
    """s = (0, 1), the first document better: RR is ½ now and 1 after the swap, ρ = 1/(1 + e^{−1})."""
    part = rw.Dataset([[1.0], [2.0]], [1, 0], group=[2], query_weight=[4.0], doc_weight=[3.0, 0.5])
    slope = rw.LambdaRank(measure="RR").objective(part)(np.array([0.0, 1.0]))
    expected = 3 * 0.5 * 0.5 / (1 + np.exp(-1))  # the query's weight is a share of the batch's
    assert slope.gradient == pytest.approx([-expected, expected])
    assert "loss" not in rw.LambdaRank(n_rounds=1).fit(part).history_[0]


def test_lambdarank_follows_all_pairs_first(data: Any) -> None:
    """As long as `pair_rounds` last it is RankNet, to the last bit, then no longer; it has no loss in any round."""
    options: dict[str, Any] = {"n_rounds": 6, "learning_rate": 0.01}
    pairs = rw.RankNet(**options).fit(data[0]).predict(data[1])
    first = rw.LambdaRank(pair_rounds=6, **options).fit(data[0])
    both = rw.LambdaRank(pair_rounds=3, **options).fit(data[0])
    alone = rw.LambdaRank(pair_rounds=0, **options).fit(data[0])
    assert (first.predict(data[1]) == pairs).all()
    for other in (pairs, alone.predict(data[1])):
        assert not np.allclose(both.predict(data[1]), other)
    assert all(set(row) == set(both.history_[0]) and "loss" not in row for row in both.history_)


def test_a_ranking_of_all_pairs_first_is_a_better_start_for_lambdas() -> None:
    """By the training measure itself, with rounds enough for both: λ alone stay in a worse place."""
    train = rw.artificial(200, docs_per_query=40, n_features=20, rng=3)
    after, alone = (rw.LambdaRank(n_rounds=60, learning_rate=0.003, pair_rounds=p).fit(train) for p in (20, 0))
    assert after.score(train) > alone.score(train)


def test_document_weights_are_copies_for_ranknet_and_refused_elsewhere(data: Any) -> None:
    part = data[0]
    weight = np.tile([1.0, 2.0, 0.0], part.n_docs // 3)
    rows = np.repeat(np.arange(part.n_docs), weight.astype(int))
    copies = rw.Dataset(part.X[rows], part.y[rows], qid=part.query_of_row[rows])
    fit = {"n_rounds": 5, "batch": None}
    weighted = rw.RankNet(**fit).fit(part.replace(doc_weight=weight)).predict(data[1])
    assert weighted == pytest.approx(rw.RankNet(**fit).fit(copies).predict(data[1]), rel=1e-6)
    with pytest.warns(UserWarning, match="takes no notice of document weights"):
        rw.ListNet(n_rounds=1).fit(part.replace(doc_weight=weight))


@pytest.mark.parametrize("cls", CLASSES)
def test_a_query_of_no_weight_does_not_count(cls: Any, data: Any) -> None:
    """Its labels are turned around; with weight 0 on it nothing changes."""
    part = data[0].queries(range(10))
    y = part.y.copy()
    y[part.query_of_row == 3] = y[part.query_of_row == 3][::-1]
    weight = np.where(np.arange(10) == 3, 0.0, 2.0)
    one, other = (
        cls(n_rounds=5, batch=None).fit(part.replace(y=labels, query_weight=weight)) for labels in (part.y, y)
    )
    assert (one.predict(part) == other.predict(part)).all()


def test_queries_without_pairs_teach_nothing(data: Any) -> None:
    flat = data[0].replace(y=np.ones(data[0].n_docs, np.float32))
    for cls in (*CLASSES, rw.LambdaRank):
        assert not cls(n_rounds=5).fit(flat).predict(flat).any()


MODEL = NetworkModel(
    np.array([1.0, 2.0]),
    np.array([2.0, 1.0]),
    ((np.array([[1.0, 0.5], [0.0, -1.0]]), np.array([0.0, 0.25])), (np.array([[2.0], [1.0]]), np.zeros(1))),
)


def test_scores_are_what_the_formula_says() -> None:
    """z = (1, −1): 2 tanh(1) + tanh(0.5 + 1 + 0.25). Missing is the mean, and ten deviations are the most there is."""
    X = np.array([[3, 1], [np.nan, np.nan], [1e30, 2]], dtype=np.float32)
    a, b, c = MODEL.scores(X)
    assert a == pytest.approx(2 * np.tanh(1) + np.tanh(1.75))
    assert b == pytest.approx(np.tanh(0.25))
    assert c == pytest.approx(2 * np.tanh(FURTHEST) + np.tanh(FURTHEST / 2 + 0.25))
    X = np.nan_to_num(X)
    assert (MODEL.scores(X) == MODEL.scores(sp.csr_matrix(X))).all()


def test_many_rows_are_scored_block_by_block() -> None:
    X = np.random.default_rng(0).normal(size=(9001, 2)).astype(np.float32)
    whole = MODEL.scores(X)
    assert all(MODEL.scores(X[i : i + 1])[0] == whole[i] for i in range(0, 9001, 900))


@pytest.mark.parametrize(
    "change",
    [
        {"layers": []},
        {"spread": [1.0, 0.0]},
        {"spread": [1.0]},
        {"layers": [{"weights": [[1.0, 1.0], [1.0, 1.0]], "biases": [0.0, 0.0]}]},
        {"layers": [{"weights": [[1.0]], "biases": [0.0]}]},
        {"layers": [{"weights": [[], []], "biases": []}, {"weights": [], "biases": [0.0]}]},
        {"center": [0.0, float("nan")]},
    ],
)
def test_a_damaged_network_is_refused(change: dict[str, Any], tmp_path: Any) -> None:
    whole = json.loads(json.dumps(model_to_dict(MODEL)))
    assert (
        model_from_dict(whole).scores(np.eye(2, dtype=np.float32)) == MODEL.scores(np.eye(2, dtype=np.float32))
    ).all()
    with pytest.raises(InputError):
        model_from_dict({**whole, **change})
    rw.RankNet(n_rounds=1).fit([[1.0, 0.0], [0.0, 1.0]], [1, 0]).save(tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    document["model"] = {**document["model"], **change}
    (tmp_path / "m.json").write_text(json.dumps(document))
    with pytest.raises(FormatError):
        rw.load(tmp_path / "m.json")
