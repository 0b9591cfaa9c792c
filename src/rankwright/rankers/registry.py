"""Rankers by name: those of this library are imported when they are asked for, others register themselves."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING

from rankwright.errors import unknown

if TYPE_CHECKING:
    from rankwright.rankers.base import Ranker

PACKAGE = "rankwright.rankers"
HOMES = {  # name: module and class
    "adarank": ("adarank", "AdaRank"),
    "addwrb": ("weighted_rankboost", "AddWRB"),
    "coordinate_ascent": ("coordinate_ascent", "CoordinateAscent"),
    "diffrank": ("diffrank", "DiffRank"),
    "expwrb": ("weighted_rankboost", "ExpWRB"),
    "lambdamart": ("lambdamart", "LambdaMART"),
    "lambdarank": ("neural", "LambdaRank"),
    "lambdasmart": ("lambdasmart", "LambdaSMART"),
    "linwrb": ("weighted_rankboost", "LinWRB"),
    "listmle": ("neural", "ListMLE"),
    "listnet": ("neural", "ListNet"),
    "mart": ("mart", "MART"),
    "mcrank": ("mcrank", "McRank"),
    "pointwise": ("pointwise", "Pointwise"),
    "rankboost": ("rankboost", "RankBoost"),
    "ranking_svm": ("ranking_svm", "RankingSVM"),
    "ranknet": ("neural", "RankNet"),
    "single_feature": ("single_feature", "SingleFeature"),
    "svm_auc": ("svm_auc", "SVMAuc"),
    "svm_map": ("svm_map", "SVMMap"),
    "svm_mrr": ("svm_mrr", "SVMMrr"),
    "svm_ndcg": ("svm_ndcg", "SVMNdcg"),
}


class Registry(MutableMapping[str, "type[Ranker]"]):
    """Name → class. Names are known without importing anything."""

    def __init__(self) -> None:
        self._known: dict[str, type[Ranker]] = {}

    def __getitem__(self, name: str) -> type[Ranker]:
        if name in HOMES and name not in self._known:
            import_module(f"{PACKAGE}.{HOMES[name][0]}")  # which registers it
        return self._known[name]

    def __setitem__(self, name: str, cls: type[Ranker]) -> None:
        self._known[name] = cls

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter([*HOMES, *(name for name in self._known if name not in HOMES)])

    def __len__(self) -> int:
        return len(HOMES) + sum(name not in HOMES for name in self._known)

    def as_typed(self, name: str) -> type[Ranker]:
        """The ranker of a name as people type it: lambdamart, LambdaMART, coordinate-ascent."""
        for known in self:
            of_class = HOMES[known][1] if known in HOMES else self._known[known].__name__
            if _squashed(name) in (_squashed(known), _squashed(of_class)):
                return self[known]
        raise unknown("ranker", name, self)


def _squashed(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


REGISTRY = Registry()
