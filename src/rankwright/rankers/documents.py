"""A ranker as a JSON document: its options, what it was fitted on, its history and its model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rankwright.errors import FormatError, InputError, unknown
from rankwright.measures import Measure
from rankwright.models import Model
from rankwright.models.base import document_of, incomplete, model_to_dict, whole_model
from rankwright.models.reading import DAMAGE, json_of
from rankwright.options import Unsaved

Row = dict[str, float]


@dataclass(frozen=True)
class Saved:
    """What a file says of a fitted ranker.

    Parameters
    ----------
    name : the ranker's name in the registry.
    options : its options by name.
    features : the names of the features it was fitted on.
    best_round : the round the model was taken from.
    history : one row a round.
    model : the fitted model.
    """

    name: str
    options: dict[str, Any]
    features: Sequence[str]
    best_round: int
    history: Sequence[Row]
    model: Model

    def to_document(self) -> dict[str, Any]:
        return {
            "ranker": {"name": self.name, "options": {n: plain(v) for n, v in self.options.items()}},
            "features": list(self.features),
            "best_round": int(self.best_round),
            "history": [{name: _plain_number(v) for name, v in row.items()} for row in self.history],
            "model": model_to_dict(self.model),
        }


def read_saved(path: str | Path, data: bytes | None = None) -> Saved:
    """A saved ranker, from the bytes of its file where they were read; or a FormatError that names the file."""
    content = Path(path).read_bytes() if data is None else data
    document = document_of(path, json_of(path, content))
    model = whole_model(path, document)
    try:
        ranker, history = document["ranker"], [_row(row) for row in document["history"]]
        options = {name: _value(value) for name, value in ranker["options"].items()}
        best_round = document["best_round"]
        if isinstance(best_round, bool) or not isinstance(best_round, int) or not 0 <= best_round <= len(history):
            raise InputError(f"best_round must be in 0..{len(history)}. Got {best_round!r:.30}.")
        if not isinstance(ranker["name"], str):
            raise InputError(f"the ranker's name must be text. Got {ranker['name']!r:.60}.")
        return Saved(ranker["name"], options, _names(document["features"], model), best_round, history, model)
    except DAMAGE as wrong:
        raise incomplete(path, "the ranker", wrong) from None


def known(path: str | Path, what: str, name: str, names: Any) -> None:
    """A name in the file must be one that this version knows."""
    if name not in names:
        raise FormatError(path, 0, str(unknown(what, name, names)))


def plain(value: Any) -> Any:
    """An option as JSON has it; an object that JSON cannot hold as its printed form only."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Measure):
        return str(value)
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if isinstance(value, (bool, int, float, str, type(None))):
        return value
    return {"object": value.printed if isinstance(value, Unsaved) else " ".join(repr(value).split())}


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        if set(value) != {"object"} or not isinstance(value["object"], str):
            raise InputError(f"an option must be a number, a word or a list. Got {value!r:.60}.")
        return Unsaved(value["object"])
    return tuple(_value(part) for part in value) if isinstance(value, list) else value


def _plain_number(value: Any) -> int | float | None:
    if isinstance(value, (int, np.integer)):
        return int(value)
    return float(value) if np.isfinite(value) else None


def _row(row: dict[str, Any]) -> Row:
    for value in row.values():
        if isinstance(value, bool) or not isinstance(value, (int, float, type(None))):
            raise InputError(f"history must hold numbers. Got {value!r:.60}.")
    return {name: float("nan") if value is None else value for name, value in row.items()}


def _names(features: Any, model: Model) -> list[str]:
    fine = isinstance(features, list) and all(isinstance(name, str) for name in features)
    if not fine or len(features) != model.n_features or len(set(features)) != len(features):
        raise InputError(f"features must be {model.n_features} different names, one per column of the model.")
    return list(features)
