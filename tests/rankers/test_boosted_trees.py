"""LambdaMART, LambdaSMART, MART, McRank: what the papers say of them, and what their options do."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import rankwright as rw
from rankwright.errors import InputError
from rankwright.learners import Tree
from rankwright.models import SubmodelForest
from rankwright.rankers import LambdaMART, Progress
from rankwright.rankers.lambdas import Lambdas
from rankwright.shards import partitioned

TREE_RANKERS = [rw.LambdaMART, rw.LambdaSMART, rw.MART, rw.McRank]
QUICK = {"n_trees": 8, "min_docs": 5, "n_leaves": 6}


@pytest.fixture(scope="module")
def parts():
    return [rw.artificial(60, docs_per_query=20, n_features=8, sample=s) for s in range(3)]


def test_leaves_are_newton_steps(parts) -> None:
    train = parts[0]
    ranker = rw.LambdaMART(
        gradients="nDCG@10", n_trees=1, n_leaves=4, learning_rate=1.0, normalise=False, min_docs=5
    ).fit(train)
    lambdas, w = Lambdas(train, rw.measure("nDCG@10")).at(np.zeros(train.n_docs))
    tree: Tree = ranker.model_.trees[0]
    leaf = tree.leaves(train.X)
    for k in range(tree.n_leaves):
        assert tree.value[k] == pytest.approx(lambdas[leaf == k].sum() / w[leaf == k].sum(), rel=1e-6)


def test_each_tree_is_added_with_the_learning_rate(parts) -> None:
    ranker = rw.LambdaMART(learning_rate=0.25, **QUICK).fit(parts[0])
    assert (ranker.model_.weights == 0.25).all()
    assert len(ranker.model_.trees) == 8


def test_gradients_look_twice_as_deep(parts) -> None:
    train = parts[0]
    for measure, same in (("nDCG@5", "nDCG@10"), ("AP", "AP"), ("ERR@3", "ERR@6")):
        one = rw.LambdaMART(measure=measure, **QUICK).fit(train)
        other = rw.LambdaMART(measure=measure, gradients=same, **QUICK).fit(train)
        assert np.array_equal(one.predict(train), other.predict(train))


@pytest.mark.parametrize("measure", ["nDCG@5", "AP", "ERR", "RR", "P@3", "KendallTau", "AUC", "MeanNDCG", "Overlap@5"])
def test_any_measure_is_learned(parts, measure) -> None:
    ranker = rw.LambdaMART(measure=measure, n_trees=30, min_docs=5).fit(parts[0])
    first, last = ranker.history_[0]["train"], ranker.history_[-1]["train"]
    assert rw.measure(measure).better(last, first)


@pytest.mark.parametrize("cls", TREE_RANKERS)
@pytest.mark.parametrize("options", [{}, {"query_fraction": 0.5, "doc_fraction": 0.7, "feature_fraction": 0.5}])
def test_the_same_bits_for_any_threads_and_shards(parts, cls, options) -> None:
    def fit(n_threads):
        ranker = cls(n_threads=n_threads, rng=3, **QUICK, **options).fit(parts[0])
        return ranker.predict(parts[1]).tobytes()

    one = fit(1)
    assert fit(2) == one
    with partitioned(4):
        assert fit(2) == one


@pytest.mark.parametrize("cls", TREE_RANKERS)
def test_stages_and_truncation_are_the_rounds(parts, cls) -> None:
    train, valid, _ = parts
    ranker = cls(**QUICK).fit(train, valid=valid)
    kept = ranker.best_round_
    stages = list(ranker.staged_predict(valid))
    assert len(stages) == kept
    for n in (1, kept):
        short = ranker.truncated(n)
        assert np.array_equal(short.predict(valid), stages[n - 1])
        assert short.score(valid) == pytest.approx(ranker.history_[n - 1]["valid"], abs=1e-12)
    assert ranker.best_round_ == kept
    with pytest.raises(InputError, match="n_rounds must be"):
        ranker.truncated(len(ranker.history_) + 1)


def test_sparse_and_dense_data_give_the_same_trees(parts) -> None:
    train = parts[0]
    X = np.where(train.X > 0.3, train.X, 0).astype(np.float32)
    dense, sparse = train.replace(X=X), rw.Dataset(sp.csr_matrix(X), train.y, group=train.group_sizes)
    one, other = (rw.LambdaMART(**QUICK).fit(d) for d in (dense, sparse))
    assert np.array_equal(one.predict(dense), other.predict(sparse))


@pytest.mark.parametrize("cls", [rw.LambdaMART, rw.MART, rw.McRank])
def test_wide_sparse_data_give_the_scores_of_dense_ones(cls, tmp_path) -> None:
    rng = np.random.default_rng(0)
    X = sp.random(240, 3000, density=0.004, format="csr", random_state=0, dtype=np.float32)
    y, qid = rng.integers(0, 3, 240), rng.permutation(np.repeat(np.arange(12), 20))
    sparse, dense = rw.Dataset(X, y, qid=qid), rw.Dataset(X.toarray(), y, qid=qid)
    options = {"n_trees": 4, "min_docs": 3, "doc_fraction": 0.9}
    fitted = cls(**options).fit(sparse, valid=sparse)
    scores = fitted.predict(X)
    assert len(np.unique(scores)) > 4
    assert np.array_equal(scores, cls(**options).fit(dense, valid=dense).predict(X.toarray()))
    fitted.save(tmp_path / "model.json")
    assert np.array_equal(rw.load(tmp_path / "model.json").predict(X), scores)


def test_monotone_features_never_lower_a_score(parts) -> None:
    train = parts[0]
    signs = (1, -1, 0, 0, 0, 0, 0, 0)
    ranker = rw.LambdaMART(monotone=signs, n_trees=20, min_docs=5).fit(train)
    for k, sign in enumerate(signs[:2]):
        X = np.repeat(train.X[:50], 30, axis=0)
        X[:, k] = np.tile(np.linspace(-1, 1, 30), 50)
        steps = sign * np.diff(ranker.predict(X).reshape(50, 30), axis=1)
        assert steps.min() >= 0
        assert steps.max() > 0
    with pytest.raises(InputError, match="monotone must hold one sign per feature"):
        rw.LambdaMART(monotone=(1,), n_trees=1).fit(train)


def test_categories_have_no_order() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 12, (1200, 2))
    good = np.isin(X[:, 0], [1, 4, 6, 9])
    data = rw.Dataset(X, good.astype(int), group=np.full(60, 20))
    ranker = rw.LambdaMART(categorical=(0,), n_leaves=2, n_trees=1, min_docs=5).fit(data)
    assert ranker.score(data) == 1.0
    assert ranker.model_.trees[0].categories in ({0: (1, 4, 6, 9)}, {0: (0, 2, 3, 5, 7, 8, 10, 11)})


def test_weights_of_documents_and_queries_count(parts) -> None:
    train = parts[0]
    half = np.arange(train.n_queries) < 30
    alone = train.queries(np.flatnonzero(half))
    weighted = train.replace(query_weight=half.astype(float))
    for cls in (rw.LambdaMART, rw.MART):
        options = {"n_trees": 5, "min_docs": 1, "max_bins": 255}
        one = cls(**options).fit(alone).score(alone)
        other = cls(**options).fit(weighted).score(alone)
        assert other == pytest.approx(one, abs=0.05)
        assert cls(**options).fit(train.replace(doc_weight=np.linspace(0.1, 3, train.n_docs))).score(train) > 0.5


def test_exact_steps_are_the_best_there_are(parts) -> None:
    train, valid, _ = parts
    exact = rw.LambdaMART(step="exact", step_range=(0.0, 5.0), n_trees=1, min_docs=5, measure="nDCG").fit(train)
    (v,) = exact.model_.weights
    tree = exact.model_.trees[0].predict(train.X)
    best = rw.measure("nDCG").mean(train.y, v * tree, train.qptr)
    others = [rw.measure("nDCG").mean(train.y, a * tree, train.qptr) for a in (0.01, 0.1, 1.0, 4.9)]
    assert best >= max(others) - 1e-12
    first = rw.LambdaMART(step="exact", step_on="valid", n_trees=3, min_docs=5).fit(train, valid=valid)
    for row, after in zip(first.history_[:-1], first.history_[1:], strict=True):
        assert 0.1 <= row["step"] <= 5.0
        assert after["valid"] >= row["valid"] - 0.03
    halved = rw.LambdaMART(step="exact", step_shrinkage=0.5, n_trees=1, min_docs=5).fit(train)
    whole = rw.LambdaMART(step="exact", n_trees=1, min_docs=5).fit(train)
    assert halved.model_.weights[0] == whole.model_.weights[0] / 2


def test_refitted_weights_never_lower_the_training_measure(parts) -> None:
    train, valid, _ = parts
    plain = rw.LambdaMART(**QUICK).fit(train)
    again = rw.LambdaMART(refit=True, **QUICK).fit(train)
    assert len(again.history_) == len(plain.history_) + 1
    assert again.history_[-1]["train"] > plain.history_[-1]["train"]
    assert again.score(train) == pytest.approx(again.history_[-1]["train"], abs=1e-12)
    judged = rw.LambdaMART(refit=True, step_on="valid", **QUICK).fit(train, valid=valid)
    assert judged.best_round_ == len(judged.history_)  # exact on the queries that choose the round
    assert judged.score(valid) == pytest.approx(judged.history_[-1]["valid"], abs=1e-12)
    with pytest.raises(InputError, match="needs validation data"):
        rw.LambdaMART(refit=True, step_on="valid", **QUICK).fit(train)


def test_early_stopping_by_the_measure(parts) -> None:
    train, valid, _ = parts
    ranker = rw.LambdaMART(n_trees=300, patience=5, min_docs=5, learning_rate=0.5).fit(train, valid=valid)
    values = [row["valid"] for row in ranker.history_]
    assert len(values) == ranker.best_round_ + 5 < 300
    assert max(values) == values[ranker.best_round_ - 1]
    assert len(ranker.model_.trees) == ranker.best_round_


# -- LambdaSMART ----------------------------------------------------------------------------------------------------


def test_the_submodel_is_where_scores_start(parts, tmp_path) -> None:
    train, valid, test = parts
    for submodel in (rw.CoordinateAscent(n_restarts=1).fit(train), rw.LambdaMART(**QUICK).fit(train)):
        ranker = rw.LambdaSMART(submodel=submodel, **QUICK).fit(train, valid=valid)
        assert isinstance(ranker.model_, SubmodelForest)
        assert np.array_equal(ranker.truncated(0).predict(test), submodel.predict(test))
        by_hand = submodel.predict(test) + ranker.model_.forest.scores(test.X)
        assert np.array_equal(ranker.predict(test), by_hand)
        ranker.save(tmp_path / "model.json")
        assert np.array_equal(rw.load(tmp_path / "model.json").predict(test), ranker.predict(test))


def test_a_submodel_that_scores_within_its_query(parts) -> None:
    train = parts[0]
    submodel = rw.DiffRank(n_rounds=3).fit(train)
    assert submodel.model_.needs_queries
    ranker = rw.LambdaSMART(submodel=submodel, **QUICK).fit(train)
    start = submodel.predict(train)
    assert np.array_equal(ranker.predict(train), start + ranker.model_.forest.scores(train.X))


def test_a_submodel_must_be_fitted_and_fit_the_data(parts) -> None:
    with pytest.raises(InputError, match="must be fitted"):
        rw.LambdaSMART(submodel=rw.MART()).fit(parts[0])
    with pytest.raises(InputError, match="submodel must be a fitted ranker"):
        rw.LambdaSMART(submodel="model.json").fit(parts[0])
    other = rw.MART(**QUICK).fit(rw.artificial(20, n_features=3))
    with pytest.raises(InputError, match="same features"):
        rw.LambdaSMART(submodel=other).fit(parts[0])


def test_without_a_submodel_it_is_lambdamart(parts) -> None:
    smart = rw.LambdaSMART(doc_fraction=1.0, **QUICK).fit(parts[0])
    assert np.array_equal(smart.predict(parts[1]), rw.LambdaMART(**QUICK).fit(parts[0]).predict(parts[1]))


# -- McRank ---------------------------------------------------------------------------------------------------------


def test_mcrank_learns_the_shares_of_the_classes(parts) -> None:
    train = parts[0]
    ranker = rw.McRank(n_trees=1, n_leaves=2, learning_rate=1.0, min_docs=1).fit(train)
    model = ranker.model_
    leaf = model.forests[0].trees[0].leaves(train.X)
    K = len(np.unique(train.y))
    for k, label in enumerate(np.unique(train.y)):  # (K − 1)/K Σ (1[y = k] − 1/K) / Σ 1/K (1 − 1/K)
        tree = model.forests[k].trees[0]
        leaf = tree.leaves(train.X)
        for one in range(tree.n_leaves):
            share = (train.y[leaf == one] == label).mean()
            assert tree.value[one] == pytest.approx((K - 1) / K * (share - 1 / K) / (1 / K * (1 - 1 / K)), rel=1e-6)
    scores = ranker.predict(train)
    assert train.y.min() <= scores.min() <= scores.max() <= train.y.max()


def test_ordinal_has_a_class_fewer(parts) -> None:
    train = parts[0]
    ranker = rw.McRank(ordinal=True, **QUICK).fit(train)
    assert len(ranker.model_.forests) == len(np.unique(train.y)) - 1
    signs = (1,) + (0,) * 7
    scores = (
        rw.McRank(ordinal=True, monotone=signs, **QUICK)
        .fit(train)
        .predict(
            np.concatenate([train.X[:1] * 0 + np.eye(8, dtype=np.float32)[:1] * x for x in np.linspace(-1, 1, 20)])
        )
    )
    assert np.diff(scores).min() >= 0
    with pytest.raises(InputError, match="needs ordinal=True"):
        rw.McRank(monotone=signs).fit(train)
    with pytest.raises(InputError, match="at most 64 different labels"):
        rw.McRank().fit(train.replace(y=np.arange(train.n_docs, dtype=np.float32)))


# -- data with nothing to learn -------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", TREE_RANKERS)
@pytest.mark.parametrize("case", ["one label", "one document a query", "no features", "few documents"])
def test_nothing_to_learn(parts, cls, case) -> None:
    train = parts[0]
    if case == "one label":
        data = train.replace(y=np.ones(train.n_docs, np.float32))
    elif case == "one document a query":
        data = rw.Dataset(train.X, train.y, group=np.ones(train.n_docs, int))
    elif case == "no features":
        data = train.replace(X=np.full_like(train.X, np.nan))
    else:
        data = train.queries(np.arange(1))
    ranker = cls(n_trees=3, n_leaves=64, min_docs=1).fit(data, valid=parts[1])
    assert np.isfinite(ranker.predict(parts[1])).all()
    ranker.staged_predict(parts[1])
    assert ranker.feature_importances_.shape == (8,)


def test_wrong_options_are_told(parts) -> None:
    for options, message in (
        ({"step_range": (1.0,)}, "step_range must be two numbers"),
        ({"step": "best"}, "step"),
        ({"gradients": "nDG"}, "nDG"),
        ({"categorical": (99,)}, "categorical must name features"),
        ({"n_leaves": 1}, "n_leaves"),
        ({"measure": "nDCG(gain=[0,1])"}, "gain table"),
    ):
        with pytest.raises(InputError, match=message.replace("(", r"\(")):
            LambdaMART(n_trees=1, **options).fit(parts[0])


def test_importances(parts) -> None:
    ranker = rw.LambdaMART(**QUICK).fit(parts[0])
    for by in ("gain", "splits"):
        shares = ranker.importances(by)
        assert shares.sum() == pytest.approx(1.0)
    counted = sum(tree.n_splits for tree in ranker.model_.trees)
    assert (ranker.importances("splits") * counted == np.round(ranker.importances("splits") * counted)).all()
    assert np.array_equal(ranker.feature_importances_, ranker.importances("gain"))


def test_the_bar_shows_the_validation_measure_and_the_time_left(parts, capfd) -> None:
    rw.LambdaMART(callbacks=[Progress(force=True)], **QUICK).fit(parts[0], valid=parts[1])
    shown = capfd.readouterr().err
    assert "lambdamart" in shown
    assert "valid 0." in shown
    assert "0:00:0" in shown
