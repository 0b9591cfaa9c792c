"""adapt: which ways it goes, that none sees what it is judged by, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rankwright as rw
from rankwright.adaptation.ways import Trainer, as_ranker, interpolated, starting_from_another
from rankwright.errors import InputError
from rankwright.models import BlendModel
from rankwright.rankers import REGISTRY

QUICK: dict[str, Any] = {"n_rounds": 15}


@pytest.fixture(scope="module")
def domains() -> tuple[rw.Dataset, rw.Dataset]:
    source = rw.artificial(40, docs_per_query=15, n_features=5, rng=1)
    return source, rw.artificial(25, docs_per_query=15, n_features=5, rng=1, tilt=4.0, sample=1)


@pytest.fixture(scope="module")
def found(domains: Any) -> rw.Adaptation:
    return rw.adapt(*domains, rw.AddWRB(**QUICK), target_labels=domains[1])


class _Starts(rw.RankBoost):
    """Scores of a submodel plus its own.

    Parameters
    ----------
    submodel : where it starts.
    """

    name = "starts_for_tests"
    submodel: Any = None

    def learn(self, train: Any, valid: Any, rounds: Any) -> Any:
        return BlendModel(((1.0, self.submodel.model_), (0.1, super().learn(train, valid, rounds))))


def test_without_labels_there_are_two_ways(domains: Any) -> None:
    found = rw.adapt(*domains, rw.AddWRB(**QUICK))
    assert list(found.rankers) == ["source", "weighted"]
    assert found.comparison is None
    assert found.best == "weighted"
    assert isinstance(found.rankers["source"], rw.RankBoost)
    assert set(found.skipped) == {"target", "submodel", "interpolated"}
    assert "nobody knows which is best" in repr(found)
    assert len(found.rankers["weighted"].predict(domains[1])) == 25 * 15


def test_with_labels_all_ways_are_compared_out_of_fold(found: rw.Adaptation) -> None:
    assert list(found.rankers) == ["source", "weighted", "target", "submodel", "interpolated"]
    assert found.comparison.n_queries == 25
    assert found.comparison.n_folds == 5
    assert found.best == found.comparison.leaderboard()["system"][0]
    document = found.to_dict()
    assert document["best"] == found.best
    assert 0 <= document["alpha"] <= 1
    assert not document["skipped"]


def test_labels_as_an_array_with_gaps(domains: Any) -> None:
    """Only the judged queries are compared on; they may be few."""
    source, target = domains
    y = np.where(target.query_of_row < 6, target.y, np.nan)
    found = rw.adapt(source, target, rw.AddWRB(**QUICK), target_labels=y, ways=["source", "target"])
    assert found.comparison.n_queries == 6
    whole = rw.adapt(
        source, target, rw.AddWRB(**QUICK), target_labels=target.queries(range(6)), ways=["source", "target"]
    )
    assert found.comparison.to_dict() == whole.comparison.to_dict()


def test_the_targets_own_labels_are_not_read(domains: Any) -> None:
    source, target = domains
    plain, turned = (
        rw.adapt(source, part, rw.AddWRB(**QUICK)).rankers["weighted"].predict(target)
        for part in (target, target.replace(y=target.y[::-1].copy()))
    )
    assert (plain == turned).all()


def test_a_submodel_is_the_source_ranker(domains: Any) -> None:
    try:
        found = rw.adapt(
            *domains,
            rw.RankBoost(**QUICK),
            target_labels=domains[1],
            submodel=_Starts(**QUICK),
            ways=["source", "submodel"],
        )
        first = found.rankers["submodel"].model_.parts[0][1]
        assert first.scores(domains[1].X).tolist() == found.rankers["source"].predict(domains[1]).tolist()
        starts = _Starts()
        assert starting_from_another(starts, None) is starts
    finally:
        REGISTRY.pop("starts_for_tests", None)


def test_lambdasmart_starts_from_the_source_with_the_options_of_a_lambdamart(domains: Any) -> None:
    source, target = domains
    ranker = rw.LambdaMART(n_trees=5, n_leaves=4, measure="AP")
    found = rw.adapt(source, target, ranker, target_labels=target, ways=["source", "submodel"], folds=3)
    started = found.rankers["submodel"]
    assert isinstance(started, rw.LambdaSMART)
    assert (started.n_trees, started.n_leaves, started.measure) == (5, 4, "AP")
    assert (started.submodel.predict(target) == found.rankers["source"].predict(target)).all()
    first = started.model_.truncated(0).scores(target.X)
    assert target.to_caller(first) == pytest.approx(found.rankers["source"].predict(target))


def test_interpolation_is_at_least_as_good_as_either_where_it_is_chosen(found: rw.Adaptation, domains: Any) -> None:
    source, target = found.rankers["source"], found.rankers["target"]
    valid = domains[1].queries(range(10))
    both = interpolated(source, target, valid, "nDCG@10")
    assert both.score(valid) >= max(source.score(valid), target.score(valid)) - 1e-12
    scores = both.predict(valid)
    spreads = [ranker.predict(valid).std() for ranker in (source, target)]
    by_hand = (1 - both.alpha_) * source.predict(valid) / spreads[0] + both.alpha_ * target.predict(valid) / spreads[1]
    assert scores == pytest.approx(by_hand, rel=1e-12)


def test_the_best_ranker_is_a_file_like_any_other(found: rw.Adaptation, domains: Any, tmp_path: Any) -> None:
    for way in ("weighted", "interpolated"):
        found.rankers[way].save(tmp_path / f"{way}.json")
        again = rw.load(tmp_path / f"{way}.json")
        assert (again.predict(domains[1]) == found.rankers[way].predict(domains[1])).all()


def test_rankers_without_document_weights_get_query_weights(domains: Any) -> None:
    weights = rw.target_weights(*domains)
    trainer = Trainer(rw.AdaRank(n_rounds=5), None, 0.0, 0)
    by_hand = rw.AdaRank(n_rounds=5).fit(weights.weighted("queries"))
    assert (trainer.weighted(weights).predict(domains[1]) == by_hand.predict(domains[1])).all()
    assert type(trainer.plain) is rw.AdaRank


def test_it_says_what_it_does(domains: Any) -> None:
    told: list[str] = []
    rw.adapt(*domains, rw.AddWRB(**QUICK), target_labels=domains[1], ways=["weighted"], folds=3, tell=told.append)
    assert len(told) == 1 + 1 + 3
    assert as_ranker("AddWRB").name == as_ranker("add-wrb").name == "addwrb"


def test_a_ranker_by_name_is_trained_for_the_first_measure(domains: Any) -> None:
    found = rw.adapt(*domains, "single-feature", measures=["AP", "nDCG@5"])
    assert [str(rw.measure(ranker.measure)) for ranker in found.rankers.values()] == ["AP", "AP"]


def test_weights_are_of_the_source(domains: Any) -> None:
    source, target = domains
    weights = rw.target_weights(source, target)
    same = source.replace(X=source.X.copy())
    assert "weighted" in rw.adapt(same, target, rw.AddWRB(**QUICK), weights=weights).rankers
    with pytest.raises(InputError, match="must be those of the source's documents"):
        rw.adapt(source.queries(range(9)), target, weights=weights)


def test_bad_input(domains: Any) -> None:
    source, target = domains
    with pytest.raises(InputError, match="there must be a way to go"):
        rw.adapt(source, target, ways=[])
    with pytest.raises(InputError, match=r"the source must be a Dataset\. Got list"):
        rw.adapt([[1.0]], target)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="held_out must be a share from 0 to below 1"):
        rw.adapt(source, target, held_out=1.0)
    with pytest.raises(InputError, match=r"a label for every document\. Query 1 has some"):
        rw.adapt(source, target, target_labels=np.where(np.arange(target.n_docs) % 15 == 1, np.nan, target.y))
    with pytest.raises(InputError, match="3 judged target queries"):
        rw.adapt(source, target, target_labels=target.queries([0, 1]))
    with pytest.raises(InputError, match="ranker must be one of"):
        rw.adapt(source, target, "addwbr")
    with pytest.raises(InputError, match="way must be one of"):
        rw.adapt(source, target, ways=["sideways"])
    with pytest.raises(InputError, match="cannot be gone: there are no target labels"):
        rw.adapt(source, target, ways=["target"])
    with pytest.raises(InputError, match="starts from another"):
        rw.adapt(source, target, submodel="rankboost")
    with pytest.raises(InputError, match="same features"):
        rw.adapt(source, target.with_features(target.X, list("abcde")))
    with pytest.raises(InputError, match="the judged target alone has"):
        rw.adapt(source, target, target_labels=target.with_features(target.X, list("abcde")))
    with pytest.raises(InputError, match="one value per document"):
        rw.adapt(source, target, target_labels=[1.0])
