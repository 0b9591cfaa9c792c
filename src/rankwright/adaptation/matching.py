"""Two domains with the same features: columns are matched by name."""

from __future__ import annotations

import numpy as np

from rankwright.data import Dataset
from rankwright.errors import InputError

SHOWN = 5  # names listed in an error


def matched(source: Dataset, other: Dataset, what: str = "the target") -> Dataset:
    """The other data with its columns in the order of the source's.

    Parameters
    ----------
    source : whose features count.
    other : data with features of the same names, in any order.
    what : what the other data are, for errors.
    """
    if other.n_docs == 0:
        raise InputError(f"{what} must have documents. Got none. Pass some of its lists, judged or not.")
    if source.n_docs == 0:
        raise InputError("the source must have documents. Got none. Pass judged queries.")
    names, others = source.feature_names, other.feature_names
    if names != others:
        _refuse_others(set(names), set(others), what)
        column = {name: k for k, name in enumerate(others)}
        X = other.X[:, [column[name] for name in names]]
        other = other.with_features(X if other.is_sparse else np.ascontiguousarray(X), names)
    if source.is_sparse != other.is_sparse:
        kinds = ["sparse" if part.is_sparse else "dense" for part in (source, other)]
        raise InputError(
            f"both domains must be dense or both sparse. The source is {kinds[0]}, {what} {kinds[1]}. "
            "Convert one of them: data.with_features(data.X.toarray(), data.feature_names)."
        )
    return other


def _refuse_others(names: set[str], others: set[str], what: str) -> None:
    if names == others:
        return
    parts = [("the source alone has", names - others), (f"{what} alone has", others - names)]
    found = "; ".join(f"{who} {_listed(only)}" for who, only in parts if only)
    raise InputError(
        f"both domains must have the same features, by name. {found[0].upper()}{found[1:]}. "
        "Drop or rename columns; LETOR files take n_features=..."
    )


def _listed(names: set[str]) -> str:
    shown = sorted(names, key=lambda name: (len(name), name))
    return ", ".join(shown[:SHOWN]) + (f" and {len(shown) - SHOWN} more" if len(shown) > SHOWN else "")
