"""Presets against the tools whose conventions they are, on data with ties, empty queries and short lists."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from rankwright.errors import InputError
from rankwright.measures import PRESETS, measure, preset

RNG = np.random.default_rng(7)
SIZES = RNG.integers(1, 25, 60)
QPTR = np.concatenate([[0], np.cumsum(SIZES)])
N = int(QPTR[-1])
LABELS = RNG.choice(5, N, p=[0.5, 0.2, 0.1, 0.1, 0.1]).astype(float)
for empty_query in (5, 7):
    LABELS[QPTR[empty_query] : QPTR[empty_query + 1]] = 0
BINARY = (LABELS > 1).astype(float)
TIED = RNG.integers(0, 4, N) / 4
STRICT = RNG.permutation(N) / N
NEARLY_TIED = TIED + RNG.normal(scale=1e-9, size=N)  # ties in single precision only
DOC_IDS = np.array([f"d{i}" for i in RNG.permutation(N)])
CUTS = (1, 3, 10, 100)


def as_dicts(scores: np.ndarray) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    qrels, run = {}, {}
    for q, (a, b) in enumerate(pairwise(QPTR)):
        qrels[f"{q:02d}"] = dict(zip(DOC_IDS[a:b].tolist(), LABELS[a:b].astype(int).tolist(), strict=True))
        run[f"{q:02d}"] = dict(zip(DOC_IDS[a:b].tolist(), scores[a:b].tolist(), strict=True))
    return qrels, run


@pytest.mark.parametrize("scores", [TIED, STRICT, NEARLY_TIED], ids=["tied", "strict", "nearly tied"])
def test_trec_gives_pytrec_evals_value_of_every_query(scores: np.ndarray) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = as_dicts(scores)
    cuts = ",".join(map(str, CUTS))
    names = {f"ndcg_cut.{cuts}", f"P.{cuts}", f"recall.{cuts}", f"map_cut.{cuts}", "map", "ndcg", "recip_rank"}
    found = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run)
    spelled = {"ndcg_cut": "nDCG", "P": "P", "recall": "Recall", "map_cut": "AP"}
    pairs = [(f"{theirs}_{k}", f"{ours}@{k}") for theirs, ours in spelled.items() for k in CUTS]
    for theirs, ours in [*pairs, ("map", "AP"), ("ndcg", "nDCG"), ("recip_rank", "RR")]:
        wanted = [found[q][theirs] for q in sorted(qrels)]
        got = preset("trec", ours).per_query(LABELS, scores, QPTR, doc_ids=DOC_IDS)
        np.testing.assert_allclose(got, wanted, rtol=0, atol=3e-16 * 4, err_msg=ours)


def test_trec_takes_rel_as_ir_measures_does() -> None:
    ir_measures = pytest.importorskip("ir_measures")
    qrels, run = as_dicts(TIED)
    for text in ("AP(rel=2)", "P(rel=2)@5", "RR(rel=3)", "AP(rel=2)@10", "R(rel=2)@3", "nDCG@5"):
        theirs = ir_measures.parse_measure(text)
        wanted = {m.query_id: m.value for m in ir_measures.iter_calc([theirs], qrels, run)}
        got = preset("trec", text).per_query(LABELS, TIED, QPTR, doc_ids=DOC_IDS)
        np.testing.assert_allclose(got, [wanted[q] for q in sorted(qrels)], rtol=0, atol=1e-15, err_msg=text)


def test_nDCG_with_exponential_gain_is_ir_measures_exp_log2() -> None:
    ir_measures = pytest.importorskip("ir_measures")
    qrels, run = as_dicts(STRICT)
    theirs = ir_measures.parse_measure("nDCG(dcg='exp-log2')@5")
    wanted = {m.query_id: m.value for m in ir_measures.iter_calc([theirs], qrels, run)}
    got = measure("nDCG@5").per_query(LABELS, STRICT, QPTR)
    np.testing.assert_allclose(got, [wanted[q] for q in sorted(qrels)], rtol=0, atol=0.5e-5 + 1e-12)  # prints 5 digits


def test_sklearn_gives_its_functions_values() -> None:
    from sklearn.metrics import dcg_score, ndcg_score, roc_auc_score

    for a, b in pairwise(QPTR[:15]):
        y, s = LABELS[a:b], TIED[a:b]
        if len(y) == 1:
            continue  # scikit-learn refuses them
        for k in CUTS:
            assert preset("sklearn", f"DCG@{k}").mean(y, s) == pytest.approx(dcg_score([y], [s], k=k), abs=1e-14)
            assert preset("sklearn", f"nDCG@{k}").mean(y, s) == pytest.approx(ndcg_score([y], [s], k=k), abs=1e-15)
        if 0 < (y > 0).sum() < len(y):
            assert preset("sklearn", "AUC").mean(y, s) == pytest.approx(roc_auc_score(y > 0, s), abs=1e-15)
    one_label = [float("nan")]
    np.testing.assert_array_equal(preset("sklearn", "AUC").per_query([0, 0], [1, 2]), one_label)


def test_AP_without_ties_is_sklearns_label_ranking_average_precision() -> None:
    from sklearn.metrics import label_ranking_average_precision_score

    for a, b in pairwise(QPTR):
        relevant = LABELS[a:b] >= 1
        if relevant.any():
            wanted = label_ranking_average_precision_score([relevant], [STRICT[a:b]])
            assert measure("AP").mean(LABELS[a:b], STRICT[a:b]) == pytest.approx(wanted, abs=1e-15)


@pytest.fixture(scope="module")
def features() -> np.ndarray:
    """Few different rows, so that trained models tie many documents."""
    return np.stack([LABELS + RNG.integers(-2, 3, N), RNG.integers(0, 3, N)], axis=1).astype(float)


@pytest.mark.parametrize("labels", [LABELS, BINARY], ids=["graded", "binary"])
def test_lightgbm_reports_the_same(features: np.ndarray, labels: np.ndarray) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    recorded: dict[str, dict[str, list[float]]] = {}
    data = lightgbm.Dataset(features, labels, group=SIZES)
    options = {
        "objective": "lambdarank", "metric": ["ndcg", "map"], "eval_at": list(CUTS), "num_leaves": 4,
        "min_data_in_leaf": 5, "verbose": -1, "num_threads": 1,
    }  # fmt: skip
    record = lightgbm.record_evaluation(recorded)
    model = lightgbm.train(options, data, 3, valid_sets=[data], valid_names=["train"], callbacks=[record])
    scores = model.predict(features, raw_score=True)
    for k in CUTS:
        for theirs, ours in (("ndcg", "nDCG"), ("map", "AP")):
            wanted = recorded["train"][f"{theirs}@{k}"][-1]
            assert preset("lightgbm", f"{ours}@{k}").mean(labels, scores, QPTR) == pytest.approx(wanted, abs=1e-14)


@pytest.mark.parametrize("gain", ["exp2", "identity"])
@pytest.mark.parametrize("labels", [LABELS, BINARY], ids=["graded", "binary"])
def test_xgboost_reports_the_same(features: np.ndarray, labels: np.ndarray, gain: str) -> None:
    xgboost = pytest.importorskip("xgboost")
    data = xgboost.DMatrix(features, labels)
    data.set_group(SIZES)
    pairs = {f"ndcg@{k}{minus}": f"nDCG(gain={gain})@{k}" + minus for k in CUTS for minus in ("", "-")}
    if labels is BINARY:
        pairs |= {f"map@{k}{minus}": f"AP@{k}{minus}" for k in CUTS for minus in ("", "-")}
        pairs |= {f"pre@{k}": f"P@{k}" for k in CUTS} | {"map": "AP", "map-": "AP-"}
    recorded: dict[str, dict[str, list[float]]] = {}
    options = {
        "objective": "rank:ndcg", "eval_metric": list(pairs), "max_depth": 2, "eta": 1, "nthread": 1,
        "ndcg_exp_gain": gain == "exp2",
    }  # fmt: skip
    model = xgboost.train(options, data, 3, evals=[(data, "train")], evals_result=recorded, verbose_eval=False)
    scores = model.predict(data, output_margin=True)
    for theirs, ours in pairs.items():
        wanted = recorded["train"][theirs][-1]
        assert preset("xgboost", ours).mean(labels, scores, QPTR) == pytest.approx(wanted, abs=1e-14), theirs


def test_catboost_reports_the_same() -> None:
    utils = pytest.importorskip("catboost.utils")
    query = np.repeat(np.arange(len(SIZES)), SIZES)
    spelled = {"nDCG": "NDCG:type=Base;", "DCG": "DCG:type=Base;", "AP": "MAP:", "P": "PrecisionAt:",
               "Recall": "RecallAt:", "RR": "MRR:"}  # fmt: skip
    for k in CUTS:
        for ours, theirs in spelled.items():
            wanted = utils.eval_metric(LABELS, TIED, f"{theirs}top={k}", group_id=query)[0]
            got = preset("catboost", f"{ours}@{k}").mean(LABELS, TIED, QPTR)
            assert got == pytest.approx(wanted, abs=1e-13), (ours, k)
        wanted = utils.eval_metric(LABELS, TIED, f"NDCG:type=Exp;top={k}", group_id=query)[0]
        exponential = measure(f"nDCG(ties=worst,empty=one)@{k}")
        assert exponential.mean(LABELS, TIED, QPTR) == pytest.approx(wanted, abs=1e-13)


def test_ranklib_scores_as_its_sources_define() -> None:
    y = [2.0, 0.0, 1.0]
    s = [1.0, 1.0, 1.0]  # input order
    assert preset("ranklib", "P@10").mean(y, s) == 2 / 3
    assert preset("ranklib", "ERR@10").mean(y, s) == pytest.approx(3 / 16 + (1 - 3 / 16) * (1 / 16) / 3)
    assert preset("ranklib", "AP").mean(y, s) == pytest.approx((1 + 2 / 3) / 2)
    assert preset("ranklib", "nDCG@2").mean(y, s) == pytest.approx(3 / (3 + 1 / np.log2(3)))


def test_all_scores_equal_gives_what_each_tool_gives() -> None:
    y, s = [2, 1, 0, 0], [0.0] * 4
    by_tool = {
        "lightgbm": 1.0, "xgboost": 1.0, "ranklib": 1.0, "sklearn": 0.7302,
        "catboost": (2 / np.log2(5) + 1 / np.log2(4)) / (2 + 1 / np.log2(3)),
    }  # fmt: skip
    for tool, value in by_tool.items():
        assert preset(tool, "nDCG").mean(y, s) == pytest.approx(value, abs=5e-5), tool
    assert measure("nDCG").mean(y, s) == pytest.approx(0.7055, abs=5e-5)


def test_options_given_are_kept() -> None:
    assert preset("xgboost", "nDCG(gain=identity)@5") == measure("nDCG(ties=input,empty=one,gain=identity)@5")
    assert preset("trec", measure("AP(rel=2)")) == measure("AP(ties=docid,scores=single,rel=2)")


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_prints_and_parses(name: str) -> None:
    for kind in PRESETS[name].measures:
        m = preset(name, kind)
        assert measure(str(m)) == m


def test_unknown_presets_and_measures_the_tool_lacks_are_refused() -> None:
    with pytest.raises(InputError, match="Did you mean 'lightgbm'"):
        preset("lightbgm", "AP")
    with pytest.raises(InputError, match="a measure that its tool has: nDCG, AP"):
        preset("lightgbm", "ERR@5")
