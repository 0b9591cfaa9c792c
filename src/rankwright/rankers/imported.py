"""Models that were read from other engines' files, with what every ranker has but training."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rankwright.data.checked import numbered
from rankwright.errors import InputError
from rankwright.models.base import model_to_dict, write_document
from rankwright.rankers.base import Ranker

if TYPE_CHECKING:
    from rankwright.data import Dataset
    from rankwright.imports import Found
    from rankwright.models import Model
    from rankwright.rankers.rounds import Rounds


class Imported(Ranker):
    """A model of another engine: it predicts, ranks, is judged and exported as a trained ranker is.

    Parameters
    ----------
    measure : what the ranker is judged by.
    n_threads : threads to use; None for all. The result does not depend on it.
    callbacks : not used, since it is not trained.

    Attributes
    ----------
    engine_ : whose model it was.
    notes_ : what to know when comparing its scores with the engine's.
    """

    engine_: str = field(init=False)
    notes_: tuple[str, ...] = field(init=False)

    @classmethod
    def of(cls, found: Found) -> Self:
        """The ranker of a model that was read."""
        ranker = cls()
        ranker.model_ = found.model
        ranker.history_, ranker.best_round_ = [], 0
        ranker.engine_, ranker.notes_ = found.engine, found.notes
        ranker._remember(found.model.n_features, found.features or numbered(found.model.n_features))
        return ranker

    def learn(self, train: Dataset, valid: Dataset | None, rounds: Rounds) -> Model:
        raise InputError("a model that was read cannot be trained further. Choose a ranker, and fit that.")

    def save(self, path: str | Path) -> None:
        """Writes the model as JSON, whole or not at all; :func:`rankwright.load` reads it."""
        self._check_fitted()
        document: dict[str, Any] = {"engine": self.engine_}
        names = getattr(self, "feature_names_in_", None)
        if names is not None:
            document["features"] = [str(name) for name in names]
        write_document(path, {**document, "model": model_to_dict(self.model_)})
