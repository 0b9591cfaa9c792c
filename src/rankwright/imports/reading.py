"""The door: a file is known by how it begins, an object by the package it comes from."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rankwright.errors import FormatError, InputError
from rankwright.imports import catboost, lightgbm, ranklib, sklearn, xgboost
from rankwright.imports.base import Found, part
from rankwright.models import Model
from rankwright.models.base import FORMAT, document_of, model_from_dict
from rankwright.models.reading import json_of

ENGINES = "LightGBM text, XGBoost JSON and UBJSON, CatBoost JSON, RankLib text, and rankwright's own"
BEYOND = {
    "tree_info": "LightGBM's dump_model cannot be read for certain. Save the model with save_model.",
    "nodes": "XGBoost's dump has rounded numbers. Save the model with save_model.",
}


def read_model(source: Any) -> Model:
    """A model of another engine, or of this library, that scores as it does there.

    Parameters
    ----------
    source : a file of LightGBM (text), XGBoost (JSON, UBJSON), CatBoost (JSON), RankLib (text) or rankwright; or a
        fitted estimator or Booster of LightGBM, XGBoost, CatBoost or scikit-learn, or a ranker.

    Notes
    -----
    Features are float32 here. Where an engine compares them in float64, thresholds become the largest float32 that is
    not above: for every float32 that decides alike. Sums are taken in the engine's order and precision. Functions
    that an engine puts scores through (a sigmoid, say) change no order and are left out.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> import rankwright as rw
    >>> X, y = [[0.0, 1], [1, 0], [2, 1], [3, 0]], [0, 1, 1, 2]
    >>> forest = RandomForestRegressor(n_estimators=5, random_state=0).fit(X, y)
    >>> model = rw.read_model(forest)
    >>> (model.scores(np.float32(X)) == forest.predict(X)).all()
    np.True_
    """
    return found_in(source).model


def found_in(source: Any) -> Found:
    """What a file or an object holds."""
    if isinstance(source, (str, os.PathLike)):
        return of_bytes(str(source), Path(source).read_bytes())
    if isinstance(source, (bytes, bytearray, memoryview)):
        return of_bytes("<bytes>", bytes(source))
    fitted = getattr(source, "model_", source)
    if isinstance(fitted, Model):
        return Found("rankwright", fitted, _names(source))
    package = next((p for p in map(_package, type(source).__mro__) if p in _OBJECTS), None)
    if package is None:
        raise InputError(
            f"models come from files, or from objects of {', '.join(_OBJECTS)}. Got {type(source).__name__}. Pass a "
            "fitted estimator, a Booster, or a path."
        )
    return _OBJECTS[package](source)


def is_model(data: bytes) -> bool:
    """Whether the bytes of a file are to be read as another engine's model, or as one that was imported."""
    begin = data[:64].lstrip()
    if begin.startswith((b"tree\n", b"tree\r", b"##")) or _is_ubjson(begin):
        return True
    own = f'"{FORMAT}"'.encode() in data[:256]
    marks = (b'"engine":',) if own else (b'"learner"', b'"oblivious_trees"', b'"features_info"')
    return begin[:1] == b"{" and any(mark in (data[:256] if own else data) for mark in marks)


def _is_ubjson(begin: bytes) -> bool:
    return begin[:1] == b"{" and begin[1:2] != b"" and begin[1:2] in b"iUIlL}#$"


def of_bytes(name: str, data: bytes) -> Found:
    """What the bytes of a file hold."""
    with np.errstate(all="ignore"):  # numbers of damaged files are refused, not warned of
        return _of_bytes(name, data)


def _of_bytes(name: str, data: bytes) -> Found:
    begin = data[:64].lstrip()
    if begin.startswith(b"tree") and begin[4:5] in (b"\n", b"\r"):
        return lightgbm.read(name, data)
    if begin.startswith(b"##"):
        return ranklib.read(name, data)
    if _is_ubjson(begin):
        return xgboost.read_ubjson(name, data)
    if begin[:1] in (b"{", b"["):
        return _of_json(name, data)
    got = repr(begin[:20].decode(errors="replace")) if begin else "nothing"
    raise FormatError(name, 0, f"a model must be {ENGINES}. This begins with {got}. Save the model in one of them.")


def _of_json(name: str, data: bytes) -> Found:
    document = json_of(name, data, infinities=True)
    keys = document if isinstance(document, dict) else {}
    if keys.get("format") == FORMAT:
        return _own(name, document_of(name, json_of(name, data)))
    if "learner" in keys:
        return xgboost.of_document(name, document)
    if "oblivious_trees" in keys or ("trees" in keys and "features_info" in keys):
        return catboost.of_document(name, document)
    beyond = [text for key, text in BEYOND.items() if key in keys]
    remedy = beyond[0] if beyond else "Save the model in one of them."
    raise FormatError(name, 0, f"a model must be {ENGINES}. This JSON is none of them. {remedy}")


def _own(name: str, document: dict[str, Any]) -> Found:
    with part(name, "the model"):
        model = model_from_dict(document["model"])
    with part(name, "the features"):
        features = document.get("features")
        named = isinstance(features, list) and all(isinstance(f, str) for f in features)
        if features is not None and not (named and len(set(features)) == len(features) == model.n_features):
            raise InputError(f"features must be {model.n_features} different names")
        return Found("rankwright", model, None if features is None else tuple(features))


def _names(ranker: Any) -> tuple[str, ...] | None:
    names = getattr(ranker, "feature_names_in_", None)
    return None if names is None else tuple(names)


def _package(cls: type) -> str:
    return cls.__module__.partition(".")[0]


_OBJECTS: dict[str, Callable[[Any], Found]] = {
    "lightgbm": lambda model: lightgbm.read("<LightGBM>", lightgbm.text_of(model)),
    "xgboost": lambda model: xgboost.read_ubjson("<XGBoost>", xgboost.bytes_of(model)),
    "catboost": lambda model: catboost.read("<CatBoost>", catboost.bytes_of(model)),
    "sklearn": sklearn.read,
}
