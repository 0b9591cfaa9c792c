from __future__ import annotations

import json
import lzma
import warnings

import numpy as np
import pytest

import rankwright as rw
from rankwright.evaluation.comparison_text import in_spans
from rankwright.evaluation.tests_of_difference import effect_size, holm, paired_t, randomisation, wilcoxon


def systems(m=40, per=8, names="abc", seed=0):
    rng = np.random.default_rng(seed)
    y, qid = rng.integers(0, 3, m * per), np.repeat(np.arange(m), per)
    return {name: y + rng.normal(0, 1 + k, m * per) for k, name in enumerate(names)}, y, qid


def test_every_number_of_a_pair_comes_from_the_per_query_values():
    scores, y, qid = systems()
    found = rw.compare(scores, y, ["AP", "nDCG@5"], qid=qid, n_resamples=2_000, rng=3)
    values = {name: rw.evaluate(s, y, "nDCG@5", qid=qid).per_query["nDCG@5"] for name, s in scores.items()}
    d = values["a"] - values["c"]
    row = next(r for r in found.pairs().rows() if (r["measure"], r["a"], r["b"]) == ("nDCG@5", "a", "c"))
    assert row["difference"] == pytest.approx(d.mean())
    assert row["low"] < d.mean() < row["high"]
    assert (row["wins"], row["ties"], row["losses"]) == ((d > 1e-9).sum(), (abs(d) < 1e-9).sum(), (d < -1e-9).sum())
    assert row["p_t"] == pytest.approx(paired_t(d), rel=1e-6)
    assert row["p_wilcoxon"] == pytest.approx(wilcoxon(np.round(d, 12)), rel=1e-6)
    assert row["p_randomisation"] == randomisation(d, 2_000, 3)[0]
    assert row["effect"] == pytest.approx(effect_size(d))
    table = found.pairs()
    assert table.n_rows == 2 * 3
    for test in ("t", "wilcoxon", "randomisation"):
        assert table[f"holm_{test}"].tolist() == holm(table[f"p_{test}"]).tolist()


def test_the_leaderboard_is_in_order_and_marks_what_the_pairs_say():
    scores, y, qid = systems(m=150)
    found = rw.compare(dict(reversed(scores.items())), y, "nDCG@5", qid=qid, n_resamples=1_000)
    board = found.leaderboard()
    assert board["system"].tolist() == ["a", "b", "c"]
    assert (np.diff(board["nDCG@5"]) < 0).all()
    assert (board["nDCG@5 low"] < board["nDCG@5"]).all()
    assert (board["nDCG@5"] < board["nDCG@5 high"]).all()
    assert (found.pairs()["holm_randomisation"] <= 0.05).all()
    assert board["nDCG@5 beats"].tolist() == ["b, c", "c", ""]
    assert "> b c" in repr(found)


def test_lower_is_better_turns_wins_and_order_but_not_the_difference():
    class Upside(rw.Measure):
        name = "_upside"
        lower_is_better = True

        def of_ranking(self, labels):
            return 1.0 - float(labels[0] > 0)

    scores, y, qid = systems(m=60)
    up = rw.compare(scores, y, Upside(), qid=qid, n_resamples=500)
    down = rw.compare(scores, y, "nDCG(gain=[0,1,1])@1", qid=qid)
    assert up.leaderboard()["system"].tolist() == down.leaderboard()["system"].tolist()
    for column in ("wins", "ties", "losses"):
        assert up.pairs()[column].tolist() == down.pairs()[column].tolist()
    assert up.pairs()["difference"] == pytest.approx(-down.pairs()["difference"])
    assert up.pairs()["effect"] == pytest.approx(down.pairs()["effect"])


def test_a_baseline_is_compared_with_every_other():
    scores, y, qid = systems()
    pairs = rw.compare(scores, y, "AP", qid=qid, baseline="b", n_resamples=500).pairs()
    assert list(zip(pairs["a"].tolist(), pairs["b"].tolist(), strict=True)) == [("a", "b"), ("c", "b")]


def test_the_seed_decides_every_number():
    scores, y, qid = systems()
    one, same, other = (rw.compare(scores, y, "AP", qid=qid, n_resamples=500, rng=r) for r in (1, 1, 2))
    assert one.to_dict() == same.to_dict()
    assert one.to_dict() != other.to_dict()


def test_folds_are_pooled_query_by_query():
    scores, y, qid = systems(m=40)
    cut = 8 * 10  # ten queries, then thirty
    folds = [(y[:cut], qid[:cut]), (y[cut:], qid[cut:])]
    parted = {name: [s[:cut], s[cut:]] for name, s in scores.items()}
    found, whole = rw.compare(parted, folds, "AP"), rw.compare(scores, y, "AP", qid=qid)
    assert found.pairs().to_dict() == whole.pairs().to_dict()
    assert found.n_folds == 2
    first = {row["system"]: row for row in found.fold_means().rows()}["a"]
    first_half = rw.evaluate(parted["a"][0], folds[0], "AP").means["AP"]
    assert first["fold 1"] == first_half
    assert first["mean of folds"] == pytest.approx((first["fold 1"] + first["fold 2"]) / 2)
    pooled = found.leaderboard()["AP"][0]
    assert pooled == pytest.approx((first["fold 1"] * 10 + first["fold 2"] * 30) / 40)


def test_one_ranker_serves_all_folds():
    data = rw.Dataset([[3.0], [1.0], [2.0], [5.0]], [1, 0, 0, 1], qid=[1, 1, 2, 2])
    ranker = rw.SingleFeature(feature=0, direction="descending").fit(data)
    found = rw.compare({"r": ranker}, [data.queries([0]), data.queries([1])], "AP")
    assert found.leaderboard()["AP"].tolist() == [1.0]
    assert found.pairs().n_rows == 0


def test_evaluations_already_made():
    scores, y, qid = systems()
    made = {name: rw.evaluate(s, y, "AP", qid=qid) for name, s in scores.items()}
    assert rw.compare(made).to_dict() == rw.compare(scores, y, "AP", qid=qid).to_dict()


def test_identical_systems_are_not_different():
    scores, y, qid = systems(names="a")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = rw.compare({"a": scores["a"], "b": scores["a"]}, y, "AP", qid=qid)
        (row,) = found.pairs().rows()
        text = repr(found)
    assert (row["wins"], row["ties"], row["losses"]) == (0, 40, 0)
    assert (row["difference"], row["low"], row["high"], row["effect"]) == (0, 0, 0, 0)
    assert [row[f"p_{t}"] for t in ("t", "wilcoxon", "randomisation")] == [1.0, 1.0, 1.0]
    assert "*" not in text.split("[ ]")[0]


def test_one_query_says_nothing():
    found = rw.compare({"a": [2, 1], "b": [1, 2]}, [1, 0], "AP")
    (row,) = found.pairs().rows()
    assert (row["wins"], row["difference"]) == (1, 1 - 1 / 2)
    assert [row[f"p_{t}"] for t in ("t", "wilcoxon", "randomisation")] == [1.0, 1.0, 1.0]
    assert np.isnan([row["low"], row["high"]]).all()
    assert "[–, –]" in repr(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_all_ties_in_the_scores():
    found = rw.compare({"a": np.zeros(6), "b": np.ones(6)}, [0, 1, 0, 1, 0, 1], "AP", qid=[1, 1, 2, 2, 3, 3])
    assert found.pairs()["ties"].tolist() == [3]
    assert found.pairs()["p_t"].tolist() == [1.0]


def test_skipped_queries_are_dropped_in_pairs():
    y, qid = [1, 0, 0, 0, 1, 0], [1, 1, 2, 2, 3, 3]
    found = rw.compare({"a": [2, 1] * 3, "b": [1, 2] * 3}, y, "AP(empty=skip)", qid=qid)
    (row,) = found.pairs().rows()
    assert (row["n"], row["wins"], row["ties"], row["losses"]) == (2, 2, 0, 0)
    assert row["difference"] == 1 - 1 / 2


def test_queries_of_which_nothing_is_known():
    found = rw.compare({"a": [2, 1], "b": [1, 2]}, [0, 0], "AP(empty=skip)", qid=[1, 2])
    (row,) = found.pairs().rows()
    assert (row["n"], row["p_randomisation"]) == (0, 1.0)
    assert np.isnan(row["difference"])
    assert "–" in repr(found)


def test_weights_count_in_means_and_tests():
    scores, y, qid = systems(m=30, names="ab")
    weight = np.random.default_rng(1).integers(1, 5, 30).astype(float)
    found = rw.compare(scores, y, "AP", qid=qid, query_weight=weight)
    values = {name: rw.evaluate(s, y, "AP", qid=qid).per_query["AP"] for name, s in scores.items()}
    d = values["a"] - values["b"]
    (row,) = found.pairs().rows()
    assert row["difference"] == pytest.approx(np.average(d, weights=weight))
    assert row["p_t"] == pytest.approx(paired_t(d * weight), rel=1e-6)
    board = dict(zip(found.leaderboard()["system"].tolist(), found.leaderboard()["AP"].tolist(), strict=True))
    assert board["a"] - board["b"] == pytest.approx(row["difference"])
    assert "weighted" in repr(found)


def test_equal_weights_change_nothing():
    scores, y, qid = systems(m=30, names="ab")
    plain, weighted = (rw.compare(scores, y, "AP", qid=qid, query_weight=w) for w in (None, np.full(30, 2.0)))
    for column, values in plain.pairs().items():
        if values.dtype.kind == "f":
            assert weighted.pairs()[column] == pytest.approx(values)


def test_many_pairs_stay_out_of_the_repr():
    scores, y, qid = systems(m=10, names="abcdefg")
    found = rw.compare(scores, y, "AP", qid=qid, n_resamples=200)
    assert "The 21 pairs are in .pairs()" in repr(found)
    assert "W/T/L" not in repr(found)


def test_frames_take_the_tables():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    scores, y, qid = systems(m=10)
    found = rw.compare(scores, y, "AP", qid=qid, n_resamples=200)
    for table in (found.pairs(), found.leaderboard(), found.fold_means()):
        assert len(pd.DataFrame(table)) == len(pl.DataFrame(table)) == 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rw.compare({}, [1]), "systems must be a dict"),
        (lambda: rw.compare([[1.0]], [1]), "systems must be a dict"),
        (lambda: rw.compare({"a": [1.0]}, [1], baseline="b"), "baseline must be one of a"),
        (lambda: rw.compare({"a": [1.0]}, [1], confidence=95), "between 0 and 1"),
        (lambda: rw.compare({"a": [1.0]}, [1], n_resamples=1), "at least 100"),
        (lambda: rw.compare({"a": [1.0]}), "must be an Evaluation"),
        (lambda: rw.compare({"a": [1.0]}, [([1], [1]), ([1], [2])]), "list of 2 rankers or scores"),
        (lambda: rw.compare({"a": np.ones(2)}, [([1], [1]), ([1], [2])]), "Got ndarray"),
        (lambda: rw.compare({"a": [[1.0]]}, [([1], [1])], qid=[1]), "folds bring their own qid"),
        (
            lambda: rw.compare({"a": rw.evaluate([1], [1], "AP"), "b": rw.evaluate([1], [1], "nDCG")}),
            "must be measured alike",
        ),
        (
            lambda: rw.compare({"a": [rw.evaluate([1], [1], "AP")] * 2, "b": [rw.evaluate([1], [1], "AP")]}),
            "must have the same folds",
        ),
    ],
)
def test_bad_input_is_told(call, message):
    with pytest.raises(rw.InputError, match=message):
        call()


def judgements(path):
    with lzma.open(path, "rt") as file:
        lines = [line.split(maxsplit=2)[:2] for line in file]
    return np.array([float(y) for y, _ in lines]), np.array([q.removeprefix("qid:") for _, q in lines])


@pytest.fixture(scope="module")
def mq2008(shared_data):
    root, oracle = shared_data("mq2008"), shared_data("oracle/mq2008")
    names = ("LETOR", "LETOR_NN", "RankLib1", "RankLib20")
    folds = [judgements(root / f"S{(k + 3) % 5 + 1}.txt.xz") for k in (1, 2, 3)]
    return {n: [np.loadtxt(oracle / f"Fold{k}" / f"{n}_test.pred") for k in (1, 2, 3)] for n in names}, folds


def test_on_mq2008_tests_agree_with_scipy(mq2008):
    from scipy import stats

    scores, folds = mq2008
    found = rw.compare(scores, folds, "nDCG@10", n_resamples=10_000)
    a, b = (found.evaluations[n].per_query["nDCG@10"] for n in ("LETOR", "RankLib1"))
    row = next(r for r in found.pairs().rows() if (r["a"], r["b"]) == ("LETOR", "RankLib1"))
    assert row["n"] == len(a) == 470
    assert row["p_t"] == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-6)
    d = np.round(a - b, 12)
    normal = stats.wilcoxon(d, zero_method="wilcox", correction=False, method="asymptotic").pvalue
    assert row["p_wilcoxon"] == pytest.approx(normal, rel=1e-9)
    assert row["p_randomisation"] == pytest.approx(row["p_t"], abs=0.001)
    theirs = stats.bootstrap((a,), np.mean, n_resamples=9_999, rng=np.random.default_rng(0)).confidence_interval
    board = {r["system"]: r for r in found.leaderboard().rows()}["LETOR"]
    assert board["nDCG@10 low"] == pytest.approx(theirs.low, abs=0.002)
    assert board["nDCG@10 high"] == pytest.approx(theirs.high, abs=0.002)
    assert board["nDCG@10 beats"] == "RankLib20, RankLib1"


def test_among_very_many_pairs_what_is_different_is_still_significant() -> None:
    """Holm over 190 pairs × 3 measures with 100 signs: 570/101 > 1, if there were no more signs than resamples."""
    rng = np.random.default_rng(0)
    y = np.tile([0, 1, 0, 2, 0], 30)
    systems = {f"s{i}": y * (1 if i else -1) + 0.01 * rng.normal(size=len(y)) for i in range(20)}
    found = rw.compare(systems, y, ["AP", "RR", "nDCG"], qid=np.repeat(np.arange(30), 5), n_resamples=100)
    assert found.beaten("s1", "AP") == ["s0"]


@pytest.mark.parametrize(
    ("places", "said"),
    [([], ""), ([1], "b"), ([1, 2], "b c"), ([1, 2, 3], "b–d"), ([1, 4, 5, 6], "b e–g"), ([0, 1, 3, 4], "a b d e")],
)
def test_names_in_a_row_are_said_as_a_span(places, said):
    assert in_spans(places, "abcdefg") == said
