"""Target weights: against the exact density ratio, on domains that are one, and on domains that share nothing."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import rankwright as rw
from rankwright.adaptation.matching import matched
from rankwright.adaptation.separator import halves
from rankwright.data.artificial import Domain
from rankwright.errors import InputError


def _domains(tilt: float, n_features: int = 4, n_queries: int = 150) -> tuple[rw.Dataset, rw.Dataset]:
    one = rw.artificial(n_queries, docs_per_query=20, n_features=n_features, rng=5)
    other = rw.artificial(n_queries, docs_per_query=20, n_features=n_features, rng=5, tilt=tilt, sample=1)
    return one, other


@pytest.mark.parametrize("separator", ["logistic", "svm"])
def test_the_odds_are_the_ratio_of_densities(separator: str) -> None:
    """Density ∝ exp(c · x) on [−1, 1]^K against 1/2^K: the ratio is Π c_k e^{c_k x_k} / sinh c_k."""
    source, target = _domains(3.0)
    c = Domain.draw(4, 0.0, 5, tilt=3.0).tilt
    exact = np.prod(c * np.exp(c * source.X) / np.sinh(c), axis=1)
    options: dict[str, Any] = {"separator": separator, "strength": 1}
    odds = rw.target_weights(source, target, form="odds", **options)
    log_ratio = np.log(odds.documents / exact)
    assert np.abs(log_ratio).mean() < (0.1 if separator == "logistic" else 0.25)
    p = rw.target_weights(source, target, **options)
    assert p.documents / (1 - p.documents) == pytest.approx(odds.documents, rel=1e-9)
    order = np.argsort(-np.abs(c))
    assert p.features()["feature"].tolist()[:2] == [source.feature_names[k] for k in order[:2]]
    assert np.sign(p.features()["coefficient"][0]) == np.sign(c[order[0]])


def test_weights_are_trusted_as_far_as_the_separator_can_be() -> None:
    """v̄ + s (v − v̄), s = 2 AUC − 1 unless it is given; the mean stays, and 0 leaves nothing of the weights."""
    source, target = _domains(2.0, n_queries=40)
    full = rw.target_weights(source, target, strength=1)
    assert full.strength == 1.0
    mean = full.values.mean()
    chosen = rw.target_weights(source, target)
    assert chosen.strength == pytest.approx(2 * full.auc.mean() - 1)
    assert 0.3 < chosen.strength < 0.9
    for s in (chosen.strength, 0.25, 0.0):
        drawn = rw.target_weights(source, target, strength=s)
        assert drawn.values == pytest.approx(mean + s * (full.values - mean))
        assert drawn.to_dict()["strength"] == s
    alike = rw.target_weights(source, rw.artificial(40, docs_per_query=20, n_features=4, rng=5, sample=1))
    assert alike.strength == max(0.0, 2 * alike.auc.mean() - 1) < 0.06
    for wrong in (-0.1, 1.5, np.nan, "much"):
        with pytest.raises(InputError, match="strength must be from 0 to 1"):
            rw.target_weights(source, target, strength=wrong)  # type: ignore[arg-type]


def test_the_same_domain_gives_flat_weights_and_auc_one_half() -> None:
    source, target = _domains(0.0)
    weights = rw.target_weights(source, target)
    assert weights.auc.mean() == pytest.approx(0.5, abs=0.03)
    assert weights.effective_share > 0.98
    assert weights.degenerate is None


def test_effective_size_and_means() -> None:
    source, target = _domains(2.0, n_queries=20)
    weights = rw.target_weights(source, target)
    v = weights.documents
    assert weights.effective_size == pytest.approx(v.sum() ** 2 / (v @ v))
    assert weights.queries == pytest.approx([v[q].mean() for q in source])
    assert weights.pairs([0, 1], [2, 3]) == pytest.approx([(v[0] + v[2]) / 2, (v[1] + v[3]) / 2])
    for pair, made in (("product", v[0] * v[2]), ("min", min(v[0], v[2])), ("max", max(v[0], v[2]))):
        assert weights.pairs([0], [2], pair)[0] == made  # type: ignore[arg-type]
    assert weights.weighted().doc_weight == pytest.approx(v / v.mean())
    twice = weights.weighted("queries").replace(query_weight=np.full(20, 2.0))
    again = rw.target_weights(twice, target).weighted("queries")
    assert again.query_weight == pytest.approx(2 * weights.queries / weights.queries.mean())


def test_weights_come_in_the_callers_order_and_do_not_depend_on_it() -> None:
    source, target = _domains(2.0, n_queries=20)
    rows = np.random.default_rng(0).permutation(source.n_docs)
    turned = rw.Dataset(source.X[rows], source.y[rows], qid=source.qid[rows])
    again = rw.target_weights(turned, target).documents
    assert np.corrcoef(again, rw.target_weights(source, target).documents[rows])[0, 1] > 0.98
    assert (rw.target_weights(source, target).documents == rw.target_weights(source, target).documents).all()


def test_labels_are_not_read() -> None:
    source, target = _domains(2.0, n_queries=20)
    others = source.replace(y=source.y[::-1].copy()), target.replace(y=np.zeros_like(target.y))
    assert (rw.target_weights(*others).documents == rw.target_weights(source, target).documents).all()


def test_domains_that_share_nothing_are_warned_of() -> None:
    source, target = _domains(0.0, n_queries=20)
    apart = target.replace(X=target.X + np.float32(10))
    with pytest.warns(UserWarning, match="degenerate: the separator tells the domains apart perfectly"):
        weights = rw.target_weights(source, apart)
    assert weights.auc.mean() == 1.0
    assert (weights.documents > 0).all()  # the source can still be trained on
    with pytest.warns(UserWarning, match="weigh as much as"):
        rw.target_weights(*_domains(12.0, n_queries=60), form="odds")


def test_halves_are_whole_queries() -> None:
    source, _ = _domains(0.0, n_queries=7)
    half = halves(source, np.random.default_rng(0))
    assert {bool(half[q].all()) for q in source} == {True, False}
    assert all(half[q].all() or not half[q].any() for q in source)
    assert halves(source.queries([0]), np.random.default_rng(0)).sum() == 10


def test_missing_sparse_and_single_queries() -> None:
    import scipy.sparse as sp

    source, target = _domains(3.0, n_queries=30)
    gaps = source.replace(X=np.where(np.random.default_rng(0).random(source.X.shape) < 0.2, np.nan, source.X))
    assert rw.target_weights(gaps, target).auc.mean() > 0.75
    sparse = [part.replace(X=sp.csr_matrix(part.X)) for part in (source, target)]
    dense = rw.target_weights(source, target).documents
    assert np.corrcoef(rw.target_weights(*sparse).documents, dense)[0, 1] > 0.99
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # with so few documents anything may happen, but an error
        assert len(rw.target_weights(source.queries([0]), target.queries([0])).documents) == 20
    with pytest.raises(InputError, match="both domains must be dense or both sparse"):
        rw.target_weights(source, sparse[1])


def test_features_are_matched_by_name() -> None:
    source, target = _domains(2.0, n_queries=20)
    named = source.with_features(source.X, ["a", "b", "c", "d"])
    turned = target.with_features(np.ascontiguousarray(target.X[:, [2, 0, 3, 1]]), ["c", "a", "d", "b"])
    assert (matched(named, turned).X == target.X).all()
    assert (rw.target_weights(named, turned).documents == rw.target_weights(source, target).documents).all()
    with pytest.raises(InputError, match="The source alone has a, b, c, d; the target alone has 1, 2, 3, 4"):
        rw.target_weights(named, target)
    with pytest.raises(InputError, match="alone has 4"):
        rw.target_weights(source, target.with_features(np.ascontiguousarray(target.X[:, :3])))


def test_bad_input() -> None:
    source, target = _domains(0.0, n_queries=5)
    nothing = target.queries([])
    with pytest.raises(InputError, match="the target must have documents"):
        rw.target_weights(source, nothing)
    with pytest.raises(InputError, match="separator must be"):
        rw.target_weights(source, target, separator="tree")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="form must be"):
        rw.target_weights(source, target, form="rank")  # type: ignore[arg-type]
    for wrong in ({"n_subsamples": 2.5}, {"rng": -1}, {"max_docs": "many"}):
        with pytest.raises(InputError, match=f"{next(iter(wrong))} must be a whole number"):
            rw.target_weights(source, target, **wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="4 documents"):
        rw.target_weights(rw.Dataset([[1.0], [2.0]], group=[2]), rw.Dataset([[1.0]] * 9, group=[9]))


def test_weights_that_no_ranker_can_use_are_refused() -> None:
    source, target = _domains(1.0, n_queries=5)
    weights = rw.target_weights(source, target)
    for value in (0.0, np.nan, np.inf, -1.0):
        with pytest.raises(InputError, match="target weights must be finite, at least 0, and not all zero"):
            replace(weights, values=np.full(source.n_docs, value))
    for data in (source.replace(doc_weight=np.zeros(100)), source.replace(query_weight=np.full(5, np.nan))):
        with pytest.raises(InputError, match="_weight must be finite, at least 0, and not all zero"):
            rw.AddWRB().fit(data)


def test_features_that_are_infinite_are_refused() -> None:
    source, target = _domains(1.0, n_queries=5)
    for pair in (
        (source, target.replace(X=target.X * np.float32(np.inf))),
        (source.replace(X=source.X * np.inf), target),
    ):
        with pytest.raises(InputError, match="features must be finite, or NaN"):
            rw.target_weights(*pair)


def test_a_picture_of_the_weights(tmp_path: object) -> None:
    weights = rw.target_weights(*_domains(3.0, n_queries=20))
    counts = weights.histogram()["documents"]
    assert counts.sum() == 400
    text = weights.picture(f"{tmp_path}/weights.svg")
    drawn = ElementTree.parse(f"{tmp_path}/weights.svg").getroot()
    heights = [float(bar.get("height")) for bar in drawn.iter("{http://www.w3.org/2000/svg}rect")]
    assert len(heights) == 40
    assert max(heights) == pytest.approx(260 - 34 - 40)
    assert "AUC 0." in text
    assert weights._repr_svg_() == text
    lines = repr(weights).splitlines()
    assert len(lines) == 21
    assert lines[1 + int(counts.argmax())].count("█") == 40
