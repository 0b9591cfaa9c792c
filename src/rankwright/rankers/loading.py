"""Rankers from files."""

from __future__ import annotations

from pathlib import Path

from rankwright.errors import FormatError, InputError
from rankwright.imports import is_model, of_bytes
from rankwright.options import options_of
from rankwright.rankers.base import Ranker
from rankwright.rankers.documents import known, read_saved
from rankwright.rankers.imported import Imported
from rankwright.rankers.registry import REGISTRY


def load(path: str | Path) -> Ranker:
    """A ranker as it was saved: same options, same scores, bit for bit; or a model of another engine.

    Files of LightGBM (text), XGBoost (JSON, UBJSON), CatBoost (JSON) and RankLib (text) are known by their content; so
    are those that `rankwright import` wrote. Their models predict, rank and are judged, and are not trained.

    Options that were objects (a wrapped estimator) are not in the file; such a ranker predicts as before, and
    asks for them when it is to be trained again.
    """
    data = Path(path).read_bytes()
    if is_model(data):
        return Imported.of(of_bytes(str(path), data))
    saved = read_saved(path, data)
    known(path, "the ranker", saved.name, REGISTRY)
    cls = REGISTRY[saved.name]
    declared = options_of(cls)
    for name in saved.options:
        known(path, f"an option of {saved.name}", name, [n for n in declared if n != "callbacks"])
    try:
        ranker = cls(**saved.options)
        ranker._check_options(unsaved=True)
    except (InputError, TypeError) as wrong:
        raise FormatError(path, 0, str(wrong)) from None
    ranker.model_ = saved.model
    ranker.history_, ranker.best_round_ = list(saved.history), saved.best_round
    ranker._remember(saved.model.n_features, saved.features)
    return ranker
