"""From a model to another engine's file, proved."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rankwright.errors import InputError, unknown
from rankwright.exports.base import FORMATS, Format, Wanted
from rankwright.exports.plain import Plain, plain
from rankwright.exports.proof import Claim, Proof
from rankwright.files import write_atomically
from rankwright.models import Model


@dataclass(frozen=True)
class Exported:
    """A model in another engine's format, and the proof that it scores the same there.

    Parameters
    ----------
    format : the format's name.
    data : the file's content.
    proof : on what the scores were compared, and how much they differed.
    notes : what to know when using it.
    """

    format: str
    data: bytes
    proof: Proof
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        p = self.proof
        asked = f"{p.probes:,} values at and around thresholds and " if p.probes else ""
        same = "exactly" if p.difference == 0 else f"to {p.difference:.1e}, where rounding allows {p.allowed:.1e}"
        return "\n".join([f"{self.format}: scores agree on {asked}{p.rows:,} rows, {same}.", *self.notes])


def export(
    model: Any,
    to: str,
    path: str | Path | None = None,
    *,
    name: str = "model",
    features: Sequence[str] | None = None,
    rows: Any = None,
    variant: str = "",
    drop_constant: bool = False,
) -> Exported:
    """Writes a model for another engine, after proving that it scores the same there.

    What was written is read again by the engine's own rule (whether x ≤ t or x < t goes left, in float32 or float64,
    what a missing value is) and must score as the model does, but for rounding. Else nothing is written, and the
    error says why.

    Parameters
    ----------
    model : a fitted ranker, or a model.
    to : the format; see :data:`rankwright.exports.FORMATS`.
    path : where the file goes; None only returns it.
    name : of the model, in engines where it has one.
    features : a name for each feature; those the ranker was fitted with when left out. RankLib and ONNX number them.
    rows : documents to compare scores on; when left out, rows at, just below and just above every threshold.
    variant : which of the format's variants, where it has several; the one that fits when left out.
    drop_constant : leave out what is added to every score, which changes no ranking, for formats without constants.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.SingleFeature(measure="AP").fit([[3, 0], [1, 1], [2, 1]], [0, 1, 0], qid=[1, 1, 1])
    >>> print(rw.export(ranker, "ranklib").data.decode().strip())
    ## Coordinate Ascent
    1:-1.0
    """
    fitted = _fitted(model)
    target = _format(to, variant)
    parts, dropped = plain(fitted), 0.0
    if drop_constant and isinstance(parts, Plain):
        parts, dropped = dataclasses.replace(parts, base=0.0), parts.base
    names = _names(model, fitted.n_features, features)
    if names is None and target.needs_names:
        raise InputError(
            f"{target.name} knows features by name. The {fitted.n_features} features have none. Pass features=[...]."
        )
    wanted = Wanted(_one_word(name), names, variant)
    data = target.write(parts, wanted)
    shown = names or tuple(f"feature {k + 1}" for k in range(fitted.n_features))
    claim = Claim(fitted, parts, target.read(data, wanted), target.name, dropped, shown)
    proof = claim.proved(None if rows is None else _rows(rows, fitted.n_features))
    if path is not None:
        write_atomically(path, data)
    return Exported(target.name, data, proof, tuple(_notes(claim)))


def _notes(claim: Claim) -> list[str]:
    notes = []
    if claim.dropped:
        notes.append(f"The constant {claim.dropped!r} was left out of every score.")
    knows = claim.engine.knows_missing
    if isinstance(claim.parts, Plain) and not knows and not claim.parts.treats_missing_as_zero():
        notes.append(f"{claim.target} takes a missing value for 0, the model does not: fill it in before.")
    return notes


def _fitted(model: Any) -> Model:
    found = getattr(model, "model_", model)
    if not isinstance(found, Model):
        raise InputError(
            f"a fitted ranker or a model can be exported. Got {type(model).__name__}. Fit it, or load it, first."
        )
    return found


def _format(name: str, variant: str) -> Format:
    if name not in FORMATS:
        raise unknown("to", name, FORMATS)
    found = FORMATS[name]
    if variant and variant not in found.variants:
        raise unknown(f"variant of {name}", variant, found.variants)
    return found


def _one_word(name: str) -> str:
    if not isinstance(name, str) or not name or any(sign.isspace() or sign in "\"'\\/" for sign in name):
        raise InputError(f"name must be one word without quotes or slashes. Got {name!r:.60}. Choose another.")
    return name


def _names(model: Any, n_features: int, features: Sequence[str] | None) -> tuple[str, ...] | None:
    """The features' names: as given, else as the ranker was fitted with."""
    given = getattr(model, "feature_names_in_", None) if features is None else features
    if given is None:
        return None
    names = tuple(given)
    if len(names) != n_features or len(set(names)) != len(names) or not all(isinstance(n, str) and n for n in names):
        raise InputError(
            f"features must be {n_features} different names. Got {len(names)}, {len(set(names))} of them different. "
            "Name every column once."
        )
    return names


def _rows(rows: Any, n_features: int) -> Any:
    X = getattr(rows, "X", rows)
    X = X.toarray() if hasattr(X, "toarray") else X
    found = np.ascontiguousarray(X, dtype=np.float32)
    if found.ndim != 2 or found.shape[1] != n_features or not len(found):
        raise InputError(f"rows must be documents × {n_features} features. Got shape {found.shape}. Pass such rows.")
    return found
