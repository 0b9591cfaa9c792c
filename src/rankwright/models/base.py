"""Fitted models: immutable values that score documents and are written as JSON, never as pickle."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from rankwright.errors import FormatError, InputError, unknown
from rankwright.files import write_atomically

Floats = npt.NDArray[np.float64]

FORMAT = "rankwright-model"
VERSION = 1
KINDS: dict[str, type[Model]] = {}


class Model(ABC):
    """What a ranker learned.

    Attributes
    ----------
    n_features : the number of columns it scores.
    needs_queries : whether a document's score depends on the other documents of its query.
    """

    kind: ClassVar[str]
    needs_queries: ClassVar[bool] = False
    n_features: int

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "kind" in cls.__dict__:
            KINDS[cls.kind] = cls

    @abstractmethod
    def scores(self, X: Any) -> Floats:
        """One float64 score per row of float32 features (C-contiguous array or CSR)."""

    def query_scores(self, X: Any, qptr: npt.NDArray[np.int64]) -> Floats:
        """The scores of whole queries, query q being rows ``qptr[q]:qptr[q + 1]``."""
        return self.scores(X)

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values from which `from_dict` makes an equal model, bit for bit."""

    @classmethod
    @abstractmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The model of `to_dict`; an InputError, KeyError, TypeError or ValueError when `values` are not one."""

    def truncated(self, n_rounds: int) -> Model:
        """The model as it was after the first `n_rounds` rounds; itself when it was not made in rounds."""
        return self

    def feature_importances(self) -> Floats | None:
        """One number ≥ 0 per feature, summing to 1, or None where the model has no such notion."""
        return None


def model_to_dict(model: Model) -> dict[str, Any]:
    return {"kind": model.kind, **model.to_dict()}


def model_from_dict(values: dict[str, Any]) -> Model:
    kind = values.get("kind") if isinstance(values, dict) else None
    if kind not in KINDS:
        raise unknown("the kind of a model", kind, KINDS)
    return KINDS[kind].from_dict({k: v for k, v in values.items() if k != "kind"})


def write_document(path: str | Path, document: dict[str, Any]) -> None:
    """Writes a model document whole or not at all."""
    text = json.dumps({"format": FORMAT, "version": VERSION, **document}, ensure_ascii=False, allow_nan=False, indent=1)
    write_atomically(path, text.encode() + b"\n")


def read_document(path: str | Path) -> dict[str, Any]:
    """A model document, checked to be one that this version can read."""
    try:
        document = json.loads(Path(path).read_bytes())
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as wrong:
        line = getattr(wrong, "lineno", 0)
        raise FormatError(path, line, f"a model file is JSON. It could not be read ({wrong}). Save it again.") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FormatError(path, 0, f'a model file has "format": "{FORMAT}". This one has not. Use `rankwright import`.')
    if document.get("version") != VERSION:
        reason = f"models of version {VERSION} can be read. This is {document.get('version')!r}. Train it again."
        raise FormatError(path, 0, reason)
    return document


def whole_model(path: str | Path, document: dict[str, Any]) -> Model:
    """The model inside a document; anything wrong with it is a FormatError that names the file."""
    try:
        return model_from_dict(document["model"])
    except (InputError, KeyError, TypeError, ValueError, AttributeError, OverflowError) as wrong:
        reason = f"the model must be complete. {type(wrong).__name__}: {wrong}. Save it again."
        raise FormatError(path, 0, reason) from None
