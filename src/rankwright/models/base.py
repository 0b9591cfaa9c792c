"""Fitted models: immutable values that score documents and are written as JSON, never as pickle."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from rankwright import kernels
from rankwright.errors import FormatError, InputError, unknown
from rankwright.files import write_atomically
from rankwright.models.reading import DAMAGE, read_json

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

    def rank(self, X: Any, qptr: npt.NDArray[np.int64], k: int) -> list[npt.NDArray[np.int64]]:
        """The k best rows of each query, best first; equal scores by row. The others are never sorted."""
        return top_rows(self.query_scores(X, qptr), qptr, k)

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values from which `from_dict` makes an equal model, bit for bit."""

    @classmethod
    @abstractmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The model of `to_dict`; an InputError, KeyError, TypeError or ValueError when `values` are not one.

        The functions of :mod:`rankwright.models.reading` check while they read.
        """

    def truncated(self, n_rounds: int) -> Model:
        """The model as it was after the first `n_rounds` rounds; itself when it was not made in rounds."""
        return self

    def contributions(self, X: Any) -> Floats | None:
        """What each feature contributes to each score, rows × features, and in one more column what is the same for all
        rows; they add up to the score. None where the model has no such notion."""
        return None

    def feature_importances(self) -> Floats | None:
        """One number ≥ 0 per feature, summing to 1, or None where the model has no such notion."""
        return None


def top_rows(scores: Floats, qptr: npt.NDArray[np.int64], k: int) -> list[npt.NDArray[np.int64]]:
    """The k best rows of each query, best first."""
    rows = kernels.top_queries(scores, qptr, k, kernels.default_threads())
    ends = np.cumsum(np.minimum(np.diff(qptr), k))
    return np.split(rows, ends[:-1]) if len(ends) else []


def frozen(values: npt.ArrayLike) -> Floats:
    """Numbers of a model: a float64 copy that nobody can write to."""
    out = np.array(values, dtype=np.float64, order="C")
    out.flags.writeable = False
    return out


def model_to_dict(model: Model) -> dict[str, Any]:
    return {"kind": model.kind, **model.to_dict()}


def model_from_dict(values: dict[str, Any]) -> Model:
    kind = values.get("kind") if isinstance(values, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        _import_all()
        if not isinstance(kind, str) or kind not in KINDS:
            raise unknown("the kind of a model", f"{kind!s:.60}", KINDS)
    return KINDS[kind].from_dict({k: v for k, v in values.items() if k != "kind"})


def _import_all() -> None:
    """Imports every model there is: a file may hold any of them."""
    from rankwright import models

    for name in models.__all__:
        getattr(models, name)


def document_bytes(document: dict[str, Any]) -> bytes:
    """A model document as it stands in a file."""
    headed = {"format": FORMAT, "version": VERSION, **document}
    try:
        text = json.dumps(headed, ensure_ascii=False, allow_nan=False, indent=1)
    except ValueError:
        raise InputError(
            "a model must hold finite numbers to be saved. This one holds NaN or infinity. "
            "Look for extreme feature values, and train again."
        ) from None
    return text.encode("utf-8", "surrogatepass") + b"\n"


def write_document(path: str | Path, document: dict[str, Any]) -> None:
    """Writes a model document whole or not at all."""
    write_atomically(path, document_bytes(document))


def read_document(path: str | Path) -> dict[str, Any]:
    """A model document, checked to be one that this version can read."""
    return document_of(path, read_json(path))


def document_of(path: str | Path, document: Any) -> dict[str, Any]:
    """A model document, checked."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FormatError(path, 0, f'a model file has "format": "{FORMAT}". This one has not. Save the model again.')
    version = document.get("version")
    if version != VERSION or isinstance(version, bool):
        reason = f"models of version {VERSION} can be read. This is version {version!r:.30}. Train it again."
        raise FormatError(path, 0, reason)
    return document


def whole_model(path: str | Path, document: dict[str, Any]) -> Model:
    """The model inside a document; anything wrong with it is a FormatError that names the file."""
    try:
        return model_from_dict(document["model"])
    except DAMAGE as wrong:
        raise incomplete(path, "the model", wrong) from None


def incomplete(path: str | Path, what: str, wrong: Exception) -> FormatError:
    """The error for a part of a model file that is damaged."""
    found = f"there is no {wrong}" if isinstance(wrong, KeyError) else str(wrong)
    return FormatError(path, 0, f"{what} must be complete. It is not: {found.rstrip('.')}. Save the model again.")
