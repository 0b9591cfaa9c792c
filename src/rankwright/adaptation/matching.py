"""Two domains with the same features: columns are matched by name. And what is judged of the target."""

from __future__ import annotations

from typing import Any

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
    for role, data in (("the source", source), (what, other)):
        if not isinstance(data, Dataset):
            raise InputError(
                f"{role} must be a Dataset. Got {type(data).__name__}. Make one: rankwright.Dataset(X, y)."
            )
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


def judged_target(source: Dataset, target: Dataset, labels: Any) -> Dataset | None:
    """The judged queries of the target domain; None where there are none.

    Parameters
    ----------
    source : whose features count.
    target : the lists of the target domain.
    labels : judged queries, or one label per row of `target`, NaN in queries that are not judged.
    """
    if labels is None:
        return None
    judged = matched(source, labels, "the judged target") if isinstance(labels, Dataset) else _labelled(target, labels)
    if judged.n_queries < 3:
        raise InputError(
            f"there must be 3 judged target queries to learn, choose and be judged by. Got {judged.n_queries}. "
            "Leave target_labels out to adapt by weights alone."
        )
    if judged.y.min() < 0 or not np.isfinite(judged.y).all():
        raise InputError("target labels must be at least 0, or NaN. Got others. Correct them.")
    return judged


def _labelled(target: Dataset, labels: Any) -> Dataset:
    """The queries of the target that have labels."""
    y = np.asarray(target.from_caller(np.asarray(labels, dtype=np.float64)))
    unknown = np.bincount(target.query_of_row, np.isnan(y), minlength=target.n_queries)
    partly = np.flatnonzero((unknown > 0) & (unknown < target.group_sizes))
    if len(partly):
        raise InputError(
            f"a judged target query must have a label for every document. Query {target.query_ids[partly[0]]!s} has "
            "some and lacks others. Write 0 for documents taken as irrelevant, or NaN in the whole query."
        )
    part = target.replace(y=np.nan_to_num(y).astype(np.float32))
    return part.queries((unknown == 0) & (target.group_sizes > 0))


def _refuse_others(names: set[str], others: set[str], what: str) -> None:
    if names == others:
        return
    parts = [("the source alone has", names - others), (f"{what} alone has", others - names)]
    found = "; ".join(f"{who} {_listed(only)}" for who, only in parts if only)
    raise InputError(
        f"both domains must have the same features, by name. {found[0].upper()}{found[1:]}. "
        "Drop or rename columns; LETOR files take n_features (--n-features)."
    )


def _listed(names: set[str]) -> str:
    shown = sorted(names, key=lambda name: (len(name), name))
    return ", ".join(shown[:SHOWN]) + (f" and {len(shown) - SHOWN} more" if len(shown) > SHOWN else "")
