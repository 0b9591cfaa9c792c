"""A comparison that has something for every section."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import rankwright as rw
from rankwright.report.contents import Contents
from rankwright.report.report import contents_of
from rankwright.reproduce.section import Curves, Section

NAMES = ("boosted", "one <b>feature</b>", "</script>&copy;")


@dataclass(frozen=True)
class Known:
    """What was trained, and how it compares."""

    comparison: rw.Comparison
    rankers: dict[str, rw.Ranker]
    test: rw.Dataset
    contents: Contents


@pytest.fixture(scope="session")
def known() -> Known:
    train, valid, test = rw.artificial_fold((40, 20, 30), docs_per_query=10, n_features=6, rng=0)
    made = (rw.RankBoost(n_rounds=15), rw.SingleFeature(), rw.AdaRank(n_rounds=10))
    rankers = {name: ranker.fit(train, valid=valid) for name, ranker in zip(NAMES, made, strict=True)}
    found = rw.compare(rankers, test, ["nDCG@10", "AP"], n_resamples=1000)
    return Known(found, rankers, test, contents_of(found, rankers, test))


@pytest.fixture(scope="session")
def exhibit() -> Section:
    table = rw.evaluation.Table({"round": [1, 2, 3], "train <i>": [0.1, 0.2, float("nan")]})
    return Section("Figure <1>", table, "so & so", curves=(Curves("round", ("train <i>",)),))
