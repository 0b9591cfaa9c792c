"""Going on from a checkpoint: what is written for it, and what must be the same when it is taken up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.models import Model
from rankwright.models.base import incomplete, model_from_dict, model_to_dict, read_document
from rankwright.models.reading import DAMAGE
from rankwright.rankers.documents import Row, plain, read_saved

MAY_CHANGE = ("callbacks", "n_threads", "n_trees", "patience", "tol")  # options that do not change the trees so far


def fingerprint(train: Dataset, valid: Dataset | None, start: Model | None = None) -> str:
    """A number that other data, other validation data or another start do not have."""
    import hashlib  # loads OpenSSL, which most trainings do without

    mix = hashlib.blake2b(digest_size=16)
    for data in (train, valid):
        mix.update(b"none" if data is None else repr((data.n_docs, data.n_features, data.is_sparse)).encode())
        for part in () if data is None else _parts(data):
            mix.update(b"-" if part is None else np.ascontiguousarray(part).data)
    mix.update(b"none" if start is None else repr(model_to_dict(start)).encode())
    return mix.hexdigest()


def _parts(data: Dataset) -> Sequence[Any]:
    X = [data.X.data, data.X.indices, data.X.indptr] if data.is_sparse else [data.X]
    return [*X, data.y, data.qptr, data.query_weight, data.doc_weight]


def unfinished_part(model: Model, n_rounds: int, data: str) -> dict[str, Any]:
    """What a checkpoint holds beside the ranker."""
    return {"data": data, "rounds": n_rounds, "model": model_to_dict(model)}


def take_up(path: Path, name: str, options: Mapping[str, Any], data: str) -> tuple[Model, list[Row]] | None:
    """The model and the history in a checkpoint; None where there is none yet.

    Parameters
    ----------
    path : of the checkpoint.
    name, options : of the ranker that is to go on from it.
    data : the fingerprint of the data.
    """
    if not path.exists():
        return None
    saved = read_saved(path)
    if saved.name != name:
        raise InputError(f"a checkpoint must be of the same ranker. {path} is of {saved.name}. Use another path.")
    document = read_document(path)
    if "unfinished" not in document:
        raise InputError(f"{path} must be a checkpoint to go on from. It is a finished ranker. Use another path.")
    try:
        part = document["unfinished"]
        n, model, of_data = int(part["rounds"]), model_from_dict(part["model"]), part["data"]
    except DAMAGE as wrong:
        raise incomplete(path, "the checkpoint", wrong) from None
    if of_data != data:
        raise InputError(
            f"a checkpoint must be of the same data, validation data and weights. {path} is of others. "
            "Pass what it was trained on, or use another path to start anew."
        )
    for option, value in options.items():
        was, now = plain(_listed(saved.options.get(option))), plain(value)
        if option not in MAY_CHANGE and was != now:
            raise InputError(
                f"a checkpoint must be of the same options. {path} has {option}={was!r}; it is {now!r} now. "
                "Set it back, or use another path."
            )
    if options.get("n_trees", n) < n:
        raise InputError(
            f"the checkpoint {path} has {n} rounds already. Got n_trees={options['n_trees']}. Ask for more."
        )
    return model, list(saved.history[:n])


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
